/// What brute force on small forests cannot show: rules by example, larger forests, and limits.
#include <cstdio>
#include <limits>
#include <numeric>

#include "forest_cases.hpp"

namespace {

using namespace haversack;
using namespace haversack::testing;

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("failed: %s\n", what);
}

/// A forest of single options, all in the whole.
ForestInstance flat(const std::vector<std::int64_t>& weights, const std::vector<std::int64_t>& profits,
                    std::int64_t capacity) {
  ForestInstance in;
  in.capacity = capacity;
  in.option_weight = weights;
  in.option_profit = profits;
  in.option_begin.resize(weights.size() + 1);
  std::iota(in.option_begin.begin(), in.option_begin.end(), 0);
  return in;
}

void test_an_empty_forest_is_solved() {
  const auto found = solve_forest(flat({}, {}, 10));

  expect(found.status == ForestStatus::solved && found.optimal && found.choice.empty(), "nothing to choose is solved");
  expect(found.value == std::vector<Int128>{0}, "and worth 0");
}

void test_free_is_in_and_worthless_is_out() {
  const auto found = solve_forest(flat({0, 0, 3, 0}, {5, 0, -2, -1}, -7));

  expect(found.choice == std::vector<std::int32_t>{0, -1, -1, -1},
         "free and valuable is in, worthless is out, even at no room");
}

void test_equal_units_are_taken_in_input_order() {
  for (std::int64_t capacity = 0; capacity <= 60; ++capacity) {
    const auto found = solve_forest(flat(std::vector<std::int64_t>(12, 5), std::vector<std::int64_t>(12, 3), capacity));
    for (std::size_t unit = 0; unit < 12; ++unit)
      expect((found.choice[unit] == 0) == (5 * static_cast<std::int64_t>(unit + 1) <= capacity), "the first of equals");
  }
}

void test_pins_beyond_a_cap_take_their_lightest_form() {
  auto in = flat({10, 4, 7, 1}, {100, 5, 50, 9}, 20);
  in.option_begin = {0, 2, 3, 4};
  in.unit_mandatory = {1, 1, 0};
  in.section_parent = {-1};
  in.section_cap = {6};
  in.unit_section = {0, 0, 0};
  const auto found = solve_forest(in);

  expect(found.choice == std::vector<std::int32_t>{1, 0, -1},
         "pins stay, as light as can be, and leave nothing to others");
  in.clamp = false;
  expect(solve_forest(in).status == ForestStatus::infeasible, "without clamp that is infeasible");
}

void test_invalid_instances_are_told() {
  const auto is_invalid = [](const ForestInstance& in) { return solve_forest(in).status == ForestStatus::invalid; };
  const auto good = flat({1, 2, 3}, {1, 2, 3}, 4);
  auto in = good;
  in.option_weight[1] = -1;
  expect(is_invalid(in), "a negative weight");
  in = good;
  in.option_begin[3] = 2;
  expect(is_invalid(in), "offsets that do not cover the options");
  in = good;
  in.unit_parent = {1, 2, 0};
  expect(is_invalid(in), "a cycle of requirements");
  in.unit_parent = {-1, 0, 3};
  expect(is_invalid(in), "an unknown parent");
  in.unit_parent = {-1, 0, 0};
  in.section_parent = {-1};
  in.section_cap = {5};
  in.unit_section = {0, 0, -1};
  expect(is_invalid(in), "a requirement that leaves its section");
  in = good;
  in.section_parent = {1, 0};
  in.section_cap = {1, 1};
  expect(is_invalid(in), "a cycle of sections");
  in = good;
  in.unit_with_parent = {1, 0, 0};
  expect(is_invalid(in), "with a parent it does not have");
  expect(is_invalid(ForestInstance{}), "no offsets at all");
}

void test_the_widest_numbers_are_exact() {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  auto in = flat({most, most, 1, most - 1, 0}, {most, most, most, most, least}, most);
  auto found = solve_forest(in);
  expect(found.optimal && found.value[0] == Int128{most} * 2 && found.weight == most, "two of the widest");
  in.unit_mandatory = {0, 0, 0, 0, 1};
  in.option_tier = {5, 4, 3, 2, 1};
  found = solve_forest(in);
  expect(found.optimal && found.value == std::vector<Int128>{least, most, most, 0, 0}, "in tiers of the widest");
}

Recipe middle(int units) {
  Recipe recipe;
  recipe.units = units;
  recipe.sections = 4;
  recipe.weight = 60;
  recipe.profit = 90;
  recipe.negative = recipe.parents = recipe.groups = true;
  return recipe;
}

void test_more_room_is_never_worth_less() {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    auto in = make_forest(middle(80), random);
    auto before = solve_forest(in).value;
    for (int step = 0; step < 6; ++step) {
      if (step % 2 == 0) {
        in.capacity += random.upto(20);
      } else {
        auto& cap = in.section_cap[at(random.upto(3))];
        cap = cap < 0 ? cap : cap + random.upto(40);
      }
      const auto after = solve_forest(in);
      expect(after.optimal && after.fewest_tokens && after.value >= before, "a larger cap never lowers the value");
      before = after.value;
    }
  }
}

