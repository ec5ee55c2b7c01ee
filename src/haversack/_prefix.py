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
from haversack._ids import key_of
from haversack._numbers import described, real
from haversack._record import Record
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction
    from typing import Any, NoReturn

    from haversack._model import AnyOutcome, Model
    from haversack._prefix_structured import StructuredSearch

DEFAULT_KEEP = 0.05
"""The share of the value that may be given up for a longer unchanged beginning."""


class Block(Record):
    """A block of the previous packing; what is not known of it is None."""

    __slots__ = ("id", "cost", "text", "form")

    id: str
    cost: int | None
    text: str | None
    form: str | None

    def __init__(
        self, id: str, cost: int | None = None, text: str | None = None, form: str | None = None
    ) -> None:
        self._fill(id, cost, text, form)

    def is_of(self, name: str, cost: int, text: str | None) -> bool:
        """Whether a form of today is what this block was."""
        return (
            self.form in (None, name)
            and self.cost in (None, cost)
            and (self.text is None or self.text == text)
        )


class Before(Record):
    """The blocks of the previous packing in the order rendered."""

    __slots__ = ("blocks",)

    blocks: tuple[Block, ...]

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._fill(tuple(blocks))


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
        both = zip(chosen, previous.texts, strict=True)
        return Before(Block(str(d.id), d.cost, text, d.form) for d, text in both)
    if hasattr(previous, "keys"):
        return _from_dict(previous)
    if isinstance(previous, str | bytes) or not hasattr(previous, "__iter__"):
        raise InputTypeError(
            "previous must be a packing, the dict that to_dict() wrote, or the ids that were selected; "
            f"found {described(previous)}",
            path="previous", field="previous", found=previous,
        )  # fmt: skip
    ids = [key_of(id) for id in previous]
    if None in ids:
        raise InputTypeError(
            f"previous must hold ids, str or int; found {described(previous)}",
            path="previous", field="previous", found=previous,
        )  # fmt: skip
    return Before(Block(id) for id in ids if id is not None)


def refuse_headings() -> NoReturn:
    """Refuse a renderer that gathers sections under headings: what comes in late may stand early there."""
    raise InputError(
        "previous= does not go with headings, under which what is new may stand before what is kept; leave "
        "out one of the two",
        path="previous", field="previous",
    )  # fmt: skip


def _from_dict(written: Mapping[str, Any]) -> Before:
    try:
        chosen = [decision for decision in written["decisions"] if decision["chosen"]]
        texts = written.get("texts") or [None] * len(chosen)
        both = zip(chosen, texts, strict=True)
        return Before([Block(str(d["id"]), d["cost"], text, d.get("form")) for d, text in both])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
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
    least = model.costs if structure is None else structure.least
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
        least = (
            0 if not model.pinned[at] else model.cost_of(at, 0) if structure is None else structure.least[at]
        )
        room -= model.cost_of(at, form) - least
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
