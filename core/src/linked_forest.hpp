/// A relaxation as a forest: what the forest engine can keep is kept, for the rest its profits bear the multipliers.
#pragma once

#include "linked_dual.hpp"
#include "linked_greedy.hpp"

namespace haversack::linked {

/// Selections of the forest are the relaxation's, and worth what they are worth there.
class ForestView {
 public:
  ForestView(const Relaxation& relaxation, const Dual& dual)
      : relaxed_(relaxation), problem_(relaxation.problem), dual_(dual) {
    build();
  }

  /// Whether everything is kept: the forest's best selection is the best of all.
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  [[nodiscard]] std::size_t nodes() const { return node_entries_.size(); }

  /// Units of which something is not kept: as soon as they are decided, the forest is whole.
  [[nodiscard]] std::vector<std::int32_t> entangled() const {
    std::vector<std::uint8_t> marked(home_.size(), 0);
    for (const auto& link : relaxed_.links) marked[at(link.user)] = marked[at(link.needed)] = 1;
    for (const auto& [slot, choice] : relaxed_.apart) marked[at(slot)] = 1;
    std::vector<std::int32_t> units;
    for (std::size_t slot = 0; slot < marked.size(); ++slot) {
      const auto above = relaxed_.parent[slot];
      const auto g = relaxed_.group[slot];
      if (above >= 0 && kept_[slot] < 0) marked[slot] = marked[at(above)] = 1;
      if (home_[slot] < 0 || (g >= 0 && merged_[at(g)] == 0)) marked[slot] = 1;
    }
    for (std::size_t slot = 0; slot < marked.size(); ++slot)
      if (marked[slot] != 0) units.push_back(relaxed_.unit_of[slot]);
    return units;
  }

  ForestOutcome solve(ForestLimits limits, Int128 cutoff) {
    limits.at_least = cutoff - constant_;
    limits.near_enough = scaled(problem_.grain, problem_.scale);
    limits.has_least = true;
    return solve_forest(instance_, limits);
  }

  /// A bound on all selections, from that of the forest.
  [[nodiscard]] Int128 bound(const ForestOutcome& outcome) const {
    if (outcome.optimal) return constant_ + value(outcome);
    if (outcome.wide_bound.empty()) return constant_ + outcome.bound[0];
    return constant_ +
           static_cast<Int128>(static_cast<unsigned __int128>(outcome.wide_bound[1]) << 64U | outcome.wide_bound[0]);
  }

  /// The forest's selection, item by item.
  [[nodiscard]] Choice choice(const ForestOutcome& outcome) const {
    Choice choice(problem_.items(), -1);
    for (const auto& [item, option] : fixed_) choice[at(item)] = option;
    for (std::size_t node = 0; node < nodes(); ++node) {
      if (outcome.choice[node] < 0) continue;
      const auto [item, option] = meaning_[at(begin_[node]) + at(outcome.choice[node])];
      choice[at(item)] = option;
    }
    return choice;
  }

 private:
  [[nodiscard]] Int128 value(const ForestOutcome& outcome) const {
    Int128 sum = 0;
    for (std::size_t node = 0; node < nodes(); ++node)
      if (outcome.choice[node] >= 0) sum += profits_[at(begin_[node]) + at(outcome.choice[node])];
    return sum;
  }

  void build() {
    const auto slots = relaxed_.unit_of.size();
    adjust_.assign(slots, 0);
    find_parts();
    find_kept();
    add_multipliers();
    share_groups();
    share_units();
    lay_out();
  }

  [[nodiscard]] bool is_torn(std::size_t slot) const { return home_[slot] < 0; }

  void find_parts() {
    home_.assign(relaxed_.unit_of.size(), -1);
    for (std::size_t slot = 0; slot < home_.size(); ++slot) {
      const auto first = at(relaxed_.entry_begin[slot]), last = at(relaxed_.entry_begin[slot + 1]);
      home_[slot] = relaxed_.entries[first].section;
      for (auto i = first; i < last; ++i)
        if (relaxed_.entries[i].section != home_[slot]) home_[slot] = -1;
      is_whole_ = is_whole_ && home_[slot] >= 0;
    }
  }

