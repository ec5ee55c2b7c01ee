// The 0-1 knapsack: find the break, search around it, drop what its loss decides, search what is left.

#include "flat.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core_builder.hpp"
#include "greedy.hpp"
#include "incumbent.hpp"
#include "parcels.hpp"
#include "search.hpp"
#include "selection.hpp"
#include "split.hpp"

namespace haversack {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 0x1p-48;
constexpr std::int64_t kFirstStates = 4'000;   // of the first search, in the window around the break
constexpr std::int64_t kPlainStates = 20'000;  // of the search of all that is left, before splitting is tried
constexpr std::int64_t kSplitStates = 100'000;
constexpr std::ptrdiff_t kNear = 700;    // items to either side of the break that an early search looks at
constexpr std::ptrdiff_t kAside = 8000;  // the same, with those that only lend partners for pairing
constexpr int kLeastExponent = -1000;    // units below this have no finite inverse
constexpr int kHopes = 4;
constexpr std::ptrdiff_t kLikelyItems = 8;
constexpr int kNarrowBits = 60;                    // of a profit, for 64-bit states with room for sums
constexpr int kWideBits = 120;                     // the same for 128 bits
constexpr int kPriceBits = 10;                     // integer profits are refined by this much to price counts
constexpr Profit kLargestCount = Profit{1} << 30;  // of all items together

class Flat {
 public:
  Flat(const Instance& instance, const Scan& scan, Break found, Weight room, Effort& effort)
      : instance_(instance), scan_(scan), room_(room), effort_(effort), builder_(instance), break_(std::move(found)),
        break_item_(break_.item()), incumbent_(instance, scan, break_item_) {
    tighten_capacity();
    find_profit_step();
  }

  FlatResult run(bool greedy_only, std::vector<std::uint8_t>& mask) {
    if (!has_safe_prices()) {
      result_.too_wide = true;
      return result_;
    }
    if (!greedy_only) {
      prove();
      if (!result_.too_wide && !effort_.interrupted() && result_.optimal) prove_fewest_weight();
    }
    if (result_.too_wide || effort_.interrupted()) return result_;
    if (greedy_only || !result_.optimal) fall_back_on_greedy();
    result_.weight = room_ - break_.residual + incumbent_.weight();
    write_selection(instance_, scan_, break_item_, incumbent_.toggled, mask);
    return result_;
  }

 private:
  /// Efficiencies far from the ends of the range of doubles: there they would lose more than the margins allow for.
  [[nodiscard]] bool has_safe_prices() const {
    return break_item_.efficiency > 0x1p-800 && break_item_.efficiency < 0x1p800;
  }

  /// Every packing weighs a multiple of the common divisor of the weights.
  void tighten_capacity() {
    Weight divisor = 0;
    for (std::size_t i = 0; i < instance_.size && divisor != 1; ++i) {
      if (scan_.efficiency(i) >= 0.0) divisor = std::gcd(divisor, instance_.weights[i]);
    }
    if (divisor > 1) residual_ = break_.residual - break_.residual % divisor;
    else residual_ = break_.residual;
  }

  /// Integer profits: every total is a multiple of their common divisor.
  void find_profit_step() {
    if (instance_.profits == nullptr) return;
    Profit divisor = 0;
    for (std::size_t i = 0; i < instance_.size && divisor != 1; ++i) {
      if (scan_.efficiency(i) >= 0.0) divisor = std::gcd(divisor, instance_.profits[i]);
    }
    profit_step_ = divisor;
  }

  void prove() {
    fill_greedily();
    const auto window = [&] {
      const double before = break_.has_before ? break_.before : kInfinity;
      const double after = break_.has_after ? break_.after : 0.0;
      hope_ = likely_gap();
      for (int i = 0; i < kHopes && hope_ > 0.0 && hope_ < gap(0); ++i, hope_ *= 3.0) {
        attempt(break_.window, Aim::profit, before, after);
        if (found_ || effort_.exhausted()) break;
      }
      hope_ = kInfinity;
      return !found_ && attempt(break_.window, Aim::profit, before, after);
    };
    const auto near = [&] { return attempt_near(Aim::profit); };
    const auto plain = [&] { return attempt_all(Aim::profit); };
    // Where a few kinds of items make up the core, counts say little and parcels settle it.
    const auto split = [&] { return !grouped_ && attempt_split(undecided(Aim::profit), Aim::profit); };
    // Each way has its classes that it settles at once and others that defeat it: take turns, with rising rations.
    result_.optimal = rationed(kFirstStates, window) || rationed(kPlainStates, near) || rationed(kSplitStates, split) ||
                      rationed(20 * kPlainStates, plain) || rationed(20 * kSplitStates, split) || plain();
  }

