"""The ways of choosing that are compared: top-k, greedy, and exact packing of several kinds of values."""

from __future__ import annotations

import math

from haversack.values._standard import standardised
from haversack.values.scores import from_scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from haversack.evaluation.questions import Question

    Choice = list[int]
    Predict = Callable[[Question], Sequence[float]]
    Solve = Callable[[list[Any], list[int], int], Sequence[int]]

#: How much less than a positive raw score the others are worth: they decide what nothing else does.
LITTLE = 1e-9

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


def raw(scores: Sequence[float | None]) -> list[float]:
    """Return scores as values: as they are, but that nothing is worthless, which no score can say.

    A missing one counts as the lowest. What is not positive is worth next to nothing, in the order of the
    scores, so that it fills room which is left; if nothing is positive, that is what counts. The unit does
    not matter.

    >>> [round(worth, 6) for worth in raw([0.5, 0.25, None, -0.1])]
    [0.5, 0.25, 0.0, 0.0]
    >>> first, second, missing = raw([-1, -2, None])
    >>> first > second == missing > 0
    True
    """
    present = [score for score in scores if score is not None]
    magnitude = max(map(abs, present), default=0.0)
    if magnitude == 0.0:
        return [1.0] * len(scores)
    # A power of two brings all into [-1, 1], so that no sum can leave the range of floats.
    exponent = -math.frexp(magnitude)[1]
    lowest = math.ldexp(min(present), exponent)
    held = [lowest if score is None else math.ldexp(score, exponent) for score in scores]
    return [max(score, 0.0) + LITTLE * (score - lowest + LITTLE) for score in held]


def choices(
    question: Question,
    columns: Mapping[str, list[float | None]],
    values: Sequence[float] | None,
    budgets: Sequence[int],
    solve: Solve,
    predict: Predict | None,
) -> Iterator[tuple[str, list[Sequence[int]]]]:
    """Yield each method's name with its choice at each budget; *columns* are the scores to use."""
    costs = question.costs
    scores = columns or {"value": list(values or [])}
    ordered = dict(scores)
    if len(scores) > 1:
        ordered["sum-of-z"] = _sum_of_z(list(scores.values()), len(costs))
    for name, column in ordered.items():
        yield f"topk:{name}", [top_k(column, costs, budget) for budget in budgets]
        yield f"greedy:{name}", [greedy(column, costs, budget) for budget in budgets]
    valued: list[tuple[str, list[Any]]] = [("ours", list(from_scores(scores, costs)))]
    valued += [(f"raw:{name}", raw(column)) for name, column in columns.items()]
    if values is not None:
        valued.append(("values", list(values)))
    if predict is not None:
        p = list(predict(question))
        per_token: list[float | None] = [each / max(cost, 1) for each, cost in zip(p, costs, strict=True)]
        yield "greedy:calibrated p", [greedy(p, costs, budget) for budget in budgets]
        yield "greedy:calibrated p per token", [greedy(per_token, costs, budget) for budget in budgets]
        valued.append(("calibrated", p))
    valued.append(("ceiling", [int(need) for need in question.needed]))
    for method, worths in valued:
        yield method, [solve(worths, costs, budget) for budget in budgets]


def _best_first(scores: Sequence[float | None]) -> list[int]:
    return sorted(range(len(scores)), key=lambda i: _descending(scores[i]))


def _descending(score: float | None) -> tuple[bool, float]:
    return (True, 0.0) if score is None else (False, -score)


def _sum_of_z(columns: Sequence[Sequence[float | None]], count: int) -> list[float | None]:
    z = [standardised(column) or [0.0] * count for column in columns]
    return [sum(column[i] for column in z) for i in range(count)]
