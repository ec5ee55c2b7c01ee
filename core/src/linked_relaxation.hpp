/// The Lagrangian relaxation of a linked problem under some decisions: prices for the caps, multipliers for what links.
///
/// Of the units that a unit needs, one is its parent: requirements along these trees, groups in any sections, and
/// alternatives that nothing else sets apart are kept as they are. For another requirement x_user <= x_needed a
/// multiplier takes from the user what it gives to the needed; for other alternatives one is taken from each. All
/// that is left are trees that decide by themselves, bottom-up (Johnson and Niemi 1983), so the bound is that of the
/// linear program of precedence-constrained knapsacks, whose closures are integral (Picard 1976). Multipliers are found
/// in floating point and rounded: any of them prove a bound in integers.
#pragma once

#include "linked_problem.hpp"

namespace haversack::linked {

/// Of one number type: floating point to search, 128 bits to prove. By slot: a unit that is free.
template <class N>
struct Values {
  std::vector<N> price;            ///< of each section, with those around it
  std::vector<std::int32_t> pick;  ///< of each entry: the option it takes where its unit is in
  std::vector<N> worth;            ///< of each entry, with that option
  std::vector<N> own, total;       ///< of each slot, alone and with what hangs below
  std::vector<N> best, second;     ///< of each group: its greatest totals
  std::vector<std::uint8_t> stays, in;
  N bound{0};
};

class Relaxation {
 public:
  struct Entry {
    std::int32_t item, section, slot;  ///< slot -1: in for certain
    std::int32_t first, last;          ///< options that fit
  };
  struct Choosable {
    double weight, profit;
    std::int64_t tokens;
    std::int32_t option;  ///< in the problem's options
  };
  struct LocalLink {
    std::int32_t user, needed, link;  ///< slots, and the link's number
  };

  explicit Relaxation(const Problem& problem_)
      : problem(problem_), excluded(problem_.options.size(), 0), room(problem_.cap), slot_of(problem_.units, -1) {
    find_lightest();
  }

  /// Of each item, among the forms that are not excluded; without any it never fits.
  void find_lightest() {
    lightest.assign(problem.items(), std::numeric_limits<std::int64_t>::max());
    for (std::size_t item = 0; item < problem.items(); ++item)
      for (auto i = problem.option_begin[item + 1]; i-- > problem.option_begin[item];)
        if (excluded[at(i)] == 0) lightest[item] = problem.options[at(i)].weight;
  }

  /// Lays out what is free. False: what is in does not fit. May decide more: what does not fit beside it is out.
  bool prepare(Sides& side) {
    if (!find_rooms(side) || !drop_what_never_fits(side)) return false;
    lay_out_entries(side);
    find_parents(side);
    find_groups(side);
    find_active();
    return true;
  }

  [[nodiscard]] std::size_t multipliers() const { return choice_multiplier(problem.choices.begin.size() - 1); }
  [[nodiscard]] std::size_t link_multiplier(std::int32_t link) const { return room.size() + at(link); }
  [[nodiscard]] std::size_t choice_multiplier(std::size_t choice) const {
    return room.size() + problem.links.size() + choice;
  }
  [[nodiscard]] std::int64_t work() const {
    return 1 + static_cast<std::int64_t>(options.size() + entries.size() + 3 * unit_of.size() + 6 * active.size()) / 12;
  }

  /// What the multipliers ask for, and the bound they prove.
  template <class N>
  void evaluate(const std::vector<N>& y, Values<N>& v) const {
    begin_values(y, v);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& entry = entries[i];
      const N price = v.price[at(entry.section)];
      auto pick = entry.first;
      N most = profit<N>(pick) - price * weight<N>(pick);
      for (auto option = pick + 1; option < entry.last; ++option) {
        const N worth = profit<N>(option) - price * weight<N>(option);
        pick = most < worth ? option : pick;
        most = most < worth ? worth : most;
      }
      v.pick[i] = pick;
      v.worth[i] = most;
      (entry.slot < 0 ? v.bound : v.own[at(entry.slot)]) += most;
    }
    for (const auto& link : links) {
      const N mu = y[link_multiplier(link.link)];
      v.own[at(link.user)] -= mu;
      v.own[at(link.needed)] += mu;
    }
    for (const auto& [slot, choice] : apart) v.own[at(slot)] -= y[choice_multiplier(at(choice))];
    for (const auto choice : choices_apart) v.bound += y[choice_multiplier(at(choice))];
    decide(v);
  }

