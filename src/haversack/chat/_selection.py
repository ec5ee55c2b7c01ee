"""Which units are kept, contiguous back from the newest; and in what order units may stand.

Pure functions over units that have been reduced to numbers; they know no messages and no solver.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Solve = Callable[[list[int | float], list[int], int], tuple[list[int], int | float, bool]]
    """solve(values, costs, capacity) -> the positions of the best set, a bound, whether it is proven."""
    Chosen = dict[int, int]
    """The chosen units and the form each takes."""


class Choice:
    """A unit as a choice: `costs` and `values` of its forms (the full one first) and where it may stand.

    `starts` and `ends` are the sides (user, model, system) of its first and last message. A unit that is not
    `allowed` is never chosen.
    """

    __slots__ = ("allowed", "asks", "calls", "costs", "ends", "pinned", "starts", "turn", "values")

    def __init__(
        self,
        costs: tuple[int, ...],
        values: tuple[int | float, ...],
        pinned: bool = False,
        turn: int = 0,
        starts: str = "user",
        ends: str = "user",
        calls: bool = False,
        asks: bool = False,
        allowed: bool = True,
    ) -> None:
        self.costs = costs
        self.values = values
        self.pinned = pinned
        self.turn = turn
        self.starts = starts
        self.ends = ends
        self.calls = calls
        self.asks = asks
        self.allowed = allowed

    @property
    def cheapest(self) -> int:
        """The form that costs least."""
        return self.costs.index(min(self.costs))


class Order:
    """What a provider demands of the sequence of units.

    `first_user`: it starts with the user's side; `call_behind_user`: a call follows the user's side;
    `last_user`: it ends with the user's side.
    """

    __slots__ = ("call_behind_user", "first_user", "last_user")

    def __init__(
        self, first_user: bool = False, call_behind_user: bool = False, last_user: bool = False
    ) -> None:
        self.first_user = first_user
        self.call_behind_user = call_behind_user
        self.last_user = last_user


ORDERS = {
    "openai": Order(),
    "responses": Order(),
    "anthropic": Order(first_user=True),
    "gemini": Order(first_user=True, call_behind_user=True, last_user=True),
}


class Fault:
    """A place where a selection breaks the order: one of `remove` must go, or one of `add` come in."""

    __slots__ = ("add", "remove")

    def __init__(self, remove: list[int], add: list[int]) -> None:
        self.remove = remove
        self.add = add


def find_fault(choices: Sequence[Choice], chosen: Iterable[int], order: Order) -> Fault | None:
    """The first place where a selection breaks the order, None if it keeps it."""
    before: int | None = None
    for index in sorted(chosen):
        choice = choices[index]
        if choice.starts == "system" and choice.ends == "system":
            continue
        if before is None:
            if order.first_user and choice.starts != "user":
                return Fault([index], _users(choices, 0, index))
        elif (
            order.call_behind_user
            and choice.calls
            and choice.starts == "model"
            and choices[before].ends != "user"
        ):
            return Fault([before, index], _users(choices, before + 1, index))
        before = index
    if before is not None and order.last_user and choices[before].ends != "user":
        waiting = choices[before].calls  # an open call at the end is being carried out
        later = _users(choices, before + 1, len(choices))
        if later and not waiting:
            return Fault([before], later)
    return None


def _users(choices: Sequence[Choice], start: int, stop: int) -> list[int]:
    return [index for index in range(start, stop) if choices[index].allowed and choices[index].ends == "user"]


def select_contiguous(
    choices: Sequence[Choice], capacity: int, order: Order, *, whole_turns: bool = True
) -> Chosen:
    """Keep whole turns back from the newest, as many as fit beside the pins.

    Only the newest turn is cut within, where it does not fit whole: its opening is kept, and its units back
    from the newest. Without *whole_turns* every turn may be cut like that. Turns count at their shortest
    forms; what room is left then goes into fuller forms, the newest first.
    """
    chosen = close_pins(choices, order)
    room = capacity - sum(choices[index].costs[form] for index, form in chosen.items())
    turns: dict[int, list[int]] = {}
    for index, choice in enumerate(choices):
        if choice.allowed and index not in chosen:
            turns.setdefault(choice.turn, []).append(index)
    newest = max((choice.turn for choice in choices if choice.allowed), default=0)
    for turn in sorted(turns, reverse=True):
        taken = _whole_or_tail(
            choices, turns[turn], chosen, room, order, whole=whole_turns and turn != newest
        )
        for index in taken:
            chosen[index] = choices[index].cheapest
            room -= choices[index].costs[chosen[index]]
        if len(taken) < len(turns[turn]):
            break
    if find_fault(choices, chosen, order) is not None:
        chosen = repaired(choices, chosen, order)
    return upgraded(choices, chosen, capacity)


def _whole_or_tail(
    choices: Sequence[Choice], turn: list[int], chosen: Chosen, room: int, order: Order, *, whole: bool
) -> list[int]:
    def price(indices: Iterable[int]) -> int:
        return sum(min(choices[index].costs) for index in indices)

    if price(turn) <= room:
        return turn
    if whole or room < 0:
        return []
    opened = any(choices[index].asks and choices[index].turn == choices[turn[0]].turn for index in chosen)
    opening = [index for index in turn if choices[index].asks][:1] if order.first_user and not opened else []
    tail: list[int] = []
    for index in reversed([index for index in turn if index not in opening]):
        if price([*opening, *tail, index]) > room:
            break
        tail.append(index)
    return [*opening, *reversed(tail)] if tail else []


def close_pins(choices: Sequence[Choice], order: Order) -> Chosen:
    """The pinned units at their cheapest, and with them what they cannot be sent without."""
    chosen = {
        index: choice.cheapest for index, choice in enumerate(choices) if choice.pinned and choice.allowed
    }
    while (fault := find_fault(choices, chosen, order)) is not None and fault.add:
        # The nearest one before what needs it: the opening of its own turn, in a conversation that was valid.
        nearest = max(fault.add)
        chosen[nearest] = choices[nearest].cheapest
    return chosen


def repaired(choices: Sequence[Choice], chosen: Chosen, order: Order) -> Chosen:
    """Take out what breaks the order, pins excepted, until it is kept."""
    chosen = dict(chosen)
    while (fault := find_fault(choices, chosen, order)) is not None:
        loose = [index for index in reversed(fault.remove) if not choices[index].pinned]
        if not loose:
            break
        del chosen[loose[0]]
    return chosen


def upgraded(choices: Sequence[Choice], chosen: Chosen, capacity: int) -> Chosen:
    """Give the room that is left to fuller forms, pins first, then the newest first."""
    chosen = dict(chosen)
    room = capacity - sum(choices[index].costs[form] for index, form in chosen.items())
    for index in sorted(chosen, key=lambda index: (choices[index].pinned, index), reverse=True):
        costs = choices[index].costs
        for form in range(chosen[index]):
            if costs[form] - costs[chosen[index]] <= room:
                room -= costs[form] - costs[chosen[index]]
                chosen[index] = form
                break
    return chosen
