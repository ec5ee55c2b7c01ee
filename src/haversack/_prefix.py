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
from haversack._coerce import Table
from haversack._model import tabled
from haversack._numbers import described, real
from haversack._record import Record
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction
    from typing import Any

    from haversack._model import Model
    from haversack._model import Outcome as Solved

    Block = tuple[str, int | None, str | None]

DEFAULT_KEEP = 0.05
"""The share of the value that may be given up for a longer unchanged beginning."""


class Before(Record):
    """The blocks of a packing in the order rendered: each an id, its cost and its text if they are known."""

    __slots__ = ("blocks",)

    blocks: tuple[Block, ...]

    def __init__(self, blocks: tuple[Block, ...]) -> None:
        self._fill(blocks)


def checked_previous(previous: Any, order: object = "input") -> Before | None:
    """Read `previous=`: a packing, the dict it writes, or the ids that were selected, in order."""
    if previous is None:
        return None
    if order != "input":
        raise InputError(
            'previous= keeps the beginning of what is rendered in the order of the input; leave out order=, '
            f"or previous=; found order={described(order)}",
            path="order", field="order", found=order,
        )  # fmt: skip
    if isinstance(previous, Before):
        return previous
    if hasattr(previous, "decisions") and hasattr(previous, "texts"):
        chosen = [decision for decision in previous.decisions if decision.chosen]
        return Before(
            tuple((str(d.id), d.cost, text) for d, text in zip(chosen, previous.texts, strict=True))
        )
    if hasattr(previous, "keys"):
        return _from_dict(previous)
    if isinstance(previous, str | bytes) or not hasattr(previous, "__iter__"):
        raise InputTypeError(
            "previous must be a packing, the dict that to_dict() wrote, or the ids that were selected; "
            f"found {described(previous)}",
            path="previous", field="previous", found=previous,
        )  # fmt: skip
    return Before(tuple((str(id), None, None) for id in previous))


def _from_dict(written: Mapping[str, Any]) -> Before:
    try:
        chosen = [decision for decision in written["decisions"] if decision["chosen"]]
        texts = written.get("texts") or [None] * len(chosen)
        return Before(tuple((str(d["id"]), d["cost"], text) for d, text in zip(chosen, texts, strict=True)))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            "previous is no packing that to_dict() wrote: its 'decisions' cannot be read "
            f"({type(error).__name__}: {error})",
            path="previous", field="previous", found=written,
        ) from None  # fmt: skip


def checked_keep(keep: object) -> float:
    """Read `keep=`: a share of the value, from 0 to 1; None is `DEFAULT_KEEP`.

    >>> checked_keep(None), checked_keep(0.2)
    (0.05, 0.2)
    """
    if keep is None:
        return DEFAULT_KEEP
    share = real(keep)
    if share is None or not 0 <= share <= 1:
        kind = InputTypeError if share is None else InputError
        raise kind(
            "keep must be a share of the value, from 0 (none may be lost) to 1; "
            f"found {described(keep)}",
            path="keep", field="keep", found=keep,
        )  # fmt: skip
    return float(share)


class Keeping:
    """Solves like a model, but for the longest beginning among selections worth 1 - *keep* of the best.

    Where the optimum is not proven within the effort, its bound stands for it.
    """

    def __init__(self, before: Before, keep: float) -> None:
        self._before = before
        self._keep = keep
        self._ends: dict[bytes, int] = {}

    def solve(self, model: Model, capacity: int, effort: int | None) -> Solved:
        """Choose the best snippets within *capacity* and behind the beginning."""
        free = model.solve(capacity, effort)
        positions = _possible(model, max(0, capacity - free.pinned_cost), self._before)
        search = _Search(model, capacity, effort, positions)
        enough = _least(free.bound, self._keep)
        longest = bisect_left(
            range(1, len(positions) + 1), True, key=lambda count: search.solved(count)[0].value < enough
        )
        if not longest:
            return free
        outcome = _as_whole(model, *search.solved(longest), free)
        self._ends[bytes(outcome.mask)] = positions[longest - 1] + 1
        return outcome

    def prefix(self, model: Model, outcome: Solved) -> tuple[int, int]:
        """The position where the beginning of what was solved ends, and its tokens."""
        tokens = 0
        for block, at in zip(self._before.blocks, outcome.chosen, strict=False):
            if not _unchanged(model, at, block):
                break
            tokens += model.costs[at]
        return self._ends.get(bytes(outcome.mask), 0), tokens


