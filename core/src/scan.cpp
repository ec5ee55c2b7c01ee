// The linear passes: efficiency of every item, the break item by weighted selection, the reduction by loss.
//
// Selection follows the idea of Balas & Zemel (1980): a histogram brackets the break efficiency, one pass adds up
// what is surely in and compresses what lies in the bracket; a bracket that still holds many is narrowed by sorted
// samples until it is small enough to sort. All sums are of integers, so no decision hangs on the order of a sum.

#include "scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "blocks.hpp"
#include "bracket.hpp"
#include "kernels.hpp"

namespace haversack {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();  // brackets end here: free items are in for certain
constexpr std::size_t kWindow = 80;  // small enough to sort for nothing, large enough to hold most cores
constexpr std::uint64_t kSmall = std::uint64_t{1} << 51;

/// What a pass over the active items finds: the weight above the bracket, and in it.
struct Split {
  Weight above = 0;
  Weight inside = 0;
  Weight total = 0;  ///< of a scan: of all that competes
  Items items;       ///< those in the bracket; of a list they are compressed in place instead
};

Split split_list(const Items& list, const Bracket& bracket) {
  Split split;
  for (const Ranked& ranked : list) {
    split.above += ranked.efficiency > bracket.high ? ranked.weight : 0;
    split.inside += bracket.holds(ranked.efficiency) ? ranked.weight : 0;
  }
  return split;
}

void compress(Items& list, const Bracket& bracket) {
  std::size_t count = 0;
  for (const Ranked& ranked : list) {
    list[count] = ranked;
    count += bracket.holds(ranked.efficiency);
  }
  list.resize(count);
}

Split split_scan(const Scan& scan, const Bracket& bracket) {
  const Kernels& run = kernels();
  Split split;
  for_each_flagged(
      scan,
      [&](const double* efficiency, std::size_t begin, std::size_t count, std::uint8_t* flags) {
        run.flag_between(efficiency, count, bracket.low, bracket.high, flags);
        split.above += run.weight_over(efficiency, scan.weights() + begin, count, bracket.high);
        split.total += run.weight_over(efficiency, scan.weights() + begin, count, -0.5);
      },
      [&](std::size_t item, double efficiency) {
        const Weight weight = scan.weights()[item];
        split.inside += weight;
        split.items.push_back({efficiency, weight, static_cast<ItemId>(item)});
      });
  return split;
}

/// Compresses `active` until it can be sorted; returns the weight packed before it.
Weight narrow(Active& active, Weight room, Break& found) {
  Weight packed = 0;
  Weight inside = 0;
  Items sample;
  Bracket outer{0.0, kLargest};
  while (active.size() > kWindow + kWindow / 2 || !active.is_list) {
    Bracket bracket{0.0, kLargest};
    if (active.size() > kWindow) {
      bracket = active.is_list ? sample_bracket(active.list, room - packed, inside, sample)
                               : histogram_bracket(active.scan, room);
      bracket.low = std::max(bracket.low, outer.low);
      bracket.high = std::min(bracket.high, outer.high);
    }
    const std::size_t before = active.size();
    const bool is_first = !active.is_list;
    Split split = active.is_list ? split_list(active.list, bracket) : split_scan(active.scan, bracket);
    if (is_first) {
      found.total = split.total;
      if (found.total <= room) return 0;
    }
    const bool is_above = packed + split.above > room;
    if (is_above || packed + split.above + split.inside <= room) {
      // The sample misled: the break lies on one side of the bracket.
      bracket = is_above ? Bracket{bracket.high, outer.high} : Bracket{outer.low, bracket.low};
      split = active.is_list ? split_list(active.list, bracket) : split_scan(active.scan, bracket);
    }
    packed += split.above;
    inside = split.inside;
    if (active.is_list) {
      compress(active.list, bracket);
    } else {
      active.list.swap(split.items);
      active.is_list = true;
    }
    outer = bracket;
    if (bracket.low == bracket.high || active.size() > before - before / 8) break;  // ties: no use to go on
  }
  found.has_before = outer.high < kLargest;
  found.before = outer.high;
  found.has_after = outer.low > 0.0;
  found.after = outer.low;
  return packed;
}

/// Where ties make the window long, what lies far from the break waits for the reduction.
void shorten(Break& found) {
  const std::size_t first = found.index > kWindow ? found.index - kWindow : 0;
  const std::size_t last = std::min(found.window.size(), found.index + kWindow);
  const auto begin = found.window.begin();
  if (last < found.window.size()) {
    found.has_after = true;
    found.after = found.window[last].efficiency;
  }
  if (first > 0) {
    found.has_before = true;
    found.before = found.window[first - 1].efficiency;
  }
  found.window = Items(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last));
  found.index -= first;
}

}  // namespace

