#pragma once

#include <vector>

#include "scan.hpp"

namespace haversack {

/// All items by falling efficiency, each if it fits. Returns those on the other side than at the break.
[[nodiscard]] std::vector<ItemId> greedy_selection(const Scan& scan, const Ranked& break_item, Weight room);

}  // namespace haversack
