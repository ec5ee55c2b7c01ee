"""The ways of choosing that are compared: top-k, greedy, and exact packing of several kinds of values."""

from __future__ import annotations

from haversack.values._standard import standardised
from haversack.values.scores import from_scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from haversack.evaluation.questions import Question
    from haversack.values.calibrator import Calibrator

    Choice = list[int]
    Predict = Callable[[Question], Sequence[float]]
    Solve = Callable[[list[Any], list[int], int], Sequence[int]]

#: What each kind of method is, in words; {} is the name of the score.
LABELS = {
    "topk": "top-k until full, {}",
    "greedy": "greedy with skip, {}",
    "raw": "exact packing of the raw score, {}",
    "values": "exact packing of your values",
    "ours": "exact packing of from_scores",
    "calibrated": "exact packing of calibrated p",
    "ceiling": "ceiling (knows the evidence)",
}


def label(method: str) -> str:
    """Return the words for a method.

    >>> label("greedy:dense")
    'greedy with skip, dense'
    """
    kind, _, name = method.partition(":")
    return LABELS[kind].format({"sum-of-z": "sum of z"}.get(name, name))


def top_k(scores: Sequence[float | None], costs: Sequence[int], budget: int) -> Choice:
    """Take snippets in order of score until one does not fit.

    >>> top_k([0.9, 0.8, 0.7], [60, 50, 30], budget=100)
    [0]
    """
    chosen: Choice = []
    for i in _best_first(scores):
        if costs[i] > budget:
            break
        chosen.append(i)
        budget -= costs[i]
    return chosen


def greedy(scores: Sequence[float | None], costs: Sequence[int], budget: int) -> Choice:
    """Take snippets in order of score, skipping those that do not fit.

    >>> greedy([0.9, 0.8, 0.7], [60, 50, 30], budget=100)
    [0, 2]
    """
    chosen: Choice = []
    for i in _best_first(scores):
        if costs[i] <= budget:
            chosen.append(i)
            budget -= costs[i]
    return chosen


def exact(values: list[Any], costs: list[int], budget: int) -> Sequence[int]:
    """Choose the set of greatest total value that fits."""
    from haversack import knapsack

    return list(knapsack(values, costs, budget).chosen)


def choices(
    question: Question,
    columns: Mapping[str, list[float | None]],
    budgets: Sequence[int],
    solve: Solve,
    calibrator: Calibrator | Predict | None,
) -> Iterator[tuple[str, list[Sequence[int]]]]:
    """Yield each method's name with its choice at each budget; *columns* are the scores to use."""
    costs = question.costs
    values = question.values
    scores = columns or {"value": list(values or [])}
    for name, column in scores.items():
        yield f"topk:{name}", [top_k(column, costs, budget) for budget in budgets]
        yield f"greedy:{name}", [greedy(column, costs, budget) for budget in budgets]
    if len(scores) > 1:
        total = _sum_of_z(list(scores.values()), len(costs))
        yield "topk:sum-of-z", [top_k(total, costs, budget) for budget in budgets]
        yield "greedy:sum-of-z", [greedy(total, costs, budget) for budget in budgets]
    valued: list[tuple[str, list[Any]]] = [("ours", list(from_scores(scores, costs)))]
    if columns:
        name = next(iter(scores))
        valued.append((f"raw:{name}", [score or 0.0 for score in scores[name]]))
    if values is not None:
        valued.append(("values", list(values)))
    if calibrator is not None:
        p = _predicted(question, calibrator)
        yield "greedy:calibrated p", [greedy(p, costs, budget) for budget in budgets]
        valued.append(("calibrated", list(p)))
    valued.append(("ceiling", [int(need) for need in question.needed]))
    for method, worths in valued:
        yield method, [solve(worths, costs, budget) for budget in budgets]


def _predicted(question: Question, calibrator: Calibrator | Predict) -> list[float]:
    if callable(calibrator):
        return list(calibrator(question))
    known = {name: question.scores[name] for name in calibrator.names if name in question.scores}
    return calibrator.predict(known, question.costs)


def _best_first(scores: Sequence[float | None]) -> list[int]:
    return sorted(range(len(scores)), key=lambda i: _descending(scores[i]))


def _descending(score: float | None) -> tuple[bool, float]:
    return (True, 0.0) if score is None else (False, -score)


def _sum_of_z(columns: Sequence[Sequence[float | None]], count: int) -> list[float | None]:
    z = [standardised(column) or [0.0] * count for column in columns]
    return [sum(column[i] for column in z) for i in range(count)]
