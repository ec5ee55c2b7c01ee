"""What the plots show: all of it, and each thing in a way of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from haversack.evaluation import evaluate, plot_calibration, plot_recall
from tests.values import synthetic

pytest.importorskip("matplotlib")

BINS = [
    (0.0, 0.01, 900, 0.004, 0.0),
    (0.01, 0.02, 300, 0.014, 0.02),
    (0.2, 0.4, 30, 0.3, 0.0),
    (0.8, 1.0, 5, 0.9, 1.0),
]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that would be written."""
    from matplotlib.figure import Figure

    figures: list[Any] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, path: figures.append(figure))
    return figures


def compared(budgets: list[int]) -> dict[str, Any]:
    """A comparison with every kind of method."""
    made = [question.with_scores(["dense", "bm25", "c", "d", "e"]) for question in synthetic.questions(3)]
    for question in made:
        question.values = [1.0] * len(question.costs)
    return evaluate(made, budgets, calibrator=lambda question: [0.5] * len(question.costs), resamples=5)


def test_no_two_methods_look_alike(drawn: list[Any]) -> None:
    result = compared([200, 400])

    plot_recall(result, "x.png")

    lines = drawn[0].axes[0].lines
    assert [line.get_label() for line in lines] == [entry["label"] for entry in result["methods"].values()]
    assert len({(line.get_color(), str(line.get_linestyle()), line.get_marker()) for line in lines}) == len(
        lines
    )


@pytest.mark.parametrize(
    ("budgets", "scale"), [([200, 400], "log"), ([0, 200, 400], "symlog"), ([0], "linear")]
)
def test_every_budget_has_its_place(drawn: list[Any], budgets: list[int], scale: str) -> None:
    plot_recall(compared(budgets), "x.png")

    axes = drawn[0].axes[0]
    assert axes.get_xscale() == scale
    assert [label.get_text() for label in axes.get_xticklabels()] == [str(budget) for budget in budgets]
    places = axes.transData.transform([(budget, 0) for budget in budgets])[:, 0]
    assert all(place == place for place in places)
    assert sorted(places) == list(places)


def test_bins_in_which_nothing_is_needed_are_shown_with_their_interval(drawn: list[Any]) -> None:
    plot_calibration(BINS, "x.png")

    axes = drawn[0].axes[0]
    hollow = next(line for line in axes.lines if line.get_label() == "none needed")
    bars = [line for line in axes.lines if line.get_label().startswith("_")]
    assert list(hollow.get_xdata()) == [0.004, 0.3]
    assert min(hollow.get_ydata()) >= axes.get_ylim()[0]
    assert next(max(bar.get_ydata()) for bar in bars) == pytest.approx(0.00425, abs=1e-4)
    assert len(bars) == len(BINS)


def test_several_sets_are_told_apart(drawn: list[Any]) -> None:
    plot_calibration({"one": BINS, "two": BINS[1:2]}, "x.png")

    lines = {line.get_label(): line.get_color() for line in drawn[0].axes[0].lines}
    assert {"one, cross-validated", "one: none needed", "two, cross-validated"} <= set(lines)
    assert lines["one, cross-validated"] == lines["one: none needed"] != lines["two, cross-validated"]


def test_the_plots_are_written(tmp_path: Path) -> None:
    plot_recall(compared([0, 200]), tmp_path / "recall.svg", "all")
    plot_calibration(BINS, tmp_path / "calibration.svg")

    assert all("<svg" in path.read_text("utf-8") for path in tmp_path.iterdir())
