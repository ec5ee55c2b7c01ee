"""Values from scores: what does not change them, and what they are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from haversack import knapsack
from haversack.evaluation.methods import greedy
from haversack.exceptions import InputError, InputTypeError
from haversack.values import from_scores

# Whole numbers leave no rounding noise, so that shifted and multiplied lists hold the same information.
score_lists = st.lists(st.integers(-1000, 1000), min_size=1, max_size=40)
two_lists = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=40)


def costs_for(scores: Any) -> list[int]:
    """Costs that differ, without a draw for each."""
    return [10 + 37 * i % 300 for i in range(len(scores))]


def close(one: list[float], other: list[float]) -> bool:
    return len(one) == len(other) and all(
        math.isclose(a, b, rel_tol=1e-7) for a, b in zip(one, other, strict=True)
    )


def has_marks(scores: Any) -> bool:
    """Is the lowest score so far below the others that it marks what was not scored?"""
    mark, *others = sorted(set(scores))
    return len(others) > 3 and others[0] - mark > 10 * (others[-1] - others[0])


def standing_by_the_formula(column: Any) -> Any:
    """The z-score, or three quarters of the logistic one of the mean rank."""
    above = (column[None, :] > column[:, None]).sum(axis=1)
    ties = (column[None, :] == column[:, None]).sum(axis=1)
    rank = above + (ties - 1) / 2
    logistic = np.log((len(column) - rank - 0.5) / (rank + 0.5)) * np.sqrt(3) / np.pi
    return np.maximum((column - np.mean(column)) / np.std(column), 0.75 * logistic)


def by_the_formula(columns: list[list[float]], costs: list[int], exponent: float) -> list[float]:
    """exp(exponent x sum of standings) x sqrt(cost), in NumPy."""
    height = sum(standing_by_the_formula(np.array(column)) for column in columns)
    worth = np.exp(exponent * height) * np.sqrt(costs)
    return [float(share) for share in worth / worth.sum()]


@given(score_lists)
def test_one_score_is_worth_exp_of_twice_its_standing_times_the_root_of_the_tokens(scores: list[int]) -> None:
    assume(len(set(scores)) > 1 and not has_marks(scores))
    costs = costs_for(scores)

    assert close(from_scores(scores, costs), by_the_formula([[float(s) for s in scores]], costs, 2))


@given(two_lists)
def test_two_scores_are_worth_exp_of_their_standings_times_the_root_of_the_tokens(
    pairs: list[tuple[int, int]],
) -> None:
    columns = [[float(score) for score in column] for column in zip(*pairs, strict=True)]
    assume(all(len(set(column)) > 1 and not has_marks(column) for column in columns))
    costs = costs_for(pairs)

    assert close(from_scores(columns, costs), by_the_formula(columns, costs, 1))


def test_three_scores_add_up_as_two_do() -> None:
    columns = [[1.0, 2, 5, 3], [9.0, 2, 5, 3], [0.0, 1, 0, 1]]
    costs = [10, 20, 30, 40]

    assert close(from_scores(columns, costs), by_the_formula(columns, costs, 1))


@given(score_lists, st.sampled_from([1e-9, 0.25, 1, 8, 1e12]), st.integers(-(10**6), 10**6))
def test_neither_a_shift_nor_a_positive_factor_changes_the_values(
    scores: list[int], factor: float, shift: int
) -> None:
    moved = [factor * (score + shift) for score in scores]

    assert close(from_scores(moved, costs_for(scores)), from_scores(scores, costs_for(scores)))


@given(two_lists, st.randoms(use_true_random=False))
def test_values_follow_their_snippets_when_the_order_changes(
    pairs: list[tuple[int, int]], shuffler: Any
) -> None:
    costs = costs_for(pairs)
    order = list(range(len(pairs)))
    shuffler.shuffle(order)

    values = from_scores([[a for a, _ in pairs], [b for _, b in pairs]], costs)
    shuffled = from_scores(
        [[pairs[i][0] for i in order], [pairs[i][1] for i in order]], [costs[i] for i in order]
    )

    assert [values[i] for i in order] == shuffled


@given(score_lists)
def test_values_are_positive_sum_to_one_and_rise_with_the_score(scores: list[int]) -> None:
    values = from_scores(scores, [100] * len(scores))

    assert min(values) > 0
    assert math.isclose(math.fsum(values), 1, rel_tol=1e-9)
    assert all(
        (values[i] > values[j]) if scores[i] > scores[j] else (values[i] == values[j])
        for i in range(len(scores))
        for j in range(len(scores))
        if scores[i] >= scores[j]
    )


@given(score_lists)
def test_a_list_that_says_nothing_is_as_if_it_were_not_given(scores: list[int]) -> None:
    costs = costs_for(scores)

    alone = from_scores({"dense": scores}, costs)

    assert from_scores({"dense": scores, "constant": [7] * len(scores)}, costs) == alone
    assert from_scores({"dense": scores, "absent": [None] * len(scores)}, costs) == alone


def test_without_information_values_follow_the_root_of_the_tokens() -> None:
    assert close(from_scores([3, 3, 3], [100, 400, 900]), [1 / 6, 2 / 6, 3 / 6])
    assert from_scores([0.1 + 0.2, 0.3], [50, 50]) == [0.5, 0.5]  # rounding noise is no difference
    assert from_scores([5], [10]) == [1.0]
    assert from_scores([], []) == []
    assert from_scores({"a": [], "b": []}, []) == []


def test_a_missing_score_stands_below_all_others() -> None:
    costs = [100] * 4

    best, middle, missing, lowest = from_scores([9, 4, None, 2], costs)

    assert best > middle > lowest > missing
    assert from_scores([9, 4, math.nan, 2], costs) == [best, middle, missing, lowest]


@given(st.integers(1, 30), st.integers(1, 30))
def test_to_be_returned_at_all_says_something(hits: int, missing: int) -> None:
    """A retriever that returns one exact hit, or several that it cannot tell apart."""
    values = from_scores([17.0] * hits + [None] * missing, [100] * (hits + missing))

    assert min(values[:hits]) > 3 * max(values[hits:])
    assert len(set(values[:hits])) == len(set(values[hits:])) == 1


def test_a_neutral_missing_score_stands_in_the_middle_and_leaves_the_others_as_they_are() -> None:
    good, bad, unknown = from_scores([9, 1, None], [100] * 3, missing="neutral")

    assert good > unknown > bad
    alone = from_scores([9, 1], [100] * 2)
    assert math.isclose(good / bad, alone[0] / alone[1], rel_tol=1e-7)


SENTINELS = [-1e6, -100.0, -1.0]


@pytest.mark.parametrize("sentinel", SENTINELS)
def test_a_score_far_below_does_not_make_the_others_alike(sentinel: float) -> None:
    """A sentinel for what could not be scored must not let twenty short notes outweigh the hit."""
    scores, costs = [0.8, *[0.2 + at / 1000 for at in range(20)], sentinel], [500, *[50] * 20, 400]

    chosen = set(knapsack(from_scores(scores, costs), costs, 500).chosen)

    assert 0 in chosen


@given(st.lists(st.integers(0, 9), min_size=4, max_size=20, unique=True), st.sampled_from([-1e6, -1e300]))
def test_a_mark_stands_just_below_the_others_and_changes_little(scores: list[int], mark: float) -> None:
    costs = [100] * (len(scores) + 1)

    marked = from_scores([*map(float, scores), mark], costs)
    missing = from_scores([*map(float, scores), None], costs)

    assert min(marked[:-1]) > marked[-1]
    assert marked == pytest.approx(missing, rel=0.5)


def test_scores_that_only_rounding_tells_apart_are_alike() -> None:
    values = from_scores([0.1 + 0.2, 0.3] * 10 + [0.9], [10] * 21)

    assert len(set(values)) == 2


TRANSFORMS: dict[str, Callable[[Any], Any]] = {
    "normal": lambda x: x,
    "long tail above": lambda x: np.exp(3 * x),
    "long tail below": lambda x: -np.exp(-1.5 * x),
    "both tails": lambda x: np.sinh(2 * x),
    "a reranker's logarithms": lambda x: -np.log1p(np.exp(-8 * x)),
    "a sentinel": lambda x: np.where(x == x.min(), -1e6, x),
}


def recall_gains(shape: str, ours: Callable[..., list[float]]) -> tuple[float, float]:
    """Evidence among 200 candidates of log-normal cost, scores with noise: recall less that of skip-greedy.

    With values made by *ours* of one score, and of two.
    """
    chance = np.random.default_rng(11)
    gains: list[tuple[float, float]] = []
    for _ in range(40):
        relevance = chance.standard_normal(200)
        costs = np.maximum(5, np.exp(chance.normal(4.6, 0.8, 200))).astype(int).tolist()
        needed = np.argsort(-(3 * relevance + chance.gumbel(size=200)))[: chance.integers(1, 5)]
        one, two = (TRANSFORMS[shape](relevance + chance.standard_normal(200)).tolist() for _ in range(2))
        for share in (0.05, 0.1, 0.2, 0.3, 0.5):
            budget = int(sum(costs) * share)
            base, single, double = (
                len(set(needed) & set(chosen)) / len(needed)
                for chosen in (
                    greedy(one, costs, budget),
                    knapsack(ours([one], costs), costs, budget).chosen,
                    knapsack(ours([one, two], costs), costs, budget).chosen,
                )
            )
            gains.append((single - base, double - base))
    return float(np.mean([one for one, _ in gains])), float(np.mean([two for _, two in gains]))


@pytest.mark.parametrize("shape", TRANSFORMS)
def test_whatever_the_shape_of_the_scores_one_is_as_good_as_greedy_and_two_are_better(shape: str) -> None:
    one, two = recall_gains(shape, from_scores)

    assert one > -0.005
    assert two > 0.02


@pytest.mark.parametrize(
    "shape", ["long tail above", "long tail below", "a reranker's logarithms", "a sentinel"]
)
def test_z_alone_would_be_flat_where_scores_have_a_long_tail(shape: str) -> None:
    """Why the rank has a say."""

    def by_z(columns: list[list[float]], costs: list[int]) -> list[float]:
        height = sum((np.array(column) - np.mean(column)) / np.std(column) for column in columns)
        worth = np.exp(2 / len(columns) * height) * np.sqrt(costs)
        return [float(share) for share in worth / worth.sum()]

    assert recall_gains(shape, by_z)[0] < -0.05


@given(two_lists, st.sampled_from([0.001, 3, 1e9]))
def test_only_the_ratio_of_weights_matters(pairs: list[tuple[int, int]], factor: float) -> None:
    scores = {"dense": [a for a, _ in pairs], "bm25": [b for _, b in pairs]}
    costs = costs_for(pairs)

    one = from_scores(scores, costs, weights={"dense": 2, "bm25": 1})
    other = from_scores(scores, costs, weights=[2 * factor, factor])

    assert close(one, other)


def test_a_weight_of_zero_leaves_a_list_out_and_a_tiny_one_nearly_so() -> None:
    scores = {"a": [1, 2, 4], "b": [4, 1, 2], "c": [0, 9, 1]}
    costs = [50, 60, 70]
    without = from_scores({"a": scores["a"], "b": scores["b"]}, costs)

    assert from_scores(scores, costs, weights={"c": 0}) == without
    nearly = from_scores(scores, costs, weights={"c": 1e-6})
    assert all(math.isclose(x, y, rel_tol=1e-4) for x, y in zip(nearly, without, strict=True))


def test_a_negative_weight_turns_a_distance_round() -> None:
    distances = [0.1, 0.5, None, 0.9]
    costs = [10, 20, 30, 40]

    turned = from_scores([distances], costs, weights=[-1])

    assert turned == from_scores([[0.9, 0.5, None, 0.1]], costs)


def test_sections_compare_scores_only_within_themselves() -> None:
    cosines, bm25 = [0.2, 0.3, 0.4], [11.0, 30.0, 12.0]
    costs = [100] * 6
    labels = ["chat"] * 3 + ["code"] * 3

    values = from_scores(cosines + bm25, costs, sections=labels)

    inside = from_scores(cosines, costs[:3])
    assert close([value / sum(values[:3]) for value in values[:3]], inside)
    assert close(values, from_scores([100 * c for c in cosines] + bm25, costs, sections=labels))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_arrays_work_as_lists_do(dtype: str) -> None:
    scores = np.array([[1, 2, 5], [4, 0, 1]], dtype=dtype)
    costs = np.array([10, 20, 30])

    assert from_scores(scores, costs) == from_scores(scores.tolist(), costs.tolist())
    assert from_scores(list(scores[0]), list(costs)) == from_scores(scores[0].tolist(), costs.tolist())
    assert all(type(value) is float for value in from_scores(scores, costs))


@pytest.mark.parametrize(
    "scores",
    [[1e308, -1e308, 0], [5e-324, 0, 0], [10**200, 1, 2], [1.1e308, 1e308, 1e300], [2e-300, 1e-300, 0]],
)
def test_huge_and_tiny_scores_and_costs_do_not_overflow(scores: list[float]) -> None:
    values = from_scores(scores, [10, 10, 10])

    assert all(0 < value < 1 for value in values)
    assert values[0] == max(values)
    assert all(0 < value <= 1 for value in from_scores(scores, [10**400, 1, 3]))


def test_one_outlier_among_many_leaves_the_others_their_order() -> None:
    count = 200_001
    scores = [0.0] * (count - 3) + [1.0, 2.0, 1e15]

    values = from_scores(scores, [100] * count)

    assert 0 < values[0] < values[-1]
    assert math.isclose(math.fsum(values), 1, rel_tol=1e-9)


def test_a_free_snippet_is_worth_something() -> None:
    assert from_scores([1, 1], [0, 1]) == [0.5, 0.5]


@pytest.mark.parametrize(
    ("scores", "costs", "settings", "kind", "message"),
    [
        ([1, math.inf], [1, 2], {}, InputError, r"scores\[1\]: infinity"),
        ({"dense": [1, "high"]}, [1, 2], {}, InputTypeError, r"scores\['dense'\]\[1\]: .*found str 'high'"),
        ([True, 1], [1, 2], {}, InputTypeError, r"scores\[0\]: expected a number, found bool"),
        ([10**400, 1], [1, 2], {}, InputError, "beyond the range"),
        ([1, 2, 3], [1, 2], {}, InputError, "one score for each of the 2 costs, found 3"),
        ([[1, 2], [1]], [1, 2], {}, InputError, r"scores\[1\]: .* found 1"),
        ("12", [1, 2], {}, InputTypeError, "expected a list or array"),
        ({}, [], {}, InputError, "at least one list"),
        ([1, 2], [1, -2], {}, InputError, r"costs\[1\]: expected tokens >= 0, found -2"),
        ([1, 2], [1, 2.5], {}, InputTypeError, r"costs\[1\]: expected a whole number"),
        ([1, 2], [1, 2], {"weights": [0]}, InputError, "no score would count"),
        ([1, 2], [1, 2], {"weights": [1, 2]}, InputError, "one for each of 1 score lists"),
        ({"a": [1, 2]}, [1, 2], {"weights": {"b": 1}}, InputError, "no scores are named 'b'; there are a"),
        ([1, 2], [1, 2], {"sections": ["x"]}, InputError, "sections: expected one for each of the 2"),
        ([1, 2], [1, 2], {"missing": "drop"}, InputError, "'lowest', 'neutral', found 'drop'"),
    ],
)
def test_an_error_says_where_what_and_what_would_be_right(
    scores: Any, costs: Any, settings: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        from_scores(scores, costs, **settings)


def test_inputs_are_left_as_they_were() -> None:
    scores = {"dense": [1.0, None], "bm25": [2.0, 3.0]}
    costs = [5, 6]

    from_scores(scores, costs, weights={"bm25": 2})

    assert scores == {"dense": [1.0, None], "bm25": [2.0, 3.0]}
    assert costs == [5, 6]


def test_a_section_is_a_name() -> None:
    with pytest.raises(InputTypeError) as caught:
        from_scores([1, 2], [10, 20], sections=[[1], [2]])
    assert caught.value.path == "sections[0]"
