/// One run of the engine in arithmetic of one width: model, prices, base, greedy, search, outcome.
#pragma once

#include "forest_greedy.hpp"
#include "forest_search.hpp"
#include "forest_ties.hpp"

namespace haversack::forest {

template <class T>
Int128 to_int128(const T& number) {
  return static_cast<Int128>(number);
}

template <class T>
class Run {
 public:
  Run(const ForestInstance& instance, const Shape& shape, const TierScale& scale, int resolution,
      const ForestLimits& limits)
      : in_(instance), shape_(shape), scale_(scale), limits_(limits), model_(instance, shape, scale, resolution) {}

  /// False: T is too narrow, `outcome` is as it was. `is_precise`: any price will do, not only one of many digits.
  bool run(ForestOutcome& outcome, bool is_precise) {
    PriceSearch<T> prices(model_);
    if (!prices.run()) return false;
    for (const auto& price : prices.price)
      if (!is_precise && T(0) < price && price < T(1 << 12)) return false;
    const Base<T> base(model_, std::move(prices.price));
    Effort effort;
    effort.left = limits_.states;
    effort.memory = limits_.memory;
    effort.interrupted = &limits_.interrupted;
    auto incumbent = Greedy<T>(base).run();
    const bool is_short = limits_.has_least && raise(incumbent);
    const T raised = incumbent.profit;
    Search<T> search(base, std::move(incumbent), effort);
    outcome.passes = rounds(search, effort);
    outcome.status = effort.is_interrupted ? ForestStatus::interrupted : ForestStatus::solved;
    // An incumbent that was only raised is none: then it is the bound that tells.
    outcome.optimal = search.value_is_proven() && !(is_short && search.incumbent().profit == raised);
    outcome.fewest_tokens = outcome.optimal && search.all_is_proven();
    outcome.states = effort.spent;
    outcome.core = static_cast<std::int32_t>(search.core());
    outcome.bits = Width<T>::bits;
    write_choice(base, search.incumbent(), outcome);
    write_bound(search.bound(), outcome);
    return true;
  }

 private:
  /// Lets an incumbent of less than what is wanted pass for the next best: only what is wanted is looked for then.
  bool raise(Selection<T>& incumbent) const {
    const Int128 most = Int128{1} << std::min(126, Width<T>::profit - model_.resolution);
    if (limits_.at_least > most || limits_.at_least < -most) return false;
    const T wanted = T(limits_.at_least) * power_of_two<T>(model_.resolution) - model_.grain;
    if (!(incumbent.profit < wanted)) return false;
    incumbent.profit = wanted;
    incumbent.weight = T(0);
    return true;
  }

  bool is_near(const Search<T>& search) const {
    if (search.value_is_proven()) return true;
    const Int128 most = Int128{1} << std::min(126, Width<T>::profit - model_.resolution);
    const T enough = T(std::min(most, limits_.near_enough)) * power_of_two<T>(model_.resolution);
    return search.bound() < search.incumbent().profit + enough;
  }

  /// Beams of four times the width of the one before; the number of open decisions is limited in the first two.
  std::int32_t rounds(Search<T>& search, Effort& effort) const {
    if (limits_.states == 0) return 0;
    std::size_t beam = 16;
    bool value_was_proven = false;
    for (std::int32_t round = 1;; ++round, beam *= 4) {
      const auto reach = round < 3 ? beam * 4 : std::numeric_limits<std::size_t>::max();
      if (!search.round(beam, reach) || search.all_is_proven()) return round;
      if (limits_.has_least && is_near(search)) return round;
      if (!search.value_is_proven() || value_was_proven) continue;
      // What is left is to find a lighter selection of the same value; that must not take for ever.
      value_was_proven = true;
      if (effort.left > 0) effort.left = std::min(effort.left, 4 * effort.spent + 100'000);
    }
  }

  void write_choice(const Base<T>& base, const Selection<T>& selection, ForestOutcome& outcome) const {
    outcome.choice.assign(in_.option_begin.size() - 1, -1);
    std::vector<std::int32_t> deviating;
    for (std::size_t node = 0; node < selection.choice.size(); ++node) {
      const auto choice = selection.choice[node];
      if (choice == kOut) continue;
      outcome.choice[at(shape_.unit[node])] = model_.options[choice].index;
      if (choice != base.option[node]) deviating.push_back(static_cast<std::int32_t>(node));
    }
    take_equals_in_order(in_, shape_, deviating, outcome.choice);
    outcome.tiers = scale_.tiers;
    outcome.value.assign(scale_.tiers.size(), 0);
    outcome.weight = 0;
    for (std::size_t unit = 0; unit < outcome.choice.size(); ++unit) {
      if (outcome.choice[unit] < 0) continue;
      const auto option = static_cast<std::size_t>(in_.option_begin[unit]) + at(outcome.choice[unit]);
      if (in_.option_limbs.empty())
        outcome.value[in_.option_tier.empty() ? 0 : scale_.position(in_.option_tier[option])] +=
            in_.option_profit[option];
      outcome.weight += in_.option_weight[option];
    }
  }

  /// The greatest tuple that packs into at most `bound`.
  void write_bound(const T& bound, ForestOutcome& outcome) const {
    outcome.bound = outcome.value;
    if (outcome.optimal) return;
    const T grain = T(scale_.grain);
    T rest = floor_div(floor_div(bound, power_of_two<T>(model_.resolution)), grain) * grain;
    for (std::size_t tier = 0; tier < outcome.bound.size(); ++tier) {
      const bool is_last = tier + 1 == outcome.bound.size();
      const T below = is_last ? T(0) : power_of_two<T>(scale_.below[tier]);
      const T unit = power_of_two<T>(scale_.shift[tier]);
      const T whole = floor_div(T(rest + below), unit);
      outcome.bound[tier] = to_int128(whole);
      if (!in_.option_limbs.empty()) {
        const Wide wide(whole);
        outcome.wide_bound.insert(outcome.wide_bound.end(), wide.limbs(), wide.limbs() + Wide::kLimbs);
      }
      rest = std::min(below, T(rest - whole * unit));
    }
  }

  const ForestInstance& in_;
  const Shape& shape_;
  const TierScale& scale_;
  const ForestLimits& limits_;
  Model<T> model_;
};

}  // namespace haversack::forest
