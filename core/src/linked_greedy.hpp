/// Selections built up by value per token: a unit goes in with all that it still needs, a form makes way for a richer
/// one.
#pragma once

#include "linked_entry.hpp"

namespace haversack::linked {

class Greedy : private Entries {
 public:
  explicit Greedy(const Problem& problem) : Entries(problem) {}

  std::int64_t spent() const { return steps_ / 8; }

  /// Keeps of `wished` what the rules allow, then fills the room that is left.
  Choice run(const Sides& side, const Choice& wished, Manner manner = Manner::thorough) {
    manner_ = manner;
    clear(side);
    moves_.clear();
    steps_ += 4 * static_cast<std::int64_t>(problem_.items());
    patience_ = steps_ + kPatience + 64 * static_cast<std::int64_t>(problem_.items());
    for (std::size_t unit = 0; unit < problem_.units; ++unit)
      if (side[unit] == kIn)
        for (const auto item : range(problem_.members, unit)) put(item, problem_.option_begin[at(item)]);
    if (!wished.empty()) keep(wished);
    fill();
    trim();
    return choice_;
  }

  /// Takes out what adds nothing: units that are worth nothing with all that is in because of them.
  void trim(Choice& choice, const Sides& side) {
    choice_.swap(choice);
    side_ = &side;
    slack_ = problem_.cap;
    patience_ = steps_ + kPatience;
    trim();
    choice_.swap(choice);
  }

 private:
  static constexpr std::int64_t kPatience = 4'000'000;

  struct Move {
    double efficiency;
    std::int32_t unit, item, option;  ///< item -1: the unit enters
    bool operator<(const Move& other) const {
      if (efficiency != other.efficiency) return efficiency < other.efficiency;
      return unit != other.unit ? unit > other.unit : item > other.item;
    }
  };
  void keep(const Choice& wished) {
    // Of alternatives the most valuable.
    std::vector<std::int32_t> winner(taken_.size(), -1);
    for (std::size_t item = 0; item < wished.size(); ++item) {
      const auto choice = problem_.choice_of[item];
      if (wished[item] < 0 || choice < 0) continue;
      auto& first = winner[at(choice)];
      if (first < 0 || option(wished[at(first)]).profit < option(wished[item]).profit) first = narrow(item);
    }
    for (std::size_t unit = 0; unit < problem_.units; ++unit) {
      if ((*side_)[unit] == kOut) continue;
      const bool was_in = (*side_)[unit] == kIn;
      bool wanted = true;
      for (const auto item : range(problem_.members, unit)) {
        const auto choice = problem_.choice_of[at(item)];
        wanted = wanted && wished[at(item)] >= 0 && (choice < 0 || winner[at(choice)] == item) &&
                 (was_in || choice < 0 || taken_[at(choice)] == 0);
      }
      for (auto link = problem_.need_begin[unit]; wanted && link < problem_.need_begin[unit + 1]; ++link)
        wanted = is_in(problem_.links[at(link)].needed);
      if (!wanted) continue;
      for (const auto item : range(problem_.members, unit))
        add_need(item, option(wished[at(item)]).weight - (was_in ? option(choice_[at(item)]).weight : 0));
      if (fits_and_forget())
        for (const auto item : range(problem_.members, unit)) put(item, wished[at(item)]);
    }
  }

  void fill() {
    for (std::size_t unit = 0; unit < problem_.units; ++unit) {
      if ((*side_)[unit] == kOut) continue;
      if (!is_in(narrow(unit))) offer_entry(narrow(unit));
      else
        for (const auto item : range(problem_.members, unit)) offer_upgrade(narrow(unit), item);
    }
    std::make_heap(moves_.begin(), moves_.end());
    heaped_ = true;
    while (!moves_.empty()) {
      std::pop_heap(moves_.begin(), moves_.end());
      const auto move = moves_.back();
      moves_.pop_back();
      steps_ += 8;
      if (move.item >= 0) upgrade(move);
      else enter(move);
    }
    heaped_ = false;
  }

  void offer(const Move& move) {
    moves_.push_back(move);
    if (heaped_) std::push_heap(moves_.begin(), moves_.end());
  }

  void offer_upgrade(std::int32_t unit, std::int32_t item) {
    const auto now = choice_[at(item)];
    Move best{0, unit, item, -1};
    for (auto next = now + 1; next < problem_.option_begin[at(item) + 1]; ++next) {
      const auto weight = option(next).weight - option(now).weight;
      if (!has_room(item, weight)) break;
      const double efficiency =
          static_cast<double>(option(next).profit - option(now).profit) / static_cast<double>(weight);
      if (best.option >= 0 && efficiency <= best.efficiency) continue;
      best.efficiency = efficiency;
      best.option = next;
    }
    steps_ += 2;
    if (best.option >= 0) offer(best);
  }

  void upgrade(const Move& move) {
    const auto now = choice_[at(move.item)];
    if (now >= move.option) return;
    if (has_room(move.item, option(move.option).weight - option(now).weight)) put(move.item, move.option);
    offer_upgrade(move.unit, move.item);
  }

  void offer_entry(std::int32_t unit) {
    double efficiency = 0;
    if (find_entry(unit, efficiency)) offer({efficiency, unit, -1, -1});
  }

  void enter(const Move& move) {
    if (is_in(move.unit)) return;
    double efficiency = 0;
    if (!find_entry(move.unit, efficiency)) return;
    if (efficiency < move.efficiency * (1 - 1e-9)) return offer({efficiency, move.unit, -1, -1});
    const auto closure = closure_;
    for (std::size_t i = 0; i < items_.size(); ++i) put(items_[i], forms_[i]);
    for (const auto unit : closure) {
      for (const auto item : range(problem_.members, at(unit))) offer_upgrade(unit, item);
      // What needs it has become lighter.
      for (const auto link : range(problem_.users, at(unit))) {
        const auto user = problem_.links[at(link)].user;
        if ((*side_)[at(user)] != kOut && !is_in(user) && steps_ < patience_) offer_entry(user);
      }
    }
  }

  void trim() {
    std::vector<std::int32_t> above;
    for (bool again = true; again;) {
      again = false;
      for (auto unit = narrow(problem_.units); unit-- > 0;) {
        if ((*side_)[at(unit)] == kIn || !is_in(unit) || worth(unit) > 0) continue;
        if (!is_idle(unit, above)) continue;
        for (const auto gone : above)
          for (const auto item : range(problem_.members, at(gone))) choice_[at(item)] = -1;
        again = true;
      }
    }
  }

  [[nodiscard]] Int128 worth(std::int32_t unit) const {
    Int128 sum = 0;
    for (const auto item : range(problem_.members, at(unit))) sum += option(choice_[at(item)]).profit;
    return sum;
  }

  bool is_idle(std::int32_t unit, std::vector<std::int32_t>& above) {
    ++stamp_;
    above.assign(1, unit);
    seen_[at(unit)] = stamp_;
    Int128 sum = 0;
    for (std::size_t i = 0; i < above.size(); ++i) {
      if ((*side_)[at(above[i])] == kIn || ++steps_ > patience_) return false;
      sum += worth(above[i]);
      for (const auto link : range(problem_.users, at(above[i]))) {
        const auto user = problem_.links[at(link)].user;
        if (seen_[at(user)] == stamp_ || !is_in(user)) continue;
        seen_[at(user)] = stamp_;
        above.push_back(user);
      }
    }
    return sum <= 0;
  }

  std::vector<Move> moves_;
  bool heaped_ = false;
};

}  // namespace haversack::linked
