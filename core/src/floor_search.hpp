/// Rounds of enumeration over sections with floors, from a narrow beam to all that could still be better.
#pragma once

#include "floor_trees.hpp"

namespace haversack::floors {

inline constexpr std::size_t kBeam = 16;

/// As in forest_search.hpp: whatever a round misses is worth at most the bound less the least loss of what it dropped.
/// Inside a section with a floor, or one around it, a state with more fill may be the better although it is heavier and
/// poorer; on leaving the section what it lacks is taken off.
template <class T>
class Search {
 public:
  Search(const Model<T>& model, Effort& effort) : model_(model), in_(model.in), prices_(model), effort_(effort) {
    const auto sections = in_.section_cap.size();
    bound_ = prices_.of_section.back();
    take_least();
    least_.assign(sections, T(0));
    useful_ = in_.section_floor;
    for (auto section = sections - 1; section-- > 0;)
      useful_[section] = std::max(useful_[section], useful_[at(in_.section_around[section])]);
    leaves_ = Leaves<T>(model_, prices_, useful_);
  }

  [[nodiscard]] const std::vector<std::int32_t>& choice() const { return choice_; }
  [[nodiscard]] const T& worth() const { return worth_; }
  [[nodiscard]] T bound() const { return is_proven_ ? worth_ : std::max(worth_, bound_); }
  [[nodiscard]] bool is_proven() const { return is_proven_ || allowed() < T(0); }

  /// Nothing is better but in weight.
  [[nodiscard]] bool is_proven_but_for_weight() const {
    const T grain = T(in_.grain) * model_.scale;
    const T above = T(0) - forest::floor_div(T(T(0) - worth_), grain);  // worths of this many grains, or fewer
    return !(above * grain < bound());
  }

  /// False: the effort is spent.
  bool round(std::size_t beam) {
    beam_.start(beam);
    history_.clear();
    frontier_.assign(in_.section_cap.size(), {});
    Merger<T> merger(history_, effort_);
    for (std::size_t section = 0; section < in_.section_cap.size(); ++section) {
      T inside;
      if (!run_section(section, merger, inside)) return false;
      if (frontier_[section].empty()) break;  // nothing better is left but what was dropped
      if (section + 1 < in_.section_cap.size() && !leave(section, inside, merger)) break;
    }
    is_proven_ = !beam_.has_dropped || allowed() < beam_.dropped;
    if (beam_.has_dropped) bound_ = std::min(bound_, T(prices_.of_section.back() - beam_.dropped));
    return true;
  }

 private:
  /// The most that anything better may lose: it is worth a unit more.
  [[nodiscard]] T allowed() const { return prices_.of_section.back() - worth_ - model_.scale; }

  /// Only what must be in, as light as it can be: it always fits.
  void take_least() {
    choice_.assign(in_.node_parent.size(), -1);
    std::vector<std::int64_t> filled(in_.section_cap.size(), 0);
    for (std::size_t node = 0; node < choice_.size(); ++node) {
      const auto parent = in_.node_parent[node];
      if (in_.node_forced[node] == 0 || (parent >= 0 && choice_[at(parent)] < 0)) continue;
      auto lightest = model_.first(node);
      for (auto i = lightest; i < model_.last(node); ++i)
        if (in_.option_weight[i] < in_.option_weight[lightest]) lightest = i;
      choice_[node] = static_cast<std::int32_t>(lightest - model_.first(node));
      worth_ = worth_ + model_.worth[lightest];
      filled[at(in_.node_section[node])] += in_.option_fill[lightest];
    }
    for (std::size_t section = 0; section + 1 < filled.size(); ++section) {
      worth_ = worth_ - lack(section, filled[section]);
      filled[at(in_.section_around[section])] += filled[section];
    }
  }

  [[nodiscard]] T lack(std::size_t section, std::int64_t fill) const {
    return model_.penalty * T(std::max<std::int64_t>(0, in_.section_floor[section] - fill));
  }

  /// What anything better loses outside a section, as far as that is known.
  [[nodiscard]] T elsewhere(std::size_t section) const {
    T sum(0);
    while (in_.section_around[section] >= 0) {
      const auto around = at(in_.section_around[section]);
      for (const auto one : model_.inner[around])
        if (one != section) sum = sum + least_[one];
      section = around;
    }
    return sum;
  }

