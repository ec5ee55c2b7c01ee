#pragma once

#include "scan.hpp"

namespace haversack {

/// Efficiencies between which the break lies, or is likely to.
struct Bracket {
  double low;
  double high;

  [[nodiscard]] bool holds(double efficiency) const { return (efficiency >= low) & (efficiency <= high); }
};

using Items = std::vector<Ranked>;

/// A part of the items that holds the break: all of them at first, a short list later.
struct Active {
  const Scan& scan;
  bool is_list = false;
  Items list;

  [[nodiscard]] std::size_t size() const { return is_list ? list.size() : scan.size(); }
};

/// The weighted quantile of an evenly spaced sample of items that weigh `weight`, a few standard deviations of its rank
/// to either side. `sample` is room to work in.
[[nodiscard]] Bracket sample_bracket(const Items& items, Weight room, Weight weight, Items& sample);

/// The class of a histogram of efficiencies, 32 to an octave, in which the break lies, and its neighbours.
[[nodiscard]] Bracket histogram_bracket(const Scan& scan, Weight room);

}  // namespace haversack
