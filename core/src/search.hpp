#pragma once

#include <vector>

#include "effort.hpp"
#include "haversack/types.hpp"

namespace haversack {

/// An undecided item. Items with `efficiency` above the break item's are in the break solution.
template <class P>
struct CoreItem {
  Weight weight;
  P profit;
  double efficiency;
  std::int32_t count = 0;
};

/// The undecided items by falling efficiency, and how the rest of the problem looks from here.
template <class P>
struct Core {
  std::vector<CoreItem<P>> items;
  std::size_t break_index = 0;     ///< items[0, break_index) are in the break solution
  Weight residual = 0;             ///< capacity left by the break solution
  double price = 0.0;              ///< efficiency of the break item
  double before = 0.0;             ///< efficiency no decided-in item falls below; +inf: none may be taken out
  double outside = 0.0;            ///< weight of the items beyond `before` and `after`, at most
  double after = 0.0;              ///< efficiency no decided-out item exceeds; 0: none may be added
  std::vector<CoreItem<P>> outer;  ///< undecided items left aside: partners for pairing, numbered after `items`
  std::size_t outer_in = 0;        ///< the first of them are in the break solution
};

enum class Aim : std::uint8_t {
  profit,  ///< the greatest profit of at least `target`; a find raises the target
  weight,  ///< the least weight at a profit of at least `target`; a find lowers the capacity
};

/// What is asked of a search. Profits and weights are relative to the break solution.
template <class P>
struct Quest {
  Aim aim = Aim::profit;
  P target = 1;          ///< the least profit worth finding
  P step = 1;            ///< a better profit is better by at least this much (a common divisor of the profits)
  P enough = 0;          ///< stop when this profit is reached: no more is possible
  Weight spare = 0;      ///< capacity given up: selections weigh at most residual - spare
  bool pair_up = false;  ///< when given up: try each state with one more item, in or out
  P known = 1;           ///< with a target raised in hope: the least profit that is better than what is known
};

/// A side constraint: the counts of the packed items add up to at most `limit`, relative to the break solution.
/// Profits are then reduced ones, less `price` for each count, so that the bound knows of the constraint.
template <class P>
struct CountLimit {
  std::int32_t limit = 0;
  P price = 0;
};

template <class P>
struct Find {
  bool found = false;
  bool closed = false;                 ///< proven: nothing (else) reaches the target
  bool too_wide = false;               ///< a sum of profits would not fit P
  P profit = 0;                        ///< of the best find, relative to the break solution
  Weight weight = 0;                   ///< its weight, relative to the break solution
  std::vector<std::uint32_t> toggled;  ///< core items on the other side than in the break solution
};

/// Enumerates the selections that could reach the target: the frontier of undominated (weight, profit) states,
/// grown from the break outward, one item more or less at a time (Pisinger 1997).
template <class P>
[[nodiscard]] Find<P> search(const Core<P>& core, const Quest<P>& quest, Effort& effort);

/// The same under a count limit: a frontier for each count. Finds report real profits, not reduced ones.
template <class P>
[[nodiscard]] Find<P> search_counted(const Core<P>& core, const Quest<P>& quest, const CountLimit<P>& limit,
                                     Effort& effort);

}  // namespace haversack
