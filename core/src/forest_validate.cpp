#include "forest_validate.hpp"

#include <algorithm>

namespace haversack::forest {
namespace {

template <class Column>
bool fits(const Column& column, std::size_t size) {
  return column.empty() || column.size() == size;
}

bool sizes_agree(const ForestInstance& instance) {
  if (instance.option_begin.empty() || instance.section_parent.size() != instance.section_cap.size()) return false;
  const std::size_t units = instance.option_begin.size() - 1;
  const std::size_t options = instance.option_weight.size();
  // Positions are 32 bits wide inside, one bit kept free.
  constexpr std::size_t most = std::size_t{1} << 30U;
  if (units > most || options > most || instance.section_parent.size() > most) return false;
  const bool has_profits =
      instance.option_limbs.empty()
          ? options == instance.option_profit.size()
          : options * ForestInstance::kLimbs == instance.option_limbs.size() && instance.option_profit.empty();
  return has_profits && fits(instance.option_tier, options) && fits(instance.unit_section, units) &&
         fits(instance.unit_parent, units) && fits(instance.unit_mandatory, units) &&
         fits(instance.unit_with_parent, units);
}

bool options_are_valid(const ForestInstance& instance) {
  const auto& begin = instance.option_begin;
  if (begin.front() != 0 || begin.back() != static_cast<std::int64_t>(instance.option_weight.size())) return false;
  for (std::size_t unit = 0; unit + 1 < begin.size(); ++unit)
    if (begin[unit] > begin[unit + 1]) return false;
  for (const auto weight : instance.option_weight)
    if (weight < 0) return false;
  for (const auto tier : instance.option_tier)
    if (tier < 0) return false;
  return true;
}

bool links_are_valid(const ForestInstance& instance) {
  const auto sections = static_cast<std::int32_t>(instance.section_parent.size());
  for (const auto parent : instance.section_parent)
    if (parent < -1 || parent >= sections) return false;
  for (const auto cap : instance.section_cap)
    if (cap < -1) return false;
  for (const auto section : instance.unit_section)
    if (section < -1 || section >= sections) return false;
  const auto units = static_cast<std::int32_t>(instance.option_begin.size()) - 1;
  for (std::size_t unit = 0; unit < instance.unit_parent.size(); ++unit) {
    const auto parent = instance.unit_parent[unit];
    if (parent < -1 || parent >= units) return false;
    if (parent >= 0 && !instance.unit_section.empty() &&
        instance.unit_section[unit] != instance.unit_section[static_cast<std::size_t>(parent)])
      return false;
  }
  for (std::size_t unit = 0; unit < instance.unit_with_parent.size(); ++unit)
    if (instance.unit_with_parent[unit] != 0 && (instance.unit_parent.empty() || instance.unit_parent[unit] < 0))
      return false;
  return true;
}

}  // namespace

bool is_valid(const ForestInstance& instance) {
  return sizes_agree(instance) && options_are_valid(instance) && links_are_valid(instance);
}

bool order_parents_first(const std::vector<std::int32_t>& parent, std::vector<std::int32_t>& order) {
  // Children as linked lists, newest first; filling them backwards gives ascending positions.
  const std::size_t size = parent.size();
  std::vector<std::int32_t> first_child(size, -1);
  std::vector<std::int32_t> sibling(size, -1);
  std::int32_t root = -1;
  for (std::size_t i = size; i-- > 0;) {
    auto& head = parent[i] < 0 ? root : first_child[static_cast<std::size_t>(parent[i])];
    sibling[i] = head;
    head = static_cast<std::int32_t>(i);
  }
  order.clear();
  order.reserve(size);
  std::vector<std::int32_t> open;
  for (; root >= 0; root = sibling[static_cast<std::size_t>(root)]) {
    open.push_back(root);
    while (!open.empty()) {
      const auto node = open.back();
      open.pop_back();
      order.push_back(node);
      const auto mark = static_cast<std::ptrdiff_t>(open.size());
      for (auto child = first_child[static_cast<std::size_t>(node)]; child >= 0;
           child = sibling[static_cast<std::size_t>(child)])
        open.push_back(child);
      std::reverse(open.begin() + mark, open.end());
    }
  }
  return order.size() == size;  // what hangs on a cycle is never reached
}

}  // namespace haversack::forest
