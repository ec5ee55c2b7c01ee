"""The best set of units: the solver's answer, made to keep the provider's order, and still the best.

Only rarely does the best set break the order (it would start with an answer whose question is out). Then
branch and bound: the solver's answer is an upper bound on every selection, and in every selection that keeps
the order either one of the units at fault is out, or one of those that would heal the place is in.
"""

from __future__ import annotations

from haversack.chat._selection import close_pins, find_fault, repaired

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from haversack.chat._selection import Choice, Chosen, Order, Solve

# Solves before the best selection found is taken for good enough (and its bound reported).
NODES = 400


class BestSet:
    """What was found: `chosen`, whether it is proven to be the best, and a proven `bound` on any value."""

    __slots__ = ("bound", "chosen", "optimal")

    def __init__(self, chosen: Chosen, bound: int | float, optimal: bool) -> None:
        self.chosen = chosen
        self.bound = bound
        self.optimal = optimal


def select_best(
    choices: Sequence[Choice], capacity: int, order: Order, solve: Solve, nodes: int = NODES
) -> BestSet:
    """The units of greatest value that fit *capacity* beside the pins and keep the order."""
    pins = frozenset(index for index, choice in enumerate(choices) if choice.pinned and choice.allowed)
    over = sum(min(choices[index].costs) for index in pins) > capacity
    root = _relaxed(choices, pins, frozenset(), capacity, solve)
    if root is None or over:  # the pins alone are over: they stay, with what they need, and nothing else
        chosen = repaired(choices, close_pins(choices, order), order)
        return BestSet(chosen, total(choices, chosen), True)
    best: Chosen | None = None
    queue = [(total(choices, root), pins, frozenset[int](), root)]
    while queue and nodes > 0:
        queue.sort(key=lambda node: node[0])
        bound, forced, banned, chosen = queue.pop()
        if best is not None and bound <= total(choices, best):
            return BestSet(best, total(choices, best), True)
        fault = find_fault(choices, chosen, order)
        if fault is None:
            return BestSet(chosen, bound, True)
        mended = repaired(choices, chosen, order)
        if find_fault(choices, mended, order) is None and (
            best is None or total(choices, mended) > total(choices, best)
        ):
            best = mended
        for more_forced, more_banned in _branches(fault.remove, fault.add, forced, banned):
            nodes -= 1
            found = _relaxed(choices, more_forced, more_banned, capacity, solve)
            if found is not None:
                queue.append((total(choices, found), more_forced, more_banned, found))
    if best is None:
        best = repaired(choices, close_pins(choices, order), order)
    value = total(choices, best)
    bound = max([value, *(node[0] for node in queue)])
    return BestSet(best, bound, bound == value)


def _branches(
    remove: list[int], add: list[int], forced: frozenset[int], banned: frozenset[int]
) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Divide the selections that keep this place in order into disjoint parts."""
    parts = []
    for index in remove:  # this one is out, those before it in the list are in
        if index not in forced:
            parts.append((forced, banned | {index}))
        forced = forced | {index}
    for index in add:  # all of `remove` are in: this one is in, those before it are out
        if index not in banned:
            parts.append((forced | {index}, banned))
            banned = banned | {index}
    return parts


def _relaxed(
    choices: Sequence[Choice], forced: frozenset[int], banned: frozenset[int], capacity: int, solve: Solve
) -> Chosen | None:
    """The best set without regard to the order; None if what is forced does not fit, or is banned."""
    if forced & banned:
        return None
    chosen = {index: choices[index].cheapest for index in forced}
    room = capacity - sum(choices[index].costs[form] for index, form in chosen.items())
    if room < 0:
        return None
    items: list[tuple[int, int, int | float, int]] = []
    for index, choice in enumerate(choices):
        if index in banned or not choice.allowed:
            continue
        # A unit that is in anyway competes with what its fuller forms add.
        base = (choice.costs[chosen[index]], choice.values[chosen[index]]) if index in forced else (0, 0)
        for form, (cost, value) in enumerate(zip(choice.costs, choice.values, strict=True)):
            if value - base[1] > 0:
                items.append((index, form, value - base[1], cost - base[0]))
    single = len({item[0] for item in items}) == len(items)
    positions = solve(
        [item[2] for item in items],
        [item[3] for item in items],
        room,
        None if single else [item[0] for item in items],
    )
    for position in positions:
        chosen[items[position][0]] = items[position][1]
    return chosen


def total(choices: Sequence[Choice], chosen: Chosen) -> int | float:
    """The value of a selection: exact for ints, and for floats the exact sum rounded once."""
    return exact_sum(choices[index].values[form] for index, form in chosen.items())


def exact_sum(values: Iterable[int | float]) -> int | float:
    """Sum ints exactly, and with floats among them the exact sum rounded once."""
    values = list(values)
    plain = sum(values)
    if isinstance(plain, int):  # a float among them would have made the sum one
        return plain
    from fractions import Fraction

    return float(sum(map(Fraction, values)))
