#include "linked_search.hpp"
#include "linked_ties.hpp"

namespace haversack {
namespace {

/// A token less is worth a little less than any difference in profit: the greatest profit is then that of least weight.
LinkedInstance with_weights(const LinkedInstance& instance, const linked::Problem& problem) {
  LinkedInstance made = instance;
  for (std::size_t i = 0; i < made.option_profit.size(); ++i)
    made.option_profit[i] = linked::scaled(made.option_profit[i], problem.weight_bits + 1) - made.option_weight[i];
  return made;
}

/// Looks for a lighter selection of the same value; that must not take for ever.
void lighten(const LinkedInstance& instance, const linked::Problem& problem, ForestLimits limits,
             LinkedOutcome& outcome) {
  const auto left = limits.states < 0 ? std::numeric_limits<std::int64_t>::max() : limits.states - outcome.states;
  limits.states = std::min(left, outcome.states + 100'000);
  if (limits.states <= 0 || problem.profit_bits + problem.weight_bits > 105) return;
  const auto weighed = with_weights(instance, problem);
  const linked::Problem lighter(weighed);
  if (!lighter.fits_arithmetic()) return;
  LinkedOutcome found;
  linked::Search(lighter, limits).run(found, outcome.choice);
  outcome.states += found.states;
  if (found.status == ForestStatus::interrupted) outcome.status = found.status;
  outcome.choice = std::move(found.choice);
  outcome.fewest_tokens = found.optimal;
}

}  // namespace

LinkedOutcome solve_linked(const LinkedInstance& instance, const ForestLimits& limits) {
  const linked::Problem problem(instance);
  LinkedOutcome outcome;
  outcome.status = ForestStatus::too_wide;
  if (!problem.fits_arithmetic()) return outcome;
  linked::Search(problem, limits).run(outcome, instance.known);
  if (outcome.status == ForestStatus::solved && outcome.optimal) lighten(instance, problem, limits, outcome);
  linked::take_equals_in_order(problem, outcome.choice);
  return outcome;
}

}  // namespace haversack
