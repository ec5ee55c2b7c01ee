#pragma once

#include "haversack/instance.hpp"
#include "haversack/solution.hpp"

namespace haversack {

/// Packs the instance: the greatest profit within the capacity, then the least weight.
/// Re-entrant; allocates in proportion to its work.
[[nodiscard]] Outcome solve(const Instance& instance, const Limits& limits);

/// The bits that any of the numbers has; of a negative one those of its complement, and the sign bit.
[[nodiscard]] std::uint64_t all_bits(const std::int64_t* numbers, std::size_t size);

/// The bits of the double greatest in size, without its sign: at least those of infinity if one is not finite.
[[nodiscard]] std::uint64_t largest_bits(const double* numbers, std::size_t size);

/// The sum of `size` doubles where `mask` is 1, exact, rounded once to nearest even. Infinite if it overflows.
/// `bits` are their largest_bits.
[[nodiscard]] double exact_sum(const double* values, const std::uint8_t* mask, std::size_t size, std::uint64_t bits);

/// For tests: with `enabled` false only baseline instructions are used. The answers are the same. Returns what was.
bool set_dispatch(bool enabled);

}  // namespace haversack
