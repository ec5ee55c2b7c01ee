"""The same 0-1 packing in Python integers of any size: what `_core` cannot hold in 64 bits ends here.

Theory of operation. Floats become integers by one common power of two. Profit p and weight w of an item are
joined into one integer p * M - w with M above every reachable weight, so that the largest sum has the
greatest profit and, among those, the fewest tokens. Items stand by falling efficiency (profit / weight); the
*break item* is the first that no longer fits. Dantzig's bound (1957) fills the residual capacity with a
fraction of it. Items whose flip alone costs more than bound - incumbent keep the state they have in the break
solution (Ingargiola & Korsh 1973); the rest is the *core*, enumerated by a frontier of undominated states
(Nemhauser & Ullmann 1969), each discarded as soon as its own bound cannot beat the incumbent.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import gcd, inf

from haversack._record import Record
from haversack._scale import Scale

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Outcome(Record):
    """What a solve found and what it proved; the same attributes as `_core.Outcome`."""

    __slots__ = (
        "chosen",
        "mask",
        "value",
        "cost",
        "pinned_cost",
        "bound",
        "optimal",
        "fewest_tokens",
        "states",
        "statistics",
    )

    chosen: memoryview
    mask: memoryview
    value: int | float
    cost: int
    pinned_cost: int
    bound: int | float
    optimal: bool
    fewest_tokens: bool
    states: int
    statistics: dict[str, int]

    def __init__(
        self,
        mask: bytes,
        *,
        value: int | float,
        cost: int,
        pinned_cost: int,
        bound: int | float,
        optimal: bool,
        fewest_tokens: bool,
        statistics: dict[str, int],
    ) -> None:
        from array import array

        positions = array("q", (position for position, chosen in enumerate(mask) if chosen))
        self._fill(
            memoryview(positions).toreadonly(), memoryview(mask), value, cost, pinned_cost, bound, optimal,
            fewest_tokens, statistics.get("states", 0), statistics,
        )  # fmt: skip


def solve(
    costs: Sequence[int],
    values: Sequence[int | float],
    pinned: Sequence[bool] | bytes,
    capacity: int,
    effort: int,
) -> Outcome:
    """Choose the most valuable snippets that fit `capacity` beside the pins, exactly.

    `effort` bounds the states created (-1: no limit); past it the best found is returned with a proven bound.
    Raises OverflowError where a sum of floats leaves the float range.

    >>> outcome = solve([3, 4, 5], [10**30, 10**30 + 1, 0.5], [False, False, False], 5, -1)
    >>> list(outcome.chosen), outcome.optimal
    ([1], True)
    """
    scale, profits = Scale.of(list(values))
    pinned_cost = sum(cost for cost, pin in zip(costs, pinned, strict=True) if pin)
    room = max(0, capacity - pinned_cost)
    mask = bytearray(bool(pin) for pin in pinned)
    items: list[int] = []
    for position, (cost, profit) in enumerate(zip(costs, profits, strict=True)):
        if mask[position] or profit <= 0 or cost > room:
            continue
        if cost == 0:
            mask[position] = 1
        else:
            items.append(position)
    base = sum(profit for profit, chosen in zip(profits, mask, strict=True) if chosen)
    search = _Search([costs[i] for i in items], [profits[i] for i in items], room, effort)
    for index in _first_of_equals(search):
        mask[items[index]] = 1
    total = sum(profit for profit, chosen in zip(profits, mask, strict=True) if chosen)
    value = scale.value(total)
    ceiling = base + search.profit_bound
    return Outcome(
        bytes(mask),
        value=value,
        cost=sum(cost for cost, chosen in zip(costs, mask, strict=True) if chosen),
        pinned_cost=pinned_cost,
        bound=value if ceiling <= total else scale.bound(ceiling, value),
        optimal=ceiling <= total,
        fewest_tokens=search.bound <= search.best,
        statistics={"states": search.states, "core": search.core_size, "items": len(items), "wide": 1},
    )


class _Search:
    """The search over the items that may go either way; `chosen` holds the indices of the best selection.

    Weights are at least 1, profits at least 1, and every item fits the capacity alone.
    """

    def __init__(self, weights: list[int], profits: list[int], capacity: int, effort: int) -> None:
        self.weights, self.profits = weights, profits
        unit = gcd(*weights) or 1
        reach = min(capacity, sum(weights))
        self.reach = reach // unit * unit
        self.scale = self.reach + 1
        joined = [profit * self.scale - weight for profit, weight in zip(profits, weights, strict=True)]
        self.order = _by_efficiency(joined, weights)
        self.states = 0
        self.effort = inf if effort < 0 else effort
        self._prepare([joined[i] for i in self.order], [weights[i] for i in self.order])
        if self.bound > self.best:
            self._enumerate()
        self.chosen = {self.order[i] for i in self.best_set}

    @property
    def profit_bound(self) -> int:
        """The bound on the plain profit: S = P * M - W with 0 <= W <= reach tells P <= (S + reach) / M."""
        return (self.bound + self.reach) // self.scale

    def _prepare(self, profits: list[int], weights: list[int]) -> None:
        """Set the break solution, Dantzig's bound, the first incumbent, and fix what the bound decides."""
        sums_w = list(accumulate(weights, initial=0))
        sums_p = list(accumulate(profits, initial=0))
        break_index = bisect_right(sums_w, self.reach) - 1
        filled, residual = set(range(break_index)), self.reach - sums_w[break_index]
        self.best, self.best_set = sums_p[break_index], filled
        self.bound, self.core_size = self.best, 0
        if break_index == len(weights):
            return
        p_break, w_break = profits[break_index], weights[break_index]
        # Everything below is in units of 1 / w_break, so that no division rounds.
        top = self.best * w_break + residual * p_break
        self.bound = top // w_break
        self._complete(range(break_index, len(weights)), profits, weights, residual)
        need = (self.best + 1) * w_break
        loss = [abs(p * w_break - w * p_break) for p, w in zip(profits, weights, strict=True)]
        core = [i for i in range(len(weights)) if top - loss[i] >= need]
        inside = set(core)
        fixed = [i for i in range(break_index) if i not in inside]
        self.core, self.core_size, self.fixed = core, len(core), fixed
        self.core_w = [weights[i] for i in core]
        self.core_p = [profits[i] for i in core]
        self.base_w = sum(weights[i] for i in fixed)
        self.base_p = sum(profits[i] for i in fixed)

    def _complete(self, rest: range, profits: list[int], weights: list[int], residual: int) -> None:
        """Improve the first incumbent: what still fits, in order of efficiency."""
        chosen, profit = set(self.best_set), self.best
        for index in rest:
            if weights[index] <= residual:
                residual -= weights[index]
                profit += profits[index]
                chosen.add(index)
        self.best, self.best_set = profit, chosen

    def _enumerate(self) -> None:
        """Branch on the core items, best efficiency first; a state is (weight, profit, set)."""
        self.sums_w = list(accumulate(self.core_w, initial=0))
        self.sums_p = list(accumulate(self.core_p, initial=0))
        frontier = [(self.base_w, self.base_p, 0)]
        found = -1
        for step in range(self.core_size):
            if not frontier or self.states + len(frontier) > self.effort:
                break
            taken = self._branch(frontier, step)
            self.states += len(taken)
            frontier, found, ceiling = self._prune(_merge(frontier, taken), step + 1, found)
            self.bound = max(self.best, ceiling)
        if found >= 0:
            self.best_set = {*self.fixed, *(self.core[i] for i in range(self.core_size) if found >> i & 1)}

    def _branch(self, frontier: list[tuple[int, int, int]], step: int) -> list[tuple[int, int, int]]:
        weight, profit, bit = self.core_w[step], self.core_p[step], 1 << step
        limit = self.reach - weight
        return [(w + weight, p + profit, taken | bit) for w, p, taken in frontier if w <= limit]

    def _prune(
        self, frontier: list[tuple[int, int, int]], step: int, found: int
    ) -> tuple[list[tuple[int, int, int]], int, int]:
        """Keep the states whose bound beats the incumbent; each one's integer completion may be the next."""
        sums_w, sums_p, size = self.sums_w, self.sums_p, self.core_size
        bounds = []
        for w, p, taken in frontier:
            filled = bisect_right(sums_w, self.reach - w + sums_w[step], step) - 1
            profit = p + sums_p[filled] - sums_p[step]
            if profit > self.best:
                self.best = profit
                found = taken | ((1 << filled) - (1 << step))
            if filled < size:
                residual = self.reach - w - sums_w[filled] + sums_w[step]
                profit += residual * self.core_p[filled] // self.core_w[filled]
            bounds.append(profit)
        kept = [state for state, bound in zip(frontier, bounds, strict=True) if bound > self.best]
        return kept, found, max(bounds, default=self.best)


