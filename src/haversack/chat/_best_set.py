"""The best set of units: the knapsack's answer if it keeps the provider's order, else the best that does."""

from __future__ import annotations

from haversack.chat._selection import close_pins, find_fault, repaired

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from haversack.chat._selection import Choice, Chosen, Order, Solve


class BestSet:
    """What was found: `chosen`, whether it is proven to be the best, and a proven `bound` on any value."""

    __slots__ = ("bound", "chosen", "optimal")

    def __init__(self, chosen: Chosen, bound: int | float, optimal: bool) -> None:
        self.chosen = chosen
        self.bound = bound
        self.optimal = optimal


def select_best(
    choices: Sequence[Choice], capacity: int, order: Order, solve: Solve, widths: Sequence[int] | None = None
) -> BestSet:
    """The units of greatest value that fit *capacity* beside the pins and keep the order."""
    pins = {
        index: choice.cheapest for index, choice in enumerate(choices) if choice.pinned and choice.allowed
    }
    room = capacity - sum(choices[index].costs[form] for index, form in pins.items())
    if room >= 0 and all(len(choice.costs) == 1 for choice in choices):
        loose = [
            index
            for index, choice in enumerate(choices)
            if choice.allowed and index not in pins and choice.values[0] > 0
        ]
        taken, bound, optimal = solve(
            [choices[index].values[0] for index in loose], [choices[index].costs[0] for index in loose], room
        )
        chosen = {**pins, **{loose[position]: 0 for position in taken}}
        if find_fault(choices, chosen, order) is None:
            fixed = exact_sum([choices[index].values[0] for index in pins])
            return BestSet(chosen, exact_sum([fixed, bound]), optimal)
    found, bound, optimal = None, 0, False
    if room >= 0:
        from haversack.chat._frontier import WIDTHS, best_in_order

        found, bound, optimal = best_in_order(choices, capacity, order, widths or WIDTHS)
    if found is None:
        # The pins, with what they cannot be sent without, are over: they stay, and nothing else.
        found = repaired(choices, close_pins(choices, order), order)
        return BestSet(found, total(choices, found), True)
    return BestSet(found, bound if not optimal else total(choices, found), optimal)


def total(choices: Sequence[Choice], chosen: Chosen) -> int | float:
    """The value of a selection: exact for ints, and for floats the exact sum rounded once."""
    return exact_sum([choices[index].values[form] for index, form in chosen.items()])


def exact_sum(values: Sequence[int | float]) -> int | float:
    """Sum ints exactly, and with floats among them the exact sum rounded once."""
    if len(values) == 1:
        return values[0]
    plain = sum(values)
    if isinstance(plain, int):  # a float among them would have made the sum one
        return plain
    from fractions import Fraction

    return float(sum(map(Fraction, values)))


def solve(values: list[int | float], costs: list[int], capacity: int) -> tuple[list[int], int | float, bool]:
    """The positions of the best set by `haversack.knapsack`, its bound, and whether it is proven.

    >>> solve([60, 100, 120], [10, 20, 30], 50)
    ([1, 2], 220, True)
    """
    if not values:
        return [], 0, True
    from haversack._knapsack import knapsack

    solution = knapsack(values, costs, capacity)
    return list(solution.chosen), solution.bound, solution.optimal
