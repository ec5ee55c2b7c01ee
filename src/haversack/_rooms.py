"""Choices and what they come to, and the room that pins leave them."""

from __future__ import annotations

from haversack import _core
from haversack._structure import FREE, IN, OUT

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


def in_input_order(structure: Structure, choice: Choice) -> Choice:
    """Return a choice in which, of snippets equal in cost, value and structure, the first are taken.

    For searches that do not see to it themselves. Groups and what others need stay as they are.
    """
    alike: dict[tuple[object, ...], list[int]] = {}
    for position, unit in enumerate(structure.unit_of):
        if len(structure.members[unit]) > 1 or structure.users[unit] or structure.root[unit] != FREE:
            continue
        key = (
            structure.homes[position], structure.tier_of[position], structure.choice_of[position],
            tuple(structure.needs[unit]), tuple(structure.costs[position]),
            tuple(structure.profits[position]),
        )  # fmt: skip
        alike.setdefault(key, []).append(position)
    ordered = list(choice)
    for positions in alike.values():
        taken = [choice[position] for position in positions if choice[position] >= 0]
        for position, form in zip(positions, [*taken, *([-1] * len(positions))], strict=False):
            ordered[position] = form
    return ordered


def without_idle(structure: Structure, choice: Choice) -> Choice:
    """Return a choice without units that add nothing: worthless, or needed only by what is out.

    What fills a floor adds that.
    """
    from haversack._usage import fillers, shortfall

    idle = {
        structure.unit_of[position]
        for position, form in enumerate(choice)
        if form >= 0 and structure.profits[position][form] <= 0 and not structure.pinned[position]
    }
    if not idle:
        return choice
    kept = list(choice)
    fill = fillers(structure)
    for unit in sorted(idle, reverse=True):
        members = structure.members[unit]
        if kept[members[0]] < 0:
            continue
        if any(kept[structure.members[user][0]] >= 0 for user in structure.users[unit]):
            continue
        if sum(structure.profits[one][kept[one]] for one in members) > 0:
            continue
        forms = [kept[one] for one in members]
        is_filling = any(fill[one][kept[one]] for one in members)
        lacking = shortfall(structure, kept) if is_filling else 0
        for one in members:
            kept[one] = -1
        if is_filling and lacking < shortfall(structure, kept):
            for one, form in zip(members, forms, strict=True):
                kept[one] = form
    return kept


def is_allowed(rooms: Rooms, choice: Choice) -> bool:
    """Check every rule in exact integers."""
    structure = rooms.structure
    inside = [all(choice[one] >= 0 for one in members) for members in structure.members]
    for unit, members in enumerate(structure.members):
        if not inside[unit]:
            if structure.root[unit] == IN or any(choice[one] >= 0 for one in members):
                return False
        elif structure.root[unit] == OUT or not all(inside[needed] for needed in structure.needs[unit]):
            return False
    if any(sum(choice[one] >= 0 for one in positions) > 1 for positions in structure.choices):
        return False
    beyond = structure.spread(
        (one, structure.costs[one][form] - (min(structure.costs[one]) if structure.pinned[one] else 0))
        for one, form in enumerate(choice)
        if form >= 0
    )
    return all(room is None or used <= room for used, room in zip(beyond, rooms.left, strict=True))
