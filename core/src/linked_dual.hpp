/// Multipliers for a relaxation: found by subgradients in floating point, proven in integers; what they settle.
#pragma once

#include <cmath>

#include "linked_relaxation.hpp"

namespace haversack::linked {

using Multipliers = std::vector<double>;

class Dual {
 public:
  explicit Dual(Relaxation& relaxation) : relaxation_(relaxation), problem_(relaxation.problem) {}

  std::int64_t spent = 0;

  /// Prices to begin with: of the whole the one at which its demand meets its cap, then of all sections at once.
  void price(Multipliers& y) {
    const auto outer = relaxation_.room.size() - 1;
    std::vector<double> low(outer + 1, 0.0), high(outer + 1, highest_price());
    for (int round = 0; round < kHalvings; ++round) halve(y, low, high, outer, outer + 1);
    y[outer] = low[outer] > 0 ? high[outer] : 0.0;
    for (int round = 0; round < kHalvings; ++round) halve(y, low, high, 0, outer);
    for (std::size_t s = 0; s < outer; ++s) y[s] = low[s] > 0 ? high[s] : 0.0;
  }

  /// Improves `y` in at most `steps`; ends early where the bound falls below `wanted`.
  void descend(Multipliers& y, int steps, double wanted, double lower) {
    const double unit = typical_weight();
    const double tolerance = 1e-9 * std::max(1.0, std::abs(lower));
    Multipliers here = y, direction(y.size(), 0.0);
    double least = std::numeric_limits<double>::infinity();
    double pace = 1.0;
    int stalled = 0;
    for (int step = 0; step < steps; ++step) {
      relaxation_.evaluate(here, values_);
      spent += relaxation_.work();
      if (values_.bound < least - tolerance) {
        if (values_.bound < least - 0.0001 * (least - lower)) stalled = 0;
        least = values_.bound;
        y = here;
      }
      if (least < wanted) return;
      if (++stalled > kPatience) {
        stalled = 0;
        pace *= 0.5;
        here = y;
        std::fill(direction.begin(), direction.end(), 0.0);
        if (pace < 1e-4) return;
        continue;
      }
      const double norm = turn(here, unit, direction);
      if (norm <= 0) return;
      const double length = pace * std::max(values_.bound - lower, tolerance) / norm;
      for (const auto i : relaxation_.active)
        here[i] = std::max(0.0, here[i] - length * direction[i] / (i < relaxation_.room.size() ? unit : 1.0));
    }
  }

  /// The same multipliers as integers.
  std::vector<Int128> rounded(const Multipliers& y) const {
    const double unit = std::ldexp(1.0, problem_.scale);
    const double most = std::ldexp(1.0, 118 - problem_.weight_bits);
    std::vector<Int128> integers;
    integers.reserve(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      const bool is_price = i < relaxation_.room.size();
      integers.push_back(
          static_cast<Int128>(std::floor(std::min(y[i] * unit + 0.5, is_price ? most : std::ldexp(1.0, 110)))));
    }
    return integers;
  }

  /// The proven bound, scaled; `exact` is what `settle` and the forest go by.
  Int128 prove(const Multipliers& y) {
    whole = rounded(y);
    relaxation_.evaluate(whole, exact);
    spent += 2 * relaxation_.work();
    return exact.bound;
  }

  /// Decides what would lose more than the proven bound is above `cutoff`. False: nothing is left.
  bool settle(Sides& side, Int128 cutoff, std::size_t& settled) {
    const Int128 slack = exact.bound - cutoff;
    const auto& relaxed = relaxation_;
    std::vector<Int128> enters(relaxed.unit_of.size()), leaves(relaxed.unit_of.size());
    settled = 0;
    for (std::size_t slot = 0; slot < enters.size(); ++slot) {
      const auto above = relaxed.parent[slot];
      const Int128 total = exact.total[slot];
      const auto g = relaxed.group[slot];
      const Int128 best = g < 0 ? std::max<Int128>(0, total) : exact.best[at(g)];
      enters[slot] = exact.in[slot] != 0 ? 0 : (above < 0 ? 0 : enters[at(above)]) + best - total;
      // What is in may go out by itself, or with what it hangs below.
      leaves[slot] = g < 0 ? total : total - std::max<Int128>(0, exact.second[at(g)]);
      if (above >= 0) leaves[slot] = std::min(leaves[slot], leaves[at(above)]);
      const auto unit = relaxed.unit_of[slot];
      const bool is_in = exact.in[slot] != 0;
      if (side[at(unit)] != kFree || (is_in ? leaves : enters)[slot] <= slack) continue;
      ++settled;
      if (!problem_.decide(side, unit, is_in ? kIn : kOut)) return false;
    }
    return true;
  }

