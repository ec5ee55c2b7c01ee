"""Reading labelled questions, and comparing ways of choosing on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from haversack.evaluation import Question, evaluate, plot_recall, read, table
from haversack.evaluation.bootstrap import draws, interval, resampled
from haversack.exceptions import InputError
from tests.values import synthetic


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    made = synthetic.questions(40, dataset="one") + synthetic.questions(20, seed=8, dataset="two")
    return evaluate(made, [200, 400, 800], resamples=200)


def test_a_plain_file_is_read_back(tmp_path: Path) -> None:
    made = synthetic.questions(3)

    read_back = list(read(lines(tmp_path / "plain.jsonl", *map(synthetic.record, made))))

    for question, original in zip(read_back, made, strict=True):
        assert question.scores == dict(sorted(original.scores.items()))
        assert (question.costs, question.needed) == (original.costs, original.needed)
        assert (question.gold, question.dataset) == (sum(original.needed), "plain")


def test_two_files_share_their_snippets(tmp_path: Path) -> None:
    lines(tmp_path / "set.snippets.jsonl", *({"id": f"s{i}", "tokens": 10 * i} for i in range(1, 5)))
    path = lines(
        tmp_path / "set.jsonl",
        {"id": "a", "group": "g", "gold": ["s2", "lost"], "snippets": ["s1", "s2"], "dense": [0.1, None]},
    )

    (question,) = read(path)

    assert question.costs == [10, 20]
    assert question.scores == {"dense": [0.1, None]}
    assert question.needed == [False, True]
    assert (question.gold, question.group) == (2, "g")


def test_a_counter_other_score_keys_and_own_values_are_used(tmp_path: Path) -> None:
    snippets = [{"id": 7, "text": "one two", "cosine": 0.4, "value": 3}, {"id": 8, "tokens": 5, "value": 1}]
    path = lines(tmp_path / "own.jsonl", {"gold": [7], "snippets": snippets})

    (question,) = read(path, scores=["cosine"], counter=lambda text: len(text.split()))

    assert question.costs == [2, 5]
    assert question.scores == {"cosine": [0.4, None]}
    assert question.values == [3, 1]
    assert question.needed == [True, False]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"gold": []}, 'q.jsonl:2: expected "snippets" and "gold"'),
        ([1], "q.jsonl:2: expected a JSON object, found list"),
        ({"gold": ["a"], "snippets": [{"id": "a", "score": 1}]}, r'q.jsonl:2: .*"cost" or "tokens"'),
        ({"gold": ["a"], "snippets": [{"id": "a", "cost": 1}]}, "q.jsonl:2: .*neither scores nor values"),
        ({"gold": ["a"], "snippets": [{"id": "a", "cost": -1, "score": 1}]}, r"q.jsonl:2: costs\[0\]"),
        (
            {"gold": ["a"], "snippets": [{"cost": 1, "value": 1}, {"cost": 1}]},
            "q.jsonl:2: .*some candidates have a value",
        ),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, record: Any, message: str) -> None:
    path = lines(tmp_path / "q.jsonl", synthetic.record(synthetic.questions(1)[0]), record)

    with pytest.raises(InputError, match=message):
        list(read(path))


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
    with pytest.raises(InputError, match="has no score 'reranker'; it has dense, bm25"):
        evaluate(made, [300], scores=["reranker"])


def test_questions_without_evidence_are_counted_and_left_out() -> None:
    empty = Question("none", {"dense": [1.0], "bm25": [2.0]}, [10], [False])

    result = evaluate([*synthetic.questions(2), empty], [300])

    assert (result["questions"], result["without_gold"]) == (2, 1)
    with pytest.raises(InputError, match="found none with evidence"):
        evaluate([empty])


def test_questions_with_different_scores_are_refused() -> None:
    other = Question("other", {"dense": [1.0, 2.0]}, [10, 10], [True, False], dataset="made-up")

    with pytest.raises(InputError, match="must be the same ones in all"):
        evaluate([*synthetic.questions(2), other], [300])


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
