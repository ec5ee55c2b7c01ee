#pragma once

#include <vector>

#include "haversack/instance.hpp"
#include "scan.hpp"

namespace haversack {

/// Marks in `mask` what is packed at the break, but for the `toggled` items, which go the other way. Items equal in
/// weight and profit are taken in the order of their positions.
void write_selection(const Instance& instance, const Scan& scan, const Ranked& break_item,
                     const std::vector<ItemId>& toggled, std::vector<std::uint8_t>& mask);

}  // namespace haversack
