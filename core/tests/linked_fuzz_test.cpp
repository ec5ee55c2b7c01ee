/// Small random problems that no forest knows, against brute force. Arguments: number of instances, first seed.
#include <cstdio>
#include <cstdlib>

#include "forest_cases.hpp"
#include "haversack/linked.hpp"

namespace {

using namespace haversack;
using namespace haversack::testing;

struct Judged {
  bool allowed = false;
  Int128 value = 0, weight = 0;
};

std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position); }

bool fits(const LinkedInstance& in, const std::vector<Int128>& load) {
  const auto sections = in.section_parent.size();
  std::vector<Int128> sum(sections + 1, 0);
  for (std::size_t home = 0; home <= sections; ++home) {
    auto s = home;
    while (s < sections) {
      sum[s] += load[home];
      s = in.section_parent[s] < 0 ? sections : at(in.section_parent[s]);
    }
    sum[sections] += load[home];
  }
  bool holds = sum[sections] <= in.capacity;
  for (std::size_t s = 0; s < sections; ++s) holds = holds && (in.section_cap[s] < 0 || sum[s] <= in.section_cap[s]);
  return holds;
}

bool keeps_links(const LinkedInstance& in, const std::vector<std::int32_t>& choice) {
  const auto units = in.unit_side.size();
  std::vector<int> in_count(units, 0), size(units, 0);
  for (std::size_t item = 0; item < choice.size(); ++item) {
    ++size[at(in.item_unit[item])];
    in_count[at(in.item_unit[item])] += choice[item] >= 0 ? 1 : 0;
  }
  for (std::size_t unit = 0; unit < units; ++unit) {
    if (in_count[unit] != 0 && in_count[unit] != size[unit]) return false;
    if ((in.unit_side[unit] == 1 && in_count[unit] == 0) || (in.unit_side[unit] == 2 && in_count[unit] != 0))
      return false;
    for (auto i = in.need_begin[unit]; i < in.need_begin[unit + 1]; ++i)
      if (in_count[unit] != 0 && in_count[at(in.need[at(i)])] == 0) return false;
  }
  for (std::size_t c = 0; c + 1 < in.choice_begin.size(); ++c) {
    int taken = 0;
    for (auto i = in.choice_begin[c]; i < in.choice_begin[c + 1]; ++i)
      taken += choice[at(in.choice_item[at(i)])] >= 0 ? 1 : 0;
    if (taken > 1) return false;
  }
  return true;
}

Judged judge(const LinkedInstance& in, const std::vector<std::int32_t>& choice) {
  Judged found;
  std::vector<Int128> load(in.section_parent.size() + 1, 0);
  for (std::size_t item = 0; item < choice.size(); ++item) {
    if (choice[item] < 0) continue;
    const auto option = static_cast<std::size_t>(in.option_begin[item] + choice[item]);
    found.value += in.option_profit[option];
    found.weight += in.option_weight[option];
    load[in.item_section[item] < 0 ? in.section_parent.size() : at(in.item_section[item])] += in.option_weight[option];
  }
  found.allowed = keeps_links(in, choice) && fits(in, load);
  return found;
}

Judged brute_force(const LinkedInstance& in) {
  Judged best;
  std::vector<std::int32_t> choice(in.item_unit.size(), -1);
  for (;;) {
    const auto here = judge(in, choice);
    if (here.allowed &&
        (!best.allowed || here.value > best.value || (here.value == best.value && here.weight < best.weight)))
      best = here;
    std::size_t item = 0;
    for (; item < choice.size(); ++item) {
      if (++choice[item] < in.option_begin[item + 1] - in.option_begin[item]) break;
      choice[item] = -1;
    }
    if (item == choice.size()) return best;
  }
}

