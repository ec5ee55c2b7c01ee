/// The structure of a forest instance, validated, reduced and laid out for passes over memory in order. No profits
/// here.
#pragma once

#include "haversack/forest.hpp"

namespace haversack::forest {

/// Nodes are the units that can be in at all: by section, in each by tree, in each parents first.
/// So the nodes of a section, of a section with all below it, and of a subtree are each one range.
struct Shape {
  struct Section {
    std::int32_t parent;         ///< -1 for the whole, which comes last
    std::int32_t first_section;  ///< sections [first_section, itself] lie in it
    std::int32_t first_node;     ///< nodes [first_node, next section's) lie directly in it
    Int128 cap;
    Int128 heaviest_closure = 0;  ///< greatest weight of a node in it with all that is forced with that node
  };
  std::vector<Section> sections;       ///< only those whose cap can bind; those inside come before those around
  std::vector<std::int32_t> unit;      ///< of a node
  std::vector<std::int32_t> parent;    ///< node; -1: root of its tree
  std::vector<std::int32_t> end;       ///< nodes [node, end) are its subtree
  std::vector<std::uint8_t> forced;    ///< in whenever its parent is (a root: always)
  std::vector<std::int64_t> heaviest;  ///< options above this weight fit in no feasible selection
  Int128 total_weight = 0;             ///< of the heaviest option of every node
  [[nodiscard]] std::int32_t nodes() const { return static_cast<std::int32_t>(unit.size()); }
  [[nodiscard]] std::int32_t node_end(std::size_t section) const {
    return section + 1 < sections.size() ? sections[section + 1].first_node : nodes();
  }
};

/// Lays out `instance`; anything but `solved` means that there is nothing to solve.
[[nodiscard]] ForestStatus make_shape(const ForestInstance& instance, Shape& shape);

}  // namespace haversack::forest
