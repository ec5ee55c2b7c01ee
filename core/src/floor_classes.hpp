/// Partial selections of a section with floors: what they are compared by, and their merging.
#pragma once

#include "floor_prices.hpp"
#include "forest_frontier.hpp"

namespace haversack::floors {

using forest::Effort;
using forest::History;
using forest::kOut;

template <class T>
struct State {
  std::int64_t weight = 0;
  std::int64_t fill = 0;
  T worth{0};
  T loss{0};  ///< what comes of it loses at least, at the prices where it stands
  std::uint32_t left = 0, right = 0;
};

template <class T>
using Frontier = std::vector<State<T>>;

/// States of which exactly one is taken, by ascending loss.
template <class T>
struct Class {
  Frontier<T> states;
  T top{0};   ///< the most that they come to at the section's prices
  T rate{0};  ///< the least loss per unit of changing the weight

  void sort() {
    std::sort(states.begin(), states.end(), [](const State<T>& a, const State<T>& b) {
      if (a.loss != b.loss) return a.loss < b.loss;
      return a.weight != b.weight ? a.weight < b.weight : a.left < b.left;
    });
    bool has_rate = false;
    for (const auto& state : states) {
      const auto change = state.weight - states[0].weight;
      if (change == 0) continue;
      const T here = (state.loss - states[0].loss) / T(change < 0 ? -change : change);
      rate = has_rate ? std::min(rate, here) : here;
      has_rate = true;
    }
  }
};

/// How far the classes still to come can change a sum in one direction, and the least loss of a unit of that.
template <class T>
struct Reach {
  std::int64_t most = 0;
  T rate{0};

  void add(const Reach& other) {
    if (other.most == 0) return;
    rate = most == 0 ? other.rate : std::min(rate, other.rate);
    most += other.most;
  }
  void widen(std::int64_t change, const T& loss) {
    const T here = loss / T(change);
    rate = most == 0 ? here : std::min(rate, here);
    most = std::max(most, change);
  }
  /// What it loses to make up for so many units: each at `each`, or by a change while that is cheaper.
  [[nodiscard]] T cheapest(std::int64_t units, const T& each) const {
    if (most == 0 || !(rate < each)) return each * T(units);
    const auto changed = std::min(units, most);
    return rate * T(changed) + each * T(units - changed);
  }
};

/// The classes still to come: the first states of all, and how the others differ from these.
template <class T>
struct Rest {
  std::int64_t weight = 0;
  std::int64_t fill = 0;
  T worth{0}, loss{0};
  std::uint32_t history = 0;
  Reach<T> lighter, heavier, emptier, fuller;

  void add(const Class<T>& one, History& histories) {
    const auto& first = one.states[0];
    Reach<T> reach[4];
    for (const auto& state : one.states) {
      const T loss_here = state.loss - first.loss;
      const auto heavy = state.weight - first.weight;
      const auto full = state.fill - first.fill;
      if (heavy != 0) reach[heavy < 0 ? 0 : 1].widen(heavy < 0 ? -heavy : heavy, loss_here);
      if (full != 0) reach[full < 0 ? 2 : 3].widen(full < 0 ? -full : full, loss_here);
    }
    lighter.add(reach[0]);
    heavier.add(reach[1]);
    emptier.add(reach[2]);
    fuller.add(reach[3]);
    weight += first.weight;
    fill += first.fill;
    worth = worth + first.worth;
    loss = loss + first.loss;
    history = histories.join(history, first.left);
  }
};

/// A section as its partial selections see it.
template <class T>
struct Window {
  Window(const Model<T>& model, const Prices<T>& prices, std::size_t section, std::int64_t useful_)
      : price(prices.price[section]), bonus(prices.bonus[section]), cap(model.in.section_cap[section]),
        floor(model.in.section_floor[section]), useful(useful_), margin(prices.margin(section)),
        beyond(prices.beyond(section)), lacking(model.penalty - beyond) {}

  [[nodiscard]] T loss(const T& top, const State<T>& state) const {
    return top - state.worth + price * T(state.weight) - bonus * T(state.fill);
  }

  /// Adds what a state still loses at least, whatever comes. False: it cannot fit any more.
  bool look_ahead(std::int64_t weight, std::int64_t fill, const Rest<T>& rest, T& lost) const {
    weight += rest.weight;
    T more;
    if (cap < weight) {
      if (rest.lighter.most < weight - cap) return false;
      more = rest.lighter.rate * T(weight - cap);
    } else {
      more = rest.heavier.cheapest(cap - weight, margin);
    }
    if (floor > 0) {
      fill += rest.fill;
      more = std::max(more, fill < floor ? rest.fuller.cheapest(floor - fill, lacking)
                                         : rest.emptier.cheapest(fill - floor, beyond));
    }
    lost = lost + more;
    return true;
  }

  T price, bonus;
  std::int64_t cap, floor;
  std::int64_t useful;  ///< fill beyond this fills nothing, here or around
  T margin, beyond, lacking;
};

/// Keeps the states of least loss, and the least loss of those it drops.
template <class T>
class Beam {
 public:
  void start(std::size_t width) {
    width_ = width;
    has_dropped = false;
  }

  /// `elsewhere`: what they lose besides.
  void cut(Frontier<T>& states, const T& elsewhere) {
    if (states.size() <= width_) return;
    losses_.clear();
    for (const auto& state : states) losses_.push_back(state.loss);
    const auto limit = losses_.begin() + static_cast<std::ptrdiff_t>(width_);
    std::nth_element(losses_.begin(), limit, losses_.end());
    const T least = *limit;
    auto equal = width_ - static_cast<std::size_t>(std::count_if(losses_.begin(), losses_.end(),
                                                                 [&](const T& loss) { return loss < least; }));
    std::size_t kept = 0;
    for (const auto& state : states) {
      if (least < state.loss || (state.loss == least && equal == 0)) continue;
      if (state.loss == least) --equal;
      states[kept++] = state;
    }
    states.resize(kept);
    const T lost = least + elsewhere;
    dropped = has_dropped ? std::min(dropped, lost) : lost;
    has_dropped = true;
  }

  bool has_dropped = false;
  T dropped{0};

 private:
  std::size_t width_ = 0;
  std::vector<T> losses_;
};

}  // namespace haversack::floors
