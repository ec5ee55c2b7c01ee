"""`knapsack`: the numeric door. Arrays in, positions out; no snippets, no ids."""

from __future__ import annotations

from haversack import _core
from haversack._budget import capacity_of
from haversack._model import NATIVE_EFFORT, WIDE_EFFORT, is_finite
from haversack._numbers import Place, cost_of, described, value_of
from haversack._solved import Solved
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from haversack._model import Outcome


class Solution(Solved):
    """The answer of `knapsack`.

    `chosen` holds the chosen positions, ascending, in a read-only buffer of int64: `list(solution.chosen)`,
    or `numpy.asarray(solution.chosen)` without a copy.
    """

    __slots__ = ()

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome

    @property
    def chosen(self) -> memoryview:
        """The chosen positions, ascending; a read-only buffer of int64."""
        return self._outcome.chosen

    def __repr__(self) -> str:
        from haversack._figures import number

        proof = "optimal" if self.optimal else f"at most {number(self.bound - self.value)} below the best"
        numbers = f"cost {number(self.cost)}, value {number(self.value)}"
        return f"<Solution {len(self.chosen):,} chosen, {numbers}, {proof}>"


def knapsack(
    values: Sequence[int | float] | Any,
    costs: Sequence[int] | Any,
    capacity: int | float,
    *,
    classes: Any = None,
    sections: Any = None,
    caps: Any = None,
) -> Solution:
    """Choose the positions of greatest total value whose costs fit the capacity, and prove it.

    `values` and `costs` are sequences of numbers or any buffers of int64, int32, float64 or float32 (values
    only), read without making Python objects. The effort is `pack`'s default. `classes`, `sections` and
    `caps` are not built yet and are refused.

    >>> solution = knapsack([60, 100, 120], [10, 20, 30], 50)
    >>> list(solution.chosen), solution.value, solution.optimal
    ([1, 2], 220, True)
    """
    for name, found in (("classes", classes), ("sections", sections), ("caps", caps)):
        if found is not None:
            raise InputError(
                f"{name}= is not built: this version's knapsack() knows values, costs and a capacity only; "
                f"leave it out; found {described(found)}",
                path=name, field=name, found=found,
            )  # fmt: skip
    room = capacity_of(capacity)
    try:
        columns = _core.Columns.of(costs, values)
    except (OverflowError, TypeError, ValueError):
        columns = None
    outcome = None if columns is None else _core.solve(columns, room, NATIVE_EFFORT)
    if outcome is not None and is_finite(outcome):
        return Solution(outcome)
    return Solution(_with_care(costs, values, room))


def _with_care(costs: Any, values: Any, capacity: int) -> Outcome:
    """Check number by number, which names the wrong one, and solve in Python integers where need be."""
    checked_costs = [cost_of(cost, Place("costs", at), "") for at, cost in enumerate(_listed(costs, "costs"))]
    checked_values = [
        value_of(one, Place("values", at), "") for at, one in enumerate(_listed(values, "values"))
    ]
    if len(checked_costs) != len(checked_values):
        raise InputError(
            f"costs and values must be equally long; found {len(checked_costs)} costs and "
            f"{len(checked_values)} values",
            path="values", field="values", found=values,
        )  # fmt: skip
    try:
        outcome = _core.solve(_core.Columns.of(checked_costs, checked_values), capacity, NATIVE_EFFORT)
    except OverflowError:
        outcome = None
    if outcome is not None and is_finite(outcome):
        return outcome
    from haversack import _bigint

    try:
        return _bigint.solve(checked_costs, checked_values, bytes(len(checked_costs)), capacity, WIDE_EFFORT)
    except OverflowError as error:
        raise InputError(
            "the sum of the values is beyond the range of floats (1.8e308); divide all values by one number, "
            "or give ints, which have no limit",
            path="values", field="values", found=values,
        ) from error  # fmt: skip


def _listed(numbers: Any, name: str) -> list[Any]:
    """Return a sequence or a one-dimensional buffer as a list."""
    if not isinstance(numbers, str | bytes | bytearray) and getattr(numbers, "ndim", 1) == 1:
        try:
            return list(numbers)
        except TypeError:
            pass
    shape = getattr(numbers, "shape", None)
    shown = f"an array of shape {shape}" if shape is not None else described(numbers)
    raise InputTypeError(
        f"{name} must be one sequence or one-dimensional buffer of numbers; found {shown}",
        path=name, field=name, found=numbers,
    )  # fmt: skip
