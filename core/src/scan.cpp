// The linear passes: efficiency of every item, the break item by weighted selection, the reduction by loss.
//
// Selection follows the idea of Balas & Zemel (1980): a sorted sample brackets the break efficiency, one pass
// adds up what is surely in and compresses what lies in the bracket, and the bracket is treated the same way
// until it is small enough to sort. All sums are of integers, so no decision hangs on the order of a sum.

#include "scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace haversack {
namespace {

constexpr std::size_t kWindow = 96;         // small enough to sort for nothing, large enough to hold most cores
constexpr std::size_t kLargestSample = 1024;

/// The part of the items that still holds the break item; the first one is all of them, by position.
class Active {
 public:
  Active(const double* efficiency, const Weight* weights, std::size_t size)
      : efficiency_(efficiency), weights_(weights), size_(size) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] ItemId operator[](std::size_t i) const {
    return listed_ ? items_[i] : static_cast<ItemId>(i);
  }

  /// Weight of the items with low < efficiency <= high (a free item is never counted: it weighs nothing).
  [[nodiscard]] Weight weight_between(double low, double high) const {
    Weight sum = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const ItemId item = (*this)[i];
      const double e = efficiency_[item];
      sum += (e > low) & (e <= high) ? weights_[item] : 0;
    }
    return sum;
  }

  /// Keeps the items with low <= efficiency <= high; returns the weight of those above.
  Weight compress(double low, double high) {
    std::vector<ItemId> kept(size_ + 1);
    std::size_t count = 0;
    Weight above = 0;
    if (listed_) {
      for (std::size_t i = 0; i < size_; ++i) {
        const ItemId item = items_[i];
        const double e = efficiency_[item];
        above += e > high ? weights_[item] : 0;
        kept[count] = item;
        count += (e >= low) & (e <= high);
      }
    } else {
      for (std::size_t i = 0; i < size_; ++i) {
        const double e = efficiency_[i];
        above += e > high ? weights_[i] : 0;
        kept[count] = static_cast<ItemId>(i);
        count += (e >= low) & (e <= high);
      }
    }
    kept.resize(count);
    items_.swap(kept);
    size_ = count;
    listed_ = true;
    return above;
  }

 private:
  const double* efficiency_;
  const Weight* weights_;
  std::size_t size_;
  bool listed_ = false;
  std::vector<ItemId> items_;
};

struct Bracket {
  double low;
  double high;
};

/// Efficiencies between which the break is likely to lie: the weighted quantile of an evenly spaced sample,
/// a few standard deviations of its rank to either side.
Bracket sample_bracket(const Active& active, const double* efficiency, const Weight* weights, double share) {
  const std::size_t n = active.size();
  const std::size_t wanted = std::min(kLargestSample, std::max<std::size_t>(32, n / 16));
  const std::size_t stride = std::max<std::size_t>(1, n / wanted);
  std::vector<Ranked> sample;
  sample.reserve(n / stride + 1);
  double total = 0.0;
  // Offsetting by half a stride keeps the sample centred; efficiency < 0 marks items that do not compete.
  for (std::size_t i = stride / 2; i < n; i += stride) {
    const ItemId item = active[i];
    if (efficiency[item] < 0.0) continue;
    sample.push_back({efficiency[item], weights[item], item});
    total += static_cast<double>(weights[item]);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  if (sample.size() < 8) return {0.0, infinity};
  std::sort(sample.begin(), sample.end(), by_efficiency);
  std::size_t rank = 0;
  double cumulated = 0.0;
  while (rank + 1 < sample.size()) {
    cumulated += static_cast<double>(weights[sample[rank].item]);
    if (cumulated > share * total) break;
    ++rank;
  }
  const auto spread = static_cast<std::size_t>(1.2 * std::sqrt(static_cast<double>(sample.size()))) + 2;
  const double high = rank >= spread ? sample[rank - spread].efficiency : infinity;
  const double low = rank + spread < sample.size() ? sample[rank + spread].efficiency : 0.0;
  return {low, high};
}

/// Narrows `active` to at most a few windows; returns the weight packed before it.
Weight narrow(Active& active, const Candidates& candidates, const Weight* weights, Weight room, Break& found) {
  const double* efficiency = candidates.efficiency.data();
  Weight packed = 0;
  Weight active_weight = candidates.weight;
  while (active.size() > kWindow) {
    const double share = static_cast<double>(room - packed) / static_cast<double>(active_weight);
    Bracket bracket = sample_bracket(active, efficiency, weights, share);
    const std::size_t before = active.size();
    const Weight above = active.weight_between(bracket.high, std::numeric_limits<double>::infinity());
    if (packed + above > room) {  // the break lies above the bracket
      bracket.low = bracket.high;
      bracket.high = std::numeric_limits<double>::infinity();
    } else if (packed + above + active.weight_between(std::nextafter(bracket.low, 0.0), bracket.high) <= room) {
      bracket.high = bracket.low;  // it lies below
      bracket.low = 0.0;
    }
    packed += active.compress(bracket.low, bracket.high);
    active_weight = active.weight_between(-1.0, std::numeric_limits<double>::infinity());
    if (bracket.high < std::numeric_limits<double>::infinity()) found.has_before = true, found.before = bracket.high;
    if (bracket.low > 0.0) found.has_after = true, found.after = bracket.low;
    if (bracket.low == bracket.high || active.size() > before - before / 8) break;  // ties: no use to go on
  }
  return packed;
}

}  // namespace

