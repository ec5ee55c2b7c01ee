"""Effort may cost the proof, never the truth of the bound."""

from __future__ import annotations

import itertools
import math
import time
from fractions import Fraction
from typing import Any

import pytest

import haversack
from benchmarks import instances, rivals

from . import oracles

EFFORTS = (0, 1, 10, 100, 1000, 10_000, 100_000)


def _pack(values: list[Any], costs: list[int], budget: int, effort: Any) -> haversack.Packing[Any]:
    snippets = [{"cost": cost, "value": value} for cost, value in zip(costs, values, strict=True)]
    return haversack.pack(snippets, budget, effort=effort)


def _chosen(packing: haversack.Packing[Any]) -> list[int]:
    return [decision.position for decision in packing.decisions if decision.chosen]


def _judge(values: list[Any], costs: list[int], budget: int, effort: int, optimum: Fraction) -> None:
    packing = _pack(values, costs, budget, effort)

    oracles.check_selection(values, costs, budget, _chosen(packing))
    found = oracles.total(values, _chosen(packing))
    assert packing.value == found if isinstance(packing.value, int) else packing.value == float(found)
    assert oracles.greedy(values, costs, budget) <= found <= optimum
    # Of a proven packing the bound is the value, rounded once like it; any other bound is rounded up.
    assert found == optimum if packing.optimal else optimum <= Fraction(packing.bound)
    assert packing.optimal == (packing.value == packing.bound) == (packing.gap == 0)


@pytest.mark.parametrize(("kind", "effort"), list(itertools.product(instances.PISINGER, EFFORTS)))
def test_the_bound_is_true_at_every_effort(kind: str, effort: int) -> None:
    """Never below greedy by value per token, never above the optimum, never a bound below it."""
    for n, spread in ((40, 1000), (200, 1000)):
        instance = instances.pisinger(kind, n=min(n, 40) if kind == "similar" else n, R=spread)
        optimum = Fraction(rivals.numpy_table(instance))
        _judge(instance.values.tolist(), instance.costs.tolist(), instance.budget, effort, optimum)


@pytest.mark.parametrize("effort", EFFORTS)
def test_the_bound_is_true_for_floats_at_every_effort(effort: int) -> None:
    """The optimum by brute force, in exact integers; the bound is a float rounded up."""
    for seed in range(20):
        instance = instances.snippets("tokens", "sim", n=16, budget=0.5, seed=seed)
        values, costs = instance.values.tolist(), instance.costs.tolist()
        optimum = oracles.brute_force(values, costs, instance.budget).value
        _judge(values, costs, instance.budget, effort, optimum)


@pytest.mark.parametrize("effort", EFFORTS)
def test_the_bound_is_true_for_wide_integers_at_every_effort(effort: int) -> None:
    """Values of a hundred bits take another path; the promise is the same."""
    instance = instances.pisinger("strongly", n=30)
    values, costs = [10**30 * value for value in instance.values.tolist()], instance.costs.tolist()
    optimum = 10**30 * oracles.meet_in_the_middle(instance.values.tolist(), costs, instance.budget)

    _judge(values, costs, instance.budget, effort, Fraction(optimum))


@pytest.mark.parametrize("effort", [0, 1000, 100_000])
def test_no_more_states_are_created_than_allowed(effort: int) -> None:
    """States over all phases; the last merge may end what it began, at most doubling them."""
    for instance in (instances.pisinger("circle", n=1000, R=10**6), instances.jooken(n=400, c=10**10, g=6)):
        packing = _pack(instance.values.tolist(), instance.costs.tolist(), instance.budget, effort)

        assert packing.statistics["states"] <= 2 * effort + 1000


def test_words_name_efforts() -> None:
    """ "greedy" is 0, "normal" the default, "full" no limit."""
    instance = instances.pisinger("strongly", n=200)
    columns = instance.values.tolist(), instance.costs.tolist(), instance.budget

    for word, number in (("greedy", 0), ("normal", None), ("full", math.inf)):
        named, numbered = _pack(*columns, word), _pack(*columns, number)
        assert (_chosen(named), named.bound) == (_chosen(numbered), numbered.bound)


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

    packing = _pack(instance.values.tolist(), instance.costs.tolist(), instance.budget, 100)

    assert not packing.optimal
    assert packing.gap == packing.bound - packing.value > 0
