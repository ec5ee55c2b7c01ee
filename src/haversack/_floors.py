"""Floors: what they lack is a goal before all others, in the forest and in what branches over forests."""

from __future__ import annotations

from haversack._floor_numbers import Numbers
from haversack._forest import WIDE_STATES, Forest, Relaxation
from haversack._milp import by_program
from haversack._outside import Branching
from haversack._rooms import totals, weigh, without_idle
from haversack._structure import IN
from haversack._usage import fillers, shortfall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from haversack._floor_numbers import Answer
    from haversack._outside import Found
    from haversack._rooms import Choice, Rooms, Totals
    from haversack._structure import Structure


def ranked(structure: Structure, choice: Choice) -> Totals:
    """Return what a choice comes to: minus the tokens that floors lack, then its profit by tier."""
    return -shortfall(structure, choice), *totals(structure, choice)


class FloorForest(Forest):
    """A forest in which every section with a floor that is still to fill is one of its own."""

    def _find_holders(self) -> None:
        super()._find_holders()
        structure = self.structure
        parents = structure.plan.parents
        self.fill = fillers(structure)  # by position and form, the tokens that count towards floors
        settled = structure.spread(
            (position, self.fill[position][options[0] - structure.options.begin[position]])
            for position, options in self.odd.items()
            if len(options) == 1 and self.state[structure.unit_of[position]] == IN
        )
        self.lacking = [
            max(0, (section.floor or 0) - got)
            for section, got in zip(structure.plan.declared, settled, strict=False)
        ]
        for section in reversed(structure.plan.inner_first):
            is_own = self.caps[section] >= 0 or self.lacking[section] > 0
            self.holder[section] = section if is_own else self.holder[parents[section]]

    def solve(self, effort: int) -> Relaxation:
        """Solve the forest; its bound begins with minus the tokens that floors lack."""
        numbers = Numbers(self)
        answer = numbers.solve_natively(effort)
        if answer is None:
            from haversack import _floor_search

            # The limit of such a search: its states take far longer.
            answer = _floor_search.solve(numbers, effort if effort < 0 else min(effort, WIDE_STATES))
        taken = [-1] * len(self.parent)
        for row, one in zip(numbers.row, numbers.in_order(answer.choice), strict=True):
            taken[row] = one
        choice = self._choice_of(taken)
        reached = ranked(self.structure, choice)
        lacking, profits = numbers.goals(answer.bound)
        bound = (-lacking, *(a + b for a, b in zip(self.constant, profits, strict=True)))
        return Relaxation(choice, max(bound, reached), Account(answer, bound <= reached))


class Account:
    """A search's own account: the attributes of `_core.ForestOutcome` that are read."""

    __slots__ = ("fewest_tokens", "optimal", "states", "statistics")

    def __init__(self, answer: Answer, optimal: bool) -> None:
        self.fewest_tokens = answer.is_proven
        self.optimal = optimal
        self.states = answer.states
        self.statistics = answer.statistics


class FloorBranching(Branching):
    """The same search where floors come first."""

    def _lay_out(self, state: bytearray) -> Forest:
        return FloorForest(self.rooms, state)

    def _worth(self, choice: Choice) -> Totals:
        return ranked(self.structure, choice)


def fill_floors(rooms: Rooms, effort: int, before: Found, is_enough: Callable[[int], bool]) -> Found:
    """Return the best choice where floors come first, `before` being the best without them.

    Where rules that no forest knows make too many of them, HiGHS takes over.
    """
    left = effort if effort < 0 else max(0, effort - before.spent)
    found = FloorBranching(rooms, left, is_enough).run()
    is_many = is_enough(found.nodes)
    found = _better(rooms, before, found)
    if is_many and effort and not _is_proven(rooms, found):
        found = by_program(rooms, effort, found, ranked)
        if effort < 0 and not _is_proven(rooms, found):
            found = _better(rooms, found, FloorBranching(rooms, effort, lambda _: False).run())
    return _told(rooms, before, found)


def _is_proven(rooms: Rooms, found: Found) -> bool:
    return found.bound <= ranked(rooms.structure, found.choice)


def _better(rooms: Rooms, before: Found, found: Found) -> Found:
    """The later one, with the choice of the earlier if that is better."""
    structure = rooms.structure

    def key(choice: Choice) -> tuple[Totals, int]:
        return ranked(structure, choice), -weigh(structure, choice)

    if key(before.choice) > key(found.choice):
        found.choice = before.choice
        found.bound = max(found.bound, ranked(structure, found.choice))
    found.spent += before.spent
    found.nodes = max(found.nodes, before.nodes)
    found.outcome = {**before.outcome, **found.outcome}
    return found


def _told(rooms: Rooms, before: Found, found: Found) -> Found:
    """Turn the bound into one on the values, without floors where it is open how far they can be filled."""
    reached = ranked(rooms.structure, found.choice)
    lacking, *worth = found.bound
    if found.bound > reached and lacking > reached[0]:
        worth = list(before.bound)
        if before.bound <= reached[1:]:
            # The values are as good as can be, but it is open whether the floors allow them.
            worth = [*reached[1:-1], reached[-1] + 1]
    found.bound = tuple(worth)
    found.choice = without_idle(rooms.structure, found.choice)
    return found
