// From an instance to an outcome: pins and trivial items first, then the break, the searches, the certificate.

#include "haversack/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "blocks.hpp"
#include "effort.hpp"
#include "flat.hpp"
#include "kernels.hpp"
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

WideProfit sum_of(const Instance& instance, const std::vector<std::uint8_t>& mask) {
  constexpr std::size_t kBlock = 1024;
  const Kernels& run = kernels();
  const Profit* profits = instance.profits;
  const bool fits = instance.profit_bits << 1 < (std::uint64_t{1} << 53);  // and so does a block's sum
  WideProfit sum = 0;
  for (std::size_t begin = 0; begin < mask.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, mask.size() - begin);
    if (fits) {
      sum += run.masked_sum(profits + begin, mask.data() + begin, count);
    } else {
      for (std::size_t i = begin; i < begin + count; ++i) sum += mask[i] ? profits[i] : 0;
    }
  }
  return sum;
}

/// Totals of what the mask holds; the bound is the value plus what the search could not rule out.
void add_up(const Instance& instance, const FlatResult& result, Outcome& outcome) {
  outcome.weight = outcome.pinned_weight + result.weight;
  if (instance.profits != nullptr) {
    outcome.value_int = sum_of(instance, outcome.mask);
    outcome.bound_int = outcome.value_int + result.gap_int;
  } else {
    outcome.value_real = exact_sum(instance.real_profits, outcome.mask.data(), instance.size, instance.profit_bits);
    outcome.bound_real = outcome.value_real;
    if (result.gap_real > 0.0) {
      outcome.bound_real =
          std::nextafter(outcome.value_real + result.gap_real, std::numeric_limits<double>::infinity());
    }
  }
}

/// Everything that competes fits.
void take_all(const Scan& scan, std::vector<std::uint8_t>& mask) {
  for_each_flagged(
      scan,
      [&](const double* efficiency, std::size_t begin, std::size_t count, std::uint8_t* flags) {
        kernels().flag_between(efficiency, count, 0.0, std::numeric_limits<double>::infinity(), mask.data() + begin);
        std::fill_n(flags, count, std::uint8_t{0});
      },
      [](std::size_t, double) {});
}

}  // namespace

Outcome solve(const Instance& instance, const Limits& limits) {
  Outcome outcome;
  outcome.pinned_weight = pinned_weight(instance);
  if (outcome.pinned_weight < 0) {
    outcome.status = Status::too_wide;
    return outcome;
  }
  const Weight room = std::clamp<Weight>(instance.capacity - outcome.pinned_weight, 0, kWeightLimit);
  const Scan scan(instance, room);
  if (!weights_add_up(scan, room)) {
    outcome.status = Status::too_wide;
    return outcome;
  }
  Effort effort(limits);
  FlatResult result;
  outcome.mask.resize(instance.size);
  Break found = find_break(scan, room);
  if (found.total <= room) {
    take_all(scan, outcome.mask);
    result.weight = found.total;
  } else {
    result = solve_flat(instance, scan, std::move(found), room, limits.states == 0, effort, outcome);
  }
  if (instance.pinned != nullptr) {
    for (std::size_t i = 0; i < instance.size; ++i) outcome.mask[i] |= instance.pinned[i];
  }
  outcome.states = effort.spent();
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
