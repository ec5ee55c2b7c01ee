#include "selection.hpp"

#include <algorithm>
#include <limits>

#include "blocks.hpp"
#include "kernels.hpp"

namespace haversack {
namespace {

/// Orders items by kind: equal in weight and profit.
class KindOrder {
 public:
  explicit KindOrder(const Instance& instance) : instance_(instance) {}

  bool operator()(ItemId a, ItemId b) const {
    if (instance_.weights[a] != instance_.weights[b]) return instance_.weights[a] < instance_.weights[b];
    return instance_.profits != nullptr ? instance_.profits[a] < instance_.profits[b]
                                        : instance_.real_profits[a] < instance_.real_profits[b];
  }

 private:
  const Instance& instance_;
};

/// Hands the places taken among items of one kind to the first of them; `near` holds all of the toggled kinds.
void settle_ties(const Instance& instance, const std::vector<ItemId>& toggled, std::vector<ItemId>& near,
                 std::vector<std::uint8_t>& mask) {
  const KindOrder less(instance);
  std::vector<ItemId> kinds(toggled);
  std::sort(kinds.begin(), kinds.end(), less);
  const auto is_other = [&](ItemId item) { return !std::binary_search(kinds.begin(), kinds.end(), item, less); };
  near.erase(std::remove_if(near.begin(), near.end(), is_other), near.end());
  std::stable_sort(near.begin(), near.end(), less);
  for (std::size_t first = 0; first < near.size();) {
    std::size_t last = first;
    std::size_t taken = 0;
    while (last < near.size() && !less(near[first], near[last])) taken += mask[near[last++]];
    for (; first < last; ++first) {
      mask[near[first]] = taken > 0;
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
