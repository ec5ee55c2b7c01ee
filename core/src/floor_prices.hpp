/// Floors: the instance in one width of arithmetic, and the Lagrangian dual over it.
#pragma once

#include "forest_model.hpp"
#include "haversack/floors.hpp"

namespace haversack::floors {

using forest::at;

template <class T>
struct Model {
  Model(const FloorInstance& instance, int scale_) : in(instance), scale(scale_) {
    constexpr auto limbs = FloorInstance::kLimbs;
    const auto read = [&](const std::uint64_t* words) {
      const Wide wide(words);
      if constexpr (std::is_same_v<T, Wide>) return wide * scale;
      else return static_cast<T>(static_cast<Int128>(wide)) * scale;
    };
    for (std::size_t option = 0; option < in.option_weight.size(); ++option)
      worth.push_back(read(in.option_worth.data() + option * limbs));
    penalty = read(in.penalty.data());
    roots.resize(in.section_cap.size());
    inner.resize(in.section_cap.size());
    end.resize(in.node_parent.size());
    for (std::size_t node = end.size(); node-- > 0;) {
      end[node] = std::max(end[node], node + 1);
      if (in.node_parent[node] < 0) roots[at(in.node_section[node])].push_back(node);
      else end[at(in.node_parent[node])] = std::max(end[at(in.node_parent[node])], end[node]);
    }
    for (auto& list : roots) std::reverse(list.begin(), list.end());
    for (std::size_t section = 0; section + 1 < inner.size(); ++section)
      inner[at(in.section_around[section])].push_back(section);
  }

  [[nodiscard]] std::size_t first(std::size_t node) const { return static_cast<std::size_t>(in.option_begin[node]); }
  [[nodiscard]] std::size_t last(std::size_t node) const { return static_cast<std::size_t>(in.option_begin[node + 1]); }
  [[nodiscard]] bool is_leaf(std::size_t node) const { return end[node] == node + 1; }

  const FloorInstance& in;
  T scale;  ///< of all worths. Prices are integers: rounding them then loses little
  std::vector<T> worth;
  T penalty{0};
  std::vector<std::vector<std::size_t>> roots, inner;  ///< of each section: its trees, the sections directly inside
  std::vector<std::size_t> end;                        ///< nodes [node, end) are its subtree
};

/// A section's net price is that around it, but no less than the price at which its demand meets its cap, and no more
/// than that at which its demand reaches its floor. What is above the price around is price; what is below it is a
/// bonus on fill, at most the penalty. Any such prices prove a bound.
template <class T>
class Prices {
 public:
  explicit Prices(const Model<T>& model) : model_(model) {
    const auto sections = model.in.section_cap.size();
    T ceiling(1);
    for (const auto& worth : model.worth) ceiling = ceiling + (worth < T(0) ? T(0) - worth : worth);
    ceiling_ = ceiling;
    bottom_ = T(0) - ceiling - model.penalty * T(static_cast<std::int64_t>(sections) + 1);
    low_.assign(sections, bottom_);
    high_.assign(sections, ceiling_);
    at_low_.assign(sections, 0);
    at_high_.assign(sections, 0);
    for (std::size_t section = 0; section < sections; ++section) find_turns(section);
    spread();
    evaluate();
  }

  std::vector<T> price, bonus;  ///< by section
  std::vector<T> best;          ///< of each node, being in: the most that its subtree comes to
  std::vector<T> of_section;    ///< the bound of what lies in it, on leaving it

  [[nodiscard]] T reduced(std::size_t section, std::int64_t weight, std::int64_t fill, const T& worth) const {
    return worth - price[section] * T(weight) + bonus[section] * T(fill);
  }

  /// What the subtree of a node comes to at best, in or out.
  [[nodiscard]] T standing(std::size_t node) const {
    return model_.in.node_forced[node] != 0 ? best[node] : std::max(T(0), best[node]);
  }

  /// What a token of room unused loses on leaving a section, and one of fill beyond its floor.
  [[nodiscard]] T margin(std::size_t section) const { return step(price, section); }
  [[nodiscard]] T beyond(std::size_t section) const { return step(bonus, section); }

  /// The bound of a section at the prices around it, from that inside.
  [[nodiscard]] T left(std::size_t section, const T& inside) const {
    return inside + margin(section) * T(model_.in.section_cap[section]) -
           beyond(section) * T(model_.in.section_floor[section]);
  }

 private:
  struct Demand {
    std::int64_t weight = 0;
    std::int64_t fill = 0;
    void add(const Demand& other) {
      weight += other.weight;
      fill += other.fill;
    }
  };
  struct Sum {
    T worth{0};
    Demand demand;
  };

  [[nodiscard]] T step(const std::vector<T>& of, std::size_t section) const {
    const auto around = model_.in.section_around[section];
    return around < 0 ? of[section] : T(of[section] - of[at(around)]);
  }

  static T middle(const T& low, const T& high) { return forest::floor_div(T(low + high), T(2)); }

