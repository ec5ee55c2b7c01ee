"""Pins over the budget or over a section's cap: the numbers, and the least that has to be unpinned."""

from __future__ import annotations

from haversack._excess import Excess
from haversack._unpinning import Unpinning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from haversack._excess import Cap
    from haversack._packing import Packing
    from haversack._structure import Structure


def excess_of(packing: Packing[Any]) -> Excess:
    """Return what the pins of a packing need, what there is, and the fewest that would have to go."""
    model = packing._model
    structure = model.structure
    costs = model.costs
    caps: tuple[Cap, ...] = ()
    if structure is not None:
        choice = packing._structured.choice
        costs = [structure.costs[position][max(form, 0)] for position, form in enumerate(choice)]
        caps = _over_caps(structure, packing._structured.caps)
    pinned = [position for position, pin in enumerate(model.pinned) if pin and costs[position]]
    pinned.sort(key=lambda position: -costs[position])
    # Where the reserve leaves nothing, it helps to unpin nothing either.
    is_left = packing.budget > packing.reserve or not packing.reserve
    unpin, is_fewest = _unpinned(packing, pinned) if is_left else ([], True)
    ids = model.ids
    return Excess(
        packing.budget, packing.reserve, packing.frame, _needed(packing),
        tuple((ids[one], costs[one]) for one in pinned[:5]), caps,
        tuple(ids[one] for one in sorted(unpin)), is_fewest,
    )  # fmt: skip


def _over_caps(structure: Structure, caps: Sequence[int | None]) -> tuple[Cap, ...]:
    """The sections whose pins need more than their caps."""
    taken = structure.spread((one, structure.least[one]) for one, pin in enumerate(structure.pinned) if pin)
    rows = zip(structure.plan.names, structure.plan.declared, taken, caps, strict=False)
    return tuple(
        (name, used, cap, section.cap)
        for name, section, used, cap in rows
        if cap is not None and used > cap
    )  # fmt: skip


def _unpinned(packing: Packing[Any], pinned: list[int]) -> tuple[list[int], bool]:
    """The fewest pins that would have to go, and whether that is proven."""
    model = packing._model
    if model.structure is None:
        return _costliest(pinned, model.costs, _needed(packing) - max(0, packing.capacity)), True
    # What the recount found beyond the charges has to be freed, too.
    whole = max(0, packing.capacity - (_needed(packing) - packing._outcome.pinned_cost))
    found = Unpinning(model.structure).fewest([*packing._structured.caps, whole])
    assert found is not None  # without pins nothing is in
    return found


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
