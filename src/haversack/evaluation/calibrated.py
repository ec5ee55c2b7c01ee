"""Compare packing by calibrated probabilities: a calibrator a set, judged on questions it has not seen."""

from __future__ import annotations

from haversack.evaluation._asked import listed
from haversack.evaluation.recall import BUDGETS, evaluate
from haversack.exceptions import InputError
from haversack.values._lists import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from haversack.evaluation.questions import Question
    from haversack.values.calibrator import Calibrator


def evaluate_calibrated(
    questions: Iterable[Question],
    budgets: Sequence[int] = BUDGETS,
    *,
    folds: int = 5,
    resamples: int = 1000,
    seed: int = 0,
    progress: Callable[[Question], object] | None = None,
) -> tuple[dict[str, Any], dict[str, Calibrator]]:
    """Fit a calibrator on each set, and compare as `evaluate` does; return the figures and the calibrators.

    Each question's probabilities are those of a calibrator fitted on the other folds of its own set, since
    one fitted on questions of another kind is no better than the formula. The figures have the quality of
    each set's under `calibration`; the calibrators are fitted on all questions of their set, and have it as
    `quality`. Needs scikit-learn (`pip install 'haversack[fit]'`), and two groups of questions in each set.
    """
    from haversack.values._fitting import cross_validated

    asked = listed(questions)
    sets: dict[str, list[Question]] = {}
    for question in asked:
        sets.setdefault(question.dataset, []).append(question)
    calibrators: dict[str, Calibrator] = {}
    predicted: dict[int, list[float]] = {}
    for name, each in sets.items():
        try:
            fitted = cross_validated(each, folds)
        except InputError as error:
            where, field, found = error.path, error.field, error.found
            raise type(error)(f"set {name!r}: {error}", path=where, field=field, found=found) from None
        if fitted.predicted is None:
            refuse(f"set {name!r}", "needs two groups of questions: one to fit on, one to judge by")
        calibrators[name] = fitted.calibrator
        predicted |= zip(map(id, each), fitted.predicted, strict=True)
    result = evaluate(
        asked, budgets, calibrator=lambda question: predicted[id(question)],
        resamples=resamples, seed=seed, progress=progress,
    )  # fmt: skip
    qualities = ((name, calibrator.quality) for name, calibrator in calibrators.items())
    result["calibration"] = {name: quality.to_dict() for name, quality in qualities if quality is not None}
    return result, calibrators
