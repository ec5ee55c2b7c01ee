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
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from haversack._classes import ClassOutcome
    from haversack._model import AnyOutcome


class Solution(Solved):
    """The answer of `knapsack`.

    `chosen` holds the chosen positions, ascending, in a read-only buffer of int64: `list(solution.chosen)`,
    or `numpy.asarray(solution.chosen)` without a copy.
    """

    __slots__ = ()

    def __init__(self, outcome: AnyOutcome | ClassOutcome) -> None:
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

    def __eq__(self, other: object) -> bool:
        """Equal: the same positions, with equal numbers and proof."""
        if not isinstance(other, Solution):
            return NotImplemented
        return self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def _key(self) -> tuple[object, ...]:
        outcome = self._outcome
        return bytes(outcome.chosen), outcome.value, outcome.cost, outcome.bound, outcome.optimal

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        outcome = self._outcome
        numbers = (
            outcome.value, outcome.cost, outcome.bound, outcome.optimal, outcome.fewest_tokens,
            outcome.states, dict(outcome.statistics),
        )  # fmt: skip
        return _remade, (bytes(outcome.chosen), numbers)


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
    only), read without making Python objects. The effort is `pack`'s default.

    Args:
        classes: A class for each item, a whole number: at most one item of a class is chosen. None, or a
            number below 0: the item has no class.
        sections: A section for each item, a position in `caps`; below 0 or None: none.
        caps: What the items of each section may cost together; below 0 or None: as much as fits.

    >>> solution = knapsack([60, 100, 120], [10, 20, 30], 50)
    >>> list(solution.chosen), solution.value, solution.optimal
    ([1, 2], 220, True)
    >>> list(knapsack([60, 100, 120], [10, 20, 30], 50, classes=[0, 1, 1]).chosen)
    [0, 2]
    """
    room = capacity_of(capacity)
    values, costs = _held(values, "values"), _held(costs, "costs")
    structured = not (classes is sections is caps is None)
    if structured and (sections is None) != (caps is None):
        name, other = ("sections", "caps") if caps is None else ("caps", "sections")
        raise InputError(
            f"{name}= needs {other}= beside it: a section for each item, and what each section may hold",
            path=name,
            field=name,
        )
    try:
        columns = _core.Columns.of(costs, values)
    except (OverflowError, TypeError, ValueError):
        columns = None
    if structured:
        from haversack._classes import solve_natively

        classes, sections, caps = (
            None if labels is None else _held(labels, name)
            for labels, name in ((classes, "classes"), (sections, "sections"), (caps, "caps"))
        )
        found = None if columns is None else solve_natively(columns, room, classes, sections, caps)
        return Solution(found or _with_care(costs, values, room, (classes, sections, caps)))
    outcome = None if columns is None else _core.solve(columns, room, NATIVE_EFFORT)
    if outcome is not None and is_finite(outcome):
        return Solution(outcome)
    return Solution(_with_care(costs, values, room))


def _with_care(
    costs: Any, values: Any, capacity: int, labels: tuple[Any, Any, Any] | None = None
) -> AnyOutcome:
    """Check number by number, which names the wrong one, and solve in Python integers where need be."""
    checked_costs = [cost_of(cost, Place("costs", at), "") for at, cost in enumerate(listed(costs, "costs"))]
    checked_values = [
        value_of(one, Place("values", at), "") for at, one in enumerate(listed(values, "values"))
    ]
    if len(checked_costs) != len(checked_values):
        raise InputError(
            f"costs and values must be equally long; found {len(checked_costs)} costs and "
            f"{len(checked_values)} values",
            path="values", field="values", found=values,
        )  # fmt: skip
    if labels is not None:
        from haversack._classes import solve_with_care

        try:
            return solve_with_care(checked_costs, checked_values, capacity, *labels)
        except OverflowError as error:
            raise _beyond_floats(values) from error
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
        raise _beyond_floats(values) from error


def _beyond_floats(values: Any) -> InputError:
    return InputError(
        "the sum of the values is beyond the range of floats (1.8e308); divide all values by one number, "
        "or give ints, which have no limit",
        path="values", field="values", found=values,
    )  # fmt: skip


def _held(numbers: Any, name: str) -> Any:
    """Return what can be read twice: a list or a buffer as it is, an iterable as a list; refuse all else."""
    if type(numbers) is list:
        return numbers
    if hasattr(numbers, "dtype"):
        # An array, known to be read twice; to look at it through a memoryview costs as much as a small solve.
        if hasattr(numbers, "mask") and hasattr(numbers, "filled"):
            _refuse_column(numbers, name, "a masked array: pass .compressed(), or .filled() with a number")
        if getattr(numbers, "ndim", 1) == 1:
            return numbers
    if isinstance(numbers, str | bytes | bytearray | dict | set | frozenset):
        _refuse_column(numbers, name, described(numbers))
    try:
        dimensions = memoryview(numbers).ndim
    except (TypeError, ValueError, BufferError):
        return listed(numbers, name)
    if dimensions != 1:
        _refuse_column(numbers, name, f"an array of shape {numbers.shape}")
    return numbers


def listed(numbers: Any, name: str) -> list[Any]:
    """Return the numbers of a sequence, an iterator or a one-dimensional buffer as a list."""
    if isinstance(numbers, memoryview):
        try:
            return numbers.tolist()
        except (NotImplementedError, ValueError) as error:
            _refuse_column(numbers, name, f"a memoryview that cannot be read: {error}")
    if getattr(numbers, "ndim", 1) != 1:
        _refuse_column(numbers, name, f"an array of shape {numbers.shape}")
    try:
        iterator = iter(numbers)
    except TypeError:
        _refuse_column(numbers, name, described(numbers))
    return list(iterator)


def _refuse_column(numbers: object, name: str, found: str) -> NoReturn:
    kinds = "numbers (int64, int32, float64, float32)" if name == "values" else "whole numbers"
    raise InputTypeError(
        f"{name} must be one sequence or one-dimensional buffer of {kinds}; found {found}",
        path=name, field=name, found=numbers,
    )  # fmt: skip


def _remade(chosen: bytes, numbers: tuple[Any, ...]) -> Solution:
    from haversack._classes import ClassOutcome

    outcome = ClassOutcome()
    outcome._fill(memoryview(chosen).cast("q"), *numbers)
    return Solution(outcome)
