/// The first incumbent: what the prices ask for, then upgrade by upgrade in order of profit per token (the hull),
/// skipping what does not fit; at last whatever upgrade still fits.
#pragma once

#include "forest_base.hpp"

namespace haversack::forest {

template <class T>
class Greedy {
 public:
  explicit Greedy(const Base<T>& base) : base_(base), model_(base.model), evaluator_(base.model) {
    patience_ = 256 * model_.shape.unit.size();
  }

  Selection<T> run() {
    selection_ = base_.selection(base_.stays, base_.option);
    for (std::size_t section = 0; section < model_.cap.size(); ++section)
      slack_.push_back(model_.cap[section] - base_.weight[section]);
    fill(true);
    fill(false);
    return std::move(selection_);
  }

 private:
  struct Move {
    double efficiency;
    std::size_t node;
    std::uint32_t option;  ///< kOut: the node comes in, with what its subtree wants at `price`
    T weight, profit, price;
    /// In a heap, the greatest comes first: the most efficient, then the first node.
    bool operator<(const Move& other) const {
      if (efficiency != other.efficiency) return efficiency < other.efficiency;
      return node > other.node;
    }
  };

  void fill(bool on_hull) {
    on_hull_ = on_hull;
    const auto& sections = model_.shape.sections;
    for (section_ = 0; section_ < sections.size(); ++section_) {
      const auto end = at(model_.shape.node_end(section_));
      for (auto node = at(sections[section_].first_node); node < end;) node = consider(node);
    }
    std::make_heap(moves_.begin(), moves_.end());
    is_heap_ = true;
    for (int refused = 0; !moves_.empty();) {
      std::pop_heap(moves_.begin(), moves_.end());
      const Move move = moves_.back();
      moves_.pop_back();
      section_ = section_of(move.node);
      if (fits(move.weight)) {
        apply(move);
      } else {
        if (!on_hull_) consider(move.node);
        // Room is scarce by now: most of the rest will not fit either.
        if (++refused % 16 == 0) refresh();
      }
    }
    is_heap_ = false;
  }

  void refresh() {
    std::vector<Move> all;
    all.swap(moves_);
    is_heap_ = false;
    for (const auto& move : all) {
      section_ = section_of(move.node);
      if (fits(move.weight)) {
        moves_.push_back(move);
      } else if (!on_hull_) {
        consider(move.node);
      }
    }
    std::make_heap(moves_.begin(), moves_.end());
    is_heap_ = true;
  }

  void offer(const Move& move) {
    moves_.push_back(move);
    if (is_heap_) std::push_heap(moves_.begin(), moves_.end());
  }

  std::size_t section_of(std::size_t node) const {
    const auto& sections = model_.shape.sections;
    const auto after = std::partition_point(sections.begin(), sections.end(), [&](const Shape::Section& section) {
      return at(section.first_node) <= node;
    });
    return static_cast<std::size_t>(after - sections.begin()) - 1;
  }

  bool fits(const T& weight) const {
    for (auto section = static_cast<std::int32_t>(section_); section >= 0;
         section = model_.shape.sections[at(section)].parent)
      if (slack_[at(section)] < weight) return false;
    return true;
  }

  /// Offers the next move of a node, if it fits. Returns the node to consider next: subtrees that are out are one move.
  std::size_t consider(std::size_t node) {
    if (selection_.choice[node] != kOut) {
      consider_upgrade(node);
      return node + 1;
    }
    const auto parent = model_.shape.parent[node];
    if (on_hull_ && (parent < 0 || selection_.choice[at(parent)] != kOut)) consider_entry(node);
    return at(model_.shape.end[node]);
  }

  void consider_upgrade(std::size_t node) {
    const auto current = selection_.choice[node];
    const auto& now = model_.options[current];
    // Nothing heavier than the next option fits if that does not: most nodes are done with here.
    if (current + 1 == model_.begin[node + 1] || !fits(model_.options[current + 1].weight - now.weight)) return;
    std::uint32_t best = kOut;
    double best_efficiency = 0;
    for (auto i = current + 1; i < model_.begin[node + 1]; ++i) {
      const auto& next = model_.options[i];
      if (!on_hull_ && !fits(next.weight - now.weight)) break;
      const double efficiency =
          static_cast<double>(next.profit - now.profit) / static_cast<double>(next.weight - now.weight);
      if (best != kOut && efficiency <= best_efficiency) continue;
      best = i;
      best_efficiency = efficiency;
    }
    if (best == kOut) return;
    const auto& next = model_.options[best];
    if (fits(next.weight - now.weight))
      offer({best_efficiency, node, best, next.weight - now.weight, next.profit - now.profit, T(0)});
  }