  bool run_section(std::size_t section, Merger<T>& merger, T& inside) {
    const Window<T> window(model_, prices_, section, useful_[section]);
    elsewhere_ = elsewhere(section);
    T known = elsewhere_;
    for (const auto one : model_.inner[section]) known = known + least_[one];
    Trees<T> trees(model_, prices_, leaves_, history_, merger, beam_, window, T(allowed() - known), known);
    if (!trees.build(section)) return false;
    inside = trees.top;
    if (trees.is_hopeless) return true;
    auto& states = frontier_[section];
    auto& classes = trees.classes;
    for (const auto one : model_.inner[section]) classes.push_back(as_class(one, window));
    std::stable_sort(classes.begin(), classes.end(),
                     [](const Class<T>& a, const Class<T>& b) { return a.rate < b.rate; });
    std::vector<Rest<T>> rests(classes.size() + 1);
    for (auto i = classes.size(); i-- > 0;) {
      rests[i] = rests[i + 1];
      rests[i].add(classes[i], history_);
    }
    const bool is_whole = in_.section_around[section] < 0;
    states.assign(1, trees.settled);
    if (is_whole) take_better(states, rests[0]);
    for (std::size_t i = 0; i < classes.size() && !states.empty(); ++i) {
      if (!merger.merge(states, inside, classes[i], window, &rests[i + 1], T(allowed() - elsewhere_))) return false;
      inside = inside + classes[i].top;
      beam_.cut(states, elsewhere_);
      if (!merger.join(states)) return false;
      if (is_whole) take_better(states, rests[i + 1]);
    }
    return true;
  }

  Class<T> as_class(std::size_t section, const Window<T>& window) {
    Class<T> made;
    made.states = std::move(frontier_[section]);
    made.top = prices_.of_section[section];
    for (auto& state : made.states) state.loss = window.loss(made.top, state);
    made.sort();
    return made;
  }

  /// Takes off what the floor lacks, and learns what anything better loses in here. False: nothing better is left.
  bool leave(std::size_t section, const T& inside, Merger<T>& merger) {
    const auto around = at(in_.section_around[section]);
    const T top = prices_.left(section, inside);
    const T limit = allowed() - elsewhere_;
    bool has_least = beam_.has_dropped;
    T least = has_least ? T(beam_.dropped - elsewhere_) : T(0);
    auto& states = frontier_[section];
    std::size_t kept = 0;
    for (auto state : states) {
      state.worth = state.worth - lack(section, state.fill);
      state.fill = std::min(state.fill, useful_[around]);
      state.loss = top - prices_.reduced(around, state.weight, state.fill, state.worth);
      if (in_.section_cap[section] < state.weight || limit < state.loss) continue;
      least = has_least ? std::min(least, state.loss) : state.loss;
      has_least = true;
      states[kept++] = state;
    }
    states.resize(kept);
    if (kept == 0) return false;
    least_[section] = std::max(least_[section], least);
    merger.sieve(states, useful_[around] > 0);
    return true;
  }

  /// Any state of the whole that fits is a selection, with what comes first in the rest.
  void take_better(const Frontier<T>& states, const Rest<T>& rest) {
    const State<T>* better = nullptr;
    for (const auto& state : states) {
      if (in_.section_cap.back() - rest.weight < state.weight) continue;
      if (!(worth_ < state.worth + rest.worth)) continue;
      worth_ = state.worth + rest.worth;
      better = &state;
    }
    if (better == nullptr) return;
    std::fill(choice_.begin(), choice_.end(), -1);
    for (const auto& roots : model_.roots)
      for (const auto root : roots)
        if (model_.is_leaf(root) && leaves_.option[root] != kOut)
          choice_[root] = static_cast<std::int32_t>(leaves_.option[root]);
    const auto set = [&](const History::Deviation& deviation) {
      choice_[at(deviation.node)] = deviation.choice == kOut ? -1 : static_cast<std::int32_t>(deviation.choice);
    };
    history_.each_deviation(better->left, set);
    history_.each_deviation(rest.history, set);
  }

  const Model<T>& model_;
  const FloorInstance& in_;
  Prices<T> prices_;
  Effort& effort_;
  History history_;
  std::vector<std::int32_t> choice_;  ///< of the best so far
  T worth_{0};
  T bound_{0};
  bool is_proven_ = false;
  Leaves<T> leaves_;
  std::vector<T> least_;              ///< what anything better loses in a section
  std::vector<std::int64_t> useful_;  ///< fill beyond this fills nothing, in a section or around it
  std::vector<Frontier<T>> frontier_;
  Beam<T> beam_;
  T elsewhere_{0};
};

}  // namespace haversack::floors
