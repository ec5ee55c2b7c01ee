"""Rules that no forest knows: decided unit by unit, in the core where its numbers are wide enough.

Where they are not, the forest is the bound (branch and bound): where its solution breaks such a rule, one
unit of the breach is put in for certain in one branch and left out for certain in the other; what follows
from that is decided with it.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf

from haversack import _linked
from haversack._forest import Forest
from haversack._rooms import in_input_order, totals, weigh, without_idle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from haversack._forest import Relaxation
    from haversack._rooms import Choice, Rooms, Totals

    Key = tuple[Totals, int | float]  # profits by tier, then minus the tokens: greater is better

# What laying out one snippet of a forest costs, in states: an effort bounds the time of many forests too.
_STATES_PER_SNIPPET = 100
_WIDE_STATE = 10  # what a state in Python integers takes, in the core's states
_UNLIMITED_SHARE = 10_000_000  # states that one forest may take before units are branched on


class Found:
    """The best choice so far, and a proven bound on all."""

    __slots__ = ("bound", "choice", "fewest_tokens", "is_final", "nodes", "outcome", "spent")

    def statistics(self) -> dict[str, object]:
        """Return what is told of the search."""
        told: dict[str, object] = {**self.outcome, "states": self.spent}
        if self.nodes > 1:
            told["nodes"] = self.nodes
        return told

    def __init__(self) -> None:
        self.choice: Choice = []
        self.bound: Totals = ()
        self.fewest_tokens = False
        self.is_final = False  # whether no other solver is to go on from here: the effort is spent
        self.nodes = 0
        self.spent = 0
        self.outcome: dict[str, object] = {}


def search(rooms: Rooms, effort: int, is_enough: Callable[[int], bool], *, is_trial: bool = False) -> Found:
    """Return the best choice: of one forest, if that proves it, else by the core's branching on units.

    Where numbers are too wide for the core, forest by forest. A trial ends with the one forest, if that knows
    every rule.
    """
    forest = Forest(rooms, rooms.structure.root)
    known = None
    if not (forest.lost or forest.lost_choices):
        share = _UNLIMITED_SHARE if effort < 0 else effort - effort // 4
        known = Branching(rooms, share, is_enough, forest).run()
        is_proven = known.bound <= totals(rooms.structure, known.choice)
        if is_proven or is_trial or (effort == 0 and _is_close(rooms, known)):
            return known
    left = effort if effort < 0 or known is None else max(0, effort - known.spent)
    linked = _linked.solve(rooms, left, known.choice if known else None)
    if linked is None:
        return known or _no_worse_than_greedy(
            rooms, Branching(rooms, effort, is_enough, forest).run(), effort
        )
    found = Found()
    found.is_final = True
    found.choice = in_input_order(rooms.structure, linked.choice)
    found.bound = max(linked.bound, totals(rooms.structure, linked.choice))
    found.fewest_tokens = linked.fewest_tokens
    found.nodes, found.spent = linked.nodes, linked.states
    if known is not None:
        found.bound = min(found.bound, known.bound)
        found.spent += known.spent
    return found


def _no_worse_than_greedy(rooms: Rooms, found: Found, effort: int) -> Found:
    """Where effort ran out on many forests, one greedy of the whole may be better."""
    worth = totals(rooms.structure, found.choice)
    if effort and found.bound > worth:
        greedy = Branching(rooms, 0, lambda _: False).run()
        if totals(rooms.structure, greedy.choice) > worth:
            found.choice = greedy.choice
    return found


def _is_close(rooms: Rooms, found: Found) -> bool:
    """Return whether a greedy is good enough, within a sixty-fourth of the bound, not to ask another."""
    first, most = totals(rooms.structure, found.choice)[0], found.bound[0]
    return most - first <= abs(most) // 64


class Branching:
    """A search over what the forests leave open; `effort` in states, below 0 without limit.

    It also ends where `is_enough` of the number of forests solved.
    """

    def __init__(
        self, rooms: Rooms, effort: int, is_enough: Callable[[int], bool], root: Forest | None = None
    ) -> None:
        self.is_enough = is_enough
        self.rooms = rooms
        self.structure = rooms.structure
        self.effort = effort
        self.found = Found()
        self.best: Key | None = None
        self._root = root
        self._taken = 0  # of the effort
        self._is_lossy = False  # whether some forest could not say all
        self._open: list[tuple[Key, int, bytearray, list[int]]] = []
        self._unsettled: list[Key] = []

    def run(self) -> Found:
        """Return the best choice and the bound; they agree where the search came to its end."""
        self._visit(self.structure.root)
        if self._open:
            self._dive(*self._open[0][2:])
        ceiling = self.best
        while self._open:
            negative, _, state, broken = heappop(self._open)
            ceiling = _turned(negative)
            if self.best is not None and ceiling <= self.best:
                ceiling = self.best
                break
            if self._is_spent():
                break
            for inside, outside in (([broken[0]], []), ([], [broken[0]])):
                decided = self.structure.fixed(state, inside, outside)
                if decided is not None:
                    self._visit(decided)
        else:
            ceiling = self.best
        assert self.best is not None
        assert ceiling is not None
        ceiling = max(self.best, ceiling, *self._unsettled)
        # What was put in for certain, or for what is out in the end, may be free and needless.
        self.found.choice = without_idle(self.structure, self.found.choice)
        if self.found.nodes > 1 or self._is_lossy or "wide" in self.found.outcome:
            self.found.choice = in_input_order(self.structure, self.found.choice)
        self.found.bound = ceiling[0]
        self.found.fewest_tokens = ceiling == self.best
        return self.found

    def _is_spent(self) -> bool:
        return self.is_enough(self.found.nodes) or 0 <= self.effort <= self._taken

    def _lay_out(self, state: bytearray) -> Forest:
        if self._root is not None and state is self.structure.root:
            return self._root
        return Forest(self.rooms, state)

    def _worth(self, choice: Choice) -> Totals:
        """What comes before fewer tokens: greater is better."""
        return totals(self.structure, choice)

    def _solve(self, state: bytearray) -> tuple[Forest, Relaxation] | None:
        forest = self._lay_out(state)
        if not forest.is_feasible:
            return None
        relaxation = forest.solve(self.effort if self.effort < 0 else max(0, self.effort - self._taken))
        self.found.nodes += 1
        layout = _STATES_PER_SNIPPET * len(forest.parent) if self.found.nodes > 1 else 0
        is_wide = "wide" in relaxation.outcome.statistics
        self.found.spent += relaxation.outcome.states + layout
        self._taken += relaxation.outcome.states * (_WIDE_STATE if is_wide else 1) + layout
        if self.found.nodes == 1:
            self.found.outcome = dict(relaxation.outcome.statistics)
        return forest, relaxation

    def _visit(self, state: bytearray) -> None:
        """Solve one forest: its solution counts, or it is to be divided further."""
        solved = self._solve(state)
        if solved is None:
            return
        forest, relaxation = solved
        bound: Key = (
            relaxation.bound,
            -weigh(self.structure, relaxation.choice) if relaxation.outcome.fewest_tokens else inf,
        )
        self._is_lossy = self._is_lossy or bool(forest.lost or forest.lost_choices)
        broken = forest.violations(relaxation.choice)
        if not broken:
            self._offer(relaxation.choice)
            if not relaxation.outcome.fewest_tokens:
                # Its effort ran out: nothing is left to divide, but the bound stands.
                self._unsettled.append(bound)
            return
        if self.best is None or bound > self.best:
            heappush(self._open, (_turned(bound), self.found.nodes, forest.state, broken))

    def _dive(self, state: bytearray, broken: list[int]) -> None:
        """Find a first choice: leave out what breaks a rule until nothing does."""
        while broken:
            decided = self.structure.fixed(state, (), broken)
            assert decided is not None
            solved = self._solve(decided)
            assert solved is not None
            forest, relaxation = solved
            state, broken = forest.state, forest.violations(relaxation.choice)
        self._offer(without_idle(self.structure, relaxation.choice))

    def _offer(self, choice: Choice) -> None:
        key: Key = (self._worth(choice), -weigh(self.structure, choice))
        if self.best is None or key > self.best:
            self.best, self.found.choice = key, choice


def _turned(key: Key) -> Key:
    """The same, so that the best comes first in a heap."""
    return tuple(-profit for profit in key[0]), -key[1]