  void find_turns(std::size_t section) {
    const auto cap = model_.in.section_cap[section];
    const auto floor = model_.in.section_floor[section];
    T low = section + 1 == low_.size() ? T(0) : bottom_;
    if (cap < demand(section, low, false).weight) {
      T high = ceiling_;
      while (low + T(1) < high) {
        const T price_here = middle(low, high);
        (cap < demand(section, price_here, false).weight ? low : high) = price_here;
      }
      low_[section] = high;
      const auto wanted = demand(section, high, false);
      at_low_[section] = wanted.fill + cap - wanted.weight;
    }
    if (floor == 0 || !(demand(section, ceiling_, true).fill < floor)) return;
    T reaches = bottom_;
    T above = ceiling_;
    while (reaches + T(1) < above) {
      const T price_here = middle(reaches, above);
      (demand(section, price_here, true).fill < floor ? above : reaches) = price_here;
    }
    high_[section] = std::max(reaches, low_[section]);
    const auto wanted = demand(section, high_[section], true);
    at_high_[section] = wanted.weight + std::min<std::int64_t>(0, floor - wanted.fill);
  }

  /// What a section wants at a net price; of equals the heaviest if `is_greedy`, else the lightest.
  Demand demand(std::size_t section, const T& net, bool is_greedy) {
    Demand sum;
    for (const auto root : model_.roots[section]) sum.add(tree(root, net, is_greedy));
    for (const auto inner : model_.inner[section]) {
      if (net < low_[inner]) sum.add({model_.in.section_cap[inner], at_low_[inner]});
      else if (high_[inner] < net) sum.add({at_high_[inner], model_.in.section_floor[inner]});
      else sum.add(demand(inner, net, is_greedy));
    }
    return sum;
  }

  Sum option(std::size_t node, const T& net, bool is_greedy) const {
    Sum best_one;
    for (auto i = model_.first(node); i < model_.last(node); ++i) {
      const auto weight = model_.in.option_weight[i];
      const auto fill = model_.in.option_fill[i];
      const T worth = fill > 0 || T(0) < net ? T(model_.worth[i] - net * T(weight)) : model_.worth[i];
      const bool is_first = i == model_.first(node);
      if (!is_first &&
          (worth < best_one.worth || (worth == best_one.worth && (best_one.demand.weight < weight) != is_greedy)))
        continue;
      best_one.worth = worth;
      best_one.demand = {weight, fill};
    }
    return best_one;
  }

  Demand tree(std::size_t root, const T& net, bool is_greedy) {
    const auto stays = [&](std::size_t node, const Sum& sum) {
      return model_.in.node_forced[node] != 0 || T(0) < sum.worth || (is_greedy && sum.worth == T(0));
    };
    if (model_.is_leaf(root)) {
      const auto sum = option(root, net, is_greedy);
      return stays(root, sum) ? sum.demand : Demand{};
    }
    sums_.assign(model_.end[root] - root, Sum{});
    for (auto node = model_.end[root]; node-- > root;) {
      const auto own = option(node, net, is_greedy);
      Sum& sum = sums_[node - root];
      sum.worth = sum.worth + own.worth;
      sum.demand.add(own.demand);
      if (!stays(node, sum)) sum = {};
      if (node == root) break;
      Sum& above = sums_[at(model_.in.node_parent[node]) - root];
      above.worth = above.worth + sum.worth;
      above.demand.add(sum.demand);
    }
    return sums_[0].demand;
  }

  void spread() {
    const auto sections = low_.size();
    price.assign(sections, T(0));
    bonus.assign(sections, T(0));
    price.back() = std::max(T(0), low_.back());
    for (auto section = sections - 1; section-- > 0;) {
      const auto around = at(model_.in.section_around[section]);
      price[section] = price[around];
      bonus[section] = bonus[around];
      const T net_around = price[around] - bonus[around];
      const T more = std::min(std::max(net_around, low_[section]), high_[section]) - net_around;
      if (T(0) < more) price[section] = price[section] + more;
      else if (model_.in.section_floor[section] > 0)
        bonus[section] = bonus[section] + std::min(T(T(0) - more), model_.penalty);
    }
  }

  void evaluate() {
    const auto& in = model_.in;
    best.assign(in.node_parent.size(), T(0));
    for (auto node = best.size(); node-- > 0;) {
      const auto section = at(in.node_section[node]);
      auto i = model_.first(node);
      T own = reduced(section, in.option_weight[i], in.option_fill[i], model_.worth[i]);
      for (++i; i < model_.last(node); ++i)
        own = std::max(own, reduced(section, in.option_weight[i], in.option_fill[i], model_.worth[i]));
      best[node] = best[node] + own;
      if (in.node_parent[node] < 0) continue;
      auto& above = best[at(in.node_parent[node])];
      above = above + standing(node);
    }
    of_section.assign(low_.size(), T(0));
    for (std::size_t section = 0; section < low_.size(); ++section) {
      T inside = of_section[section];
      for (const auto root : model_.roots[section]) inside = inside + standing(root);
      of_section[section] = left(section, inside);
      if (in.section_around[section] < 0) continue;
      auto& around = of_section[at(in.section_around[section])];
      around = around + of_section[section];
    }
  }

  const Model<T>& model_;
  T ceiling_{0}, bottom_{0};
  std::vector<T> low_, high_;  ///< net prices at which demand meets the cap, and reaches the floor
  std::vector<std::int64_t> at_low_, at_high_;
  std::vector<Sum> sums_;
};

}  // namespace haversack::floors
