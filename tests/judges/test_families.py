"""OR-tools, HiGHS, a table and enumeration, on the families of the literature."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import haversack
from benchmarks import checks, instances, rivals
from benchmarks.instances import Instance

from . import oracles


def solve(instance: Instance) -> haversack.Solution:
    """Solve at the default effort; the answer has to be proven and to add up."""
    solution = checks.sound(instance, haversack.knapsack(instance.values, instance.costs, instance.budget))
    assert solution.optimal
    return solution


@pytest.mark.parametrize(
    ("costs", "values", "budget"),
    list(itertools.product(instances.COST_KINDS, ("int1000", "int1e6", "prio10"), (8000, 0.5))),
)
def test_or_tools_agrees_on_snippets(costs: str, values: str, budget: float) -> None:
    """Branch and bound, a hundred snippets."""
    instance = instances.snippets(costs, values, n=100, budget=budget)

    assert rivals.ortools_branch_and_bound(instance, seconds=60) == solve(instance).value


@pytest.mark.parametrize(
    ("costs", "values", "budget"),
    list(itertools.product(instances.COST_KINDS, instances.VALUE_KINDS, (8000, 32000))),
)
def test_the_table_agrees_on_a_thousand_snippets(costs: str, values: str, budget: int) -> None:
    """The seed's recurrence in NumPy; its float sums are rounded at every step."""
    instance = instances.snippets(costs, values, n=1000, budget=budget, free=0.05)

    table = rivals.numpy_table(instance)

    if instance.values.dtype.kind == "i":
        assert table == solve(instance).value
    else:
        assert math.isclose(table, solve(instance).value, rel_tol=1e-11)


@pytest.mark.parametrize("values", ["float", "sim", "simcost", "int1000"])
def test_highs_agrees_on_snippets(values: str) -> None:
    """HiGHS works to tolerances: equal values within 1e-9."""
    instance = instances.snippets("tokens", values, n=200, budget=8000)

    assert math.isclose(rivals.highs(instance, seconds=60) or 0, solve(instance).value, rel_tol=1e-9)


@pytest.mark.parametrize("kind", instances.PISINGER)
def test_highs_agrees_on_the_literature_s_classes(kind: str) -> None:
    """Fifty items, where HiGHS proves even the hard classes within seconds."""
    instance = instances.pisinger(kind, n=50)

    assert rivals.highs(instance, seconds=60) == solve(instance).value


@pytest.mark.parametrize(
    ("kind", "size"),
    [(kind, (n, spread)) for kind in instances.PISINGER for n, spread in ((200, 1000), (60, 10_000))],
)
def test_the_table_agrees_on_the_literature_s_classes(kind: str, size: tuple[int, int]) -> None:
    """Two hundred items of a small range and sixty of a larger one."""
    n, spread = size
    instance = instances.pisinger(kind, n=20 if kind == "similar" else n, R=spread)

    assert rivals.numpy_table(instance) == solve(instance).value


def _enumerate(instance: Instance) -> None:
    """Few items of a large range are the hardest to prove: the default effort may end first, and says so."""
    values, costs = instance.values.tolist(), instance.costs.tolist()
    optimum = oracles.meet_in_the_middle(values, costs, instance.budget)

    solution = checks.sound(instance, haversack.knapsack(instance.values, instance.costs, instance.budget))

    assert solution.value <= optimum <= solution.bound
    assert solution.value == optimum or not solution.optimal


@pytest.mark.parametrize(
    ("kind", "spread"), list(itertools.product(instances.PISINGER, (10**3, 10**4, 10**6, 10**9)))
)
def test_enumeration_agrees_on_the_literature_s_classes(kind: str, spread: int) -> None:
    """Thirty-six items of any range."""
    _enumerate(instances.pisinger(kind, n=36, R=spread))


@pytest.mark.parametrize(("groups", "offset"), list(itertools.product((2, 6, 14), (0.0, 1e-3))))
def test_the_table_agrees_on_jooken_instances(groups: int, offset: float) -> None:
    """Four hundred items, capacity a million."""
    instance = instances.jooken(n=400, c=10**6, g=groups, eps=offset)

    assert rivals.numpy_table(instance) == solve(instance).value


@pytest.mark.parametrize(("groups", "capacity"), list(itertools.product((2, 6, 14), (10**8, 10**10))))
def test_enumeration_agrees_on_jooken_instances(groups: int, capacity: int) -> None:
    """Thirty-six items, capacities beyond any table."""
    _enumerate(instances.jooken(n=36, c=capacity, g=groups, eps=1e-3))


def test_every_door_and_every_buffer_gives_the_same_answer() -> None:
    """Lists, int64, int32, float64 of whole numbers, and dicts."""
    instance = instances.snippets("tokens", "int1000", n=500, budget=8000)
    costs, values = instance.costs.tolist(), instance.values.tolist()
    expected = list(solve(instance).chosen)

    for kind in (np.int32, np.int64, np.float32, np.float64):
        for cost_column in (costs, instance.costs, instance.costs.astype(np.int32)):
            solution = haversack.knapsack(instance.values.astype(kind), cost_column, instance.budget)
            assert expected == list(solution.chosen)
    snippets = [{"cost": cost, "value": value} for cost, value in zip(costs, values, strict=True)]
    packing = haversack.pack(snippets, instance.budget)
    assert [snippets[i] for i in expected] == list(packing.selected)


@pytest.mark.parametrize("kind", ["int1000", "float"])
def test_a_million_items_lie_between_greedy_and_dantzig(kind: str) -> None:
    """Too many for any judge: the answer adds up and is proven under Dantzig's bound."""
    instance = instances.snippets("tokens", kind, n=10**6, budget=0.25)

    solution = solve(instance)

    assert solution.value >= rivals.fractional_bound(instance) * (1 - 1e-6)


@pytest.mark.parametrize(
    ("kind", "budget", "checksum"),
    [
        ("uncorrelated", 251666, "9d1cc8dd"),
        ("span_strong", 517361, "313f48fe"),
        ("circle", 251897, "3883c2bb"),
    ],
)
def test_the_draws_never_change(kind: str, budget: int, checksum: str) -> None:
    """Figures taken a year apart compare only if the arrays are the same."""
    instance = instances.pisinger(kind, n=1000)

    assert (budget, checksum) == (instance.budget, instance.checksum)
