"""What each section holds: its tokens, its cap, what is over, what its floor lacks."""

from __future__ import annotations

from haversack._structure import OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from haversack._rooms import Rooms
    from haversack._structure import Structure


def _together(structure: Structure) -> dict[int, bool]:
    """Of units with several members, whether they are worth something together at their best."""
    return {
        unit: sum(max(structure.profits[one]) for one in members) > 0
        for unit, members in enumerate(structure.members)
        if len(members) > 1
    }


def fillers(structure: Structure) -> list[list[int]]:
    """Return the tokens of every form that count towards floors: worthless ones never do, pinned ones always.

    Of snippets that go together, all count if they are worth something together at their best.
    """
    together, unit_of, pinned = _together(structure), structure.unit_of, structure.pinned
    return [
        costs
        if pinned[one] or together.get(unit_of[one], False)
        else [
            cost if profit > 0 and unit_of[one] not in together else 0
            for cost, profit in zip(costs, structure.profits[one], strict=True)
        ]
        for one, costs in enumerate(structure.costs)
    ]


def filled(structure: Structure, choice: Sequence[int]) -> list[int]:
    """Return the tokens that count towards each section's floor."""
    together, unit_of, pinned = _together(structure), structure.unit_of, structure.pinned
    costs, profits = structure.costs, structure.profits
    return structure.spread(
        (one, costs[one][form])
        for one, form in enumerate(choice)
        if form >= 0 and (pinned[one] or together.get(unit_of[one], profits[one][form] > 0))
    )[:-1]


def shortfall(structure: Structure, choice: Sequence[int]) -> int:
    """Return the tokens that all floors lack together."""
    floors = [section.floor or 0 for section in structure.plan.declared]
    if not any(floors):
        return 0
    return sum(max(0, floor - got) for floor, got in zip(floors, filled(structure, choice), strict=True))


def least_shortfall(rooms: Rooms) -> int:
    """Return tokens that the floors lack whatever is chosen: a bound, section by section."""
    structure = rooms.structure
    parents = structure.plan.parents
    most = structure.spread(
        (position, max(tokens))
        for position, tokens in enumerate(fillers(structure))
        if structure.root[structure.unit_of[position]] != OUT
    )
    taken = structure.spread((p, min(structure.costs[p])) for p, pin in enumerate(structure.pinned) if pin)
    whole = rooms.left[-1]
    assert whole is not None
    room = [whole] * len(rooms.left)
    lacking = 0
    for at in reversed(structure.plan.inner_first):
        own, around = rooms.left[at], room[parents[at]]
        room[at] = around if own is None else min(own, around)
        got = min(most[at], taken[at] + room[at])
        lacking += max(0, (structure.plan.declared[at].floor or 0) - got)
    return lacking


def usage(
    structure: Structure, choice: Sequence[int], caps: Sequence[int | None]
) -> dict[str, dict[str, int | None]]:
    """Return a row a section, in the order of declaration."""
    used = structure.spread((p, structure.costs[p][form]) for p, form in enumerate(choice) if form >= 0)
    got = filled(structure, choice)
    return {
        name: {
            "used": used[at],
            "cap": caps[at],
            "over": max(0, used[at] - cap) if (cap := caps[at]) is not None else 0,
            "floor": structure.plan.declared[at].floor,
            "shortfall": max(0, (structure.plan.declared[at].floor or 0) - got[at]),
        }
        for at, name in enumerate(structure.plan.names)
    }
