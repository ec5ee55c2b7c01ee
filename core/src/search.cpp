// The expanding core (Pisinger 1997, "A minimal algorithm for the 0-1 knapsack problem"), over integers relative to
// the break solution.
//
// Items are moved in from the right of the break and out from its left, alternately. After each step the frontier
// holds, by rising weight, the states that no other state dominates (no more weight, no less profit) and that could
// still reach the target. The bound of a state is Dantzig's with the efficiencies of the next items on either side:
// a state below the capacity gains at most `efficiency of the next item to add` a unit, one above the capacity loses
// at least `efficiency of the next item to take out` a unit. Bounds are doubles with a margin that only keeps more.
//
// A counted search keeps one such frontier for each count, in one array by (count, weight).

#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontier.hpp"

namespace haversack {
namespace {

constexpr std::int64_t kFrontierShare = 8;
constexpr double kRounding = 0x1p-48;  // sixteen half-ulps: more than any bound below loses

template <class P, bool Counted>
class Search {
 public:
  Search(const Core<P>& core, const Quest<P>& quest, const CountLimit<P>& limit, Effort& effort)
      : core_(core), quest_(quest), limit_(limit), effort_(effort), capacity_(core.residual - quest.spare),
        target_(quest.target), next_in_(core.break_index), next_out_(core.break_index) {
    // Where undecided items remain outside the core there is no telling how much they weigh.
    if (core.after > 0.0) addable_ = kWeightLimit;
    if (core.before < std::numeric_limits<double>::infinity()) takeable_ = kWeightLimit;
    // Any of these may still move and tie with the next item, and each efficiency is off by half an ulp.
    for (const CoreItem<P>& item : core.items) {
      magnitude_ += std::abs(static_cast<double>(item.profit)) + core.price * static_cast<double>(item.weight);
      if (Counted) magnitude_ += 2.0 * std::abs(static_cast<double>(limit.price) * item.count);
    }
    const bool has_before = core.before < std::numeric_limits<double>::infinity();
    magnitude_ += (core.price + core.after + (has_before ? core.before : 0.0)) * core.outside;
    for (std::size_t i = core.break_index; i < core.items.size(); ++i) addable_ += core.items[i].weight;
    for (std::size_t i = 0; i < core.break_index; ++i) takeable_ += core.items[i].weight;
  }

  Find<P> run() {
    states_.reserve(1);
    *states_.begin() = {0, P{0}, 0, History::kStart, 0};
    states_.shrink_to(states_.begin() + 1);
    note(*states_.begin());
    while (!states_.empty() && !done_ && (can_add() || can_take())) {
      if (can_add()) step(next_in_++, +1);
      if (can_take() && !done_ && !states_.empty()) step(--next_out_, -1);
    }
    if (stopped_ && quest_.pair_up && !find_.too_wide) pair_up();
    if (find_.found) {
      find_.profit = real_profit(best_);
      find_.weight = best_.weight;
      find_.toggled = decode(best_, best_steps_);
      if (paired_ != kNone) find_.toggled.push_back(paired_);
    }
    find_.closed = !find_.too_wide && ((done_ && !stopped_) || enough() || states_.empty() || complete());
    return std::move(find_);
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] bool can_add() const { return next_in_ < core_.items.size(); }
  [[nodiscard]] bool can_take() const { return next_out_ > 0; }
  /// Every item has had its step and none is left outside: what the frontier holds has been noted.
  [[nodiscard]] bool complete() const {
    return !stopped_ && core_.after == 0.0 && core_.before == std::numeric_limits<double>::infinity();
  }
  /// The greatest profit possible has been found.
  [[nodiscard]] bool enough() const {
    return quest_.aim == Aim::profit && find_.found && real_profit(best_) >= quest_.enough;
  }

  void step(std::size_t item, int sign) {
    const CoreItem<P>& moved = core_.items[item];
    (sign > 0 ? addable_ : takeable_) -= moved.weight;
    // Alone, against the break's own price, the move must leave room for the target (Dembo & Hammer 1980).
    if (!is_worth_a_step(moved) || !fits_profit(moved.profit)) return;
    if (!may_branch()) return stop();
    if (order_.size() % History::kBlock == 0 && !order_.empty()) seal_decisions();
    order_.push_back(static_cast<std::uint32_t>(item));
    merge({sign * moved.weight, sign > 0 ? moved.profit : -moved.profit, moved.efficiency,
           sign > 0 ? moved.count : -moved.count});
    if (!effort_.spend(static_cast<std::int64_t>(states_.size()))) stop();
  }

  /// Branching may double the frontier: is there effort left for that, and is it kept to a share of the whole?
  [[nodiscard]] bool may_branch() const {
    const auto size = static_cast<std::int64_t>(states_.size());
    return 2 * size <= effort_.left() && size <= effort_.limit() / kFrontierShare;
  }

  [[nodiscard]] bool fits_profit(P profit) {
    constexpr P kRoom = std::numeric_limits<P>::max() / 4;
    const P size = profit < 0 ? -profit : profit;
    if (size <= kRoom - moved_profit_) {
      moved_profit_ += size;
      return true;
    }
    find_.too_wide = true;
    stop();
    return false;
  }

