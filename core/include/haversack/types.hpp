#pragma once

#include <cstddef>
#include <cstdint>

/// The words of the knapsack literature (Kellerer, Pferschy & Pisinger 2004): items have a weight and a profit.
namespace haversack {

using Weight = std::int64_t;
using Profit = std::int64_t;
using ItemId = std::uint32_t;

/// Sums and differences of profits that need more than 64 bits.
__extension__ typedef __int128 WideProfit;

/// Every weight, and every sum of weights of items that could be packed, stays below this.
constexpr Weight kWeightLimit = Weight{1} << 62;

/// No limit on the number of states.
constexpr std::int64_t kUnlimited = -1;

}  // namespace haversack
