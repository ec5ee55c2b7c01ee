"""A forest with floors as plain integers, whatever their size, and what a search over it finds.

All goals are one integer, so that comparing sums compares goal by goal: the tokens that floors lack, then
the profit of each tier, then the tokens used. `worth` holds what an option adds to it; each token that a
floor lacks takes `penalty` off, which is more than all options together can add.
"""

from __future__ import annotations

from haversack import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack._floors import FloorForest


_WIDEST = 2**60
_WIDEST_WORTH = 500  # bits


class Numbers:
    """Sections inner first, the whole last; nodes with parents before children; options by node."""

    __slots__ = (
        "around", "begin", "beyond", "cap", "fill", "floor", "forced", "parent", "penalty", "row", "section",
        "taken", "tier_unit", "tiers", "token_unit", "weight", "worth",
    )  # fmt: skip

    around: list[int]
    cap: list[int]
    floor: list[int]
    penalty: int
    section: list[int]
    taken: list[int]
    worth: list[int]

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
        self.beyond = 0

    def _read_options(self, forest: FloorForest) -> None:
        structure = forest.structure
        first, owners = structure.options.begin, structure.options.owners
        picked = range(len(owners)) if forest.picked is None else forest.picked
        options: list[int] = []
        self.begin = [0]
        for row in self.row:
            options += range(forest.begin[row], forest.begin[row + 1])
            self.begin.append(len(options))
        self.weight = [forest.weights[option] for option in options]
        profits = [forest.profits[option] for option in options]
        given = [picked[option] for option in options]
        self.fill = [forest.fill[owners[one]][one - first[owners[one]]] for one in given]
        tiers = [structure.tier_of[owners[one]] for one in given]
        self.tiers = len(structure.tiers)
        heaviest = [max(self.weight[a:b]) for a, b in zip(self.begin, self.begin[1:], strict=False)]
        # A unit of each outweighs all that what comes after it can gain or lose.
        self.token_unit = min(sum(heaviest), forest.capacity) + 1
        self.tier_unit = 2 * sum(map(abs, profits)) + 1
        last = self.tiers - 1
        self.worth = [
            profit * self.tier_unit ** (last - tier) * self.token_unit - cost
            for profit, tier, cost in zip(profits, tiers, self.weight, strict=True)
        ]
        # Of whole token units, so that what is left of one tells the tokens.
        self.penalty = (2 * sum(map(abs, self.worth)) // self.token_unit + 2) * self.token_unit
        self._clip()

    def _clip(self) -> None:
        """What nothing can fill is lacking whatever is chosen: it only makes numbers large."""
        most = [0] * len(self.cap)
        for node, section in enumerate(self.section):
            most[section] += max(self.fill[self.begin[node] : self.begin[node + 1]])
        for section, around in enumerate(self.around[:-1]):
            self.beyond += max(0, self.floor[section] - most[section])
            self.floor[section] = min(self.floor[section], most[section])
            most[around] += most[section]
        self.cap = [min(cap, self.token_unit) for cap in self.cap]

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
        return lacking + self.beyond, profits

    def solve_natively(self, effort: int) -> Answer | None:
        """Solve in the core; None where the numbers are too wide for it."""
        if max(sum(self.weight), sum(self.fill)) > _WIDEST or self.penalty.bit_length() > _WIDEST_WORTH:
            return None
        found = _core.solve_floors(
            (self.around, self.cap, self.floor),
            (self.section, self.parent, self.forced),
            (self.begin, self.weight, self.fill),
            b"".join(map(_words, self.worth)),
            _words(self.penalty),
            self.token_unit,
            effort,
        )
        if found is None:
            return None
        choice, bound, is_proven, states, passes, bits = found
        answer = Answer(
            memoryview(choice).cast("i").tolist(),
            int.from_bytes(bound, "little", signed=True),
            is_proven,
            states,
        )
        answer.statistics.update(passes=passes, bits=bits)
        return answer

    def in_order(self, choice: list[int]) -> list[int]:
        """Return a choice in which, of nodes that are the same, the first in the input have the most."""
        parents = set(self.parent)
        alike: dict[tuple[object, ...], list[int]] = {}
        for node, parent in enumerate(self.parent):
            if node not in parents:
                options = slice(self.begin[node], self.begin[node + 1])
                numbers = (*self.weight[options], *self.fill[options], *self.worth[options])
                alike.setdefault((self.section[node], parent, self.forced[node], numbers), []).append(node)
        ordered = list(choice)
        for nodes in alike.values():
            taken = [choice[node] for node in nodes]
            if min(taken) < max(taken):
                nodes.sort(key=self.row.__getitem__)
                heaviest = sorted(
                    taken,
                    key=lambda one: -1 if one < 0 else self.weight[self.begin[nodes[0]] + one],
                    reverse=True,
                )
                for node, one in zip(nodes, heaviest, strict=True):
                    ordered[node] = one
        return ordered


def _words(number: int) -> bytes:
    return number.to_bytes(64, "little", signed=True)


class Answer:
    """What a search found: the option of every node (-1: out), and a bound on the goals of all choices."""

    __slots__ = ("bound", "choice", "is_proven", "states", "statistics")

    def __init__(self, choice: list[int], bound: int, is_proven: bool, states: int) -> None:
        self.choice = choice
        self.bound = bound
        self.is_proven = is_proven  # nothing is better in any goal, tokens included
        self.states = states
        self.statistics = {"states": states, "floors": 1}


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
