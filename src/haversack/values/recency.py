"""Recency as a score: one more list for `from_scores`."""

from __future__ import annotations

from haversack.values._lists import as_list, number, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def recency(ages: Iterable[Any], half_life: Any) -> list[float | None]:
    """Return 0.5 ^ (age / half_life) for each age: 1 when new, 1/2 after one half-life, towards 0 after that.

    Ages are now minus then, in the unit of *half_life*: numbers with a number, or time spans with a time
    span (`timedelta`, also those of NumPy and pandas); one with the other is an error. A missing age (None,
    NaN) stays missing; "neutral" is the fitting rule for it in `from_scores`. A negative age is an error: it
    is a time in the future, or the difference the wrong way round. The result is a score, not a value.

    >>> recency([0, 7, 14, None], half_life=7)
    [1.0, 0.5, 0.25, None]
    >>> from datetime import timedelta
    >>> recency([timedelta(hours=12)], half_life=timedelta(hours=6))
    [0.25]
    """
    span, is_span = _seconds(half_life)
    unit = number(span, "half_life")
    if unit is None or unit <= 0.0:
        refuse("half_life", f"expected a number > 0, found {half_life!r}", half_life)
    scores: list[float | None] = []
    for i, raw in enumerate(as_list(_spans(ages), "ages")):
        seconds, is_raw_span = _seconds(raw)
        age = number(seconds, f"ages[{i}]")
        if age is None:
            scores.append(None)
            continue
        if is_raw_span is not is_span:
            kinds = f"is {_KIND[is_raw_span]}, and half_life ({half_life!r}) is {_KIND[is_span]}"
            refuse(f"ages[{i}]", f"{kinds}: give both in one unit", raw)
        if age < 0.0:
            refuse(f"ages[{i}]", f"expected now minus then, >= 0, found {raw!r}", raw)
        scores.append(0.5 ** (age / unit))
    return scores


_KIND = {True: "a time span", False: "a number"}


def _spans(ages: Any) -> Any:
    """Return an array of time spans in a unit of which Python has time spans: in nanoseconds it has none."""
    is_array = getattr(getattr(ages, "dtype", None), "kind", "") == "m"
    return ages.astype("m8[us]") if is_array and hasattr(ages, "astype") else ages


def _seconds(value: Any) -> tuple[Any, bool]:
    """Return a time span in seconds, or anything else as it is; and which of the two it was."""
    if hasattr(value, "dtype"):
        value = _spans(value)
        value = value.item() if hasattr(value, "item") else value
    total_seconds = getattr(value, "total_seconds", None)
    return (total_seconds(), True) if callable(total_seconds) else (value, False)