Candidates find_candidates(const Instance& instance, Weight room) {
  Candidates candidates;
  candidates.efficiency.resize(instance.size);
  double* efficiency = candidates.efficiency.data();
  const Weight* weights = instance.weights;
  const auto fill = [&](const auto* profits) {
    for (std::size_t i = 0; i < instance.size; ++i) {
      const bool competes = (profits[i] > 0) & (weights[i] <= room);
      const double ratio = static_cast<double>(profits[i]) / static_cast<double>(weights[i]);
      efficiency[i] = competes ? ratio : -1.0;
    }
  };
  if (instance.profits != nullptr) {
    fill(instance.profits);
  } else {
    fill(instance.real_profits);
  }
  if (instance.pinned != nullptr) {
    for (std::size_t i = 0; i < instance.size; ++i) {
      if (instance.pinned[i]) efficiency[i] = -1.0;
    }
  }
  // Weights are below 2^62, so two accumulators of their halves cannot overflow for any n in memory.
  std::uint64_t low = 0, high = 0;
  for (std::size_t i = 0; i < instance.size; ++i) {
    const bool competes = efficiency[i] >= 0.0;
    const auto weight = competes ? static_cast<std::uint64_t>(weights[i]) : 0;
    low += weight & 0xffffffffu;
    high += weight >> 32;
    candidates.count += competes;
  }
  high += low >> 32;
  candidates.too_wide = high >= (std::uint64_t{1} << 30);
  if (!candidates.too_wide) candidates.weight = static_cast<Weight>((high << 32) | (low & 0xffffffffu));
  return candidates;
}

Break find_break(const Candidates& candidates, const Weight* weights, Weight room) {
  Break found;
  Active active(candidates.efficiency.data(), weights, candidates.efficiency.size());
  Weight packed = narrow(active, candidates, weights, room, found);
  for (std::size_t i = 0; i < active.size(); ++i) {
    const ItemId item = active[i];
    const double e = candidates.efficiency[item];
    if (e >= 0.0) found.window.push_back({e, weights[item], item});
  }
  std::sort(found.window.begin(), found.window.end(), by_efficiency);
  while (packed + weights[found.window[found.index].item] <= room) {
    packed += weights[found.window[found.index].item];
    ++found.index;
  }
  found.residual = room - packed;
  found.efficiency = found.window[found.index].efficiency;
  if (found.window.size() > 2 * kWindow) {  // many ties: what lies far from the break waits for the reduction
    const std::size_t first = found.index > kWindow ? found.index - kWindow : 0;
    const std::size_t last = std::min(found.window.size(), found.index + kWindow);
    if (last < found.window.size()) found.has_after = true, found.after = found.window[last].efficiency;
    if (first > 0) found.has_before = true, found.before = found.window[first - 1].efficiency;
    found.window.erase(found.window.begin() + static_cast<std::ptrdiff_t>(last), found.window.end());
    found.window.erase(found.window.begin(), found.window.begin() + static_cast<std::ptrdiff_t>(first));
    found.index -= first;
  }
  return found;
}

std::vector<Ranked> within_gap(const Candidates& candidates, const Weight* weights, double price, double gap) {
  std::vector<Ranked> kept;
  for (std::size_t i = 0; i < candidates.efficiency.size(); ++i) {
    const double e = candidates.efficiency[i];
    const double loss = std::fabs(e - price) * static_cast<double>(weights[i]);
    // A free item has an infinite efficiency, weight 0 and so no loss here (NaN): it never competes.
    if ((e >= 0.0) & (loss <= gap)) kept.push_back({e, weights[i], static_cast<ItemId>(i)});
  }
  std::sort(kept.begin(), kept.end(), by_efficiency);
  return kept;
}

}  // namespace haversack
