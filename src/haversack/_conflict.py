"""Pins over the budget or over a section's cap: the numbers, and the least that has to be unpinned."""

from __future__ import annotations

from itertools import combinations

from haversack._excess import Excess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from haversack._packing import Packing
    from haversack._structure import Structure

_TRIED = 24  # pins among which a pair is looked for; more pins are gone through greedily


def excess_of(packing: Packing[Any]) -> Excess:
    """Return what the pins of a packing need, and what there is."""
    model = packing._model
    structure = model.structure
    if structure is None:
        costs = model.costs
        pinned = [position for position, pin in enumerate(model.pinned) if pin and costs[position]]
        pinned.sort(key=lambda position: -costs[position])
        over = _needed(packing) - max(0, packing.capacity)
        unpin: Collection[int] = _costliest(pinned, costs, over)
        caps: tuple[tuple[str, int, int], ...] = ()
    else:
        choice = packing._structured.choice
        costs = [structure.costs[position][max(form, 0)] for position, form in enumerate(choice)]
        pinned = [position for position, pin in enumerate(structure.pinned) if pin and costs[position]]
        pinned.sort(key=lambda position: -costs[position])
        limits = [*packing._structured.caps, max(0, packing.capacity)]
        taken = structure.spread((one, min(structure.costs[one])) for one in pinned)
        caps = tuple(
            (name, used, cap)
            for name, used, cap in zip(structure.plan.names, taken, limits, strict=False)
            if cap is not None and used > cap
        )
        unpin = _least_unpinned(structure, limits)
    ids = model.ids
    return Excess(
        packing.budget, packing.reserve, packing.frame, _needed(packing),
        tuple((ids[one], costs[one]) for one in pinned[:5]), caps, tuple(ids[one] for one in sorted(unpin)),
    )  # fmt: skip


def _needed(packing: Packing[Any]) -> int:
    """The tokens of the pins: as charged, or as they came out in the text that was counted."""
    if packing._rendered is not None and packing.over_budget:
        return packing.capacity + packing.over_budget
    return packing._outcome.pinned_cost


def _costliest(pinned: list[int], costs: Sequence[int], over: int) -> list[int]:
    """The fewest pins that make up for the excess: the costliest."""
    unpin = []
    for position in pinned:
        if over <= 0:
            break
        unpin.append(position)
        over -= costs[position]
    return unpin


def _least_unpinned(structure: Structure, limits: Sequence[int | None]) -> Collection[int]:
    """The fewest pins without which all fits: one or two by trial, more by the most helpful first."""
    pins = [position for position, pin in enumerate(structure.explicit) if pin]

    def lacking(without: Collection[int]) -> int:
        return _lacking(structure, limits, [one for one in pins if one not in without])

    for size in (1, 2):
        if size == 2 and len(pins) > _TRIED:
            break
        for without in combinations(pins, size):
            if not lacking(without):
                return without
    gone: list[int] = []
    while lacking(gone) and len(gone) < len(pins):
        rest = [one for one in pins if one not in gone]
        gone.append(min(rest, key=lambda one: lacking([*gone, one])))
    return gone


def _lacking(structure: Structure, limits: Sequence[int | None], pins: list[int]) -> int:
    """Tokens by which some pins, with all that they bring in, are over budget and caps."""
    units = structure.closure({structure.unit_of[one] for one in pins})
    taken = structure.spread(
        (one, min(structure.costs[one])) for unit in units for one in structure.members[unit]
    )
    return sum(max(0, used - limit) for used, limit in zip(taken, limits, strict=True) if limit is not None)
