"""Every subset tried, on numbers of every awkward kind."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import haversack

from . import oracles

Draw = random.Random

COSTS: dict[str, Callable[[Draw], int]] = {
    "small, some zero": lambda draw: draw.choice([0, 0, 1, 2, 3, 5, 8, 13, 20]),
    "tokens": lambda draw: draw.randint(1, 400),
    "all but equal": lambda draw: draw.randint(99, 102),
    "ten thousand million": lambda draw: 10**10 + draw.randint(0, 50),
}
VALUES: dict[str, Callable[[Draw, int], Any]] = {
    "zero, negative, ties": lambda draw, _: draw.randint(-3, 4),
    "priorities": lambda draw, _: draw.randint(1, 10),
    "a constant more than the cost": lambda draw, cost: cost + 10,
    "the cost": lambda draw, cost: cost,
    "floats of 32 bits": lambda draw, _: float(np.float32(draw.random())),
    "floats of 53 bits": lambda draw, _: draw.random(),
    "floats of any size": lambda draw, _: draw.uniform(-0.2, 1) * 2.0 ** draw.randint(-60, 60),
    "the least floats": lambda draw, _: draw.choice(
        [5e-324, 1e-323, 2.2250738585072014e-308, 1e-310, 1e-300]
    ),
    "floats that are rarely distinct": lambda draw, _: draw.choice([0.1, 0.2, 0.3, -0.0, -0.1, 1.0]),
    "up to 63 bits": lambda draw, _: draw.randint(2**62, 2**63 - 1),
    "a hundred bits": lambda draw, _: 10**30 + draw.randint(-5, 5),
}
ROOMS: dict[str, Callable[[Draw, list[int]], int]] = {
    "0": lambda draw, costs: 0,
    "little": lambda draw, costs: draw.randint(0, max(costs)),
    "half": lambda draw, costs: sum(costs) // 2,
    "one less than all": lambda draw, costs: max(0, sum(costs) - 1),
    "all": lambda draw, costs: sum(costs),
}


def _draw(cost_kind: str, value_kind: str, n: int, seed: int) -> tuple[Draw, list[Any], list[int]]:
    draw = random.Random(f"{cost_kind}/{value_kind}/{n}/{seed}")
    costs = [COSTS[cost_kind](draw) for _ in range(n)]
    return draw, [VALUES[value_kind](draw, cost) for cost in costs], costs


def _judge(values: list[Any], costs: list[int], room: int) -> None:
    optimum = oracles.brute_force(values, costs, room)

    solution = haversack.knapsack(values, costs, room)

    chosen = list(solution.chosen)
    oracles.check_selection(values, costs, room, chosen)
    assert optimum.value == oracles.total(values, chosen), "there is a better selection"
    assert optimum.cost == sum(costs[i] for i in chosen) == solution.cost, "there is one of fewer tokens"
    assert solution.optimal
    assert _rounded(optimum.value, values) == solution.value == solution.bound


def _rounded(value: Fraction, values: list[Any]) -> int | float:
    return int(value) if all(isinstance(each, int) for each in values) else float(value)


@pytest.mark.parametrize(("cost_kind", "value_kind"), list(itertools.product(COSTS, VALUES)))
def test_no_subset_of_up_to_twelve_is_better(cost_kind: str, value_kind: str) -> None:
    """Thirty instances a kind, six with each kind of budget."""
    for seed, (room_kind, n) in enumerate(itertools.product(ROOMS, (1, 2, 5, 8, 10, 12))):
        draw, values, costs = _draw(cost_kind, value_kind, n, seed)
        _judge(values, costs, ROOMS[room_kind](draw, costs))


@pytest.mark.parametrize(("cost_kind", "value_kind"), list(itertools.product(COSTS, VALUES)))
def test_no_subset_of_eighteen_is_better(cost_kind: str, value_kind: str) -> None:
    """Half the total as budget, the hardest."""
    draw, values, costs = _draw(cost_kind, value_kind, 18, 0)

    _judge(values, costs, ROOMS["half"](draw, costs))


@pytest.mark.parametrize("value_kind", VALUES)
def test_pins_lower_the_room_and_keep_their_value(value_kind: str) -> None:
    """Optional snippets are judged in the room that the pins leave; pins count whatever they are worth."""
    for seed, n in enumerate((3, 6, 9, 12, 12, 12)):
        draw, values, costs = _draw("small, some zero", value_kind, n, seed)
        pinned = [draw.random() < 0.25 for _ in range(n)]
        budget = draw.randint(0, sum(costs))
        snippets = [
            {"cost": cost, "value": value, "pinned": pin}
            for cost, value, pin in zip(costs, values, pinned, strict=True)
        ]
        pins = [i for i in range(n) if pinned[i]]
        free = [i for i in range(n) if not pinned[i]]
        room = max(0, budget - sum(costs[i] for i in pins))
        optimum = oracles.brute_force([values[i] for i in free], [costs[i] for i in free], room)

        packing = haversack.pack(snippets, budget, over_budget="allow")

        best = optimum.value + oracles.total(values, pins)
        assert _rounded(best, values) == packing.value == haversack.max_value(snippets, budget)
        assert optimum.cost + sum(costs[i] for i in pins) == packing.cost
        assert all(any(snippets[i] is each for each in packing.selected) for i in pins)
