"""Standardise one score list within its candidates: the step every value model here begins with.

Scores of different retrievers have no common unit: a cosine of 0.4 may be the best of its list, a BM25
score of 12 the worst. Within one list, "how many standard deviations above the mean" is comparable, and
does not change when all scores are shifted or multiplied by a positive number.
"""

from __future__ import annotations

import math

from haversack.values._lists import NOISE, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: What a missing score may count as.
MISSING = ("lowest", "neutral")


def standardised(column: Sequence[float | None], missing: str = "lowest") -> list[float] | None:
    """Return the z-score of each entry, (score - mean) / deviation, or None if the list says nothing.

    A list says nothing when it holds fewer than two different scores (differences below 1e-12 of the largest
    magnitude are rounding noise). The deviation is the population's. A *missing* score counts as the lowest
    present one, before standardising ("lowest": the retriever did not return the snippet), or as the mean
    ("neutral": nothing is known about it).

    >>> standardised([1, 2, 3, None])
    [-0.9045340337332909, 0.30151134457776363, 1.507556722888818, -0.9045340337332909]
    >>> standardised([1, 3, None], missing="neutral")
    [-1.0, 1.0, 0.0]
    >>> standardised([5, 5]) is None
    True
    """
    if missing not in MISSING:
        refuse("missing", f"expected one of {', '.join(map(repr, MISSING))}, found {missing!r}", missing)
    present = [score for score in column if score is not None]
    magnitude = max(map(abs, present), default=0.0)
    if magnitude == 0.0:
        return None
    # A power of two brings every score into [-1, 1] exactly, so that neither squares nor differences can
    # overflow.
    exponent = -math.frexp(magnitude)[1]
    present = [math.ldexp(score, exponent) for score in present]
    lowest = min(present)
    if max(present) - lowest <= NOISE:
        return None
    if missing == "lowest":
        present += [lowest] * (len(column) - len(present))
    mean = math.fsum(present) / len(present)
    deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in present) / len(present))
    absent = lowest if missing == "lowest" else mean
    scaled = (absent if score is None else math.ldexp(score, exponent) for score in column)
    return [(score - mean) / deviation for score in scaled]


def mid_ranks(column: Sequence[float | None]) -> list[float]:
    """Return the rank of each entry, 0 for the best; equal ones share their mean, missing ones come last.

    >>> mid_ranks([0.2, 0.9, None, 0.9])
    [2.0, 0.5, 3.0, 0.5]
    """
    order = sorted(range(len(column)), key=lambda i: _descending(column[i]))
    placed = [0.0] * len(column)
    first = 0
    for after in range(1, len(order) + 1):
        if after < len(order) and column[order[after]] == column[order[first]]:
            continue
        for i in order[first:after]:
            placed[i] = (first + after - 1) / 2
        first = after
    return placed


def _descending(score: float | None) -> tuple[bool, float]:
    return (True, 0.0) if score is None else (False, -score)
