"""The ways to take from a chain of overlapping spans: any of them, what two share paid once.

A chain is what overlaps connect. Its spans are passed from left to right. What the next one costs and is
worth hangs on the span that reaches furthest so far, so for each of these there is a Pareto frontier of
tokens, worth, and what of the worth is that span's.
"""

from __future__ import annotations

from haversack._record import Record
from haversack.values.overlap import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from haversack.values.overlap import Merged

    # Tokens, worth, the worth without the span that reaches furthest, and (last span, those before) or None.
    State = tuple[int, float, float, Any]

WORK = 60_000  # states for a chain: beyond that its frontiers are thinned
REACHES = 24  # of the spans that reach beyond the next one, those of furthest reach that are looked at


class Ways(Record):
    """The undominated ways of one chain, by rising tokens: their tokens, worth, and the spans taken.

    `least` is the fewest tokens that each span adds, whatever else is taken. `is_whole` unless there were too
    many ways to keep them all.
    """

    __slots__ = ("costs", "worth", "taken", "least", "is_whole")

    costs: list[int]
    worth: list[float]
    taken: list[list[int]]
    least: list[int]
    is_whole: bool

    def __init__(
        self, costs: list[int], worth: list[float], taken: list[list[int]], least: list[int], is_whole: bool
    ) -> None:
        self._fill(costs, worth, taken, least, is_whole)


def added(probability: float, neighbour: float) -> float:
    """Return what a span adds to one that it is joined with, which itself added *neighbour*.

    Of two: that at least one is needed. Along a chain a span counts unless what the one before it adds covers
    it, so that nothing is ever worth less for a neighbour's being there.

    >>> 0.5 + added(0.5, 0.5)
    0.75
    """
    return probability * (1 - neighbour)


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
    """One pass over a chain; `worth` is that of its spans, `price` about that of a token.

    With `is_sum` neighbours leave each other's worth as it is.
    """

    def __init__(
        self, chain: Chain, worth: Sequence[float], charge: Callable[[Merged], int], room: int, *,
        price: float, work: int, is_sum: bool,
    ) -> None:  # fmt: skip
        self.chain = chain.spans
        self.pairs = chain.pairs
        self.worth = worth
        self.charge = charge
        self.room = room
        self.price = price
        self.most = max(16, work // (3 * len(self.chain)))
        self.is_sum = is_sum
        self.least = [part.cost for part in self.chain]
        self.is_whole = True

    def run(self) -> Ways:
        """Return the ways to take the chain."""
        closed: list[State] = [(0, 0.0, 0.0, None)]  # what reaches no further than the next span
        reaching: dict[int, list[State]] = {}
        for at, part in enumerate(self.chain):
            ended = [before for before in reaching if self.chain[before].end <= part.start]
            if ended:
                closed = self._closed([*closed, *(one for before in ended for one in reaching.pop(before))])
            if self.worth[at] <= 0:
                continue
            fresh = [self._apart(state, at, False) for state in closed]
            for before in self._furthest(reaching):
                fresh += self._beside(before, at, reaching)
            reaching[at] = self._kept(fresh)
        found = self._closed([*closed, *(state for states in reaching.values() for state in states)])
        found = [state for state in found if state[3] is not None]
        columns = [state[0] for state in found], [state[1] for state in found]
        return Ways(*columns, [_taken(state) for state in found], self.least, self.is_whole)

    def _furthest(self, reaching: dict[int, list[State]]) -> list[int]:
        if len(reaching) <= REACHES:
            return list(reaching)
        self.is_whole = False
        return sorted(reaching, key=lambda before: self.chain[before].end)[-REACHES:]

    def _beside(self, before: int, at: int, reaching: dict[int, list[State]]) -> list[State]:
        """Add a span to what reaches beyond its start; return what then reaches to its end.

        Where their texts disagree on what they share they stay apart, each at its own cost.
        """
        left, right = self.chain[before], self.chain[at]
        is_within, both = left.holds(right), self.pairs.get((before, at))
        if both is None:
            taken = [self._apart(state, at, is_within) for state in reaching[before]]
        else:
            more = max(0, (both.cost if is_within else self.charge(both)) - left.cost)
            self.least[at] = min(self.least[at], more)
            taken = [self._joined(state, at, more, is_within) for state in reaching[before]]
        if not is_within:
            return taken
        reaching[before] = self._kept([*reaching[before], *taken])
        return []

    def _apart(self, state: State, at: int, is_within: bool) -> State:
        cost, worth, rest, link = state
        whole = worth + self.worth[at]
        return cost + self.chain[at].cost, whole, rest + self.worth[at] if is_within else worth, (at, link)

    def _joined(self, state: State, at: int, more: int, is_within: bool) -> State:
        cost, worth, rest, link = state
        gain = self.worth[at] if self.is_sum else added(self.worth[at], worth - rest)
        return cost + more, worth + gain, rest + gain if is_within else worth, (at, link)

    def _closed(self, states: list[State]) -> list[State]:
        """What reaches no further: of no span the worth matters any more."""
        return self._kept([(cost, worth, worth, link) for cost, worth, _, link in states])

    def _kept(self, states: list[State]) -> list[State]:
        """The states that fit and that no other dominates; of too many those of most worth, and some more.

        What the furthest span is worth itself costs the next one as much at most: so more worth with no more
        of it, or with as much more of all, is no worse whatever follows.
        """
        states = [state for state in states if state[0] <= self.room]
        states.sort(key=lambda state: (state[0], -state[1], -state[2]))
        kept: list[State] = []
        front: list[tuple[float, float]] = []
        for state in states:
            _, worth, rest, _ = state
            if any(one >= worth and other >= rest for one, other in front):
                continue
            front = [(one, other) for one, other in front if one > worth or other > rest]
            front.append((worth, rest))
            kept.append(state)
        if len(kept) <= self.most:
            return kept
        self.is_whole = False
        best = sorted(kept, key=lambda state: self.price * state[0] - state[1])
        some = [*best[: self.most * 3 // 4], *kept[:: 1 + len(kept) * 4 // self.most], kept[-1]]
        return sorted({state[:3]: state for state in some}.values(), key=lambda state: state[0])


def _taken(state: State) -> list[int]:
    found = []
    link = state[3]
    while link is not None:
        at, link = link
        found.append(at)
    return found[::-1]
