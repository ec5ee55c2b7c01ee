"""Units: what must be kept or dropped together, and turns: what a reader of the conversation takes as one.

1. A result answers the nearest earlier call with its id (without ids: its name) that has no result yet;
   parallel calls of one message are answered in their order. A call and all of its results are one unit.
2. Where reasoning must stay with what it led to (Responses items, Anthropic thinking blocks) a run of model
   messages is one unit from its first reasoning or call on.
3. Anthropic takes a system message within the conversation only behind a user turn: it stays with that.
4. What no provider accepts is broken, with a reason: a result without a call, a call that is never answered
   although the conversation went on, a message without content where that is refused.

A turn is a user message with everything up to the next one; messages before the first are turn 0.
"""

from __future__ import annotations

from itertools import pairwise
from operator import attrgetter

from haversack.chat._forms import TITLES
from haversack.chat._matching import match_results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from haversack.chat._message import Call, Message
    from haversack.chat._read import Conversation

# Forms in which a result must stand directly behind its call.
ADJACENT = ("openai", "anthropic", "gemini")
STARTS_WITH_USER = ("anthropic", "gemini")


_SIDES = {"system": "system", "assistant": "model", "user": "user", "result": "user"}
"""Whose turn a provider takes a message for; results are sent by the user's side."""


class Unit:
    """Messages that go together. `broken` says why it can never be sent, `open` that a call still waits.

    `callers` is how many of its messages make calls, `anchor` the position by which it is sent.
    """

    broken: str | None = None
    open = False
    turn = 0

    def __init__(self, messages: list[Message]) -> None:
        first = messages[0]
        self.messages = messages
        self.anchor = first.position
        self.callers = 1 if first.calls else 0
        for message in messages[1:]:
            if message.calls:
                self.callers += 1
                self.anchor = message.position
        self.starts = _SIDES[first.kind]
        self.ends = _SIDES[messages[-1].kind]

    @property
    def calls(self) -> bool:
        """Whether any of its messages makes a call."""
        return self.callers > 0

    @property
    def asks(self) -> bool:
        """Whether it opens a turn: a user's own message that is no result."""
        return self.messages[0].kind == "user"


def build_units(conversation: Conversation) -> list[Unit]:
    """Divide a conversation into units, in the order in which they are sent; broken ones included."""
    messages, form = conversation.messages, conversation.form
    groups = _Groups(len(messages))
    answered = match_results(messages, form)
    broken = _refused(messages, form, answered)
    for message in messages if answered else ():
        for result in message.results:
            if id(result) in answered:
                groups.join(answered[id(result)].position, message.position)
    if form in ("responses", "anthropic"):
        _join_runs(messages, groups)
    if form == "anthropic":
        _join_system(messages, groups)
    units = [Unit([messages[position] for position in group]) for group in groups.all()]
    for unit in units if broken else ():
        unit.broken = next((broken[m.position] for m in unit.messages if m.position in broken), None)
    _mark_open(units)
    _mark_tangled(units, form)
    if form in ADJACENT:
        units.sort(key=attrgetter("anchor"))
    if form in STARTS_WITH_USER:
        _mark_unopened(units, form)
    _number_turns(units)
    return units


def _refused(messages: list[Message], form: str, answered: dict[int, Call]) -> dict[int, str]:
    """What no provider takes, whatever stands around it: {position: why}."""
    refused: dict[int, str] = {}
    for message in messages:
        lost = message.results and [result for result in message.results if id(result) not in answered]
        if lost:
            refused[message.position] = f"a result for {lost[0]}, but no call is open for it"
        elif message.empty and not may_be_empty(message, messages, form):
            refused[message.position] = f"a message without content, which {TITLES[form]} refuses"
        elif message.thinking and message.data.get("type") == "reasoning":
            after = messages[message.position + 1 : message.position + 2]
            if not after or after[0].kind != "assistant":
                refused[message.position] = "reasoning without the item it led to"
    return refused


def may_be_empty(message: Message, messages: Sequence[Message], form: str) -> bool:
    """Anthropic alone lets a message be without content: the final assistant message."""
    return form == "anthropic" and message is messages[-1] and message.kind == "assistant"


class _Groups:
    """Disjoint sets of positions."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, position: int) -> int:
        while self._parent[position] != position:
            self._parent[position] = self._parent[self._parent[position]]
            position = self._parent[position]
        return position

    def join(self, first: int, second: int) -> None:
        first, second = self.root(first), self.root(second)
        self._parent[max(first, second)] = min(first, second)

    def all(self) -> list[list[int]]:
        """Every set, ascending, by its first position."""
        found: dict[int, list[int]] = {}
        for position, parent in enumerate(self._parent):
            if parent == position:  # the first of its set: joining sees to it
                found[position] = [position]
            else:
                found[self.root(position)].append(position)
        return list(found.values())


def _join_runs(messages: list[Message], groups: _Groups) -> None:
    bound = False
    for before, message in zip([None, *messages], messages, strict=False):
        if message.kind != "assistant":
            bound = False
            continue
        if bound and before is not None:
            groups.join(before.position, message.position)
        bound = bound or message.thinking or bool(message.calls)


def _join_system(messages: list[Message], groups: _Groups) -> None:
    for before, message in pairwise(messages):
        if message.kind == "system":
            groups.join(before.position, message.position)


def _mark_open(units: list[Unit]) -> None:
    """A call without its result may stand at the very end, where it is being carried out; nowhere else."""
    last = max((unit.messages[-1].position for unit in units if not unit.broken), default=-1)
    for unit in units:
        if not unit.callers or unit.broken:
            continue
        waiting = [call for m in unit.messages for call in m.calls if not call.answered]
        if not waiting:
            continue
        if unit.messages[-1].position != last:
            names = ", ".join(str(call.id if call.id is not None else call.name) for call in waiting)
            unit.broken = f"the result of {names} is missing, and the conversation went on without it"
        else:
            unit.open = True


def _mark_tangled(units: list[Unit], form: str) -> None:
    """Where results must follow their call, calls of several messages can be tangled up beyond sending."""
    if form not in ADJACENT:
        return
    from haversack.chat._rules import check_order

    for unit in units:
        if unit.callers > 1 and unit.broken is None:
            problems = check_order(emit([unit], form), form, within=True)
            if problems:
                unit.broken = f"its calls and results are tangled: {problems[0]}"


def _mark_unopened(units: list[Unit], form: str) -> None:
    """Where a list must start with the user, what stands before the user's first word can never be sent."""
    for unit in units:
        if unit.broken:
            continue
        if unit.starts == "user":
            return
        unit.broken = f"{TITLES[form]} must start with the user, and no user message stands before it"


def _number_turns(units: list[Unit]) -> None:
    turn, fresh = 0, False
    for unit in units:
        if unit.asks and not fresh and not unit.broken:
            turn += 1
        if not unit.broken:  # user messages in a row open one turn
            fresh = unit.asks or (fresh and unit.starts == "system")
        unit.turn = turn


def emit(units: Iterable[Unit], form: str) -> list[Message]:
    """The messages of *units*, in the order in which they are sent.

    That is the order of the input, save where a provider wants a result directly behind its call and other
    messages stand between them: then the result moves up.
    """
    if form in ADJACENT:
        return [message for unit in units for message in unit.messages]
    return sorted((m for unit in units for m in unit.messages), key=lambda m: m.position)
