/// Knapsack with structure of any shape: units that need several others, across sections; alternatives between them.
///
/// An item takes one of its options. A unit is one or more items, in any sections, that go in or out together; it is in
/// only if all the units that it needs are; of the items of a choice at most one is in. Every section, and the whole,
/// has a cap on the weight of what lies in it and in the sections inside it. Wanted: the greatest profit.
#pragma once

#include "haversack/forest.hpp"

namespace haversack {

/// A structure of arrays. Units are numbered so that what a unit needs comes before it.
struct LinkedInstance {
  std::int64_t capacity = 0;                 ///< cap of the whole
  std::vector<std::int32_t> section_parent;  ///< section around this one; -1: the whole
  std::vector<std::int64_t> section_cap;     ///< -1: no cap of its own

  std::vector<std::int32_t> item_section;   ///< -1: directly in the whole
  std::vector<std::int32_t> item_unit;      ///< every unit has at least one item
  std::vector<std::int64_t> option_begin;   ///< items + 1 offsets; every item has an option
  std::vector<std::int64_t> option_weight;  ///< >= 0; of items that are in, beyond what they take at least
  std::vector<Int128> option_profit;        ///< may be negative

  std::vector<std::uint8_t> unit_side;     ///< 0: free, 1: in for certain (with all it needs), 2: out for certain
  std::vector<std::int32_t> need_begin;    ///< units + 1 offsets
  std::vector<std::int32_t> need;          ///< units
  std::vector<std::int32_t> choice_begin;  ///< choices + 1 offsets; at least 1 entry
  std::vector<std::int32_t> choice_item;   ///< items, each in one choice at most
  std::vector<std::int32_t> known;         ///< a feasible choice to begin with, as in the outcome; may stay empty
};

struct LinkedOutcome {
  ForestStatus status = ForestStatus::solved;  ///< solved, interrupted, infeasible or too_wide
  std::vector<std::int32_t> choice;            ///< of each item: its option, counted from 0; -1: out
  Int128 value = 0;
  Int128 bound = 0;  ///< >= every feasible value; == value iff optimal
  bool optimal = false;
  bool fewest_tokens = false;  ///< no selection of this value is lighter
  std::int64_t states = 0;     ///< spent, in the forests' measure
  std::int64_t nodes = 0;      ///< of the branching
};

/// Packs what hangs together in any way. `limits.states` 0: greedily, with a proven bound. Deterministic; re-entrant.
[[nodiscard]] LinkedOutcome solve_linked(const LinkedInstance& instance, const ForestLimits& limits = {});

}  // namespace haversack
