"""Effort may cost the proof, never the truth of the bound."""

from __future__ import annotations

import itertools
import math
import time
from fractions import Fraction

import pytest

import haversack
from benchmarks import instances, rivals
from benchmarks.instances import Instance

from . import oracles

EFFORTS = (0, 1, 10, 100, 1000, 10_000, 100_000)


def _judge(instance: Instance, effort: int, optimum: Fraction) -> None:
    values, costs = instance.values.tolist(), instance.costs.tolist()

    solution = haversack.knapsack(instance.values, instance.costs, instance.budget, effort=effort)

    chosen = list(solution.chosen)
    oracles.check_selection(values, costs, instance.budget, chosen)
    found = oracles.total(values, chosen)
    assert solution.value == float(found)
    assert oracles.greedy(values, costs, instance.budget) <= found <= optimum <= Fraction(solution.bound)
    assert solution.optimal == (solution.value == solution.bound)
    assert not solution.optimal or found == optimum


@pytest.mark.parametrize(("kind", "effort"), itertools.product(instances.PISINGER, EFFORTS))
def test_the_bound_is_true_at_every_effort(kind: str, effort: int) -> None:
    """Never below greedy by value per token, never above the optimum, never a bound below it."""
    for n, spread in ((40, 1000), (200, 1000)):
        instance = instances.pisinger(kind, n=min(n, 40) if kind == "similar" else n, R=spread)
        _judge(instance, effort, Fraction(rivals.numpy_table(instance)))


@pytest.mark.parametrize("effort", EFFORTS)
def test_the_bound_is_true_for_floats_at_every_effort(effort: int) -> None:
    """The optimum by brute force, in exact integers; the bound is a float rounded up."""
    for seed in range(20):
        instance = instances.snippets("tokens", "sim", n=16, budget=0.5, seed=seed)
        values, costs = instance.values.tolist(), instance.costs.tolist()
        _judge(instance, effort, oracles.brute_force(values, costs, instance.budget).value)


@pytest.mark.parametrize("effort", EFFORTS)
def test_the_bound_is_true_for_wide_integers_at_every_effort(effort: int) -> None:
    """Values of a hundred bits take another path; the promise is the same."""
    instance = instances.pisinger("strongly", n=30)
    values, costs = [10**30 * value for value in instance.values.tolist()], instance.costs.tolist()
    optimum = 10**30 * oracles.meet_in_the_middle(instance.values.tolist(), costs, instance.budget)

    solution = haversack.knapsack(values, costs, instance.budget, effort=effort)

    assert oracles.greedy(values, costs, instance.budget) <= solution.value <= optimum <= solution.bound
    assert solution.optimal == (solution.value == solution.bound)


@pytest.mark.parametrize("effort", [0, 1000, 100_000])
def test_no_more_states_are_created_than_allowed(effort: int) -> None:
    """States over all phases; the last merge may end what it began, at most doubling them."""
    for instance in (instances.pisinger("circle", n=1000, R=10**6), instances.jooken(n=400, c=10**10, g=6)):
        solution = haversack.knapsack(instance.values, instance.costs, instance.budget, effort=effort)

        assert solution.statistics["states"] <= 2 * effort + 1000


def test_words_name_efforts() -> None:
    """ "greedy" is 0, "normal" the default, "full" no limit."""
    instance = instances.pisinger("strongly", n=200)
    columns = instance.values, instance.costs, instance.budget

    for word, number in (("greedy", 0), ("normal", None), ("full", math.inf)):
        named = haversack.knapsack(*columns, effort=word)
        numbered = haversack.knapsack(*columns, effort=number)
        assert (list(named.chosen), named.bound) == (list(numbered.chosen), numbered.bound)


@pytest.mark.parametrize("groups", [2, 6, 14])
def test_hostile_input_ends_at_the_default_effort(groups: int) -> None:
    """About a second on an idle machine; ten times that is allowed here. The claim made is true."""
    instance = instances.jooken(n=1200, c=10**10, g=groups)
    started = time.perf_counter()

    solution = haversack.knapsack(instance.values, instance.costs, instance.budget)

    assert time.perf_counter() - started < 10
    assert solution.optimal == (solution.value == solution.bound)
    assert solution.bound <= rivals.fractional_bound(instance) + 1


def test_a_pack_past_its_effort_says_so() -> None:
    """`gap` is what may be missing at most."""
    instance = instances.jooken(n=1200, c=10**10, g=6)
    pairs = zip(instance.costs.tolist(), instance.values.tolist(), strict=True)
    snippets = [{"cost": cost, "value": value} for cost, value in pairs]

    packing = haversack.pack(snippets, instance.budget, effort=100)

    assert not packing.optimal
    assert packing.gap == packing.bound - packing.value > 0
