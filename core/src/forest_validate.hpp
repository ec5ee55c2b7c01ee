/// Checks that a forest instance is one.
#pragma once

#include "haversack/forest.hpp"

namespace haversack::forest {

/// Sizes, ranges and section membership; cycles show when the links are ordered.
[[nodiscard]] bool is_valid(const ForestInstance& instance);

/// Positions in preorder: parents before children, every subtree one range, siblings ascending. False: there is a
/// cycle.
[[nodiscard]] bool order_parents_first(const std::vector<std::int32_t>& parent, std::vector<std::int32_t>& order);

}  // namespace haversack::forest
