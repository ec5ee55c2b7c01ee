#include "parcels.hpp"

#include <algorithm>

namespace haversack {
namespace {

constexpr std::size_t kFewKinds = 4;     // group if that makes the core this much smaller
constexpr std::size_t kManyItems = 128;  // fewer are not worth grouping

class Grouping {
 public:
  Grouping(const Instance& instance, const Ranked& break_item) : instance_(instance), break_item_(break_item) {}

  /// False if it does not pay; then `items` are as they were.
  bool group(std::vector<Ranked>& items, std::vector<Parcel>& parcels) const {
    std::vector<Ranked> sorted(items);
    std::sort(sorted.begin(), sorted.end(), [&](const Ranked& a, const Ranked& b) {
      if (a.efficiency != b.efficiency) return a.efficiency > b.efficiency;
      if (is_packed(a) != is_packed(b)) return is_packed(a);
      return a.weight < b.weight || (a.weight == b.weight && a.item < b.item);
    });
    for (std::size_t first = 0; first < sorted.size();) {
      std::size_t last = first + 1;
      while (last < sorted.size() && are_equal(sorted[first], sorted[last])) ++last;
      for (std::size_t size = 1; first < last; size *= 2) {
        size = std::min(size, last - first);
        parcels.push_back({first, size});
        first += size;
      }
      if (kFewKinds * parcels.size() > sorted.size()) return false;
    }
    items.swap(sorted);
    put_heavy_first(items, parcels);
    return true;
  }

 private:
  [[nodiscard]] bool is_packed(const Ranked& item) const { return by_efficiency(item, break_item_); }

  [[nodiscard]] bool are_equal(const Ranked& a, const Ranked& b) const {
    const bool same_profit = instance_.profits != nullptr
                                 ? instance_.profits[a.item] == instance_.profits[b.item]
                                 : instance_.real_profits[a.item] == instance_.real_profits[b.item];
    return a.weight == b.weight && same_profit && is_packed(a) == is_packed(b);
  }

  /// Among equal efficiencies the heaviest step comes first, seen from the break: what is left to move then soon
  /// confines the states to a narrow window.
  void put_heavy_first(const std::vector<Ranked>& items, std::vector<Parcel>& parcels) const {
    std::stable_sort(parcels.begin(), parcels.end(), [&](const Parcel& a, const Parcel& b) {
      const Ranked& one = items[a.first];
      const Ranked& two = items[b.first];
      if (one.efficiency != two.efficiency) return one.efficiency > two.efficiency;
      if (is_packed(one) != is_packed(two)) return is_packed(one);
      const Weight weight = one.weight * static_cast<Weight>(a.size);
      const Weight other = two.weight * static_cast<Weight>(b.size);
      return is_packed(one) ? weight < other : weight > other;
    });
  }

  const Instance& instance_;
  const Ranked& break_item_;
};

}  // namespace

std::vector<Parcel> make_parcels(const Instance& instance, const Ranked& break_item, bool may_group,
                                 std::vector<Ranked>& items) {
  std::vector<Parcel> parcels;
  if (may_group && items.size() >= kManyItems && Grouping(instance, break_item).group(items, parcels)) return parcels;
  parcels.clear();
  parcels.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) parcels.push_back({i, 1});
  return parcels;
}

}  // namespace haversack
