/// Rounds of enumeration over sections with floors, from a narrow beam to all that could still be better.
#pragma once

#include "floor_classes.hpp"

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
    settle_leaves();
  }

  [[nodiscard]] const std::vector<std::int32_t>& choice() const { return choice_; }
  [[nodiscard]] const T& worth() const { return worth_; }
  [[nodiscard]] T bound() const { return is_proven_ ? worth_ : std::max(worth_, bound_); }
  [[nodiscard]] bool is_proven() const { return is_proven_ || allowed() < T(0); }

  /// Nothing is better but in weight.
  [[nodiscard]] bool is_proven_but_for_weight() const {
    const T grain = T(in_.grain) * T(kScale);
    const T above = T(0) - forest::floor_div(T(T(0) - worth_), grain);  // worths of this many grains, or fewer
    return !(above * grain < bound());
  }

  /// False: the effort is spent.
  bool round(std::size_t beam) {
    beam_ = beam;
    history_.clear();
    has_dropped_ = false;
    frontier_.assign(in_.section_cap.size(), {});
    Merger<T> merger(history_, effort_);
    for (std::size_t section = 0; section < in_.section_cap.size(); ++section) {
      T inside;
      if (!run_section(section, merger, inside)) return false;
      if (frontier_[section].empty()) break;  // nothing better is left but what was dropped
      if (section + 1 < in_.section_cap.size() && !leave(section, inside, merger)) break;
    }
    is_proven_ = !has_dropped_ || allowed() < dropped_;
    if (has_dropped_) bound_ = std::min(bound_, T(prices_.of_section.back() - dropped_));
    return true;
  }

 private:
  struct Settled {
    std::size_t option = 0;  ///< the best; kOut: out
    T second{0};             ///< the least loss of anything else
  };

  /// The most that anything better may lose: it is worth a unit more.
  [[nodiscard]] T allowed() const { return prices_.of_section.back() - worth_ - T(kScale); }

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

  /// Of leaves without a parent, which are most: the best decision, and what any other loses.
  void settle_leaves() {
    settled_.resize(in_.node_parent.size());
    for (std::size_t section = 0; section < model_.roots.size(); ++section) {
      for (const auto root : model_.roots[section]) {
        if (!model_.is_leaf(root)) continue;
        auto& here = settled_[root];
        bool has_one = in_.node_forced[root] == 0;
        bool has_two = false;
        here.option = kOut;
        T best(0);
        for (auto i = model_.first(root); i < model_.last(root); ++i) {
          const T worth = prices_.reduced(section, in_.option_weight[i], fill_of(section, i), model_.worth[i]);
          const bool is_better = !has_one || best < worth;
          const T other = is_better ? best : worth;
          if (has_one) here.second = has_two ? std::max(here.second, other) : other;
          has_two = has_one;
          if (is_better) {
            best = worth;
            here.option = i;
          }
          has_one = true;
        }
        here.second = has_two ? T(prices_.standing(root) - here.second) : forest::greatest<T>();
      }
    }
  }

  [[nodiscard]] std::int64_t fill_of(std::size_t section, std::size_t option) const {
    return std::min(in_.option_fill[option], useful_[section]);
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
    auto& states = frontier_[section];
    std::vector<Class<T>> classes;
    State<T> start;
    inside = T(0);
    bool is_hopeless = false;
    if (!build_classes(section, window, T(allowed() - known), merger, classes, start, inside, is_hopeless))
      return false;
    if (is_hopeless) return true;
    for (const auto one : model_.inner[section]) classes.push_back(as_class(one, window));
    std::stable_sort(classes.begin(), classes.end(),
                     [](const Class<T>& a, const Class<T>& b) { return a.rate < b.rate; });
    std::vector<Rest<T>> rests(classes.size() + 1);
    for (auto i = classes.size(); i-- > 0;) {
      rests[i] = rests[i + 1];
      rests[i].add(classes[i], history_);
    }
    const bool is_whole = in_.section_around[section] < 0;
    states.assign(1, start);
    if (is_whole) take_better(states, rests[0]);
    for (std::size_t i = 0; i < classes.size() && !states.empty(); ++i) {
      if (!merger.merge(states, inside, classes[i], window, &rests[i + 1], T(allowed() - elsewhere_))) return false;
      inside = inside + classes[i].top;
      cut(states);
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

  /// What is settled in the section goes into `start`; trees that are not become classes.
  bool build_classes(std::size_t section, const Window<T>& window, const T& limit, Merger<T>& merger,
                     std::vector<Class<T>>& classes, State<T>& start, T& inside, bool& is_hopeless) {
    is_hopeless = limit < T(0);
    for (std::size_t i = 0; i < model_.roots[section].size() && !is_hopeless; ++i) {
      const auto root = model_.roots[section][i];
      if (model_.is_leaf(root) && limit < settled_[root].second) {
        inside = inside + prices_.standing(root);
        if (settled_[root].option == kOut) continue;
        add(start, settled_[root].option, section);
        continue;
      }
      Class<T> made;
      if (!build_tree(root, window, limit, merger, made)) return false;
      is_hopeless = made.states.empty();
      if (made.states.size() > 1) {
        classes.push_back(std::move(made));
      } else if (!is_hopeless) {
        const auto& only = made.states[0];
        inside = inside + made.top;
        start.weight += only.weight;
        start.fill += only.fill;
        start.worth = start.worth + only.worth;
        start.left = history_.join(start.left, only.left);
      }
    }
    start.fill = std::min(start.fill, useful_[section]);
    return true;
  }

  void add(State<T>& state, std::size_t option, std::size_t section) const {
    state.weight += in_.option_weight[option];
    state.fill += fill_of(section, option);
    state.worth = state.worth + model_.worth[option];
  }

  /// The options of a node by themselves, those that lose at most `limit`.
  Frontier<T> own_states(std::size_t node, const Window<T>& window, const T& limit, T& top) {
    Frontier<T> states;
    const auto section = at(in_.node_section[node]);
    for (auto i = model_.first(node); i < model_.last(node); ++i) {
      State<T> state;
      add(state, i, section);
      state.left = history_.deviate(node, static_cast<std::uint32_t>(i - model_.first(node)));
      const T comes_to = T(0) - window.loss(T(0), state);
      top = states.empty() ? comes_to : std::max(top, comes_to);
      states.push_back(state);
    }
    states.erase(std::remove_if(states.begin(), states.end(),
                                [&](const State<T>& state) { return limit < window.loss(top, state); }),
                 states.end());
    return states;
  }

  /// What the nodes of a tree can do together: bottom-up, each node being in.
  bool build_tree(std::size_t root, const Window<T>& window, const T& limit, Merger<T>& merger, Class<T>& made) {
    const auto size = model_.end[root] - root;
    std::vector<T> way_in(size, T(0)), top(size, T(0));  // what it loses to bring a node in; what its states come to
    std::vector<Frontier<T>> inside(size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto node = root + i;
      if (i > 0) way_in[i] = way_in[at(in_.node_parent[node]) - root];
      if (in_.node_forced[node] == 0 && prices_.best[node] < T(0)) way_in[i] = way_in[i] - prices_.best[node];
      inside[i] = own_states(node, window, T(limit - way_in[i]), top[i]);
    }
    for (auto i = size; i-- > 0;) {
      const T above = i == 0 ? T(0) : way_in[at(in_.node_parent[root + i]) - root];
      Class<T> one;
      one.states = std::move(inside[i]);
      add_way_out(root + i, T(limit - above), window, merger, one);
      if (i == 0) {
        made = std::move(one);
        return true;
      }
      const auto parent = at(in_.node_parent[root + i]) - root;
      if (!merger.merge(inside[parent], top[parent], one, window, nullptr, T(limit - above))) return false;
      for (auto& state : inside[parent]) state.loss = state.loss + above;
      cut(inside[parent]);
      if (!merger.join(inside[parent])) return false;
      top[parent] = top[parent] + one.top;
    }
    return true;
  }

  void add_way_out(std::size_t node, const T& limit, const Window<T>& window, Merger<T>& merger, Class<T>& one) {
    one.top = prices_.standing(node);
    if (in_.node_forced[node] == 0 && !(limit < one.top)) {
      State<T> out;
      if (in_.node_parent[node] < 0) out.left = history_.deviate(node, kOut);
      one.states.push_back(out);
    }
    if (one.states.size() > 1) merger.sieve(one.states, window.useful > 0);
    for (auto& state : one.states) state.loss = window.loss(one.top, state);
    one.sort();
  }

  /// Keeps the `beam_` states of least loss.
  void cut(Frontier<T>& states) {
    if (states.size() <= beam_) return;
    losses_.clear();
    for (const auto& state : states) losses_.push_back(state.loss);
    const auto limit = losses_.begin() + static_cast<std::ptrdiff_t>(beam_);
    std::nth_element(losses_.begin(), limit, losses_.end());
    const T least_dropped = *limit;
    const auto below = static_cast<std::size_t>(
        std::count_if(losses_.begin(), losses_.end(), [&](const T& loss) { return loss < least_dropped; }));
    std::size_t equal = beam_ - below;
    std::size_t kept = 0;
    for (const auto& state : states) {
      if (least_dropped < state.loss || (state.loss == least_dropped && equal == 0)) continue;
      if (state.loss == least_dropped) --equal;
      states[kept++] = state;
    }
    states.resize(kept);
    const T lost = least_dropped + elsewhere_;
    dropped_ = has_dropped_ ? std::min(dropped_, lost) : lost;
    has_dropped_ = true;
  }

  /// Takes off what the floor lacks, and learns what anything better loses in here. False: nothing better is left.
  bool leave(std::size_t section, const T& inside, Merger<T>& merger) {
    const auto around = at(in_.section_around[section]);
    const T top = prices_.left(section, inside);
    const T limit = allowed() - elsewhere_;
    bool has_least = has_dropped_;
    T least = has_dropped_ ? T(dropped_ - elsewhere_) : T(0);
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
        if (model_.is_leaf(root) && settled_[root].option != kOut)
          choice_[root] = static_cast<std::int32_t>(settled_[root].option - model_.first(root));
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
  std::vector<Settled> settled_;
  std::vector<T> least_;              ///< what anything better loses in a section
  std::vector<std::int64_t> useful_;  ///< fill beyond this fills nothing, in a section or around it
  std::vector<Frontier<T>> frontier_;
  std::size_t beam_ = kBeam;
  T elsewhere_{0};
  T dropped_{0};  ///< the least loss of what this round has dropped
  bool has_dropped_ = false;
  std::vector<T> losses_;
};

}  // namespace haversack::floors
