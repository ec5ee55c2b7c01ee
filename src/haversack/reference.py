"""The packing again, in the plainest way: one table, filled backwards. Documentation that runs; the oracle.

`best[room]` is the greatest value that `room` tokens can hold, `taken[room]` the snippets that make it, one
bit each. A pinned snippet is no candidate: it lowers the room and adds its value, whatever else happens.
"""

from __future__ import annotations

from fractions import Fraction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

__all__ = ["choose", "max_value"]


def choose(snippets: Sequence[Mapping[str, Any]], budget: int) -> tuple[int | float, list[int]]:
    """Return the greatest value and the positions that reach it: fewest tokens, then input order, first.

    Takes time and memory in proportion to `len(snippets) * budget`; meant for small numbers.

    >>> choose([{"cost": 6, "value": 7}, {"cost": 5, "value": 5}, {"cost": 5, "value": 5}], 10)
    (10, [1, 2])
    """
    pinned = [position for position, snippet in enumerate(snippets) if snippet.get("pinned")]
    optional = [position for position, snippet in enumerate(snippets) if not snippet.get("pinned")]
    room = max(0, budget - sum(snippets[position]["cost"] for position in pinned))

    # (value, -tokens): pairs add up and compare like the values, and of equal values the lighter wins.
    best = [(Fraction(0), 0)] * (room + 1)
    taken = [0] * (room + 1)
    for position in optional:
        cost, value = snippets[position]["cost"], Fraction(snippets[position]["value"])
        # Backwards: forwards, best[j - cost] could already hold this snippet, and it would be taken twice.
        for j in range(room, cost - 1, -1):
            with_it = (best[j - cost][0] + value, best[j - cost][1] - cost)
            if with_it > best[j]:
                best[j] = with_it
                taken[j] = taken[j - cost] | 1 << position

    total = best[room][0] + sum(Fraction(snippets[position].get("value", 0)) for position in pinned)
    chosen = [p for p in range(len(snippets)) if p in pinned or taken[room] >> p & 1]
    whole = all(isinstance(snippet.get("value", 0), int) for snippet in snippets)
    return (int(total) if whole else float(total)), chosen


def max_value(snippets: Sequence[Mapping[str, Any]], budget: int) -> int | float:
    """Return the greatest value alone.

    >>> max_value([{"cost": 40, "value": 4, "pinned": True}, {"cost": 70, "value": 9}], 100)
    4
    """
    return choose(snippets, budget)[0]
