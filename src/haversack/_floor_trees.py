"""What snippets that hang on each other can do together, as one class of their section."""

from __future__ import annotations

from haversack._floor_classes import Class, undominated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from haversack._floor_classes import Lossy, Purse, State, Window
    from haversack._floor_prices import Prices


class Tree:
    """One tree, without what loses more than a limit."""

    def __init__(self, prices: Prices, window: Window, root: int, limit: int, purse: Purse) -> None:
        self.prices = prices
        self.numbers = prices.numbers
        self.window = window
        self.root = root
        self.limit = limit
        self.purse = purse

    def build(self, within_beam: Callable[[list[Lossy]], list[State]]) -> Class:
        """Merge bottom-up; of each node, what its subtree can do while it is in."""
        numbers, prices, root = self.numbers, self.prices, self.root
        nodes = range(root, prices.end[root])
        ways_in: dict[int, int] = {-1: 0}
        for node in nodes:
            ways_in[node] = ways_in[numbers.parent[node]] + self._entry(node)
        own = {node: self._own(node, ways_in[node]) for node in nodes}
        inside = {node: states for node, (states, _) in own.items()}
        tops = {node: top for node, (_, top) in own.items()}
        for node in reversed(nodes):
            parent = numbers.parent[node]
            made = self._with_out(node, inside.pop(node), ways_in[parent])
            if node == root:
                return made
            lost = ways_in[parent]
            found = self.window.merge(inside[parent], tops[parent], made, None, self.limit - lost, self.purse)
            inside[parent] = within_beam([(*state[:4], state[4] + lost) for state in found])
            tops[parent] += made.top
        raise AssertionError

    def _entry(self, node: int) -> int:
        """What it loses to bring a node in once its parent is."""
        return 0 if self.numbers.forced[node] else max(0, -self.prices.best[node])

    def _own(self, node: int, way_in: int) -> tuple[list[State], int]:
        """The options of a node by themselves, and the most that one of them comes to."""
        numbers, window = self.numbers, self.window
        first = numbers.begin[node]
        states: list[State] = [
            (
                numbers.weight[at],
                min(numbers.fill[at], window.useful),
                self.prices.worth[at],
                (True, node, at - first),
            )
            for at in range(first, numbers.begin[node + 1])
        ]
        top = -min(window.loss(0, state) for state in states)
        return [state for state in states if window.loss(top, state) + way_in <= self.limit], top

    def _with_out(self, node: int, states: list[State], way_in: int) -> Class:
        """The class of a subtree, with its being out unless that is forced."""
        top = self.prices.standing(node)
        if not self.numbers.forced[node] and top + way_in <= self.limit:
            states = [(0, 0, 0, None), *states]
        if len(states) > 1:
            states = [state[:4] for state in undominated([(*state, 0) for state in states])]
        return Class(states, top, self.window)
