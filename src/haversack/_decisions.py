"""Why every snippet is in or out: records that are built when somebody looks."""

from __future__ import annotations

from _collections_abc import Sequence
from itertools import repeat
from operator import itemgetter

from haversack._kept import Kept
from haversack._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, overload

    from haversack._model import Model


class Ledger(Record):
    """The numbers of a packing, as its decisions quote them.

    Nothing but what was kept from the previous packing stands before `prefix_end`.
    """

    __slots__ = ("capacity", "room", "pinned_cost", "remaining", "optimal", "prefix_end")

    capacity: int
    room: int
    pinned_cost: int
    remaining: int
    optimal: bool
    prefix_end: int

    def __init__(
        self, capacity: int, room: int, pinned_cost: int, remaining: int, optimal: bool, prefix_end: int = 0
    ) -> None:
        self._fill(capacity, room, pinned_cost, remaining, optimal, prefix_end)


CHOSEN = frozenset(("pinned", "free", "chosen"))
"""The reasons of snippets that are in."""


class Decision(tuple[object, ...]):
    """Whether one snippet is in, and why.

    `reason` is the first of these that applies: `pinned`, `free`, `chosen` (in), `duplicate`, `requires`,
    `group`, `one_of`, `worthless`, `too_long`, `no_room`, `section_full`, `tier`, `outvalued` (out). `detail`
    holds its numbers; `str(decision)` is the sentence. `form` is the form that was taken (`"full"` is the
    snippet's own), None for a snippet that is out; `cost` and `value` are of that form, or of the cheapest.

    >>> import haversack
    >>> packing = haversack.pack([{"id": "log", "cost": 300, "value": 3}], budget=100)
    >>> packing["log"].reason, packing["log"].detail
    ('too_long', {'cost': 300, 'capacity': 100, 'over': 200})
    >>> print(packing["log"])
    log is out: too long, as alone it needs 300 tokens, 200 more than the capacity of 100
    """

    # A tuple, because a thousand of these are made in the time of a few hundred ordinary objects: position,
    # reason, and the sheet from which all else is read when it is asked for.
    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def position(self) -> int: ...
        @property
        def reason(self) -> str: ...
        @property
        def _sheet(self) -> Decisions | _Row: ...
    else:
        position = property(itemgetter(0), doc="The snippet's position in the input.")
        reason = property(itemgetter(1), doc="Why, in one word.")
        _sheet = property(itemgetter(2))

    @property
    def id(self) -> str | int:
        """The snippet's id, as given or by default."""
        return self._sheet.ids[self.position]

    @property
    def chosen(self) -> bool:
        """Whether the snippet is in."""
        return self.reason in CHOSEN

    @property
    def form(self) -> str | None:
        """The form that was taken; None if the snippet is out."""
        if self._sheet.forms is not None:
            return self._sheet.forms[self.position]
        return "full" if self.reason in CHOSEN else None

    @property
    def cost(self) -> int:
        """The snippet's tokens."""
        return self._sheet.costs[self.position]

    @property
    def value(self) -> int | float:
        """The snippet's value."""
        return self._sheet.values[self.position]

    @property
    def detail(self) -> dict[str, Any]:
        """The numbers behind the reason."""
        noted = self._sheet.notes.get(self.position, {})
        if self._sheet.details is not None:
            return {**self._sheet.details[self.position], **noted}
        from haversack._sentences import detail

        return {**detail(self, self._sheet.ledger), **noted}

    def __str__(self) -> str:
        from haversack._figures import harmless

        return f"{harmless(self.id)} is {'in' if self.chosen else 'out'}: {self._why()}"

    def _why(self) -> str:
        """The part of the sentence after the colon."""
        from haversack._sentences import why

        return why(self, self._sheet.ledger)

    def __repr__(self) -> str:
        return (
            f"Decision(position={self.position}, id={self.id!r}, chosen={self.chosen}, "
            f"reason={self.reason!r}, "
            f"form={self.form!r}, cost={self.cost}, value={self.value}, detail={self.detail})"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Decision):
            return NotImplemented
        return self._facts() == other._facts()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.position, self.reason, self.id, self.cost, self.value))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # A decision on its own need not carry the packing along.
        return _remake, self._facts()

    def _facts(self) -> tuple[Any, ...]:
        sheet, at = self._sheet, self.position
        form = None if sheet.forms is None else (sheet.forms[at],)
        detail = None if sheet.details is None else sheet.details[at]
        noted = sheet.notes.get(at)
        return at, self.reason, self.id, self.cost, self.value, sheet.ledger, form, detail, noted


