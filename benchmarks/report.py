"""What a benchmark hands back, and how it is printed."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Line(NamedTuple):
    """One measured figure: *ratio* counted in *unit*, at most *limit* (None: it only gives the scale)."""

    row: str
    job: str
    contestant: str
    time: str
    ratio: float | None = None
    unit: str = ""
    limit: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Say whether the limit was kept."""
        if self.limit is None or self.ratio is None:
            return ""
        return "reached" if self.ratio <= self.limit else "MISSED"


HEADINGS = ("row", "job", "contestant", "time", "ratio", "limit", "", "note")


def table(lines: Iterable[Line]) -> str:
    """Lay the lines out as a Markdown table, aligned for a terminal; a job is named once."""
    rows: list[Sequence[str]] = []
    previous = ("", "")
    for line in lines:
        here = (line.row, line.job)
        labels = ("", "") if here == previous else here
        limit = "" if line.limit is None else f"<= {line.limit:.3g}"
        ratio = "" if line.ratio is None else f"{line.ratio:.3g} {line.unit}"
        rows.append((*labels, line.contestant, line.time, ratio, limit, line.verdict, line.note))
        previous = here
    return markdown(HEADINGS, rows)


def markdown(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Align *rows* under *headings* in Markdown's table syntax."""
    widths = [max(len(row[i]) for row in [headings, *rows]) for i in range(len(headings))]
    rule = ["-" * max(width, 3) for width in widths]
    return "\n".join(
        "| " + " | ".join(cell.ljust(len(dashes)) for cell, dashes in zip(row, rule, strict=True)) + " |"
        for row in [headings, rule, *rows]
    )


def duration(seconds: float) -> str:
    """Three digits and the fitting unit.

    >>> duration(0.0000215), duration(0.35), duration(12.0)
    ('21.5 us', '350 ms', '12 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def machine() -> str:
    """Name what the figures were taken on: processor, cores, load, Python and the versions of the rivals."""
    from importlib.metadata import version

    versions = ", ".join(f"{name} {version(name)}" for name in ("haversack", "numpy", "ortools", "highspy"))
    load = os.getloadavg()[0]
    return (
        f"{_processor()}, {os.cpu_count()} cores (load {load:.1f}), {platform.system()}; "
        f"Python {platform.python_version()}, {versions}"
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"
