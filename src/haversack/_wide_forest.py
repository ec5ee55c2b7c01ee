"""A forest in Python integers of any size, for numbers too wide for the core: exact, plain and slow.

Pareto frontiers of (tokens, profit), from the leaves up and from the inner sections out (Johnson & Niemi
1983).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._forest import Forest

    State = tuple[int, int, Any]  # tokens, profit, what was taken: nested pairs of (node, option)


_USUAL_WIDTH = 2_000  # bits


class WideOutcome:
    """The attributes of `_core.ForestOutcome` that are read."""

    __slots__ = ("bound", "choice", "fewest_tokens", "optimal", "states", "statistics", "tiers")

    def __init__(
        self, choice: list[int], tiers: list[int], bound: list[int], proven: bool, states: int
    ) -> None:
        self.choice = choice
        self.tiers = tiers
        self.bound = bound
        self.optimal = self.fewest_tokens = proven
        self.states = states
        self.statistics = {"states": states, "wide": 1}


def solve(forest: Forest, effort: int) -> WideOutcome:
    """Solve within an effort in states, below 0 without limit; past it frontiers are thinned, unproven."""
    return _Search(forest, effort).run()


class _Search:
    def __init__(self, forest: Forest, effort: int) -> None:
        self.forest = forest
        self.effort = effort
        self.states = 0
        self.is_whole = True
        tiers = len(forest.structure.tiers)
        profits = [abs(profit) for profit in forest.profits]
        self.unit = 2 * sum(profits) + 1  # of a tier: outweighs all that later tiers can gain
        self.last = tiers - 1
        # The wider the numbers, the longer a state takes.
        width = self.unit.bit_length() * tiers
        if effort > 0:
            self.effort = max(1, effort * _USUAL_WIDTH // max(_USUAL_WIDTH, width))

    def run(self) -> WideOutcome:
        """Merge everything into the whole's frontier and take its best."""
        forest = self.forest
        children: list[list[int]] = [[] for _ in forest.parent]
        roots: list[list[int]] = [[] for _ in range(len(forest.caps) + 1)]
        for node, parent in enumerate(forest.parent):
            (children[parent] if parent >= 0 else roots[forest.section[node]]).append(node)
        inside = self._from_leaves(children)
        of_section: list[list[State]] = [[(0, 0, None)] for _ in roots]
        plan = forest.structure.plan
        for section in [*plan.inner_first, -1]:
            cap = forest.limit[section]
            states = of_section[section]
            for root in roots[section]:
                states = self._merge(states, self._with_out(root, inside[root]), cap)
            of_section[section] = states
            if section >= 0:
                around = plan.parents[section]
                of_section[around] = self._merge(of_section[around], states, forest.limit[around])
        best = of_section[-1][-1]
        choice = choice_from([best[2]], len(forest.parent))
        return WideOutcome(choice, *most_by_tier(forest), self.is_whole, self.states)

    def _from_leaves(self, children: list[list[int]]) -> list[list[State]]:
        """Of each node, what its subtree can do while it is in."""
        forest = self.forest
        begin = forest.begin
        inside: list[list[State]] = [[] for _ in forest.parent]
        order, todo = [], [node for node, parent in enumerate(forest.parent) if parent < 0]
        while todo:
            order.append(todo.pop())
            todo += children[order[-1]]
        for node in reversed(order):
            cap = forest.limit[forest.section[node]]
            states = [
                (forest.weights[option], self._joined(option), (True, node, option - begin[node]))
                for option in range(begin[node], begin[node + 1])
            ]
            states = _undominated([state for state in states if state[0] <= cap])
            for child in children[node]:
                states = self._merge(states, self._with_out(child, inside[child]), cap)
            inside[node] = states
        return inside

    def _joined(self, option: int) -> int:
        """All tiers as one integer, in lexicographic order."""
        tier = self.forest.tier[option] if self.forest.tier else 0
        joined: int = self.forest.profits[option] * self.unit ** (self.last - tier)
        return joined

    def _with_out(self, node: int, states: list[State]) -> list[State]:
        if self.forest.mandatory[node] or self.forest.together[node]:
            return states
        return _undominated([(0, 0, None), *states])

    def _merge(self, left: list[State], right: list[State], cap: int) -> list[State]:
        if len(right) == 1 and right[0] == (0, 0, None):
            return left
        left_over = None if self.effort < 0 else max(64, self.effort - self.states)
        if left_over is not None and len(left) * len(right) > left_over:
            self.is_whole = False
            left, right = _thinned(left), _thinned(right)
        self.states += len(left) * len(right)
        return _undominated([(w + v, p + q, (a, b)) for w, p, a in left for v, q, b in right if w + v <= cap])


def choice_from(todo: list[Any], nodes: int) -> list[int]:
    """Return the option of each node, -1 for none; states tell (True, node, option), in nested pairs."""
    choice = [-1] * nodes
    while todo:
        taken = todo.pop()
        if taken is None:
            continue
        if taken[0] is True:
            choice[taken[1]] = taken[2]
        else:
            todo += taken
    return choice


def most_by_tier(forest: Forest) -> tuple[list[int], list[int]]:
    """Return the tiers and all that is worth anything in each: only looked at where nothing was proven."""
    most = [0] * len(forest.structure.tiers)
    for node in range(len(forest.parent)):
        options = range(forest.begin[node], forest.begin[node + 1])
        tiers = [forest.tier[option] if forest.tier else 0 for option in options]
        for tier in set(tiers):
            worths = [forest.profits[one] for one, at in zip(options, tiers, strict=True) if at == tier]
            floor = None if forest.mandatory[node] and len(set(tiers)) == 1 else 0
            most[tier] += max(worths if floor is None else [*worths, floor])
    return list(range(len(most))), most


def _undominated(states: list[State]) -> list[State]:
    """By tokens, and richer with each: of equals the first."""
    states.sort(key=lambda state: (state[0], -state[1]))
    kept: list[State] = []
    for state in states:
        if not kept or kept[-1][1] < state[1]:
            kept.append(state)
    return kept


def _thinned(states: list[State]) -> list[State]:
    """The lightest, which always fits somewhere, the richest, and some between."""
    return states if len(states) <= 8 else [*states[:: len(states) // 7 + 1], states[-1]]