void test_order_does_not_matter() {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    auto recipe = middle(60);
    recipe.parents = recipe.groups = false;
    recipe.tiers = 1 + static_cast<int>(seed % 3);
    const auto in = make_forest(recipe, random);
    auto turned = in;
    const auto units = in.option_begin.size() - 1;
    turned.option_weight.clear();
    turned.option_profit.clear();
    turned.option_tier.clear();
    for (std::size_t i = 0; i < units; ++i) {
      const auto unit = units - 1 - i;
      turned.unit_section[i] = in.unit_section[unit];
      for (auto option = at(in.option_begin[unit + 1]); option-- > at(in.option_begin[unit]);) {
        turned.option_weight.push_back(in.option_weight[option]);
        turned.option_profit.push_back(in.option_profit[option]);
        if (!in.option_tier.empty()) turned.option_tier.push_back(in.option_tier[option]);
      }
      turned.option_begin[i + 1] = static_cast<std::int64_t>(turned.option_weight.size());
    }
    const auto a = solve_forest(in);
    const auto b = solve_forest(turned);
    expect(a.optimal && b.optimal && a.value == b.value && a.weight == b.weight, "backwards it is worth the same");
  }
}

/// Every weight is even, the capacity is odd, profits follow weights: many ties, and no bound closes the gap early.
ForestInstance hard(int units) {
  Random random(7);
  ForestInstance in = flat({}, {}, 0);
  for (int unit = 0; unit < units; ++unit) {
    in.option_weight.push_back(2 * (500'000 + random.upto(500'000)));
    in.option_profit.push_back(in.option_weight.back() + 100'001);
    in.capacity += in.option_weight.back() / 2;
  }
  in.option_begin.resize(in.option_weight.size() + 1);
  std::iota(in.option_begin.begin(), in.option_begin.end(), 0);
  return in;
}

void test_limits_end_the_search_with_a_bound() {
  const auto in = hard(400);
  ForestLimits limits;
  limits.states = 200'000;
  const auto few = solve_forest(in, limits);
  expect(few.status == ForestStatus::solved && few.states <= 400'000 && few.bound >= few.value, "an effort is kept to");
  limits.states = 0;
  const auto greedy = solve_forest(in, limits);
  expect(greedy.value <= few.value && few.bound <= greedy.bound && greedy.states == 0, "effort 0 is greedy");
  limits.states = -1;
  limits.memory = 1U << 20U;
  const auto small = solve_forest(in, limits);
  expect(small.status == ForestStatus::solved && small.bound >= small.value, "so is a limit on memory");
  limits.memory = std::size_t{1} << 30U;
  int polls = 0;
  limits.interrupted = [&] { return ++polls > 3; };
  const auto stopped = solve_forest(in, limits);
  expect(stopped.status == ForestStatus::interrupted && polls == 4, "and an interruption");
  expect(stopped.value >= greedy.value && stopped.bound >= stopped.value, "which keeps what was found");
}

void test_it_is_the_same_every_time() {
  Random random(3);
  const auto in = make_forest(middle(300), random);
  const auto once = solve_forest(in);
  const auto again = solve_forest(in);
  expect(once.choice == again.choice && once.states == again.states, "two runs agree");
}

/// The same profits 2^300 times as large, as words: the same choices, and a bound that is as many times as large.
void test_profits_as_words_are_profits() {
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    const auto narrow = make_forest(middle(30), random);
    auto wide = narrow;
    wide.option_profit.clear();
    for (const auto profit : narrow.option_profit) {
      for (int word = 0; word < 4; ++word) wide.option_limbs.push_back(0);
      // 2^300 is 2^44 of the fifth word; what is beyond it goes into the sixth.
      wide.option_limbs.push_back(static_cast<std::uint64_t>(profit) << 44U);
      wide.option_limbs.push_back(static_cast<std::uint64_t>(profit >> 20));
      for (int word = 6; word < 8; ++word) wide.option_limbs.push_back(profit < 0 ? ~std::uint64_t{0} : 0);
    }
    const auto found = solve_forest(wide);
    const auto wanted = solve_forest(narrow);
    const bool has_none = wanted.value == std::vector<Int128>(wanted.tiers.size(), 0);
    expect(found.optimal && (found.bits == 512 || has_none), "wide profits are solved to the proof");
    expect(judge(narrow, wanted.tiers, found.choice).value == wanted.value, "and to the same value");
    const auto greedy = solve_forest(wide, {0, std::size_t{1} << 30U, {}});
    expect(greedy.optimal || greedy.wide_bound.size() == 8 * wanted.tiers.size(), "an unproven bound is in words");
  }
}

void test_deep_chains_need_no_deep_stack() {
  const std::size_t units = 200'000;
  auto in = flat(std::vector<std::int64_t>(units, 1), std::vector<std::int64_t>(units, -1), 1'000'000);
  in.option_profit.back() = 1'000'000;
  in.unit_parent.resize(units);
  std::iota(in.unit_parent.begin(), in.unit_parent.end(), -1);
  const auto found = solve_forest(in);
  expect(found.optimal && found.value[0] == 1'000'000 - Int128{units} + 1, "a chain is worth its end");
}

}  // namespace

int main() {
  test_an_empty_forest_is_solved();
  test_free_is_in_and_worthless_is_out();
  test_equal_units_are_taken_in_input_order();
  test_pins_beyond_a_cap_take_their_lightest_form();
  test_invalid_instances_are_told();
  test_the_widest_numbers_are_exact();
  test_more_room_is_never_worth_less();
  test_order_does_not_matter();
  test_limits_end_the_search_with_a_bound();
  test_it_is_the_same_every_time();
  test_profits_as_words_are_profits();
  test_deep_chains_need_no_deep_stack();
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