  /// The most efficient subtree that brings `node` in, by Dinkelbach's iteration (1967): price it at its own ratio
  /// until that no longer rises.
  void consider_entry(std::size_t node) {
    T price(0);
    auto demand = evaluator_.subtree(node, price, true);
    if (!(T(0) < demand.profit)) return;
    for (int round = 0; round < 40 && T(0) < demand.weight; ++round) {
      const T ratio = floor_div(demand.profit, demand.weight);
      if (!(price < ratio) || base_.model.price_limit[section_] < ratio) break;
      const auto next = evaluator_.subtree(node, ratio, true);
      // At exactly its own ratio nothing below it is wanted any more: what would enter adds nothing.
      if (!(T(0) < next.profit)) break;
      price = ratio;
      demand = next;
    }
    if (!fits(demand.weight) && !lighten(node, price, demand)) return;
    const double weight = std::max(static_cast<double>(demand.weight), 0.5);
    offer({static_cast<double>(demand.profit) / weight, node, kOut, demand.weight, demand.profit, price});
  }

  /// The dearest subtree that still fits, where the most efficient one is too heavy: at a higher price it is lighter.
  bool lighten(std::size_t node, T& price, Demand<T>& demand) {
    const T limit = model_.price_limit[section_];
    const auto size = at(model_.shape.end[node]) - node;
    if (patience_ < size) return false;
    const auto lightest = evaluator_.subtree(node, limit, true);
    patience_ -= size;
    if (!fits(lightest.weight)) return false;
    T low = price;
    price = limit;
    demand = lightest;
    for (; low + T(1) < price && size <= patience_; patience_ -= size) {
      const T middle = low + (price - low) / T(2);
      const auto wanted = evaluator_.subtree(node, middle, true);
      const bool is_lighter = fits(wanted.weight);
      (is_lighter ? price : low) = middle;
      if (is_lighter) demand = wanted;
    }
    return T(0) < demand.profit;
  }

  void apply(const Move& move) {
    for (auto section = static_cast<std::int32_t>(section_); section >= 0;
         section = model_.shape.sections[at(section)].parent)
      slack_[at(section)] = slack_[at(section)] - move.weight;
    selection_.weight = selection_.weight + move.weight;
    selection_.profit = selection_.profit + move.profit;
    if (move.option != kOut) {
      selection_.choice[move.node] = move.option;
      consider_upgrade(move.node);
      return;
    }
    enter(move.node, move.price);
    for (auto node = move.node; node < at(model_.shape.end[move.node]);) node = consider(node);
  }

  void enter(std::size_t root, const T& price) {
    const auto& shape = model_.shape;
    const auto end = at(shape.end[root]);
    std::vector<T> reduced(end - root, T(0));
    for (auto node = end; node-- > root;) {
      T own;
      const auto* best = best_option(model_.first(node), model_.last(node), price, own);
      selection_.choice[node] = static_cast<std::uint32_t>(best - model_.options.data());
      T& sum = reduced[node - root];
      sum = sum + own;
      if (node == root) break;
      if (shape.forced[node] == 0 && !model_.is_leaf(node) && !(T(0) < sum)) {
        selection_.choice[node] = kOut;
      } else {
        auto& above = reduced[at(shape.parent[node]) - root];
        above = above + sum;
      }
    }
    for (auto node = root + 1; node < end; ++node)
      if (selection_.choice[at(shape.parent[node])] == kOut) selection_.choice[node] = kOut;
  }

  const Base<T>& base_;
  const Model<T>& model_;
  Evaluator<T> evaluator_;
  Selection<T> selection_;
  std::vector<T> slack_;
  std::size_t section_ = 0;
  bool on_hull_ = true;
  std::vector<Move> moves_;  ///< gathered, then a heap
  bool is_heap_ = false;
  std::size_t patience_;  ///< nodes to look at where subtrees are made lighter
};

}  // namespace haversack::forest
