#include "forest_model.hpp"

namespace haversack::forest {
namespace {

int bit_length(Int128 magnitude) {
  int bits = 0;
  for (; magnitude > 0; magnitude /= 2) ++bits;
  return bits;
}

}  // namespace

TierScale make_scale(const ForestInstance& instance, const Shape& shape) {
  TierScale scale;
  scale.tiers = instance.option_tier;
  std::sort(scale.tiers.begin(), scale.tiers.end());
  scale.tiers.erase(std::unique(scale.tiers.begin(), scale.tiers.end()), scale.tiers.end());
  if (scale.tiers.empty()) scale.tiers.push_back(0);

  std::vector<Int128> magnitude(scale.tiers.size(), 0);
  std::int64_t grain = 0;
  std::int64_t weight_grain = 0;
  for (std::size_t node = 0; node < shape.unit.size(); ++node) {
    const auto unit = at(shape.unit[node]);
    for (auto i = static_cast<std::size_t>(instance.option_begin[unit]);
         i < static_cast<std::size_t>(instance.option_begin[unit + 1]); ++i) {
      const Int128 profit = instance.option_profit[i];
      if (instance.option_weight[i] > shape.heaviest[node]) continue;
      magnitude[instance.option_tier.empty() ? 0 : scale.position(instance.option_tier[i])] +=
          profit < 0 ? -profit : profit;
      if (weight_grain != 1) weight_grain = std::gcd(weight_grain, instance.option_weight[i]);
      // The least integer has no positive twin: it says nothing that 1 would not.
      if (profit == std::numeric_limits<std::int64_t>::min()) grain = 1;
      if (grain != 1) grain = std::gcd(grain, instance.option_profit[i]);
    }
  }
  scale.weight_grain = std::max<std::int64_t>(weight_grain, 1);
  scale.grain = scale.tiers.size() == 1 ? std::max<std::int64_t>(grain, 1) : 1;

  // From the last tier up: sums of tier i stay below 2^bit_length(magnitude) units of 2^shift each.
  scale.shift.resize(scale.tiers.size());
  scale.below.resize(scale.tiers.size());
  for (std::size_t tier = scale.tiers.size(); tier-- > 0;) {
    const bool last = tier + 1 == scale.tiers.size();
    scale.below[tier] = last ? 0 : scale.bits;
    scale.shift[tier] = last ? 0 : scale.bits + 1;
    scale.bits = scale.shift[tier] + bit_length(magnitude[tier] + (last ? 0 : 1));
  }
  return scale;
}

}  // namespace haversack::forest
