"""A labelled question: what it may hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from haversack.evaluation import Question, evaluate
from haversack.exceptions import InputError


@pytest.mark.parametrize(
    "needed", [[True, False], [1, 0], [1.0, 0.0], np.array([True, False]), np.array([1, 0])]
)
def test_labels_are_true_and_false_or_one_and_zero(needed: Any) -> None:
    question = Question("q", {"s": [1, 2]}, [5, 6], needed)

    assert question.needed == [True, False]
    assert question.gold == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"needed": ["no", "yes"]}, r"needed\[0\]: expected true or false"),
        ({"needed": [0, float("nan")]}, r"needed\[1\]: expected true or false"),
        ({"needed": [None, 1]}, r"needed\[0\]: expected true or false"),
        ({"needed": [0, 2]}, r"needed\[1\]: expected true or false.* grades"),
        ({"needed": [1]}, "found 1 labels for 2 costs"),
        ({"needed": {0, 1}}, "needed: .* no order"),
        ({"needed": 5}, "needed: expected a list"),
        ({"gold": 1}, "gold: 1 is less than the 2 candidates that are needed"),
        ({"gold": -1}, "gold: expected how much evidence there is"),
        ({"gold": "x"}, "gold: expected how much evidence there is"),
        ({"gold": 2.5}, "gold: expected how much evidence there is"),
        ({"gold": True}, "gold: expected how much evidence there is"),
        ({"gold": float("nan")}, "gold: expected how much evidence there is"),
        ({"values": [1]}, "found 1 values for 2 costs"),
        ({"values": [1, None]}, "some candidates have a value and some have none"),
        ({"scores": []}, "expected one score for each of the 2 costs, found 0"),
        ({"scores": {"s": [1]}}, "expected one score for each of the 2 costs, found 1"),
        ({"scores": {"Dense": [1, 2], "dense": [1, 2]}}, "'Dense' and 'dense' differ only by case"),
        ({"scores": {1: [1, 2], "1": [1, 2]}}, "'1' is given twice"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_the_question(wrong: dict[str, Any], message: str) -> None:
    held: dict[str, Any] = {"scores": {"s": [1, 2]}, "costs": [5, 6], "needed": [1, 1], **wrong}

    with pytest.raises(InputError, match=message):
        Question("q", **held)


def test_scores_may_be_a_frame_or_an_array() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"dense": [0.1, 0.2], "bm25": [3, None]})

    assert Question("q", frame, [5, 6], [1, 0]).scores == {"dense": [0.1, 0.2], "bm25": [3, None]}
    assert Question("q", frame.to_numpy().T, [5, 6], [1, 0]).scores == {"0": [0.1, 0.2], "1": [3, None]}
    assert Question("q", {}, [5, 6], [1, 0]).scores == {}


def test_gold_may_be_more_than_the_candidates_hold() -> None:
    assert Question("q", {"s": [1]}, [5], [1], gold=np.int64(3)).gold == 3


def test_recall_is_never_more_than_all() -> None:
    result = evaluate([Question("q", {"s": [2, 1]}, [5, 5], [1, 1], gold=2)], [10])

    assert result["methods"]["ours"]["recall"][0]["mean"] == 1
