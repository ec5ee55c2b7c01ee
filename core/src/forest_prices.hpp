/// The Lagrangian dual: a price per token for the whole and for every section.
///
/// At a price, every tree decides by itself, bottom-up (Johnson and Niemi 1983 for the recursion). A section's own
/// price is the least at which its demand meets its cap; with nested caps the price that counts is the larger of that
/// and the one around it. These prices are optimal for the relaxation in which trees may be mixed. Any prices give a
/// valid bound, and all arithmetic is in integers, so the bound is exact.
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
  // Which one wins is anyone's guess, a branch predictor's too: select, do not jump.
  const Option<T>* best = option;
  reduced = option->profit - price * option->weight;
  for (++option; option != last; ++option) {
    const T worth = option->profit - price * option->weight;
    const bool is_better = reduced < worth;
    best = is_better ? option : best;
    reduced = is_better ? worth : reduced;
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
    T low = T(0);
    T high = model_.price_limit[section];
    // Between two neighbouring prices of the sections inside, each of these is either full or open.
    std::vector<T> inside;
    for (auto inner = at(model_.shape.sections[section].first_section); inner < section; ++inner)
      if (T(0) < own_[inner] && own_[inner] < high) inside.push_back(own_[inner]);
    std::sort(inside.begin(), inside.end());
    const auto meets = std::partition_point(
        inside.begin(), inside.end(), [&](const T& candidate) { return cap < demand(section, candidate).weight; });
    if (meets != inside.end()) high = *meets;
    if (meets != inside.begin()) low = *(meets - 1);
    if (inside.empty() && guess(section, low, high)) {
      own_[section] = narrow(cap, low, high);
    } else {
      Demand<T> at_low;
      Demand<T> at_high;
      bracket(section, low, high, at_low, at_high);
      if (cap < at_high.weight) return false;
      if (!(T(0) < low) && !(cap < at_low.weight)) return true;
      own_[section] = narrow(cap, low, high);
    }
    if (model_.shape.sections[section].parent < 0) return true;
    const auto sum = demand(section, own_[section]);
    at_cap_[section] = {cap, sum.profit + own_[section] * (cap - sum.weight)};
    return true;
  }

  /// Collects the trees that want something else at `low` than at `high`; the others are settled.
  void bracket(std::size_t section, const T& low, const T& high, Demand<T>& at_low, Demand<T>& at_high) {
    fixed_ = {};
    active_.clear();
    walk(
        section, high, [&](std::size_t inner) { fixed_.add(at_cap_[inner]); },
        [&](std::size_t inner) {
          each_tree(inner, [&](std::size_t root) {
            const auto wanted_low = evaluator_.tree(root, low);
            const auto wanted_high = evaluator_.tree(root, high);
            if (wanted_low.weight == wanted_high.weight) {
              fixed_.add(wanted_low);
            } else {
              at_low.add(wanted_low);
              at_high.add(wanted_high);
              active_.push_back({root, wanted_low, wanted_high, {}});
            }
          });
        });
    at_low.add(fixed_);
    at_high.add(fixed_);
  }

  /// Brackets the price by that of a sample of the trees, if there are many. False: there are not, or it missed.
  bool guess(std::size_t section, T& low, T& high) {
    const auto& place = model_.shape.sections[section];
    const auto nodes = at(model_.shape.node_end(section)) - at(place.first_node);
    const std::size_t sample = nodes < 10'000 ? 128 : 1024;
    const T margin = nodes < 10'000 ? 4 : 12;  // of the price: about three standard errors
    if (at(place.first_section) != section || nodes < 4 * sample) return false;
    active_.clear();
    fixed_ = {};
    std::size_t next = 0;
    each_tree(section, [&](std::size_t root) {
      if (root - at(place.first_node) < next) return;
      next += nodes / sample;
      active_.push_back({root, evaluator_.tree(root, low), evaluator_.tree(root, high), {}});
    });
    const T share = T(static_cast<std::int64_t>(active_.size()));
    if (active_.size() < sample / 2) return false;  // few trees, some of them large
    const T price_of_sample = narrow(model_.cap[section] / T(static_cast<std::int64_t>(nodes)) * share, low, high);
    const T lower = price_of_sample - price_of_sample / margin;
    const T upper = std::min(high, T(price_of_sample + price_of_sample / margin + T(1)));
    Demand<T> at_low;
    Demand<T> at_high;
    bracket(section, lower, upper, at_low, at_high);
    if (!(model_.cap[section] < at_low.weight) || model_.cap[section] < at_high.weight) return false;
    low = lower;
    high = upper;
    return true;
  }

  /// The least price above `low`, at most `high`, at which what is settled and active demands at most `cap`.
  T narrow(const T& cap, T low, T high) {
    drop_settled(fixed_);
    for (int round = 0; low + T(1) < high && !active_.empty(); ++round) {
      const T middle = std::min(std::max(round % 2 == 0 ? crossing() : median(), low + T(1)), high - T(1));
      Demand<T> sum = fixed_;
      for (auto& tree : active_) {
        tree.now = evaluator_.tree(tree.root, middle);
        sum.add(tree.now);
      }
      const bool meets = !(cap < sum.weight);
      (meets ? high : low) = middle;
      for (auto& tree : active_) (meets ? tree.high : tree.low) = tree.now;
      drop_settled(fixed_);
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
  Demand<T> fixed_;  ///< of the trees that are no longer active
};

}  // namespace haversack::forest
