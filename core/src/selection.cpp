#include "selection.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "blocks.hpp"
#include "kernels.hpp"

namespace haversack {
namespace {

/// An item and what makes its kind, copied: a sort must not read columns that a careless caller may be writing.
struct Kind {
  Weight weight;
  std::uint64_t profit;  ///< the bits of the profit
  ItemId item;

  [[nodiscard]] bool operator<(const Kind& other) const {
    return weight < other.weight || (weight == other.weight && profit < other.profit);
  }
};

std::vector<Kind> kinds_of(const Instance& instance, const std::vector<ItemId>& items) {
  std::vector<Kind> kinds;
  kinds.reserve(items.size());
  for (const ItemId item : items) {
    std::uint64_t bits;
    if (instance.profits != nullptr) {
      bits = static_cast<std::uint64_t>(instance.profits[item]);
    } else {
      std::memcpy(&bits, &instance.real_profits[item], sizeof bits);
    }
    kinds.push_back({instance.weights[item], bits, item});
  }
  return kinds;
}

/// Hands the places taken among items of one kind to the first of them; `near` holds all of the toggled kinds.
void settle_ties(const Instance& instance, const std::vector<ItemId>& toggled, const std::vector<ItemId>& near,
                 std::vector<std::uint8_t>& mask) {
  std::vector<Kind> moved = kinds_of(instance, toggled);
  std::sort(moved.begin(), moved.end());
  std::vector<Kind> kinds = kinds_of(instance, near);
  const auto is_other = [&](const Kind& kind) { return !std::binary_search(moved.begin(), moved.end(), kind); };
  kinds.erase(std::remove_if(kinds.begin(), kinds.end(), is_other), kinds.end());
  std::stable_sort(kinds.begin(), kinds.end());
  for (std::size_t first = 0; first < kinds.size();) {
    std::size_t last = first;
    std::size_t taken = 0;
    while (last < kinds.size() && !(kinds[first] < kinds[last])) taken += mask[kinds[last++].item];
    for (; first < last; ++first) {
      mask[kinds[first].item] = taken > 0;
      taken -= taken > 0;
    }
  }
}

}  // namespace

void write_selection(const Instance& instance, const Scan& scan, const Ranked& break_item,
                     const std::vector<ItemId>& toggled, std::vector<std::uint8_t>& mask) {
  const double price = break_item.efficiency;
  double low = price, high = price;
  for (const ItemId item : toggled) {
    low = std::min(low, scan.efficiency(item));
    high = std::max(high, scan.efficiency(item));
  }
  std::vector<ItemId> near;  // what could equal a toggled item, or ties with the break item
  for_each_flagged(
      scan,
      [&](const double* efficiency, std::size_t begin, std::size_t count, std::uint8_t* flags) {
        kernels().flag_between(efficiency, count, price, std::numeric_limits<double>::infinity(), mask.data() + begin);
        kernels().flag_between(efficiency, count, low, high, flags);
      },
      [&](std::size_t item, double efficiency) {
        near.push_back(static_cast<ItemId>(item));
        if (efficiency == price) mask[item] = by_efficiency(scan.ranked(item), break_item);
      });
  for (const ItemId item : toggled) mask[item] ^= 1;
  if (!toggled.empty()) settle_ties(instance, toggled, near, mask);
}

}  // namespace haversack
