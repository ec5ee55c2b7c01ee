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


def excess_of(packing: Packing[Any]) -> Excess:
    """Return what the pins of a packing need, and what there is."""
    model = packing._model
    structure = model.structure
    if structure is None:
        costs = model.costs
        pinned = [position for position, pin in enumerate(model.pinned) if pin and costs[position]]
        pinned.sort(key=lambda position: -costs[position])
        over = _needed(packing) - max(0, packing.capacity)
        unpin, is_fewest = _costliest(pinned, costs, over), True
        caps: tuple[Cap, ...] = ()
    else:
        choice = packing._structured.choice
        costs = [structure.costs[position][max(form, 0)] for position, form in enumerate(choice)]
        pinned = [position for position, pin in enumerate(structure.pinned) if pin and costs[position]]
        pinned.sort(key=lambda position: -costs[position])
        limits = [*packing._structured.caps, max(0, packing.capacity)]
        taken = structure.spread((one, min(structure.costs[one])) for one in pinned)
        caps = tuple(
            (name, used, cap, section.cap)
            for name, section, used, cap in zip(
                structure.plan.names, structure.plan.declared, taken, limits, strict=False
            )
            if cap is not None and used > cap
        )
        # What the recount found beyond the charges has to be freed, too.
        whole = max(0, packing.capacity - (_needed(packing) - packing._outcome.pinned_cost))
        found = Unpinning(structure).fewest([*packing._structured.caps, whole])
        assert found is not None  # without pins nothing is in
        unpin, is_fewest = found
    ids = model.ids
    return Excess(
        packing.budget, packing.reserve, packing.frame, _needed(packing),
        tuple((ids[one], costs[one]) for one in pinned[:5]), caps,
        tuple(ids[one] for one in sorted(unpin)), is_fewest,
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
