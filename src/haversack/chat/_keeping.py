"""Keeping the last selection alive, so that the provider's prompt cache stays warm.

A provider reuses the longest unchanged beginning of a request. A window that slides with every message
changes that beginning with every message. So the last selection is kept as it is, and only appended to,
while it fits; when it does not, it is cut once, to a share of the capacity, which leaves room for many more
messages.
"""

from __future__ import annotations

from haversack.chat._best_set import BestSet, exact_sum, select_best, total
from haversack.chat._selection import find_fault, select_contiguous, upgraded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from haversack.chat._selection import Choice, Chosen, Order, Solve


class Selected:
    """A selection: `chosen`, a proven `bound` on any value, whether it is `optimal`, and was `kept`."""

    __slots__ = ("bound", "chosen", "kept", "optimal")

    def __init__(self, chosen: Chosen, bound: int | float, optimal: bool, kept: bool) -> None:
        self.chosen = chosen
        self.bound = bound
        self.optimal = optimal
        self.kept = kept


def select(
    choices: Sequence[Choice],
    capacity: int,
    order: Order,
    *,
    contiguous: bool,
    solve: Solve,
    previous: Chosen | None = None,
    target: float = 1.0,
    whole_turns: bool = True,
) -> Selected:
    """Select units: keep *previous* and append to it if that fits, else cut to *target* of the capacity."""
    if previous is None:
        return _fresh(choices, capacity, order, contiguous, solve, whole_turns)
    chosen = keep(choices, previous, capacity, order, worthless=contiguous)
    kept = chosen is not None
    if chosen is None:
        chosen = _fresh(choices, int(capacity * target), order, contiguous, solve, whole_turns).chosen
    if contiguous:
        return Selected(chosen, total(choices, chosen), True, kept)
    value = total(choices, chosen)
    bound = max(select_best(choices, capacity, order, solve).bound, value)
    return Selected(chosen, bound, bound == value, kept)


def keep(
    choices: Sequence[Choice], previous: Chosen, capacity: int, order: Order, *, worthless: bool = True
) -> Chosen | None:
    """The previous selection with every newer unit behind it.

    None if that does not fit, or would change the beginning. *worthless*: append units without value too.
    """
    last = max(previous, default=-1)
    kept = {index: form for index, form in previous.items() if choices[index].allowed}
    for index, choice in enumerate(choices[: last + 1]):
        if choice.pinned and choice.allowed and index not in kept:
            return None
    newer = [
        index
        for index in range(last + 1, len(choices))
        if choices[index].allowed and (worthless or choices[index].pinned or max(choices[index].values) > 0)
    ]
    room = capacity - sum(choices[index].costs[form] for index, form in kept.items())
    appended = {index: choices[index].cheapest for index in newer}
    if sum(choices[index].costs[form] for index, form in appended.items()) > room:
        return None
    kept.update(upgraded(choices, appended, room))
    return kept if find_fault(choices, kept, order) is None else None


def _fresh(
    choices: Sequence[Choice],
    capacity: int,
    order: Order,
    contiguous: bool,
    solve: Solve,
    whole_turns: bool,
) -> Selected:
    if contiguous:
        chosen = select_contiguous(choices, capacity, order, whole_turns=whole_turns)
        return Selected(chosen, total(choices, chosen), True, False)
    found: BestSet = select_best(choices, capacity, order, solve)
    return Selected(found.chosen, found.bound, found.optimal, False)


def recency(count: int) -> list[int]:
    """Values by age, for messages in order: floor(2^40 x 0.7^age), plus one for every older message.

    The newest dominate, and every message is worth more than any older one.

    >>> recency(3)
    [538760697610, 769658139444, 1099511627778]
    """
    values = list(range(count))
    for position in range(max(0, count - 80), count):  # 2^40 x 0.7^80 is below one
        values[position] += int(2**40 * 0.7 ** (count - 1 - position))
    return values


__all__ = ["Selected", "exact_sum", "keep", "recency", "select"]
