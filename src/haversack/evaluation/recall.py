"""Evidence recall: how much of what a question needs is in the context at a given budget."""

from __future__ import annotations

from haversack.evaluation._asked import columns_in, listed, predictor, scores_of, values_in
from haversack.evaluation.bootstrap import draws, interval, mean_of_sets, resampled
from haversack.evaluation.methods import choices, exact, label
from haversack.values._labels import budgets_of
from haversack.values._lists import refuse, whole_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from haversack.evaluation.bootstrap import Draw
    from haversack.evaluation.methods import Predict, Solve
    from haversack.evaluation.questions import Question
    from haversack.values.calibrator import Calibrator

    #: method -> set -> figure (one for each budget) of each question
    Figures = dict[str, dict[str, list[list[float]]]]

BUDGETS = (256, 512, 1024, 2048, 4096)
#: The two figures of a question at a budget.
METRICS = ("recall", "all")


def evaluate(
    questions: Iterable[Question],
    budgets: Sequence[int] = BUDGETS,
    *,
    scores: Sequence[str] | None = None,
    calibrator: Calibrator | Predict | None = None,
    resamples: int = 1000,
    seed: int = 0,
    progress: Callable[[Question], object] | None = None,
    solve: Solve = exact,
) -> dict[str, Any]:
    """Compare ways of choosing on labelled questions; return figures ready for JSON.

    "recall" is the share of a question's evidence that is chosen, "all" whether all of it is, each a list
    with `{"mean", "low", "high"}` for each budget, and `recall_mean`, `all_mean` over the budgets. Means
    are over sets of the means over questions; low and high are the 95 % bootstrap interval over questions.
    `differences` has our methods minus the others, paired; `by_set` the means of each set. A score that a
    question lacks is missing there; equal and missing scores are taken in the order of the candidates.
    Without scores the questions' values are read as one score named "value" by all methods but "values".
    "raw" packs scores as if they were values: missing ones count as the lowest, and what is not positive is
    worth next to nothing, in the order of the scores.

    Args:
        scores: the scores to use; default: all.
        calibrator: adds packing by its probabilities, or by those of a function of the question. Questions it
            was fitted on flatter it.
        resamples: draws of the bootstrap, always the same for a *seed*.
        progress: called with each question when it is done.
        solve: (values, costs, budget) -> chosen positions.
    """
    asked = listed(questions)
    at = budgets_of(budgets)
    if not at:
        refuse("budgets", "expected one or more, in tokens, found none", budgets)
    draws_wanted = whole_of(resamples, "resamples", "a whole number of draws")
    start = whole_of(seed, "seed", "a whole number", None)
    names = scores_of(asked, scores)
    predict = None if calibrator is None else predictor(calibrator, names)
    figures, groups = _measured(asked, names, at, solve, predict, progress)
    if not groups:
        refuse("questions", f"found none with evidence among {len(asked)}")
    drawn = draws(groups, draws_wanted, start)
    counted = sum(map(len, groups.values()))
    return {
        "version": 1,
        "questions": counted,
        "without_gold": len(asked) - counted,
        "sets": {name: len(labels) for name, labels in groups.items()},
        "budgets": at,
        **_summary(figures, drawn, len(at)),
    }


def _measured(
    asked: Sequence[Question],
    names: Sequence[str],
    budgets: Sequence[int],
    solve: Solve,
    predict: Predict | None,
    progress: Callable[[Question], object] | None,
) -> tuple[Figures, dict[str, list[str]]]:
    """Return the figures of each method on the questions with evidence, and the groups of these, by set."""
    figures: Figures = {}
    groups: dict[str, list[str]] = {}
    for question, values in zip(asked, values_in(asked, names), strict=True):
        if question.gold:
            columns = columns_in(question, names)
            groups.setdefault(question.dataset, []).append(question.group)
            for method, chosen in choices(question, columns, values, budgets, solve, predict):
                per_set = figures.setdefault(method, {}).setdefault(question.dataset, [])
                per_set.append(_figures(question, chosen))
        if progress is not None:
            progress(question)
    return figures, groups


def _figures(question: Question, chosen: Sequence[Sequence[int]]) -> list[float]:
    """Return the recall at each budget, then whether all evidence is in."""
    shares = [sum(question.needed[i] for i in choice) / question.gold for choice in chosen]
    return shares + [float(share == 1.0) for share in shares]


def _summary(figures: Figures, drawn: Sequence[Draw], width: int) -> dict[str, Any]:
    """Return `methods`, `differences` and `by_set`."""
    means: dict[str, list[float]] = {}
    samples: dict[str, list[list[float]]] = {}
    for method, per_set in figures.items():
        # One column for each metric and budget, then the mean of each metric over budgets.
        columns = [_column(per_set, k) for k in range(2 * width)]
        columns += [_mean_column(per_set, k * width, width) for k in range(2)]
        means[method] = [mean_of_sets(column) for column in columns]
        samples[method] = [resampled(column, drawn) for column in columns]
    ours = [method for method in figures if method in ("ours", "calibrated", "values")]
    others = [method for method in figures if method != "ceiling"]
    return {
        "methods": {
            method: {"label": label(method), **_described(means[method], samples[method], width)}
            for method in figures
        },
        "differences": {
            mine: {
                other: _described(
                    [a - b for a, b in zip(means[mine], means[other], strict=True)],
                    [_minus(a, b) for a, b in zip(samples[mine], samples[other], strict=True)],
                    width,
                )
                for other in others
                if other != mine
            }
            for mine in ours
        },
        "by_set": {
            name: {method: _set_means(figures[method][name], width) for method in figures}
            for name in next(iter(figures.values()))
        },
    }


def _described(means: Sequence[float], samples: Sequence[Sequence[float]], width: int) -> dict[str, Any]:
    cells = []
    for mean, sample in zip(means, samples, strict=True):
        low, high = interval(sample) if sample else (mean, mean)
        cells.append({"mean": mean, "low": low, "high": high})
    return {
        "recall": cells[:width],
        "all": cells[width : 2 * width],
        "recall_mean": cells[2 * width],
        "all_mean": cells[2 * width + 1],
    }


def _column(per_set: dict[str, list[list[float]]], k: int) -> dict[str, list[float]]:
    return {name: [row[k] for row in rows] for name, rows in per_set.items()}


def _mean_column(per_set: dict[str, list[list[float]]], start: int, width: int) -> dict[str, list[float]]:
    return {name: [sum(row[start : start + width]) / width for row in rows] for name, rows in per_set.items()}


def _set_means(rows: Sequence[Sequence[float]], width: int) -> dict[str, list[float]]:
    means = [sum(row[k] for row in rows) / len(rows) for k in range(2 * width)]
    return dict(zip(METRICS, (means[:width], means[width:]), strict=True))


def _minus(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(one, other, strict=True)]
