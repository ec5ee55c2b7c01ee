#pragma once

#include <vector>

#include "core_builder.hpp"
#include "scan.hpp"

namespace haversack {

/// The best selection so far, as the items that are on the other side than in the break solution.
class Incumbent {
 public:
  Incumbent(const Instance& instance, const Scan& scan, const Ranked& break_item)
      : builder_(instance), scan_(scan), break_item_(break_item) {}

  std::vector<ItemId> toggled;

  [[nodiscard]] bool is_packed_at_break(const Ranked& item) const { return by_efficiency(item, break_item_); }

  /// Relative to the break solution, as all that follows.
  [[nodiscard]] Weight weight() const {
    return sum<Weight>([&](ItemId item) { return scan_.weights()[item]; });
  }

  template <class P>
  [[nodiscard]] P profit(const Scale& scale) const {
    return sum<P>([&](ItemId item) { return builder_.template profit<P>(item, scale); });
  }

  /// Off by rounding.
  [[nodiscard]] double profit_about() const {
    return sum<double>(
        [&](ItemId item) { return scan_.efficiency(item) * static_cast<double>(scan_.weights()[item]); });
  }

 private:
  template <class Number, class Of>
  [[nodiscard]] Number sum(const Of& of) const {
    Number total = 0;
    for (const ItemId item : toggled) {
      total += is_packed_at_break(scan_.ranked(item)) ? -of(item) : of(item);
    }
    return total;
  }

  CoreBuilder builder_;
  const Scan& scan_;
  Ranked break_item_;
};

}  // namespace haversack
