// From an instance to an outcome: pins and trivial items first, then the break, the searches, the certificate.

#include "haversack/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "effort.hpp"
#include "flat.hpp"
#include "scan.hpp"

namespace haversack {
namespace {

/// Weight of the pinned items, or -1 if it passes kWeightLimit.
Weight pinned_weight(const Instance& instance) {
  Weight sum = 0;
  if (instance.pinned == nullptr) return 0;
  for (std::size_t i = 0; i < instance.size; ++i) {
    if (instance.pinned[i] == 0) continue;
    sum += instance.weights[i];
    if (sum >= kWeightLimit) return -1;
  }
  return sum;
}

/// Totals of what the mask holds; the bound is the value plus what the search could not rule out.
void add_up(const Instance& instance, const FlatResult& result, Outcome& outcome) {
  outcome.weight = 0;
  for (std::size_t i = 0; i < instance.size; ++i) outcome.weight += outcome.mask[i] ? instance.weights[i] : 0;
  if (instance.profits != nullptr) {
    for (std::size_t i = 0; i < instance.size; ++i) outcome.value_int += outcome.mask[i] ? instance.profits[i] : 0;
    outcome.bound_int = outcome.value_int + result.gap_int;
  } else {
    outcome.value_real = exact_sum(instance.real_profits, outcome.mask.data(), instance.size);
    outcome.bound_real = outcome.value_real;
    if (result.gap_real > 0.0) {
      outcome.bound_real = std::nextafter(outcome.value_real + result.gap_real, std::numeric_limits<double>::infinity());
    }
  }
}

}  // namespace

Outcome solve(const Instance& instance, const Limits& limits) {
  Outcome outcome;
  outcome.pinned_weight = pinned_weight(instance);
  if (outcome.pinned_weight < 0) {
    outcome.status = Status::too_wide;
    return outcome;
  }
  const Weight room = std::max<Weight>(0, instance.capacity - outcome.pinned_weight);
  const Candidates candidates = find_candidates(instance, room);
  if (candidates.too_wide) {
    outcome.status = Status::too_wide;
    return outcome;
  }
  Effort effort(limits);
  FlatResult result;
  outcome.mask.resize(instance.size);
  if (candidates.weight <= room) {
    for (std::size_t i = 0; i < instance.size; ++i) outcome.mask[i] = candidates.efficiency[i] >= 0.0;
  } else {
    result = solve_flat(instance, candidates, room, limits.states == 0, effort, outcome);
  }
  if (instance.pinned != nullptr) {
    for (std::size_t i = 0; i < instance.size; ++i) outcome.mask[i] |= instance.pinned[i];
  }
  outcome.statistics.states = effort.spent();
  outcome.fewest_weight = result.fewest_weight;
  if (result.too_wide) {
    outcome.status = Status::too_wide;
  } else if (effort.interrupted()) {
    outcome.status = Status::interrupted;
  } else if (!result.optimal) {
    outcome.status = Status::feasible;
  }
  if (outcome.status == Status::optimal || outcome.status == Status::feasible) add_up(instance, result, outcome);
  return outcome;
}

}  // namespace haversack
