"""The small natives that structure is built of: units, and sums over columns of any numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack import _core
from haversack._scale import Scale
from tests.strategies import any_values, wide_ints

WIDER = st.one_of(wide_ints, st.sampled_from([2**62, -(2**62), 2**63 - 1, -(2**63), 2**439, -(2**500)]))


@st.composite
def linked(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]]]:
    """Requirements among up to eight items, and up to three groups of them that share nothing."""
    size = draw(st.integers(0, 8))
    some = st.lists(st.sampled_from(range(size)), unique=True, max_size=3) if size else st.just([])
    required = [[other for other in draw(some) if other != one] for one in range(size)]
    labels = [draw(st.sampled_from([None, None, 0, 1, 2])) for _ in range(size)]
    groups = [[one for one, label in enumerate(labels) if label == name] for name in range(3)]
    return required, [group for group in groups if group]


def reach(required: list[list[int]], groups: list[list[int]]) -> list[set[int]]:
    """What each item brings in, itself too, by following everything until nothing is added."""
    found = [{one, *needed} for one, needed in enumerate(required)]
    while True:
        grown = [set().union(*(found[other] for other in brought)) for brought in found]
        for group in groups:
            together = set().union(*(grown[one] for one in group), group)
            for one in group:
                grown[one] = together
        if grown == found:
            return found
        found = grown


@settings(max_examples=200, deadline=None)
@given(linked())
def test_units_are_what_brings_in_each_other(drawn: tuple[list[list[int]], list[list[int]]]) -> None:
    """Members, needs and users, and what is needed first."""
    required, groups = drawn
    brings = reach(required, groups)

    members, unit_of, needs, users = _core.units_of(required, groups)

    assert sorted(one for unit in members for one in unit) == list(range(len(required)))
    for one, unit in enumerate(unit_of):
        assert members[unit] == [other for other in sorted(brings[one]) if one in brings[other]]
    for unit, inside in enumerate(members):
        asked = {unit_of[other] for one in inside for other in required[one]} - {unit}
        assert needs[unit] == sorted(asked)
        assert all(needed < unit for needed in needs[unit])
        assert users[unit] == [other for other, needed in enumerate(needs) if unit in needed]


def test_a_long_chain_is_followed_without_recursion() -> None:
    """A hundred thousand snippets, each of which requires the next, and the last the first."""
    size = 100_000
    chain = [[one + 1] for one in range(size - 1)]

    assert _core.units_of([*chain, []], [])[1] == list(range(size))[::-1]
    assert _core.units_of([*chain, [0]], [])[0] == [list(range(size))]


@settings(max_examples=200, deadline=None)
@given(st.lists(any_values))
def test_profits_are_values_times_one_power_of_two(values: list[int | float]) -> None:
    """Exactly, the least power that makes them all integers."""
    scale, profits = Scale.of(values)

    assert [Fraction(value) * scale.denominator for value in values] == profits
    assert all(type(profit) is int for profit in profits)
    assert scale.integral == all(isinstance(value, int) for value in values)
    least = max((Fraction(value).denominator for value in values), default=1)
    assert scale.denominator == least
    assert [scale.profit(value) for value in values] == profits


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(WIDER, min_size=1, max_size=4)), st.data())
def test_sums_and_extremes_of_integers_of_any_size(rows: list[list[int]], data: st.DataObject) -> None:
    """Within 64 bits, beyond them, and across the border in both directions."""
    numbers = [number for row in rows for number in row]
    begin = [0]
    for row in rows:
        begin.append(begin[-1] + len(row))
    choice = [data.draw(st.integers(-1, len(row) - 1)) for row in rows]

    assert _core.extremes(begin, numbers) == (list(map(min, rows)), list(map(max, rows)))
    chosen = [row[form] for row, form in zip(rows, choice, strict=True) if form >= 0]
    assert _core.sum_chosen(begin, numbers, choice) == sum(chosen)
    assert [numbers[first:end] for first, end in pairwise(begin)] == rows


@pytest.mark.parametrize(
    "call",
    [
        lambda: _core.sum_chosen([0, 1], [5], [1]),
        lambda: _core.sum_chosen([0, 1], [5], [-2]),
        lambda: _core.sum_chosen([0, 2], [5], [0]),
        lambda: _core.sum_chosen([0, 1], [5], [0, 0]),
        lambda: _core.extremes([0, 0], []),
        lambda: _core.units_of([[1]], []),
        lambda: _core.units_of([[]], [[-1]]),
        lambda: _core.scaled([float("inf"), 1.5]),
    ],
)
def test_what_would_read_beyond_a_column_is_refused(call: Any) -> None:
    """Private as they are, a mistake of ours must not end the process."""
    with pytest.raises((IndexError, ValueError)):
        call()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), WIDER), max_size=6), st.integers(0, 30))
def test_profits_of_any_width_are_solved_or_declined(items: list[tuple[int, int]], capacity: int) -> None:
    """Up to 440 bits; the choice is checked against all selections."""
    costs, profits = [cost for cost, _ in items], [profit for _, profit in items]

    outcome = _core.solve_forest(
        capacity, [], [], None, None, None, None, list(range(len(items) + 1)), costs, profits, None
    )

    if any(abs(profit) >= 2**440 for profit in profits):
        assert outcome is None
        return
    assert outcome is not None
    best = 0
    for mask in range(2 ** len(items)):
        taken = [one for one in range(len(items)) if mask >> one & 1]
        if sum(costs[one] for one in taken) <= capacity:
            best = max(best, sum(profits[one] for one in taken))
    chosen = [one for one, option in enumerate(outcome.choice) if option >= 0]
    assert sum(profits[one] for one in chosen) == best
    assert sum(costs[one] for one in chosen) <= capacity
