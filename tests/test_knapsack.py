"""The numeric door."""

from __future__ import annotations

import array
import copy
import math
import pickle
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import haversack
from tests.strategies import any_values, best_of, budgets, rounded, small_costs


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(small_costs, any_values), max_size=9), budgets)
def test_lists_give_the_greatest_value(pairs: list[tuple[int, Any]], capacity: int) -> None:
    """Against enumeration."""
    snippets = [{"cost": cost, "value": value} for cost, value in pairs]

    solution = haversack.knapsack([value for _, value in pairs], [cost for cost, _ in pairs], capacity)

    assert solution.optimal
    assert solution.value == rounded(best_of(snippets, capacity).value, snippets)
    assert solution.cost == sum(pairs[position][0] for position in solution.chosen)
    assert list(solution.chosen) == sorted(set(solution.chosen))


@pytest.mark.parametrize("value_type", [np.int64, np.int32, np.uint8, np.float64, np.float32])
@pytest.mark.parametrize("cost_type", [np.int64, np.int32, np.uint8])
def test_arrays_of_every_width_give_what_lists_give(value_type: Any, cost_type: Any) -> None:
    """Without a Python object per number."""
    values, costs = [60, 100, 120, 5, 7], [10, 20, 30, 0, 4]

    solution = haversack.knapsack(np.array(values, value_type), np.array(costs, cost_type), 50)

    assert list(solution.chosen) == list(haversack.knapsack(values, costs, 50).chosen)
    assert solution.value == 225
    assert isinstance(solution.value, int) == np.issubdtype(value_type, np.integer)


@pytest.mark.parametrize("make", [tuple, lambda ns: array.array("q", ns), lambda ns: np.array(ns)[::1],
                                  lambda ns: np.array([n for n in ns for _ in "12"])[::2],
                                  lambda ns: np.array(ns, object)])  # fmt: skip
def test_other_sequences_and_buffers_will_do(make: Any) -> None:
    """Strided and object arrays too."""
    assert haversack.knapsack(make([6, 10, 12]), make([1, 2, 3]), 5).value == 22


def test_numpy_reads_the_chosen_positions_without_a_copy() -> None:
    """A read-only buffer of int64."""
    chosen = haversack.knapsack([6, 10, 12], [1, 2, 3], 5).chosen

    positions = np.asarray(chosen)

    assert positions.dtype == np.int64
    assert positions.tolist() == [1, 2]
    assert not positions.flags.writeable
    assert np.shares_memory(positions, np.asarray(chosen))


def test_integers_of_any_size_are_exact() -> None:
    """On the slower path, with the same kind of answer."""
    solution = haversack.knapsack([10**30, 10**30 + 1], [10**20, 10**20], 10**20)

    assert solution.value == 10**30 + 1
    assert np.asarray(solution.chosen).dtype == np.int64


def test_nothing_to_choose_from_is_an_empty_solution() -> None:
    """No error, no special case."""
    assert list(haversack.knapsack([], [], 5).chosen) == []


def test_the_repr_is_one_line() -> None:
    """With the proof."""
    assert (
        repr(haversack.knapsack([6, 1000], [1, 2], 2)) == "<Solution 1 chosen, cost 2, value 1,000, optimal>"
    )


@pytest.mark.parametrize(
    ("values", "costs", "path", "kind"),
    [
        ([1, math.nan], [1, 1], "values[1]", haversack.InputError),
        ([1, math.inf], [1, 1], "values[1]", haversack.InputError),
        ([1, "2"], [1, 1], "values[1]", haversack.InputTypeError),
        ([1, True], [1, 1], "values[1]", haversack.InputTypeError),
        ([1, 1], [1, -1], "costs[1]", haversack.InputError),
        ([1, 1], [1, 1.5], "costs[1]", haversack.InputTypeError),
        ([1, 1], np.array([1.0, 2.0]), "costs[0]", haversack.InputTypeError),
        (np.array([1.0, np.nan]), [1, 1], "values[1]", haversack.InputError),
        ([1, 1], np.array([1, -1]), "costs[1]", haversack.InputError),
        ([1, 1], [1], "values", haversack.InputError),
        ("12", [1, 1], "values", haversack.InputTypeError),
        (np.ones((2, 2)), [1, 1], "values", haversack.InputTypeError),
        (None, [1, 1], "values", haversack.InputTypeError),
        (5, [1], "values", haversack.InputTypeError),
        ([1.5e308, 1.5e308], [1, 1], "values", haversack.InputError),
    ],
    ids=repr,
)
def test_the_wrong_number_is_named_by_its_index(values: Any, costs: Any, path: str, kind: Any) -> None:
    """Also inside an array."""
    with pytest.raises(haversack.InputError) as caught:
        haversack.knapsack(values, costs, 5)

    assert type(caught.value) is kind
    assert caught.value.path == path
    assert caught.value.field == path.partition("[")[0]


@pytest.mark.parametrize("capacity", [-1, math.nan, True, None, "5"])
def test_a_capacity_is_a_budget(capacity: Any) -> None:
    """Under its own name."""
    with pytest.raises(haversack.InputError, match=r"^capacity"):
        haversack.knapsack([1], [1], capacity)


def _released() -> memoryview:
    view = memoryview(array.array("q", [3, 4]))
    view.release()
    return view


