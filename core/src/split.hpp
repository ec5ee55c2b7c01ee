#pragma once

#include <optional>
#include <vector>

#include "effort.hpp"
#include "haversack/types.hpp"

namespace haversack {

/// An undecided item of a problem to be split. `count` is any integer; 1 counts items.
template <class P>
struct SplitItem {
  Weight weight;
  P profit;
  std::int32_t count;
  bool packed;  ///< in the break solution
};

/// What is looked for: a profit of `target` or more, relative to the break solution.
template <class P>
struct SplitQuest {
  Weight residual = 0;
  P target = 1;
  P step = 1;
  P enough = 0;
};

template <class P>
struct SplitFind {
  bool closed = false;  ///< proven: nothing (else) reaches the target
  bool found = false;
  std::vector<bool> in;  ///< of the find: is the item in
};

/// Splits on the total count of a selection, which is an integer while the relaxation's is not: at most its floor,
/// or at least its ceiling. Each side has a second price, for the count, that makes its bound far tighter where
/// profits are nearly a function of weight and count (Martello & Toth 1997; Martello, Pisinger & Toth 1999).
template <class P>
[[nodiscard]] SplitFind<P> split_search(const std::vector<SplitItem<P>>& items, SplitQuest<P> quest, Effort& effort);

}  // namespace haversack