  /// A gap that the best selection is likely to stay within: a dozen items near the break, by loss, make thousands
  /// of selections, and some mostly fill the capacity. Searching for no less finds it in far fewer states.
  [[nodiscard]] double likely_gap() const {
    std::vector<double> losses;
    for (const Ranked& ranked : break_.window) {
      losses.push_back(std::fabs(ranked.efficiency - break_item_.efficiency) * static_cast<double>(ranked.weight));
    }
    if (losses.size() <= kLikelyItems) return kInfinity;
    std::nth_element(losses.begin(), losses.begin() + kLikelyItems, losses.end());
    return losses[kLikelyItems];
  }

  template <class Work>
  bool rationed(std::int64_t states, const Work& work) {
    if (effort_.exhausted()) return false;
    effort_.ration(states);
    const bool closed = work();
    effort_.lift_ration();
    return closed;
  }

  /// Is there a selection of the same profit and less weight? Given up when it costs much more than the proof did.
  void prove_fewest_weight() {
    const auto near = [&] { return attempt_near(Aim::weight); };
    const auto plain = [&] { return attempt_all(Aim::weight); };
    const auto split = [&] { return attempt_split(undecided(Aim::weight), Aim::weight); };
    result_.fewest_weight =
        rationed(kPlainStates, near) || rationed(kSplitStates, split) || rationed(4 * effort_.spent(), plain);
    result_.too_wide = false;
  }

  /// First incumbent: the items after the break that still fit, as far as the window reaches.
  void fill_greedily() {
    Weight left = residual_;
    for (std::size_t i = break_.index + 1; i < break_.window.size() && left > 0; ++i) {
      const Weight weight = instance_.weights[break_.window[i].item];
      if (weight > left) continue;
      left -= weight;
      incumbent_.toggled.push_back(break_.window[i].item);
    }
  }

  [[nodiscard]] bool in_break_solution(const Ranked& item) const { return incumbent_.is_packed_at_break(item); }

  /// What rounding may have cost the bound: every efficiency is off by at most half an ulp.
  [[nodiscard]] double margin() const { return kRounding * break_item_.efficiency * static_cast<double>(break_.total); }

  /// The most that any selection can be worth beyond the incumbent, by the break item's price.
  [[nodiscard]] double gap(Weight spare) const {
    return break_item_.efficiency * static_cast<double>(residual_ - spare) - incumbent_.profit_about() + margin();
  }

  [[nodiscard]] Weight spare(Aim aim) const { return aim == Aim::profit ? 0 : residual_ - incumbent_.weight() + 1; }

  /// The items that may still differ from the break solution, by position. As the gap closes the list is filtered.
  const std::vector<Ranked>& undecided(Aim aim) {
    const double needed = aim == Aim::profit && instance_.profits != nullptr ? static_cast<double>(profit_step_) : 0.0;
    const double allowed = gap(spare(aim)) - needed + kRounding * needed;
    const double price = break_item_.efficiency;
    if (allowed > undecided_gap_) {
      undecided_ = within_gap(scan_, price, allowed);
    } else {
      const auto decided = [&](const Ranked& item) {
        return !(std::fabs(item.efficiency - price) * static_cast<double>(item.weight) <= allowed);
      };
      undecided_.erase(std::remove_if(undecided_.begin(), undecided_.end(), decided), undecided_.end());
    }
    undecided_gap_ = allowed;
    return undecided_;
  }

  /// Searches all that is undecided.
  bool attempt_all(Aim aim) {
    std::vector<Ranked> items = undecided(aim);
    std::sort(items.begin(), items.end(), by_efficiency);
    return attempt(items, aim, kInfinity, 0.0);
  }

  /// Searches what is undecided nearest to the break: all of it, unless that is very much.
  bool attempt_near(Aim aim) {
    std::vector<Ranked> items = undecided(aim);
    if (items.size() <= 2 * kNear) return attempt_all(aim);
    const auto middle =
        std::partition(items.begin(), items.end(), [&](const Ranked& r) { return in_break_solution(r); });
    const auto first = items.begin();
    const auto last = items.end();
    double before = kInfinity, after = 0.0;
    // Nearest to the break first, on either side: what is searched, then what only lends partners for pairing.
    const auto nearer = [&](const Ranked& a, const Ranked& b) { return by_efficiency(b, a); };
    const auto take = [&](auto from, auto to, const auto& order, double& beyond) {
      const auto aside = from + std::min(to - from, kAside);
      if (aside != to) std::nth_element(from, aside, to, order);
      if (to - from <= kNear) return std::make_pair(to, to);
      std::nth_element(from, from + kNear, aside, order);
      beyond = (from + kNear)->efficiency;
      return std::make_pair(from + kNear, aside);
    };
    const auto [in_end, in_aside] = take(first, middle, nearer, before);
    const auto [out_end, out_aside] = take(middle, last, by_efficiency, after);
    std::vector<Ranked> near(first, in_end);
    near.insert(near.end(), middle, out_end);
    std::sort(near.begin(), near.end(), by_efficiency);
    aside_.assign(in_end, in_aside);
    aside_.insert(aside_.end(), out_end, out_aside);
    const bool closed = attempt(near, aim, before, after);
    aside_.clear();
    return closed;
  }

