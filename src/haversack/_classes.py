"""`knapsack` with classes and sections: the forest's numeric door."""

from __future__ import annotations

from math import fsum, inf, nextafter

from haversack import _core
from haversack._model import NATIVE_EFFORT
from haversack._numbers import Place, described, whole
from haversack._record import Record
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._structured import StructuredOutcome


class ClassOutcome(Record):
    """What was found and proved; the attributes of `_core.Outcome` that a `Solution` shows."""

    __slots__ = ("chosen", "value", "cost", "bound", "optimal", "fewest_tokens", "states", "statistics")

    chosen: memoryview
    value: int | float
    cost: int
    bound: int | float
    optimal: bool
    fewest_tokens: bool
    states: int
    statistics: dict[str, int]


def solve_natively(
    columns: _core.Columns, capacity: int, classes: Any, sections: Any, caps: Any
) -> ClassOutcome | None:
    """Solve in the core, or return None where it needs the slow, explaining way."""
    try:
        found = _core.solve_classes(columns, capacity, classes, sections, caps, NATIVE_EFFORT)
        if found is None:
            return None
        values: Any = columns.values
        integral = columns.integral
        value = found.value[0] if integral else fsum(values[item] for item in found.chosen)
    except (OverflowError, TypeError, ValueError):
        return None
    if found.optimal:
        bound: int | float = value
    else:
        bound = found.bound[0] if integral else _above(found.bound[0], found.exponent, value)
    outcome = ClassOutcome()
    outcome._fill(
        found.chosen, value, found.cost, bound, found.optimal, found.fewest_tokens, found.states,
        found.statistics,
    )  # fmt: skip
    return outcome


def _above(profit: int, exponent: int, value: float) -> float:
    """A bound in scaled profits as a float: rounded up, and more than a value that is below it."""
    most = profit / 2**exponent
    return nextafter(max(most, value), inf)


def solve_with_care(
    costs: list[int], values: list[int | float], capacity: int, classes: Any, sections: Any, caps: Any
) -> StructuredOutcome:
    """Check label by label, which names the wrong one, and solve whatever the numbers and the labels are."""
    from haversack import _structured
    from haversack._links import Links
    from haversack._options import Options, Plain
    from haversack._snippet import Section
    from haversack._structure import Structure

    size = len(costs)
    limits = [] if caps is None else [_label(one, "caps", at) for at, one in enumerate(_listed(caps, "caps"))]
    kinds = _labels(classes, "classes", size)
    parts = _labels(sections, "sections", size)
    for at, part in enumerate(parts):
        if part is not None and part >= len(limits):
            Place("sections", at).refuse(
                "", f"is {part}, but there are caps for {len(limits)} sections only", part
            )
    named: list[list[str | None]] = [
        [None if label is None else str(label) for label in labels] for labels in (parts, kinds)
    ]
    links = Links(named[0], [None] * size, [[] for _ in costs], named[1], [0] * size, False)
    ids: list[str | int] = list(range(size))
    declared = {str(at): Section(cap=cap) for at, cap in enumerate(limits)}
    options = Options(list(range(size + 1)), costs, values)
    structure = Structure(Plain(ids, bytes(size), links, options), declared)
    return _structured.solve(structure, capacity, capacity, NATIVE_EFFORT)


def _labels(found: Any, name: str, size: int) -> list[int | None]:
    if found is None:
        return [None] * size
    labels = [_label(one, name, at) for at, one in enumerate(_listed(found, name))]
    if len(labels) != size:
        raise InputError(
            f"{name} must have one entry an item; found {len(labels)} for {size} items",
            path=name, field=name, found=found,
        )  # fmt: skip
    return labels


def _listed(found: Any, name: str) -> list[Any]:
    from haversack._knapsack import listed

    return listed(found, name)


def _label(found: Any, name: str, at: int) -> int | None:
    """A whole number; None, and what is below 0, stands for none."""
    if found is None:
        return None
    label = whole(found)
    if label is None:
        Place(name, at).refuse_type("", f"must be a whole number or None; found {described(found)}", found)
    return label if label >= 0 else None
