#pragma once

#include "effort.hpp"
#include "haversack/instance.hpp"
#include "haversack/solution.hpp"
#include "scan.hpp"

namespace haversack {

/// What is proven about the mask a flat solve leaves.
struct FlatResult {
  bool optimal = true;
  bool fewest_weight = true;
  bool too_wide = false;
  Weight weight = 0;       ///< of the chosen candidates
  WideProfit gap_int = 0;  ///< integer profits: a better selection is better by at most this
  double gap_real = 0.0;   ///< real profits: the same
};

/// The 0-1 knapsack without structure, when not everything fits: marks the chosen candidates in `outcome.mask`.
[[nodiscard]] FlatResult solve_flat(const Instance& instance, const Scan& scan, Break found, Weight room,
                                    bool greedy_only, Effort& effort, Outcome& outcome);

}  // namespace haversack