def _merge(stay: list[tuple[int, int, int]], move: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Merge two frontiers by weight and drop the dominated: no better at no less weight."""
    merged = []
    richest = -1
    # A state that stays precedes an equally heavy one that moves: earlier items first.
    for state in sorted(stay + move, key=lambda state: (state[0], -state[1])):
        if state[1] > richest:
            richest = state[1]
            merged.append(state)
    return merged


def _by_efficiency(profits: list[int], weights: list[int]) -> list[int]:
    """Return the indices by falling profit / weight, cross-multiplied; of equals the lighter first."""
    from functools import cmp_to_key

    def compare(i: int, j: int) -> int:
        left, right = profits[i] * weights[j], profits[j] * weights[i]
        if left == right:
            left, right = weights[j], weights[i]
        return (left < right) - (left > right)

    return sorted(range(len(profits)), key=cmp_to_key(compare))


def _first_of_equals(search: _Search) -> list[int]:
    """Return the chosen indices with items equal in weight and profit taken in input order."""
    equals: dict[tuple[int, int], list[int]] = {}
    for index, kind in enumerate(zip(search.weights, search.profits, strict=True)):
        equals.setdefault(kind, []).append(index)
    first: list[int] = []
    for members in equals.values():
        first += members[: sum(index in search.chosen for index in members)]
    return first