  /// Excludes the forms that lose more than that, for good: only where nothing but the root's decisions is made.
  void exclude(Int128 cutoff) {
    const Int128 slack = exact.bound - cutoff;
    for (std::size_t i = 0; i < relaxation_.entries.size(); ++i) {
      const auto& entry = relaxation_.entries[i];
      if (entry.last - entry.first == 1) continue;
      for (auto option = entry.first; option < entry.last; ++option) {
        const auto& form = relaxation_.options[at(option)];
        const Int128 worth = scaled(problem_.options[at(form.option)].profit, problem_.scale) -
                             exact.price[at(entry.section)] * Int128{form.tokens};
        if (exact.worth[i] - worth > slack) relaxation_.excluded[at(form.option)] = 1;
      }
    }
    relaxation_.find_lightest();
  }

  std::vector<Int128> whole;
  Values<Int128> exact;

 private:
  static constexpr int kHalvings = 30, kPatience = 15;

  [[nodiscard]] double typical_weight() const {
    double sum = 0;
    for (const auto& option : relaxation_.options) sum += option.weight;
    return std::max(1.0, sum / static_cast<double>(std::max<std::size_t>(1, relaxation_.options.size())));
  }

  [[nodiscard]] double highest_price() const {
    double high = 1e-300;
    for (const auto& option : relaxation_.options)
      if (option.weight > 0) high = std::max(high, option.profit / option.weight);
    return 2 * high;
  }

  /// Halves the brackets of some sections' prices by what is wanted half-way.
  void halve(Multipliers& y, std::vector<double>& low, std::vector<double>& high, std::size_t from, std::size_t to) {
    for (auto s = from; s < to; ++s) y[s] = 0.5 * (low[s] + high[s]);
    relaxation_.evaluate(y, values_);
    relaxation_.add_usage(values_, usage_);
    spent += relaxation_.work();
    for (auto s = from; s < to; ++s) (usage_[s] > static_cast<double>(relaxation_.room[s]) ? low : high)[s] = y[s];
  }

  /// Turns the direction towards the subgradient at `here`; returns its square norm.
  double turn(const Multipliers& here, double unit, Multipliers& direction) {
    const auto& relaxed = relaxation_;
    gradient_.resize(here.size());
    relaxed.add_usage(values_, usage_);
    for (std::size_t s = 0; s < usage_.size(); ++s)
      gradient_[s] = (static_cast<double>(relaxed.room[s]) - usage_[s]) / unit;
    for (const auto& link : relaxed.links)
      gradient_[relaxed.link_multiplier(link.link)] =
          static_cast<double>(values_.in[at(link.needed)]) - values_.in[at(link.user)];
    for (const auto choice : relaxed.choices_apart) gradient_[relaxed.choice_multiplier(at(choice))] = 1.0;
    for (const auto& [slot, choice] : relaxed.apart)
      gradient_[relaxed.choice_multiplier(at(choice))] -= values_.in[at(slot)];
    double along = 0, own = 0, before = 0;
    for (const auto i : relaxed.active) {
      if (here[i] <= 0 && gradient_[i] > 0) gradient_[i] = 0;
      along += gradient_[i] * direction[i];
      own += gradient_[i] * gradient_[i];
      before += direction[i] * direction[i];
    }
    // Camerini, Fratta and Maffioli (1975): lean away from the last direction where the two are at odds.
    const double lean = along < 0 ? -1.5 * along / before : 0.0;
    double norm = 0;
    for (const auto i : relaxed.active) {
      direction[i] = gradient_[i] + lean * direction[i];
      if (here[i] <= 0 && direction[i] > 0) direction[i] = 0;
      norm += direction[i] * direction[i];
    }
    return own > 0 ? norm : 0.0;
  }

  Relaxation& relaxation_;
  const Problem& problem_;
  Values<double> values_;
  std::vector<double> usage_, gradient_;
};

}  // namespace haversack::linked
