"""Reading labelled questions, and comparing ways of choosing on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from haversack.evaluation import Question, evaluate, plot_recall, table
from haversack.evaluation.bootstrap import draws, interval, resampled
from haversack.exceptions import InputError
from haversack.values import Calibrator
from tests.values import synthetic

OTHER = Calibrator(["other"], -4.0, [1.5, -0.5, 0.0, 0.2], [(-3, 3), (0, 5), (0, 9), (3, 7)])


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    made = synthetic.questions(40, dataset="one") + synthetic.questions(20, seed=8, dataset="two")
    return evaluate(made, [200, 400, 800], resamples=200)


def test_the_figures_are_what_was_chosen() -> None:
    question = Question("q", {"s": [3, 2, 1]}, costs=[60, 50, 30], needed=[True, False, True], gold=4)

    result = evaluate([question], [100])

    recall = {name: entry["recall"][0]["mean"] for name, entry in result["methods"].items()}
    assert recall["topk:s"] == 0.25
    assert recall["greedy:s"] == 0.5
    assert recall["ceiling"] == 0.5
    assert result["methods"]["ceiling"]["all"][0]["mean"] == 0


def test_all_the_evidence_in_is_a_recall_of_one() -> None:
    question = Question("q", {"s": [3, 2]}, costs=[60, 50], needed=[True, False])

    result = evaluate([question], [40, 60])

    assert [cell["mean"] for cell in result["methods"]["topk:s"]["all"]] == [0, 1]
    assert result["methods"]["topk:s"]["all_mean"]["mean"] == 0.5


def test_the_result_is_json_and_the_same_every_time(result: dict[str, Any]) -> None:
    made = synthetic.questions(40, dataset="one") + synthetic.questions(20, seed=8, dataset="two")

    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert evaluate(made, [200, 400, 800], resamples=200) == result


def test_each_set_counts_the_same(result: dict[str, Any]) -> None:
    by_set = result["by_set"]

    for method, entry in result["methods"].items():
        mean = (by_set["one"][method]["recall"][0] + by_set["two"][method]["recall"][0]) / 2
        assert entry["recall"][0]["mean"] == pytest.approx(mean)


def test_a_difference_is_that_of_the_means_within_its_interval(result: dict[str, Any]) -> None:
    for mine, others in result["differences"].items():
        for other, entry in others.items():
            for k, cell in enumerate(entry["recall"]):
                means = (result["methods"][name]["recall"][k]["mean"] for name in (mine, other))
                assert cell["mean"] == pytest.approx(next(means) - next(means))
                assert cell["low"] - 1e-9 <= cell["mean"] <= cell["high"] + 1e-9


def test_no_way_of_choosing_beats_the_one_that_knows(result: dict[str, Any]) -> None:
    for entry in result["methods"].values():
        for cell, best in zip(entry["recall"], result["methods"]["ceiling"]["recall"], strict=True):
            assert cell["mean"] <= best["mean"] + 1e-12


def test_values_made_of_scores_beat_the_raw_score_by_far(result: dict[str, Any]) -> None:
    """The point of it all: the raw score fills the context with short noise."""
    assert result["differences"]["ours"]["raw:dense"]["recall_mean"]["low"] > 0.05
    assert result["differences"]["ours"]["greedy:dense"]["recall_mean"]["low"] > 0


def test_own_values_are_packed_as_they_are_and_questions_without_scores_work() -> None:
    made = [
        Question(question.name, {}, question.costs, question.needed, values=[int(n) for n in question.needed])
        for question in synthetic.questions(5)
    ]

    result = evaluate(made, [500])

    assert {"topk:value", "greedy:value", "values", "ours", "ceiling"} == set(result["methods"])
    assert result["methods"]["values"]["recall"] == result["methods"]["ceiling"]["recall"]


def test_scores_can_be_chosen_and_questions_stay_as_they_were() -> None:
    made = synthetic.questions(3)
    seen: list[Question] = []

    result = evaluate(made, [300], scores=["bm25"], progress=seen.append)

    assert "greedy:dense" not in result["methods"]
    assert set(made[0].scores) == {"dense", "bm25"}
    assert seen == made
    with pytest.raises(InputError, match="no question has a score 'reranker'; they have dense, bm25"):
        evaluate(made, [300], scores=["reranker"])


def test_questions_without_evidence_are_counted_and_left_out() -> None:
    empty = Question("none", {"dense": [1.0], "bm25": [2.0]}, [10], [False])

    result = evaluate([*synthetic.questions(2), empty], [300])

    assert (result["questions"], result["without_gold"]) == (2, 1)
    with pytest.raises(InputError, match="found none with evidence"):
        evaluate([empty])


def test_a_score_that_a_question_lacks_is_missing_there() -> None:
    made = synthetic.questions(4)
    lacking = [made[0].with_scores(["dense"]), *made[1:]]
    nulls = [made[0].with_scores(["dense"]).with_scores(["dense", "bm25"]), *made[1:]]

    assert nulls[0].scores["bm25"] == [None] * len(nulls[0].costs)
    assert evaluate(lacking, [300]) == evaluate(nulls, [300])


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (
            {"Dense": [1.0, 2.0]},
            "question 'other': 'Dense' differs only by case from 'dense' of question 'q0'",
        ),
        (
            {"score": [1.0, 2.0]},
            r"question 'other': has a bare score, while question 'q0' names .* \(dense, bm25\): name it",
        ),
        ({}, None),
    ],
)
def test_names_that_cannot_be_meant_as_two_are_refused(scores: Any, message: str | None) -> None:
    other = Question("other", scores, [10, 10], [True, False], dataset="made-up")

    if message is None:
        assert evaluate([*synthetic.questions(2), other], [300])["questions"] == 3
    else:
        with pytest.raises(InputError, match=message):
            evaluate([*synthetic.questions(2), other], [300])


def test_a_score_that_is_called_score_is_a_name_like_others() -> None:
    both = Question("both", {"score": [1, 2], "bm25": [1, 2]}, [10, 10], [True, False])
    one = Question("one", {"score": [1, 2]}, [10, 10], [True, False])

    assert evaluate([one, both], [300])["questions"] == 2


def test_questions_with_neither_scores_nor_values_are_refused() -> None:
    bare = Question("q", {}, [10], [True])
    valued = Question("v", {}, [10], [True], values=[1])

    with pytest.raises(InputError, match="neither scores nor values"):
        evaluate([bare], [300])
    with pytest.raises(InputError, match="question 'q': has no values of its own, while 'v' has"):
        evaluate([valued, bare], [300])


def test_a_question_without_candidates_has_missed_all() -> None:
    empty = Question("none", {}, [], [], gold=2, dataset="made-up")

    result = evaluate([*synthetic.questions(3), empty], [10**6], calibrator=lambda q: [0.5] * len(q.costs))

    assert {entry["recall"][0]["mean"] for entry in result["methods"].values()} == {0.75}
    assert evaluate([empty], [300])["methods"]["ours"]["recall"][0]["mean"] == 0


@pytest.mark.parametrize(
    "scores", [[-0.1, -0.5, None], [-1e308, -1.7e308, None], [9.9, 9.5, None], [None] * 3]
)
def test_a_raw_score_may_be_negative_missing_and_large(scores: Any) -> None:
    """What is lowest, or missing, is worth less than all others, and is still taken where there is room."""
    question = Question("q", {"d": scores}, costs=[5, 5, 5], needed=[1, 0, 0])

    recall = evaluate([question], [5, 15])["methods"]["raw:d"]["recall"]

    assert [cell["mean"] for cell in recall] == [1, 1]
    whole = Question("q", {"d": scores}, costs=[5, 5, 5], needed=[1, 1, 1])
    assert evaluate([whole], [15])["methods"]["raw:d"]["recall"][0]["mean"] == 1


def test_every_score_is_shown_raw(result: dict[str, Any]) -> None:
    """So none is picked by the order of keys."""
    assert {"raw:dense", "raw:bm25"} <= set(result["methods"])


def test_the_closest_rival_of_calibrated_packing_is_greedy_by_p_per_token() -> None:
    question = Question("q", {"s": [3, 2, 1]}, costs=[100, 40, 50], needed=[False, True, True])

    result = evaluate([question], [100], calibrator=lambda q: [0.6, 0.5, 0.5])

    recall = {name: entry["recall"][0]["mean"] for name, entry in result["methods"].items()}
    assert recall["greedy:calibrated p"] == 0
    assert recall["greedy:calibrated p per token"] == recall["calibrated"] == 1
    free = Question("q", {"s": [3, 2]}, costs=[0, 40], needed=[True, True])
    assert "calibrated" in evaluate([free], [100], calibrator=lambda q: [0.6, 0.5])["methods"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"questions": None}, "questions: expected a list of Questions, found NoneType"),
        ({"questions": ["a"]}, r"questions\[0\]: expected a Question, found str 'a'"),
        ({"questions": []}, "questions: found none with evidence"),
        ({"budgets": []}, "budgets: expected one or more"),
        ({"budgets": None}, "budgets: expected a list"),
        ({"budgets": 5}, "budgets: expected a list"),
        ({"budgets": ["a"]}, r"budgets\[0\]: expected a whole number of tokens, found str 'a'"),
        ({"budgets": [1.5]}, r"budgets\[0\]: expected a whole number of tokens, found float 1.5"),
        ({"budgets": [True]}, r"budgets\[0\]: expected a whole number of tokens, found bool"),
        ({"budgets": [5, -1]}, r"budgets\[1\]: expected a whole number of tokens, 0 or more, found -1"),
        ({"resamples": -1}, "resamples: expected a whole number of draws, 0 or more, found -1"),
        ({"resamples": "many"}, "resamples: expected a whole number of draws"),
        ({"seed": []}, "seed: expected a whole number"),
        ({"scores": "s"}, "scores: expected a list of names, found str 's'"),
        ({"scores": ["s", "s"]}, "scores: 's' is given twice"),
        ({"calibrator": 5}, "calibrator: expected a Calibrator, or a function"),
        ({"calibrator": Calibrator}, "calibrator: expected a Calibrator, or a function"),
        ({"calibrator": lambda question: [0.5]}, "question 'q': the function gave 1 probabilities for 2"),
        ({"calibrator": lambda question: [0.5, 2]}, r"probabilities\[1\]: expected a number between"),
        ({"calibrator": OTHER}, "calibrator: it was fitted on other, and the questions have s"),
    ],
)  # fmt: skip
def test_what_is_of_the_wrong_kind_is_named(wrong: dict[str, Any], message: str) -> None:
    question = Question("q", {"s": [2, 1]}, costs=[5, 5], needed=[1, 0])

    with pytest.raises(InputError, match=message):
        evaluate(**{"questions": [question], "budgets": [5], **wrong})


@pytest.mark.parametrize("show", [table, lambda result, metric: plot_recall(result, "x.png", metric)])
def test_an_unknown_metric_is_named(show: Any, result: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="metric: expected 'recall' or 'all', found 'precision'"):
        show(result, "precision")


def test_the_table_names_every_method_and_budget(result: dict[str, Any]) -> None:
    text = table(result)

    assert "one 40, two 20" in text
    for entry in result["methods"].values():
        assert entry["label"] in text
    assert all(str(budget) in text for budget in result["budgets"])
    assert max(map(len, text.splitlines())) <= 100


def test_the_plot_is_written(tmp_path: Path, result: dict[str, Any]) -> None:
    pytest.importorskip("matplotlib")

    plot_recall(result, tmp_path / "recall.svg")

    assert "<svg" in (tmp_path / "recall.svg").read_text("utf-8")


def test_the_bootstrap_covers_the_true_mean_about_19_times_in_20() -> None:
    import random

    generator = random.Random(3)
    covered = 0
    for k in range(200):
        figures = {"a": [generator.random() for _ in range(60)]}
        low, high = interval(resampled(figures, draws({"a": [str(i) for i in range(60)]}, 200, seed=k)))
        covered += low <= 0.5 <= high
    assert 180 <= covered <= 199


def test_groups_are_drawn_whole() -> None:
    figures = {"a": [0.0, 0.0, 1.0, 1.0]}

    means = set(resampled(figures, draws({"a": ["x", "x", "y", "y"]}, 100, seed=0)))

    assert means == {0.0, 0.5, 1.0}
