"""Rows of structure: forms through the numeric door, and mixed structure through `pack`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import haversack
from benchmarks import checks, structured
from benchmarks.report import Line, duration
from benchmarks.settings import Settings
from benchmarks.structured import Structured
from benchmarks.timing import Contestant, interleave

Rivals = dict[str, Callable[[Structured], int | None]]
SIZES = (100, 1000, 10_000)


def classes(settings: Settings) -> list[Line]:
    """Three forms a snippet, budget 10 tokens a snippet: at most 0.5 ms for a thousand of them."""
    lines = []
    for n in SIZES[:1] if settings.quick else SIZES:
        instance = structured.draw(n, 10 * n, mixed=False)
        forms = instance.forms()
        costs, values = (np.array([form[at] for one in forms for form in one]) for at in (0, 1))
        labels = np.repeat(np.arange(n), [len(one) for one in forms])

        def ours(_: Any, c: Any = costs, v: Any = values, of: Any = labels, b: int = 10 * n) -> Any:
            return haversack.knapsack(v, c, b, classes=of).value

        rivals: Rivals = {"NumPy table": structured.numpy_table, "HiGHS": structured.highs}
        limit = 0.0005 if n == 1000 else None
        lines += _measure(settings, "classes", f"n={n:,} x 3 forms", instance, ours, rivals, limit)
    return lines


def mixed(settings: Settings) -> list[Line]:
    """Forms, caps, requirements and groups: `pack` at least 200 times as fast as HiGHS for a thousand."""
    lines = []
    for n in SIZES[:1] if settings.quick else SIZES:
        instance = structured.draw(n, 0.3, mixed=True)

        def ours(_: Any, one: Structured = instance) -> Any:
            packing = haversack.pack(one.snippets, one.budget, sections=one.sections)
            if not packing.optimal:
                raise checks.DisagreementError(f"no proof at the default effort: {packing!r}")
            return packing.value

        rivals: Rivals = {"HiGHS": structured.highs}
        limit = 1.0 if n == 10_000 else None
        lines += _measure(settings, "structure", f"n={n:,} x 3, mixed", instance, ours, rivals, limit, 200.0)
    return lines


def _measure(
    settings: Settings,
    row: str,
    job: str,
    instance: Structured,
    ours: Callable[[Any], Any],
    rivals: Rivals,
    seconds: float | None,
    faster: float | None = None,
) -> list[Line]:
    timings = interleave(
        {"haversack": Contestant(ours)},
        rounds=min(settings.rounds, 30),
        seconds=settings.seconds,
        slow={name: Contestant(solver, lambda: instance) for name, solver in rivals.items()},
        slow_rounds=1,
    )
    checks.same_value(job, timings.answers, exact=True)
    best = min(timings.rounds["haversack"])
    lines = [
        Line(row, job, "haversack", duration(best), best * 1e3, "ms", seconds and seconds * 1e3)
    ]  # fmt: skip
    for name in rivals:
        solved = timings.answers[name] is not None
        share = best / timings.median(name)
        must = 1 / faster if faster and name == "HiGHS" and job.startswith("n=1,000") else None
        note = f"{1 / share:,.0f} times ours" if solved else "out of time"
        lines.append(Line(row, job, name, duration(timings.median(name)), share, "ours / its", must, note))
    return lines
