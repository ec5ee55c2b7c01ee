#pragma once

#include "haversack/types.hpp"

namespace haversack {

/// Borrowed columns of a 0-1 knapsack problem. Exactly one of `profits` and `real_profits` is set.
struct Instance {
  std::size_t size = 0;
  const Weight* weights = nullptr;       ///< 0 <= weight < kWeightLimit
  const Profit* profits = nullptr;       ///< any int64
  const double* real_profits = nullptr;  ///< finite; each is the binary number it holds
  const std::uint8_t* pinned = nullptr;  ///< 1 where the item is always in; null: none is
  std::uint64_t weight_bits = 0;         ///< all_bits of the weights
  std::uint64_t profit_bits = 0;         ///< all_bits of the profits; of real ones largest_bits
  Weight capacity = 0;                   ///< what pins and the rest share; pins alone may exceed it
};

/// What a solve may spend. `states` counts partial packings created, never time: the answer is deterministic.
struct Limits {
  std::int64_t states = kUnlimited;
  bool (*interrupted)(void*) = nullptr;  ///< polled now and then; true abandons the solve
  void* context = nullptr;
};

}  // namespace haversack
