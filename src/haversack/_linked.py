"""Structure of any shape -> the core's branch and bound, and its answer back."""

from __future__ import annotations

from haversack import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack._rooms import Choice, Rooms, Totals
    from haversack._structure import Structure

_WIDEST = 2**61


class Linked:
    """What the core found: a choice, a bound, the states it took, and the decisions it branched on."""

    __slots__ = ("bound", "choice", "fewest_tokens", "nodes", "states")

    def __init__(self, choice: Choice, bound: Totals, fewest: bool, states: int, nodes: int) -> None:
        self.choice = choice
        self.bound = bound
        self.fewest_tokens = fewest
        self.states = states
        self.nodes = nodes


def solve(rooms: Rooms, effort: int, known: Choice | None = None) -> Linked | None:
    """Solve within an effort in states, below 0 without limit, from what is known on.

    None where the numbers are too wide.
    """
    structure, options = rooms.structure, rooms.structure.options
    tiers = Tiers(structure)
    profits = options.profits
    if len(structure.tiers) > 1:
        shifts = [tiers.shift[structure.tier_of[owner]] for owner in options.owners]
        profits = [profit << shift for profit, shift in zip(profits, shifts, strict=True)]
    whole = rooms.left[-1]
    assert whole is not None
    if whole >= _WIDEST or max(structure.most) >= _WIDEST:
        return None
    needs, choices = structure.direct, structure.choices
    found = _core.solve_linked(
        whole,
        structure.plan.parents,
        [-1 if left is None or left >= _WIDEST else left for left in rooms.left[:-1]],
        structure.homes,
        structure.unit_of,
        options.begin,
        _weights(structure),
        profits,
        bytes(structure.root),
        _offsets(needs),
        [needed for of_unit in needs for needed in of_unit],
        _offsets(choices),
        [position for positions in choices for position in positions],
        known=known,
        effort=effort,
    )
    if found is None:
        return None
    choice, bound, fewest, states, nodes = found
    return Linked(choice, tiers.unpacked(bound), fewest, states, nodes)


def _weights(structure: Structure) -> list[int]:
    """The tokens of all forms; of pins beyond their cheapest."""
    options = structure.options
    if not any(structure.pinned):
        return options.costs
    base = [least if pin else 0 for least, pin in zip(structure.least, structure.pinned, strict=True)]
    return [cost - base[owner] for cost, owner in zip(options.costs, options.owners, strict=True)]


def _offsets(lists: list[list[int]]) -> list[int]:
    begin = [0]
    for one in lists:
        begin.append(begin[-1] + len(one))
    return begin


class Tiers:
    """Profits of all tiers as one integer: a unit of a tier outweighs all of the later ones."""

    def __init__(self, structure: Structure) -> None:
        sums = [0] * len(structure.tiers)
        low, high = _core.extremes(structure.options.begin, structure.options.profits)
        for tier, least, most in zip(structure.tier_of, low, high, strict=True):
            sums[tier] += max(-least, most)
        self.shift, self.below = [0] * len(sums), [0] * len(sums)
        bits = 0
        for tier in range(len(sums) - 1, -1, -1):
            is_last = tier == len(sums) - 1
            self.below[tier] = 0 if is_last else 1 << bits
            self.shift[tier] = 0 if is_last else bits + 1
            bits = self.shift[tier] + (sums[tier] + (not is_last)).bit_length()

    def unpacked(self, bound: int) -> Totals:
        """Return the greatest profits by tier that come to at most `bound`."""
        tiers, rest = [], bound
        for shift, below in zip(self.shift, self.below, strict=True):
            whole = (rest + below) >> shift
            tiers.append(whole)
            rest = min(below, rest - (whole << shift))
        return tuple(tiers)
