#pragma once

#include <vector>

#include "haversack/instance.hpp"

namespace haversack {

/// The items that compete, seen through their efficiency (profit / weight, in double).
/// Efficiencies guide the search and are only ever used with a margin that keeps more; profits decide.
struct Candidates {
  std::vector<double> efficiency;  ///< by item; +inf: free; negative: out (pinned, worthless, too heavy)
  std::size_t count = 0;           ///< items that compete
  Weight weight = 0;               ///< their total weight
  double profit = 0.0;             ///< their total profit, about
  bool too_wide = false;           ///< a sum of weights passes kWeightLimit
};

/// An item at the break: enough to order the neighbourhood of the break by efficiency.
struct Ranked {
  double efficiency;
  Weight weight;
  ItemId item;
};

/// The order of packing: by falling efficiency, then weight, so that equal items stand together, then position.
[[nodiscard]] inline bool by_efficiency(const Ranked& a, const Ranked& b) {
  if (a.efficiency != b.efficiency) return a.efficiency > b.efficiency;
  return a.weight < b.weight || (a.weight == b.weight && a.item < b.item);
}

/// The break (Dantzig 1957): items by falling efficiency are packed until one does not fit.
struct Break {
  std::vector<Ranked> window;  ///< the items around the break, by falling efficiency, then position
  std::size_t index = 0;       ///< window[index] is the break item: the first that does not fit
  Weight residual = 0;         ///< capacity left by the break solution
  double efficiency = 0.0;     ///< of the break item: the price of a unit of capacity
  bool has_before = false;     ///< items more efficient than the window exist; at least `before` efficient
  bool has_after = false;      ///< items less efficient than the window exist; at most `after` efficient
  double before = 0.0;
  double after = 0.0;
};

[[nodiscard]] Candidates find_candidates(const Instance& instance, Weight room);

/// Finds the break by sampling, bracketing and compressing: expected O(n), nothing is sorted but the window.
/// Needs candidates heavier than `room`.
[[nodiscard]] Break find_break(const Candidates& candidates, const Weight* weights, Weight room);

/// The items whose loss |profit - price x weight| is at most `gap`: only these can differ from the break
/// solution in a selection worth more than the incumbent.
[[nodiscard]] std::vector<Ranked> within_gap(const Candidates& candidates, const Weight* weights, double price,
                                             double gap);

}  // namespace haversack
