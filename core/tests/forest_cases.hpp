/// Random forests and a brute force to judge by.
#pragma once

#include <algorithm>
#include <random>
#include <string>

#include "haversack/forest.hpp"

namespace haversack::testing {

inline std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

/// Value by tier and weight of a selection; not feasible: no value.
struct Judged {
  std::vector<Int128> value;
  Int128 weight = 0;
  [[nodiscard]] bool beats(const Judged& other) const {
    if (other.value.empty()) return !value.empty();
    return value != other.value ? value > other.value : weight < other.weight;
  }
};

/// What lies in each section and, last, in all; empty if the choice breaks a rule other than a cap.
inline std::vector<Int128> loads_of(const ForestInstance& in, const std::vector<std::int32_t>& choice) {
  std::vector<Int128> load(in.section_parent.size() + 1, 0);
  for (std::size_t unit = 0; unit < choice.size(); ++unit) {
    const bool is_in = choice[unit] >= 0;
    if (!is_in && !in.unit_mandatory.empty() && in.unit_mandatory[unit] != 0) return {};
    const auto parent = in.unit_parent.empty() ? -1 : in.unit_parent[unit];
    const bool parent_in = parent < 0 || choice[at(parent)] >= 0;
    if (is_in && !parent_in) return {};
    if (!is_in && parent >= 0 && parent_in && !in.unit_with_parent.empty() && in.unit_with_parent[unit] != 0) return {};
    if (!is_in) continue;
    const auto option = at(in.option_begin[unit] + choice[unit]);
    if (option >= at(in.option_begin[unit + 1])) return {};
    load.back() += in.option_weight[option];
    auto section = in.unit_section.empty() ? -1 : in.unit_section[unit];
    for (; section >= 0; section = in.section_parent[at(section)]) load[at(section)] += in.option_weight[option];
  }
  return load;
}

/// Checks every rule from the instance alone, without `clamp`.
inline Judged judge(const ForestInstance& in, const std::vector<std::int32_t>& tiers,
                    const std::vector<std::int32_t>& choice) {
  const auto load = loads_of(in, choice);
  if (load.empty() || load.back() > std::max<std::int64_t>(in.capacity, 0)) return {};
  for (std::size_t section = 0; section < in.section_cap.size(); ++section)
    if (in.section_cap[section] >= 0 && load[section] > in.section_cap[section]) return {};
  Judged judged;
  judged.weight = load.back();
  judged.value.assign(tiers.size(), 0);
  for (std::size_t unit = 0; unit < choice.size(); ++unit) {
    if (choice[unit] < 0) continue;
    const auto option = at(in.option_begin[unit] + choice[unit]);
    const auto tier = in.option_tier.empty() ? 0 : in.option_tier[option];
    judged.value[at(std::find(tiers.begin(), tiers.end(), tier) - tiers.begin())] += in.option_profit[option];
  }
  return judged;
}

inline std::vector<std::int32_t> tiers_of(const ForestInstance& in) {
  auto tiers = in.option_tier;
  std::sort(tiers.begin(), tiers.end());
  tiers.erase(std::unique(tiers.begin(), tiers.end()), tiers.end());
  if (tiers.empty()) tiers.push_back(0);
  return tiers;
}

/// Calls `visit` with every choice there is, feasible or not.
template <class Visit>
void each_choice(const ForestInstance& in, const Visit& visit) {
  std::vector<std::int32_t> choice(in.option_begin.size() - 1, -1);
  for (;;) {
    visit(choice);
    std::size_t unit = 0;
    for (; unit < choice.size(); ++unit) {
      if (++choice[unit] < in.option_begin[unit + 1] - in.option_begin[unit]) break;
      choice[unit] = -1;
    }
    if (unit == choice.size()) return;
  }
}

/// The best of all selections, by trying them; no value if none is feasible.
inline Judged brute_force(const ForestInstance& in) {
  const auto tiers = tiers_of(in);
  Judged best;
  each_choice(in, [&](const std::vector<std::int32_t>& choice) {
    const auto judged = judge(in, tiers, choice);
    if (judged.beats(best)) best = judged;
  });
  return best;
}

/// What `clamp` promises: every cap raised to the least that must lie under it.
inline ForestInstance with_raised_caps(const ForestInstance& in) {
  std::vector<Int128> least;
  each_choice(in, [&](const std::vector<std::int32_t>& choice) {
    const auto load = loads_of(in, choice);
    if (load.empty()) return;
    if (least.empty()) least = load;
    for (std::size_t i = 0; i < load.size(); ++i) least[i] = std::min(least[i], load[i]);
  });
  ForestInstance raised = in;
  if (least.empty()) return raised;
  raised.capacity = std::max<std::int64_t>({in.capacity, 0, static_cast<std::int64_t>(least.back())});
  for (std::size_t section = 0; section < in.section_cap.size(); ++section)
    if (in.section_cap[section] >= 0)
      raised.section_cap[section] = std::max(in.section_cap[section], static_cast<std::int64_t>(least[section]));
  return raised;
}

struct Recipe {
  int units = 7;
  int sections = 0;
  int options = 3;
  int tiers = 1;
  std::int64_t weight = 12;
  std::int64_t profit = 12;
  bool negative = false;
  bool parents = false;
  bool groups = false;
  bool mandatory = false;
  bool clamp = true;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::int64_t upto(std::int64_t most) {
    return static_cast<std::int64_t>(engine_() % (static_cast<std::uint64_t>(most) + 1));
  }
  bool one_in(std::int64_t n) { return upto(n - 1) == 0; }

