"""Percentile bootstrap intervals of means over questions (Efron 1979); all methods see the same draws."""

from __future__ import annotations

import operator
import random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Draw = dict[str, Callable[[Sequence[float]], tuple[float, ...]]]


def draws(groups: Mapping[str, Sequence[str]], resamples: int, seed: int) -> list[Draw]:
    """Return *resamples* random draws: for each set a function that picks the drawn questions' figures.

    *groups* has each set's questions' groups; whole groups are drawn with replacement, within their set.
    """
    generator = random.Random(seed)
    members: dict[str, list[list[int]]] = {}
    for name, labels in groups.items():
        by_label: dict[str, list[int]] = {}
        for i, group in enumerate(labels):
            by_label.setdefault(group, []).append(i)
        members[name] = list(by_label.values())
    return [
        {name: _picker(generator.choices(grouped, k=len(grouped))) for name, grouped in members.items()}
        for _ in range(resamples)
    ]


def mean_of_sets(figures: Mapping[str, Sequence[float]]) -> float:
    """Return the mean over sets of the mean over questions: each set counts the same.

    >>> mean_of_sets({"a": [1.0], "b": [0.0, 0.5]})
    0.625
    """
    return sum(sum(column) / len(column) for column in figures.values()) / len(figures)


def resampled(figures: Mapping[str, Sequence[float]], drawn: Sequence[Draw]) -> list[float]:
    """Return the mean of sets in each draw."""
    return [mean_of_sets({name: pick(figures[name]) for name, pick in draw.items()}) for draw in drawn]


def interval(means: Sequence[float]) -> tuple[float, float]:
    """Return the middle 95 % of resampled means.

    >>> interval([float(i) for i in range(1001)])
    (25.0, 975.0)
    """
    ordered = sorted(means)
    last = len(ordered) - 1
    return ordered[round(0.025 * last)], ordered[round(0.975 * last)]


def _picker(grouped: Sequence[Sequence[int]]) -> Callable[[Sequence[float]], tuple[float, ...]]:
    positions = [i for group in grouped for i in group]
    if len(positions) == 1:  # itemgetter of one position returns no tuple
        return lambda column: (column[positions[0]],)
    return operator.itemgetter(*positions)