/// Everything that is in needs nothing that is not; its lightest option weighs nothing.
LinkedInstance draw(Random& random) {
  LinkedInstance in;
  const auto number = [&](std::uint64_t most) { return static_cast<std::int64_t>(random.upto(most)); };
  const std::int64_t widest = random.one_in(6) ? 1'000'000'007 : random.one_in(4) ? 2 : 12;
  const auto sections = random.one_in(3) ? 0 : number(3);
  for (std::int64_t s = 0; s < sections; ++s) {
    in.section_parent.push_back(static_cast<std::int32_t>(number(static_cast<std::uint64_t>(s))) - 1);
    in.section_cap.push_back(random.one_in(5) ? -1 : number(static_cast<std::uint64_t>(widest * 3)));
  }
  in.capacity = number(static_cast<std::uint64_t>(widest * 4));
  const auto units = 1 + number(5);
  in.need_begin.push_back(0);
  in.option_begin.push_back(0);
  in.choice_begin.push_back(0);
  for (std::int32_t unit = 0; unit < units; ++unit) {
    for (std::int32_t other = 0; other < unit; ++other)
      if (random.one_in(3)) in.need.push_back(other);
    in.need_begin.push_back(static_cast<std::int32_t>(in.need.size()));
    in.unit_side.push_back(random.one_in(9) ? 2 : 0);
    for (auto members = 1 + (random.one_in(3) ? number(1) : 0); members > 0; --members) {
      in.item_unit.push_back(unit);
      in.item_section.push_back(static_cast<std::int32_t>(number(static_cast<std::uint64_t>(sections))) - 1);
      for (auto options = 1 + number(1); options > 0; --options) {
        in.option_weight.push_back(number(static_cast<std::uint64_t>(widest)));
        in.option_profit.push_back(Int128{number(static_cast<std::uint64_t>(widest))} -
                                   (random.one_in(3) ? widest / 2 : 0));
      }
      in.option_begin.push_back(static_cast<std::int64_t>(in.option_weight.size()));
    }
  }
  // What needs something that is out is out.
  for (std::size_t unit = 0; unit < in.unit_side.size(); ++unit)
    for (auto i = in.need_begin[unit]; i < in.need_begin[unit + 1]; ++i)
      if (in.unit_side[at(in.need[at(i)])] == 2) in.unit_side[unit] = 2;
  if (random.one_in(4) && in.unit_side[0] == 0) {
    in.unit_side[0] = 1;
    for (std::size_t item = 0; item < in.item_unit.size() && in.item_unit[item] == 0; ++item)
      in.option_weight[static_cast<std::size_t>(in.option_begin[item])] = 0;
  }
  if (widest <= 12 && random.one_in(5))
    for (auto& profit : in.option_profit) profit = profit * (Int128{1} << 60) + number(1'000'000'000);
  if (random.one_in(2)) {
    for (std::size_t item = 0; item < in.item_unit.size(); ++item) {
      const bool is_first = item == 0 || in.item_unit[item] != in.item_unit[item - 1];
      if (is_first && in.unit_side[at(in.item_unit[item])] != 1 && random.one_in(2))
        in.choice_item.push_back(static_cast<std::int32_t>(item));
    }
    in.choice_begin.push_back(static_cast<std::int32_t>(in.choice_item.size()));
  }
  return in;
}

bool expect(bool holds, const char* rule, std::uint64_t seed) {
  if (!holds) std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), rule);
  return holds;
}

bool check(std::uint64_t seed) {
  Random random(seed);
  const auto in = draw(random);
  const auto best = brute_force(in);
  bool good = expect(best.allowed, "there is a selection", seed);
  for (const std::int64_t states : {-1, 0, 1, 50, 2000}) {
    ForestLimits limits;
    limits.states = states;
    const bool is_cramped = random.one_in(4);
    if (is_cramped) limits.memory = 2'000;  // depth first, and forests may remain unproven
    const auto found = solve_linked(in, limits);
    const auto judged = judge(in, found.choice);
    good = good && expect(found.status == ForestStatus::solved, "it is solved", seed);
    good = good && expect(judged.allowed, "the choice is allowed", seed);
    good = good && expect(judged.value == found.value, "it tells what it found", seed);
    good = good && expect(found.bound >= best.value, "the bound holds", seed);
    good = good && expect(found.optimal == (found.bound == found.value), "optimal means no gap", seed);
    good = good && expect(states >= 0 || is_cramped || (found.optimal && judged.value == best.value),
                          "without limit it is proven", seed);
    good = good && expect(!found.fewest_tokens || judged.weight == best.weight, "of equal values the lightest", seed);
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 4000;
  const auto first = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 1);
  for (long i = 0; i < count; ++i)
    if (!check(first + static_cast<std::uint64_t>(i))) return 1;
  std::printf("%ld problems agree with brute force\n", count);
  return 0;
}
