/// Equal units are taken in input order.
#pragma once

#include "forest_shape.hpp"

namespace haversack::forest {

/// Among leaves that are the same in options, section and parent, gives the richer choices to the earlier ones.
/// `choice` is by unit; `deviating` are nodes of which every group of equal leaves with different choices has at least
/// one.
void take_equals_in_order(const ForestInstance& instance, const Shape& shape,
                          const std::vector<std::int32_t>& deviating, std::vector<std::int32_t>& choice);

}  // namespace haversack::forest
