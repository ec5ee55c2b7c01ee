#include "forest_model.hpp"

namespace haversack::forest {
namespace {

int bit_length(Int128 magnitude) {
  int bits = 0;
  for (; magnitude > 0; magnitude /= 2) ++bits;
  return bits;
}

int bit_length(const Wide& magnitude) { return magnitude.bits(); }

/// What the profits of each tier sum up to in magnitude, at most; and what divides all weights, and all profits.
template <class Sum>
std::vector<Sum> add_up(const ForestInstance& instance, const Shape& shape, TierScale& scale) {
  std::vector<Sum> magnitude(scale.tiers.size(), Sum(0));
  std::int64_t grain = instance.option_limbs.empty() ? 0 : 1;
  std::int64_t weight_grain = 0;
  for (std::size_t node = 0; node < shape.unit.size(); ++node) {
    const auto unit = at(shape.unit[node]);
    for (auto i = static_cast<std::size_t>(instance.option_begin[unit]);
         i < static_cast<std::size_t>(instance.option_begin[unit + 1]); ++i) {
      if (instance.option_weight[i] > shape.heaviest[node]) continue;
      const auto profit = profit_of<Sum>(instance, i);
      auto& sum = magnitude[instance.option_tier.empty() ? 0 : scale.position(instance.option_tier[i])];
      sum = sum + (profit < Sum(0) ? Sum(0) - profit : profit);
      if (weight_grain != 1) weight_grain = std::gcd(weight_grain, instance.option_weight[i]);
      if (grain == 1) continue;
      // The least integer has no positive twin: it says nothing that 1 would not.
      const auto narrow = instance.option_profit[i];
      grain = narrow == std::numeric_limits<std::int64_t>::min() ? 1 : std::gcd(grain, narrow);
    }
  }
  scale.weight_grain = std::max<std::int64_t>(weight_grain, 1);
  scale.grain = scale.tiers.size() == 1 ? std::max<std::int64_t>(grain, 1) : 1;
  return magnitude;
}

/// From the last tier up: sums of tier i stay below 2^bit_length(magnitude) units of 2^shift each.
template <class Sum>
void stack_tiers(const std::vector<Sum>& magnitude, TierScale& scale) {
  scale.shift.resize(scale.tiers.size());
  scale.below.resize(scale.tiers.size());
  for (std::size_t tier = scale.tiers.size(); tier-- > 0;) {
    const bool last = tier + 1 == scale.tiers.size();
    scale.below[tier] = last ? 0 : scale.bits;
    scale.shift[tier] = last ? 0 : scale.bits + 1;
    scale.bits = scale.shift[tier] + bit_length(magnitude[tier] + Sum(last ? 0 : 1));
  }
}

}  // namespace

TierScale make_scale(const ForestInstance& instance, const Shape& shape) {
  TierScale scale;
  scale.tiers = instance.option_tier;
  std::sort(scale.tiers.begin(), scale.tiers.end());
  scale.tiers.erase(std::unique(scale.tiers.begin(), scale.tiers.end()), scale.tiers.end());
  if (scale.tiers.empty()) scale.tiers.push_back(0);

  if (instance.option_limbs.empty()) {
    stack_tiers(add_up<Int128>(instance, shape, scale), scale);
  } else {
    stack_tiers(add_up<Wide>(instance, shape, scale), scale);
  }
  return scale;
}

}  // namespace haversack::forest