class TestIterators:
    """They can be read once; what they hold must reach the check that names the wrong number, too."""

    @pytest.mark.parametrize(
        ("values", "path"),
        [
            ([3, math.nan, 5], "values[1]"),
            ([Decimal(3), Decimal(4), Decimal(5)], "values[0]"),
            (["3", "4", "5"], "values[0]"),
        ],
        ids=repr,
    )
    def test_a_wrong_number_inside_is_named(self, values: list[Any], path: str) -> None:
        """Not answered with an empty optimum."""
        with pytest.raises(haversack.InputError) as caught:
            haversack.knapsack(iter(values), (cost for cost in [3, 4, 5]), 7)

        assert caught.value.path == path

    @pytest.mark.parametrize("values", [[3, 4, 2**70], np.array([3, 4, 5]), np.array([3.5, 4, 5]),
                                        [2**63, 0.5, 1]], ids=repr)  # fmt: skip
    @pytest.mark.parametrize("costs", [[3, 4, 5], np.array([3, 4, 5]), [3, 4, 2**70]], ids=repr)
    def test_they_give_what_their_lists_give(self, values: Any, costs: Any) -> None:
        """Wide integers and NumPy scalars, which the quick reader leaves to the careful one."""
        expected = haversack.knapsack(list(values), list(costs), 7)
        solution = haversack.knapsack((value for value in values), iter(costs), 7)

        assert list(expected.chosen) != []
        assert list(solution.chosen) == list(expected.chosen)
        assert solution.value == expected.value

    @pytest.mark.parametrize("values", [[3, 4, 5], [3, 4, 2**70]], ids=repr)
    def test_labels_are_read_from_them_too(self, values: list[Any]) -> None:
        """Twice, where the numbers are wide."""
        solution = haversack.knapsack(
            iter(values),
            iter([1, 1, 1]),
            9,
            classes=iter([0, 0, 1]),
            sections=iter([0, 0, 0]),
            caps=iter([5]),
        )

        assert list(solution.chosen) == [1, 2]
        with pytest.raises(haversack.InputError, match=r"^classes\[1\].* whole number"):
            haversack.knapsack(values, [1, 1, 1], 9, classes=iter([0, 0.5, 1]))

    def test_an_error_of_the_callers_own_generator_is_the_callers(self) -> None:
        """It is no wrong type of ours."""

        def broken() -> Any:
            yield 3
            raise TypeError("theirs")

        with pytest.raises(TypeError, match=r"^theirs$"):
            haversack.knapsack(broken(), [1, 2], 7)


@pytest.mark.parametrize(
    "wrong",
    [
        memoryview(np.array([3, 4], ">i8")),
        memoryview(np.array([3, 4], np.float16)),
        memoryview(np.array([3, 4], np.longdouble)),
        memoryview(np.array([3, 4], np.complex128)),
        _released(),
        memoryview(np.ones((2, 2))),
        b"34",
        bytearray(b"34"),
        "34",
        {3: 1, 4: 2},
        {3, 4},
        np.ma.array([3, 4], mask=[0, 1]),
        np.ma.array([3, 4]),
        np.array(3),
        5,
    ],
    ids=lambda wrong: f"{type(wrong).__name__}",
)
@pytest.mark.parametrize("name", ["values", "costs", "classes"])
def test_what_is_no_column_is_refused_by_name(name: str, wrong: Any) -> None:
    """Buffers that cannot be read, text, and what has no order; never a bare error, never a guess."""
    columns: dict[str, Any] = {"values": [1, 2], "costs": [1, 2], name: wrong}
    with pytest.raises(haversack.InputTypeError, match=rf"^{name} must be .*; found ") as caught:
        haversack.knapsack(columns["values"], columns["costs"], 7, classes=columns.get("classes"))

    assert caught.value.path == caught.value.field == name
    assert caught.value.found is wrong


class TestSolution:
    """A result like any other: copied, compared, sent to another process."""

    @pytest.mark.parametrize("values", [[6, 10, 12], [6.5, 10, 12], [6, 10, 2**80]], ids=repr)
    def test_it_survives_pickle_and_copy(self, values: list[Any]) -> None:
        """With its proof and its statistics."""
        solution = haversack.knapsack(values, [1, 2, 3], 5)

        for other in (pickle.loads(pickle.dumps(solution)), copy.deepcopy(solution), copy.copy(solution)):
            assert other == solution
            assert list(other.chosen) == list(solution.chosen)
            assert other.bound == solution.bound
            assert other.statistics == solution.statistics
            assert np.asarray(other.chosen).dtype == np.int64

    @pytest.mark.parametrize("values", [[6, 10, 12], [6.5, 10, 12], [6, 10, 2**80]], ids=repr)
    def test_it_does_so_with_classes_too(self, values: list[Any]) -> None:
        """Whoever solved it."""
        solution = haversack.knapsack(values, [1, 2, 3], 5, classes=[0, 1, 1])

        for other in (pickle.loads(pickle.dumps(solution)), copy.deepcopy(solution)):
            assert other == solution
            assert list(other.chosen) == [0, 2]
            assert other.statistics == solution.statistics
        assert solution != haversack.knapsack(values, [1, 2, 3], 5, classes=[1, 1, 0])

    def test_equal_means_the_same_answer(self) -> None:
        """Not the same object."""
        assert haversack.knapsack([6, 10], [1, 2], 2) == haversack.knapsack([6, 10], [1, 2], 2)
        assert haversack.knapsack([6, 10], [1, 2], 2) != haversack.knapsack([10, 6], [2, 1], 2)
        assert haversack.knapsack([6], [1], 2) != [0]
