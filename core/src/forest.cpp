#include "haversack/forest.hpp"

#include "forest_run.hpp"
#include "wide.hpp"

namespace haversack {
namespace {

int bit_length(Int128 magnitude) {
  int bits = 0;
  for (; magnitude > 0; magnitude /= 2) ++bits;
  return bits;
}

/// Prices are integers: profits are scaled up, by `wanted` bits, until a price's rounding is far below what decides.
/// Large profits are precise enough with fewer (`least`), unless the price turns out small.
struct Resolution {
  int least, wanted;
};

Resolution find_resolution(const forest::Shape& shape, const forest::TierScale& scale) {
  const int weight = bit_length(shape.sections.back().heaviest_closure);
  const int count = bit_length(shape.nodes());
  const int wanted = weight + 4;
  return {std::max(0, std::min(wanted, weight + 2 * count + 10 - scale.bits)), wanted};
}

template <class T>
bool run_in(const ForestInstance& instance, const forest::Shape& shape, const ForestLimits& limits,
            ForestOutcome& outcome) {
  const auto scale = forest::make_scale(instance, shape);
  const auto resolution = find_resolution(shape, scale);
  const int possible = std::min(resolution.wanted, forest::Width<T>::profit - scale.bits);
  if (possible < resolution.least) return false;
  if (bit_length(shape.total_weight) > forest::Width<T>::product - 2) return false;
  return forest::Run<T>(instance, shape, scale, possible, limits).run(outcome, possible == resolution.wanted);
}

}  // namespace

ForestOutcome solve_forest(const ForestInstance& instance, const ForestLimits& limits) {
  ForestOutcome outcome;
  forest::Shape shape;
  outcome.status = forest::make_shape(instance, shape);
  if (outcome.status != ForestStatus::solved) return outcome;
  if (run_in<std::int64_t>(instance, shape, limits, outcome)) return outcome;
  if (run_in<Int128>(instance, shape, limits, outcome)) return outcome;
  if (run_in<Wide>(instance, shape, limits, outcome)) return outcome;
  outcome.status = ForestStatus::too_wide;
  return outcome;
}

}  // namespace haversack
