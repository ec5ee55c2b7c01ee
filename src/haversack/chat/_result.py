"""`MessagePacking`: a `Packing` whose snippets are messages."""

from __future__ import annotations

from operator import itemgetter

from haversack._bigint import Outcome
from haversack._copies import Copies
from haversack._decision import Decision, _remake
from haversack._decisions import Decisions
from haversack._model import Model
from haversack._packing import Packing
from haversack._plain import plain
from haversack._record import Record, copied
from haversack.chat._forms import as_mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from haversack._curve import Point
    from haversack.chat._reasons import Note, Reasons
    from haversack.chat._report import Again


class Columns(Record):
    """The messages as parallel columns; `valued_by` says where the values are from."""

    __slots__ = ("ids", "costs", "values", "pinned", "valued_by", "texts")

    ids: list[str | int]
    costs: list[int]
    values: list[int | float]
    pinned: bytes
    valued_by: str
    texts: list[str | None]

    def __init__(self, *columns: Any) -> None:
        self._fill(*columns)


class Facts(Record):
    """All that a packing of messages knows, in plain lists by position: it can be pickled."""

    __slots__ = (
        "objects",
        "table",
        "mask",
        "forms",
        "reasons",
        "messages",
        "sent",
        "selected",
        "numbers",
        "statistics",
        "again",
    )

    objects: list[Any]
    table: Columns
    mask: bytes
    forms: list[str | None]
    reasons: Reasons
    messages: list[Any]
    sent: list[tuple[str, str]]
    selected: tuple[int | float, int | float, bool]
    numbers: tuple[int, int, int, int, bool | None]
    statistics: dict[str, Any]
    again: Again

    def __init__(self, **facts: Any) -> None:
        self._fill(*(facts[name] for name in self.__slots__))


class MessageDecision(Decision):
    """Whether one message is in, and why. All messages of a unit share their fate."""

    # Two places more than a plain decision: the note, and the form that was taken.
    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def _note(self) -> Note: ...
        @property
        def form(self) -> str | None: ...
    else:
        _note = property(itemgetter(3))
        form = property(itemgetter(4), doc="The form that was taken; None if the message is out.")

    @property
    def detail(self) -> dict[str, Any]:
        """The numbers behind the reason: of the unit that decided it, `unit` being its messages."""
        return dict(self._note.detail)

    def _why(self) -> str:
        return self._note.sentence

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _remade, (*super().__reduce__()[1], self._note, self.form)


def _remade(*facts: Any) -> MessageDecision:
    plain = _remake(*facts[:-2])
    return MessageDecision((plain.position, plain.reason, plain._sheet, *facts[-2:]))


class MessageDecisions(Decisions):
    """The decisions of a packing of messages, in input order."""

    __slots__ = ("_facts",)

    def __init__(self, plain: Decisions, facts: Facts) -> None:
        super().__init__(plain._model, plain._mask, plain.ledger)
        self._facts = facts

    def _range(self, start: int, stop: int) -> Iterator[Decision]:
        reasons, forms = self._facts.reasons, self._facts.forms
        for position in range(start, stop):
            note = reasons.note(position)
            yield MessageDecision((position, note.reason, self, note, forms[position]))


class MessagePacking(Packing["Any"]):
    """The result of `pack_messages`: a `Packing`, and the list to send.

    `messages` is valid for the provider and in its form: the caller's own objects in their order. A message
    that carried keys of ours, or took a shorter form, is a copy. `prefix_tokens` are the tokens at the
    beginning that are the same as in the previous packing, and `sent` lists (id, form) of `messages`.
    """

    __slots__ = ("_facts",)

    _noun = "message"

    def __init__(self, facts: Facts) -> None:
        value, bound, optimal = facts.selected
        budget, reserve, frame, prefix, _ = facts.numbers
        table = facts.table
        outcome = Outcome(
            facts.mask,
            value=value,
            cost=sum(cost for cost, chosen in zip(table.costs, facts.mask, strict=True) if chosen),
            pinned_cost=sum(cost for cost, pin in zip(table.costs, table.pinned, strict=True) if pin),
            bound=bound,
            optimal=optimal,
            fewest_tokens=False,
            statistics={},
        )
        model = Model.of_numbers(
            facts.objects, table.ids, table.costs, table.values, table.pinned, valued_by=table.valued_by
        )
        model.copies = Copies({}, {})  # messages are no copies of each other, whatever they say
        super().__init__(model, outcome, budget, reserve, None, frame, prefix=(0, prefix))
        self._facts = facts

    @property
    def messages(self) -> list[Any]:
        """The messages to send, in order."""
        return list(self._facts.messages)

    @property
    def texts(self) -> list[str | None]:
        """The prose of each selected message, in the form that was taken; None where it has none."""
        texts = zip(self._facts.table.texts, self._facts.mask, strict=True)
        return [text for text, chosen in texts if chosen]

    @property
    def sent(self) -> list[tuple[str, str]]:
        """The id and the form of every message to send, in order."""
        return list(self._facts.sent)

    @property
    def forms(self) -> dict[str | int, str]:
        """The form of each selected message by id: `full`, or a shorter one."""
        forms = zip(self._model.ids, self._facts.forms, strict=True)
        return {id: form for id, form in forms if form is not None}

    @property
    def decisions(self) -> MessageDecisions:
        """Why each message is in or out, by position."""
        return MessageDecisions(super().decisions, self._facts)

    @property
    def exact(self) -> bool | None:
        """Whether every token was counted exactly: no estimate of counter, framing or media is in it."""
        return self._facts.numbers[4]

    @property
    def statistics(self) -> dict[str, Any]:
        """What is worth knowing besides.

        `form`; `kept`: whether the previous selection was; `estimated`: what the count rests on that is no
        count; ids of `orphans`, of results that `moved` up to their call, of messages `repaired` (sent
        without their blank texts), of `cache_marks_dropped`.
        """
        return {**super().statistics, **copied(self._facts.statistics)}

    def curve(self, budgets: Iterable[int] | None = None) -> list[Point]:
        """Return (budget, value, cost) at several budgets, each selected anew by the same rules."""
        from haversack._budget import budget_of
        from haversack._curve import Point, _grid

        rows = []
        for budget in _grid(self) if budgets is None else map(budget_of, budgets):
            found, cost = self._facts.again(budget - self.reserve - self.frame)
            rows.append(Point((budget, found, cost)))
        return rows

    def to_dict(self, inputs: bool = False) -> dict[str, Any]:
        """Return the packing as plain JSON types; `previous=` of the next call takes it."""
        written = super().to_dict(inputs)
        written["messages"] = [plain(as_mapping(message)) for message in self._facts.messages]
        written["statistics"] = plain(written["statistics"])
        written["chat"] = {"sent": [list(pair) for pair in self._facts.sent]}
        return written

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return MessagePacking, (self._facts,)
