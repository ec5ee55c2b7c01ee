/// Knapsack in a forest whose sections have floors beside caps: tokens that they should reach, before anything else.
///
/// As in forest.hpp, a selection takes at most one option of every node (exactly one of a forced node whose parent is
/// in), and a node only with its parent. Every section, and the whole, has a cap on the weight of what lies in it. Each
/// unit of fill that a section lacks of its floor costs `penalty`, which is meant to outweigh all that worths can add.
/// Wanted: the greatest worth less penalties.
#pragma once

#include "haversack/forest.hpp"

namespace haversack {

/// Sections inner first, the whole last; nodes with parents before children, a subtree in one row.
struct FloorInstance {
  static constexpr std::size_t kLimbs = ForestInstance::kLimbs;

  std::vector<std::int32_t> section_around;  ///< the section around; -1: this is the whole
  std::vector<std::int64_t> section_cap;     ///< >= what is forced in it
  std::vector<std::int64_t> section_floor;   ///< 0: none

  std::vector<std::int32_t> node_section;
  std::vector<std::int32_t> node_parent;  ///< of the same section; -1: none
  std::vector<std::uint8_t> node_forced;
  std::vector<std::int64_t> option_begin;  ///< nodes + 1 offsets into the options; no node is without

  std::vector<std::int64_t> option_weight;  ///< >= 0
  std::vector<std::int64_t> option_fill;    ///< >= 0: what it adds towards floors
  std::vector<std::uint64_t> option_worth;  ///< kLimbs words each, the least significant first, in two's complement
  std::vector<std::uint64_t> penalty;       ///< kLimbs words; a multiple of `grain`
  std::int64_t grain = 1;                   ///< worths that differ by less differ in weight alone
};

struct FloorOutcome {
  ForestStatus status = ForestStatus::invalid;  ///< solved, interrupted, invalid or too_wide
  std::vector<std::int32_t> choice;             ///< of each node: its option, counted from 0; -1: out
  std::vector<std::uint64_t> bound;             ///< kLimbs words: no selection is worth more
  bool is_proven = false;                       ///< `choice` is worth `bound`
  std::int64_t states = 0;
  std::int32_t passes = 0;
  std::int32_t bits = 0;  ///< width of the arithmetic used: 128 or 512
};

/// Deterministic; re-entrant; never throws but for lack of memory. The first, narrow pass is made at any limit.
[[nodiscard]] FloorOutcome solve_floors(const FloorInstance& instance, const ForestLimits& limits = {});

}  // namespace haversack
