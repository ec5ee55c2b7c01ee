// The expanding core (Pisinger 1997, "A minimal algorithm for the 0-1 knapsack problem"), over integers relative to
// the break solution.
//
// Items are moved in from the right of the break and out from its left, alternately. After each step the frontier
// holds, by rising weight, the states that no other state dominates (no more weight, no less profit) and that could
// still reach the target. The bound of a state is Dantzig's with the efficiencies of the next items on either side:
// a state below the capacity gains at most `efficiency of the next item to add` a unit, one above the capacity loses
// at least `efficiency of the next item to take out` a unit. Bounds are doubles with a margin that only keeps more.

#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontier.hpp"

namespace haversack {
namespace {

constexpr double kRounding = 0x1p-48;  // sixteen half-ulps: more than any bound below loses

template <class P>
class Search {
 public:
  Search(const Core<P>& core, const Quest<P>& quest, Effort& effort)
      : core_(core), quest_(quest), effort_(effort), capacity_(core.residual - quest.spare), target_(quest.target),
        next_in_(core.break_index), next_out_(core.break_index) {}

  Find<P> run() {
    states_.push_back({0, P{0}, 0, History::kStart});
    note(states_.front());
    while (!states_.empty() && !done_ && (can_add() || can_take())) {
      if (can_add()) step(next_in_++, +1);
      if (can_take() && !done_ && !states_.empty()) step(--next_out_, -1);
    }
    if (find_.found) {
      find_.profit = best_.profit;
      find_.weight = best_.weight;
      find_.toggled = decode(best_, best_steps_);
    }
    find_.closed = !find_.too_wide && !stopped_ && (done_ || states_.empty() || complete());
    return std::move(find_);
  }

 private:
  [[nodiscard]] bool can_add() const { return next_in_ < core_.items.size(); }
  [[nodiscard]] bool can_take() const { return next_out_ > 0; }
  /// Every item has had its step and none is left outside: what the frontier holds has been noted.
  [[nodiscard]] bool complete() const {
    return core_.after == 0.0 && core_.before == std::numeric_limits<double>::infinity();
  }

  void step(std::size_t item, int sign) {
    const CoreItem<P>& moved = core_.items[item];
    if (!fits_profit(moved.profit)) return;
    // Alone, against the break's own price, the move must leave room for the target (Dembo & Hammer 1980).
    if (!is_worth_a_step(moved)) return;
    if (order_.size() % History::kBlock == 0 && !order_.empty()) seal_decisions();
    order_.push_back(static_cast<std::uint32_t>(item));
    merge(sign * moved.weight, sign > 0 ? moved.profit : -moved.profit);
    if (!effort_.spend(static_cast<std::int64_t>(states_.size()))) stop();
  }

  [[nodiscard]] bool fits_profit(P profit) {
    constexpr P kRoom = std::numeric_limits<P>::max() / 4;
    if (profit <= kRoom - moved_profit_) {
      moved_profit_ += profit;
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
    return kRounding * (static_cast<double>(moved_profit_) + core_.price * static_cast<double>(moved_weight_) +
                        static_cast<double>(target_));
  }

  [[nodiscard]] bool is_worth_a_step(const CoreItem<P>& item) const {
    const double loss = std::abs(item.efficiency - core_.price) * static_cast<double>(item.weight);
    const double reach = core_.price * static_cast<double>(capacity_) - static_cast<double>(target_);
    return loss <= reach + margin() + kRounding * static_cast<double>(item.profit);
  }

  void seal_decisions() {
    for (State<P>& state : states_) {
      state.history = history_.add(state.decisions, state.history);
      state.decisions = 0;
    }
  }

  /// Branches every state on moving an item of this weight and profit (both negative when it is taken out).
  void merge(Weight weight, P profit) {
    moved_weight_ += std::abs(weight);
    next_.resize(2 * states_.size() + 1);
    const double slack = margin();
    const double infinity = std::numeric_limits<double>::infinity();
    const double add = can_add() ? core_.items[next_in_].efficiency : core_.after;
    const double take = can_take() ? core_.items[next_out_ - 1].efficiency : core_.before;
    const double take_finite = take == infinity ? std::numeric_limits<double>::max() : take;
    const std::uint64_t bit = std::uint64_t{1} << ((order_.size() - 1) % History::kBlock);
    double needed = static_cast<double>(target_) - slack;
    const State<P>* stay = states_.data();
    const State<P>* move = states_.data();
    const State<P>* const end = stay + states_.size();
    State<P>* out = next_.data();
    P best = std::numeric_limits<P>::min();
    while (move != end) {
      // Once `stay` has reached the end, only moved states are left, and the other way round.
      // Of equally heavy states the richer goes first and so dominates the other.
      const Weight moved_to = move->weight + weight;
      const bool stays = stay != end && (stay->weight < moved_to ||
                                         (stay->weight == moved_to && stay->profit >= move->profit + profit));
      State<P> state = stays ? *stay : *move;
      const std::uint64_t moved = stays ? 0 : ~std::uint64_t{0};
      state.weight += weight & static_cast<Weight>(moved);
      state.profit += stays ? P{0} : profit;
      state.decisions |= bit & moved;
      stay += stays;
      move += !stays;
      keep(state, add, take_finite, needed, best, out, slack);
    }
    while (stay != end) keep(*stay++, add, take_finite, needed, best, out, slack);
    next_.resize(static_cast<std::size_t>(out - next_.data()));
    states_.swap(next_);
  }

  void keep(const State<P>& state, double add, double take, double& needed, P& best, State<P>*& out, double slack) {
    const Weight free = capacity_ - state.weight;
    const double bound = static_cast<double>(state.profit) + (free >= 0 ? add : take) * static_cast<double>(free);
    const bool undominated = state.profit > best;
    best = undominated ? state.profit : best;
    *out = state;
    out += undominated & (bound >= needed);
    if (undominated && free >= 0 && state.profit >= target_) {
      note(state);
      needed = static_cast<double>(target_) - slack;
    }
  }

  /// A feasible state that reaches the target: remember it and ask for better.
  void note(const State<P>& state) {
    if (state.weight > capacity_ || state.profit < target_) return;
    find_.found = true;
    best_ = state;
    best_steps_ = order_.size();
    if (quest_.aim == Aim::profit) {
      target_ = state.profit + quest_.step;
      done_ = done_ || state.profit >= quest_.enough;
    } else {
      capacity_ = state.weight - 1;
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
  Effort& effort_;
  Weight capacity_;
  P target_;
  std::size_t next_in_;
  std::size_t next_out_;
  P moved_profit_ = 0;
  Weight moved_weight_ = 0;
  bool done_ = false;
  bool stopped_ = false;
  std::vector<State<P>> states_;
  std::vector<State<P>> next_;
  std::vector<std::uint32_t> order_;  // the item of each step
  History history_;
  Find<P> find_;
  State<P> best_{};
  std::size_t best_steps_ = 0;
};

}  // namespace

template <class P>
Find<P> search(const Core<P>& core, const Quest<P>& quest, Effort& effort) {
  return Search<P>(core, quest, effort).run();
}

template Find<Profit> search(const Core<Profit>&, const Quest<Profit>&, Effort&);
template Find<WideProfit> search(const Core<WideProfit>&, const Quest<WideProfit>&, Effort&);

}  // namespace haversack
