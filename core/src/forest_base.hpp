/// The selection that the prices ask for, the bound they prove, and what every deviation loses.
#pragma once

#include "forest_prices.hpp"

namespace haversack::forest {

inline constexpr std::uint32_t kOut = std::numeric_limits<std::uint32_t>::max();

/// A decision for every node: a position in the model's options, or kOut.
template <class T>
struct Selection {
  std::vector<std::uint32_t> choice;
  T profit{0};
  T weight{0};
};

/// Above every loss that matters.
template <class T>
const T& greatest() {
  static const T number = power_of_two<T>(Width<T>::product);
  return number;
}

/// The value of any selection is `bound` less the losses of its decisions less price times unused tokens, section by
/// section. Only decisions whose loss is at most bound - incumbent can lead to something better.
template <class T>
class Base {
 public:
  Base(const Model<T>& model_, std::vector<T> price_) : model(model_), price(std::move(price_)) {
    const auto nodes = model.shape.unit.size();
    option.resize(nodes);
    alternative.assign(nodes, greatest<T>());
    stays.assign(nodes, 1);
    reduced.resize(nodes);
    for (std::size_t section = 0; section < price.size(); ++section) evaluate(section);
    deviate();
    add_up();
  }

  /// What the price asks for, except where `stays` or `option` have been changed by the caller's copy of them.
  [[nodiscard]] Selection<T> selection(const std::vector<std::uint8_t>& stays_,
                                       const std::vector<std::uint32_t>& option_) const {
    Selection<T> result;
    result.choice.resize(option_.size());
    for (std::size_t node = 0; node < option_.size(); ++node) {
      const auto parent = model.shape.parent[node];
      const bool in = stays_[node] != 0 && (parent < 0 || result.choice[at(parent)] != kOut);
      result.choice[node] = in ? option_[node] : kOut;
      if (!in) continue;
      result.profit = result.profit + model.options[option_[node]].profit;
      result.weight = result.weight + model.options[option_[node]].weight;
    }
    return result;
  }

  /// The loss of an option against the best one of its node.
  [[nodiscard]] T loss(std::size_t node, const Option<T>& other, const T& price_here) const {
    const auto& best = model.options[option[node]];
    return (best.profit - price_here * best.weight) - (other.profit - price_here * other.weight);
  }

  const Model<T>& model;
  std::vector<T> price;
  std::vector<std::uint32_t> option;  ///< of each node, the best at its price
  std::vector<std::uint8_t> stays;    ///< 1: in, if its parent is
  std::vector<T> reduced;             ///< profit less price times weight of its best subtree, being in
  std::vector<T> alternative;  ///< least loss of deciding otherwise at this node; greatest() if that says nothing
  std::vector<T> in_tree;      ///< of roots: the least `alternative` of the tree; empty if there are leaves only
  std::vector<T> weight;       ///< of each section with what lies in it
  T profit{0};
  T bound{0};

 private:
  void evaluate(std::size_t section) {
    const auto& shape = model.shape;
    const auto first = at(shape.sections[section].first_node);
    const T here = price[section];
    const T none = greatest<T>();
    for (std::size_t node = at(shape.node_end(section)); node-- > first;) {
      const auto begin = model.begin[node];
      T own = model.options[begin].profit - here * model.options[begin].weight;
      T second = own - none;
      std::uint32_t best = begin;
      for (auto i = begin + 1; i < model.begin[node + 1]; ++i) {
        const T worth = model.options[i].profit - here * model.options[i].weight;
        const bool is_better = own < worth;
        second = is_better ? own : std::max(second, worth);
        best = is_better ? i : best;
        own = is_better ? worth : own;
      }
      option[node] = best;
      alternative[node] = own - second;
      if (model.is_leaf(node)) {
        reduced[node] = own;
      } else {
        reduced[node] = reduced[node] + own;
        stays[node] = shape.forced[node] != 0 || T(0) < reduced[node] ? 1 : 0;
      }
      if (shape.parent[node] >= 0 && stays[node] != 0) {
        auto& above = reduced[at(shape.parent[node])];
        above = above + reduced[node];
      }
    }
  }

  /// Going out, or in, is a deviation too; below a node that is out there are none of their own.
  void deviate() {
    const auto& shape = model.shape;
    active_.assign(option.size(), 1);
    for (std::size_t node = 0; node < option.size(); ++node) {
      const auto parent = shape.parent[node];
      if (parent >= 0) active_[node] = active_[at(parent)] != 0 && stays[at(parent)] != 0 ? 1 : 0;
      if (active_[node] == 0) {
        alternative[node] = greatest<T>();
      } else if (!model.is_leaf(node) && shape.forced[node] == 0) {
        alternative[node] = stays[node] != 0 ? std::min(alternative[node], reduced[node]) : T(0) - reduced[node];
      }
    }
    bool has_trees = false;
    for (const auto parent : shape.parent) has_trees = has_trees || parent >= 0;
    if (!has_trees) return;
    in_tree = alternative;
    for (std::size_t node = option.size(); node-- > 0;)
      if (shape.parent[node] >= 0)
        in_tree[at(shape.parent[node])] = std::min(in_tree[at(shape.parent[node])], in_tree[node]);
  }

  void add_up() {
    const auto& sections = model.shape.sections;
    weight.assign(sections.size(), T(0));
    for (std::size_t section = 0; section < sections.size(); ++section) {
      const auto outer = sections[section].parent;
      const auto end = at(model.shape.node_end(section));
      for (auto node = at(sections[section].first_node); node < end; ++node) {
        if (active_[node] != 0 && stays[node] != 0) {
          weight[section] = weight[section] + model.options[option[node]].weight;
          profit = profit + model.options[option[node]].profit;
        }
        if (model.shape.parent[node] < 0 && stays[node] != 0) bound = bound + reduced[node];
      }
      bound = bound + (outer < 0 ? price[section] : T(price[section] - price[at(outer)])) * model.cap[section];
      if (outer >= 0) weight[at(outer)] = weight[at(outer)] + weight[section];
    }
  }

  std::vector<std::uint8_t> active_;
};

}  // namespace haversack::forest
