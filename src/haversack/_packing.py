"""`Packing`: what was chosen, what it costs and is worth, what was proven, and why."""

from __future__ import annotations

from haversack import _core
from haversack._budgeted import Budgeted
from haversack._decision import Ledger
from haversack._decisions import Decisions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Generic, TypeVar

    from haversack._curve import Diff, Point
    from haversack._decision import Decision
    from haversack._model import AnyOutcome, Model
    from haversack._rendered import Rendered

    T = TypeVar("T")

    class _Of(Generic[T]):
        __slots__ = ()
else:
    # `typing` costs more than all the rest of the import: at run time a generic alias is enough.
    T = object

    class _Of:
        __slots__ = ()
        __class_getitem__ = classmethod(type(list[int]))


class Packing(_Of[T], Budgeted):
    """The result of `pack`: a selection, its numbers, its proof.

    `selected` and `dropped` together are the input, each snippet once, in input order: the caller's own
    objects. Everything else is a number or says why. `text`, `text_tokens` and `exact` are there with a
    counter; `messages` with `pack_messages`.

    >>> import haversack
    >>> packing = haversack.pack(
    ...     [{"id": "rules", "cost": 120, "value": 5, "pinned": True},
    ...      {"id": "api", "cost": 420, "value": 8},
    ...      {"id": "notes", "cost": 900, "value": 6},
    ...      {"id": "log", "cost": 300, "value": 3}], budget=1000)
    >>> packing
    <Packing 3 of 4 snippets, 840 of 1,000 tokens, value 16, optimal>
    >>> [snippet["id"] for snippet in packing.selected]
    ['rules', 'api', 'log']
    >>> packing["notes"].reason
    'no_room'
    """

    __slots__ = ("_decisions", "_effort", "_prefix")

    _noun = "snippet"  # what reports call one of what is packed

    def __init__(
        self,
        model: Model,
        outcome: AnyOutcome,
        budget: int,
        reserve: int,
        effort: int | None,
        frame: int = 0,
        rendered: Rendered | None = None,
        prefix: tuple[int, int] = (0, 0),
    ) -> None:
        # *prefix*: the position where the kept beginning ends, and the tokens that are as before.
        self._model = model
        self._outcome = outcome
        self._effort = effort
        self._decisions: Decisions | None = None
        self._budget = budget
        self._reserve = reserve
        self._frame = frame
        self._rendered = rendered
        self._prefix = prefix

    # The selection

    @property
    def selected(self) -> list[T]:
        """The chosen snippets, the caller's own objects, in input order; a new list on each access."""
        return _core.pick(self._model.objects, self._outcome.mask, 1)

    @property
    def dropped(self) -> list[T]:
        """The snippets left out, in input order; a new list on each access."""
        return _core.pick(self._model.objects, self._outcome.mask, 0)

    @property
    def decisions(self) -> Decisions:
        """Why each snippet is in or out, by position; the records are built on access."""
        capacity = self.capacity if self._rendered is None else self._rendered.capacity
        room = max(0, capacity - self._outcome.pinned_cost)
        remaining = max(0, capacity - self._outcome.cost)
        pinned_cost, prefix_end = self._outcome.pinned_cost, self._prefix[0]
        ledger = Ledger(capacity, room, pinned_cost, remaining, self.optimal, prefix_end, self.budget)
        if self._model.structure is None:
            return Decisions(self._model, self._outcome.mask, ledger)
        if self._decisions is None:
            from haversack._reasons import StructuredDecisions

            self._decisions = StructuredDecisions(self._model, self._structured, ledger)
        return self._decisions

    def __getitem__(self, id: str | int) -> Decision:
        """Return the decision on the snippet with this id."""
        position = self._model.position(id)
        if position is None:
            from haversack._fields import nearest
            from haversack._ids import key_of, shown_id

            likely = nearest(key_of(id) or "", map(str, self._model.ids))
            raise KeyError(
                f"no {self._noun} has the id {shown_id(id)}"
                + (f"; did you mean {likely!r}?" if likely else "")
            )
        return self.decisions[position]

    # Without these, __getitem__ alone would make a packing look like a sequence of positions.
    __iter__ = None
    __contains__ = None

    # The text

    @property
    def text(self) -> str | None:
        """The rendered context, the very text that was counted; None without a counter."""
        return None if self._rendered is None else self._rendered.text

    @property
    def text_tokens(self) -> int | None:
        """The tokens of `text`, counted as a whole; None without a counter.

        They are frame + cost + `statistics["joins"]`, less the cost of what is in without a text.
        """
        return None if self._rendered is None else self._rendered.tokens

    @property
    def statistics(self) -> dict[str, Any]:
        """What the search did and what the input is like, in numbers.

        `states` created, whether `fewest_tokens` is proven; `duplicates`: snippets that repeat the text of an
        earlier one, kept or not; with a text `rounds`, how many were counted, and `joins`, its tokens less
        the sum of the charges; with a Calibrator the `expected_evidence`, the sum of the probabilities
        chosen, and `expected_evidence_total`, that of all optional snippets; and more.
        """
        from haversack._evidence import tallied

        known = {**tallied(self), **super().statistics}
        if self._rendered is not None:
            known |= {"rounds": self._rendered.rounds, "joins": self._rendered.joins}
        return known

    @property
    def exact(self) -> bool | None:
        """Whether a real tokenizer counted (False: an estimate); None without a counter."""
        return None if self._rendered is None else self._rendered.exact

    @property
    def messages(self) -> list[Any] | None:
        """The messages to send, of `pack_messages`; None, as these are snippets."""
        return None

    @property
    def prefix_tokens(self) -> int:
        """Tokens of the blocks at the beginning that are as in the previous packing; 0 without one."""
        return self._prefix[1]

    # Other views

    def explain(self) -> str:
        """Return a readable account: the numbers, then one sentence a snippet."""
        from haversack._report import explained

        return explained(self)

    def curve(self, budgets: Iterable[int] | None = None) -> list[Point]:
        """Return (budget, value, cost) at several budgets: what a larger window would buy.

        Each is packed anew with this packing's reserve and effort. By default in tenths of this budget, and
        beyond it up to twice as much.

        >>> import haversack
        >>> packing = haversack.pack([{"cost": 6, "value": 7}, {"cost": 5, "value": 5}], budget=10)
        >>> for budget, value, cost in packing.curve([5, 10, 11]):
        ...     print(budget, value, cost)
        5 5 5
        10 7 6
        11 12 11
        """
        from haversack._curve import curve

        return curve(self, budgets)

    def diff(self, other: Packing[Any]) -> Diff:
        """Return what changed from `other`, an earlier packing, to this one: ids that entered, left, stayed.

        >>> import haversack
        >>> snippets = [{"id": "a", "cost": 6, "value": 7}, {"id": "b", "cost": 5, "value": 9}]
        >>> haversack.pack(snippets, 10).diff(haversack.pack(snippets, 11))
        Diff(entered=[], left=['a'], kept=['b'])
        """
        from haversack._curve import diff

        return diff(self, other)

    def to_dict(self, inputs: bool = False) -> dict[str, Any]:
        """Return the packing as plain JSON types; with `inputs`, the snippets and chosen texts too."""
        from haversack._wire import to_dict

        return to_dict(self, inputs)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Packing[Any]:
        """Return the packing that `to_dict` wrote; its snippets are dicts, or bare `Snippet` records."""
        from haversack._wire import from_dict

        return from_dict(data)

    def to_html(self) -> str:
        """Return a self-contained HTML page: the numbers and every decision, escaped."""
        from haversack._html import page

        return page(self)

    def _repr_html_(self) -> str:
        from haversack._html import fragment

        return fragment(self)

    def __str__(self) -> str:
        from haversack._report import printed

        return printed(self)

    def __repr__(self) -> str:
        from haversack._report import headline

        return f"<Packing {headline(self)}>"

    def __eq__(self, other: object) -> bool:
        """Equal: the same choice among equal ids, costs, values and pins, with equal numbers and proof."""
        if not isinstance(other, Packing):
            return NotImplemented
        return self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def _key(self) -> tuple[object, ...]:
        model, outcome = self._model, self._outcome
        numbers = (self.budget, self.reserve, self.frame, outcome.value, outcome.bound, outcome.optimal)
        content: tuple[object, ...] = (model.pinned, model.costs, model.values)
        if model.structure is not None:
            content = (self._structured.choice, self._structured.caps, model.structure.key())
        return *numbers, model.valued_by, bytes(outcome.mask), list(map(str, model.ids)), *content

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        from haversack._wire import from_dict

        return from_dict, (self.to_dict(), self._model.objects, self.texts)
