/// A selection that is being built: what is in, and the room that this leaves.
#pragma once

#include "linked_problem.hpp"

namespace haversack::linked {

/// Of each item its option, a position in the problem's options; -1: out.
using Choice = std::vector<std::int32_t>;

class Building {
 protected:
  explicit Building(const Problem& problem)
      : problem_(problem), taken_(problem.choices.begin.size(), 0), need_(problem.cap.size(), 0) {}

  void clear(const Sides& side) {
    side_ = &side;
    choice_.assign(problem_.items(), -1);
    slack_ = problem_.cap;
    std::fill(taken_.begin(), taken_.end(), 0);
  }

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

  /// Gathers what several items need together, then asks once.
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

  const Problem& problem_;
  const Sides* side_ = nullptr;
  Choice choice_;
  std::vector<std::int64_t> slack_;
  std::vector<std::uint8_t> taken_;  ///< of each choice

 private:
  std::vector<Int128> need_;  ///< of each section, while something is tried
  std::vector<std::int32_t> touched_;
};

}  // namespace haversack::linked
