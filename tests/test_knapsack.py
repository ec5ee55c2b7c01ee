"""The numeric door."""

from __future__ import annotations

import array
import math
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


@pytest.mark.parametrize("setting", ["classes", "sections", "caps"])
def test_what_is_not_built_yet_is_refused(setting: str) -> None:
    """Not ignored."""
    with pytest.raises(haversack.InputError, match=rf"^{setting}= is not built"):
        haversack.knapsack([1], [1], 1, **{setting: [0]})
