/// The open decisions of a section as classes: alternatives to the base, each with its weight, profit and history.
#pragma once

#include "forest_frontier.hpp"

namespace haversack::forest {

/// Exactly one state of it is taken. A single decision of a node, all of a tree that may go in or out, or a section.
template <class T>
struct Class {
  Frontier<T> states;
  T least{0};   ///< the least that a state of it loses, known beforehand and counted from the start
  T offset{0};  ///< what any state of it loses besides price * weight - profit
};

/// Builds the classes of the trees of a section. A node that certainly stays in is no obstacle: its children are
/// classes of the section themselves. The others are merged, bottom-up, into what their tree can do as a whole.
template <class T>
class ClassBuilder {
 public:
  ClassBuilder(const Base<T>& base, History& history, Merger<T>& merger)
      : base_(base), model_(base.model), history_(history), merger_(merger) {}

  /// Appends the classes of the tree of `root`: decisions that lose at most `limit`, combinations that lose at most
  /// what `window` allows. False: the effort is spent.
  bool build(std::size_t root, const T& limit, const Window<T>& window, std::vector<Class<T>>& classes) {
    root_ = root;
    window_ = window;
    if (model_.is_leaf(root)) {
      add(own_options(root, limit), classes);
      return true;
    }
    find_allowances(limit);
    for (auto node = at(model_.shape.end[root]); node-- > root;)
      if (!finish(node, classes)) return false;
    return true;
  }

 private:
  struct Node {
    T allowance{0};  ///< what decisions at the node may lose, the node being in; negative: it cannot be in
    T path{0};       ///< what bringing it in loses, with all above it
    bool may_leave = false;
    bool is_top = false;  ///< all above it certainly stay in
    Demand<T> base;       ///< of its subtree, the node being in, against its being out
    Frontier<T> inside;
  };

  static void add(Frontier<T>&& states, std::vector<Class<T>>& classes) {
    if (states.size() < 2) return;
    classes.emplace_back();
    classes.back().states = std::move(states);
  }

  Frontier<T> own_options(std::size_t node, const T& allowance) {
    Frontier<T> states;
    const auto& best = model_.options[base_.option[node]];
    for (auto i = model_.begin[node]; i < model_.begin[node + 1]; ++i) {
      const auto& option = model_.options[i];
      if (i == base_.option[node]) {
        states.push_back({T(0), T(0), 0, 0});
      } else if (!(allowance < base_.loss(node, option, window_.price))) {
        states.push_back({option.weight - best.weight, option.profit - best.profit, history_.deviate(node, i), 0});
      }
    }
    return states;
  }

  /// Parents first: what is left to lose at every node, and which nodes may go either way.
  void find_allowances(const T& limit) {
    const auto& shape = model_.shape;
    nodes_.clear();
    nodes_.resize(at(shape.end[root_]) - root_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto node = root_ + i;
      Node& here = nodes_[i];
      const Node* above = shape.parent[node] < 0 ? nullptr : &nodes_[at(shape.parent[node]) - root_];
      here.allowance = above != nullptr ? above->allowance : limit;
      here.path = above != nullptr ? above->path : T(0);
      here.is_top = above == nullptr || (above->is_top && !above->may_leave);
      if (here.allowance < T(0)) continue;
      const bool may_choose = !model_.is_leaf(node) && shape.forced[node] == 0;
      here.may_leave = may_choose && (base_.stays[node] == 0 || !(here.allowance < base_.reduced[node]));
      if (base_.stays[node] != 0) continue;
      here.allowance = here.allowance + base_.reduced[node];
      here.path = here.path - base_.reduced[node];
    }
  }

  /// Children first: a node's own options join what its children have left there; then its class goes where it belongs.
  bool finish(std::size_t node, std::vector<Class<T>>& classes) {
    Node& here = nodes_[node - root_];
    const auto parent = model_.shape.parent[node];
    const auto& best = model_.options[base_.option[node]];
    here.base.add({best.weight, best.profit});
    if (parent >= 0 && base_.stays[node] != 0) nodes_[at(parent) - root_].base.add(here.base);
    if (here.allowance < T(0)) return true;
    auto own = own_options(node, here.allowance);
    if (here.is_top && !here.may_leave) {
      add(std::move(own), classes);
      return true;
    }
    if (!join(here, std::move(own))) return false;
    if (here.may_leave) add_way_out(node, here);
    if (here.is_top) {
      add(std::move(here.inside), classes);
      return true;
    }
    return join(nodes_[at(parent) - root_], std::move(here.inside));
  }

  bool join(Node& node, Frontier<T>&& states) {
    if (node.inside.empty()) {
      node.inside = std::move(states);
      return true;
    }
    if (states.size() == 1 && states[0].left == 0) return true;
    Window<T> window = window_;
    window.offset = window.offset + node.path;
    return merger_.merge(node.inside, states, window);
  }

  /// Turns states of a node that is in into states against its base decision, and adds that of its being out.
  void add_way_out(std::size_t node, Node& here) {
    State<T> out{T(0), T(0), 0, 0};
    if (base_.stays[node] != 0) {
      out = {T(0) - here.base.weight, T(0) - here.base.profit, history_.deviate(node, kOut), 0};
    } else {
      const auto enters = history_.deviate(node, History::kEnters);
      for (auto& state : here.inside) {
        state.weight = state.weight + here.base.weight;
        state.profit = state.profit + here.base.profit;
        state.left = history_.join(state.left, enters);
      }
    }
    Frontier<T> both;
    bool is_added = false;
    const auto keep = [&](const State<T>& state) {
      if (!both.empty() && !(both.back().profit < state.profit)) return;
      if (!both.empty() && both.back().weight == state.weight) both.pop_back();
      both.push_back(state);
    };
    for (const auto& state : here.inside) {
      if (!is_added && !(state.weight < out.weight)) {
        keep(out);
        is_added = true;
      }
      keep(state);
    }
    if (!is_added) keep(out);
    here.inside = std::move(both);
  }

  const Base<T>& base_;
  const Model<T>& model_;
  History& history_;
  Merger<T>& merger_;
  std::size_t root_ = 0;
  Window<T> window_{};
  std::vector<Node> nodes_;
};

}  // namespace haversack::forest
