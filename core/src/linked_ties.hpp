/// Of items that are the same in all respects those that come first are taken.
#pragma once

#include "linked_problem.hpp"

namespace haversack::linked {

class Equals {
 public:
  explicit Equals(const Problem& problem) : problem_(problem) {}

  /// Whether an item is a free unit by itself that nothing needs.
  [[nodiscard]] bool is_alone(std::int32_t item) const {
    const auto unit = at(problem_.in.item_unit[at(item)]);
    return problem_.members.size(unit) == 1 && problem_.users.size(unit) == 0 && problem_.in.unit_side[unit] == kFree;
  }

  [[nodiscard]] int compare(std::int32_t a, std::int32_t b) const {
    if (const int sign = order(problem_.section[at(a)], problem_.section[at(b)])) return sign;
    if (const int sign = order(problem_.choice_of[at(a)], problem_.choice_of[at(b)])) return sign;
    if (const int sign = compare_needs(at(problem_.in.item_unit[at(a)]), at(problem_.in.item_unit[at(b)]))) return sign;
    auto i = problem_.in.option_begin[at(a)], j = problem_.in.option_begin[at(b)];
    const auto end_i = problem_.in.option_begin[at(a) + 1], end_j = problem_.in.option_begin[at(b) + 1];
    if (const int sign = order(end_i - i, end_j - j)) return sign;
    for (; i < end_i; ++i, ++j) {
      const auto first = static_cast<std::size_t>(i), second = static_cast<std::size_t>(j);
      if (const int sign = order(problem_.in.option_weight[first], problem_.in.option_weight[second])) return sign;
      if (const int sign = order(problem_.in.option_profit[first], problem_.in.option_profit[second])) return sign;
    }
    return 0;
  }

  /// Whether the option `a` comes before `b`, of items like this one: the heavier first, out last.
  [[nodiscard]] bool comes_first(std::int32_t item, std::int32_t a, std::int32_t b) const {
    if (a < 0 || b < 0) return a >= 0 && b < 0;
    const auto begin = problem_.in.option_begin[at(item)];
    const auto weight_a = problem_.in.option_weight[static_cast<std::size_t>(begin + a)];
    const auto weight_b = problem_.in.option_weight[static_cast<std::size_t>(begin + b)];
    return weight_a != weight_b ? weight_a > weight_b : a < b;
  }

 private:
  template <class N>
  static int order(const N& a, const N& b) {
    return a < b ? -1 : (b < a ? 1 : 0);
  }
  [[nodiscard]] int compare_needs(std::size_t a, std::size_t b) const {
    const auto& begin = problem_.in.need_begin;
    if (const int sign = order(begin[a + 1] - begin[a], begin[b + 1] - begin[b])) return sign;
    for (auto i = begin[a], j = begin[b]; i < begin[a + 1]; ++i, ++j)
      if (const int sign = order(problem_.in.need[at(i)], problem_.in.need[at(j)])) return sign;
    return 0;
  }

  const Problem& problem_;
};

inline void take_equals_in_order(const Problem& problem, std::vector<std::int32_t>& choice) {
  const Equals equals(problem);
  std::vector<std::int32_t> items;
  for (std::size_t item = 0; item < choice.size(); ++item)
    if (equals.is_alone(narrow(item))) items.push_back(narrow(item));
  std::stable_sort(items.begin(), items.end(),
                   [&](std::int32_t a, std::int32_t b) { return equals.compare(a, b) < 0; });
  std::vector<std::int32_t> taken;
  for (std::size_t from = 0, to = 0; from < items.size(); from = to) {
    taken.clear();
    for (; to < items.size() && equals.compare(items[from], items[to]) == 0; ++to)
      taken.push_back(choice[at(items[to])]);
    std::sort(taken.begin(), taken.end(),
              [&](std::int32_t a, std::int32_t b) { return equals.comes_first(items[from], a, b); });
    for (std::size_t i = from; i < to; ++i) choice[at(items[i])] = taken[i - from];
  }
}

}  // namespace haversack::linked