  /// The weight that this wants, by section with those inside.
  template <class N>
  void add_usage(const Values<N>& v, std::vector<double>& usage) const {
    usage.assign(room.size(), 0.0);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& entry = entries[i];
      if (entry.slot < 0 || v.in[at(entry.slot)] != 0) usage[at(entry.section)] += options[at(v.pick[i])].weight;
    }
    for (std::size_t s = 0; s + 1 < room.size(); ++s) usage[at(problem.parent[s])] += usage[s];
  }

  const Problem& problem;
  std::vector<std::uint8_t> excluded;     ///< of the problem's options: proven to be in nothing better
  std::vector<std::int64_t> lightest;     ///< of each item
  std::vector<std::int64_t> room, limit;  ///< of each section: what is left of its cap; and of those around it too
  std::vector<std::int32_t> slot_of;      ///< of each unit; -1: decided
  std::vector<std::int32_t> unit_of;      ///< of each slot
  std::vector<Entry> entries;             ///< those in for certain first, then by slot
  std::vector<std::int32_t> entry_begin;  ///< of each slot
  std::vector<Choosable> options;
  std::vector<std::int32_t> parent;       ///< of each slot, a slot; -1: none
  std::vector<std::int32_t> parent_link;  ///< the link's number
  std::vector<std::int32_t> group;  ///< of each slot: alternatives, of which one parent's children keep at most one
  std::vector<std::int32_t> group_first;  ///< of each group: its first slot
  std::vector<std::int32_t> group_choice;
  std::vector<LocalLink> links;                              ///< that have multipliers
  std::vector<std::pair<std::int32_t, std::int32_t>> apart;  ///< (slot, choice) that have multipliers
  std::vector<std::int32_t> choices_apart;
  std::vector<std::size_t> active;  ///< multipliers that do something

 private:
  template <class N>
  [[nodiscard]] N profit(std::int32_t option) const {
    if constexpr (std::is_same_v<N, double>) return options[at(option)].profit;
    else return scaled(problem.options[at(options[at(option)].option)].profit, problem.scale);
  }
  template <class N>
  [[nodiscard]] N weight(std::int32_t option) const {
    if constexpr (std::is_same_v<N, double>) return options[at(option)].weight;
    else return N(options[at(option)].tokens);
  }

  bool find_rooms(const Sides& side) {
    room = problem.cap;
    std::vector<Int128> taken(room.size(), 0);
    for (std::size_t unit = 0; unit < problem.units; ++unit)
      if (side[unit] == kIn)
        for (const auto item : range(problem.members, unit)) taken[at(problem.section[at(item)])] += lightest[at(item)];
    limit.assign(room.size(), 0);
    for (std::size_t s = 0; s < room.size(); ++s) {
      if (taken[s] > room[s]) return false;
      room[s] -= static_cast<std::int64_t>(taken[s]);
      if (problem.parent[s] >= 0) taken[at(problem.parent[s])] += taken[s];
    }
    for (std::size_t s = room.size(); s-- > 0;)
      limit[s] = problem.parent[s] < 0 ? room[s] : std::min(room[s], limit[at(problem.parent[s])]);
    return true;
  }

  bool drop_what_never_fits(Sides& side) const {
    std::vector<Int128> need(room.size(), 0);
    for (std::size_t unit = 0; unit < problem.units; ++unit) {
      if (side[unit] != kFree) continue;
      Int128 sum = 0;
      bool fits = true;
      for (const auto item : range(problem.members, unit)) {
        const auto s = at(problem.section[at(item)]);
        need[s] += lightest[at(item)];
        sum += lightest[at(item)];
        fits = fits && need[s] <= limit[s];
      }
      for (const auto item : range(problem.members, unit)) need[at(problem.section[at(item)])] = 0;
      if ((!fits || sum > limit.back()) && !problem.decide(side, narrow(unit), kOut)) return false;
    }
    return true;
  }

  void lay_out_entries(const Sides& side) {
    unit_of.clear();
    entries.clear();
    options.clear();
    entry_begin.clear();
    for (std::size_t unit = 0; unit < problem.units; ++unit) {
      slot_of[unit] = -1;
      if (side[unit] == kIn)
        for (const auto item : range(problem.members, unit)) add_entry(item, -1);
    }
    for (std::size_t unit = 0; unit < problem.units; ++unit) {
      if (side[unit] != kFree) continue;
      slot_of[unit] = narrow(unit_of.size());
      unit_of.push_back(narrow(unit));
      entry_begin.push_back(narrow(entries.size()));
      for (const auto item : range(problem.members, unit)) add_entry(item, slot_of[unit]);
    }
    entry_begin.push_back(narrow(entries.size()));
  }

  void add_entry(std::int32_t item, std::int32_t slot) {
    const auto section = problem.section[at(item)];
    const auto base = slot < 0 ? lightest[at(item)] : 0;
    const auto first = narrow(options.size());
    for (auto i = problem.option_begin[at(item)]; i < problem.option_begin[at(item) + 1]; ++i) {
      const auto& option = problem.options[at(i)];
      if (option.weight - base > limit[at(section)]) break;
      if (excluded[at(i)] != 0) continue;
      options.push_back(
          {static_cast<double>(option.weight - base), static_cast<double>(option.profit), option.weight - base, i});
    }
    entries.push_back({item, section, slot, first, narrow(options.size())});
  }

  void find_parents(const Sides& side) {
    links.clear();
    parent.assign(unit_of.size(), -1);
    parent_link.assign(unit_of.size(), -1);
    for (std::size_t slot = 0; slot < unit_of.size(); ++slot) {
      const auto unit = at(unit_of[slot]);
      for (auto link = problem.need_begin[unit]; link < problem.need_begin[unit + 1]; ++link) {
        const auto needed = problem.links[at(link)].needed;
        if (side[at(needed)] != kFree) continue;
        if (parent[slot] < 0) {
          parent[slot] = slot_of[at(needed)];
          parent_link[slot] = link;
        } else {
          links.push_back({narrow(slot), slot_of[at(needed)], link});
        }
      }
    }
  }

  void find_groups(const Sides& side) {
    group.assign(unit_of.size(), -1);
    group_first.clear();
    group_choice.clear();
    apart.clear();
    choices_apart.clear();
    std::vector<std::int32_t> choices_of(unit_of.size(), 0);
    std::vector<std::vector<std::int32_t>> alive(problem.choices.begin.size() - 1);
    for (std::size_t choice = 0; choice < alive.size(); ++choice) {
      for (const auto item : range(problem.choices, choice))
        if (side[at(problem.in.item_unit[at(item)])] == kFree)
          alive[choice].push_back(slot_of[at(problem.in.item_unit[at(item)])]);
      if (alive[choice].size() < 2) alive[choice].clear();
      for (const auto slot : alive[choice]) ++choices_of[at(slot)];
    }
    for (std::size_t choice = 0; choice < alive.size(); ++choice) {
      const auto& slots = alive[choice];
      if (slots.empty()) continue;
      const bool together = std::all_of(slots.begin(), slots.end(), [&](std::int32_t slot) {
        return choices_of[at(slot)] == 1 && parent[at(slot)] == parent[at(slots.front())];
      });
      if (!together) {
        choices_apart.push_back(narrow(choice));
        for (const auto slot : slots) apart.emplace_back(slot, narrow(choice));
        continue;
      }
      for (const auto slot : slots) group[at(slot)] = narrow(group_first.size());
      group_first.push_back(*std::min_element(slots.begin(), slots.end()));
      group_choice.push_back(narrow(choice));
    }
  }

  void find_active() {
    active.resize(room.size());
    std::iota(active.begin(), active.end(), std::size_t{0});
    for (const auto& link : links) active.push_back(link_multiplier(link.link));
    for (const auto choice : choices_apart) active.push_back(choice_multiplier(at(choice)));
  }

  template <class N>
  void begin_values(const std::vector<N>& y, Values<N>& v) const {
    v.price.resize(room.size());
    v.bound = N(0);
    for (std::size_t s = room.size(); s-- > 0;) {
      v.price[s] = problem.parent[s] < 0 ? y[s] : y[s] + v.price[at(problem.parent[s])];
      v.bound += y[s] * N(room[s]);
    }
    v.pick.resize(entries.size());
    v.worth.resize(entries.size());
    v.own.assign(unit_of.size(), N(0));
    v.stays.assign(unit_of.size(), 0);
    v.in.assign(unit_of.size(), 0);
    v.best.assign(group_first.size(), N(0));
    v.second.assign(group_first.size(), N(0));
  }

  /// Users come after what they need: from the last to the first, then back.
  template <class N>
  void decide(Values<N>& v) const {
    v.total = v.own;
    const auto give = [&](std::size_t slot, const N& worth) {
      v.stays[slot] = 1;
      (parent[slot] < 0 ? v.bound : v.total[at(parent[slot])]) += worth;
    };
    best_slot_.assign(group_first.size(), -1);
    for (std::size_t slot = unit_of.size(); slot-- > 0;) {
      const N total = v.total[slot];
      if (group[slot] < 0) {
        if (N(0) < total) give(slot, total);
        continue;
      }
      const auto g = at(group[slot]);
      if (best_slot_[g] < 0 ? N(0) < total : v.best[g] < total) {
        v.second[g] = v.best[g];
        v.best[g] = total;
        best_slot_[g] = narrow(slot);
      } else if (v.second[g] < total) {
        v.second[g] = total;
      }
      if (group_first[g] == narrow(slot) && best_slot_[g] >= 0) give(at(best_slot_[g]), v.best[g]);
    }
    for (std::size_t slot = 0; slot < unit_of.size(); ++slot)
      v.in[slot] = v.stays[slot] != 0 && (parent[slot] < 0 || v.in[at(parent[slot])] != 0) ? 1 : 0;
  }

  mutable std::vector<std::int32_t> best_slot_;
};

}  // namespace haversack::linked
