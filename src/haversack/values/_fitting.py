"""Fit a calibrator with scikit-learn: the only module that needs it."""

from __future__ import annotations

from haversack.values._features import features
from haversack.values._labels import budgets_of, gold_of, labels_of
from haversack.values._lists import columns_if_any, costs_of, places_of, refuse, shown, whole_of
from haversack.values._names import union
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
    """One question, read and checked: its candidates, their scores, and which of them are needed."""

    __slots__ = ("columns", "costs", "dataset", "gold", "group", "needed", "places", "rows")

    def __init__(self, given: Any, position: int) -> None:
        where = f"examples[{position}]"
        self.costs = costs_of(_field(given, "costs", where))
        self.columns = columns_if_any(_field(given, "scores", where), len(self.costs))
        self.needed = labels_of(_field(given, "needed", where), f"{where}.needed")
        if len(self.needed) != len(self.costs):
            refuse(f"{where}.needed", f"expected {len(self.costs)} labels, found {len(self.needed)}")
        self.gold = gold_of(_field(given, "gold", where, None), self.needed, f"{where}.gold")
        self.dataset = str(_field(given, "dataset", where, ""))
        group = _field(given, "group", where, None)
        self.group = (self.dataset, f"#{position}" if group is None else str(group))
        self.places = places_of(_field(given, "sections", where, None), len(self.costs))
        self.rows: list[list[float]] = []

    def column(self, name: str) -> list[float | None]:
        """Return the scores of that name; all are missing where the question has none."""
        return self.columns.get(name) or [None] * len(self.costs)

    def measure(self, names: Sequence[str]) -> None:
        """Make the features of these scores."""
        self.rows = features([self.column(name) for name in names], self.costs, self.places)


class Fitted:
    """A calibrator fitted on all examples, and what others, fitted without each one, predicted of it."""

    __slots__ = ("calibrator", "examples", "predicted")

    def __init__(
        self, calibrator: Calibrator, examples: Sequence[Example], predicted: list[list[float]] | None
    ) -> None:
        self.calibrator = calibrator
        self.examples = examples
        self.predicted = predicted


def fit_calibrator(
    given: Iterable[Any], *, folds: int, budgets: Sequence[int], progress: Progress = None
) -> Calibrator:
    """Return a calibrator fitted on all examples, its quality measured by cross-validation."""
    at = budgets_of(budgets)
    fitted = cross_validated(given, folds)
    quality = fitted.calibrator.quality
    if quality is not None and fitted.predicted is not None and at:
        quality.recall = _recall(fitted.calibrator.names, fitted.examples, fitted.predicted, at, progress)
    return fitted.calibrator


def cross_validated(given: Iterable[Any], folds: int) -> Fitted:
    """Fit on all examples, and for each fold on the others; the calibrator's quality is that of the latter.

    There is none, and no predictions, where all examples are of one group.
    """
    examples, names = read_examples(given)
    fold_of = _folds(examples, whole_of(folds, "folds", "a whole number of folds", 2))
    calibrator = fit(names, examples)
    if max(fold_of) == 0:
        return Fitted(calibrator, examples, None)
    predicted: list[list[float]] = [[] for _ in examples]
    for fold in range(max(fold_of) + 1):
        model = fit(names, [each for each, held in zip(examples, fold_of, strict=True) if held != fold])
        for i, each in enumerate(examples):
            if fold_of[i] == fold:
                predicted[i] = [model.probability(row) for row in each.rows]
    calibrator.quality = Quality(predicted, [each.needed for each in examples], max(fold_of) + 1)
    return Fitted(calibrator, examples, predicted)


def read_examples(given: Iterable[Any]) -> tuple[list[Example], list[str]]:
    """Return the examples, with their features, and the names of the scores that any of them has."""
    if isinstance(given, (str, bytes, dict)) or not hasattr(given, "__iter__"):
        problem = f"expected a list of labelled questions, found {shown(given)}"
        refuse("examples", problem, given, wrong_type=True)
    examples = [Example(each, i) for i, each in enumerate(given)]
    if not examples:
        refuse("examples", "expected labelled questions, found none")
    names = union([(f"examples[{i}]", each.columns) for i, each in enumerate(examples)])
    if not names:
        refuse("examples", "expected scores to fit on, found none in any question")
    for each in examples:
        each.measure(names)
    return examples, names


def fit(names: Sequence[str], examples: Sequence[Example]) -> Calibrator:
    """Return a calibrator fitted on all of the examples."""
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
    sizes: dict[tuple[str, str], int] = {}
    for each in examples:
        sizes[each.group] = sizes.get(each.group, 0) + 1
    load = [0] * min(wanted, len(sizes))
    fold_of = {}
    for group in sorted(sizes, key=lambda group: -sizes[group]):
        fold_of[group] = load.index(min(load))
        load[fold_of[group]] += sizes[group]
    return [fold_of[each.group] for each in examples]


def _recall(
    names: Sequence[str],
    examples: Sequence[Example],
    predicted: Sequence[list[float]],
    budgets: Sequence[int],
    progress: Progress,
) -> Any:
    """Compare packing by the cross-validated probabilities with top-k and greedy on each score."""
    from haversack.evaluation import Question, evaluate

    questions = [
        Question(
            str(i), {name: each.column(name) for name in names}, each.costs, each.needed,
            gold=each.gold, group=each.group[1], dataset=each.dataset,
        )
        for i, each in enumerate(examples)
    ]  # fmt: skip
    by_fold = lambda question: predicted[int(question.name)]  # noqa: E731
    return evaluate(questions, budgets, calibrator=by_fold, progress=progress)


def _field(given: Any, name: str, where: str, *default: Any) -> Any:
    get = given.get if hasattr(given, "get") else lambda key, *rest: getattr(given, key, *rest)
    value = get(name, *default) if default else get(name, None)
    if value is None and not default:
        refuse(f"{where}.{name}", "expected a list, found nothing")
    return value
