"""The solver in Python integers, alone: what the native one cannot hold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack import _bigint
from tests.strategies import (
    Snippets,
    any_values,
    best_of,
    budgets,
    floats,
    rounded,
    snippets_of,
    wide_costs,
    wide_ints,
)

inputs = st.one_of(
    snippets_of(),
    snippets_of(values=floats),
    snippets_of(values=any_values),
    snippets_of(costs=wide_costs, values=wide_ints),
    snippets_of(costs=st.integers(1, 4).map(lambda cost: cost * 10**20), values=st.integers(1, 4)),
)
capacities = st.one_of(budgets, st.integers(-5, 20).map(lambda tokens: tokens * 10**20))


def solve(snippets: Snippets, capacity: int, effort: int = -1) -> Any:
    """Solve dicts."""
    return _bigint.solve(
        [snippet["cost"] for snippet in snippets],
        [snippet["value"] for snippet in snippets],
        [snippet["pinned"] for snippet in snippets],
        capacity,
        effort,
    )


@settings(max_examples=200, deadline=None)
@given(inputs, capacities)
def test_the_greatest_value_and_the_fewest_tokens_are_found(snippets: Snippets, capacity: int) -> None:
    """Against enumeration, with the selection's own sums."""
    outcome = solve(snippets, capacity)
    best = best_of(snippets, capacity)

    assert outcome.optimal
    assert outcome.fewest_tokens
    assert outcome.value == outcome.bound == rounded(best.value, snippets)
    assert outcome.cost == best.cost == sum(snippets[p]["cost"] for p in outcome.chosen)


@settings(max_examples=200, deadline=None)
@given(inputs, capacities, st.sampled_from([0, 1, 2, 5, 20]))
def test_the_bound_is_true_at_any_effort(snippets: Snippets, capacity: int, effort: int) -> None:
    """And met exactly when optimal."""
    outcome = solve(snippets, capacity, effort)
    best = best_of(snippets, capacity)

    assert outcome.states <= effort
    assert Fraction(outcome.value) <= Fraction(outcome.bound)
    assert rounded(best.value, snippets) <= outcome.bound
    assert outcome.optimal == (outcome.value == outcome.bound)
    assert outcome.optimal <= (outcome.value == rounded(best.value, snippets))


def test_mask_and_chosen_say_the_same() -> None:
    """Positions ascending, pins included, read-only."""
    outcome = _bigint.solve([5, 1, 1], [1, 1, 1], [True, False, False], 6, -1)

    assert list(outcome.chosen) == [0, 1]
    assert list(outcome.mask) == [1, 1, 0]
    assert outcome.pinned_cost == 5
    assert outcome.chosen.readonly
    assert outcome.mask.readonly


def test_a_hostile_input_ends_with_a_proven_bound() -> None:
    """Strongly correlated, 10^30 a value: not solved within the effort, and honest about it."""
    costs = [1 + 7919 * n % 9973 for n in range(300)]
    values = [(cost + 1000) * 10**30 + n for n, cost in enumerate(costs)]

    outcome = _bigint.solve(costs, values, bytes(300), sum(costs) // 2 + 1, 3000)

    assert outcome.states <= 3000
    assert outcome.value <= outcome.bound
    assert outcome.cost <= sum(costs) // 2 + 1


def test_a_sum_beyond_the_floats_overflows() -> None:
    """It is neither infinite nor wrong."""
    with pytest.raises(OverflowError):
        _bigint.solve([1, 1], [1.5e308, 1.5e308], bytes(2), 2, -1)
