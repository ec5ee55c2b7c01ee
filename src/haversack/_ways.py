"""The ways to take from a chain of overlapping spans: neighbours joined and paid once, or some left out.

A chain is what overlaps connect. From it, runs of neighbours are taken, each joined to one span, no two of
them overlapping: weighted interval scheduling, with a Pareto frontier of (tokens, value) where that has one
number (Kleinberg and Tardos 2005, section 6.1).
"""

from __future__ import annotations

from bisect import bisect_right
from math import inf

from haversack._record import Record
from haversack.values.overlap import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from haversack.values.overlap import Merged

    State = tuple[int, Any, Any]  # tokens, value, and (last run, state before) or None

WORK = 200_000  # states for all runs of a chain: above that its frontier is thinned


class Ways(Record):
    """The undominated ways of one chain, by rising tokens: their tokens, values and runs.

    `is_whole` unless there were too many to keep them all.
    """

    __slots__ = ("costs", "values", "runs", "is_whole")

    costs: list[int]
    values: list[Any]
    runs: list[list[Merged]]
    is_whole: bool

    def __init__(self, costs: list[int], values: list[Any], runs: list[list[Merged]], is_whole: bool) -> None:
        self._fill(costs, values, runs, is_whole)


class Ahead:
    """What a chain can still gain from a place on: the most value less its tokens, at a price for each."""

    def __init__(self, found: Sequence[Merged], price: float) -> None:
        self.price = price
        self.starts: list[Any] = []  # falling
        self.most: list[float] = []
        for run in sorted(found, key=lambda run: -run.start):
            net = run.value - price * run.cost + self.beyond(run.end)
            if not self.starts or self.starts[-1] != run.start:
                self.starts.append(run.start)
                self.most.append(self.most[-1] if self.most else 0.0)
            self.most[-1] = max(self.most[-1], net)

    def beyond(self, end: Any) -> float:
        """Return the most that runs that start there or later are worth."""
        at = bisect_right(self.starts, -end, key=lambda start: -start)
        return self.most[at - 1] if at else 0.0

    @property
    def whole(self) -> float:
        """The most that the chain is worth."""
        return self.most[-1] if self.most else 0.0


def chains(parts: Sequence[Merged]) -> list[list[Merged]]:
    """Return the spans that overlaps connect, from left to right, two or more each."""
    spanned = sorted(
        (part for part in parts if part.start is not None and part.start < part.end),
        key=lambda part: (part.start, -part.end, part.positions),
    )
    latest: dict[Any, list[Merged]] = {}
    reach: dict[Any, Any] = {}
    found = []
    for part in spanned:
        if part.source in reach and part.start < reach[part.source]:
            latest[part.source].append(part)
            reach[part.source] = max(reach[part.source], part.end)
        else:
            latest[part.source], reach[part.source] = [part], part.end
            found.append(latest[part.source])
    return [chain for chain in found if len(chain) > 1]


def runs(
    chain: Sequence[Merged],
    worths: Sequence[Any],
    room: int,
    charge: Callable[[Merged], int],
    combine: Callable[[list[Any]], Any],
) -> list[Merged]:
    """Return every span alone, and all that neighbours give when they are joined, up to `room` tokens.

    A neighbour whose text does not agree with the run's ends it. What lies within a run comes with it.
    """
    found: list[Merged] = []
    for at, part in enumerate(chain):
        run = part
        run.value = worths[part.positions[0]]
        alone = len(found)
        found.append(run)
        for other in chain[at + 1 :]:
            if other.start >= run.end:
                break
            longer = joined(run, other)
            if longer is None:
                break
            is_within = run.holds(other)
            longer.cost = run.cost if is_within else charge(longer)
            if longer.cost > room:
                break
            longer.value = combine([worths[position] for position in longer.positions])
            if is_within and len(found) > alone:
                found.pop()
            run = longer
            found.append(run)
    return [run for run in found if run.cost <= room and run.value > 0]


def ways(found: Sequence[Merged], room: int, ahead: Ahead, allowed: float = inf) -> Ways:
    """Return what runs that do not overlap come to together, but for ways that lose more than is `allowed`.

    The loss is against the best of the chain, at the price of `ahead`. Of too many, those of least loss stay.
    """
    ends: list[Any] = []
    frontiers: list[list[State]] = []
    start: list[State] = [(0, 0, None)]
    most = max(32, WORK // max(1, len(found)))
    is_whole = True
    frontier = start
    by_end = sorted(found, key=lambda run: (run.end, run.start))
    at = 0
    while at < len(by_end):
        end, states = by_end[at].end, list(frontier)
        while at < len(by_end) and by_end[at].end == end:
            run = by_end[at]
            before = bisect_right(ends, run.start) - 1
            for state in frontiers[before] if before >= 0 else start:
                cost = state[0] + run.cost
                if cost > room:
                    break
                states.append((cost, state[1] + run.value, (run, state)))
            at += 1
        least = ahead.whole - ahead.beyond(end) - allowed
        frontier = [state for state in _undominated(states) if state[1] - ahead.price * state[0] >= least]
        if len(frontier) > most:
            frontier, is_whole = _thinned(frontier, most, ahead.price), False
        ends.append(end)
        frontiers.append(frontier)
    taken = [state for state in frontier if state[2] is not None]
    costs, values = [state[0] for state in taken], [state[1] for state in taken]
    return Ways(costs, values, [_runs(state) for state in taken], is_whole)


def _undominated(states: list[State]) -> list[State]:
    states.sort(key=lambda state: (state[0], -state[1]))
    kept: list[State] = []
    for state in states:
        if not kept or state[1] > kept[-1][1]:
            kept.append(state)
    return kept


def _thinned(states: list[State], most: int, price: float) -> list[State]:
    """Return the states of least loss, and some of all costs: where a cap binds, the price is another."""
    best = sorted(states, key=lambda state: price * state[0] - state[1])[: most * 3 // 4]
    kept = {state[0]: state for state in [*best, *states[:: 1 + len(states) * 4 // most], states[-1]]}
    return [kept[cost] for cost in sorted(kept)]


def _runs(state: State) -> list[Merged]:
    found = []
    while state[2] is not None:
        run, state = state[2]
        found.append(run)
    return found[::-1]