  /// Parents in the same section stay; groups of leaves side by side become one node.
  void find_kept() {
    const auto slots = home_.size();
    kept_.assign(slots, -1);
    std::vector<std::uint8_t> has_child(slots, 0);
    is_whole_ = is_whole_ && relaxed_.links.empty() && relaxed_.apart.empty();
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const auto above = relaxed_.parent[slot];
      if (above < 0) continue;
      if (!is_torn(slot) && home_[at(above)] == home_[slot]) {
        kept_[slot] = above;
        has_child[at(above)] = 1;
      } else {
        is_whole_ = false;
      }
    }
    const auto groups = relaxed_.group_first.size();
    merged_.assign(groups, 1);
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const auto g = relaxed_.group[slot];
      if (g < 0) continue;
      const auto first = at(relaxed_.group_first[at(g)]);
      const bool bare = relaxed_.entry_begin[slot + 1] - relaxed_.entry_begin[slot] == 1 && has_child[slot] == 0;
      if (!bare || home_[slot] != home_[first] || kept_[slot] != kept_[first]) merged_[at(g)] = 0;
    }
    for (const auto merged : merged_) is_whole_ = is_whole_ && merged != 0;
  }

  void add_multipliers() {
    constant_ = 0;
    for (const auto& link : relaxed_.links) {
      const Int128 mu = dual_.whole[relaxed_.link_multiplier(link.link)];
      adjust_[at(link.user)] -= mu;
      adjust_[at(link.needed)] += mu;
    }
    for (const auto& [slot, choice] : relaxed_.apart)
      adjust_[at(slot)] -= dual_.whole[relaxed_.choice_multiplier(at(choice))];
    for (const auto choice : relaxed_.choices_apart) constant_ += dual_.whole[relaxed_.choice_multiplier(at(choice))];
  }

  /// Alternatives that become nodes of their own: what the second best is worth is taken from each.
  void share_groups() {
    levy_.assign(merged_.size(), 0);
    for (std::size_t g = 0; g < merged_.size(); ++g) {
      if (merged_[g] != 0) continue;
      levy_[g] = (std::max<Int128>(0, dual_.exact.second[g]) + std::max<Int128>(0, dual_.exact.best[g])) / 2;
      constant_ += levy_[g];
    }
    for (std::size_t slot = 0; slot < home_.size(); ++slot)
      if (relaxed_.group[slot] >= 0) adjust_[slot] -= levy_[at(relaxed_.group[slot])];
  }

  /// What a parent elsewhere lacks, its users give, in proportion to what they have.
  void share_units() {
    const auto slots = home_.size();
    const auto& exact = dual_.exact;
    std::vector<Int128> lacks(slots, 0), have(slots, 0);
    for (std::size_t slot = slots; slot-- > 0;) {
      const auto above = relaxed_.parent[slot];
      if (above < 0) continue;
      const Int128 gives = exact.stays[slot] != 0 ? exact.total[slot] : 0;
      if (kept_[slot] < 0) have[at(above)] += gives;
    }
    for (std::size_t slot = 0; slot < slots; ++slot) lacks[slot] = std::max<Int128>(0, have[slot] - exact.total[slot]);
    std::vector<Int128> group_given(merged_.size(), 0);
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const auto above = relaxed_.parent[slot];
      if (above < 0 || kept_[slot] >= 0) continue;
      const Int128 gives = share_of(slot, lacks[at(above)], have[at(above)]);
      adjust_[slot] -= gives;
      const auto g = relaxed_.group[slot];
      if (g < 0) {
        adjust_[at(above)] += gives;
      } else if (group_given[at(g)] < gives) {
        // Only one of them needs it: it is given what the most generous gives.
        adjust_[at(above)] += gives - group_given[at(g)];
        group_given[at(g)] = gives;
      }
    }
    group_gifts_ = std::move(group_given);
    even_groups();
  }

  [[nodiscard]] Int128 share_of(std::size_t slot, const Int128& lack, const Int128& have) const {
    const auto& exact = dual_.exact;
    if (exact.stays[slot] == 0 || lack <= 0) return 0;
    if (lack >= have) return exact.total[slot];
    const double part =
        static_cast<double>(exact.total[slot]) * (static_cast<double>(lack) / static_cast<double>(have));
    return std::min<Int128>(exact.total[slot], static_cast<Int128>(part) + 1);
  }

  /// All alternatives give what one does: sum of alternatives <= needed has one multiplier.
  void even_groups() {
    for (std::size_t slot = 0; slot < home_.size(); ++slot) {
      const auto g = relaxed_.group[slot];
      if (g < 0 || relaxed_.parent[slot] < 0 || kept_[slot] >= 0 || dual_.exact.stays[slot] != 0) continue;
      adjust_[slot] -= group_gifts_[at(g)];
    }
  }

  void lay_out() {
    instance_.section_parent.assign(problem_.parent.begin(), problem_.parent.end() - 1);
    for (auto& above : instance_.section_parent)
      if (at(above) == problem_.whole()) above = -1;
    instance_.section_cap.assign(relaxed_.room.begin(), relaxed_.room.end() - 1);
    instance_.capacity = relaxed_.room.back();
    const auto& entries = relaxed_.entries;
    for (std::size_t i = 0; i < entries.size() && entries[i].slot < 0; ++i) {
      if (entries[i].last - entries[i].first == 1) {
        fixed_.emplace_back(entries[i].item, relaxed_.options[at(entries[i].first)].option);
        constant_ += profit(entries[i].first);
      } else {
        add_node(i, -1, 0, 0);
        instance_.unit_mandatory.back() = 1;
      }
    }
    head_.assign(home_.size(), -1);
    gather_merged();
    for (std::size_t slot = 0; slot < home_.size(); ++slot) lay_out_unit(slot);
    finish();
  }

  void gather_merged() {
    alternatives_.assign(merged_.size(), {});
    for (std::size_t slot = 0; slot < home_.size(); ++slot)
      if (relaxed_.group[slot] >= 0 && merged_[at(relaxed_.group[slot])] != 0)
        alternatives_[at(relaxed_.group[slot])].push_back(narrow(slot));
  }

  void lay_out_unit(std::size_t slot) {
    const auto first = at(relaxed_.entry_begin[slot]), last = at(relaxed_.entry_begin[slot + 1]);
    const auto g = relaxed_.group[slot];
    const auto above = kept_[slot] < 0 ? -1 : head_[at(kept_[slot])];
    if (g >= 0 && merged_[at(g)] != 0) {
      if (relaxed_.group_first[at(g)] != narrow(slot)) return;
      begin_node(relaxed_.entries[first].section, above, 0);
      for (const auto one : alternatives_[at(g)]) add_options(at(relaxed_.entry_begin[at(one)]), adjust_[at(one)]);
      return;
    }
    if (is_torn(slot)) return lay_out_parts(slot);
    head_[slot] = narrow(nodes());
    add_node(first, above, 0, adjust_[slot]);
    for (auto i = first + 1; i < last; ++i) add_node(i, head_[slot], 1, 0);
  }

  /// Parts in several sections: each bears what makes all of them worth the same.
  void lay_out_parts(std::size_t slot) {
    const auto first = at(relaxed_.entry_begin[slot]), last = at(relaxed_.entry_begin[slot + 1]);
    std::vector<std::pair<std::int32_t, Int128>> parts;
    Int128 sum = adjust_[slot];
    for (auto i = first; i < last; ++i) {
      const auto section = relaxed_.entries[i].section;
      auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& one) { return one.first == section; });
      if (part == parts.end()) part = parts.insert(part, {section, 0});
      part->second += dual_.exact.worth[i];
      sum += dual_.exact.worth[i];
    }
    Int128 left = adjust_[slot];
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Int128 share = p + 1 == parts.size() ? left : sum / static_cast<Int128>(parts.size()) - parts[p].second;
      left -= share;
      std::int32_t head = -1;
      for (auto i = first; i < last; ++i) {
        if (relaxed_.entries[i].section != parts[p].first) continue;
        if (head >= 0) {
          add_node(i, head, 1, 0);
          continue;
        }
        head = narrow(nodes());
        add_node(i, -1, 0, share);
      }
    }
  }

  void begin_node(std::int32_t section, std::int32_t above, std::uint8_t together) {
    node_entries_.push_back(section);
    instance_.unit_section.push_back(at(section) == problem_.whole() ? -1 : section);
    instance_.unit_parent.push_back(above);
    instance_.unit_with_parent.push_back(together);
    instance_.unit_mandatory.push_back(0);
    begin_.push_back(narrow(meaning_.size()));
  }
  void add_node(std::size_t entry, std::int32_t above, std::uint8_t together, const Int128& extra) {
    begin_node(relaxed_.entries[entry].section, above, together);
    add_options(entry, extra);
  }
  void add_options(std::size_t entry, const Int128& extra) {
    const auto& here = relaxed_.entries[entry];
    for (auto i = here.first; i < here.last; ++i) {
      meaning_.emplace_back(here.item, relaxed_.options[at(i)].option);
      instance_.option_weight.push_back(relaxed_.options[at(i)].tokens);
      profits_.push_back(profit(i) + extra);
    }
  }
  [[nodiscard]] Int128 profit(std::int32_t choosable) const {
    return scaled(problem_.options[at(relaxed_.options[at(choosable)].option)].profit, problem_.scale);
  }

  void finish() {
    begin_.push_back(narrow(meaning_.size()));
    instance_.option_begin.assign(begin_.begin(), begin_.end());
    constexpr Int128 widest = Int128{1} << 62;
    const bool is_narrow =
        std::all_of(profits_.begin(), profits_.end(), [&](const Int128& one) { return one < widest && one > -widest; });
    if (is_narrow) {
      for (const auto& one : profits_) instance_.option_profit.push_back(static_cast<std::int64_t>(one));
      return;
    }
    for (const auto& one : profits_) {
      instance_.option_limbs.push_back(static_cast<std::uint64_t>(one));
      instance_.option_limbs.push_back(static_cast<std::uint64_t>(one >> 64));
      instance_.option_limbs.insert(instance_.option_limbs.end(), ForestInstance::kLimbs - 2,
                                    one < 0 ? ~std::uint64_t{0} : 0);
    }
  }

  const Relaxation& relaxed_;
  const Problem& problem_;
  const Dual& dual_;
  bool is_whole_ = true;
  Int128 constant_ = 0;
  std::vector<std::int32_t> home_, kept_, head_, begin_, node_entries_;
  std::vector<std::uint8_t> merged_;
  std::vector<Int128> adjust_, levy_, group_gifts_, profits_;
  std::vector<std::vector<std::int32_t>> alternatives_;
  std::vector<std::pair<std::int32_t, std::int32_t>> meaning_, fixed_;  ///< item and option
  ForestInstance instance_;
};

}  // namespace haversack::linked
