"""Values from ranks and probabilities, and recency."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.exceptions import InputError
from haversack.values import at_least_one, expected_evidence, from_probabilities, from_ranks, recency

probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=20)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=50), st.integers(-5, 10**6))
def test_rank_values_do_not_depend_on_where_counting_starts(ranks: list[int], start: int) -> None:
    assert from_ranks([rank + start for rank in ranks]) == from_ranks(ranks)


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=50))
def test_rank_values_never_underflow_sum_to_one_and_fall_with_the_rank(ranks: list[int]) -> None:
    values = from_ranks(ranks)

    assert min(values) >= 2**-60
    assert math.isclose(sum(values), 1, rel_tol=1e-9)
    in_order = [value for _, value in sorted(zip(ranks, values, strict=True))]
    assert in_order == sorted(in_order, reverse=True)


def test_rank_values_are_powers_of_the_ratio() -> None:
    first, second, third = from_ranks([1, 2, 3])
    assert math.isclose(second / first, 0.7)
    assert math.isclose(third / first, 0.49)
    halves = from_ranks(np.arange(3), ratio=0.5)
    assert math.isclose(halves[0] / halves[2], 4)


def test_rank_values_fit_64_bit_integers() -> None:
    units = [value * 2**60 for value in from_ranks(range(100_000))]

    assert all(unit == int(unit) >= 1 for unit in units)
    assert sum(map(int, units)) < 2**62


def test_equal_ranks_are_worth_the_same_and_a_missing_one_less_than_the_last() -> None:
    first, tied, last, missing = from_ranks([1, 1, 2, None])

    assert first == tied > last > missing > 0
    assert from_ranks([]) == []
    assert from_ranks([None, None]) == [0.5, 0.5]


@pytest.mark.parametrize("ratio", [0, 1, -0.5, 1.5, None])
def test_a_ratio_outside_of_0_to_1_is_refused(ratio: Any) -> None:
    with pytest.raises(InputError, match="ratio: expected a number between 0 and 1"):
        from_ranks([1, 2], ratio=ratio)


@given(probabilities)
def test_probabilities_are_used_as_they_are(given_: list[float]) -> None:
    assert from_probabilities(given_) == given_


@pytest.mark.parametrize(
    ("wrong", "message"), [(1.2, "from_scores"), (-0.1, "between"), (None, "found none")]
)
def test_what_is_no_probability_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(InputError, match=rf"probabilities\[1\].*{message}"):
        from_probabilities([0.5, wrong])


def test_rounding_errors_of_a_probability_are_cut_off() -> None:
    assert from_probabilities([1 + 1e-12, -1e-12]) == [1, 0]


@given(probabilities)
def test_at_least_one_lies_between_the_largest_and_the_sum(given_: list[float]) -> None:
    one = at_least_one(given_)

    assert max(given_) - 1e-12 <= one <= min(1, sum(given_)) + 1e-12
    assert math.isclose(one, 1 - math.prod(1 - p for p in given_), abs_tol=1e-12)


def test_expected_evidence_says_how_much_of_how_much() -> None:
    expected = expected_evidence([0.9, 0.5, 0.2], chosen=[0, 2])

    assert str(expected) == "expected evidence: 1.1 of 1.6"
    assert (expected.chosen, expected.total) == pytest.approx((1.1, 1.6))
    with pytest.raises(InputError, match="3 is no position of 3 snippets"):
        expected_evidence([0.9, 0.5, 0.2], chosen=[0, 3])


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ([1.0], r"chosen\[0\]: expected a position, a whole number, found float 1.0"),
        ([True], r"chosen\[0\]: expected a position, a whole number, found bool True"),
        (["a", 1], r"chosen\[0\]: expected a position, a whole number, found str 'a'"),
        ([0, -1], r"chosen\[1\]: expected a position, a whole number, 0 or more, found -1"),
        ({"a", 1}, "expected a position, a whole number, found str 'a'"),
        (None, "chosen: expected a list"),
        (1, "chosen: expected a list"),
    ],
)
def test_positions_are_whole_numbers(chosen: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        expected_evidence([0.9, 0.5, 0.2], chosen)


@pytest.mark.parametrize("chosen", [np.array([2, 0]), {0, 2}, (0, 2, 2), iter([0, 2])])
def test_positions_may_come_in_any_order(chosen: Any) -> None:
    assert expected_evidence([0.9, 0.5, 0.2], chosen).chosen == pytest.approx(1.1)


@pytest.mark.parametrize("none", [[], [0.0], [-0.0, 0.0]])
def test_of_nothing_none_is_needed(none: list[float]) -> None:
    assert str(at_least_one(none)) == "0.0"


@pytest.mark.parametrize("values", [{0.5, 0.2}, frozenset([0.5])])
def test_a_set_has_no_order(values: Any) -> None:
    for reading in (from_probabilities, from_ranks, at_least_one):
        with pytest.raises(InputError, match="which has no order"):
            reading(values)


def test_infinity_is_named_for_what_it_is() -> None:
    with pytest.raises(InputError, match=r"half_life: expected a finite number, found inf$"):
        recency([1], math.inf)
    with pytest.raises(InputError, match=r"ranks\[0\]: expected a finite number, found -inf$"):
        from_ranks([-math.inf])
    with pytest.raises(InputError, match=r"probabilities\[0\]: expected a finite number, found inf$"):
        from_probabilities([math.inf])


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(1e-3, 1e6))
def test_recency_halves_with_every_half_life(ages: list[float], half_life: float) -> None:
    once = recency(ages, half_life)
    later = recency([age + half_life for age in ages], half_life)

    assert all(new is not None and 0 <= new <= 1 for new in once)
    assert later == pytest.approx([new / 2 for new in once if new is not None], rel=1e-6, abs=1e-300)


def test_recency_takes_time_spans_and_keeps_what_is_missing() -> None:
    ages = [timedelta(0), timedelta(days=14), None, math.nan]

    assert recency(ages, timedelta(days=7)) == [1, 0.25, None, None]
    assert recency(np.array([0.0, 3.0]), 3) == [1, 0.5]


@pytest.mark.parametrize("unit", ["D", "h", "s", "us", "ns"])
def test_recency_takes_time_spans_of_numpy_and_pandas_in_any_unit(unit: str) -> None:
    ages = np.array([0, 14, "NaT"], "m8[D]").astype(f"m8[{unit}]")
    pandas = pytest.importorskip("pandas")

    for half_life in (
        timedelta(days=7),
        np.timedelta64(7, "D").astype(f"m8[{unit}]"),
        pandas.Timedelta(days=7),
    ):
        assert recency(ages, half_life) == [1, 0.25, None]
        assert recency(list(ages), half_life) == [1, 0.25, None]
        assert recency(pandas.Series(ages), half_life) == [1, 0.25, None]


@pytest.mark.parametrize(
    ("ages", "half_life", "message"),
    [
        ([-1], 7, r"ages\[0\]: expected now minus then"),
        ([1], 0, "half_life: expected a number > 0"),
        ([1], None, "half_life: expected a number > 0"),
        (
            [timedelta(days=1)],
            1,
            r"ages\[0\]: is a time span, and half_life .* is a number: give both in one",
        ),
        ([None, 1], timedelta(days=1), r"ages\[1\]: is a number, and half_life .* is a time span"),
        (np.array([1], "m8[ns]"), 1, r"ages\[0\]: is a time span"),
    ],
)
def test_recency_refuses_the_future_and_no_half_life(ages: list[Any], half_life: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        recency(ages, half_life)
