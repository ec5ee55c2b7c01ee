"""Rows of the numeric door: `knapsack` on NumPy arrays, a thousand items and a million."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import haversack
from benchmarks import checks, instances, rivals
from benchmarks.instances import Instance
from benchmarks.report import Line, duration
from benchmarks.settings import Settings
from benchmarks.timing import Contestant, Timings, interleave


def thousand(settings: Settings) -> list[Line]:
    """1,000 items, budget 10,000: at most one argsort plus the fixed cost of a call; all rivals beside it."""
    n = 100 if settings.quick else 1000
    kinds = ("int1000",) if settings.quick else ("int1000", "sim", "prio10")
    return [line for kind in kinds for line in _thousand(settings, kind, n)]


def _thousand(settings: Settings, kind: str, n: int) -> list[Line]:
    instance = instances.snippets("tokens", kind, n=n, budget=10 * n)
    integral = instance.values.dtype.kind == "i"
    slow: dict[str, Callable[[Instance], float | None]] = {
        "NumPy table": rivals.numpy_table,
        "HiGHS": rivals.highs,
    }
    if integral:
        slow["OR-tools"] = rivals.ortools_branch_and_bound
    timings = interleave(
        {
            "argsort": _on(rivals.argsort, instance),
            "empty call": Contestant(lambda _: _knapsack(_NOTHING)),
            "haversack": _on(_knapsack, instance),
        },
        rounds=settings.rounds,
        seconds=settings.seconds,
        slow={name: _on(solver, instance) for name, solver in slow.items()},
    )
    ours = checks.sound(instance, timings.answers["haversack"])
    _must_be_optimal(instance, ours)
    checks.same_value(
        instance.name,
        {"haversack": ours.value, **{name: timings.answers[name] for name in slow}},
        exact=integral,
    )
    fixed = timings.ratio("empty call", "argsort")
    job = f"n={n:,}, budget {instance.budget:,}, values {kind}"
    return [
        _line("arrays", job, "argsort", timings),
        _line("arrays", job, "empty call", timings),
        _line("arrays", job, "haversack", timings, limit=1 + fixed),
        *(_line("arrays", job, name, timings) for name in slow),
    ]


def million(settings: Settings) -> list[Line]:
    """A million items, budgets of 5 %, a quarter and half of the total: at most 0.15 argsorts."""
    n = 10_000 if settings.quick else 10**6
    jobs = [(kind, share) for kind in ("int1000", "float", "prio10") for share in (0.05, 0.25, 0.5)]
    return [
        line
        for kind, share in (jobs[:1] if settings.quick else jobs)
        for line in _million(settings, kind, share, n)
    ]


def _million(settings: Settings, kind: str, share: float, n: int) -> list[Line]:
    instance = instances.snippets("tokens", kind, n=n, budget=share)
    timings = interleave(
        {"argsort": _on(rivals.argsort, instance), "haversack": _on(_knapsack, instance)},
        rounds=settings.rounds,
        seconds=settings.seconds,
    )
    ours = checks.sound(instance, timings.answers["haversack"])
    _must_be_optimal(instance, ours)
    job = f"n={n:,}, budget {share:.0%} of all, values {kind}"
    limit = None if settings.quick else 0.15
    return [
        _line("large", job, "argsort", timings),
        _line("large", job, "haversack", timings, limit=limit),
    ]


_NOTHING = Instance("one item", np.array([1]), np.array([1]), 1)


def _knapsack(instance: Instance) -> haversack.Solution:
    return haversack.knapsack(instance.values, instance.costs, instance.budget)


def _on(solver: Callable[[Instance], object], instance: Instance) -> Contestant:
    return Contestant(solver, lambda: instance)


def _must_be_optimal(instance: Instance, solution: haversack.Solution) -> None:
    if not solution.optimal:
        raise checks.DisagreementError(f"{instance.name}: no proof at the default effort ({solution!r})")


def _line(row: str, job: str, name: str, timings: Timings, *, limit: float | None = None) -> Line:
    ratio = timings.ratio(name, "argsort")
    return Line(row, job, name, duration(timings.median(name)), ratio, "x argsort", limit)
