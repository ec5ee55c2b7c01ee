"""Why snippets are out by their numbers: the limit they are over, and what would have to change."""

from __future__ import annotations

from haversack._rooms import Rooms
from haversack._sums import Together
from haversack._unpinning import Unpinning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from haversack._decision import Ledger
    from haversack._structure import Structure
    from haversack._structured import StructuredOutcome

    Numbers = dict[str, Any]

_UNPINNED = 16
"""Decisions of a packing that are told the fewest pins where that takes more than a look."""


class Shortage:
    """What is taken and left, by section (and for the whole last); everything in its cheapest form."""

    def __init__(self, structure: Structure, outcome: StructuredOutcome, ledger: Ledger) -> None:
        self.structure = structure
        self.ledger = ledger
        self.choice = outcome.choice
        self.caps: list[int | None] = [*outcome.caps, max(0, ledger.capacity)]
        self.rooms = Rooms(structure, outcome.caps, ledger.capacity)
        self.used = structure.spread(
            (position, structure.costs[position][form])
            for position, form in enumerate(self.choice)
            if form >= 0
        )
        self.cheapest = [
            _cheapest(costs, values) for costs, values in zip(structure.costs, structure.values, strict=True)
        ]
        self.better = self._taken_by_better_tiers()
        self.floors = [name for name, one in zip(structure.plan.names, structure.plan.declared, strict=True)
                       if one.floor]  # fmt: skip
        self.together = Together(structure, self.choice, self.caps)
        self._unpinning = Unpinning(structure)
        self._solved = 0

    def _taken_by_better_tiers(self) -> list[int]:
        """The tokens that optional snippets of better tiers take, tier by tier."""
        structure = self.structure
        better = [0] * (len(structure.tiers) + 1)
        for position, form in enumerate(self.choice):
            if form >= 0 and not structure.pinned[position]:
                better[structure.tier_of[position] + 1] += structure.costs[position][form]
        for tier in range(len(structure.tiers)):
            better[tier + 1] += better[tier]
        return better

    def numbers(self, unit: int) -> Numbers:
        """The tokens of all that would be in together, and the most that the unit could be worth."""
        structure = self.structure
        worth = sum(max(structure.profits[one]) for one in structure.members[unit])
        return {"cost": self.together.of(unit).alone[-1], "value": structure.scale.value(worth)}

    def is_before(self, position: int) -> bool:
        """Return whether a snippet stands within the beginning that is kept from the previous packing."""
        return position < self.ledger.prefix_end

    def judged(self, unit: int, is_before: bool) -> tuple[str, Numbers]:
        """Return the first reason that applies to what would be in together, and its numbers."""
        numbers = self.numbers(unit)
        if numbers["value"] <= 0:
            return "worthless", numbers
        sums = self.together.of(unit)
        alone, missing = sums.alone, sums.missing
        over = _first_over(alone, self.caps)
        if over is not None:
            return "too_long", {**numbers, **self._limit(over, alone, "cap"), "raise": self._raised(alone)}
        over = _first_over(alone, self.rooms.left)
        if over is not None:
            return "no_room", {
                **numbers, **self._limit(over, alone, "room"), "pinned_cost": self.rooms.pinned_cost,
                "raise": self._raised(alone), **self._unpinned(unit),
            }  # fmt: skip
        return self._full(missing, numbers) or self._outvalued(unit, alone, missing, numbers, is_before)

    def _full(self, missing: list[int], numbers: Numbers) -> tuple[str, Numbers] | None:
        left = [None if cap is None else cap - used for cap, used in zip(self.caps, self.used, strict=True)]
        at = _first_over(missing[:-1], left[:-1])
        if at is None:
            return None
        return "section_full", {
            **numbers, "section": self.structure.plan.names[at], "cap": self.caps[at], "used": self.used[at],
            "over": missing[at] - (left[at] or 0),
        }  # fmt: skip

    def _outvalued(
        self, unit: int, alone: list[int], missing: list[int], numbers: Numbers, is_before: bool
    ) -> tuple[str, Numbers]:
        structure, ledger = self.structure, self.ledger
        tier, room = structure.tier_of[structure.members[unit][0]], self.rooms.left[-1]
        assert room is not None
        left = room - self.better[tier]
        if tier and alone[-1] > left:
            told = {"tier": structure.tiers[tier], "better": self.better[tier], "left": max(0, left)}
            return "tier", {**numbers, **told}
        if is_before:
            return "outvalued", {**numbers, "prefix_end": ledger.prefix_end}
        short = max(0, missing[-1] - ledger.remaining)
        floors = {"floors": self.floors} if self.floors else {}
        return "outvalued", {**numbers, "remaining": ledger.remaining, "missing": short, **floors}

    def _limit(self, at: int, alone: list[int], word: str) -> Numbers:
        """The limit that is exceeded, and by how much; the whole's has a word of its own."""
        limits = self.caps if word == "cap" else self.rooms.left
        limit = limits[at] or 0
        if at < len(self.caps) - 1:
            return {"section": self.structure.plan.names[at], word: limit, "over": alone[at] - limit}
        told = {"capacity": self.ledger.capacity} if word == "cap" else {word: limit}
        return {**told, "over": alone[at] - limit}

    def _raised(self, alone: list[int]) -> Numbers:
        """All that would have to be raised, and to what, for these to fit beside the pins."""
        needed = [own + pins for own, pins in zip(alone, self.rooms.taken, strict=True)]
        over = [cap is not None and own > 0 and most > cap
                for own, most, cap in zip(alone, needed, self.caps, strict=True)]  # fmt: skip
        raised: Numbers = {}
        if over[-1]:
            raised["budget"] = self.ledger.budget - self.ledger.capacity + needed[-1]
        sections = {name: most for name, most, is_over in zip(self.structure.plan.names, needed, over,
                                                              strict=False) if is_over}  # fmt: skip
        return {**raised, "sections": sections} if sections else raised

    def _unpinned(self, unit: int) -> Numbers:
        """The fewest pins that would have to go instead."""
        if not self._unpinning.are_alone or self.structure.needs[unit]:
            if self._solved == _UNPINNED:
                return {}
            self._solved += 1
        found = self._unpinning.fewest(self.caps, [unit])
        return {} if found is None else {"unpin": [self.structure.ids[one] for one in found[0]]}


def _first_over(needed: Sequence[int], limits: Sequence[int | None]) -> int | None:
    """Return where something is over its limit, the whole before sections."""
    for at in range(len(needed) - 1, -1, -1):
        limit = limits[at]
        if limit is not None and needed[at] > limit and needed[at]:
            return at
    return None


def _cheapest(costs: list[int], values: list[int | float]) -> int:
    """The cheapest form; of equals the most valuable."""
    return min(range(len(costs)), key=lambda form: (costs[form], -values[form]))
