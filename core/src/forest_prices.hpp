/// The Lagrangian dual: a price per token for the whole and for every section.
///
/// At a price, every tree decides by itself, bottom-up (Johnson and Niemi 1983 for the recursion). A section's own price
/// is the least at which its demand meets its cap; with nested caps the price that counts is the larger of that and the
/// one around it. These prices are optimal for the relaxation in which trees may be mixed. Any prices give a valid bound,
/// and all arithmetic is in integers, so the bound is exact.
#pragma once

#include "forest_model.hpp"

namespace haversack::forest {

template <class T>
struct Demand {
  T weight{0};
  T profit{0};
  void add(const Demand& other) {
    weight = weight + other.weight;
    profit = profit + other.profit;
  }
};

/// The option of greatest profit less price times weight; the lightest of several.
template <class T>
const Option<T>* best_option(const Option<T>* option, const Option<T>* last, const T& price, T& reduced) {
  const Option<T>* best = option;
  reduced = option->profit - price * option->weight;
  for (++option; option != last; ++option) {
    const T worth = option->profit - price * option->weight;
    if (reduced < worth) {
      reduced = worth;
      best = option;
    }
  }
  return best;
}

/// What subtrees want at a price.
template <class T>
class Evaluator {
 public:
  explicit Evaluator(const Model<T>& model) : model_(model) {}

  /// The demand of the subtree of `root`, a node without a parent.
  Demand<T> tree(std::size_t root, const T& price) {
    if (!model_.is_leaf(root)) return subtree(root, price, model_.shape.forced[root] != 0);
    T reduced;
    const auto* best = best_option(model_.first(root), model_.last(root), price, reduced);
    return {best->weight, best->profit};
  }

  /// The same for any node, given that its parent is in; `in`: it must be in.
  Demand<T> subtree(std::size_t root, const T& price, bool in) {
    const auto& shape = model_.shape;
    const std::size_t end = at(shape.end[root]);
    if (sums_.size() < end - root) sums_.resize(end - root);
    for (std::size_t i = 0; i < end - root; ++i) sums_[i] = {};
    for (std::size_t node = end; node-- > root;) {
      Sum& sum = sums_[node - root];
      T reduced;
      const auto* best = best_option(model_.first(node), model_.last(node), price, reduced);
      sum.demand.add({best->weight, best->profit});
      sum.reduced = sum.reduced + reduced;
      const bool stays = node == root ? in : shape.forced[node] != 0;
      if (!stays && !(T(0) < sum.reduced)) sum = {};
      if (node == root) break;
      Sum& above = sums_[at(shape.parent[node]) - root];
      above.demand.add(sum.demand);
      above.reduced = above.reduced + sum.reduced;
    }
    return sums_[0].demand;
  }

 private:
  struct Sum {
    Demand<T> demand;
    T reduced{0};
  };
  const Model<T>& model_;
  std::vector<Sum> sums_;
};

/// Finds the prices. Each search keeps a bracket and only the trees whose demand differs between its ends, so that it
/// costs a few passes in all.
template <class T>
class PriceSearch {
 public:
  explicit PriceSearch(const Model<T>& model) : model_(model), evaluator_(model) {}

  /// False: some price is too high for the width of T.
  bool run() {
    const auto& sections = model_.shape.sections;
    own_.assign(sections.size(), T(0));
    at_cap_.assign(sections.size(), {});
    for (std::size_t section = 0; section < sections.size(); ++section)
      if (!find_own(section)) return false;
    price = own_;
    for (std::size_t section = sections.size() - 1; section-- > 0;)
      price[section] = std::max(price[section], price[at(sections[section].parent)]);
    return true;
  }

  std::vector<T> price;  ///< that counts in each section

 private:
  struct Active {
    std::size_t root;
    Demand<T> low, high, now;  ///< at the bracket's lower and upper price, and in between
  };

  /// Sections with a higher price of their own use up their cap, whatever the price around them.
  bool is_full(std::size_t section, const T& price_around) const {
    return T(0) < own_[section] && !(own_[section] < price_around);
  }

  /// Calls `full(section)` or `open(section)` for `section` and the sections in it, skipping what lies in full ones.
  template <class Full, class Open>
  void walk(std::size_t section, const T& price_around, const Full& full, const Open& open) const {
    const auto& sections = model_.shape.sections;
    const auto first = sections[section].first_section;
    open(section);
    for (auto inner = static_cast<std::int32_t>(section) - 1; inner >= first;) {
      if (is_full(at(inner), price_around)) {
        full(at(inner));
        inner = sections[at(inner)].first_section - 1;
      } else {
        open(at(inner--));
      }
    }
  }

