#pragma once

#include <vector>

#include "haversack/types.hpp"

namespace haversack {

enum class Status : std::uint8_t {
  optimal,      ///< no selection is worth more
  feasible,     ///< the effort was spent; `bound` says how much more there could be
  interrupted,  ///< abandoned by the caller
  too_wide,     ///< the numbers do not fit this arithmetic; nothing was decided
};

/// A selection with its proven bound. Integer instances use the `_int` fields, real ones the `_real` fields.
struct Outcome {
  Status status = Status::optimal;
  std::vector<std::uint8_t> mask;  ///< 1 where the item is in, pins included
  WideProfit value_int = 0;
  WideProfit bound_int = 0;
  double value_real = 0.0;  ///< the exact sum, rounded once
  double bound_real = 0.0;  ///< rounded up; equal to the value exactly when optimal
  Weight weight = 0;
  Weight pinned_weight = 0;
  bool fewest_weight = true;  ///< proven: no selection of the same value weighs less
  std::int64_t states = 0;    ///< partial packings created, over all phases
};

}  // namespace haversack
