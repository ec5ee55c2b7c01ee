/// Knapsack with structure: multiple choice, requirement forests, groups, nested caps and strict tiers, to the proof.
///
/// A selection takes at most one option of every unit (exactly one, if the unit is mandatory). A unit is in only if its
/// parent is; a unit that goes `with_parent` is in exactly if its parent is. Every section, and the whole, has a cap on
/// the weight of what lies in it and in the sections below it. Wanted: greatest profit (lexicographically by tier),
/// then least weight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace haversack {

__extension__ typedef __int128 Int128;

/// A structure of arrays, so that a binding can fill it from buffers. Vectors marked (*) may stay empty: all default.
struct ForestInstance {
  std::int64_t capacity = 0;  ///< cap of the whole; negative counts as 0

  std::vector<std::int32_t> section_parent;  ///< section around this one; -1: the whole
  std::vector<std::int64_t> section_cap;     ///< -1: no cap of its own

  std::vector<std::int32_t> unit_section;      ///< (*) -1: directly in the whole
  std::vector<std::int32_t> unit_parent;       ///< (*) the unit it requires, of the same section; -1: none
  std::vector<std::uint8_t> unit_mandatory;    ///< (*) 1: always in, and with it all that it requires
  std::vector<std::uint8_t> unit_with_parent;  ///< (*) 1: in exactly if its parent is (members of a group)
  std::vector<std::int64_t> option_begin;      ///< units + 1 offsets into the options; no option: the unit is never in

  std::vector<std::int64_t> option_weight;  ///< >= 0
  std::vector<std::int64_t> option_profit;  ///< may be negative
  std::vector<std::int32_t> option_tier;    ///< (*) >= 0; 0 comes first

  /// (*) Profits too wide for `option_profit`, which is empty then: kLimbs words each, the least significant first, in
  /// two's complement. Of the outcome, `value` then says nothing, and `wide_bound` takes the place of `bound`.
  static constexpr std::size_t kLimbs = 8;
  std::vector<std::uint64_t> option_limbs;

  /// Mandatory units beyond a cap: true raises that cap to their least weight (they stay, all else gets nothing),
  /// false reports the instance as infeasible.
  bool clamp = true;
};

struct ForestLimits {
  std::int64_t states = -1;                    ///< candidates the search may examine; 0: greedy only; -1: no limit
  std::size_t memory = std::size_t{1} << 30U;  ///< bytes for the search's history; reached, it ends like `states`
  std::function<bool()> interrupted;           ///< polled often; true ends the search
  /// With `has_least` nothing of less profit matters (of one tier): the search ends when nothing else is left, and
  /// neither a proof of the optimum nor the fewest tokens are looked for.
  Int128 at_least = 0;
  Int128 near_enough = 1;  ///< it also ends where the bound is less than this above what was found
  bool has_least = false;
};

enum class ForestStatus : std::uint8_t {
  solved,       ///< `choice` is feasible; see `optimal`
  interrupted,  ///< the same, but the search was asked to stop
  infeasible,   ///< mandatory units exceed a cap (only without `clamp`), or one has no option
  invalid,      ///< sizes, ranges, cycles, or a requirement that leaves its section
  too_wide      ///< numbers beyond the widest arithmetic here (500 bits over all tiers)
};

struct ForestOutcome {
  ForestStatus status = ForestStatus::invalid;
  std::vector<std::int32_t> choice;       ///< of each unit: its option, counted from 0; -1: out
  std::vector<std::int32_t> tiers;        ///< tiers in use, ascending (at least one)
  std::vector<Int128> value;              ///< of each tier in use
  std::vector<Int128> bound;              ///< lexicographically >= every feasible value; == value iff optimal
  std::vector<std::uint64_t> wide_bound;  ///< kLimbs words a tier, of wide profits; empty if `optimal`
  Int128 weight = 0;
  bool optimal = false;
  bool fewest_tokens = false;  ///< no selection of this value is lighter
  std::int64_t states = 0;     ///< candidates examined
  std::int32_t passes = 0;     ///< rounds of the search
  std::int32_t core = 0;       ///< classes still open in the last round
  std::int32_t bits = 0;       ///< width of the arithmetic used: 64, 128 or 512
};

/// Packs the forest. Deterministic; re-entrant; never throws but for lack of memory.
[[nodiscard]] ForestOutcome solve_forest(const ForestInstance& instance, const ForestLimits& limits = {});

}  // namespace haversack
