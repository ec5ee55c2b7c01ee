/// Selections built up by value per token: a unit goes in with all that it still needs, a form makes way for a richer
/// one.
#pragma once

#include "linked_problem.hpp"

namespace haversack::linked {

/// Of each item its option, a position in the problem's options; -1: out.
using Choice = std::vector<std::int32_t>;

class Greedy {
 public:
  explicit Greedy(const Problem& problem)
      : problem_(problem), seen_(problem.units, 0), ridden_(problem.units, 0), taken_(problem.choices.begin.size(), 0),
        need_(problem.cap.size(), 0) {}

  std::int64_t spent() const { return steps_ / 8; }

  /// Keeps of `wished` what the rules allow, then fills the room that is left.
  Choice run(const Sides& side, const Choice& wished) {
    side_ = &side;
    choice_.assign(problem_.items(), -1);
    slack_ = problem_.cap;
    std::fill(taken_.begin(), taken_.end(), 0);
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
  struct Rider {
    std::int32_t unit;
    double weight, profit;
  };
  struct Entry {
    double weight = 0, profit = 0;
    bool fits = true;
  };

  [[nodiscard]] bool is_in(std::int32_t unit) const { return choice_[at(*problem_.members.first(at(unit)))] >= 0; }
  [[nodiscard]] const Option& option(std::int32_t number) const { return problem_.options[at(number)]; }

  void move_slack(std::int32_t item, std::int64_t weight) {
    for (auto s = problem_.section[at(item)]; s >= 0; s = problem_.parent[at(s)]) slack_[at(s)] -= weight;
  }
  void put(std::int32_t item, std::int32_t to) {
    auto& now = choice_[at(item)];
    move_slack(item, option(to).weight - (now < 0 ? 0 : option(now).weight));
    if (now < 0 && problem_.choice_of[at(item)] >= 0) taken_[at(problem_.choice_of[at(item)])] = 1;
    now = to;
  }
  [[nodiscard]] bool has_room(std::int32_t item, std::int64_t weight) const {
    for (auto s = problem_.section[at(item)]; s >= 0; s = problem_.parent[at(s)])
      if (slack_[at(s)] < weight) return false;
    return true;
  }

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

  /// The most efficient way to bring a unit in with all that it still needs, if there is one that is worth it and fits.
  bool find_entry(std::int32_t unit, double& efficiency) {
    if (!find_closure(unit)) return false;
    const bool has_users = steps_ < patience_ && problem_.users.size(at(unit)) > 0;
    if (items_.size() == 1 && !has_users) return find_single(efficiency);
    if (steps_ >= patience_) return false;
    double price = 0;
    auto best = choose(price);
    for (int round = 0; round < 12 && best.profit > 0 && best.weight > 0; ++round) {
      const double ratio = best.profit / best.weight;
      if (!(ratio > price * (1 + 1e-12))) break;
      const auto next = choose(ratio);
      if (!(next.profit > 0)) {
        choose(price);
        break;
      }
      price = ratio;
      best = next;
    }
    if (!best.fits && !lighten(price, best)) return false;
    add_riders(best);
    if (!(best.profit > 0)) return false;
    efficiency = best.profit / std::max(best.weight, 0.5);
    return true;
  }

  /// What can come along, because nothing else is missing, and is worth more per token than what it joins.
  void add_riders(Entry& best) {
    riders_.clear();
    const auto closed = closure_.size();
    for (std::size_t i = 0; i < closed && steps_ < patience_ / 2; ++i)
      for (const auto link : range(problem_.users, at(closure_[i]))) consider_rider(problem_.links[at(link)].user);
    if (riders_.empty()) return;
    std::sort(riders_.begin(), riders_.end(), [](const Rider& a, const Rider& b) {
      const double left = a.profit * b.weight, right = b.profit * a.weight;
      return left != right ? left > right : a.unit < b.unit;
    });
    const auto alone = items_.size();
    const Entry before = best;
    for (const auto& rider : riders_) {
      if (best.profit > 0 && rider.profit * best.weight <= best.profit * rider.weight) break;
      if (best.weight + rider.weight > static_cast<double>(slack_.back()) || !is_untaken(rider.unit)) continue;
      for (const auto item : range(problem_.members, at(rider.unit))) {
        items_.push_back(item);
        forms_.push_back(best_form(item));
      }
      closure_.push_back(rider.unit);
      best.weight += rider.weight;
      best.profit += rider.profit;
    }
    for (std::size_t i = 0; i < items_.size(); ++i) add_need(items_[i], option(forms_[i]).weight);
    if (fits_and_forget()) return;
    best = before;
    items_.resize(alone);
    forms_.resize(alone);
    closure_.resize(closed);
  }

  void consider_rider(std::int32_t unit) {
    ++steps_;
    if ((*side_)[at(unit)] == kOut || is_in(unit) || seen_[at(unit)] == stamp_ || ridden_[at(unit)] == stamp_) return;
    ridden_[at(unit)] = stamp_;
    for (auto link = problem_.need_begin[at(unit)]; link < problem_.need_begin[at(unit) + 1]; ++link) {
      const auto needed = problem_.links[at(link)].needed;
      ++steps_;
      if (seen_[at(needed)] != stamp_ && !is_in(needed)) return;
    }
    Rider rider{unit, 0, 0};
    for (const auto item : range(problem_.members, at(unit))) {
      const auto& form = option(best_form(item));
      rider.weight += static_cast<double>(form.weight);
      rider.profit += static_cast<double>(form.profit);
    }
    if (rider.profit > 0 && is_untaken(unit)) riders_.push_back(rider);
  }

  /// Whether no alternative to the unit is in, or among what it would join.
  [[nodiscard]] bool is_untaken(std::int32_t unit) const {
    for (const auto item : range(problem_.members, at(unit))) {
      const auto choice = problem_.choice_of[at(item)];
      if (choice < 0) continue;
      if (taken_[at(choice)] != 0) return false;
      for (const auto other : items_)
        if (problem_.choice_of[at(other)] == choice) return false;
    }
    return true;
  }

  /// The form of most profit per token.
  [[nodiscard]] std::int32_t best_form(std::int32_t item) const {
    auto best = problem_.option_begin[at(item)];
    for (auto i = best + 1; i < problem_.option_begin[at(item) + 1]; ++i)
      if (static_cast<double>(option(i).profit) * std::max(static_cast<double>(option(best).weight), 0.5) >
          static_cast<double>(option(best).profit) * std::max(static_cast<double>(option(i).weight), 0.5))
        best = i;
    return best;
  }

  /// At a higher price everything is lighter: the least at which it fits.
  bool lighten(double price, Entry& best) {
    double low = price, high = std::numeric_limits<double>::max();
    best = choose(high);
    if (!best.fits) return false;
    high = std::max(4 * price, 1e-12);
    while (!choose(high).fits) high *= 16;
    for (int round = 0; round < 24; ++round) {
      const double middle = 0.5 * (low + high);
      (choose(middle).fits ? high : low) = middle;
    }
    best = choose(high);
    return true;
  }

  /// The unit and all that it needs and is not in; false: never together.
  bool find_closure(std::int32_t unit) {
    ++stamp_;
    closure_.assign(1, unit);
    items_.clear();
    chosen_.clear();
    seen_[at(unit)] = stamp_;
    Int128 least = 0;
    bool fine = true;
    for (std::size_t i = 0; fine && i < closure_.size(); ++i) {
      const auto here = at(closure_[i]);
      fine = (*side_)[here] != kOut && (i == 0 || steps_ < patience_);
      for (const auto item : range(problem_.members, here)) {
        const auto choice = problem_.choice_of[at(item)];
        if (choice >= 0) {
          fine = fine && taken_[at(choice)] == 0;
          taken_[at(choice)] = fine ? 2 : taken_[at(choice)];
          if (fine) chosen_.push_back(choice);
        }
        least += problem_.least(at(item));
        items_.push_back(item);
      }
      fine = fine && least <= slack_.back();
      for (auto link = problem_.need_begin[here]; fine && link < problem_.need_begin[here + 1]; ++link) {
        const auto needed = problem_.links[at(link)].needed;
        ++steps_;
        if (seen_[at(needed)] == stamp_ || is_in(needed)) continue;
        seen_[at(needed)] = stamp_;
        closure_.push_back(needed);
      }
    }
    steps_ += 1 + static_cast<std::int64_t>(items_.size());
    for (const auto choice : chosen_) taken_[at(choice)] = 0;
    forms_.resize(items_.size());
    return fine;
  }

  bool find_single(double& efficiency) {
    const auto item = items_[0];
    forms_[0] = -1;
    for (auto i = problem_.option_begin[at(item)]; i < problem_.option_begin[at(item) + 1]; ++i) {
      const auto& here = option(i);
      if (!has_room(item, here.weight)) break;
      const double ratio = static_cast<double>(here.profit) / std::max(static_cast<double>(here.weight), 0.5);
      if (!(ratio > 0) || (forms_[0] >= 0 && ratio <= efficiency)) continue;
      forms_[0] = i;
      efficiency = ratio;
    }
    return forms_[0] >= 0;
  }

  /// The forms that a price asks for.
  Entry choose(double price) {
    Entry sum;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const auto item = items_[i];
      auto best = problem_.option_begin[at(item)];
      double most = static_cast<double>(option(best).profit) - price * static_cast<double>(option(best).weight);
      for (auto next = best + 1; next < problem_.option_begin[at(item) + 1]; ++next) {
        const double worth =
            static_cast<double>(option(next).profit) - price * static_cast<double>(option(next).weight);
        if (worth <= most) continue;
        most = worth;
        best = next;
      }
      forms_[i] = best;
      sum.weight += static_cast<double>(option(best).weight);
      sum.profit += static_cast<double>(option(best).profit);
      add_need(item, option(best).weight);
    }
    steps_ += 2 * static_cast<std::int64_t>(items_.size());
    sum.fits = fits_and_forget();
    return sum;
  }

  void add_need(std::int32_t item, std::int64_t weight) {
    for (auto s = problem_.section[at(item)]; s >= 0; s = problem_.parent[at(s)]) {
      if (need_[at(s)] == 0) touched_.push_back(s);
      need_[at(s)] += weight;
    }
  }
  bool fits_and_forget() {
    bool fits = true;
    for (const auto s : touched_) {
      fits = fits && need_[at(s)] <= slack_[at(s)];
      need_[at(s)] = 0;
    }
    touched_.clear();
    return fits;
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

  const Problem& problem_;
  const Sides* side_ = nullptr;
  Choice choice_;
  std::vector<std::int64_t> slack_;
  std::vector<std::int64_t> seen_, ridden_;
  std::int64_t stamp_ = 0;
  std::vector<std::uint8_t> taken_;  ///< of each choice
  std::vector<Int128> need_;         ///< of each section, while something is tried
  std::vector<std::int32_t> touched_, closure_, items_, forms_, chosen_;
  std::vector<Rider> riders_;
  std::vector<Move> moves_;
  bool heaped_ = false;
  std::int64_t steps_ = 0, patience_ = 0;
};

}  // namespace haversack::linked
