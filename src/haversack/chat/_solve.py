"""The solver behind the best set: `haversack.knapsack`, and where units have several forms a small frontier.

The frontier is the method of the core in miniature (its theory of operation is in `core/`): at a price per
token every form of a unit has a loss against the unit's best decision, and a selection is worth bound -
losses - price x unused tokens. Only states whose loss leaves them a chance against the incumbent are kept,
which is a handful.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Option = tuple[int, int | float, int]
    """cost, value, and the position of the item; position -1 is "out"."""


def solve(
    values: list[int | float], costs: list[int], capacity: int, classes: list[int] | None
) -> Sequence[int]:
    """The positions of the best set within *capacity*; with *classes*, at most one of each class.

    >>> list(solve([60, 100, 120], [10, 20, 30], 50, None))
    [1, 2]
    >>> list(solve([60, 100, 120], [10, 20, 30], 50, [0, 1, 1]))
    [0, 2]
    """
    if not values:
        return []
    if classes is None:
        from haversack._knapsack import knapsack

        return list(knapsack(values, costs, capacity).chosen)
    groups: dict[int, list[Option]] = {}
    for position, name in enumerate(classes):
        groups.setdefault(name, [(0, 0, -1)]).append((costs[position], values[position], position))
    return sorted(_frontier([_undominated(options) for options in groups.values()], capacity))


def _undominated(options: list[Option]) -> list[Option]:
    kept: list[Option] = []
    for option in sorted(options, key=lambda option: (option[0], -option[1])):
        if not kept or option[1] > kept[-1][1]:
            kept.append(option)
    return kept


def _frontier(groups: list[list[Option]], capacity: int) -> list[int]:
    """Merge the groups into a frontier of (cost, value), dropping what cannot beat the incumbent."""
    price, bound = _price(groups, capacity)
    incumbent = _greedy(groups, price, capacity)
    losses = [
        [_best(options, price) - (value - price * cost) for cost, value, _ in options] for options in groups
    ]
    # Those with the clearest decision first: the frontier stays small, and the doubtful ones come last.
    order = sorted(range(len(groups)), key=lambda number: -min(filter(None, losses[number]), default=0.0))
    slack = bound - incumbent + 1e-9 * abs(bound) + 1e-9
    states: list[tuple[int, int | float, float, tuple[int, object] | None]] = [(0, 0, 0.0, None)]
    for number in order:
        grown = [
            (cost + more, value + worth, lost + loss, trace if position < 0 else (position, trace))
            for cost, value, lost, trace in states
            for (more, worth, position), loss in zip(groups[number], losses[number], strict=True)
            if cost + more <= capacity and lost + loss <= slack
        ]
        grown.sort(key=lambda state: (state[0], -state[1]))
        states = []
        for state in grown:
            if not states or state[1] > states[-1][1]:
                states.append(state)
    best = max(states, key=lambda state: (state[1], -state[0]))
    chosen: list[int] = []
    trace: object = best[3]
    while isinstance(trace, tuple):
        chosen.append(trace[0])
        trace = trace[1]
    return chosen


def _best(options: list[Option], price: float) -> float:
    return max(value - price * cost for cost, value, _ in options)


def _price(groups: list[list[Option]], capacity: int) -> tuple[float, float]:
    """The price per token at which the bound is (nearly) least; any price gives a valid bound."""

    def bound_at(price: float) -> float:
        return price * capacity + sum(_best(options, price) for options in groups)

    def demand(price: float) -> int:
        return sum(max(options, key=lambda option: option[1] - price * option[0])[0] for options in groups)

    low, high = (
        0.0,
        max((value / cost for options in groups for cost, value, _ in options if cost), default=0.0) + 1.0,
    )
    if demand(0.0) <= capacity:
        return 0.0, bound_at(0.0)
    for _ in range(60):
        middle = (low + high) / 2
        if demand(middle) > capacity:
            low = middle
        else:
            high = middle
    return high, bound_at(high)


def _greedy(groups: list[list[Option]], price: float, capacity: int) -> int | float:
    """The value of a selection that fits: every group's best at the price, then what still fits."""
    taken = [
        max(options, key=lambda option: (option[1] - price * option[0], -option[0])) for options in groups
    ]
    room = capacity - sum(option[0] for option in taken)
    if room < 0:
        return 0
    for number, options in enumerate(groups):
        for option in reversed(options):
            if option[1] > taken[number][1] and option[0] - taken[number][0] <= room:
                room -= option[0] - taken[number][0]
                taken[number] = option
                break
    return sum(option[1] for option in taken)
