/// The decisions of a section with floors as classes: those of single nodes, and those of trees that may go in or out.
#pragma once

#include "floor_merger.hpp"

namespace haversack::floors {

/// Of every leaf, given that its parent is in: the best decision, and what any other loses.
template <class T>
struct Leaves {
  Leaves() = default;
  Leaves(const Model<T>& model, const Prices<T>& prices, const std::vector<std::int64_t>& useful)
      : option(model.end.size(), kOut), second(model.end.size(), forest::greatest<T>()) {
    for (std::size_t node = 0; node < option.size(); ++node) {
      if (!model.is_leaf(node)) continue;
      const auto section = at(model.in.node_section[node]);
      bool has_one = model.in.node_forced[node] == 0;
      T best(0);
      for (auto i = model.first(node); i < model.last(node); ++i) {
        const auto fill = std::min(model.in.option_fill[i], useful[section]);
        T worth = prices.reduced(section, model.in.option_weight[i], fill, model.worth[i]);
        if (!has_one || best < worth) {
          std::swap(best, worth);
          option[node] = static_cast<std::uint32_t>(i - model.first(node));
          if (!has_one) {
            has_one = true;
            continue;
          }
        }
        second[node] = std::min(second[node], T(prices.standing(node) - worth));
      }
    }
  }

  std::vector<std::uint32_t> option;  ///< of each leaf, counted from 0; kOut: out
  std::vector<T> second;
};

/// Builds the classes of a section: decisions that lose at most `limit`, combinations within the beam.
template <class T>
class Trees {
 public:
  Trees(const Model<T>& model, const Prices<T>& prices, const Leaves<T>& leaves, History& history, Merger<T>& merger,
        Beam<T>& beam, const Window<T>& window, const T& limit, const T& elsewhere)
      : model_(model), in_(model.in), prices_(prices), leaves_(leaves), history_(history), merger_(merger), beam_(beam),
        window_(window), limit_(limit), elsewhere_(elsewhere) {}

  std::vector<Class<T>> classes;
  State<T> settled;          ///< all that is decided; of leaves without a parent without history
  T top{0};                  ///< the most that what is settled comes to
  bool is_hopeless = false;  ///< nothing better is left

  /// False: the effort is spent.
  bool build(std::size_t section) {
    is_hopeless = limit_ < T(0);
    for (std::size_t i = 0; i < model_.roots[section].size() && !is_hopeless; ++i) {
      open_.push_back(model_.roots[section][i]);
      while (!open_.empty() && !is_hopeless) {
        const auto node = open_.back();
        open_.pop_back();
        if (!add(node)) return false;
      }
    }
    settled.fill = std::min(settled.fill, window_.useful);
    return true;
  }

 private:
  /// A node whose parent certainly is in. If it certainly is in too, its children are trees of their own.
  bool add(std::size_t node) {
    if (model_.is_leaf(node) && limit_ < leaves_.second[node]) {
      settle(node);
      return true;
    }
    Class<T> made;
    const bool stays = in_.node_forced[node] != 0 || limit_ < prices_.best[node];
    if (stays && !model_.is_leaf(node)) {
      made.states = own_states(node, limit_, made.top);
      for (auto& state : made.states) state.loss = window_.loss(made.top, state);
      made.sort();
      for (auto child = node + 1; child < model_.end[node]; child = model_.end[child]) open_.push_back(child);
    } else if (!build_tree(node, made)) {
      return false;
    }
    if (made.states.empty()) is_hopeless = true;
    else if (made.states.size() > 1) classes.push_back(std::move(made));
    else join(made.states[0], made.top);
    return true;
  }

  void settle(std::size_t leaf) {
    const auto option = leaves_.option[leaf];
    State<T> state;
    if (option != kOut) {
      take(state, model_.first(leaf) + option);
      if (in_.node_parent[leaf] >= 0) state.left = history_.deviate(leaf, option);
    }
    join(state, prices_.standing(leaf));
  }

  void join(const State<T>& state, const T& comes_to) {
    settled.weight += state.weight;
    settled.fill += state.fill;
    settled.worth = settled.worth + state.worth;
    settled.left = history_.join(settled.left, state.left);
    top = top + comes_to;
  }

  void take(State<T>& state, std::size_t option) const {
    state.weight += in_.option_weight[option];
    state.fill += std::min(in_.option_fill[option], window_.useful);
    state.worth = state.worth + model_.worth[option];
  }

  /// The options of a node by themselves, those that lose at most `limit`, in order.
  Frontier<T> own_states(std::size_t node, const T& limit, T& comes_to) {
    Frontier<T> states;
    for (auto i = model_.first(node); i < model_.last(node); ++i) {
      State<T> state;
      take(state, i);
      state.left = history_.deviate(node, static_cast<std::uint32_t>(i - model_.first(node)));
      const T here = T(0) - window_.loss(T(0), state);
      comes_to = states.empty() ? here : std::max(comes_to, here);
      states.push_back(state);
    }
    states.erase(std::remove_if(states.begin(), states.end(),
                                [&](const State<T>& state) { return limit < window_.loss(comes_to, state); }),
                 states.end());
    merger_.sieve(states, window_.useful > 0);
    return states;
  }

  /// What the nodes of a tree can do together: bottom-up, each node being in.
  bool build_tree(std::size_t root, Class<T>& made) {
    const auto size = model_.end[root] - root;
    std::vector<T> way_in(size, T(0)), tops(size, T(0));  // what bringing a node in loses; what its states come to
    std::vector<Frontier<T>> inside(size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto node = root + i;
      if (i > 0) way_in[i] = way_in[at(in_.node_parent[node]) - root];
      if (in_.node_forced[node] == 0 && prices_.best[node] < T(0)) way_in[i] = way_in[i] - prices_.best[node];
      inside[i] = own_states(node, T(limit_ - way_in[i]), tops[i]);
    }
    for (auto i = size; i-- > 0;) {
      const auto parent = i == 0 ? 0 : at(in_.node_parent[root + i]) - root;
      const T above = i == 0 ? T(0) : way_in[parent];
      Class<T> one;
      one.states = std::move(inside[i]);
      add_way_out(root + i, T(limit_ - above), one);
      if (i == 0) {
        made = std::move(one);
        return true;
      }
      if (!merger_.merge(inside[parent], tops[parent], one, window_, nullptr, T(limit_ - above))) return false;
      for (auto& state : inside[parent]) state.loss = state.loss + above;
      beam_.cut(inside[parent], elsewhere_);
      if (!merger_.join(inside[parent])) return false;
      tops[parent] = tops[parent] + one.top;
    }
    return true;
  }

  void add_way_out(std::size_t node, const T& limit, Class<T>& one) {
    one.top = prices_.standing(node);
    if (in_.node_forced[node] == 0 && !(limit < one.top)) {
      State<T> out;
      if (in_.node_parent[node] < 0) out.left = history_.deviate(node, kOut);
      one.states.push_back(out);
    }
    if (one.states.size() > 1) merger_.sieve(one.states, window_.useful > 0);
    for (auto& state : one.states) state.loss = window_.loss(one.top, state);
    one.sort();
  }

  const Model<T>& model_;
  const FloorInstance& in_;
  const Prices<T>& prices_;
  const Leaves<T>& leaves_;
  History& history_;
  Merger<T>& merger_;
  Beam<T>& beam_;
  const Window<T>& window_;
  T limit_, elsewhere_;
  std::vector<std::size_t> open_;
};

}  // namespace haversack::floors
