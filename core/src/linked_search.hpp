/// Branch and bound on what no forest keeps: units in or out, best bound first.
///
/// At every node multipliers give a bound and settle what would lose too much; the forest they make gives a better one,
/// and selections, which are made to keep the rules and filled up. Where the forest keeps everything, it is solved to
/// the end.
#pragma once

#include "linked_breaches.hpp"
#include "linked_forest.hpp"

namespace haversack::linked {

class Search {
 public:
  Search(const Problem& problem, const ForestLimits& limits)
      : problem_(problem), limits_(limits), relaxation_(problem), dual_(relaxation_), greedy_(problem) {}

  /// `known`: a selection to begin with, if not empty.
  void run(LinkedOutcome& outcome, const std::vector<std::int32_t>& known) {
    Node root{problem_.in.unit_side, Multipliers(relaxation_.multipliers(), 0.0), 0, 0};
    if (!decide_what_contradicts(root.side) || !relaxation_.prepare(root.side)) {
      outcome.status = ForestStatus::infeasible;
      return;
    }
    if (!known.empty()) offer(options_of(known));
    start(root);
    while ((!open_.empty() || !deep_.empty()) && !is_spent()) step();
    conclude(outcome);
  }

 private:
  struct Node {
    Sides side;
    Multipliers multipliers;
    Int128 bound;
    std::int64_t number;
    std::int32_t branch = -1;  ///< the unit to decide next
    bool operator<(const Node& other) const {
      return bound != other.bound ? bound < other.bound : number < other.number;
    }
  };

  [[nodiscard]] Int128 scale(const Int128& profit) const { return scaled(profit, problem_.scale); }
  /// The least bound of anything that is better.
  [[nodiscard]] Int128 cutoff() const { return scale(best_value_ + problem_.grain); }
  [[nodiscard]] std::int64_t spent() const { return forests_spent_ + dual_.spent + greedy_.spent(); }
  [[nodiscard]] bool is_spent() {
    interrupted_ = interrupted_ || (limits_.interrupted && limits_.interrupted());
    return interrupted_ || (limits_.states >= 0 && spent() >= limits_.states);
  }

  [[nodiscard]] Choice options_of(const std::vector<std::int32_t>& known) const {
    Choice choice(problem_.items(), -1);
    for (std::size_t item = 0; item < known.size(); ++item)
      for (auto i = problem_.option_begin[item]; i < problem_.option_begin[item + 1]; ++i)
        if (problem_.options[at(i)].index == known[item]) choice[item] = i;
    return choice;
  }

  /// Units that can never be in, because what they need excludes itself.
  bool decide_what_contradicts(Sides& side) {
    if (problem_.choices.entry.empty()) return true;
    for (std::size_t unit = 0; unit < problem_.units; ++unit) {
      if (side[unit] != kFree || problem_.need_begin[unit] == problem_.need_begin[unit + 1]) continue;
      if (probes_ > kProbes) return true;
      Sides probe = side;
      probes_ += static_cast<std::int64_t>(side.size()) / 16 + 1;
      if (!problem_.decide(probe, narrow(unit), kIn) && !problem_.decide(side, narrow(unit), kOut)) return false;
    }
    return true;
  }

  void start(Node& root) {
    for (const auto manner : {Manner::thorough, Manner::alone, Manner::plain})
      offer(greedy_.run(root.side, {}, manner));
    dual_.price(root.multipliers);
    dual_.descend(root.multipliers, kGreedySteps, best(), best());
    look_below(root);
    root.bound = dual_.prove(root.multipliers);
    look_around(root.side);
    look_at_forest(root.side);
    if (limits_.states == 0) {
      unsettled_ = root.bound;
      return;
    }
    visit(std::move(root), kRootSteps);
  }

  /// Best bound first; what no longer fits the memory that way, depth first.
  void step() {
    const bool is_deep = !deep_.empty();
    if (!is_deep) std::pop_heap(open_.begin(), open_.end());
    auto& from = is_deep ? deep_ : open_;
    Node node = std::move(from.back());
    from.pop_back();
    if (node.bound < cutoff()) {
      if (!is_deep) open_.clear();
      return;
    }
    if (best_value_ != exchanged_value_) exchange(problem_.in.unit_side);
    for (const auto to : {kIn, kOut}) {
      if (is_spent()) {
        unsettled_ = std::max(unsettled_, node.bound);
        return;
      }
      Node child{node.side, node.multipliers, node.bound, 0};
      if (problem_.decide(child.side, node.branch, to)) visit(std::move(child), kSteps);
    }
  }

  /// Where all or nothing is wanted, the prices may ask for nothing: at lower ones there is more to choose from.
  void look_below(const Node& root) {
    auto lower = root.multipliers;
    for (std::size_t s = 0; s < relaxation_.room.size(); ++s) lower[s] *= 0.9;
    dual_.prove(lower);
    look_around(root.side);
  }

  /// The forest's own greedy.
  void look_at_forest(const Sides& side) {
    ForestView forest(relaxation_, dual_);
    ForestLimits limits = limits_;
    limits.states = 0;
    const auto outcome = forest.solve(limits, std::numeric_limits<std::int64_t>::min());
    if (outcome.status == ForestStatus::solved) offer(greedy_.run(side, forest.choice(outcome)));
  }

