"""Values from ranks: 0.7^rank, for lists whose order is all that is known."""

from __future__ import annotations

import math

from haversack.values._lists import number, numbers, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

#: Values are whole multiples of 2^-60, at least one: their integers add up within 64 bits, and none is 0.
GRID = 60


def from_ranks(ranks: Iterable[Any], *, ratio: float = 0.7) -> list[float]:
    """Return the value of each snippet: *ratio* ^ (rank - best rank), scaled to sum to 1.

    Lower ranks are better; equal ranks get equal values; it does not matter whether counting starts at 0 or
    1. A missing rank (None, NaN) counts as one place after the last. Values are multiples of 2^-60 and
    never 0, so snippets more than about 110 places behind the best are worth the same at a *ratio* of 0.7.

    0.7^rank was within 1.1 points of "in order, skip what does not fit" at every budget on labelled
    questions; flatter rules such as 1 / (60 + rank) were the worst of all. docs/what-is-a-snippet-worth.md
    has the figures.

    >>> [round(value, 3) for value in from_ranks([1, 2, 3])]
    [0.457, 0.32, 0.224]
    """
    factor = number(ratio, "ratio")
    if factor is None or not 0.0 < factor < 1.0:
        refuse("ratio", f"expected a number between 0 and 1, both excluded, found {ratio!r}", ratio)
    read = numbers(ranks, "ranks")
    present = [rank for rank in read if rank is not None]
    last = max(present, default=0.0) + 1.0
    best = min(present, default=last)
    worths = [factor ** (min(last if rank is None else rank, last) - best) for rank in read]
    total = math.fsum(worths)
    return [math.ldexp(max(1, round(math.ldexp(worth / total, GRID))), -GRID) for worth in worths]
