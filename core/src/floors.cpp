#include "haversack/floors.hpp"

#include "floor_search.hpp"
#include "forest_validate.hpp"

namespace haversack {
namespace {

constexpr std::int64_t kTies = 20'000;  // states more, at least, to find the same with less weight

int bit_length(Int128 number) {
  int bits = 0;
  for (; number > 0; number /= 2) ++bits;
  return bits;
}

bool has_valid_sections(const FloorInstance& in) {
  const auto sections = in.section_cap.size();
  if (sections == 0 || in.section_around.size() != sections || in.section_floor.size() != sections) return false;
  for (std::size_t section = 0; section < sections; ++section) {
    const auto around = in.section_around[section];
    const bool is_whole = section + 1 == sections;
    if (is_whole ? around != -1 : around <= static_cast<std::int64_t>(section)) return false;
    if (around >= static_cast<std::int64_t>(sections)) return false;
    if (in.section_cap[section] < 0 || in.section_floor[section] < 0) return false;
  }
  return in.section_floor.back() == 0;
}

bool has_valid_nodes(const FloorInstance& in) {
  const auto nodes = in.node_parent.size();
  if (in.node_section.size() != nodes || in.node_forced.size() != nodes || in.option_begin.size() != nodes + 1)
    return false;
  if (in.option_begin[0] != 0) return false;
  std::vector<std::size_t> way;
  for (std::size_t node = 0; node < nodes; ++node) {
    const auto section = in.node_section[node];
    if (section < 0 || forest::at(section) >= in.section_cap.size()) return false;
    if (in.option_begin[node + 1] <= in.option_begin[node]) return false;
    // In preorder a parent is among the last node and those above it.
    const auto parent = in.node_parent[node];
    while (!way.empty() && static_cast<std::int64_t>(way.back()) != parent) way.pop_back();
    if (parent < -1 || (parent >= 0 && (way.empty() || in.node_section[way.back()] != section))) return false;
    way.push_back(node);
  }
  return true;
}

bool has_valid_options(const FloorInstance& in) {
  const auto options = static_cast<std::size_t>(in.option_begin.back());
  if (in.option_weight.size() != options || in.option_fill.size() != options) return false;
  if (in.option_worth.size() != options * FloorInstance::kLimbs || in.penalty.size() != FloorInstance::kLimbs)
    return false;
  const auto is_negative = [](std::int64_t number) { return number < 0; };
  return in.grain > 0 && std::none_of(in.option_weight.begin(), in.option_weight.end(), is_negative) &&
         std::none_of(in.option_fill.begin(), in.option_fill.end(), is_negative);
}

/// The widest number that can come up: a price, which is at most all worths and the penalties of all sections, times
/// all tokens.
int width(const FloorInstance& in) {
  Int128 weights = 1;
  Int128 fills = 1;
  for (const auto weight : in.option_weight) weights += weight;
  for (const auto fill : in.option_fill) fills += fill;
  for (const auto cap : in.section_cap) weights = std::max<Int128>(weights, cap);
  const auto tokens = std::max(weights, fills);
  Wide most(1);
  for (std::size_t option = 0; option < in.option_weight.size(); ++option) {
    const Wide worth(in.option_worth.data() + option * FloorInstance::kLimbs);
    most = most + (worth < Wide(0) ? Wide(0) - worth : worth);
  }
  most = most + Wide(in.penalty.data()) * Wide(static_cast<std::int64_t>(in.section_cap.size()) + 1);
  return bit_length(tokens) + most.bits() + 3;
}

/// A state of the widest arithmetic takes as long as many others.
ForestLimits in_wide(ForestLimits limits) {
  constexpr std::int64_t others = 16;
  if (limits.states > 0) limits.states = std::max<std::int64_t>(1, limits.states / others);
  return limits;
}

/// Beams of four times the width of the one before; the first at any limit.
template <class T>
void run(const FloorInstance& instance, int scale, const ForestLimits& limits, FloorOutcome& outcome) {
  const floors::Model<T> model(instance, scale);
  floors::Effort effort;
  effort.memory = limits.memory;
  effort.interrupted = &limits.interrupted;
  floors::Search<T> search(model, effort);
  bool was_proven_but_for_weight = false;
  for (std::size_t beam = floors::kBeam; !search.is_proven(); beam *= 4) {
    ++outcome.passes;
    if (!search.round(beam)) break;
    if (search.is_proven() || limits.states < 0) continue;
    if (effort.left < 0) effort.left = limits.states;
    if (!was_proven_but_for_weight && search.is_proven_but_for_weight()) {
      was_proven_but_for_weight = true;
      effort.left = std::min(effort.left, 4 * effort.spent + kTies);
    }
    if (effort.left <= effort.spent) break;
  }
  outcome.status = effort.is_interrupted ? ForestStatus::interrupted : ForestStatus::solved;
  outcome.choice = search.choice();
  outcome.is_proven = search.is_proven();
  outcome.states = effort.spent;
  outcome.bits = forest::Width<T>::bits;
  const Wide bound(forest::floor_div(search.bound(), model.scale));
  outcome.bound.assign(bound.limbs(), bound.limbs() + Wide::kLimbs);
}

}  // namespace

FloorOutcome solve_floors(const FloorInstance& instance, const ForestLimits& limits) {
  FloorOutcome outcome;
  if (!has_valid_sections(instance) || !has_valid_nodes(instance) || !has_valid_options(instance)) return outcome;
  const int bits = width(instance);
  constexpr int fine = 4;
  if (bits <= forest::Width<Int128>::product) {
    const int left = forest::Width<Int128>::product - bits;
    run<Int128>(instance, 1 << std::min(left, fine), limits, outcome);
  } else if (bits + fine <= forest::Width<Wide>::product) {
    run<Wide>(instance, 1 << fine, in_wide(limits), outcome);
  } else {
    outcome.status = ForestStatus::too_wide;
  }
  return outcome;
}

}  // namespace haversack
