#pragma once

#include "haversack/instance.hpp"
#include "haversack/solution.hpp"

namespace haversack {

/// Packs the instance: the greatest profit within the capacity, then the least weight.
/// Re-entrant; allocates in proportion to its work.
[[nodiscard]] Outcome solve(const Instance& instance, const Limits& limits);

/// The sum of `size` doubles where `mask` is 1, exact, rounded once to nearest even. Infinite if it overflows.
[[nodiscard]] double exact_sum(const double* values, const std::uint8_t* mask, std::size_t size);

/// For tests: with `enabled` false only baseline instructions are used. The answers are the same. Returns what was.
bool set_dispatch(bool enabled);

}  // namespace haversack
