/// Rounds of enumeration over the section tree, from a narrow beam to the whole frontier.
#pragma once

#include <iterator>

#include "forest_classes.hpp"

namespace haversack::forest {

/// A round looks at every selection that could beat the incumbent, except those dropped by its beam (states) or by its
/// reach (single decisions of great loss). It knows the least loss among what it dropped: so whatever it missed is
/// worth at most the base's bound less that, and a round that dropped nothing worth having is a proof.
template <class T>
class Search {
 public:
  Search(const Base<T>& base, Selection<T> incumbent, Effort& effort)
      : base_(base), model_(base.model), best_(std::move(incumbent)), bound_(base.bound), effort_(effort) {
    floor_.assign(model_.cap.size(), T(0));
    inside_floor_.assign(model_.cap.size(), T(0));
    find_completions();
  }

  [[nodiscard]] const Selection<T>& incumbent() const { return best_; }
  [[nodiscard]] T bound() const { return bound_; }
  [[nodiscard]] bool value_is_proven() const { return bound_ < best_.profit + model_.grain; }
  [[nodiscard]] bool all_is_proven() const { return is_exhausted_; }
  [[nodiscard]] std::size_t core() const { return core_; }

  /// False: the effort is spent. `reach`: about how many decisions of a section may be open.
  bool round(std::size_t beam, std::size_t reach) {
    history_.clear();
    frontier_.assign(model_.cap.size(), {});
    dropped_.assign(model_.cap.size(), greatest<T>());
    core_ = 0;
    better_ = {T(0), T(0), 0, 0};
    has_better_ = false;
    reach_ = reach;
    Merger<T> merger(history_, effort_, beam);
    bool goes_on = true;
    T proven(0);  // what every better selection loses at least, if this round has missed it
    for (std::size_t section = 0; goes_on && section < model_.cap.size(); ++section) {
      goes_on = run_section(section, merger);
      proven = dropped_[section];
      if (goes_on && frontier_[section].empty()) break;  // whatever is better must use what was dropped here
    }
    take_better();
    if (goes_on) conclude(proven);
    return goes_on;
  }

 private:
  [[nodiscard]] T gap() const { return base_.bound - best_value(); }
  [[nodiscard]] T best_value() const { return has_better_ ? T(base_.profit + better_.profit) : best_.profit; }
  [[nodiscard]] T best_weight() const { return has_better_ ? T(base_.weight.back() + better_.weight) : best_.weight; }

  /// The most that something better may lose apart from unused tokens: it is worth a grain more, or as much and
  /// lighter.
  [[nodiscard]] T allowed() const {
    const T lighter = model_.cap.back() - best_weight() + T(model_.scale.weight_grain);
    return gap() - std::min(model_.grain, T(base_.price.back() * lighter));
  }

  /// What must be lost elsewhere than in a section, in any selection that is better.
  [[nodiscard]] T outside(std::size_t section) const {
    T sum(0);
    for (auto inner = section; model_.shape.sections[inner].parent >= 0;) {
      const auto outer = at(model_.shape.sections[inner].parent);
      sum = sum + inside_floor_[outer] - floor_[inner];
      inner = outer;
    }
    return sum;
  }

  /// The greatest loss of the `reach` decisions of a section that lose least, if more than that could matter.
  [[nodiscard]] T reach_of(std::size_t section, std::size_t reach, const T& limit) const {
    const auto first = base_.alternative.begin() + model_.shape.sections[section].first_node;
    const auto last = base_.alternative.begin() + model_.shape.node_end(section);
    if (static_cast<std::size_t>(last - first) <= reach) return limit;
    std::vector<T> losses;
    std::copy_if(first, last, std::back_inserter(losses), [&](const T& loss) { return !(limit < loss); });
    if (losses.size() <= reach) return limit;
    const auto cut = losses.begin() + static_cast<std::ptrdiff_t>(reach);
    std::nth_element(losses.begin(), cut, losses.end());
    return *cut;
  }