  template <class Visit>
  void each_tree(std::size_t section, const Visit& visit) const {
    const auto end = at(model_.shape.node_end(section));
    for (auto root = at(model_.shape.sections[section].first_node); root < end; root = at(model_.shape.end[root]))
      visit(root);
  }

  Demand<T> demand(std::size_t section, const T& price_here) {
    Demand<T> sum;
    walk(
        section, price_here, [&](std::size_t inner) { sum.add(at_cap_[inner]); },
        [&](std::size_t inner) {
          each_tree(inner, [&](std::size_t root) { sum.add(evaluator_.tree(root, price_here)); });
        });
    return sum;
  }

  bool find_own(std::size_t section) {
    const T& cap = model_.cap[section];
    if (!(cap < demand(section, T(0)).weight)) return true;
    // Between two neighbouring prices of the sections inside, each of these is either full or open.
    T low = T(0);
    T high = model_.price_limit[section];
    if (cap < demand(section, high).weight) return false;
    std::vector<T> inside(own_.begin() + model_.shape.sections[section].first_section,
                          own_.begin() + static_cast<std::ptrdiff_t>(section));
    std::sort(inside.begin(), inside.end());
    const auto meets = std::partition_point(inside.begin(), inside.end(), [&](const T& candidate) {
      return !(T(0) < candidate) || (candidate < high && cap < demand(section, candidate).weight);
    });
    if (meets != inside.end()) high = std::min(high, *meets);
    if (meets != inside.begin()) low = *(meets - 1);
    own_[section] = narrow(section, low, high);
    const auto sum = demand(section, own_[section]);
    at_cap_[section] = {cap, sum.profit + own_[section] * (cap - sum.weight)};
    return true;
  }

  /// The least price above `low`, at most `high`, at which the demand meets the cap.
  T narrow(std::size_t section, T low, T high) {
    Demand<T> fixed;
    active_.clear();
    walk(
        section, high, [&](std::size_t inner) { fixed.add(at_cap_[inner]); },
        [&](std::size_t inner) {
          each_tree(inner, [&](std::size_t root) {
            active_.push_back({root, evaluator_.tree(root, low), evaluator_.tree(root, high), {}});
          });
        });
    drop_settled(fixed);
    for (int round = 0; low + T(1) < high && !active_.empty(); ++round) {
      const T middle = std::min(std::max(round % 2 == 0 ? crossing() : median(), low + T(1)), high - T(1));
      Demand<T> sum = fixed;
      for (auto& tree : active_) {
        tree.now = evaluator_.tree(tree.root, middle);
        sum.add(tree.now);
      }
      const bool meets = !(model_.cap[section] < sum.weight);
      (meets ? high : low) = middle;
      for (auto& tree : active_) (meets ? tree.high : tree.low) = tree.now;
      drop_settled(fixed);
    }
    return active_.empty() ? std::min(high, low + T(1)) : high;
  }

  void drop_settled(Demand<T>& fixed) {
    auto kept = active_.begin();
    for (auto& tree : active_) {
      if (tree.low.weight == tree.high.weight) {
        fixed.add(tree.high);
      } else {
        *kept++ = tree;
      }
    }
    active_.erase(kept, active_.end());
  }

  /// Where the lines that touch the dual at the ends of the bracket cross.
  T crossing() const {
    Demand<T> low, high;
    for (const auto& tree : active_) {
      low.add(tree.low);
      high.add(tree.high);
    }
    return floor_div(T(low.profit - high.profit), T(low.weight - high.weight)) + T(1);
  }

  /// The median of such crossings over some single trees: it halves what is left even where the sums mislead.
  T median() const {
    std::vector<T> sample;
    const std::size_t step = active_.size() / 31 + 1;
    for (std::size_t i = 0; i < active_.size(); i += step) {
      const auto& tree = active_[i];
      sample.push_back(floor_div(T(tree.low.profit - tree.high.profit), T(tree.low.weight - tree.high.weight)) + T(1));
    }
    std::nth_element(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2), sample.end());
    return sample[sample.size() / 2];
  }

  const Model<T>& model_;
  Evaluator<T> evaluator_;
  std::vector<T> own_;             ///< 0: demand never exceeds the cap
  std::vector<Demand<T>> at_cap_;  ///< of a section with a price of its own: its cap, and the profit of filling it
  std::vector<Active> active_;
};

}  // namespace haversack::forest
