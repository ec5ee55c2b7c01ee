#include "linked_search.hpp"

namespace haversack {

LinkedOutcome solve_linked(const LinkedInstance& instance, const ForestLimits& limits) {
  const linked::Problem problem(instance);
  LinkedOutcome outcome;
  outcome.status = ForestStatus::too_wide;
  if (!problem.fits_arithmetic()) return outcome;
  linked::Search(problem, limits).run(outcome);
  return outcome;
}

}  // namespace haversack