  /// Searches these items, everything else decided; true if nothing more is to be found. Takes what it finds.
  bool attempt(std::vector<Ranked>& items, Aim aim, double before, double after) {
    result_.too_wide = false;
    if (items.empty()) return true;
    std::vector<ItemId> ids(incumbent_.toggled);
    for (const Ranked& ranked : items) ids.push_back(ranked.item);
    for (const Ranked& ranked : aside_) ids.push_back(ranked.item);
    const Scale scale = builder_.scale_of(ids);
    if (scale.exponent < kLeastExponent) {
      result_.too_wide = true;
      return false;
    }
    if (scale.bits <= kNarrowBits) {
      const int closed = attempt_with<Profit>(items, scale, aim, before, after);
      if (closed >= 0) return closed != 0;
    }
    const int closed = scale.bits <= kWideBits ? attempt_with<WideProfit>(items, scale, aim, before, after) : -1;
    result_.too_wide = closed < 0;
    return closed > 0;
  }

  /// 1: closed, 0: not, -1: P is too narrow.
  template <class P>
  int attempt_with(std::vector<Ranked>& items, const Scale& scale, Aim aim, double before, double after) {
    const double unit = std::ldexp(1.0, -scale.exponent);
    Core<P> core;
    core.residual = residual_;
    core.price = break_item_.efficiency * unit;
    core.before = before * unit;
    core.after = after * unit;
    core.outside = static_cast<double>(break_.total);
    // A parcel's profit must fit too, however many items it has.
    const bool may_group = scale.bits + width_of(items.size()) < static_cast<int>(8 * sizeof(P)) - 2;
    const std::vector<Parcel> parcels = make_parcels(instance_, break_item_, may_group, items);
    grouped_ = parcels.size() < items.size();
    core.items.reserve(parcels.size());
    for (const Parcel& parcel : parcels) {
      const Ranked& ranked = items[parcel.first];
      core.break_index += in_break_solution(ranked);
      core.items.push_back({instance_.weights[ranked.item] * static_cast<Weight>(parcel.size),
                            builder_.profit<P>(ranked.item, scale) * static_cast<P>(parcel.size),
                            ranked.efficiency * unit});
    }
    for (const Ranked& ranked : aside_) {
      core.outer_in += in_break_solution(ranked);
      core.outer.push_back({ranked.weight, builder_.profit<P>(ranked.item, scale), ranked.efficiency * unit});
    }
    Quest<P> quest;
    quest.aim = aim;
    quest.step = instance_.profits != nullptr ? static_cast<P>(profit_step_) : P{1};
    quest.spare = spare(aim);
    quest.target = incumbent_.profit<P>(scale) + (aim == Aim::profit ? quest.step : P{0});
    quest.pair_up = aim == Aim::profit;
    quest.enough = most<P>((break_item_.efficiency * static_cast<double>(residual_) + margin()) * unit, quest.step);
    if (aim == Aim::profit && quest.target > quest.enough) return 1;
    quest.known = quest.target;
    const double hoped = core.price * static_cast<double>(residual_) - hope_ * unit;
    if (hoped > static_cast<double>(quest.known)) quest.target = most<P>(hoped, quest.step);
    const Find<P> find = search(core, quest, effort_);
    found_ = find.found;
    if (!find.found && quest.target > quest.known) return 0;
    if (find.found) {
      incumbent_.toggled.clear();
      for (const std::uint32_t i : find.toggled) {
        if (i >= parcels.size()) {
          incumbent_.toggled.push_back(aside_[i - parcels.size()].item);
          continue;
        }
        for (std::size_t k = 0; k < parcels[i].size; ++k)
          incumbent_.toggled.push_back(items[parcels[i].first + k].item);
      }
    }
    if (find.too_wide) return -1;
    return find.closed ? 1 : 0;
  }

  /// The same, split on a count.
  bool attempt_split(const std::vector<Ranked>& items, Aim aim) {
    if (items.empty()) return true;
    std::vector<ItemId> ids(incumbent_.toggled);
    for (const Ranked& ranked : items) ids.push_back(ranked.item);
    const Scale scale = builder_.scale_of(ids);
    if (scale.exponent < kLeastExponent) return false;
    if (scale.bits <= kNarrowBits - 2 * kPriceBits) return split_with<Profit>(items, scale, aim);
    return scale.bits <= kWideBits - 2 * kPriceBits && split_with<WideProfit>(items, scale, aim);
  }