  void stop() {
    done_ = true;
    stopped_ = true;
  }

  [[nodiscard]] double margin() const {
    return kRounding * (magnitude_ + std::abs(static_cast<double>(needed_profit())));
  }

  /// What a bound on reduced profits must reach: the count limit itself is worth its price.
  [[nodiscard]] P needed_profit() const {
    return Counted ? target_ - limit_.price * static_cast<P>(limit_.limit) : target_;
  }

  [[nodiscard]] P real_profit(const State<P>& state) const {
    return Counted ? state.profit + limit_.price * static_cast<P>(state.count) : state.profit;
  }

  [[nodiscard]] bool is_worth_a_step(const CoreItem<P>& item) const {
    const double loss = std::abs(item.efficiency - core_.price) * static_cast<double>(item.weight);
    const double reach = core_.price * static_cast<double>(capacity_) - static_cast<double>(needed_profit());
    return loss <= reach + margin() + kRounding * std::abs(static_cast<double>(item.profit));
  }

  void seal_decisions() {
    for (State<P>& state : states_) {
      state.history = history_.add(state.decisions, state.history);
      state.decisions = 0;
    }
  }

  /// How the frontier is pruned during one step.
  struct Bounds {
    double add;       ///< the most a unit of free capacity can gain
    double take;      ///< the least a unit over the capacity must lose
    Weight addable;   ///< what is left to fill free capacity with
    Weight takeable;  ///< what is left to take out
    double needed;    ///< what a bound must reach
    double margin;
  };

  [[nodiscard]] Bounds bounds() const {
    const double add = can_add() ? core_.items[next_in_].efficiency : core_.after;
    const double take = can_take() ? core_.items[next_out_ - 1].efficiency : core_.before;
    const double slack = margin();
    return {std::max(add, 0.0), std::min(take, std::numeric_limits<double>::max()), addable_,
            takeable_,          static_cast<double>(needed_profit()) - slack,       slack};
  }

  /// Branches every state on moving an item (weight, profit and count negative when it is taken out): merges the
  /// states that stay with those that move. Branch-free but for the rare find, since neither side can be foreseen.
  void merge(const CoreItem<P>& moved) {
    next_.reserve(2 * states_.size() + 1);
    Bounds limits = bounds();
    const std::uint64_t bit = std::uint64_t{1} << ((order_.size() - 1) % History::kBlock);
    const State<P>* stay = states_.begin();
    const State<P>* move = states_.begin();
    const State<P>* const end = states_.end();
    State<P>* out = next_.begin();
    best_of_count_ = std::numeric_limits<P>::min();
    while (stay != end) {
      const Weight weight = move->weight + moved.weight;
      const P profit = move->profit + moved.profit;
      // Of equally heavy states the richer goes first and so dominates the other.
      bool stays = stay->weight < weight || (stay->weight == weight && stay->profit >= profit);
      if (Counted) {
        const std::int32_t count = move->count + moved.count;
        stays = stay->count < count || (stay->count == count && stays);
      }
      if (move == end) stays = true;
      State<P> state = stays ? *stay : *move;
      state.weight = stays ? state.weight : weight;
      state.profit = stays ? state.profit : profit;
      state.decisions |= stays ? 0 : bit;
      if (Counted) state.count += stays ? 0 : moved.count;
      stay += stays;
      move += !stays;
      keep(state, limits, out);
    }
    for (; move != end; ++move) {
      keep({move->weight + moved.weight, move->profit + moved.profit, move->decisions | bit, move->history,
            move->count + moved.count},
           limits, out);
    }
    next_.shrink_to(out);
    states_.swap(next_);
  }

  void keep(const State<P>& state, Bounds& limits, State<P>*& out) {
    if (Counted && state.count != count_at_) {
      count_at_ = state.count;
      best_of_count_ = std::numeric_limits<P>::min();
    }
    const Weight free = capacity_ - state.weight;
    const double bound = static_cast<double>(state.profit) +
                         (free >= 0 ? limits.add : limits.take) * static_cast<double>(std::min(free, limits.addable));
    const bool undominated = state.profit > best_of_count_;
    best_of_count_ = undominated ? state.profit : best_of_count_;
    *out = state;
    out += undominated & (bound >= limits.needed) & (-free <= limits.takeable);
    if (undominated && free >= 0 && real_profit(state) >= target_) {
      note(state);
      limits.needed = static_cast<double>(needed_profit()) - limits.margin;
    }
  }

  /// A feasible state that reaches the target: remember it and ask for better.
  void note(const State<P>& state) {
    if (state.weight > capacity_ || real_profit(state) < target_) return;
    if (Counted && state.count > limit_.limit) return;
    find_.found = true;
    best_ = state;
    best_steps_ = order_.size();
    if (quest_.aim == Aim::profit) {
      target_ = real_profit(state) + quest_.step;
      done_ = done_ || real_profit(state) >= quest_.enough;
    } else {
      capacity_ = state.weight - 1;
    }
  }

