"""Solve what has structure: resolve caps, solve exactly, and tell what was found as an outcome does."""

from __future__ import annotations

from math import inf

from haversack._milp import is_installed
from haversack._outside import search
from haversack._rooms import Rooms, totals, weigh
from haversack._usage import least_shortfall, shortfall

_NODES = 64
"""Forests to solve before the problem is handed to HiGHS, if that is installed."""

_MOST_FORMS = 600
"""Forms of a problem, above which HiGHS takes far longer than the effort allows, unless that has no limit."""

_TRIAL = 5_000_000
"""States of the search without floors, before one with them that has no limit."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from haversack._outside import Found
    from haversack._rooms import Choice, Totals
    from haversack._structure import Structure


class StructuredOutcome:
    """What a solve found and what it proved: the attributes of `_core.Outcome`, and the forms chosen."""

    __slots__ = (
        "bound", "caps", "choice", "chosen", "cost", "fewest_tokens",
        "is_over_caps", "mask", "optimal", "pinned_cost",
        "states", "statistics", "totals", "value",
    )  # fmt: skip

    def __init__(
        self, structure: Structure, choice: Choice, bound: Totals, caps: list[int | None], fewest: bool,
        statistics: dict[str, object],
    ) -> None:  # fmt: skip
        from array import array
        from itertools import compress

        self.choice = choice
        self.caps = caps
        self.is_over_caps = False
        mask = bytes(map((-1).__lt__, choice))
        self.mask = memoryview(mask)
        self.chosen = memoryview(array("q", compress(range(len(mask)), mask))).toreadonly()
        self.cost = weigh(structure, choice)
        self.pinned_cost = 0
        if any(structure.pinned):
            costs = structure.costs
            self.pinned_cost = sum(costs[p][choice[p]] for p, pin in enumerate(structure.pinned) if pin)
        scale = structure.scale
        worth = totals(structure, choice)
        self.totals = tuple(map(scale.value, worth))
        self.value = scale.value(sum(worth))
        self.optimal = bound <= worth
        self.bound: int | float | tuple[int | float, ...] = self.totals if self.optimal else tuple(
            _bounds(structure, worth, bound)
        )  # fmt: skip
        if not structure.has_tiers:
            self.bound = self.bound[0]
        self.fewest_tokens = fewest and self.optimal
        states = statistics.get("states", 0)
        self.states: int = states if isinstance(states, int) else 0
        if structure.merged and "merged" not in statistics:
            merged = [[structure.ids[one] for one in members] for members in structure.merged]
            statistics = {**statistics, "merged": merged}
        self.statistics = statistics

    def raise_bound(self, most: Any) -> None:
        """Take in what more there may be beside what was solved: then nothing is proven."""
        if most > self.bound:
            self.bound, self.optimal, self.fewest_tokens = most, False, False

    @classmethod
    def known(
        cls, structure: Structure, choice: Choice, caps: list[int | None], bound: Any, optimal: bool,
        statistics: dict[str, object],
    ) -> StructuredOutcome:  # fmt: skip
        """Return the outcome of a solve that was written down."""
        fewest = bool(statistics.pop("fewest_tokens"))
        made = cls(structure, choice, totals(structure, choice), caps, fewest, statistics)
        made.bound, made.optimal = bound, optimal
        made.fewest_tokens = fewest
        return made


def _bounds(structure: Structure, worth: Totals, bound: Totals) -> list[int | float]:
    """The bound as values: rounded up, and above the value in the first tier where it differs."""
    found: list[int | float] = []
    is_above = False
    for most, reached in zip(bound, worth, strict=True):
        if most == reached and not is_above:
            found.append(structure.scale.value(reached))
        else:
            found.append(structure.scale.bound(most, -inf if is_above else structure.scale.value(reached)))
            is_above = True
    return found


def solve(structure: Structure, capacity: int, window: int, effort: int) -> StructuredOutcome:
    """Choose the best forms that fit `capacity` and all caps; shares are of `window`, budget - reserve.

    Raises OverflowError where a sum of floats leaves the float range.
    """
    caps = structure.plan.caps(window)
    structure.plan.refuse_floors_above(caps)
    rooms = Rooms(structure, caps, capacity)
    may_ask = effort < 0 or len(structure.options.costs) <= _MOST_FORMS

    def is_enough(nodes: int) -> bool:
        # So many forests were solved that HiGHS should take over.
        return may_ask and nodes >= _NODES and is_installed()

    found = _without_floors(rooms, effort, is_enough)
    if lacks_more_than_it_must(rooms, found.choice):
        from haversack._floors import fill_floors

        found = fill_floors(rooms, effort, found, is_enough)
    elif effort and not found.is_final and is_enough(found.nodes) and _is_open(rooms, found):
        from haversack._milp import by_program

        found = by_program(rooms, effort, found, totals)
    outcome = StructuredOutcome(
        structure, found.choice, found.bound, caps, found.fewest_tokens, found.statistics()
    )
    outcome.is_over_caps = rooms.is_over_caps
    return outcome


def _without_floors(rooms: Rooms, effort: int, is_enough: Callable[[int], bool]) -> Found:
    """Search as if there were no floors; where there are, most effort is kept for these."""
    if effort and any(section.floor for section in rooms.structure.plan.declared):
        found = search(rooms, effort // 4 if effort > 0 else _TRIAL, is_enough, is_trial=True)
        if not _is_open(rooms, found) or lacks_more_than_it_must(rooms, found.choice):
            return found
    return search(rooms, effort, is_enough)


def _is_open(rooms: Rooms, found: Found) -> bool:
    return found.bound > totals(rooms.structure, found.choice)


def lacks_more_than_it_must(rooms: Rooms, choice: Choice) -> bool:
    """Return whether floors might be filled better: else the best without them is the best with them."""
    structure = rooms.structure
    lacking = shortfall(structure, choice)
    if not lacking:
        return False
    return lacking > least_shortfall(rooms)
