/// Which unit to decide next: the one whose breaches of what was relaxed cost most.
#pragma once

#include "linked_building.hpp"
#include "linked_dual.hpp"

namespace haversack::linked {

class Breaches {
 public:
  Breaches(const Relaxation& relaxation, const Dual& dual) : relaxation_(relaxation), dual_(dual) {}

  /// The unit whose breaches cost most: by the multipliers that their links bear.
  [[nodiscard]] std::int32_t unit_to_decide(const Choice& relaxed) const {
    const auto slots = relaxation_.unit_of.size();
    if (slots == 0) return -1;
    std::vector<double> score(slots, 0.0);
    const auto inside = states_of(relaxed);
    score_links(inside, score);
    score_choices(inside, score);
    for (std::size_t slot = 0; slot < slots; ++slot)
      if (inside[slot] > 0 && inside[slot] < 1) score[slot] += trifle() + magnitude(slot);
    auto best = std::max_element(score.begin(), score.end());
    if (*best <= 0) best = most_open(score);
    return relaxation_.unit_of[static_cast<std::size_t>(best - score.begin())];
  }

 private:
  /// Of each slot: 1 in, 0 out, between where its parts are apart.
  [[nodiscard]] std::vector<double> states_of(const Choice& relaxed) const {
    std::vector<double> inside(relaxation_.unit_of.size(), 0.0);
    for (std::size_t slot = 0; slot < inside.size(); ++slot) {
      const auto first = relaxation_.entry_begin[slot], last = relaxation_.entry_begin[slot + 1];
      if (relaxed.empty()) {
        inside[slot] = dual_.exact.in[slot];
        continue;
      }
      int count = 0;
      for (auto i = first; i < last; ++i) count += relaxed[at(relaxation_.entries[at(i)].item)] >= 0 ? 1 : 0;
      inside[slot] = count == last - first ? 1.0 : 0.5 * (count > 0 ? 1 : 0);
    }
    return inside;
  }

  [[nodiscard]] double magnitude(std::size_t slot) const {
    return std::abs(static_cast<double>(dual_.exact.own[slot]));
  }
  /// A breach counts even where its multiplier is nothing.
  [[nodiscard]] double trifle() const {
    return static_cast<double>(scaled(relaxation_.problem.grain, relaxation_.problem.scale));
  }

  void score_links(const std::vector<double>& inside, std::vector<double>& score) const {
    for (const auto& link : relaxation_.links) {
      const double mu = static_cast<double>(dual_.whole[relaxation_.link_multiplier(link.link)]);
      const bool is_breach = inside[at(link.user)] > 0 && inside[at(link.needed)] < 1;
      const bool is_slack = inside[at(link.user)] <= 0 && inside[at(link.needed)] >= 1;
      if (is_breach) score[at(link.needed)] += mu + trifle();
      if (is_slack) score[at(link.needed)] += mu;
      if (is_breach || is_slack) score[at(link.user)] += 0.5 * mu;
    }
    for (std::size_t slot = 0; slot < inside.size(); ++slot) {
      const auto above = relaxation_.parent[slot];
      if (above >= 0 && inside[slot] > 0 && inside[at(above)] < 1) score[at(above)] += magnitude(slot) + trifle();
    }
  }

  void score_choices(const std::vector<double>& inside, std::vector<double>& score) const {
    std::vector<double> count(relaxation_.problem.choices.begin.size(), 0.0);
    for (const auto& [slot, choice] : relaxation_.apart) count[at(choice)] += inside[at(slot)] > 0 ? 1 : 0;
    for (const auto& [slot, choice] : relaxation_.apart) {
      const double nu = static_cast<double>(dual_.whole[relaxation_.choice_multiplier(at(choice))]);
      if (count[at(choice)] > 1 && inside[at(slot)] > 0) score[at(slot)] += magnitude(at(slot)) + nu + trifle();
      if (count[at(choice)] < 1) score[at(slot)] += 0.5 * nu;
    }
    std::vector<double> in_group(relaxation_.group_first.size(), 0.0);
    for (std::size_t slot = 0; slot < inside.size(); ++slot)
      if (relaxation_.group[slot] >= 0) in_group[at(relaxation_.group[slot])] += inside[slot] > 0 ? 1 : 0;
    for (std::size_t slot = 0; slot < inside.size(); ++slot)
      if (relaxation_.group[slot] >= 0 && in_group[at(relaxation_.group[slot])] > 1 && inside[slot] > 0)
        score[slot] += magnitude(slot) + trifle();
  }

  /// Without a breach: the unit that the multipliers are least sure of, the heaviest of these.
  std::vector<double>::iterator most_open(std::vector<double>& score) const {
    for (std::size_t slot = 0; slot < score.size(); ++slot) {
      double weight = 1;
      for (auto i = relaxation_.entry_begin[slot]; i < relaxation_.entry_begin[slot + 1]; ++i)
        weight += relaxation_.options[at(relaxation_.entries[at(i)].last) - 1].weight;
      score[slot] = weight / (1.0 + std::abs(static_cast<double>(dual_.exact.total[slot])));
    }
    return std::max_element(score.begin(), score.end());
  }

  const Relaxation& relaxation_;
  const Dual& dual_;
};

}  // namespace haversack::linked
