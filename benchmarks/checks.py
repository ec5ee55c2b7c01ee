"""Agree or stop: a figure is worth nothing if the answers differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

import haversack
from benchmarks import rivals
from benchmarks.instances import Instance


class DisagreementError(AssertionError):
    """Two solvers, or a solver and its own selection, contradict each other."""


def same_value(job: str, answers: Mapping[str, float | None], *, exact: bool) -> None:
    """Stop unless all *answers* are equal (floats of solvers with tolerances: within 1e-6 of each other)."""
    known = {name: answer for name, answer in answers.items() if answer is not None}
    first = next(iter(known.values()))
    for name, answer in known.items():
        if answer != first and (exact or not math.isclose(answer, first, rel_tol=1e-6)):
            raise DisagreementError(f"{job}: {name} found {answer!r}, but the others {known!r}")


def sound(instance: Instance, solution: haversack.Solution) -> haversack.Solution:
    """Stop unless *solution* fits, adds up, and lies between its own bound and Dantzig's."""
    chosen = np.asarray(solution.chosen)
    cost, value = instance.costs[chosen].sum().item(), math.fsum(instance.values[chosen].tolist())
    ceiling = rivals.fractional_bound(instance)
    claims: dict[str, Any] = {
        "the cost adds up": cost == solution.cost,
        "the value adds up": value == solution.value,
        "it fits": cost <= instance.budget,
        "no item twice": len(np.unique(chosen)) == len(chosen),
        "value <= bound, equal only if optimal": solution.value <= solution.bound
        and (solution.value == solution.bound) == solution.optimal,
        "value <= Dantzig's bound": solution.value <= ceiling + 1e-9 * abs(ceiling),
    }
    for claim, holds in claims.items():
        if not holds:
            raise DisagreementError(f"{instance.name}: not true that {claim} ({solution!r})")
    return solution
