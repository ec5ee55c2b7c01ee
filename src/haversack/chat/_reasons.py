"""Why each message is in or out. Light to make; the sentences are written when somebody looks."""

from __future__ import annotations

from haversack._figures import number, tokens
from haversack._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from haversack.chat._selection import Choice, Chosen
    from haversack.chat._units import Unit


class Note(Record):
    """Why a message is in or out: the reason, its numbers, and the sentence."""

    __slots__ = ("reason", "detail", "sentence")

    reason: str
    detail: dict[str, Any]
    sentence: str

    def __init__(self, reason: str, detail: dict[str, Any], sentence: str) -> None:
        self._fill(reason, detail, sentence)


class Reasons:
    """The notes of all messages. What is pickled with the packing are plain numbers only."""

    def __init__(
        self,
        units: Sequence[Unit],
        choices: Sequence[Choice],
        chosen: Chosen,
        names: Mapping[int, Sequence[str]],
        numbers: tuple[int, int, int],
        *,
        contiguous: bool,
        forced: bool,
    ) -> None:
        """Note what decided.

        *names* are the shorter forms of the units that have some, *numbers* capacity, room and what
        remains; *forced*: all that is in is pinned, or needed by a pin.
        """
        self.choices = choices
        self.chosen = chosen
        self.names = names
        self.capacity, self.room, self.remaining = numbers
        self.contiguous = contiguous
        self.forced = forced
        self._units: Sequence[Unit] | None = units
        self.ids: list[list[str | int]] = []
        self.broken: list[str | None] = []
        self.unit_of: dict[int, int] = {}
        self.marked: set[int] = set()

    def _read_units(self) -> None:
        """Note by position what the units say, and let them go."""
        units, self._units = self._units or (), None
        for index, unit in enumerate(units):
            self.ids.append([message.id for message in unit.messages])
            self.broken.append(unit.broken)
            self.unit_of.update((message.position, index) for message in unit.messages)
            self.marked.update(message.position for message in unit.messages if message.cache)

    def __getstate__(self) -> dict[str, Any]:
        self._read_units()
        return self.__dict__

    def note(self, position: int) -> Note:
        """Why the message at this position is in or out."""
        if self._units is not None:
            self._read_units()
        index = self.unit_of[position]
        found = self._in(index) if index in self.chosen else self._out(index)
        detail = {**found.detail, "unit": list(self.ids[index]), "turn": self.choices[index].turn}
        if position in self.marked:
            detail["cache_control"] = True
        return Note(found.reason, detail, found.sentence)

    def _in(self, index: int) -> Note:
        choice, form = self.choices[index], self.chosen[index]
        cost, value = choice.costs[form], choice.values[form]
        reason = "pinned" if choice.pinned or self.forced else "chosen" if cost else "free"
        short = f", {self.names[index][form - 1]}" if form else ""
        return Note(
            reason, {"cost": cost, "value": value}, f"{reason}, {tokens(cost)}, value {number(value)}{short}"
        )

    def _out(self, index: int) -> Note:
        choice, broken, size = self.choices[index], self.broken[index], len(self.ids[index])
        if broken is not None:
            return Note("requires", {"problem": broken}, f"it cannot be sent: {broken}")
        what = "it" if size == 1 else f"its unit of {size} messages"
        cost, value = min(choice.costs), choice.values[0]
        detail: dict[str, Any] = {"cost": cost, "value": value}
        if not self.contiguous and max(choice.values) <= 0:
            return Note("worthless", detail, f"worthless, as a value of {number(value)} adds nothing")
        needs = f"as {what} needs {tokens(cost)}"
        if cost > self.capacity:
            detail.update(capacity=self.capacity, over=cost - self.capacity)
            return Note("too_long", detail, f"too long, {needs} of a capacity of {max(0, self.capacity):,}")
        if cost > self.room:
            detail.update(room=self.room, over=cost - self.room)
            return Note("no_room", detail, f"no room, {needs} and the pins leave {self.room:,}")
        end = "no selection with it is worth more"
        if self.contiguous:
            cost = sum(
                min(c.costs) for c in self.choices if c.turn == choice.turn and c.allowed and not c.pinned
            )
            needs, end = f"as its turn needs {tokens(cost)}", "newer turns come first"
        detail.update(remaining=self.remaining, missing=max(0, cost - self.remaining))
        return Note("outvalued", detail, f"outvalued, {needs} where {self.remaining:,} are left; {end}")
