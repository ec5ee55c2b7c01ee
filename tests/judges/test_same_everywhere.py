"""The same answer in every process, with and without vector instructions, and in every thread."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import haversack
from benchmarks import instances
from benchmarks.instances import Instance
from haversack import _core

ROOT = Path(__file__).parents[2]
SEEDS = range(20)


def family() -> Iterator[Instance]:
    """A few of everything, small enough for twenty processes."""
    for kind in instances.VALUE_KINDS:
        yield instances.snippets("tokens", kind, n=300, budget=8000, free=0.05)
    for kind in instances.PISINGER:
        yield instances.pisinger(kind, n=100)


def large_family() -> Iterator[Instance]:
    """Long enough for the vector loops, with remainders of every length."""
    yield from family()
    for kind in instances.VALUE_KINDS:
        for n in (10_000, 10_001, 10_007, 65_539):
            yield instances.snippets("tokens", kind, n=n, budget=0.1)


def digest(solution: haversack.Solution) -> str:
    """A name for the chosen set and all that is claimed of it."""
    claims = bytes(solution.chosen) + repr((solution.value, solution.cost, solution.bound)).encode()
    return hashlib.sha256(claims).hexdigest()[:16]


def solve(instance: Instance) -> str:
    """Solve and name the answer."""
    return digest(haversack.knapsack(instance.values, instance.costs, instance.budget))


def pack(instance: Instance) -> list[str | int]:
    """Pack the same numbers as dicts with ids, and list the ids chosen."""
    columns = zip(instance.costs.tolist(), instance.values.tolist(), strict=True)
    snippets = [{"id": f"s{i}", "cost": c, "value": v} for i, (c, v) in enumerate(columns)]
    return [snippet["id"] for snippet in haversack.pack(snippets, instance.budget).selected]


_PRINT = """
from tests.judges import test_same_everywhere as same
for instance in same.family():
    print(same.solve(instance), same.pack(instance))
"""


def test_the_answer_is_the_same_under_twenty_hash_seeds() -> None:
    """Two processes at a time; every one prints the answers of the whole family."""

    def run(seed: int) -> str:
        # The root is needed to find the tests, and only it: the package comes from where it is installed.
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", _PRINT]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    with ThreadPoolExecutor(2) as processes:
        outputs = list(processes.map(run, SEEDS))

    assert outputs[0].count("\n") == sum(1 for _ in family())
    assert {outputs[0]} == set(outputs)


@pytest.fixture
def dispatch() -> Iterator[None]:
    """Leave the dispatch as it was found."""
    before = _core.set_dispatch(True)
    yield
    _core.set_dispatch(before)


@pytest.mark.usefixtures("dispatch")
def test_the_answer_is_the_same_with_and_without_vector_instructions() -> None:
    """Wide registers may only be faster."""
    for instance in large_family():
        _core.set_dispatch(False)
        plain = solve(instance)
        _core.set_dispatch(True)

        assert plain == solve(instance), instance.name


def test_threads_that_solve_at_once_get_the_answers_of_one_alone() -> None:
    """Nothing is shared between calls."""
    everything = [*family()] * 4
    alone = [solve(instance) for instance in everything]

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(solve, everything))

    assert alone == together
