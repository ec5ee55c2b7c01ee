"""Why one snippet is in or out: a record, and the numbers that it quotes."""

from __future__ import annotations

from operator import itemgetter

from haversack._record import Record, copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from haversack._decisions import Decisions


class Ledger(Record):
    """The numbers of a packing, as its decisions quote them.

    Nothing but what was kept from the previous packing stands before `prefix_end`.
    """

    __slots__ = ("capacity", "room", "pinned_cost", "remaining", "optimal", "prefix_end", "budget")

    capacity: int
    room: int
    pinned_cost: int
    remaining: int
    optimal: bool
    prefix_end: int
    budget: int

    def __init__(
        self,
        capacity: int,
        room: int,
        pinned_cost: int,
        remaining: int,
        optimal: bool,
        prefix_end: int,
        budget: int,
    ) -> None:
        self._fill(capacity, room, pinned_cost, remaining, optimal, prefix_end, budget)


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
            return {**copied(self._sheet.details[self.position]), **copied(noted)}
        from haversack._sentences import detail

        return {**detail(self, self._sheet.ledger), **copied(noted)}

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
