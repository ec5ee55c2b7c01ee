/// How a unit best goes in: with all that it still needs, in forms of most value per token.
#pragma once

#include "linked_building.hpp"

namespace haversack::linked {

/// Whether what a unit brings along counts; plain: every item goes in with the form of most profit per token.
enum class Manner : std::uint8_t { thorough, alone, plain };

class Entries : protected Building {
 protected:
  struct Rider {
    std::int32_t unit;
    double weight, profit;
  };
  struct Entry {
    double weight = 0, profit = 0;
    bool fits = true;
  };

  explicit Entries(const Problem& problem) : Building(problem), seen_(problem.units, 0), ridden_(problem.units, 0) {}

  /// The most efficient way to bring a unit in with all that it still needs, if there is one that is worth it and fits.
  bool find_entry(std::int32_t unit, double& efficiency) {
    if (!find_closure(unit)) return false;
    const bool has_users = manner_ == Manner::thorough && steps_ < patience_ && problem_.users.size(at(unit)) > 0;
    if (items_.size() == 1 && !has_users) return find_single(efficiency);
    if (steps_ >= patience_) return false;
    double price = 0;
    if (manner_ == Manner::plain) return choose_each(efficiency);
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
    if (manner_ == Manner::thorough) add_riders(best);
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
    for (auto i = best + 1; i < problem_.option_begin[at(item) + 1] && has_room(item, option(i).weight); ++i)
      if (static_cast<double>(option(i).profit) * std::max(static_cast<double>(option(best).weight), 0.5) >
          static_cast<double>(option(best).profit) * std::max(static_cast<double>(option(i).weight), 0.5))
        best = i;
    return best;
  }

  bool choose_each(double& efficiency) {
    Entry sum;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      forms_[i] = best_form(items_[i]);
      sum.weight += static_cast<double>(option(forms_[i]).weight);
      sum.profit += static_cast<double>(option(forms_[i]).profit);
      add_need(items_[i], option(forms_[i]).weight);
    }
    efficiency = sum.profit / std::max(sum.weight, 0.5);
    return fits_and_forget() && sum.profit > 0;
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

  std::vector<std::int32_t> closure_, items_, forms_;  ///< of what was found last: units, items, and their options
  std::vector<std::int64_t> seen_;
  std::int64_t stamp_ = 0;
  std::int64_t steps_ = 0, patience_ = 0;
  Manner manner_ = Manner::thorough;

 private:
  std::vector<std::int64_t> ridden_;
  std::vector<std::int32_t> chosen_;
  std::vector<Rider> riders_;
};

}  // namespace haversack::linked
