"""The calibrator: fitted with scikit-learn, used and kept without."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.evaluation import Question, evaluate
from haversack.exceptions import InputError
from haversack.values import Calibrator
from tests.values import synthetic

HAND_MADE = Calibrator(
    ["dense", "bm25"],
    -4.0,
    [1.2, -0.5, 0.05, 0.8, -0.2, 0.0, 0.3],
    [(-3, 6), (0, 5), (0, 36), (-3, 6), (0, 5), (0, 36), (2, 8)],
)
pairs = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def examples() -> list[Question]:
    return synthetic.questions()


@pytest.fixture(scope="module")
def fitted(examples: list[Question]) -> Calibrator:
    pytest.importorskip("sklearn", reason="fitting needs scikit-learn")
    return Calibrator.fit(examples, budgets=[300, 900], report=None)


@given(pairs, st.sampled_from([0.5, 3, 1e6]), st.integers(-1000, 1000))
def test_probabilities_do_not_depend_on_the_unit_of_the_scores(
    scores: list[tuple[int, int]], factor: float, shift: int
) -> None:
    costs = [50 + i for i in range(len(scores))]
    columns = [[a for a, _ in scores], [b for _, b in scores]]

    p = HAND_MADE.predict(columns, costs)

    assert all(0 < each < 1 for each in p)
    moved = [[factor * (score + shift) for score in column] for column in columns]
    assert HAND_MADE.predict(moved, costs) == pytest.approx(p, rel=1e-6)


def test_a_length_beyond_all_examples_counts_as_the_longest_of_them() -> None:
    scores = {"dense": [3, 1, 2], "bm25": [1, 1, 2]}
    longest = int(math.exp(8)) + 1

    assert HAND_MADE.predict(scores, [longest] * 3) == HAND_MADE.predict(scores, [10**9] * 3)


def test_a_retriever_that_is_down_lets_the_others_speak() -> None:
    p = HAND_MADE.predict({"dense": [3, 1, 2], "bm25": [None] * 3}, [100] * 3)

    assert p[0] > p[2] > p[1]
    assert HAND_MADE.predict({"dense": [3, 1, 2]}, [100] * 3) == p
    nothing = HAND_MADE.predict({}, [100] * 3)
    assert nothing == HAND_MADE.predict({"dense": [None] * 3, "bm25": [None] * 3}, [100] * 3)


def test_scores_go_by_name_or_by_order() -> None:
    scores = {"bm25": [1, 5, 2], "dense": [3, 1, 2]}
    by_name = HAND_MADE.predict(scores, [100] * 3)

    assert HAND_MADE.predict([scores["dense"], scores["bm25"]], [100] * 3) == by_name
    with pytest.raises(InputError, match="fitted on 'dense', 'bm25', not on 'reranker'"):
        HAND_MADE.predict({**scores, "reranker": [1, 2, 3]}, [100] * 3)
    with pytest.raises(InputError, match="expected 2 lists"):
        HAND_MADE.predict([1, 2, 3], [100] * 3)


def test_sections_are_compared_within_themselves() -> None:
    one = {"dense": [3, 1, 2], "bm25": [1, 5, 2]}
    twice = {name: column + [100 + 10 * score for score in column] for name, column in one.items()}

    p = HAND_MADE.predict(twice, [100] * 6, sections=["a"] * 3 + ["b"] * 3)

    assert p == pytest.approx(HAND_MADE.predict(one, [100] * 3) * 2)


def test_a_saved_calibrator_gives_the_same_probabilities(tmp_path: Path, fitted: Calibrator) -> None:
    path = tmp_path / "calibrator.json"
    fitted.save(path)
    loaded = Calibrator.load(path)

    scores = {"dense": [0.3, 0.9, 0.1], "bm25": [1, 0, 8]}
    assert loaded == fitted
    assert loaded.predict(scores, [90, 40, 200]) == fitted.predict(scores, [90, 40, 200])
    assert path.stat().st_size < 2000
    assert repr(loaded) == "<Calibrator of dense, bm25, fitted on 60 questions>"


def test_using_a_calibrator_imports_nothing_optional(tmp_path: Path) -> None:
    HAND_MADE.save(tmp_path / "calibrator.json")
    code = (
        "import sys; from haversack.values import Calibrator\n"
        "p = Calibrator.load(sys.argv[1]).predict([[1, 2], [3, 4]], [5, 6])\n"
        "assert p[1] > p[0] and not {'numpy', 'sklearn', 'matplotlib'} & set(sys.modules)"
    )

    subprocess.run([sys.executable, "-c", code, str(tmp_path / "calibrator.json")], check=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "expected 1, found 2; a newer haversack wrote it"),
        ({"version": None}, "calibrator.version: expected 1, found None"),
        ({"format": "other"}, "no saved calibrator"),
        ({"scores": []}, "calibrator.scores: expected the names"),
        ({"intercept": "x"}, "calibrator.intercept: expected a number"),
        ({"intercept": math.nan}, "calibrator.intercept: expected a number, found none"),
        ({"version": True}, "calibrator.version: expected 1, found True"),
        ({"scores": ["dense", "dense"]}, "calibrator.scores: 'dense' is given twice"),
        ({"scores": ["dense"]}, "calibrator.coefficients.bm25.z: is unknown; there are dense.z"),
        ({"coefficients": {**HAND_MADE.to_dict()["coefficients"], "rerank.z": 1}}, "rerank.z: is unknown"),
        ({"coefficients": dict.fromkeys(HAND_MADE.to_dict()["coefficients"], 1e308)}, "they reach inf"),
        ({"coefficients": [1.0]}, "calibrator.coefficients: expected an object"),
        (
            {"ranges": {**HAND_MADE.to_dict()["ranges"], "log_cost": [7, 3]}},
            "log_cost: expected the lowest, then",
        ),
        ({"trained_on": {"questions": "many"}}, "calibrator.trained_on.questions: expected a whole number"),
        ({"trained_on": [1]}, "calibrator.trained_on: expected names with numbers"),
        ({"note": "mine"}, "calibrator.note: is unknown; there are format, version, scores"),
        ({"coefficients": {"dense.z": 1}}, "calibrator.coefficients.dense.log_rank: .* found nothing"),
        ({"ranges": {"dense.z": [1]}}, "calibrator.ranges.dense.log_rank: .* found nothing"),
        (
            {"ranges": {**HAND_MADE.to_dict()["ranges"], "log_cost": [1]}},
            "ranges.log_cost: expected the lowest and the",
        ),
    ],
)
def test_a_damaged_file_is_refused_with_the_place(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Calibrator.from_dict({**HAND_MADE.to_dict(), **change})


def test_a_file_that_is_no_json_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text("{", "utf-8")

    with pytest.raises(InputError, match=r"broken.json: this is no valid JSON"):
        Calibrator.load(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 200_000, "calibrator.json: .*recursion"),
        ('{"format": "a", "format": "b"}', "calibrator.json: .*'format' is given twice"),
        ("\ufeff{}", "calibrator.json: calibrator.format: .* no saved calibrator"),
    ],
)
def test_a_file_of_another_kind_is_refused_with_its_name(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "calibrator.json"
    path.write_text(text, "utf-8")

    with pytest.raises(InputError, match=message):
        Calibrator.load(path)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"names": "dense"}, "names: expected a list of names, found str 'dense'"),
    ({"names": []}, "names: expected the names of the scores, found none"),
    ({"names": ["dense", 5]}, r"names\[1\]: expected a name"),
    ({"names": ["dense", "dense"]}, "names: 'dense' is given twice"),
    ({"names": ["dense", "Dense"]}, "names: 'dense' and 'Dense' differ only by case"),
    ({"intercept": math.nan}, "intercept: expected a number"),
    ({"intercept": math.inf}, "intercept: expected a finite number, found inf$"),
    ({"intercept": "0"}, "intercept: expected a number"),
    ({"coefficients": [1.5, -0.5]}, r"coefficients: expected 4 \(dense.z, .*log_cost\), found 2"),
    ({"coefficients": [1.5, -0.5, 0, math.nan]}, r"coefficients\[3\]: expected a number"),
    ({"coefficients": {"dense.z": 1}}, "coefficients: expected a list"),
    ({"coefficients": [1e308] * 4}, "coefficients: with these ranges they reach inf"),
    ({"ranges": [(-3, 3)]}, "ranges: expected 4"),
    ({"ranges": [(-3, 3), (0, 5), (0, 9), (7, 3)]}, r"ranges\[3\]: expected the lowest, .* found 7 and 3"),
    ({"ranges": [(-3, 3), (0, 5), (0, 9), 7]}, r"ranges\[3\]: expected the lowest and the highest"),
    ({"ranges": [(-3, 3), (0, 5), (0, 9), (0, math.inf)]}, r"ranges\[3\]\[1\]: expected a finite number"),
    ({"trained_on": {"questions": "many"}}, "trained_on.questions: expected a whole number"),
    ({"trained_on": ["questions"]}, "trained_on: expected names with numbers"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_calibrator_made_by_hand_is_checked(wrong: dict[str, Any], message: str) -> None:
    ranges = [(-3, 3), (0, 5), (0, 9), (3, 7)]
    right: dict[str, Any] = {
        "names": ["dense"], "intercept": -4.0, "coefficients": [1.5, -0.5, 0.0, 0.2], "ranges": ranges
    }  # fmt: skip
    Calibrator(**right)

    with pytest.raises(InputError, match=message):
        Calibrator(**{**right, **wrong})


def test_the_largest_coefficients_that_are_taken_give_probabilities() -> None:
    certain = Calibrator(["s"], -5e299, [1e299, -1e299, 1e299, 1e299], [(-3, 3), (0, 5), (0, 9), (3, 7)])

    assert certain.predict([9, 1], [100, 100]) == [1.0, 0.0]


def test_a_series_is_one_list_and_a_frame_is_several() -> None:
    pandas = pytest.importorskip("pandas")
    one = Calibrator(["dense"], -4.0, [1.5, -0.5, 0.0, 0.2], [(-3, 3), (0, 5), (0, 9), (3, 7)])
    frame = pandas.DataFrame({"bm25": [1, 5, 2], "dense": [3, 1, 2]})

    assert one.predict(frame["dense"], frame["bm25"]) == one.predict([3, 1, 2], [1, 5, 2])
    assert HAND_MADE.predict(frame, [100] * 3) == HAND_MADE.predict(frame.to_dict("list"), [100] * 3)


def test_fitted_probabilities_are_calibrated_and_better_than_the_mean(fitted: Calibrator) -> None:
    quality = fitted.quality

    assert quality is not None
    assert quality.log_loss < 0.75 * quality.base_log_loss
    assert quality.expected == pytest.approx(quality.found, rel=0.05)
    for low, high, count, predicted, share in quality.bins:
        assert low <= predicted <= high
        assert abs(share - predicted) < 4 * math.sqrt(predicted * (1 - predicted) / count) + 0.02


def test_the_report_shows_loss_calibration_and_recall(examples: list[Question]) -> None:
    pytest.importorskip("sklearn")
    said: list[str] = []

    Calibrator.fit(examples, budgets=[400], report=said.append)

    (text,) = said
    for part in (
        "60 questions, 5 folds",
        "log loss",
        "predicted  needed",
        "top-k until full, dense",
        "calibrated p",
    ):
        assert part in text


def test_groups_stay_in_one_fold() -> None:
    pytest.importorskip("sklearn")
    from haversack.values._fitting import Example, _folds

    made = synthetic.questions(count=20)
    for i, question in enumerate(made):
        question.group = f"g{i % 7}"
    folds = _folds([Example(question, i) for i, question in enumerate(made)], 5)

    assert len({(question.group, fold) for question, fold in zip(made, folds, strict=True)}) == 7
    assert set(folds) == set(range(5))


def test_packing_calibrated_values_is_no_worse_than_greedy_on_the_same(examples: list[Question]) -> None:
    """On questions that the calibrator has not seen."""
    pytest.importorskip("sklearn")
    calibrator = Calibrator.fit(synthetic.questions(seed=1), budgets=(), report=None)

    result = evaluate(examples, [200, 400, 800], calibrator=calibrator)

    for other in ("greedy:calibrated p", "greedy:dense", "greedy:bm25", "raw:dense"):
        assert result["differences"]["calibrated"][other]["recall_mean"]["high"] > 0


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ([], "found none"),
        ([{"scores": [1, 2], "costs": [1, 2], "needed": [0, 0]}], "all candidates are needed or none is"),
        ([{"scores": [1, 2], "costs": [1, 2], "needed": [1]}], r"examples\[0\].needed: expected 2 labels"),
        ([{"scores": [1, 2], "costs": [1, 2]}], r"examples\[0\].needed: expected a list, found nothing"),
        (
            [
                {"scores": {"a": [1, 2]}, "costs": [1, 2], "needed": [1, 0]},
                {"scores": {"A": [1, 2]}, "costs": [1, 2], "needed": [1, 0]},
            ],
            r"examples\[1\]: 'A' differs only by case from 'a' of examples\[0\]",
        ),
        ([{"scores": {}, "costs": [1, 2], "needed": [0, 1]}], "expected scores to fit on, found none"),
        (
            [{"scores": [1, 2], "costs": [1, 2], "needed": [0, 1], "gold": "x"}],
            r"examples\[0\].gold: expected how",
        ),
        (
            [{"scores": [1, 2], "costs": [1, 2], "needed": [1, 1], "gold": 1}],
            r"examples\[0\].gold: 1 is less",
        ),
        ([{"scores": [1, 2], "costs": [1, 2], "needed": ["no", "yes"]}], r"needed\[0\]: expected true or"),
        (["a"], r"examples\[0\].costs: expected a list, found nothing"),
        (None, "examples: expected a list of labelled questions, found NoneType"),
        ("questions.jsonl", "examples: expected a list of labelled questions, found str"),
    ],
)
def test_examples_that_cannot_be_fitted_are_refused(examples: list[Any], message: str) -> None:
    pytest.importorskip("sklearn")
    with pytest.raises(InputError, match=message):
        Calibrator.fit(examples, report=None)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"folds": 2.5}, "folds: expected a whole number of folds, found float 2.5"),
        ({"folds": "5"}, "folds: expected a whole number of folds, found str '5'"),
        ({"folds": 1}, "folds: expected a whole number of folds, 2 or more, found 1"),
        ({"budgets": None}, "budgets: expected a list"),
        ({"budgets": [50.5]}, r"budgets\[0\]: expected a whole number of tokens"),
        ({"budgets": [-5]}, r"budgets\[0\]: expected a whole number of tokens, 0 or more"),
    ],
)
def test_settings_of_the_wrong_kind_are_refused(settings: dict[str, Any], message: str) -> None:
    pytest.importorskip("sklearn")
    with pytest.raises(InputError, match=message):
        Calibrator.fit(synthetic.questions(4), report=None, **settings)


def test_a_score_that_an_example_lacks_is_missing_there() -> None:
    pytest.importorskip("sklearn")
    made = synthetic.questions(12)
    lacking = [made[0].with_scores(["dense"]), *made[1:]]
    nulls = [lacking[0].with_scores(["dense", "bm25"]), *made[1:]]

    assert Calibrator.fit(lacking, budgets=[300], report=None) == Calibrator.fit(nulls, report=None)


def test_the_calibration_plot_is_written(tmp_path: Path, fitted: Calibrator) -> None:
    pytest.importorskip("matplotlib")
    assert fitted.quality is not None

    fitted.quality.plot(tmp_path / "calibration.png")

    assert (tmp_path / "calibration.png").read_bytes().startswith(b"\x89PNG")


def test_a_saved_calibrator_is_plain_json(fitted: Calibrator) -> None:
    record = json.loads(json.dumps(fitted.to_dict(), allow_nan=False))

    assert Calibrator.from_dict(record) == fitted
