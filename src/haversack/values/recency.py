"""Recency as a score: one more list for `from_scores`."""

from __future__ import annotations

from haversack.values._lists import as_list, number, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def recency(ages: Iterable[Any], half_life: Any) -> list[float | None]:
    """Return 0.5 ^ (age / half_life) for each age: 1 when new, 1/2 after one half-life, towards 0 after that.

    Ages are now minus then, in the unit of *half_life*: numbers, or `timedelta`s with a `timedelta`. A
    missing age (None, NaN) stays missing; "neutral" is the fitting rule for it in `from_scores`. A negative
    age is an error: it is a time in the future, or the difference the wrong way round. The result is a
    score, not a value.

    >>> recency([0, 7, 14, None], half_life=7)
    [1.0, 0.5, 0.25, None]
    >>> from datetime import timedelta
    >>> recency([timedelta(hours=12)], half_life=timedelta(hours=6))
    [0.25]
    """
    unit = number(_seconds(half_life), "half_life")
    if unit is None or unit <= 0.0:
        refuse("half_life", f"expected a number > 0, found {half_life!r}", half_life)
    scores: list[float | None] = []
    for i, raw in enumerate(as_list(ages, "ages")):
        age = number(_seconds(raw), f"ages[{i}]")
        if age is not None and age < 0.0:
            refuse(f"ages[{i}]", f"expected now minus then, >= 0, found {raw!r}", raw)
        scores.append(None if age is None else 0.5 ** (age / unit))
    return scores


def _seconds(value: Any) -> Any:
    total_seconds = getattr(value, "total_seconds", None)
    return total_seconds() if callable(total_seconds) else value
