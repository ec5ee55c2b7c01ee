"""A free snippet adds its value to whatever is best without it, on instances that take a long search."""

from __future__ import annotations

import random

import pytest

from haversack import pack


def _hard(seed: int) -> tuple[list[int], list[int], int]:
    """Values that hardly differ from the costs, or by a constant (weak, strong correlation)."""
    chance = random.Random(seed)
    size, largest = chance.randint(30, 78), chance.choice([1_000, 100_000, 10_000_000])
    costs = [chance.randint(1, largest) for _ in range(size)]
    noise = 0 if seed % 2 else largest // 500
    values = [cost + largest // 10 + chance.randint(-noise, noise) for cost in costs]
    return costs, values, chance.randint(largest, largest * size // 2)


@pytest.mark.parametrize("effort", [None, 3_000])
@pytest.mark.parametrize("worth", [1, 40])
def test_a_free_snippet_adds_its_value(worth: int, effort: int | None) -> None:
    """It is decided before the search, whose bounds know no infinite value per token."""
    # The first ones once lost the free snippet, and were called optimal.
    for seed in [322, 488, 527, 575, 584, 711, 721, 777, *range(100)]:
        costs, values, budget = _hard(seed)
        snippets = [{"cost": cost, "value": value} for cost, value in zip(costs, values, strict=True)]
        free = {"cost": 0, "value": worth}

        without = pack(snippets, budget, effort=effort)
        beside = pack([*snippets, free], budget, effort=effort)

        assert beside.selected[-1] is free, seed
        assert beside.bound >= without.value + worth, seed
        if without.optimal and beside.optimal:
            assert beside.value == without.value + worth, seed
