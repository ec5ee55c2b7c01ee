#include "split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "scan.hpp"
#include "search.hpp"

namespace haversack {
namespace {

constexpr double kRounding = 0x1p-48;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kPriceSteps = 24;

/// One side: the counts, times `sign`, add up to at most `limit` (all relative to the break solution).
struct Side {
  int sign;
  std::int64_t limit;
};

template <class P>
class Splitter {
 public:
  Splitter(const std::vector<SplitItem<P>>& items, const SplitQuest<P>& quest, Effort& effort)
      : items_(items), quest_(quest), effort_(effort), weights_(items.size()) {
    efficiency_.resize(items.size());
    capacity_ = quest.residual;
    for (std::size_t i = 0; i < items.size(); ++i) {
      weights_[i] = items[i].weight;
      total_weight_ += static_cast<double>(items[i].weight);
      total_profit_ += std::abs(static_cast<double>(items[i].profit));
      total_count_ += std::abs(static_cast<double>(items[i].count));
      largest_count_ = std::max(largest_count_, std::abs(static_cast<double>(items[i].count)));
      if (!items[i].packed) continue;
      capacity_ += items[i].weight;
      packed_profit_ += static_cast<double>(items[i].profit);
      packed_count_ += items[i].count;
    }
  }

  SplitFind<P> run() {
    const Relaxed free = relax({+1, 0}, 0.0);
    const auto floor = static_cast<std::int64_t>(std::floor(free.count));
    const bool below = explore({+1, floor}, free);
    const bool above = explore({-1, -floor - 1}, free);
    find_.closed = below && above;
    return std::move(find_);
  }

 private:
  /// The relaxation at a price for the count: its bound, its count, and where it breaks.
  struct Relaxed {
    double price = 0.0;       ///< of a count
    double bound = 0.0;       ///< no selection within the side's limit is worth more
    double count = 0.0;       ///< of the relaxed selection, times the side's sign
    double efficiency = 0.0;  ///< price of a unit of capacity
    Ranked last{};            ///< the item that breaks: those before it, by efficiency, are in
  };

  [[nodiscard]] double count_of(const SplitItem<P>& item, const Side& side) const { return side.sign * item.count; }