class _Row(Record):
    """The sheet of a decision that left its packing: one snippet's numbers under its position."""

    __slots__ = ("ids", "costs", "values", "ledger", "forms", "details", "notes")

    ids: dict[int, str | int]
    costs: dict[int, int]
    values: dict[int, int | float]
    ledger: Ledger
    forms: dict[int, str | None] | None
    details: dict[int, dict[str, Any]] | None
    notes: dict[int, dict[str, Any]]


def _remake(
    position: int,
    reason: str,
    id: str | int,
    cost: int,
    value: int | float,
    ledger: Ledger,
    form: tuple[str | None] | None,
    detail: dict[str, Any] | None,
    noted: dict[str, Any] | None,
) -> Decision:
    row = _Row()
    row._fill(
        {position: id}, {position: cost}, {position: value}, ledger,
        None if form is None else {position: form[0]}, None if detail is None else {position: detail},
        {} if noted is None else {position: noted},
    )  # fmt: skip
    return Decision((position, reason, row))


class Decisions(Sequence[Decision] if TYPE_CHECKING else Sequence):  # type: ignore[misc]
    """The decisions of a packing in input order; each is built when it is looked at."""

    __slots__ = ("_mask", "_model", "ledger")

    # Without structure, forms and numbers follow from the reason.
    forms: Any = None
    details: Any = None

    def __init__(self, model: Model | Kept, mask: memoryview, ledger: Ledger) -> None:
        self._model = model
        self._mask = mask
        self.ledger = ledger

    @property
    def ids(self) -> list[str | int]:
        """The ids by position."""
        return self._model.ids

    @property
    def notes(self) -> dict[int, dict[str, Any]]:
        """What is told of copies and overlaps, by position."""
        return {} if self._model.copies is None else self._model.copies.notes

    @property
    def costs(self) -> list[int]:
        """The tokens by position."""
        return self._model.costs

    @property
    def values(self) -> list[int | float]:
        """The values by position."""
        return self._model.values

    def __len__(self) -> int:
        return len(self._mask)

    def __iter__(self) -> Iterator[Decision]:
        return self._range(0, len(self._mask))

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, at: int) -> Decision: ...
        @overload
        def __getitem__(self, at: slice) -> list[Decision]: ...

    def __getitem__(self, at: int | slice) -> Decision | list[Decision]:
        positions = range(len(self._mask))[at]
        if isinstance(positions, int):
            return next(self._range(positions, positions + 1))
        if positions.step == 1:
            return list(self._range(positions.start, positions.stop))
        return [next(self._range(position, position + 1)) for position in positions]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Decisions):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        chosen = sum(self._mask)
        return f"<Decisions on {len(self):,} snippets: {chosen:,} in, {len(self) - chosen:,} out>"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # Neither the caller's objects nor the native columns need come along.
        model = self._model
        columns = (model.ids, model.costs, model.values, model.pinned, model.copies)
        return _remake_all, (columns, bytes(self._mask), self.ledger)

    def _range(self, start: int, stop: int) -> Iterator[Decision]:
        """Build the decisions of a range of positions, without a step in Python for each."""
        model, cut = self._model, slice(start, stop)
        mask = self._mask[cut].tolist()
        why = reasons(model.pinned[cut], mask, model.costs[cut], model.values[cut], self.ledger)
        if model.copies is not None:
            model.copies.mark(why, start)
        return map(Decision, zip(range(start, stop), why, repeat(self)))


def _remake_all(columns: tuple[Any, ...], mask: bytes, ledger: Ledger) -> Decisions:
    return Decisions(Kept(*columns), memoryview(mask), ledger)


def reasons(
    pins: Iterable[int],
    mask: Iterable[int],
    costs: Iterable[int],
    values: Iterable[int | float],
    ledger: Ledger,
) -> list[str]:
    """Return each snippet's reason: the first that applies."""
    capacity, room = ledger.capacity, ledger.room
    return [
        ("pinned" if pin else "chosen" if cost else "free")
        if chosen
        else "worthless"
        if value <= 0
        else "too_long"
        if cost > capacity
        else "no_room"
        if cost > room
        else "outvalued"
        for pin, chosen, cost, value in zip(pins, mask, costs, values)  # noqa: B905
    ]