Scan::Scan(const Instance& instance, Weight room)
    : own_(new double[instance.size + 1]), efficiency_(own_.get()), weights_(instance.weights), size_(instance.size),
      small_weights_(instance.weight_bits < kSmall) {
  const Kernels& run = kernels();
  if (instance.profits != nullptr) {
    const bool is_small = small_weights_ && instance.profit_bits << 1 < kSmall;
    const auto fill = is_small ? run.efficiency_small_int : run.efficiency_int;
    fill(weights_, instance.profits, size_, room, own_.get());
  } else {
    const auto fill = small_weights_ ? run.efficiency_small_real : run.efficiency_real;
    fill(weights_, instance.real_profits, size_, room, own_.get());
  }
  if (instance.pinned == nullptr) return;
  for (std::size_t i = 0; i < size_; ++i) own_[i] = instance.pinned[i] ? -1.0 : own_[i];
}

Scan::Scan(const double* efficiency, const Weight* weights, std::size_t size)
    : efficiency_(efficiency), weights_(weights), size_(size) {}

bool weights_add_up(const Scan& scan, Weight room) {
  // No item that competes weighs more than the room.
  if (static_cast<WideProfit>(room) * static_cast<WideProfit>(scan.size()) < kWeightLimit) return true;
  Weight total = 0;
  for (std::size_t i = 0; i < scan.size(); ++i) {
    total += scan.efficiency(i) >= 0.0 ? scan.weights()[i] : 0;
    if (total >= kWeightLimit) return false;
  }
  return true;
}

Break find_break(const Scan& scan, Weight room) {
  Break found;
  Active active{scan, false, {}};
  Weight packed = narrow(active, room, found);
  if (found.total <= room) return found;
  found.window.swap(active.list);
  if (found.window.empty()) return Break{};  // only if somebody writes the columns meanwhile
  std::sort(found.window.begin(), found.window.end(), by_efficiency);
  while (found.index + 1 < found.window.size() && packed + found.item().weight <= room)
    packed += found.window[found.index++].weight;
  found.residual = room - packed;
  if (found.window.size() > 2 * kWindow) shorten(found);
  return found;
}

std::vector<Ranked> within_gap(const Scan& scan, double price, double gap) {
  const Kernels& run = kernels();
  Items kept;
  for_each_flagged(
      scan,
      [&](const double* efficiency, std::size_t begin, std::size_t count, std::uint8_t* flags) {
        const Weight* weights = scan.weights() + begin;
        if (scan.has_small_weights()) return run.flag_small_loss(efficiency, weights, count, price, gap, flags);
        for (std::size_t i = 0; i < count; ++i) {
          const double loss = std::fabs(efficiency[i] - price) * static_cast<double>(weights[i]);
          flags[i] = static_cast<std::uint8_t>((efficiency[i] >= 0.0) & (loss <= gap));
        }
      },
      [&](std::size_t item, double efficiency) {
        kept.push_back({efficiency, scan.weights()[item], static_cast<ItemId>(item)});
      });
  return kept;
}

}  // namespace haversack