def _least(bound: int | float, keep: float) -> Fraction:
    """What a selection must be worth. A share is meant as it is written: 0.3 is no binary fraction."""
    from fractions import Fraction

    return Fraction(bound) - Fraction(repr(keep)) * abs(Fraction(bound))


class _Search:
    """The best selection under each length of beginning. What was solved is kept: bisection ends on it."""

    def __init__(self, model: Model, capacity: int, effort: int | None, positions: list[int]) -> None:
        self._model = model
        self._capacity = capacity
        self._effort = effort
        self._positions = positions
        self._found: dict[int, tuple[Solved, list[int]]] = {}

    def solved(self, count: int) -> tuple[Solved, list[int]]:
        """The outcome under a beginning of *count* blocks, and the positions that it speaks of."""
        if count not in self._found:
            left = [*self._positions[:count], *range(self._positions[count - 1] + 1, len(self._model.costs))]
            self._found[count] = self._solve(count, left), left
        return self._found[count]

    def _solve(self, count: int, left: list[int]) -> Solved:
        """Pin the first *count* of what is *left*: all else that stood among them is out."""
        model = self._model
        pinned = bytearray(model.pinned[at] for at in left)
        pinned[:count] = bytes([1]) * count
        table = Table(
            [model.ids[at] for at in left],
            [model.costs[at] for at in left],
            [model.values[at] for at in left],
            bytes(pinned),
            model.ranked,
            [None] * len(left),
        )
        return tabled([None] * len(left), table).solve(self._capacity, self._effort)


def _possible(model: Model, room: int, before: Before) -> list[int]:
    """The positions of the longest beginning that can be kept at all, whatever it is worth.

    It ends where a block is gone, changed, moved up or worthless now, where the room ends, and where
    something that is always in (a pin, a free snippet) stands in between.
    """
    costs, values, pinned = model.costs, model.values, model.pinned
    columns = zip(pinned, costs, values, strict=True)
    always = list(
        accumulate((bool(pin or (not cost and value > 0)) for pin, cost, value in columns), initial=0)
    )
    positions: list[int] = []
    for block in before.blocks:
        at = model.position(block[0])
        follows = positions[-1] + 1 if positions else 0
        if at is None or at < follows or always[at] != always[follows]:
            break
        room -= 0 if pinned[at] else costs[at]
        if room < 0 or not _unchanged(model, at, block) or (values[at] <= 0 and not pinned[at]):
            break
        positions.append(at)
    return positions


def _unchanged(model: Model, at: int, block: Block) -> bool:
    id, cost, text = block
    return (
        str(model.ids[at]) == id
        and cost in (None, model.costs[at])
        and (text is None or text == model.texts([at])[0])
    )


def _as_whole(model: Model, solved: Solved, left: list[int], free: Solved) -> Outcome:
    """What is reported: the selection, and how it stands against all that drop the beginning."""
    mask = bytearray(len(model.costs))
    for at in solved.chosen:
        mask[left[at]] = 1
    return Outcome(
        bytes(mask),
        value=solved.value,
        cost=sum(cost for cost, taken in zip(model.costs, mask, strict=True) if taken),
        pinned_cost=free.pinned_cost,
        bound=free.bound,
        optimal=free.bound == solved.value,
        fewest_tokens=False,
        statistics={**free.statistics, "states": free.states},
    )
