"""Where every snippet is worth nearly the same a token, only exact arithmetic tells them apart."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from haversack import knapsack, max_value, pack, reference

FACTORS = [0.1, 1 / 3, 0.7, 0.9, 1.1]


def _instance(seed: int) -> tuple[list[int], list[int], int]:
    """Integers of 50 to 58 bits that differ from a line in cost by rounding alone."""
    chance = random.Random(seed)
    costs = [chance.randint(1, 60) for _ in range(chance.randint(5, 22))]
    factor, bits = chance.choice(FACTORS), chance.randint(46, 53)
    return costs, [int(cost * factor * 2**bits) for cost in costs], chance.randint(1, sum(costs))


@pytest.mark.parametrize("block", range(8))
def test_integers_that_differ_in_their_last_bits_are_told_apart(block: int) -> None:
    """The table of Python integers is the judge."""
    for seed in range(100 * block, 100 * block + 100):
        costs, values, budget = _instance(seed)
        snippets = [{"cost": c, "value": v} for c, v in zip(costs, values, strict=True)]

        assert max_value(snippets, budget) == reference.max_value(snippets, budget), seed


@pytest.mark.parametrize("factor", FACTORS)
def test_floats_that_differ_in_their_last_bits_are_told_apart(factor: float) -> None:
    """Selections compare by exact sums: the table runs over the floats as fractions."""
    for seed in range(60):
        chance = random.Random(f"{factor} {seed}")
        costs = [chance.randint(1, 60) for _ in range(20)]
        values = [cost * factor for cost in costs]
        budget = chance.randint(1, sum(costs))
        best = [Fraction(0)] * (budget + 1)
        for cost, value in zip(costs, values, strict=True):
            for room in range(budget, cost - 1, -1):
                best[room] = max(best[room], best[room - cost] + Fraction(value))

        solution = knapsack(values, costs, budget)

        assert sum(Fraction(values[i]) for i in solution.chosen) == best[budget], seed
        assert solution.optimal


def test_a_pin_of_almost_2_62_tokens_leaves_room_under_a_larger_budget() -> None:
    """The capacity is clamped after the pins are taken off, not before."""
    packing = pack([{"cost": 2**62 - 1, "value": 1, "pinned": True}, {"cost": 2, "value": 1}], 2**63)

    assert (packing.value, packing.optimal) == (2, True)


def test_a_frontier_never_passes_the_states_it_may_create() -> None:
    """Forty costs of 40 bits, each worth its cost: no proof within the effort, and no flood of states."""
    chance = random.Random(1)
    costs = [chance.randint(1, 10**12) for _ in range(40)]
    snippets = [{"cost": cost, "value": cost} for cost in costs]
    for effort in (0, 1, 10, 100, 1_000, 100_000):
        packing = pack(snippets, sum(costs) // 2, effort=effort)

        assert packing.statistics["states"] <= effort
        assert packing.value <= packing.bound <= sum(costs) // 2
