"""Choices and what they come to, and the room that pins leave them."""

from __future__ import annotations

from haversack import _core
from haversack._structure import IN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from haversack._structure import Structure

    Choice = list[int]  # by position: the number of the form; -1: out
    Totals = tuple[int, ...]  # by tier, in scaled profits


class Rooms:
    """Tokens that what is in for certain leaves, by section (and for the whole last)."""

    def __init__(self, structure: Structure, caps: Sequence[int | None], capacity: int) -> None:
        self.structure = structure
        pinned = [position for position, pin in enumerate(structure.pinned) if pin]
        taken = structure.spread((p, structure.least[p]) for p in pinned)
        self.taken = taken
        self.pinned_cost = taken[-1]
        self.is_over_caps = any(
            cap is not None and used > cap for cap, used in zip(caps, taken, strict=False)
        )
        wholes = [*caps, capacity]
        self.left = [
            None if cap is None else max(0, cap - used) for cap, used in zip(wholes, taken, strict=True)
        ]


def totals(structure: Structure, choice: Choice) -> Totals:
    """Return a choice's profit by tier."""
    if len(structure.tiers) == 1:
        return (_core.sum_chosen(structure.options.begin, structure.options.profits, choice),)
    sums = [0] * len(structure.tiers)
    profits = structure.profits
    for position, form in enumerate(choice):
        if form >= 0:
            sums[structure.tier_of[position]] += profits[position][form]
    return tuple(sums)


def weigh(structure: Structure, choice: Choice) -> int:
    """Return a choice's tokens."""
    return _core.sum_chosen(structure.options.begin, structure.options.costs, choice)


def without_idle(structure: Structure, choice: Choice) -> Choice:
    """Return a choice without units that add nothing: worthless, or needed only by what is out."""
    kept = list(choice)
    filling = any(section.floor for section in structure.plan.declared)
    for unit in range(len(structure.members) - 1, -1, -1):
        members = structure.members[unit]
        if structure.root[unit] == IN or kept[members[0]] < 0 or filling:
            continue
        if any(kept[structure.members[user][0]] >= 0 for user in structure.users[unit]):
            continue
        if sum(structure.profits[one][kept[one]] for one in members) <= 0:
            for one in members:
                kept[one] = -1
    return kept
