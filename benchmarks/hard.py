"""Rows of the hard instances: Pisinger's thirteen classes and the Jooken family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import haversack
from benchmarks import checks, instances, rivals
from benchmarks.instances import Instance
from benchmarks.report import Line, duration, markdown
from benchmarks.settings import Settings
from benchmarks.timing import Contestant, interleave

# Milliseconds of Combo (Martello, Pisinger, Toth 1999) for R = 10^3, 10^4, 10^6, measured once on a machine
# where the argsort took 0.02 ms (n = 10^3) and 0.35 ms (n = 10^4). None: its table of states overflows.
_COMBO: dict[str, dict[int, tuple[float | None, ...]]] = {
    "uncorrelated": {1000: (0.08, 0.12, 0.06), 10_000: (0.4, 0.8, 0.6)},
    "weakly": {1000: (0.08, 0.19, 0.25), 10_000: (0.4, 1.4, 2.7)},
    "strongly": {1000: (0.14, 0.14, 1.7), 10_000: (1.1, 1.2, 3)},
    "inverse": {1000: (0.22, 1.2, 2), 10_000: (2.7, 1.3, 4)},
    "almost": {1000: (0.19, 0.39, 0.29), 10_000: (0.4, 0.4, 0.5)},
    "subsetsum": {1000: (0.06, 0.41, 0.95), 10_000: (0.2, 0.2, 2.8)},
    "similar": {1000: (0.07, 0.09, 0.08), 10_000: (2.3, 2.4, 2.7)},
    "span_unc": {1000: (0.40, 0.41, 6), 10_000: (138, 81, 132)},
    "span_weak": {1000: (1.5, 3.5, 4), 10_000: (804, 242, 218)},
    "span_strong": {1000: (8, 4, 4), 10_000: (205, 891, 276)},
    "mstr": {1000: (2.4, 11, None), 10_000: (12, 3, None)},
    "pceil": {1000: (1.4, 34, None), 10_000: (0.33, 0.40, None)},
    "circle": {1000: (0.55, 0.09, 811), 10_000: (1.5, 4, None)},
}
_ARGSORT = {1000: 0.02, 10_000: 0.35}
RANGES = (10**3, 10**4, 10**6)
MULTIPLE = 2.0
"""How many times Combo's multiple of the argsort we allow ourselves."""


class Measured(NamedTuple):
    """One instance at the default effort; times in seconds, multiples of the argsort."""

    instance: Instance
    solution: haversack.Solution
    seconds: float
    multiple: float
    reference: float | None = None

    @property
    def size(self) -> int:
        """How many items."""
        return len(self.instance.costs)

    @property
    def reached(self) -> bool:
        """Proven, and within twice the reference (where there is none, proven)."""
        within = self.reference is None or _share_of_reference(self) <= MULTIPLE
        return self.solution.optimal and within


def measure_pisinger(settings: Settings) -> Iterator[Measured]:
    """All classes, sizes and ranges in turn."""
    for n in (100,) if settings.quick else _ARGSORT:
        for kind in _COMBO:
            for position, spread in enumerate(RANGES[:1] if settings.quick else RANGES):
                instance = instances.pisinger(kind, n=n, R=spread)
                combo = None if settings.quick else _COMBO[kind][n][position]
                yield _measure(settings, instance, combo and combo / _ARGSORT[n])


def measure_jooken(settings: Settings) -> Iterator[Measured]:
    """The whole family."""
    if settings.quick:
        yield _measure(settings, instances.jooken(n=40, c=10**4, g=2))
        return
    for instance in instances.jooken_family():
        yield _measure(settings, instance)


def _measure(settings: Settings, instance: Instance, reference: float | None = None) -> Measured:
    timings = interleave(
        {
            "argsort": Contestant(lambda _: rivals.argsort(instance)),
            "haversack": Contestant(
                lambda _: haversack.knapsack(instance.values, instance.costs, instance.budget)
            ),
        },
        rounds=min(settings.rounds, 50),
        seconds=settings.seconds / 8,
    )
    solution = checks.sound(instance, timings.answers["haversack"])
    if settings.quick:
        checks.same_value(
            instance.name, {"haversack": solution.value, "HiGHS": rivals.highs(instance)}, exact=True
        )
    seconds = timings.median("haversack")
    return Measured(instance, solution, seconds, timings.ratio("haversack", "argsort"), reference)


def pisinger(settings: Settings) -> list[Line]:
    """Sum the classes up: for every size what is proven, and what is furthest from the reference."""
    lines = []
    for job, measured in _grouped(measure_pisinger(settings), "13 classes, n={0.size:,}"):
        compared = [each for each in measured if each.reference]
        lines.append(_proofs("pisinger", job, measured, must=not settings.quick))
        lines += [_furthest("pisinger", job, compared)] if compared else []
    return lines


def jooken(settings: Settings) -> list[Line]:
    """Sum the family up: a line a capacity; up to a million all has to be proven."""
    return [
        _proofs("jooken", job, measured, must=measured[0].instance.budget <= 10**6)
        for job, measured in _grouped(measure_jooken(settings), "Jooken, c={0.instance.budget:,}")
    ]


def _grouped(measured: Iterable[Measured], label: str) -> list[tuple[str, list[Measured]]]:
    groups: dict[str, list[Measured]] = {}
    for each in measured:
        groups.setdefault(label.format(each), []).append(each)
    return list(groups.items())


def _proofs(row: str, job: str, measured: list[Measured], *, must: bool) -> Line:
    slowest = max(measured, key=lambda each: each.seconds)
    unproven = sum(not each.solution.optimal for each in measured)
    unit = f"of {len(measured)} unproven"
    note = f"slowest {slowest.instance.name}"
    limit = 0.0 if must else None
    return Line(row, job, "haversack, slowest", duration(slowest.seconds), unproven, unit, limit, note)


def _furthest(row: str, job: str, compared: list[Measured]) -> Line:
    furthest = max(compared, key=_share_of_reference)
    within = sum(_share_of_reference(each) <= MULTIPLE for each in compared)
    return Line(
        row,
        job,
        "haversack, furthest",
        duration(furthest.seconds),
        _share_of_reference(furthest),
        "x Combo",
        MULTIPLE,
        f"{furthest.instance.name}; {within} of {len(compared)} within the limit",
    )


def _share_of_reference(measured: Measured) -> float:
    assert measured.reference is not None
    return measured.multiple / measured.reference


def details(measured: list[Measured]) -> str:
    """Print one line an instance."""
    headings = ("instance", "time", "states", "x argsort", "Combo x argsort", "proven", "")
    rows = [
        (
            each.instance.name,
            duration(each.seconds),
            f"{each.solution.statistics['states']:,}",
            f"{each.multiple:.3g}",
            "gives up" if each.reference is None else f"{each.reference:.3g}",
            "yes" if each.solution.optimal else f"no: gap {each.solution.bound - each.solution.value:,}",
            "reached" if each.reached else "MISSED",
        )
        for each in measured
    ]
    return markdown(headings, rows)
