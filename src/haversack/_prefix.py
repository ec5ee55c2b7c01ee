"""Keep the beginning of the last packing, so that a provider's prompt cache can be used again.

A provider reuses the longest unchanged beginning of a prompt. So the chosen blocks are compared with those
of the previous packing in the order in which they are rendered, and of all selections worth enough, one that
shares the longest beginning is taken.

A beginning of k blocks holds when the first k blocks of the previous packing are in, unchanged and in that
order, and nothing else stands before the last of them. Every selection that keeps k + 1 blocks keeps k. So
the best value under a beginning only falls as it grows, and the longest that is worth enough is found by
bisection, each step an exact solve of what stands behind it.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from haversack._bigint import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction
    from typing import Any

    from haversack._model import AnyOutcome, Model
    from haversack._prefix_structured import StructuredSearch
    from haversack._previous import Before, Block


class Keeping:
    """Solves like a model, but for the longest beginning among selections worth 1 - *keep* of the best.

    Where the optimum is not proven within the effort, its bound stands for it.
    """

    def __init__(self, before: Before, keep: float) -> None:
        self._before = before
        self._keep = keep
        self._ends: dict[bytes, int] = {}

    def solve(self, model: Model, capacity: int, effort: int | None, window: int) -> AnyOutcome:
        """Choose the best snippets within *capacity* and behind the beginning."""
        free = model.solve(capacity, effort, window)
        if free.pinned_cost > max(0, capacity):
            return free  # the pins alone are over: nothing can be kept for its own sake
        search: FlatSearch | StructuredSearch
        if model.structure is None:
            search = FlatSearch(model, self._before, free, capacity, effort)
        else:
            from haversack._prefix_structured import StructuredSearch

            search = StructuredSearch(model, self._before, free, capacity, effort, window)
        bound: Any = free.bound  # one number, as there are no tiers
        enough = _least(bound, self._keep)
        longest = bisect_left(
            range(1, len(search.positions) + 1), True, key=lambda count: not search.reaches(count, enough)
        )
        if not longest:
            return free
        outcome = search.outcome(longest)
        self._ends[bytes(outcome.mask)] = search.positions[longest - 1] + 1
        return outcome

    def prefix(self, model: Model, outcome: AnyOutcome) -> tuple[int, int]:
        """The position where the beginning of what was solved ends, and its tokens."""
        choice = getattr(outcome, "choice", None)
        tokens = 0
        for block, at in zip(self._before.blocks, outcome.chosen, strict=False):
            form = 0 if choice is None else choice[at]
            if str(model.ids[at]) != block.id or not _is_same(model, block, at, form):
                break
            tokens += model.cost_of(at, form)
        return self._ends.get(bytes(outcome.mask), 0), tokens


def _is_same(model: Model, block: Block, at: int, form: int) -> bool:
    if model.structure is None:
        return block.is_of("full", model.costs[at], model.texts([at], None)[0])
    one = model.forms[at][form]
    return block.is_of(one.name, model.cost_of(at, form), one.text)


def _least(bound: int | float, keep: float) -> Fraction:
    """What a selection must be worth. A share is meant as it is written: 0.3 is no binary fraction."""
    from fractions import Fraction

    return Fraction(bound) - Fraction(repr(keep)) * abs(Fraction(bound))


def possible(
    model: Model, before: Before, room: int, always: Iterable[bool], forms: dict[int, int] | None = None
) -> list[int]:
    """The positions of the longest beginning that can be kept at all, whatever it is worth.

    It ends where a block is gone, changed, moved up or worthless now, where the *room* that pins at their
    least leave ends, and where something that is *always* in stands in between. *forms*, of snippets that
    have several, is filled with those that are as before.
    """
    structure = model.structure
    least: list[int] = model.costs if structure is None else structure.least
    until = list(accumulate(map(int, always), initial=0))
    positions: list[int] = []
    for block in before.blocks:
        at = model.position(block.id)
        follows = positions[-1] + 1 if positions else 0
        if at is None or at < follows or until[at] != until[follows]:
            break
        count = 1 if structure is None else len(model.forms[at])
        form = next((form for form in range(count) if _is_same(model, block, at, form)), None)
        if form is None:
            break
        room -= model.cost_of(at, form) - (least[at] if model.pinned[at] else 0)
        if room < 0 or (model.value_of(at, form) <= 0 and not model.pinned[at]):
            break
        positions.append(at)
        if forms is not None:
            forms[at] = form
    return positions


class FlatSearch:
    """The best selection under each length of beginning. What was solved is kept: bisection ends on it."""

    def __init__(
        self, model: Model, before: Before, free: AnyOutcome, capacity: int, effort: int | None
    ) -> None:
        columns = zip(model.pinned, model.costs, model.values, strict=True)
        always = (bool(pin) or (not cost and value > 0) for pin, cost, value in columns)
        self.positions = possible(model, before, capacity - free.pinned_cost, always)
        self._model = model
        self._free = free
        self._capacity = capacity
        self._effort = effort
        self._found: dict[int, AnyOutcome] = {}

    def reaches(self, count: int, enough: Fraction) -> bool:
        """Whether a selection that keeps *count* blocks is worth that much."""
        return self._solved(count).value >= enough

    def outcome(self, count: int) -> Outcome:
        """The best selection that keeps *count* blocks, and how it stands against all others."""
        mask, left = bytearray(len(self._model.costs)), self._left(count)
        for at in self._solved(count).chosen:
            mask[left[at]] = 1
        value, free = self._solved(count).value, self._free
        bound: Any = free.bound
        statistics: dict[str, Any] = {**free.statistics, "states": free.states}
        return Outcome(
            bytes(mask),
            value=value,
            cost=sum(cost for cost, taken in zip(self._model.costs, mask, strict=True) if taken),
            pinned_cost=free.pinned_cost,
            bound=bound,
            optimal=bound == value,
            fewest_tokens=False,
            statistics=statistics,
        )

    def _left(self, count: int) -> list[int]:
        """The blocks that are kept, and all that stands behind them: what stands among them is out."""
        return [*self.positions[:count], *range(self.positions[count - 1] + 1, len(self._model.costs))]

    def _solved(self, count: int) -> AnyOutcome:
        if count not in self._found:
            left = self._left(count)
            pinned = bytearray(self._model.pinned[at] for at in left)
            pinned[:count] = bytes([1]) * count
            part = self._model.part(left, bytes(pinned))
            self._found[count] = part.solve(self._capacity, self._effort, self._capacity)
        return self._found[count]
