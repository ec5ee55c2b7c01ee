#pragma once

#include <memory>
#include <vector>

#include "haversack/instance.hpp"

namespace haversack {

/// An item with its efficiency: profit / weight in double. Efficiencies guide the search and are only ever used
/// with a margin that keeps more; profits decide.
struct Ranked {
  double efficiency;
  Weight weight;
  ItemId item;
};

/// The order of packing: by falling efficiency, then position.
[[nodiscard]] inline bool by_efficiency(const Ranked& a, const Ranked& b) {
  return a.efficiency > b.efficiency || (a.efficiency == b.efficiency && a.item < b.item);
}

/// The items of a problem by efficiency: +inf where an item is free, negative where it does not compete (pinned,
/// worthless, too heavy).
class Scan {
 public:
  Scan(const Instance& instance, Weight room);
  /// Over given efficiencies. Both arrays must outlive the scan.
  Scan(const double* efficiency, const Weight* weights, std::size_t size);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Weight* weights() const { return weights_; }
  [[nodiscard]] const double* efficiencies() const { return efficiency_; }
  [[nodiscard]] double efficiency(std::size_t item) const { return efficiency_[item]; }
  [[nodiscard]] Ranked ranked(std::size_t item) const {
    return {efficiency_[item], weights_[item], static_cast<ItemId>(item)};
  }
  /// Are all weights below 2^51, so that their doubles are exact and cheap?
  [[nodiscard]] bool has_small_weights() const { return small_weights_; }

 private:
  std::unique_ptr<double[]> own_;
  const double* efficiency_;
  const Weight* weights_;
  std::size_t size_;
  bool small_weights_ = false;
};

/// Does the total weight of the items that compete stay below kWeightLimit?
[[nodiscard]] bool weights_add_up(const Scan& scan, Weight room);

/// The break (Dantzig 1957): items by falling efficiency are packed until one does not fit.
struct Break {
  std::vector<Ranked> window;  ///< the items around the break, in the order of packing
  Weight total = 0;            ///< of all that competes; where that fits, nothing else is set
  std::size_t index = 0;       ///< window[index] is the break item: the first that does not fit
  Weight residual = 0;         ///< capacity left by the break solution
  bool has_before = false;     ///< items more efficient than the window exist, none below `before`
  bool has_after = false;      ///< items less efficient than the window exist, none above `after`
  double before = 0.0;
  double after = 0.0;

  [[nodiscard]] const Ranked& item() const { return window[index]; }
};

/// Finds the break by sampling, bracketing and compressing: expected O(n), nothing is sorted but the window.
[[nodiscard]] Break find_break(const Scan& scan, Weight room);

/// The items whose loss |profit - price x weight| is at most `gap`, by position: only these can differ from the
/// break solution in a selection worth more than the incumbent.
[[nodiscard]] std::vector<Ranked> within_gap(const Scan& scan, double price, double gap);

}  // namespace haversack
