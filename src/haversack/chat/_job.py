"""One call of `pack_messages`, step by step: read, count, divide into units, select, report."""

from __future__ import annotations

from haversack.chat._anthropic import repair
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

    copies: Mapping[int, Any] = {}
    texts: Mapping[int, tuple[str, ...]] = {}

    def __init__(self, name: str, costs: list[int]) -> None:
        self.name = name
        self.costs = costs


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
        if self.form == "anthropic" and foreign is None:
            for message in self.messages:
                repair(message)
        self.sources = sources
        self.meter = Meter(self.form, counter, framing=framing, media=media)
        self.tally = self.meter.tally(self.messages, system=system, tools=tools)
        self.units = build_units(conversation)

    def prepare(self, value: Values, pinned: Pins, sizes: tuple[int, ...]) -> None:
        """Pins, values, and the forms of every unit."""
        self.pins = find_pins(self.messages, self.units, pinned)
        self.values, self.valued = find_values(self.messages, self.pins, value)
        for unit in self.units:
            refused = unit.broken and [m for m in unit.messages if m.position in self.pins.asked]
            if refused:
                raise InputError(
                    f"messages[{refused[0].position}] (id {refused[0].id!r}) is pinned, but cannot be sent: "
                    f"{unit.broken}; unpin it, or complete the conversation",
                    path=f"messages[{refused[0].position}]",
                    id=refused[0].id,
                    field="pinned",
                )
        self.shorter: dict[int, list[Form]] = {}
        for index, unit in enumerate(self.units) if sizes else ():
            if not unit.broken:
                self.shorter[index] = self._shorter_forms(index, sizes)
        self.choices = [self._choice(index, unit) for index, unit in enumerate(self.units)]

    def full(self, index: int) -> Form:
        """The full form of a unit."""
        return Form("full", [self.tally.costs[m.position] for m in self.units[index].messages])

    def forms(self, index: int) -> list[Form]:
        """The forms of a unit, the full one first."""
        return [self.full(index), *self.shorter.get(index, ())]

    def _choice(self, index: int, unit: Unit) -> Choice:
        messages, pins = unit.messages, self.pins.all
        positions = [message.position for message in messages] if len(messages) > 1 else [unit.anchor]
        costs: tuple[int, ...] = (sum([self.tally.costs[position] for position in positions]),)
        values: tuple[int | float, ...] = (exact_sum([self.values[position] for position in positions]),)
        for number, form in enumerate(self.shorter.get(index, ()), 1):
            costs += (sum(form.costs),)
            values += (_shortened(values[0], number),)
        return Choice(
            costs,
            values,
            not pins.isdisjoint(positions),
            unit.turn,
            unit.starts,
            unit.ends,
            unit.callers > 0,
            messages[0].kind == "user",
            not unit.broken,
        )

    def _shorter_forms(self, index: int, sizes: tuple[int, ...]) -> list[Form]:
        """The shorter forms, each of which costs less than the one before."""
        full = self.full(index)
        forms = [full]
        for size in sizes:
            shorter = self._shorter(self.units[index], full, size)
            if shorter.copies and sum(shorter.costs) < sum(forms[-1].costs):
                forms.append(shorter)
        return forms[1:]

    def _shorter(self, unit: Unit, full: Form, size: int) -> Form:
        form = Form(f"elided to {size}", list(full.costs))
        copies: dict[int, Any] = {}
        shortened: dict[int, tuple[str, ...]] = {}
        for index, message in enumerate(unit.messages):
            texts = self._elided(message, size) if self._may_elide(message) else message.texts
            if texts != message.texts:
                copies[message.position] = with_texts(message, self.form, texts, self.rebuild)
                shortened[message.position] = texts
                form.costs[index] += sum(self.meter.count(texts)) - sum(self.meter.count(message.texts))
        form.copies, form.texts = copies, shortened
        return form

    def _elided(self, message: Message, size: int) -> tuple[str, ...]:
        def count(text: str) -> int:
            return self.meter.count([text])[0]

        return tuple(elided(text, size, count) or text for text in message.texts)

    def _may_elide(self, message: Message) -> bool:
        """Results, and what is old: never what is pinned for its own sake, or bound to reasoning or calls."""
        if message.own("cost") is not None or message.position in self.pins.asked or message.kind == "system":
            return False
        return message.kind == "result" or (
            message.position not in self.pins and not message.calls and not message.thinking
        )

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
                names = [form.name for form in self.forms(index)]
                shortened = [names.index(form) for form in taken if form in names]
                chosen[index] = max(shortened, default=0)
        return chosen


def _shortened(value: int | float, number: int) -> int | float:
    """A shorter form is worth half of the fuller one: the ends of a text are mostly what is needed."""
    half = value / 2**number
    return int(half) if isinstance(value, int) and half == int(half) else half
