#include "greedy.hpp"

#include <algorithm>
#include <limits>

namespace haversack {

std::vector<ItemId> greedy_selection(const Scan& scan, const Ranked& break_item, Weight room) {
  std::vector<Ranked> items;
  for (std::size_t i = 0; i < scan.size(); ++i) {
    const Ranked ranked = scan.ranked(i);
    const bool is_free = ranked.efficiency == std::numeric_limits<double>::infinity();
    if (ranked.efficiency >= 0.0 && !is_free) items.push_back(ranked);
  }
  std::sort(items.begin(), items.end(), by_efficiency);
  std::vector<ItemId> moved;
  for (const Ranked& ranked : items) {
    const bool fits = ranked.weight <= room;
    if (fits) room -= ranked.weight;
    if (fits != by_efficiency(ranked, break_item)) moved.push_back(ranked.item);
  }
  return moved;
}

}  // namespace haversack
