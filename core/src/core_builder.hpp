#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "haversack/instance.hpp"
#include "scan.hpp"
#include "search.hpp"

namespace haversack {

/// The integers of a set of items: a profit of 1 stands for 2^exponent. Integer profits have exponent 0; real
/// ones take the greatest power of two of which every value is a multiple, so nothing is rounded.
struct Scale {
  int exponent = 0;
  int bits = 0;  ///< of the largest profit in this unit
};

/// Bits of a number above 0.
inline int width_of(std::uint64_t number) { return number == 0 ? 0 : 64 - __builtin_clzll(number); }
inline int width_of(std::int64_t number) { return width_of(static_cast<std::uint64_t>(number)); }

/// value = mantissa * 2^exponent with an odd mantissa. Needs a finite value other than 0.
inline void split(double value, std::int64_t& mantissa, int& exponent) {
  mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  const int zeros = mantissa == 0 ? 0 : __builtin_ctzll(static_cast<std::uint64_t>(mantissa));
  mantissa >>= zeros;
  exponent += zeros;
}

class CoreBuilder {
 public:
  explicit CoreBuilder(const Instance& instance) : instance_(instance) {}

  [[nodiscard]] Scale scale_of(const std::vector<ItemId>& items) const {
    Scale scale;
    if (items.empty()) return scale;
    if (instance_.profits != nullptr) {
      for (const ItemId item : items) scale.bits = std::max(scale.bits, width_of(instance_.profits[item]));
      return scale;
    }
    int lowest = std::numeric_limits<int>::max();
    int highest = std::numeric_limits<int>::min();
    for (const ItemId item : items) {
      std::int64_t mantissa;
      int exponent;
      split(instance_.real_profits[item], mantissa, exponent);
      lowest = exponent < lowest ? exponent : lowest;
      const int top = exponent + width_of(mantissa);
      highest = top > highest ? top : highest;
    }
    scale.exponent = lowest;
    scale.bits = highest - lowest;
    return scale;
  }

  /// The item's profit in units of 2^scale.exponent. Needs scale.bits to fit P and a positive profit.
  template <class P>
  [[nodiscard]] P profit(ItemId item, const Scale& scale) const {
    if (instance_.profits != nullptr) return static_cast<P>(instance_.profits[item]);
    std::int64_t mantissa;
    int exponent;
    split(instance_.real_profits[item], mantissa, exponent);
    return static_cast<P>(mantissa) << (exponent - scale.exponent);
  }

 private:
  const Instance& instance_;
};

}  // namespace haversack
