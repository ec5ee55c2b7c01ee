"""A forest with floors as plain integers, whatever their size, and what a search over it finds.

All goals are one integer, so that comparing sums compares goal by goal: the tokens that floors lack, then
the profit of each tier, then the tokens used. `worth` holds what an option adds to it; each token that a
floor lacks takes `penalty` off, which is more than all options together can add.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack._floors import FloorForest


class Numbers:
    """Sections inner first, the whole last; nodes with parents before children; options by node."""

    __slots__ = (
        "around", "begin", "cap", "fill", "floor", "forced", "parent", "penalty", "row", "section", "taken",
        "tier_unit", "tiers", "token_unit", "weight", "worth",
    )  # fmt: skip

    section: list[int]

    def __init__(self, forest: FloorForest) -> None:
        self._read_sections(forest)
        self.row = _parents_first(forest.parent)  # of a node: its number in the forest
        at = {row: node for node, row in enumerate(self.row)}
        self.parent = [at.get(forest.parent[row], -1) for row in self.row]
        self.forced = [forest.mandatory[row] or forest.together[row] for row in self.row]
        number = {section: place for place, section in enumerate(self.taken)}
        self.section = [number[forest.section[row]] for row in self.row]
        self._read_options(forest)

    def _read_sections(self, forest: FloorForest) -> None:
        plan, holder = forest.structure.plan, forest.holder
        self.taken = [section for section in plan.inner_first if holder[section] == section] + [-1]
        number = {section: place for place, section in enumerate(self.taken)}
        self.around = [number[holder[plan.parents[section]]] for section in self.taken[:-1]] + [-1]
        self.cap = [forest.limit[section] for section in self.taken[:-1]] + [forest.capacity]
        self.floor = [forest.lacking[section] for section in self.taken[:-1]] + [0]

    def _read_options(self, forest: FloorForest) -> None:
        structure = forest.structure
        options = [option for row in self.row for option in forest.rows[row]]
        self.begin = [0]
        for row in self.row:
            self.begin.append(self.begin[-1] + len(forest.rows[row]))
        self.weight = [cost for _, _, cost in options]
        self.fill = [forest.fill(position, form) for position, form, _ in options]
        self.tiers = len(structure.tiers)
        heaviest = [max(self.weight[a:b]) for a, b in zip(self.begin, self.begin[1:], strict=False)]
        profits = [structure.profits[position][form] for position, form, _ in options]
        # A unit of each outweighs all that what comes after it can gain or lose.
        self.token_unit = sum(heaviest) + 1
        self.tier_unit = 2 * sum(map(abs, profits)) + 1
        last = self.tiers - 1
        self.worth = [
            profit * self.tier_unit ** (last - structure.tier_of[position]) * self.token_unit - cost
            for profit, (position, _, cost) in zip(profits, options, strict=True)
        ]
        self.penalty = 2 * sum(map(abs, self.worth)) + 1

    def goals(self, bound: int) -> tuple[int, list[int]]:
        """Return the greatest goals that come to at most `bound`: tokens lacking, and profits by tier."""
        lacking = -((bound + self.penalty // 2) // self.penalty)
        rest = bound + lacking * self.penalty
        if lacking < 0:
            lacking, rest = 0, self.penalty // 2
        # At best no token is used up: what is left of a unit then still makes a whole one.
        rest = (rest + self.token_unit - 1) // self.token_unit
        profits = []
        for tier in range(self.tiers):
            unit = self.tier_unit ** (self.tiers - 1 - tier)
            most = (rest + (unit - 1) // 2) // unit
            profits.append(most)
            rest = min(rest - most * unit, (unit - 1) // 2)
        return lacking, profits


class Answer:
    """What a search found: the option of every node (-1: out), and a bound on the goals of all choices."""

    __slots__ = ("bound", "choice", "is_proven", "states", "worth")

    def __init__(self, choice: list[int], worth: int, bound: int, is_proven: bool, states: int) -> None:
        self.choice = choice
        self.worth = worth
        self.bound = bound
        self.is_proven = is_proven  # nothing is better in any goal, tokens included
        self.states = states


def _parents_first(parents: list[int]) -> list[int]:
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(parents):
        children.setdefault(parent, []).append(node)
    order: list[int] = []
    todo = children.get(-1, [])[::-1]
    while todo:
        order.append(todo.pop())
        todo += reversed(children.get(order[-1], []))
    return order
