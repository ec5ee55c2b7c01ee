#pragma once

#include <algorithm>
#include <array>

#include "scan.hpp"

namespace haversack {

/// Goes over a scan block by block: `flag(efficiency, begin, count, flags)` marks items, `take(item, efficiency)`
/// gets the marked ones. For flags that are rare: the scalar part is small.
template <class Flag, class Take>
void for_each_flagged(const Scan& scan, const Flag& flag, const Take& take) {
  std::array<double, Scan::kBlock> buffer;
  std::array<std::uint8_t, Scan::kBlock> flags{};
  std::array<std::uint16_t, Scan::kBlock + 1> marked;
  for (std::size_t begin = 0; begin < scan.size(); begin += Scan::kBlock) {
    const std::size_t count = std::min(Scan::kBlock, scan.size() - begin);
    const double* efficiency = scan.load(begin, count, buffer.data());
    flag(efficiency, begin, count, flags.data());
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      marked[found] = static_cast<std::uint16_t>(i);
      found += flags[i];
    }
    for (std::size_t i = 0; i < found; ++i) take(begin + marked[i], efficiency[marked[i]]);
  }
}

}  // namespace haversack
