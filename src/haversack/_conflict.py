"""Pins over the budget or over a section's cap: the numbers, and the least that has to be unpinned."""

from __future__ import annotations

from haversack._excess import Excess
from haversack._snippet import Section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from haversack._coerce import Table
    from haversack._excess import Cap
    from haversack._packing import Packing
    from haversack._structure import Structure


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
        unpin, is_fewest = fewest_unpinned(structure, [*packing._structured.caps, whole])
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


def fewest_unpinned(structure: Structure, limits: Sequence[int | None]) -> tuple[list[int], bool]:
    """Return the fewest pins without which all fits, and whether it is proven that no fewer would do.

    Of equally few it is those that free the most tokens. A packing of its own, solved as any other: keep as
    many pins as fit, each in its cheapest form, with all that they bring in. `limits` are the tokens of each
    section, and of the whole last.
    """
    from haversack._model import NATIVE_EFFORT
    from haversack._structure import Structure
    from haversack._structured import solve

    whole = limits[-1]
    assert whole is not None
    pins = [position for position, pin in enumerate(structure.explicit) if pin]
    units = structure.closure({structure.unit_of[one] for one in pins})
    positions = sorted(one for unit in units for one in structure.members[unit])
    optional = Structure(_offered(structure, positions), _capped(structure, limits))
    solved = solve(optional, whole, whole, NATIVE_EFFORT)
    kept = {position for position, form in zip(positions, solved.choice, strict=True) if form >= 0}
    return [position for position in pins if position not in kept], solved.optimal


def _offered(structure: Structure, positions: list[int]) -> Table:
    """The pins as optional snippets worth 1, and what they need as worth nothing; all in one form each."""
    from haversack._coerce import Table
    from haversack._forms import FULL, Form
    from haversack._links import Links
    from haversack._numbers import Place

    links, size = structure.links, len(positions)
    at = {position: number for number, position in enumerate(positions)}
    forms = [
        [Form(FULL, None, structure.least[one], structure.explicit[one], Place("snippets", one))]
        for one in positions
    ]
    nothing: list[Any] = [None] * size
    is_declared = structure.declared is not None
    return Table(
        [structure.ids[one] for one in positions], forms, bytes(size),
        links=Links(
            [links.sections[one] for one in positions] if is_declared else nothing,
            [links.groups[one] for one in positions],
            [[at[needed] for needed in links.requires[one]] for one in positions],
            nothing, [0] * size, False,
        ),
    )  # fmt: skip


def _capped(structure: Structure, limits: Sequence[int | None]) -> dict[str, Section]:
    """The sections with their limits in tokens, and nothing else."""
    plan = structure.plan
    if structure.declared is None:
        return {}
    return {
        name: Section(limit, section.parent)
        for name, section, limit in zip(plan.names, plan.declared, limits, strict=False)
    }