 private:
  std::mt19937_64 engine_;
};

inline ForestInstance make_forest(const Recipe& recipe, Random& random) {
  ForestInstance in;
  in.clamp = recipe.clamp;
  std::int64_t total = 0;
  for (int section = 0; section < recipe.sections; ++section)
    in.section_parent.push_back(static_cast<std::int32_t>(random.upto(section)) - 1);
  in.option_begin.push_back(0);
  for (int unit = 0; unit < recipe.units; ++unit) {
    auto section = static_cast<std::int32_t>(random.upto(recipe.sections)) - 1;
    std::int32_t parent = -1;
    if (recipe.parents && unit > 0 && !random.one_in(3)) {
      parent = static_cast<std::int32_t>(random.upto(unit - 1));
      section = in.unit_section[at(parent)];
    }
    in.unit_section.push_back(section);
    in.unit_parent.push_back(parent);
    in.unit_with_parent.push_back(parent >= 0 && recipe.groups && random.one_in(3) ? 1 : 0);
    in.unit_mandatory.push_back(recipe.mandatory && random.one_in(5) ? 1 : 0);
    const auto options = random.one_in(20) ? 0 : 1 + random.upto(recipe.options - 1);
    const auto tier = random.upto(recipe.tiers - 1);
    for (std::int64_t option = 0; option < options; ++option) {
      in.option_weight.push_back(random.upto(recipe.weight));
      in.option_profit.push_back(random.upto(recipe.profit) - (recipe.negative ? recipe.profit / 3 : 0));
      if (recipe.tiers > 1) in.option_tier.push_back(static_cast<std::int32_t>(random.one_in(6) ? 0 : tier * 3));
      total += in.option_weight.back();
    }
    in.option_begin.push_back(static_cast<std::int64_t>(in.option_weight.size()));
  }
  in.capacity = random.one_in(12) ? random.upto(2) : random.upto(total / 2 + 1);
  for (int section = 0; section < recipe.sections; ++section)
    in.section_cap.push_back(random.one_in(4) ? -1 : random.one_in(8) ? 0 : random.upto(in.capacity));
  return in;
}

/// Everything, to find an instance again.
inline std::string describe(const ForestInstance& in) {
  std::string text = "capacity " + std::to_string(in.capacity);
  for (std::size_t section = 0; section < in.section_parent.size(); ++section)
    text += "\n section parent " + std::to_string(in.section_parent[section]) + " cap " +
            std::to_string(in.section_cap[section]);
  for (std::size_t unit = 0; unit + 1 < in.option_begin.size(); ++unit) {
    text +=
        "\n unit section " + std::to_string(in.unit_section[unit]) + " parent " + std::to_string(in.unit_parent[unit]);
    if (in.unit_with_parent[unit] != 0) text += " with";
    if (in.unit_mandatory[unit] != 0) text += " mandatory";
    for (auto i = at(in.option_begin[unit]); i < at(in.option_begin[unit + 1]); ++i) {
      text += " (" + std::to_string(in.option_weight[i]) + ", " + std::to_string(in.option_profit[i]);
      text += in.option_tier.empty() ? ")" : ", tier " + std::to_string(in.option_tier[i]) + ")";
    }
  }
  return text + "\n";
}

}  // namespace haversack::testing
