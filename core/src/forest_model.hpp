/// Profits of all tiers as one integer, and the options of every node ready for evaluation.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

#include "forest_shape.hpp"
#include "wide.hpp"

namespace haversack::forest {

inline std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position); }

/// How many bits of a T may be used for profits, for a price times a weight, and for a sum of weights, so that no sum
/// of a few of them can overflow.
template <class T>
struct Width {
  static constexpr int bits = static_cast<int>(sizeof(T)) * 8;
  static constexpr int profit = bits - 6;
  static constexpr int product = bits - 4;
};

template <class T>
T power_of_two(int exponent) {
  T result = T(1);
  for (int i = 0; i < exponent; ++i) result = result + result;
  return result;
}

/// The integer quotient below; the divisor is positive.
template <class T>
T floor_div(const T& dividend, const T& divisor) {
  const T quotient = dividend / divisor;
  return dividend < T(0) && quotient * divisor != dividend ? quotient - T(1) : quotient;
}

/// The profit of an option, of whichever width it was given. Run only in a T that is wide enough for all of them.
template <class T>
T profit_of(const ForestInstance& instance, std::size_t option) {
  if (instance.option_limbs.empty()) return T(instance.option_profit[option]);
  const Wide profit(instance.option_limbs.data() + option * Wide::kLimbs);
  if constexpr (std::is_same_v<T, Wide>) return profit;
  else return static_cast<T>(static_cast<Int128>(profit));
}

/// Tiers packed into one integer: a unit of a tier outweighs all that later tiers can gain or lose. Sums and
/// comparisons of packed profits are then those of the tuples, in lexicographic order.
struct TierScale {
  std::vector<std::int32_t> tiers;  ///< in use, ascending
  std::vector<int> shift;           ///< a unit of tier i weighs 2^shift[i]
  std::vector<int> below;           ///< what all later tiers sum up to is below 2^below[i] in magnitude
  int bits = 0;                     ///< every feasible packed profit is below 2^bits in magnitude
  std::int64_t grain = 1;           ///< divides every profit (1 with several tiers)
  std::int64_t weight_grain = 1;    ///< divides every weight
  [[nodiscard]] std::size_t position(std::int32_t tier) const {
    return static_cast<std::size_t>(std::lower_bound(tiers.begin(), tiers.end(), tier) - tiers.begin());
  }
};

[[nodiscard]] TierScale make_scale(const ForestInstance& instance, const Shape& shape);

template <class T>
struct Option {
  T weight;
  T profit;
  std::int32_t index;  ///< within its unit; -1: the unit is out
};

/// Undominated options by ascending weight (so by ascending profit). A leaf that may be out has that as an option; a
/// node with children has not, because its children then go out too.
template <class T>
class Model {
 public:
  Model(const ForestInstance& instance, const Shape& shape_, const TierScale& scale_, int resolution_)
      : shape(shape_), scale(scale_), resolution(resolution_) {
    grain = T(scale.grain) * power_of_two<T>(resolution);
    for (const auto& section : shape.sections) {
      cap.push_back(T(section.cap - section.cap % scale.weight_grain));
      const Int128 widest = std::max<Int128>(1, std::max(section.cap, section.heaviest_closure));
      price_limit.push_back(power_of_two<T>(Width<T>::product) / T(widest));
    }
    fill_options(instance);
  }

  [[nodiscard]] bool is_leaf(std::size_t node) const { return at(shape.end[node]) == node + 1; }
  [[nodiscard]] const Option<T>* first(std::size_t node) const { return options.data() + begin[node]; }
  [[nodiscard]] const Option<T>* last(std::size_t node) const { return options.data() + begin[node + 1]; }

  const Shape& shape;
  const TierScale& scale;
  int resolution;              ///< profits are multiplied by 2^resolution, so that prices may be integers
  T grain;                     ///< divides every (scaled) profit
  std::vector<T> cap;          ///< of each section, rounded down to what weights can add up to
  std::vector<T> price_limit;  ///< above it, a price times a weight may be too wide
  std::vector<std::uint32_t> begin;
  std::vector<Option<T>> options;

 private:
  void fill_options(const ForestInstance& instance) {
    std::vector<T> unit_profit;
    for (const int shift : scale.shift) unit_profit.push_back(power_of_two<T>(shift + resolution));
    const auto nodes = shape.unit.size();
    begin.reserve(nodes + 1);
    begin.push_back(0);
    options.reserve(instance.option_weight.size() + nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
      if (shape.forced[node] == 0 && is_leaf(node)) options.push_back({T(0), T(0), -1});
      const auto from = instance.option_begin[at(shape.unit[node])];
      const auto to = instance.option_begin[at(shape.unit[node]) + 1];
      for (auto i = from; i < to; ++i) {
        const auto option = static_cast<std::size_t>(i);
        if (instance.option_weight[option] > shape.heaviest[node]) continue;
        const std::size_t tier = instance.option_tier.empty() ? 0 : scale.position(instance.option_tier[option]);
        options.push_back({T(instance.option_weight[option]), profit_of<T>(instance, option) * unit_profit[tier],
                           static_cast<std::int32_t>(i - from)});
      }
      drop_dominated(begin.back());
      begin.push_back(static_cast<std::uint32_t>(options.size()));
    }
  }

  void drop_dominated(std::size_t from) {
    const auto first_option = options.begin() + static_cast<std::ptrdiff_t>(from);
    const auto lighter = [](const Option<T>& a, const Option<T>& b) {
      if (a.weight != b.weight) return a.weight < b.weight;
      if (a.profit != b.profit) return b.profit < a.profit;
      return a.index < b.index;
    };
    if (options.end() - first_option > 12) {
      std::sort(first_option, options.end(), lighter);
    } else {
      for (auto i = first_option; i != options.end(); ++i)
        for (auto j = i; j != first_option && lighter(*j, *(j - 1)); --j) std::swap(*j, *(j - 1));
    }
    auto kept = first_option;
    for (auto option = first_option; option != options.end(); ++option)
      if (option == first_option || (kept - 1)->profit < option->profit) *kept++ = *option;
    options.erase(kept, options.end());
  }
};

}  // namespace haversack::forest
