#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "scan.hpp"

namespace haversack {

/// Goes over a scan block by block: `flag(efficiency, begin, count, flags)` marks items, `take(item, efficiency)`
/// gets the marked ones. For flags that are rare: the scalar part is small.
template <class Flag, class Take>
void for_each_flagged(const Scan& scan, const Flag& flag, const Take& take) {
  constexpr std::size_t kBlock = 512;
  std::array<std::uint8_t, kBlock> flags{};
  for (std::size_t begin = 0; begin < scan.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, scan.size() - begin);
    const double* efficiency = scan.efficiencies() + begin;
    flag(efficiency, begin, count, flags.data());
    std::fill(flags.begin() + static_cast<std::ptrdiff_t>(count), flags.end(), std::uint8_t{0});
    for (std::size_t word = 0; word < count; word += 8) {
      std::uint64_t eight;  // flags at once: most words hold none
      std::memcpy(&eight, flags.data() + word, 8);
      for (; eight != 0; eight &= eight - 1) {
        const std::size_t i = word + static_cast<std::size_t>(__builtin_ctzll(eight)) / 8;
        take(begin + i, efficiency[i]);
      }
    }
  }
}

}  // namespace haversack
