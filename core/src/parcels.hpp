#pragma once

#include <vector>

#include "haversack/instance.hpp"
#include "scan.hpp"

namespace haversack {

/// Equal items moved together, by one step of a search: `size` of them from `first` on.
struct Parcel {
  std::size_t first;
  std::size_t size;
};

/// Splits every run of n equal items into parcels of 1, 2, 4, ... and the rest, of which any number up to n can be
/// made, where that pays because the kinds are few; else every item is its own parcel. Grouping reorders items of
/// equal efficiency. `break_item` tells the sides: equal items on different sides are kept apart.
[[nodiscard]] std::vector<Parcel> make_parcels(const Instance& instance, const Ranked& break_item, bool may_group,
                                               std::vector<Ranked>& items);

}  // namespace haversack
