#pragma once

#include "haversack/types.hpp"

namespace haversack {

/// The loops over whole columns, for the widest vectors this machine has.
struct Kernels {
  /// profit / weight where an item competes (a profit above 0, a weight up to `room`), else -1. The `small` ones
  /// need every number below 2^51 in size; the results are the same.
  void (*efficiency_int)(const Weight*, const Profit*, std::size_t, Weight room, double*);
  void (*efficiency_small_int)(const Weight*, const Profit*, std::size_t, Weight room, double*);
  void (*efficiency_real)(const Weight*, const double*, std::size_t, Weight room, double*);
  void (*efficiency_small_real)(const Weight*, const double*, std::size_t, Weight room, double*);
  /// Weight of the items more efficient than `low`.
  Weight (*weight_over)(const double* efficiency, const Weight*, std::size_t, double low);
  /// 1 where low <= efficiency <= high.
  void (*flag_between)(const double* efficiency, std::size_t, double low, double high, std::uint8_t*);
  /// 1 where |efficiency - price| x weight <= gap. Weights below 2^51.
  void (*flag_small_loss)(const double* efficiency, const Weight*, std::size_t, double price, double gap,
                          std::uint8_t*);
  /// The bits any number has; of a negative one those of its complement, and the sign bit.
  std::uint64_t (*all_bits)(const std::int64_t*, std::size_t);
  /// Sum where the mask is 1. The caller sees to it that it fits.
  Profit (*masked_sum)(const Profit*, const std::uint8_t* mask, std::size_t);
  /// The bits of the number greatest in size, without its sign.
  std::int64_t (*largest_bits)(const double*, std::size_t);
  /// Sums, where the mask is 1, each number's three digits in the units that three magic numbers 1.5 * 2^52 * unit
  /// round to. False if a number has a fourth.
  bool (*masked_digits)(const double*, const std::uint8_t* mask, std::size_t, const double* magic,
                        std::int64_t* digits);
};

[[nodiscard]] const Kernels& kernels();

}  // namespace haversack
