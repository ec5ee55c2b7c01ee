"""One call of `pack_messages`, step by step: read, count, divide into units, select, report."""

from __future__ import annotations

from haversack.chat._best_set import exact_sum, solve
from haversack.chat._copies import with_texts
from haversack.chat._elide import elided
from haversack.chat._keeping import select
from haversack.chat._pins import find_pins, find_values
from haversack.chat._previous import sent_before
from haversack.chat._read import read
from haversack.chat._selection import ORDERS, Choice, find_fault
from haversack.chat._units import build_units
from haversack.chat.counting import Meter
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from haversack.chat._message import Message
    from haversack.chat._pins import Pins, Values
    from haversack.chat._result import MessagePacking
    from haversack.chat._selection import Chosen, Order
    from haversack.chat._units import Unit
    from haversack.chat.counting import Framing, Media


class Foreign:
    """How a framework's messages are taken.

    `read` says what one reads like in the job's form, `rebuild` makes a copy of one from the original and a
    changed reading, `order` is what must hold for a provider yet unknown.
    """

    __slots__ = ("order", "read", "rebuild")

    def __init__(
        self,
        read: Callable[[Any], Mapping[str, Any]],
        rebuild: Callable[[Any, Mapping[str, Any]], Any],
        order: Order,
    ) -> None:
        self.read = read
        self.rebuild = rebuild
        self.order = order


class Form:
    """One form of a unit: its name, the cost of each message; copies and texts where they are shorter."""

    __slots__ = ("copies", "costs", "name", "texts")

    def __init__(self, name: str, costs: list[int], copies: dict[int, Any]) -> None:
        self.name = name
        self.costs = costs
        self.copies = copies
        self.texts: dict[int, list[str]] = {}


class Job:
    """The state of a call. `prepare` fills it, `run` selects and reports."""

    def __init__(
        self,
        sources: list[Any],
        form: str | None,
        system: Any,
        tools: Any,
        counter: str | Callable[[str], int] | None,
        framing: Framing | None,
        media: Media | None,
        foreign: Foreign | None = None,
    ) -> None:
        self.rebuild = foreign.rebuild if foreign is not None else None
        mappings = [foreign.read(source) for source in sources] if foreign is not None else None
        conversation = read(sources, form=form, system=system, mappings=mappings)
        self.form = conversation.form
        self.order = foreign.order if foreign is not None else ORDERS[self.form]
        self.messages = conversation.messages
        self.sources = sources
        self.counter = resolved(counter)
        self.meter = Meter(self.form, self.counter, framing=framing, media=media)
        self.tally = self.meter.tally(self.messages, system=system, tools=tools)
        self.units = build_units(conversation)

    def prepare(self, value: Values, pinned: Pins, sizes: tuple[int, ...]) -> None:
        """Pins, values, and the forms of every unit."""
        self.pins = find_pins(self.messages, self.units, pinned)
        self.values, self.valued = find_values(self.messages, self.pins, value)
        for unit in self.units:
            refused = [m for m in unit.messages if m.position in self.pins.asked]
            if unit.broken and refused:
                raise InputError(
                    f"messages[{refused[0].position}] (id {refused[0].id!r}) is pinned, but cannot be sent: "
                    f"{unit.broken}; unpin it, or complete the conversation",
                    path=f"messages[{refused[0].position}]",
                    id=refused[0].id,
                    field="pinned",
                )
        self.forms = [self._forms(unit, sizes) for unit in self.units]
        self.choices = [self._choice(unit, forms) for unit, forms in zip(self.units, self.forms, strict=True)]

    def _choice(self, unit: Unit, forms: list[Form]) -> Choice:
        value = exact_sum([self.values[m.position] for m in unit.messages])
        return Choice(
            tuple(sum(form.costs) for form in forms),
            (value, *(_shortened(value, number) for number in range(1, len(forms)))),
            pinned=any(m.position in self.pins for m in unit.messages),
            turn=unit.turn,
            starts=unit.starts,
            ends=unit.ends,
            calls=unit.calls,
            asks=unit.asks,
            allowed=not unit.broken,
        )

    def _forms(self, unit: Unit, sizes: tuple[int, ...]) -> list[Form]:
        full = Form("full", [self.tally.costs[m.position] for m in unit.messages], {})
        forms = [full]
        for size in sizes if not unit.broken else ():
            shorter = Form(f"elided to {size}", list(full.costs), {})
            for index, message in enumerate(unit.messages):
                if self._may_elide(message):
                    self._elide(message, index, size, shorter)
            if shorter.copies and sum(shorter.costs) < sum(forms[-1].costs):
                forms.append(shorter)
        return forms

    def _may_elide(self, message: Message) -> bool:
        """Results, and what is old: never what is pinned for its own sake, or bound to reasoning or calls."""
        if message.own("cost") is not None or message.position in self.pins.asked or message.kind == "system":
            return False
        return message.kind == "result" or (
            message.position not in self.pins and not message.calls and not message.thinking
        )

    def _elide(self, message: Message, index: int, size: int, form: Form) -> None:
        def count(text: str) -> int:
            return self.meter.count([text])[0]

        texts = [elided(text, size, count) or text for text in message.texts]
        if texts != message.texts:
            form.copies[message.position] = with_texts(message, self.form, texts, self.rebuild)
            form.texts[message.position] = texts
            form.costs[index] += sum(self.meter.count(texts)) - sum(self.meter.count(message.texts))

    def run(
        self,
        budget: int,
        reserve: int,
        contiguous: bool | None,
        previous: Any,
        target: float,
        over_budget: str,
        depth: int,
        *,
        whole_turns: bool = True,
    ) -> MessagePacking:
        """Select within the budget, and report."""
        from haversack.chat._report import report

        if contiguous is None:
            contiguous = not self.valued and self.pins.asked <= self.pins.default
        before = None if previous is None else sent_before(previous, self.messages)
        capacity = budget - reserve - self.tally.frame
        found = select(
            self.choices,
            max(0, capacity),
            self.order,
            contiguous=contiguous,
            solve=solve,
            previous=None if before is None else self._chosen_before(before),
            target=target,
            whole_turns=whole_turns,
        )
        if find_fault(self.choices, found.chosen, self.order) is not None:
            raise InputError(
                "what is pinned cannot be sent together: between two pinned model turns, one of which makes "
                "calls, no user message is left; unpin one of them",
                field="pinned",
            )
        return report(self, found, budget, reserve, contiguous, before or [], over_budget, depth + 1)

    def _chosen_before(self, before: list[tuple[str, str]]) -> Chosen:
        """The units of the last selection, with the form each had."""
        forms = dict(before)
        chosen: Chosen = {}
        for index, unit in enumerate(self.units):
            taken = [forms[str(m.id)] for m in unit.messages if str(m.id) in forms]
            if taken:
                names = [form.name for form in self.forms[index]]
                shortened = [names.index(form) for form in taken if form in names]
                chosen[index] = max(shortened, default=0)
        return chosen


def _shortened(value: int | float, number: int) -> int | float:
    """A shorter form is worth half of the fuller one: the ends of a text are mostly what is needed."""
    half = value / 2**number
    return int(half) if isinstance(value, int) and half == int(half) else half


def resolved(counter: str | Callable[[str], int] | None) -> Callable[[str], int] | None:
    """A counter by name, or the callable that was passed."""
    if counter is None or not isinstance(counter, str):
        if counter is not None and not callable(counter):
            raise InputError(
                f"counter={counter!r} is neither a name nor callable", field="counter", found=counter
            )
        return counter
    from haversack.counters import resolve

    found: Callable[[str], int] = resolve(counter)
    return found