  template <class P>
  bool split_with(const std::vector<Ranked>& items, const Scale& scale, Aim aim) {
    const double unit = std::ldexp(1.0, -scale.exponent);
    const int finer = instance_.profits != nullptr ? kPriceBits : 0;
    const Profit bonus = common_bonus(items.size());
    std::vector<SplitItem<P>> split;
    split.reserve(items.size());
    for (const Ranked& ranked : items) {
      const Weight weight = instance_.weights[ranked.item];
      const std::int64_t count = bonus > 1 ? (instance_.profits[ranked.item] - weight) / bonus : 1;
      split.push_back({weight, builder_.profit<P>(ranked.item, scale) << finer, static_cast<std::int32_t>(count),
                       in_break_solution(ranked)});
    }
    SplitQuest<P> quest;
    const P step = instance_.profits != nullptr ? static_cast<P>(profit_step_) : P{1};
    quest.residual = residual_ - spare(aim);
    quest.step = step << finer;
    quest.target = (incumbent_.profit<P>(scale) + (aim == Aim::profit ? step : P{0})) << finer;
    quest.enough = most<P>((break_item_.efficiency * static_cast<double>(residual_) + margin()) * unit, step) << finer;
    const SplitFind<P> find = split_search(split, quest, effort_);
    if (find.found) {
      incumbent_.toggled.clear();
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (find.in[i] != split[i].packed) incumbent_.toggled.push_back(items[i].item);
      }
    }
    return find.closed;
  }

  /// Where every profit is the weight and a multiple of some g > 1: the greatest g. The multiples are then what
  /// to count. 1 where there is none: items are counted.
  [[nodiscard]] Profit common_bonus(std::size_t items) const {
    if (instance_.profits == nullptr) return 1;
    Profit divisor = 0;
    Profit largest = 0;
    for (std::size_t i = 0; i < instance_.size && divisor != 1; ++i) {
      if (scan_.efficiency(i) < 0.0 || instance_.weights[i] == 0) continue;
      const Profit bonus = instance_.profits[i] - instance_.weights[i];
      divisor = std::gcd(divisor, bonus);
      largest = std::max(largest, std::abs(bonus));
    }
    return divisor > 1 && largest / divisor < kLargestCount / static_cast<Profit>(items) ? divisor : 1;
  }

  /// The greatest multiple of `step` up to `bound`.
  template <class P>
  [[nodiscard]] static P most(double bound, P step) {
    const double limit = static_cast<double>(std::numeric_limits<P>::max()) * 0.5;
    const P whole = bound >= limit ? std::numeric_limits<P>::max() : static_cast<P>(std::floor(bound));
    return whole - whole % step;
  }

  /// All items by falling efficiency, each if it fits: never to be undercut, whatever the effort.
  void fall_back_on_greedy() {
    std::vector<ItemId> greedy = greedy_selection(scan_, break_item_, room_);
    std::vector<ItemId> all(incumbent_.toggled);
    all.insert(all.end(), greedy.begin(), greedy.end());
    const Scale scale = builder_.scale_of(all);
    WideProfit incumbent = 0;
    if (scale.bits <= kWideBits) {
      incumbent = incumbent_.profit<WideProfit>(scale);
      incumbent_.toggled.swap(greedy);
      const WideProfit rival = incumbent_.profit<WideProfit>(scale);
      if (rival < incumbent) incumbent_.toggled.swap(greedy);
    } else {
      result_.too_wide = true;
    }
    const double most_more = gap(0);
    result_.gap_real = std::max(0.0, most_more);
    result_.gap_int = most<WideProfit>(most_more, static_cast<WideProfit>(profit_step_));
    result_.optimal = instance_.profits != nullptr ? result_.gap_int <= 0 : false;
    if (result_.optimal) result_.gap_int = 0;
    result_.fewest_weight = false;
  }

  const Instance& instance_;
  const Scan& scan_;
  Weight room_;
  Effort& effort_;
  CoreBuilder builder_;
  Break break_;
  Ranked break_item_;
  Incumbent incumbent_;
  Weight residual_ = 0;
  Profit profit_step_ = 1;
  std::vector<Ranked> undecided_;
  std::vector<Ranked> aside_;    // of these, what an early search leaves out
  double undecided_gap_ = -1.0;  // what their loss is at most
  double hope_ = kInfinity;      // the gap beyond which selections are not looked at, at first
  bool grouped_ = false;         // did the last attempt move parcels of equal items
  bool found_ = false;           // by the last attempt
  FlatResult result_;
};

}  // namespace

FlatResult solve_flat(const Instance& instance, const Scan& scan, Break found, Weight room, bool greedy_only,
                      Effort& effort, Outcome& outcome) {
  return Flat(instance, scan, std::move(found), room, effort).run(greedy_only, outcome.mask);
}

}  // namespace haversack
