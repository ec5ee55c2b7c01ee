"""The ways to take from a chain of overlapping spans: any of them, what two share paid once.

A chain is what overlaps connect. Its spans are passed from left to right. What the next one costs hangs on
the span that reaches furthest so far, so for each of these there is a Pareto frontier of (tokens, weight).
The weights are logarithms: they add up where the probability that at least one is needed does not.
"""

from __future__ import annotations

from math import expm1, log1p

from haversack._record import Record
from haversack.values.overlap import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from haversack.values.overlap import Merged

    State = tuple[int, float, Any]  # tokens, weight, and (last span, what was taken before) or None

WORK = 200_000  # states for a chain: beyond that its frontiers are thinned
SURE = 40.0  # the weight of a probability of 1, or of as good as 1
REACHES = 24  # of the spans that reach beyond the next one, those of furthest reach that are looked at


class Ways(Record):
    """The undominated ways of one chain, by rising tokens: their tokens, weights, and the spans taken.

    `least` is the fewest tokens that each span adds, whatever else is taken. `is_whole` unless there were too
    many ways to keep them all.
    """

    __slots__ = ("costs", "weights", "taken", "least", "is_whole")

    costs: list[int]
    weights: list[float]
    taken: list[list[int]]
    least: list[int]
    is_whole: bool

    def __init__(
        self, costs: list[int], weights: list[float], taken: list[list[int]], least: list[int], is_whole: bool
    ) -> None:
        self._fill(costs, weights, taken, least, is_whole)


def weight_of(probability: float) -> float:
    """Return the weight of a probability: that of at least one is that of the sum of the weights.

    >>> round(probability_of(weight_of(0.5) + weight_of(0.5)), 12)
    0.75
    """
    return SURE if probability >= 1 else min(SURE, -log1p(-probability))


def probability_of(weight: float) -> float:
    """Return the probability that has a weight."""
    return -expm1(-weight)


class Chain(Record):
    """Spans that overlaps connect, from left to right, and what pairs make: None where texts disagree."""

    __slots__ = ("spans", "pairs")

    spans: list[Merged]
    pairs: dict[tuple[int, int], Merged | None]

    def __init__(self, spans: list[Merged], pairs: dict[tuple[int, int], Merged | None]) -> None:
        self._fill(spans, pairs)


def chains(parts: Iterable[Merged]) -> list[Chain]:
    """Return the spans that overlaps connect, two or more each; those whose texts disagree do not overlap."""
    spans = sorted(
        (part for part in parts if part.start is not None and part.start < part.end),
        key=lambda part: (part.start, -part.end, part.positions),
    )
    pairs: dict[tuple[int, int], Merged | None] = {}
    root = list(range(len(spans)))
    open_: dict[Any, list[int]] = {}
    for at, part in enumerate(spans):
        reaching = [one for one in open_.get(part.source, ()) if spans[one].end > part.start]
        for before in reaching:
            both = pairs[before, at] = joined(spans[before], part)
            if both is not None:
                root[_root(root, at)] = _root(root, before)
        furthest = sorted([*reaching, at], key=lambda one: spans[one].end)
        open_[part.source] = furthest[-REACHES:]
    members: dict[int, list[int]] = {}
    for at in range(len(spans)):
        members.setdefault(_root(root, at), []).append(at)
    return [_chain(spans, some, pairs) for some in members.values() if len(some) > 1]


def _chain(spans: list[Merged], some: list[int], pairs: dict[tuple[int, int], Merged | None]) -> Chain:
    number = {at: one for one, at in enumerate(some)}
    own = {
        (number[before], number[at]): both
        for (before, at), both in pairs.items()
        if before in number and at in number
    }
    return Chain([spans[at] for at in some], own)


def _root(root: list[int], at: int) -> int:
    while root[at] != at:
        root[at] = root[root[at]]
        at = root[at]
    return at


class Sweep:
    """One pass over a chain; `weights` are those of its spans, `price` is about what a token is worth."""

    def __init__(
        self, chain: Chain, weights: Sequence[float], charge: Callable[[Merged], int], room: int,
        price: float, value: Callable[[float], Any], work: int,
    ) -> None:  # fmt: skip
        self.chain = chain.spans
        self.pairs = chain.pairs
        self.weights = weights
        self.charge = charge
        self.room = room
        self.price = price
        self.value = value
        self.most = max(16, work // (3 * len(self.chain)))
        self.least = [part.cost for part in self.chain]
        self.is_whole = True

    def run(self) -> Ways:
        """Return the ways to take the chain."""
        closed: list[State] = [(0, 0.0, None)]  # what reaches no further than the next span
        reaching: dict[int, list[State]] = {}
        for at, part in enumerate(self.chain):
            ended = [before for before in reaching if self.chain[before].end <= part.start]
            if ended:
                closed = self._kept([*closed, *(one for before in ended for one in reaching.pop(before))])
            if self.weights[at] <= 0:
                continue
            fresh = [self._with(state, at, part.cost) for state in closed]
            for before in reaching:
                more, is_within = self._more(before, at)
                self.least[at] = min(self.least[at], more)
                taken = [self._with(state, at, more) for state in reaching[before]]
                if is_within:
                    reaching[before] = self._kept([*reaching[before], *taken])
                else:
                    fresh += taken
            reaching[at] = self._kept(fresh)
        found = self._kept([*closed, *(state for states in reaching.values() for state in states)])
        found = [state for state in found if state[2] is not None]
        columns = [state[0] for state in found], [state[1] for state in found]
        return Ways(*columns, [_taken(state) for state in found], self.least, self.is_whole)

    def _with(self, state: State, at: int, cost: int) -> State:
        return state[0] + cost, state[1] + self.weights[at], (at, state[2])

    def _more(self, before: int, at: int) -> tuple[int, bool]:
        """The tokens that a span adds to one that reaches furthest before it, and whether it lies within.

        Where their texts disagree on what they share they stay apart, each at its own cost.
        """
        left, right = self.chain[before], self.chain[at]
        is_within = left.holds(right)
        both = self.pairs.get((before, at))
        if both is None:
            # Far too many overlap at one place: those that reach less far are taken to share nothing.
            self.is_whole = self.is_whole and (before, at) in self.pairs
            return right.cost, is_within
        cost = both.cost if is_within else self.charge(both)
        return max(0, cost - left.cost), is_within

    def _kept(self, states: list[State]) -> list[State]:
        """The states that fit and that no other dominates; of too many those of most worth, and some more."""
        states = [state for state in states if state[0] <= self.room]
        states.sort(key=lambda state: (state[0], -state[1]))
        kept: list[State] = []
        for state in states:
            if not kept or state[1] > kept[-1][1]:
                kept.append(state)
        if len(kept) <= self.most:
            return kept
        self.is_whole = False
        best = sorted(kept, key=lambda state: self.price * state[0] - self.value(state[1]))
        some = [*best[: self.most * 3 // 4], *kept[:: 1 + len(kept) * 4 // self.most], kept[-1]]
        by_cost = {state[0]: state for state in some}
        return [by_cost[cost] for cost in sorted(by_cost)]


def _taken(state: State) -> list[int]:
    found = []
    link = state[2]
    while link is not None:
        at, link = link
        found.append(at)
    return found[::-1]