  bool run_section(std::size_t section, Merger<T>& merger) {
    const auto& shape = model_.shape;
    const T elsewhere = outside(section);
    Window<T> window{};
    window.price = base_.price[section];
    window.offset = elsewhere + inside_floor_[section];
    window.allowed = allowed();
    std::vector<Class<T>> classes;
    merger.dropped = dropped_[section];
    if (!build_classes(section, window, merger, classes)) return false;
    for (auto inner = static_cast<std::int32_t>(section) - 1; inner >= shape.sections[section].first_section;
         inner = shape.sections[at(inner)].first_section - 1)
      add_section(at(inner), classes);
    core_ += classes.size();
    sort_by_slope(classes, window.price);
    const bool goes_on = merge_classes(section, classes, window, merger);
    dropped_[section] = std::min(dropped_[section], merger.dropped);
    if (goes_on) complete(section, elsewhere);
    return goes_on;
  }

  bool build_classes(std::size_t section, const Window<T>& window, Merger<T>& merger, std::vector<Class<T>>& classes) {
    T limit = window.allowed - window.offset;
    if (limit < T(0)) return true;  // merging will find that nothing is left
    const T reach = reach_of(section, reach_, limit);
    if (reach < limit) {
      limit = reach;
      dropped_[section] = std::min(dropped_[section], T(limit + T(1) + window.offset));
    }
    ClassBuilder<T> builder(base_, history_, merger);
    const auto& least = base_.in_tree.empty() ? base_.alternative : base_.in_tree;
    const auto end = at(model_.shape.node_end(section));
    for (auto root = at(model_.shape.sections[section].first_node); root < end; root = at(model_.shape.end[root]))
      if (!(limit < least[root]) && !builder.build(root, limit, window, classes)) return false;
    return true;
  }

  /// A section that is done is one class of the section around it.
  void add_section(std::size_t inner, std::vector<Class<T>>& classes) {
    classes.emplace_back();
    auto& added = classes.back();
    added.states = std::move(frontier_[inner]);
    added.least = floor_[inner];
    added.offset = completion_[inner];
    auto& dropped = dropped_[at(model_.shape.sections[inner].parent)];
    dropped = std::min(dropped, dropped_[inner]);
  }

  /// What the base loses by leaving room unused, in a section and all inside it, at the differences of the prices.
  void find_completions() {
    const auto& sections = model_.shape.sections;
    completion_.assign(sections.size(), T(0));
    for (std::size_t section = 0; section + 1 < sections.size(); ++section) {
      const auto outer = at(sections[section].parent);
      completion_[section] = completion_[section] + (base_.price[section] - base_.price[outer]) *
                                                        (model_.cap[section] - base_.weight[section]);
      completion_[outer] = completion_[outer] + completion_[section];
    }
  }