  /// Takes one unit out of the best, with what needs it, and fills up again; from the start while that is better.
  void exchange(const Sides& side) {
    const std::int64_t share = (limits_.states < 0 ? kUsual : std::min(limits_.states, kUsual)) / 32;
    const std::int64_t end = exchange_spent_ + std::min(share, 4 * share - exchange_spent_);
    std::int32_t unit = 0;
    for (std::size_t tries = 0; tries < problem_.units && exchange_spent_ < end; ++tries) {
      unit = (unit + 1) % narrow(problem_.units);
      const auto first = at(*problem_.members.first(at(unit)));
      if (side[at(unit)] != kFree || best_[first] < 0) continue;
      Sides without = side;
      if (!problem_.decide(without, unit, kOut)) continue;
      Choice rest = best_;
      for (std::size_t item = 0; item < rest.size(); ++item)
        if (without[at(problem_.in.item_unit[item])] == kOut) rest[item] = -1;
      const auto before = greedy_.spent();
      if (offer(greedy_.run(without, rest))) tries = 0;
      exchange_spent_ += greedy_.spent() - before;
      if (is_spent()) break;
    }
    exchanged_value_ = best_value_;
  }

  [[nodiscard]] double best() const { return static_cast<double>(best_value_); }

  /// Bounds a node, and either is done with it or puts it among the open ones.
  void visit(Node node, int steps) {
    node.number = ++nodes_;
    const Int128 bound_before = node.bound;
    for (int round = 0;; ++round) {
      if (!relaxation_.prepare(node.side)) return;
      dual_.descend(node.multipliers, round == 0 ? steps : steps / 3,
                    best() + 0.5 * static_cast<double>(problem_.grain), best());
      node.bound = std::min(bound_before, dual_.prove(node.multipliers));
      if (node.bound < cutoff()) return;
      if (round == 0 && (nodes_ < 8 || nodes_ % 4 == 0)) look_around(node.side);
      if (node.bound < cutoff()) return;
      if (nodes_ == 1) dual_.exclude(cutoff());
      std::size_t settled = 0;
      if (!dual_.settle(node.side, cutoff(), settled)) return;
      if (settled == 0 && (nodes_ > 1 || round > 0)) break;
      if (settled * 20 < relaxation_.unit_of.size() || round == 3) {
        // Few: they are left for the nodes below, but the forest is to know them.
        if (!relaxation_.prepare(node.side)) return;
        node.bound = std::min(node.bound, dual_.prove(node.multipliers));
        break;
      }
    }
    if (node.bound < cutoff()) return;
    try_forest(node);
  }

  void try_forest(Node& node) {
    ForestView forest(relaxation_, dual_);
    Choice relaxed, kept;
    if (forest.is_whole() || calls_ < 8 || useful_ * 8 >= calls_ || nodes_ % 16 == 0) {
      const bool is_solved = solve_forest_of(forest, node, relaxed, kept);
      if (node.bound < cutoff()) return;
      if (is_solved && forest.is_whole() && is_spent()) {
        unsettled_ = std::max(unsettled_, node.bound);
        return;
      }
    }
    node.branch = Breaches(relaxation_, dual_).unit_to_decide(relaxed);
    if (node.branch < 0) {
      unsettled_ = std::max(unsettled_, node.bound);
      return;
    }
    const bool is_promising = !kept.empty() && !forest.is_whole() && (nodes_ == 1 || kept == best_ || nodes_ % 8 == 0);
    const auto entangled = is_promising ? forest.entangled() : std::vector<std::int32_t>{};
    auto side = node.side;
    auto multipliers = is_promising ? node.multipliers : Multipliers{};
    keep(std::move(node));
    if (is_promising) polish(std::move(side), std::move(multipliers), kept, entangled);
  }

  void keep(Node&& node) {
    const auto bytes = sizeof(Node) + node.side.size() + node.multipliers.size() * sizeof(double);
    if (open_.size() > limits_.memory / bytes) return deep_.push_back(std::move(node));
    open_.push_back(std::move(node));
    std::push_heap(open_.begin(), open_.end());
  }

  /// What laying out a forest and pricing its sections takes, in states.
  [[nodiscard]] std::int64_t cost_of(const ForestView& forest) const {
    return kStatesPerNode * static_cast<std::int64_t>(forest.nodes()) + 7 * problem_.nesting;
  }

  /// Bounds a node by its forest; `kept` is what the rules leave of its selection, filled up. False: too wide.
  bool solve_forest_of(ForestView& forest, Node& node, Choice& relaxed, Choice& kept) {
    ForestLimits limits = limits_;
    limits.states = forest.is_whole() ? ration(4, 8) : ration(4, 200);
    const auto outcome = forest.solve(limits, cutoff());
    forests_spent_ += outcome.states + cost_of(forest);
    ++calls_;
    interrupted_ = interrupted_ || outcome.status == ForestStatus::interrupted;
    if (outcome.status != ForestStatus::solved) return false;
    const Int128 before = node.bound;
    node.bound = std::min(node.bound, forest.bound(outcome));
    relaxed = forest.choice(outcome);
    kept = greedy_.run(node.side, relaxed);
    offer(kept);
    if (node.bound < cutoff() || 2 * (node.bound - cutoff()) < before - cutoff()) ++useful_;
    return true;
  }

