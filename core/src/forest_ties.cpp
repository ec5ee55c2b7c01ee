#include "forest_ties.hpp"

#include <algorithm>

namespace haversack::forest {
namespace {

std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position); }

class Equals {
 public:
  Equals(const ForestInstance& instance, const Shape& shape) : in_(instance), shape_(shape) {}

  [[nodiscard]] bool is_leaf(std::int32_t node) const { return shape_.end[at(node)] == node + 1; }

  /// Equal leaves have equal signatures.
  [[nodiscard]] std::uint64_t signature(std::int32_t node) const {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    std::uint64_t mix = static_cast<std::uint64_t>(shape_.parent[at(node)] + 1) * odd + shape_.forced[at(node)];
    for (auto i = first(node); i < last(node); ++i) {
      mix = (mix ^ static_cast<std::uint64_t>(in_.option_weight[i])) * odd;
      mix = ((mix >> 29U) ^ mix ^ low_word(i)) * odd;
    }
    return mix;
  }

  [[nodiscard]] bool are_equal(std::int32_t a, std::int32_t b) const {
    if (shape_.parent[at(a)] != shape_.parent[at(b)] || shape_.forced[at(a)] != shape_.forced[at(b)]) return false;
    if (section_of(a) != section_of(b) || last(a) - first(a) != last(b) - first(b)) return false;
    for (std::size_t i = first(a), j = first(b); i < last(a); ++i, ++j) {
      if (in_.option_weight[i] != in_.option_weight[j] || !has_equal_profits(i, j)) return false;
      if (!in_.option_tier.empty() && in_.option_tier[i] != in_.option_tier[j]) return false;
    }
    return true;
  }

  void order(const std::vector<std::int32_t>& nodes, std::vector<std::int32_t>& choice) const {
    std::vector<std::int32_t> choices;
    for (const auto node : nodes) choices.push_back(choice[at(shape_.unit[at(node)])]);
    const auto begin = first(nodes.front());
    std::sort(choices.begin(), choices.end(), [&](std::int32_t a, std::int32_t b) {
      if (a < 0 || b < 0) return a >= 0 && b < 0;
      const auto weight_a = in_.option_weight[begin + at(a)];
      const auto weight_b = in_.option_weight[begin + at(b)];
      return weight_a != weight_b ? weight_a > weight_b : a < b;
    });
    std::vector<std::int32_t> units;
    for (const auto node : nodes) units.push_back(shape_.unit[at(node)]);
    std::sort(units.begin(), units.end());
    for (std::size_t i = 0; i < units.size(); ++i) choice[at(units[i])] = choices[i];
  }

 private:
  [[nodiscard]] std::uint64_t low_word(std::size_t option) const {
    return in_.option_limbs.empty() ? static_cast<std::uint64_t>(in_.option_profit[option])
                                    : in_.option_limbs[option * ForestInstance::kLimbs];
  }
  [[nodiscard]] bool has_equal_profits(std::size_t i, std::size_t j) const {
    if (in_.option_limbs.empty()) return in_.option_profit[i] == in_.option_profit[j];
    constexpr auto limbs = ForestInstance::kLimbs;
    const auto* of_i = in_.option_limbs.data() + i * limbs;
    return std::equal(of_i, of_i + limbs, in_.option_limbs.data() + j * limbs);
  }
  [[nodiscard]] std::size_t first(std::int32_t node) const {
    return static_cast<std::size_t>(in_.option_begin[at(shape_.unit[at(node)])]);
  }
  [[nodiscard]] std::size_t last(std::int32_t node) const {
    return static_cast<std::size_t>(in_.option_begin[at(shape_.unit[at(node)]) + 1]);
  }
  [[nodiscard]] std::ptrdiff_t section_of(std::int32_t node) const {
    return std::partition_point(shape_.sections.begin(), shape_.sections.end(),
                                [&](const Shape::Section& section) { return section.first_node <= node; }) -
           shape_.sections.begin();
  }

  const ForestInstance& in_;
  const Shape& shape_;
};

}  // namespace

void take_equals_in_order(const ForestInstance& instance, const Shape& shape,
                          const std::vector<std::int32_t>& deviating, std::vector<std::int32_t>& choice) {
  const Equals equals(instance, shape);
  std::vector<std::uint64_t> wanted;
  for (const auto node : deviating)
    if (equals.is_leaf(node)) wanted.push_back(equals.signature(node));
  if (wanted.empty()) return;
  std::sort(wanted.begin(), wanted.end());
  std::vector<std::pair<std::uint64_t, std::int32_t>> found;
  for (std::int32_t node = 0; node < shape.nodes(); ++node) {
    if (!equals.is_leaf(node)) continue;
    const auto signature = equals.signature(node);
    if (std::binary_search(wanted.begin(), wanted.end(), signature)) found.emplace_back(signature, node);
  }
  std::sort(found.begin(), found.end());
  // Almost always a run of one signature is one group; whatever differs from its first is left for the next turn.
  std::vector<std::int32_t> group;
  for (auto from = found.begin(); from != found.end();) {
    const auto signature = from->first;
    const auto after = std::find_if(from, found.end(), [&](const auto& other) { return other.first != signature; });
    const auto node = from->second;
    const auto rest =
        std::stable_partition(from, after, [&](const auto& other) { return equals.are_equal(node, other.second); });
    group.clear();
    for (; from != rest; ++from) group.push_back(from->second);
    if (group.size() > 1) equals.order(group, choice);
  }
}

}  // namespace haversack::forest