  /// Nearest to the prices first: the losses per token of what is still to come then grow, and with them the bounds.
  void sort_by_slope(std::vector<Class<T>>& classes, const T& price) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      double slope = std::numeric_limits<double>::max();
      for (const auto& state : classes[i].states) {
        if (state.weight == T(0)) continue;
        const T lost = price * state.weight - state.profit + classes[i].offset - classes[i].least;
        const double tokens = static_cast<double>(state.weight < T(0) ? T(T(0) - state.weight) : state.weight);
        slope = std::min(slope, static_cast<double>(lost) / tokens);
      }
      order.emplace_back(slope, i);
    }
    std::sort(order.begin(), order.end());
    std::vector<Class<T>> sorted;
    sorted.reserve(classes.size());
    for (const auto& place : order) sorted.push_back(std::move(classes[place.second]));
    classes.swap(sorted);
  }

  /// For every class, what the classes after it can still change: the weight they can take back, and at what loss a
  /// token.
  struct Rest {
    T back{0};
    T over_rate = greatest<T>();
    T under_rate = greatest<T>();
  };

  std::vector<Rest> find_rests(const std::vector<Class<T>>& classes, const T& price) const {
    std::vector<Rest> rests(classes.size() + 1);
    for (std::size_t i = classes.size(); i-- > 0;) {
      Rest rest = rests[i + 1];
      T back(0);
      for (const auto& state : classes[i].states) {
        if (state.weight == T(0)) continue;
        const T lost = price * state.weight - state.profit + classes[i].offset - classes[i].least;
        if (state.weight < T(0)) {
          const T tokens = T(0) - state.weight;
          back = std::max(back, tokens);
          rest.over_rate = std::min(rest.over_rate, T(lost / tokens));
        } else {
          rest.under_rate = std::min(rest.under_rate, T(lost / state.weight));
        }
      }
      rest.back = rest.back + back;
      if (T(0) < rest.back) rest.over_rate = std::min(rest.over_rate, T(greatest<T>() / rest.back));
      rests[i] = rest;
    }
    return rests;
  }

  bool merge_classes(std::size_t section, const std::vector<Class<T>>& classes, Window<T>& window, Merger<T>& merger) {
    const auto outer = model_.shape.sections[section].parent;
    const T margin = base_.price[section] - (outer < 0 ? T(0) : base_.price[at(outer)]);
    const auto rests = find_rests(classes, window.price);
    auto& states = frontier_[section];
    states.assign(1, {T(0), T(0), 0, 0});
    if (window.allowed < window.offset) states.clear();
    window.has_room = true;
    window.room = model_.cap[section] - base_.weight[section];
    for (std::size_t i = 0; i < classes.size() && !states.empty(); ++i) {
      window.offset = window.offset + classes[i].offset - classes[i].least;
      window.over_limit = rests[i + 1].back;
      window.over_rate = rests[i + 1].over_rate;
      window.under_rate = std::min(margin, rests[i + 1].under_rate);
      window.allowed = allowed();
      window.in_all = outer < 0 ? gap() : window.allowed;
      if (!merger.merge(states, classes[i].states, window)) return false;
      if (outer < 0) look_for_better(window.room);
    }
    return true;
  }

  /// Any state of the whole that fits is a selection: all else as in the base.
  void look_for_better(const T& room) {
    const auto& states = frontier_.back();
    const auto beyond = std::partition_point(states.begin(), states.end(),
                                             [&](const State<T>& state) { return !(room < state.weight); });
    if (beyond == states.begin()) return;
    const auto& state = *(beyond - 1);
    const T value = base_.profit + state.profit;
    const T weight = base_.weight.back() + state.weight;
    if (value < best_value() || (value == best_value() && !(weight < best_weight()))) return;
    better_ = state;
    has_better_ = true;
  }

  /// Leaves what fits, and learns what any better selection must lose in this section.
  void complete(std::size_t section, const T& elsewhere) {
    const auto outer = model_.shape.sections[section].parent;
    if (outer < 0) return;
    const T price = base_.price[at(outer)];
    const T room = model_.cap[section] - base_.weight[section];
    const T offset = elsewhere + completion_[section];
    T least = dropped_[section];
    std::size_t kept = 0;
    auto& states = frontier_[section];
    for (const auto& state : states) {
      const T lost = price * state.weight - state.profit + offset;
      if (room < state.weight || allowed() < lost) continue;
      least = std::min(least, lost);
      states[kept++] = state;
    }
    states.resize(kept);
    if (kept == 0) return;
    const T learnt = std::max(floor_[section], T(least - elsewhere));
    inside_floor_[at(outer)] = inside_floor_[at(outer)] + learnt - floor_[section];
    floor_[section] = learnt;
  }

  void take_better() {
    if (!has_better_) return;
    auto stays = base_.stays;
    auto option = base_.option;
    history_.each_deviation(better_.left, [&](const History::Deviation& deviation) {
      if (deviation.choice == kOut || deviation.choice == History::kEnters) {
        stays[at(deviation.node)] = deviation.choice == kOut ? 0 : 1;
      } else {
        option[at(deviation.node)] = deviation.choice;
      }
    });
    best_ = base_.selection(stays, option);
    has_better_ = false;
  }

  void conclude(const T& dropped) {
    const T lost = std::max(dropped, inside_floor_.back());
    const T missed = base_.bound - lost;
    bound_ = std::max(best_.profit, std::min(bound_, missed));
    is_exhausted_ = missed < best_.profit || dropped == greatest<T>();
  }

  const Base<T>& base_;
  const Model<T>& model_;
  Selection<T> best_;
  T bound_;
  Effort& effort_;
  History history_;
  std::vector<Frontier<T>> frontier_;  ///< of every section, once it is done
  std::vector<T> dropped_;             ///< least loss, in all, of what was dropped in a section or inside it
  std::vector<T> completion_;          ///< what the base loses in a section by leaving room in it, and in those inside
  std::vector<T> floor_;               ///< what every better selection loses in a section
  std::vector<T> inside_floor_;        ///< the sum of that over the sections directly inside
  std::size_t reach_ = 0;
  std::size_t core_ = 0;
  State<T> better_{};
  bool has_better_ = false;
  bool is_exhausted_ = false;
};

}  // namespace haversack::forest