  Relaxed relax(const Side& side, double price) {
    Weight total = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const double reduced = static_cast<double>(items_[i].profit) - price * count_of(items_[i], side);
      efficiency_[i] = reduced > 0.0 ? reduced / static_cast<double>(weights_[i]) : -1.0;
      total += reduced > 0.0 ? weights_[i] : 0;
    }
    Relaxed relaxed;
    relaxed.price = price;
    double fraction = 0.0;
    if (total > capacity_) {
      const Break found = find_break(Scan(efficiency_.data(), weights_.data(), items_.size()), capacity_);
      relaxed.efficiency = found.item().efficiency;
      relaxed.last = found.item();
      fraction = static_cast<double>(found.residual) / static_cast<double>(relaxed.last.weight);
    }
    double bound = 0.0, count = 0.0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!is_in(relaxed, efficiency_[i], i)) continue;
      bound += static_cast<double>(items_[i].profit) - price * count_of(items_[i], side) -
               relaxed.efficiency * static_cast<double>(weights_[i]);
      count += count_of(items_[i], side);
    }
    if (fraction > 0.0) count += fraction * count_of(items_[relaxed.last.item], side);
    relaxed.count = count - side.sign * static_cast<double>(packed_count_);
    relaxed.bound = bound + relaxed.efficiency * static_cast<double>(capacity_) - packed_profit_ +
                    price * (static_cast<double>(side.limit) + side.sign * static_cast<double>(packed_count_));
    return relaxed;
  }

  [[nodiscard]] bool is_in(const Relaxed& relaxed, double efficiency, std::size_t item) const {
    if (relaxed.efficiency == 0.0) return efficiency > 0.0;
    return by_efficiency({efficiency, weights_[item], static_cast<ItemId>(item)}, relaxed.last);
  }

  [[nodiscard]] double margin(const Relaxed& relaxed) const {
    return 4.0 * kRounding *
           (relaxed.efficiency * total_weight_ + total_profit_ + std::abs(relaxed.price) * total_count_ +
            std::abs(relaxed.bound));
  }

  [[nodiscard]] bool is_closed(const Relaxed& relaxed) const {
    return relaxed.bound + margin(relaxed) < static_cast<double>(quest_.target);
  }

  /// A price at which two items near the break are equally good: right at once where profit is a line in weight
  /// and count, as in the strongly correlated instances.
  [[nodiscard]] double chord(const Relaxed& free, const Side& side) const {
    const SplitItem<P>& one = items_[free.last.item];
    std::size_t other = free.last.item;
    double widest = 0.0;
    for (std::size_t i = 0; i < items_.size(); i += 1 + items_.size() / 64) {
      const double apart = std::abs(static_cast<double>(one.weight) * items_[i].count -
                                    static_cast<double>(items_[i].weight) * one.count);
      if (apart > widest) widest = apart, other = i;
    }
    if (widest == 0.0) return 0.0;
    const SplitItem<P>& two = items_[other];
    const double cross = static_cast<double>(two.profit) * static_cast<double>(one.weight) -
                         static_cast<double>(one.profit) * static_cast<double>(two.weight);
    const double across =
        count_of(two, side) * static_cast<double>(one.weight) - count_of(one, side) * static_cast<double>(two.weight);
    return cross / across;
  }

  /// Lowers the side's bound over the price of its count: a convex function, by cutting planes (Kelley 1960).
  Relaxed best_price(const Side& side, const Relaxed& free) {
    const auto limit = static_cast<double>(side.limit);
    Relaxed low = relax(side, 0.0);
    Relaxed best = low;
    if (low.count <= limit || is_closed(low)) return low;
    Relaxed high;
    double next = chord(free, side);
    if (!(next > 0.0)) next = std::max(1.0, std::abs(free.efficiency * static_cast<double>(free.last.weight)));
    bool bracketed = false;
    for (int i = 0; i < kPriceSteps && !effort_.exhausted(); ++i) {
      const Relaxed now = relax(side, next);
      if (now.bound < best.bound) best = now;
      if (is_closed(best)) break;
      if (now.count > limit) {
        low = now;
      } else {
        high = now;
        bracketed = true;
      }
      if (!bracketed) {
        next *= 4.0;
        continue;
      }
      // Where the two supporting lines meet.
      const double fall = limit - low.count, rise = limit - high.count;
      if (rise - fall <= 0.0) break;
      const double meet = (low.bound - high.bound - fall * low.price + rise * high.price) / (rise - fall);
      const double there = low.bound + fall * (meet - low.price);
      if (!(meet > low.price) || !(meet < high.price) || best.bound - there <= 1e-9 * std::abs(best.bound)) break;
      next = meet;
    }
    return best;
  }

  /// True if nothing more is to be found on this side.
  bool explore(const Side& side, const Relaxed& free) {
    const Relaxed best = best_price(side, free);
    if (is_closed(best)) return true;
    if (effort_.exhausted()) return false;
    // Reduced profits must fit P, whatever the counts.
    if (!(std::abs(best.price) * largest_count_ < static_cast<double>(std::numeric_limits<P>::max()) * 0x1p-4))
      return false;
    const P price = static_cast<P>(std::round(best.price));
    const Relaxed rounded = relax(side, static_cast<double>(price));
    if (is_closed(rounded)) return true;
    return search_side(side, rounded, price);
  }

  bool search_side(const Side& side, const Relaxed& relaxed, P price) {
    const double gap = relaxed.bound - static_cast<double>(quest_.target) + margin(relaxed);
    std::vector<Ranked> order;
    std::vector<bool> base(items_.size());
    Core<P> core;
    SplitQuest<P> quest = quest_;
    std::int64_t count = 0;
    quest.residual = capacity_;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const SplitItem<P>& item = items_[i];
      base[i] = is_in(relaxed, efficiency_[i], i);
      const double reduced = static_cast<double>(item.profit) - relaxed.price * count_of(item, side);
      const double efficiency = reduced / static_cast<double>(item.weight);
      const double loss = std::abs(reduced - relaxed.efficiency * static_cast<double>(item.weight));
      if (loss <= gap) order.push_back({efficiency, item.weight, static_cast<ItemId>(i)});
      if (base[i]) quest.residual -= item.weight;
      const int moved = static_cast<int>(base[i]) - static_cast<int>(item.packed);
      quest.target -= moved * item.profit;
      quest.enough -= moved * item.profit;
      count += moved * side.sign * item.count;
    }
    std::sort(order.begin(), order.end(), [&](const Ranked& a, const Ranked& b) {
      if (base[a.item] != base[b.item]) return static_cast<bool>(base[a.item]);
      return by_efficiency(a, b);
    });
    for (const Ranked& ranked : order) {
      const SplitItem<P>& item = items_[ranked.item];
      core.break_index += base[ranked.item];
      core.items.push_back({item.weight, item.profit - price * static_cast<P>(side.sign * item.count),
                            ranked.efficiency, side.sign * item.count});
    }
    core.residual = quest.residual;
    core.price = relaxed.efficiency;
    core.before = kInfinity;
    Quest<P> wanted;
    wanted.target = quest.target;
    wanted.step = quest.step;
    wanted.enough = quest.enough;
    const CountLimit<P> limit{static_cast<std::int32_t>(side.limit - count), price};
    const Find<P> find = search_counted(core, wanted, limit, effort_);
    if (find.found) {
      for (const std::uint32_t i : find.toggled) base[order[i].item] = !base[order[i].item];
      quest_.target += find.profit + quest_.step - quest.target;
      find_.found = true;
      find_.in = std::move(base);
    }
    return find.closed;
  }

  const std::vector<SplitItem<P>>& items_;
  SplitQuest<P> quest_;
  Effort& effort_;
  std::vector<Weight> weights_;
  std::vector<double> efficiency_;  // at the price last relaxed at
  Weight capacity_ = 0;             // of these items together
  double packed_profit_ = 0.0;
  double largest_count_ = 0.0;
  double total_weight_ = 0.0;
  double total_profit_ = 0.0;
  double total_count_ = 0.0;
  std::int64_t packed_count_ = 0;
  SplitFind<P> find_;
};

}  // namespace

template <class P>
SplitFind<P> split_search(const std::vector<SplitItem<P>>& items, SplitQuest<P> quest, Effort& effort) {
  return Splitter<P>(items, quest, effort).run();
}

template SplitFind<Profit> split_search(const std::vector<SplitItem<Profit>>&, SplitQuest<Profit>, Effort&);
template SplitFind<WideProfit> split_search(const std::vector<SplitItem<WideProfit>>&, SplitQuest<WideProfit>, Effort&);

}  // namespace haversack
