"""Standardise one score list within its candidates: the step every value model here begins with.

Scores of different retrievers have no common unit: a cosine of 0.4 may be the best of its list, a BM25
score of 12 the worst. Within one list, "how many standard deviations above the mean" is comparable, and
does not change when all scores are shifted or multiplied by a positive number. Neither does the place in the
list, which no extreme score of another candidate can move.
"""

from __future__ import annotations

import math

from haversack.values._lists import NOISE, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: The share of its rank's z-score at which an entry stands at the least.
STEEPNESS = 0.75
#: A lowest score this many times further from the others than they spread is a mark, no score.
MARK = 10
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
    >>> standardised([5, None]), standardised([5, 5])
    ([1.0, -1.0], None)
    """
    if missing not in MISSING:
        refuse("missing", f"expected one of {', '.join(map(repr, MISSING))}, found {missing!r}", missing)
    present = [score for score in column if score is not None]
    if missing == "lowest" and 0 < len(present) < len(column) and _says_nothing(present):
        present = [0.0 if score is None else 1.0 for score in column]
        column = present
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


def _says_nothing(present: Sequence[float]) -> bool:
    lowest, highest = min(present), max(present)
    return highest / 2 - lowest / 2 <= NOISE * max(abs(lowest), abs(highest)) / 2


def standing(column: Sequence[float | None], missing: str = "lowest") -> list[float] | None:
    """Return how far above the others each entry stands: its z-score, but no flatter than its rank allows.

    None if the list says nothing. The rank's z-score is the one it would have if scores were logistic: the
    log-odds of standing higher than a random entry, log((n - rank - 1/2) / (rank + 1/2)), times sqrt(3) / pi.
    Three quarters of it are the least an entry stands at. z alone is flat among all the good candidates as
    soon as one outlier, or a long tail, takes up the deviation; the rank alone forgets by how much the best
    is ahead. A lowest score far below all others marks what was not scored. What is *missing* comes last, or
    is 0 where it is "neutral".

    >>> [round(height, 2) for height in standing([1, 2, 3, 4, -1e9])]
    [-0.35, 0.0, 0.7, 1.51, -0.91]
    """
    told = _levelled(_unmarked(column))
    z = standardised(told, missing)
    if z is None:
        return None
    least = (STEEPNESS * g for g in _from_ranks(told, missing))
    return list(map(max, z, least))


def _unmarked(column: Sequence[float | None]) -> Sequence[float | None]:
    """Bring in a lowest score that is far below all others: a mark, such as -1e6, for what was not scored.

    Far is more than ten times as far as the others spread, which are four different ones or more, and no
    fewer than the marks; it then stands a tenth of that below them.
    """
    present = sorted({score for score in column if score is not None})
    if len(present) < 5:
        return column
    mark, lowest, highest = present[0], present[1], present[-1]
    spread = highest - lowest
    is_far = spread < (lowest - mark) / MARK
    if not is_far or 2 * column.count(mark) > len(column) - column.count(None):
        return column
    return [lowest - spread / MARK if score == mark else score for score in column]


def _levelled(column: Sequence[float | None]) -> Sequence[float | None]:
    """Make scores equal that only rounding tells apart, so that they rank alike."""
    present = sorted({score for score in column if score is not None})
    noise = NOISE * max(map(abs, present), default=0.0)
    level: dict[float, float] = {}
    for before, score in zip([None, *present], present, strict=False):
        level[score] = level[before] if before is not None and score - before <= noise else score
    return [None if score is None else level[score] for score in column]


def _from_ranks(column: Sequence[float | None], missing: str) -> list[float]:
    """Return the logistic z-score of each entry's rank; equal ones share the one of their mean rank."""
    is_neutral = missing == "neutral"
    size = len(column) - is_neutral * sum(score is None for score in column)
    unit = math.sqrt(3) / math.pi
    return [
        0.0 if is_neutral and score is None else unit * math.log((size - rank - 0.5) / (rank + 0.5))
        for score, rank in zip(column, mid_ranks(column), strict=True)
    ]


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