  /// Tries every state with one undecided item more, the best that still fits, or less, the cheapest that makes it
  /// fit (Martello, Pisinger & Toth 1999, section 4): many more packings than states, for the price of a search.
  void pair_up() {
    if (!find_.found && quest_.known < target_) {
      // What was hoped for is not there: the states themselves may do.
      target_ = quest_.known;
      for (const State<P>& state : states_) note(state);
    }
    pair_side({next_in_, core_.items.size()}, {core_.outer_in, core_.outer.size()}, +1);
    pair_side({0, next_out_}, {0, core_.outer_in}, -1);
  }

  struct Range {
    std::size_t first;
    std::size_t last;
  };

  [[nodiscard]] const CoreItem<P>& partner_at(std::uint32_t number) const {
    return number < core_.items.size() ? core_.items[number] : core_.outer[number - core_.items.size()];
  }

  void pair_side(Range inner, Range outer, int sign) {
    // By signed weight; `best` is the greatest signed profit among the items up to here.
    struct Partner {
      Weight weight;
      P profit;
      std::uint32_t item;
    };
    std::vector<Partner> partners;
    const auto add = [&](std::size_t number) {
      const CoreItem<P>& item = partner_at(static_cast<std::uint32_t>(number));
      partners.push_back(
          {sign * item.weight, sign > 0 ? item.profit : -item.profit, static_cast<std::uint32_t>(number)});
    };
    for (std::size_t i = inner.first; i < inner.last; ++i) add(i);
    for (std::size_t i = outer.first; i < outer.last; ++i) add(core_.items.size() + i);
    std::sort(partners.begin(), partners.end(), [](const Partner& a, const Partner& b) { return a.weight < b.weight; });
    for (std::size_t i = 1; i < partners.size(); ++i) {
      if (partners[i - 1].profit > partners[i].profit) {
        partners[i].profit = partners[i - 1].profit;
        partners[i].item = partners[i - 1].item;
      }
    }
    std::size_t fits = partners.size();  // states come by rising weight, so this only falls
    for (const State<P>& state : states_) {
      while (fits > 0 && state.weight + partners[fits - 1].weight > capacity_) --fits;
      if (fits == 0) return;
      const Partner& partner = partners[fits - 1];
      if (state.profit + partner.profit < target_) continue;
      const Weight own = partner_at(partner.item).weight;
      best_ = state;
      best_.weight += sign * own;
      best_.profit += partner.profit;
      best_steps_ = order_.size();
      paired_ = partner.item;
      find_.found = true;
      target_ = best_.profit + quest_.step;
      if (best_.profit >= quest_.enough) return;
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> decode(const State<P>& state, std::size_t steps) const {
    std::vector<std::uint32_t> toggled;
    if (steps == 0) return toggled;
    std::size_t block = (steps - 1) / History::kBlock;
    std::uint64_t decisions = state.decisions;
    std::uint32_t history = state.history;
    while (true) {
      for (std::size_t i = 0; i < History::kBlock; ++i) {
        if (decisions >> i & 1) toggled.push_back(order_[block * History::kBlock + i]);
      }
      if (block == 0) return toggled;
      decisions = history_.decisions(history);
      history = history_.before(history);
      --block;
    }
  }

  const Core<P>& core_;
  const Quest<P>& quest_;
  const CountLimit<P>& limit_;
  Effort& effort_;
  Weight capacity_;
  P target_;
  std::size_t next_in_;
  std::size_t next_out_;
  Weight addable_ = 0;  // by the steps to come
  Weight takeable_ = 0;
  P moved_profit_ = 0;
  double magnitude_ = 0.0;  // of all that bounds add up
  bool done_ = false;
  bool stopped_ = false;
  P best_of_count_ = 0;
  std::int32_t count_at_ = std::numeric_limits<std::int32_t>::min();
  Frontier<P> states_;
  Frontier<P> next_;
  std::vector<std::uint32_t> order_;  // the item of each step
  History history_;
  Find<P> find_;
  State<P> best_{};
  std::size_t best_steps_ = 0;
  std::uint32_t paired_ = kNone;
};

}  // namespace

template <class P>
Find<P> search(const Core<P>& core, const Quest<P>& quest, Effort& effort) {
  const CountLimit<P> unlimited;
  return Search<P, false>(core, quest, unlimited, effort).run();
}

template <class P>
Find<P> search_counted(const Core<P>& core, const Quest<P>& quest, const CountLimit<P>& limit, Effort& effort) {
  return Search<P, true>(core, quest, limit, effort).run();
}

template Find<Profit> search(const Core<Profit>&, const Quest<Profit>&, Effort&);
template Find<WideProfit> search(const Core<WideProfit>&, const Quest<WideProfit>&, Effort&);
template Find<Profit> search_counted(const Core<Profit>&, const Quest<Profit>&, const CountLimit<Profit>&, Effort&);
template Find<WideProfit> search_counted(const Core<WideProfit>&, const Quest<WideProfit>&,
                                         const CountLimit<WideProfit>&, Effort&);

}  // namespace haversack
