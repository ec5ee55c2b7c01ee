"""Fit a calibrator with scikit-learn: the only module that needs it."""

from __future__ import annotations

from haversack.values._features import features
from haversack.values._lists import columns_of, costs_of, places_of, refuse
from haversack.values.calibrator import Calibrator
from haversack.values.quality import Quality

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    Progress = Callable[[Any], object] | None

#: scikit-learn's inverse strength of the L2 penalty, on features of unit deviation: its default.
INVERSE_PENALTY = 1.0


class Example:
    """One question, read and checked: its features, and which of its candidates are needed."""

    __slots__ = ("columns", "costs", "dataset", "gold", "group", "needed", "rows")

    def __init__(self, given: Any, position: int) -> None:
        where = f"examples[{position}]"
        self.costs = costs_of(_field(given, "costs", where))
        self.columns = columns_of(_field(given, "scores", where), len(self.costs))
        self.needed = [bool(need) for need in _field(given, "needed", where)]
        if len(self.needed) != len(self.costs):
            refuse(f"{where}.needed", f"expected {len(self.costs)} labels, found {len(self.needed)}")
        group = _field(given, "group", where, None)
        self.group = f"#{position}" if group is None else str(group)
        self.gold = int(_field(given, "gold", where, None) or sum(self.needed))
        self.dataset = str(_field(given, "dataset", where, ""))
        places = places_of(_field(given, "sections", where, None), len(self.costs))
        self.rows = features(list(self.columns.values()), self.costs, places)


def fit_calibrator(
    given: Iterable[Any], *, folds: int, budgets: Sequence[int], progress: Progress = None
) -> Calibrator:
    """Return a calibrator fitted on all examples, its quality measured by cross-validation."""
    examples = [Example(each, i) for i, each in enumerate(given)]
    _check(examples)
    names = list(examples[0].columns)
    fold_of = _folds(examples, folds)
    calibrator = _fit(names, examples)
    if max(fold_of) > 0:
        predicted: list[list[float]] = [[] for _ in examples]
        for fold in range(max(fold_of) + 1):
            seen = [each for each, held in zip(examples, fold_of, strict=True) if held != fold]
            model = _fit(names, seen)
            for i, each in enumerate(examples):
                if fold_of[i] == fold:
                    predicted[i] = [model.probability(row) for row in each.rows]
        calibrator.quality = Quality(predicted, [each.needed for each in examples], max(fold_of) + 1)
        if budgets:
            calibrator.quality.recall = _recall(examples, predicted, budgets, progress)
    return calibrator


def _fit(names: Sequence[str], examples: Sequence[Example]) -> Calibrator:
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.preprocessing import StandardScaler
    except ImportError as error:
        message = "fitting a calibrator needs scikit-learn: pip install 'haversack[fit]' (using one does not)"
        raise ImportError(message) from error
    rows = [row for each in examples for row in each.rows]
    needed = [need for each in examples for need in each.needed]
    if len(set(needed)) < 2:
        refuse("examples", "in the questions fitted on, all candidates are needed or none is")
    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(C=INVERSE_PENALTY, max_iter=1000).fit(scaler.transform(rows), needed)
    # The scaling is folded into the coefficients, so that using them takes no scaler.
    factors = [float(c / s) for c, s in zip(model.coef_[0], scaler.scale_, strict=True)]
    shift = sum(factor * float(mean) for factor, mean in zip(factors, scaler.mean_, strict=True))
    ranges = [(min(column), max(column)) for column in zip(*rows, strict=True)]
    counts = {"questions": len(examples), "snippets": len(rows), "needed": sum(needed)}
    return Calibrator(names, float(model.intercept_[0]) - shift, factors, ranges, counts)


def _folds(examples: Sequence[Example], wanted: int) -> list[int]:
    """Deal the groups to folds, the largest first, each to the fold with the fewest questions."""
    if wanted < 2:
        refuse("folds", f"expected 2 or more, found {wanted!r}", wanted)
    sizes: dict[str, int] = {}
    for each in examples:
        sizes[each.group] = sizes.get(each.group, 0) + 1
    load = [0] * min(wanted, len(sizes))
    fold_of = {}
    for group in sorted(sizes, key=lambda group: -sizes[group]):
        fold_of[group] = load.index(min(load))
        load[fold_of[group]] += sizes[group]
    return [fold_of[each.group] for each in examples]


def _recall(
    examples: Sequence[Example], predicted: Sequence[list[float]], budgets: Sequence[int], progress: Progress
) -> Any:
    """Compare packing by the cross-validated probabilities with top-k and greedy on each score."""
    from haversack.evaluation import Question, evaluate

    questions = [
        Question(
            str(i),
            each.columns,
            each.costs,
            each.needed,
            gold=each.gold,
            group=each.group,
            dataset=each.dataset,
        )
        for i, each in enumerate(examples)
    ]
    by_fold = lambda question: predicted[int(question.name)]  # noqa: E731
    return evaluate(questions, budgets, calibrator=by_fold, progress=progress)


def _check(examples: Sequence[Example]) -> None:
    if not examples:
        refuse("examples", "expected labelled questions, found none")
    names = list(examples[0].columns)
    for i, each in enumerate(examples):
        if list(each.columns) != names:
            found = ", ".join(each.columns)
            problem = f"expected the same as before ({', '.join(names)}), found {found}"
            refuse(f"examples[{i}].scores", problem)


def _field(given: Any, name: str, where: str, *default: Any) -> Any:
    get = given.get if hasattr(given, "get") else lambda key, *rest: getattr(given, key, *rest)
    value = get(name, *default) if default else get(name, None)
    if value is None and not default:
        refuse(f"{where}.{name}", "expected a list, found nothing")
    return value
