// The flat solver against itself at other efforts, on hard middle-sized instances that no table could judge: whatever
// is proven must agree, and no bound may lie below a value found. Prints the first disagreement and returns 1.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "flat_cases.hpp"

namespace {

using haversack::Limits;
using haversack::Outcome;
using haversack::Profit;
using haversack::Status;
using haversack::Weight;
using haversack::WideProfit;

/// Profits that follow the weights closely, a few kinds of items, free and worthless ones among them.
Problem random_problem(std::mt19937_64& random) {
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  Problem problem;
  const std::int64_t size = 20 + below(120);
  const Weight range = std::vector<Weight>{30, 1'000, 100'000, 10'000'000}[static_cast<std::size_t>(below(4))];
  const std::int64_t kind = below(6);
  const std::int64_t kinds = below(3) == 0 ? 1 + below(12) : size;
  Weight total = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    if (i >= kinds) {
      const auto twin = static_cast<std::size_t>(below(kinds));
      problem.weights.push_back(problem.weights[twin]);
      problem.profits.push_back(problem.profits[twin]);
    } else {
      const Weight weight = below(20) == 0 ? 0 : 1 + below(range);
      problem.weights.push_back(weight);
      problem.profits.push_back(kind == 0   ? weight + range / 10
                                : kind == 1 ? weight + below(range / 25 + 2)
                                : kind == 2 ? weight
                                : kind == 3 ? 3 * weight + below(10) - 4
                                : kind == 4 ? 3 * ((weight + 2) / 3)
                                            : below(range) - range / 20);
    }
    total += problem.weights.back();
  }
  problem.capacity = 1 + below(std::max<Weight>(1, total));
  return problem;
}

/// What is free and worth something is always in.
bool holds_free_items(const Problem& problem, const Outcome& outcome) {
  for (std::size_t i = 0; i < problem.weights.size(); ++i) {
    if (problem.weights[i] == 0 && problem.profits[i] > 0 && !outcome.mask[i]) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? std::atol(argv[1]) : 600;
  std::mt19937_64 random(argc > 2 ? static_cast<std::uint64_t>(std::atol(argv[2])) : 29);
  for (long round = 0; round < rounds; ++round) {
    const Problem problem = random_problem(random);
    std::vector<Outcome> outcomes;
    for (const std::int64_t states : {0, 40, 700, 5'000, 60'000, 1'000'000}) {
      Limits limits;
      limits.states = states + static_cast<std::int64_t>(random() % 40) * (states > 0);
      outcomes.push_back(haversack::solve(problem.instance(), limits));
    }
    WideProfit best = 0;
    for (const Outcome& outcome : outcomes) best = std::max(best, outcome.value_int);
    for (const Outcome& outcome : outcomes) {
      const bool proven = outcome.status == Status::optimal;
      if (problem.adds_up(outcome) && holds_free_items(problem, outcome) && outcome.bound_int >= best &&
          (!proven || outcome.value_int == best))
        continue;
      std::printf("wrong in round %ld\n", round);
      return 1;
    }
  }
  return 0;
}
