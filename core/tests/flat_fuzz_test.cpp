// The flat solver against the textbook table on random small instances; meant to run under the sanitizers.
// Prints the first disagreement and returns 1.

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "flat_cases.hpp"

namespace {

using haversack::Limits;
using haversack::Outcome;
using haversack::Profit;
using haversack::Status;
using haversack::Weight;

Problem random_problem(std::mt19937_64& random) {
  Problem problem;
  const std::size_t size = random() % 40;
  const Weight range = std::vector<Weight>{1, 5, 50, 400}[random() % 4];
  const auto kind = random() % 5;
  for (std::size_t i = 0; i < size; ++i) {
    const auto weight = static_cast<Weight>(random() % static_cast<std::uint64_t>(range + 1));
    const auto noise = static_cast<Profit>(random() % 10);
    problem.weights.push_back(weight);
    problem.profits.push_back(kind == 0   ? noise
                              : kind == 1 ? weight + range / 10
                              : kind == 2 ? weight
                              : kind == 3 ? 3 * weight + noise - 4
                                          : noise * 100 - 300);
  }
  problem.capacity = static_cast<Weight>(random() % static_cast<std::uint64_t>(range * 10 + 1));
  return problem;
}

/// The greatest profit, by the table of the textbook.
Profit best_profit(const Problem& problem) {
  std::vector<Profit> best(static_cast<std::size_t>(problem.capacity) + 1, 0);
  for (std::size_t i = 0; i < problem.weights.size(); ++i) {
    for (Weight room = problem.capacity; room >= problem.weights[i]; --room) {
      const Profit with = best[static_cast<std::size_t>(room - problem.weights[i])] + problem.profits[i];
      best[static_cast<std::size_t>(room)] = std::max(best[static_cast<std::size_t>(room)], with);
    }
  }
  return best.back();
}

bool is_right(const Problem& problem, const Outcome& outcome, bool limited) {
  const Profit best = best_profit(problem);
  const bool proven = outcome.status == Status::optimal;
  return problem.adds_up(outcome) && outcome.bound_int >= best &&
         (proven ? outcome.value_int == best && outcome.bound_int == best : limited);
}

}  // namespace

int main() {
  std::mt19937_64 random(20'261'129);
  for (int round = 0; round < 20'000; ++round) {
    const Problem problem = random_problem(random);
    Limits limits;
    const bool limited = round % 3 == 0;
    if (limited) limits.states = static_cast<std::int64_t>(random() % 50);
    if (!is_right(problem, haversack::solve(problem.instance(), limits), limited)) {
      std::printf("wrong in round %d\n", round);
      return 1;
    }
  }
  return 0;
}
