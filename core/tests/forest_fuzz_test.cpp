/// Small random forests of every kind, against brute force. Arguments: number of instances, first seed.
#include <cstdio>
#include <cstdlib>

#include "forest_cases.hpp"

namespace {

using namespace haversack;
using namespace haversack::testing;

Recipe draw_recipe(Random& random) {
  Recipe recipe;
  recipe.units = static_cast<int>(1 + random.upto(7));
  recipe.sections = static_cast<int>(random.one_in(3) ? 0 : random.upto(4));
  recipe.options = static_cast<int>(1 + random.upto(2));
  recipe.tiers = static_cast<int>(random.one_in(3) ? 1 + random.upto(2) : 1);
  recipe.weight = random.one_in(4)   ? 2
                  : random.one_in(4) ? 1'000'000'007
                  : random.one_in(8) ? std::int64_t{1} << 58
                                     : 15;
  recipe.profit = random.one_in(4) ? 2 : random.one_in(4) ? (std::int64_t{1} << (random.one_in(2) ? 62 : 56)) : 15;
  recipe.negative = random.one_in(2);
  recipe.parents = !random.one_in(3);
  recipe.groups = random.one_in(2);
  recipe.mandatory = random.one_in(3);
  recipe.clamp = !random.one_in(2);
  return recipe;
}

bool expect(bool holds, const char* rule, std::uint64_t seed, const ForestInstance& in) {
  if (!holds) std::printf("seed %llu: %s\n%s", static_cast<unsigned long long>(seed), rule, describe(in).c_str());
  return holds;
}

bool check(std::uint64_t seed) {
  Random random(seed);
  auto in = make_forest(draw_recipe(random), random);
  const auto found = solve_forest(in);
  if (in.clamp) in = with_raised_caps(in);
  const auto best = brute_force(in);
  const auto tiers = tiers_of(in);
  if (best.value.empty()) return expect(found.status == ForestStatus::infeasible, "infeasible is told", seed, in);
  const auto judged = judge(in, tiers, found.choice);
  bool good = expect(found.status == ForestStatus::solved, "a feasible instance is solved", seed, in);
  good = good && expect(!judged.value.empty(), "the choice is feasible", seed, in);
  good = good && expect(judged.value == best.value, "the value is the greatest", seed, in);
  good = good && expect(judged.weight == best.weight, "of equal values the lightest", seed, in);
  good = good && expect(found.value == best.value && found.weight == best.weight, "it tells what it found", seed, in);
  good = good && expect(found.optimal && found.fewest_tokens && found.bound == found.value, "it is certain", seed, in);

  auto last = judged;
  for (const std::int64_t states : {0, 1, 5, 20, 100, 1000}) {
    ForestLimits limits;
    limits.states = states;
    const auto limited = solve_forest(in, limits);
    const auto some = judge(in, tiers, limited.choice);
    good = good && expect(!some.value.empty(), "with little effort still feasible", seed, in);
    good = good && expect(limited.bound >= best.value, "the bound holds whatever the effort", seed, in);
    good = good && expect(limited.optimal == (limited.bound == limited.value), "optimal means no gap", seed, in);
    good = good && expect(!limited.optimal || some.value == best.value, "optimal is never claimed wrongly", seed, in);
    good = good && expect(!limited.fewest_tokens || some.weight == best.weight, "nor are fewest tokens", seed, in);
    good = good && expect(states == 0 || some.value >= last.value, "never worse than greedy", seed, in);
    if (states == 0) last = some;
  }
  return good;
}

}  // namespace

int main(int count, char** argument) {
  const auto instances = count > 1 ? std::strtoull(argument[1], nullptr, 10) : 5000;
  const auto first = count > 2 ? std::strtoull(argument[2], nullptr, 10) : 1;
  int wrong = 0;
  for (auto seed = first; seed < first + instances && wrong < 3; ++seed) wrong += check(seed) ? 0 : 1;
  std::printf("%llu forests, %d wrong\n", static_cast<unsigned long long>(instances), wrong);
  return wrong == 0 ? 0 : 1;
}
