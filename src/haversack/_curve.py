"""Packings beside each other: the same snippets at several budgets, and what changed between two."""

from __future__ import annotations

from operator import itemgetter

from haversack._budget import budget_of
from haversack._numbers import described
from haversack._record import Record
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from haversack._packing import Packing


class Point(tuple[int, "int | float", int]):
    """One row of a curve: the value and cost that a budget buys. Unpacks as (budget, value, cost)."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def budget(self) -> int: ...
        @property
        def value(self) -> int | float: ...
        @property
        def cost(self) -> int: ...
    else:
        budget = property(itemgetter(0), doc="The budget, in tokens.")
        value = property(itemgetter(1), doc="The greatest value found within it.")
        cost = property(itemgetter(2), doc="The tokens of that selection.")

    def __repr__(self) -> str:
        return f"Point(budget={self.budget}, value={self.value}, cost={self.cost})"


class Diff(Record):
    """What changed between two packings, as ids in input order."""

    __slots__ = ("entered", "left", "kept")

    entered: list[str | int]
    left: list[str | int]
    kept: list[str | int]

    def __init__(self, entered: list[str | int], left: list[str | int], kept: list[str | int]) -> None:
        self._fill(entered, left, kept)


def curve(packing: Packing[Any], budgets: Iterable[int] | None = None) -> list[Point]:
    """Solve a packing's snippets again at several budgets."""
    if isinstance(budgets, str | bytes) or not (budgets is None or hasattr(budgets, "__iter__")):
        raise InputTypeError(
            f"budgets must be an iterable of tokens, such as [1000, 2000]; found {described(budgets)}",
            path="budgets", field="budgets", found=budgets,
        )  # fmt: skip
    model, taken = packing._model, packing.reserve + packing.frame
    if model.copies is not None and "overlaps" in model.copies.counts:
        raise InputError(
            'curve() cannot follow overlap="merge", which joins other spans at other budgets: pack at each',
            path="overlap", field="overlap", found="merge",
        )  # fmt: skip
    rows = []
    for budget in _grid(packing) if budgets is None else map(budget_of, budgets):
        outcome = model.solve(budget - taken, packing._effort, budget - packing.reserve)
        rows.append(Point((budget, outcome.value, outcome.cost)))
    return rows


def _grid(packing: Packing[Any]) -> list[int]:
    """Tenths of the capacity, then up to twice as much; of the input's tokens where there is none."""
    taken = packing.reserve + packing.frame
    span = packing.capacity if packing.capacity > 0 else sum(packing._model.costs)
    percents = (*range(10, 101, 10), 125, 150, 200)
    return sorted({taken + span * percent // 100 for percent in percents})


def diff(packing: Packing[Any], other: Packing[Any]) -> Diff:
    """Compare two selections by id (as str)."""
    if not hasattr(other, "forms"):
        raise InputTypeError(
            f"diff() compares with another Packing; found {described(other)}",
            path="other", field="other", found=other,
        )  # fmt: skip
    now, before = packing.forms, other.forms
    known, knew = set(map(str, now)), set(map(str, before))
    return Diff(
        entered=[id for id in now if str(id) not in knew],
        left=[id for id in before if str(id) not in known],
        kept=[id for id in now if str(id) in knew],
    )
