"""Which messages must be in, and what each is worth."""

from __future__ import annotations

from collections.abc import Mapping

from haversack._numbers import Place, described, flag_of, value_of
from haversack.chat._keeping import recency
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from haversack.chat._message import Message
    from haversack.chat._units import Unit

    Pins = Iterable[str | int] | Callable[[Any], bool] | str | int | None
    Values = Callable[[Any], int | float] | Sequence[int | float] | Mapping[Any, int | float] | None


class Pinned:
    """Positions of pinned messages: by `default`, and those somebody asked for (`asked`)."""

    __slots__ = ("all", "asked", "default")

    def __init__(self, default: set[int], asked: set[int]) -> None:
        self.default = default
        self.asked = asked
        self.all = default | asked

    def __contains__(self, position: object) -> bool:
        return position in self.all


def find_pins(messages: Sequence[Message], units: Sequence[Unit], pinned: Pins) -> Pinned:
    """Gather the pins: keys of the messages, *pinned*, and the default ones unless *pinned* is empty."""
    asked = {message.position for message in messages if "pinned" in message.data and _flag(message)}
    if pinned is None:
        return Pinned(_default_pins(units), asked)
    if callable(pinned):
        asked |= {message.position for message in messages if pinned(message.source)}
        return Pinned(_default_pins(units), asked)
    wanted = [pinned] if isinstance(pinned, (str, int)) else list(pinned)
    known = {str(message.id): message.position for message in messages}
    for name in wanted:
        if str(name) not in known:
            raise InputError(
                f"pinned={name!r} is the id of no message; ids are {_some(known)}", field="pinned", found=name
            )
        asked.add(known[str(name)])
    return Pinned(_default_pins(units) if wanted else set(), asked)


def _default_pins(units: Sequence[Unit]) -> set[int]:
    """System messages, the last user message that is no result, and the newest unit."""
    alive = [unit for unit in units if not unit.broken]
    pins = {m.position for unit in alive for m in unit.messages if m.kind == "system"}
    asking = [m.position for unit in alive for m in unit.messages if m.asks]
    if asking:
        pins.add(max(asking))
    if alive:
        newest = max(alive, key=lambda unit: unit.messages[-1].position)
        pins.update(message.position for message in newest.messages)
    return pins


def find_values(messages: Sequence[Message], pins: Pinned, value: Values) -> tuple[list[int | float], bool]:
    """The value of every message, and whether anybody gave one; without any, by recency."""
    given: list[Any]
    if value is None:
        given = [message.data.get("value") for message in messages]
    elif callable(value):
        given = [value(message.source) for message in messages]
    elif isinstance(value, Mapping):
        by_id = {str(name): found for name, found in value.items()}
        given = [by_id.get(str(message.id)) for message in messages]
    else:
        given = list(value)
        if len(given) != len(messages):
            raise InputError(
                f"value has {len(given)} numbers for {len(messages)} messages; give one for each",
                field="value",
                found=value,
            )
    if given.count(None) == len(given):
        return list(recency(len(messages))), False
    for message, found in zip(messages, given, strict=True):
        if found is None and message.position not in pins:
            _place(message).refuse(
                "value", f"is missing, while other messages have one; found {described(found)}", found
            )
    return [
        0 if found is None else value_of(found, _place(message))
        for message, found in zip(messages, given, strict=True)
    ], True


def _flag(message: Message) -> bool:
    own = message.own("pinned")
    return own is not None and flag_of(own, _place(message), "pinned")


def _place(message: Message) -> Place:
    own = message.id if str(message.id) != str(message.position) else None
    return Place("messages", message.position, own)


def _some(known: Mapping[str, int]) -> str:
    names = list(map(repr, known))
    return ", ".join(names[:8]) + (f", ... ({len(names)})" if len(names) > 8 else "")
