/// Small random forests with floors, against brute force. Arguments: number of instances, first seed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "../src/wide.hpp"
#include "forest_cases.hpp"
#include "haversack/floors.hpp"

namespace {

using namespace haversack;
using haversack::testing::Random;

std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

Wide worth_of(const FloorInstance& in, std::size_t option) {
  return Wide(in.option_worth.data() + option * FloorInstance::kLimbs);
}

void append(const Wide& number, std::vector<std::uint64_t>& words) {
  words.insert(words.end(), number.limbs(), number.limbs() + FloorInstance::kLimbs);
}

FloorInstance draw(Random& random) {
  FloorInstance in;
  const auto sections = 1 + random.upto(3);
  for (int section = 0; section < sections; ++section) {
    const bool is_whole = section + 1 == sections;
    in.section_around.push_back(
        is_whole ? -1 : static_cast<std::int32_t>(section + 1 + random.upto(static_cast<int>(sections - section - 2))));
    in.section_cap.push_back(random.upto(40));
    in.section_floor.push_back(is_whole || random.one_in(4) ? 0 : random.upto(25));
  }
  const std::int64_t scale = random.one_in(3) ? 1'000'000'007 : 1;
  const auto nodes = 1 + random.upto(4);
  Wide wide_scale(1);
  for (int i = random.one_in(4) ? 6 : 0; i > 0; --i) wide_scale = wide_scale * Wide(std::int64_t{1} << 40);
  Wide most(0);
  in.grain = 1000 * scale;
  in.option_begin.push_back(0);
  for (int node = 0; node < nodes; ++node) {
    const bool hangs = node > 0 && random.one_in(2);
    in.node_parent.push_back(hangs ? node - 1 : -1);
    in.node_section.push_back(hangs ? in.node_section.back()
                                    : static_cast<std::int32_t>(random.upto(static_cast<int>(sections) - 1)));
    in.node_forced.push_back(random.one_in(5) ? 1 : 0);
    const auto options = 1 + random.upto(2);
    for (int i = 0; i < options; ++i) {
      // What is forced fits: it weighs nothing in its lightest option.
      const std::int64_t weight = i == 0 && in.node_forced.back() != 0 ? 0 : random.upto(12) * scale;
      in.option_weight.push_back(weight);
      in.option_fill.push_back(random.one_in(5) ? 0 : weight);
      const Wide worth = Wide(random.upto(20) - 6) * wide_scale * Wide(in.grain) - Wide(weight);
      append(worth, in.option_worth);
      most = most + (worth < Wide(0) ? Wide(0) - worth : worth);
    }
    in.option_begin.push_back(static_cast<std::int64_t>(in.option_weight.size()));
  }
  for (auto& cap : in.section_cap) cap *= scale;
  for (auto& floor : in.section_floor) floor *= scale;
  append((most * Wide(2) / Wide(in.grain) + Wide(2)) * Wide(in.grain), in.penalty);
  return in;
}

/// What a choice is worth; false: it is not allowed.
bool judge(const FloorInstance& in, const std::vector<std::int32_t>& choice, Wide& worth) {
  std::vector<std::int64_t> weight(in.section_cap.size(), 0), fill(in.section_cap.size(), 0);
  worth = Wide(0);
  for (std::size_t node = 0; node < choice.size(); ++node) {
    const auto parent = in.node_parent[node];
    const bool may = parent < 0 || choice[at(parent)] >= 0;
    if (choice[node] < 0 ? may && in.node_forced[node] != 0 : !may) return false;
    if (choice[node] < 0) continue;
    const auto option = at(in.option_begin[node] + choice[node]);
    weight[at(in.node_section[node])] += in.option_weight[option];
    fill[at(in.node_section[node])] += in.option_fill[option];
    worth = worth + worth_of(in, option);
  }
  for (std::size_t section = 0; section < weight.size(); ++section) {
    if (in.section_cap[section] < weight[section]) return false;
    worth =
        worth - Wide(in.penalty.data()) * Wide(std::max<std::int64_t>(0, in.section_floor[section] - fill[section]));
    if (in.section_around[section] < 0) continue;
    weight[at(in.section_around[section])] += weight[section];
    fill[at(in.section_around[section])] += fill[section];
  }
  return true;
}

Wide brute_force(const FloorInstance& in) {
  std::vector<std::int32_t> choice(in.node_parent.size(), -1);
  Wide best(0);
  bool has_best = false;
  const std::function<void(std::size_t)> decide = [&](std::size_t node) {
    if (node == choice.size()) {
      Wide worth;
      if (!judge(in, choice, worth) || (has_best && !(best < worth))) return;
      best = worth;
      has_best = true;
      return;
    }
    const auto options = static_cast<std::int32_t>(in.option_begin[node + 1] - in.option_begin[node]);
    for (choice[node] = -1; choice[node] < options; ++choice[node]) decide(node + 1);
  };
  decide(0);
  return best;
}

bool expect(bool holds, const char* rule, std::uint64_t seed) {
  if (!holds) std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), rule);
  return holds;
}

bool check(std::uint64_t seed, int& wide) {
  Random random(seed);
  const auto in = draw(random);
  const Wide best = brute_force(in);
  bool good = true;
  for (const std::int64_t states : {-1, 0, 5, 100}) {
    ForestLimits limits;
    limits.states = states;
    const auto found = solve_floors(in, limits);
    Wide worth;
    good = good && expect(found.status == ForestStatus::solved, "it is solved", seed);
    good = good && expect(judge(in, found.choice, worth), "the choice is allowed", seed);
    if (!good) return false;
    good = good && expect(!(Wide(found.bound.data()) < best), "the bound holds whatever the effort", seed);
    good =
        good && expect(!found.is_proven || (worth == best && Wide(found.bound.data()) == best), "a proof is one", seed);
    good = good && expect(states >= 0 || found.is_proven, "without a limit it goes on to the proof", seed);
    wide += found.bits == 512 ? 1 : 0;
  }
  return good;
}

bool refuses_what_is_no_forest() {
  Random random(1);
  const auto in = draw(random);
  bool good = solve_floors(FloorInstance{}).status == ForestStatus::invalid;
  auto broken = in;
  broken.section_around.back() = 0;
  good = good && solve_floors(broken).status == ForestStatus::invalid;
  broken = in;
  broken.node_parent[0] = 0;
  good = good && solve_floors(broken).status == ForestStatus::invalid;
  broken = in;
  broken.option_worth.pop_back();
  good = good && solve_floors(broken).status == ForestStatus::invalid;
  return expect(good, "what is no forest is told", 1);
}

}  // namespace

int main(int count, char** argument) {
  const auto instances = count > 1 ? std::strtoull(argument[1], nullptr, 10) : 1500;
  const auto first = count > 2 ? std::strtoull(argument[2], nullptr, 10) : 1;
  int wrong = refuses_what_is_no_forest() ? 0 : 1;
  int wide = 0;
  for (auto seed = first; seed < first + instances && wrong < 3; ++seed) wrong += check(seed, wide) ? 0 : 1;
  if (wide == 0) wrong += expect(false, "the widest arithmetic is tried", 0) ? 0 : 1;
  std::printf("%llu forests with floors, %d wrong\n", static_cast<unsigned long long>(instances), wrong);
  return wrong == 0 ? 0 : 1;
}