  /// Looks for something better with all that is entangled as it is in `kept`: that leaves a forest.
  void polish(Sides side, Multipliers multipliers, const Choice& kept, const std::vector<std::int32_t>& entangled) {
    for (const auto unit : entangled) {
      if (side[at(unit)] != kFree) continue;
      const bool is_in = kept[at(*problem_.members.first(at(unit)))] >= 0;
      if (!problem_.decide(side, unit, is_in ? kIn : kOut)) return;
    }
    if (!relaxation_.prepare(side)) return;
    dual_.descend(multipliers, kSteps, best(), best());
    std::size_t settled = 0;
    if (dual_.prove(multipliers) < cutoff() || !dual_.settle(side, cutoff(), settled)) return;
    if (settled > 0 && !relaxation_.prepare(side)) return;
    dual_.prove(multipliers);
    ForestView forest(relaxation_, dual_);
    if (!forest.is_whole() || dual_.exact.bound < cutoff()) return;
    ForestLimits limits = limits_;
    limits.states = ration(8, 64);
    const auto outcome = forest.solve(limits, cutoff());
    forests_spent_ += outcome.states + cost_of(forest);
    interrupted_ = interrupted_ || outcome.status == ForestStatus::interrupted;
    if (outcome.status == ForestStatus::solved) offer(greedy_.run(side, forest.choice(outcome)));
  }

  /// States for one forest: a share of the effort, the larger for the first.
  [[nodiscard]] std::int64_t ration(std::int64_t of_root, std::int64_t of_others) const {
    const std::int64_t share = nodes_ == 1 ? of_root : of_others;
    // Without limit they grow: in the end every forest is solved.
    if (limits_.states < 0) return kUsual / share * (1 + nodes_ / 64);
    return std::max<std::int64_t>(1, std::min(limits_.states - spent(), limits_.states / share));
  }

  /// What the multipliers ask for, as a choice.
  [[nodiscard]] Choice relaxed_choice() const {
    Choice choice(problem_.items(), -1);
    for (std::size_t i = 0; i < relaxation_.entries.size(); ++i) {
      const auto& entry = relaxation_.entries[i];
      if (entry.slot < 0 || dual_.exact.in[at(entry.slot)] != 0)
        choice[at(entry.item)] = relaxation_.options[at(dual_.exact.pick[i])].option;
    }
    return choice;
  }

  void look_around(const Sides& side) { offer(greedy_.run(side, relaxed_choice())); }

  bool offer(Choice choice) {
    Int128 value = 0, weight = 0;
    for (const auto option : choice) {
      if (option < 0) continue;
      value += problem_.options[at(option)].profit;
      weight += problem_.options[at(option)].weight;
    }
    if (!best_.empty() && (value < best_value_ || (value == best_value_ && weight >= best_weight_))) return false;
    best_ = std::move(choice);
    best_value_ = value;
    best_weight_ = weight;
    return true;
  }

  void conclude(LinkedOutcome& outcome) {
    Int128 bound = std::max(unsettled_, scale(best_value_));
    for (const auto* nodes : {&open_, &deep_})
      for (const auto& node : *nodes) bound = std::max(bound, node.bound);
    outcome.status = interrupted_ ? ForestStatus::interrupted : ForestStatus::solved;
    outcome.value = best_value_;
    outcome.bound = best_value_;
    if (cutoff() <= bound) {
      const Int128 whole = bound >> problem_.scale;
      const Int128 rest = whole % problem_.grain;
      outcome.bound = whole - (rest < 0 ? rest + problem_.grain : rest);
    }
    outcome.optimal = outcome.bound == best_value_;
    outcome.states = spent();
    outcome.nodes = nodes_;
    outcome.choice.assign(problem_.items(), -1);
    for (std::size_t item = 0; item < best_.size(); ++item)
      if (best_[item] >= 0) outcome.choice[item] = problem_.options[at(best_[item])].index;
  }

  static constexpr int kRootSteps = 800, kSteps = 40, kGreedySteps = 60;
  static constexpr std::int64_t kUsual = 20'000'000, kStatesPerNode = 16, kProbes = 4'000'000;

  const Problem& problem_;
  const ForestLimits& limits_;
  Relaxation relaxation_;
  Dual dual_;
  Greedy greedy_;
  std::vector<Node> open_, deep_;  ///< a heap, and a stack
  Choice best_;
  Int128 best_value_ = 0, best_weight_ = 0, exchanged_value_ = 0;
  Int128 unsettled_ = std::numeric_limits<Int128>::min();
  std::int64_t forests_spent_ = 0, exchange_spent_ = 0, nodes_ = 0, calls_ = 0, useful_ = 0, probes_ = 0;
  bool interrupted_ = false;
};

}  // namespace haversack::linked
