"""Optima by enumeration, in exact integers; and what a selection has to satisfy besides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

Numbers = list[Any]


class Optimum(NamedTuple):
    """The greatest value, exact, and the fewest tokens that reach it."""

    value: Fraction
    cost: int


def whole(values: Numbers) -> tuple[list[int], int]:
    """Return the values as integers over one common denominator, exactly."""
    denominator = max(Fraction(value).denominator for value in [*values, 0])
    return [int(Fraction(value) * denominator) for value in values], denominator


def _subset_sums(numbers: list[int]) -> Any:
    """The sum of every subset: position b holds the subset whose members are the bits of b."""
    wide = sum(map(abs, numbers)) >= 2**62
    sums = np.zeros(1, dtype=object if wide else np.int64)
    for number in numbers:
        sums = np.concatenate([sums, sums + number])
    return sums


def brute_force(values: Numbers, costs: list[int], room: int) -> Optimum:
    """Try every subset of at most 20 items."""
    profits, denominator = whole(values)
    weights, gains = _subset_sums(costs), _subset_sums(profits)
    fitting = np.flatnonzero(weights <= room)
    best = gains[fitting].max()
    return Optimum(Fraction(int(best), denominator), int(weights[fitting][gains[fitting] == best].min()))


def meet_in_the_middle(values: Numbers, costs: list[int], room: int) -> int:
    """Try every subset of each half and match them (Horowitz & Sahni 1974): up to 40 items, int64 sums."""
    half = len(costs) // 2
    left_weights, left_gains = _subset_sums(costs[:half]), _subset_sums(values[:half])
    right_weights, right_gains = _subset_sums(costs[half:]), _subset_sums(values[half:])
    order = np.argsort(right_weights, kind="stable")
    best_within = np.maximum.accumulate(right_gains[order])
    fitting = left_weights <= room
    partners = np.searchsorted(right_weights[order], room - left_weights[fitting], side="right") - 1
    return int((left_gains[fitting] + best_within[partners]).max())


def greedy(values: Numbers, costs: list[int], room: int) -> Fraction:
    """Take what fits by falling value per token; of equals the lighter, then the earlier."""
    worth = [i for i in range(len(costs)) if values[i] > 0 and costs[i] <= room]
    total = sum((Fraction(values[i]) for i in worth if costs[i] == 0), Fraction(0))
    order = sorted((i for i in worth if costs[i]), key=lambda i: (-Fraction(values[i]) / costs[i], costs[i]))
    for i in order:
        if costs[i] <= room:
            room -= costs[i]
            total += Fraction(values[i])
    return total


def total(values: Numbers, chosen: Any) -> Fraction:
    """The exact sum of what was chosen."""
    return sum((Fraction(values[i]) for i in chosen), Fraction(0))


def check_selection(values: Numbers, costs: list[int], room: int, chosen: list[int]) -> None:
    """Assert the rules that hold for every selection of optional items, optimal or not."""
    taken = set(chosen)
    assert chosen == sorted(taken), "ascending, each once"
    assert sum(costs[i] for i in chosen) <= room
    assert all(values[i] > 0 for i in chosen), "a worthless item was taken"
    free = {i for i in range(len(costs)) if costs[i] == 0 and values[i] > 0}
    assert free <= taken, "a free item was left out"
    left_out_before: set[tuple[int, Any]] = set()
    for i, kind in enumerate(zip(costs, values, strict=True)):
        assert i not in taken or kind not in left_out_before, "of equal items the earlier comes first"
        if i not in taken:
            left_out_before.add(kind)
