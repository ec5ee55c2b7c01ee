"""The best choice in a forest with floors, exactly, in Python integers of any size.

Frontiers of partial choices, from the leaves up and from the inner sections out (Johnson & Niemi 1983), as
without floors. But inside a section with a floor a partial choice also counts the tokens that fill it: of two
choices the poorer may be the better, if it fills more, until both have reached the floor. On leaving the
section what it lacks is taken off. Of each frontier only what could still beat the best choice so far is
kept, as the prices tell; narrow beams find a good choice first.
"""

from __future__ import annotations

from haversack._floor_classes import Class, Purse, Rest, SpentError, Window, undominated
from haversack._floor_numbers import Answer
from haversack._floor_prices import Prices
from haversack._floor_trees import Tree
from haversack._wide_forest import choice_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._floor_classes import Lossy, State
    from haversack._floor_numbers import Numbers

_BEAM = 16
_TIES = 20_000  # states more, at least, to find the same with fewer tokens


def solve(numbers: Numbers, effort: int) -> Answer:
    """Solve within an effort in states, below 0 without limit; past it the best found, with a bound."""
    return _Search(numbers, effort).run()


class _Search:
    def __init__(self, numbers: Numbers, effort: int) -> None:
        self.numbers = numbers
        self.prices = Prices(numbers)
        self.effort = effort
        self.purse = Purse()
        self.is_proven_in_value = False
        sections = len(numbers.cap)
        self.bound = self.prices.of_section[-1]
        self.choice, self.worth = self._least()
        self.least = [0] * sections  # what anything better loses in a section
        self.useful = list(numbers.floor)  # tokens that fill beyond these fill nothing
        for section in range(sections - 2, -1, -1):
            self.useful[section] = max(self.useful[section], self.useful[numbers.around[section]])

    def _least(self) -> tuple[list[int], int]:
        """Only what must be in, as short as it can be: it always fits."""
        numbers = self.numbers
        choice = [-1] * len(numbers.row)
        worth, filled = 0, [0] * len(numbers.cap)
        for node, parent in enumerate(numbers.parent):
            if not numbers.forced[node] or (parent >= 0 and choice[parent] < 0):
                continue
            at = min(range(numbers.begin[node], numbers.begin[node + 1]), key=numbers.weight.__getitem__)
            choice[node] = at - numbers.begin[node]
            worth += self.prices.worth[at]
            filled[numbers.section[node]] += numbers.fill[at]
        for section, around in enumerate(numbers.around[:-1]):
            worth -= self.prices.penalty * max(0, numbers.floor[section] - filled[section])
            filled[around] += filled[section]
        return choice, worth

    @property
    def allowed(self) -> int:
        """The most that anything better may lose: it is worth a whole unit more."""
        return self.prices.of_section[-1] - self.worth - self.prices.scale

    def run(self) -> Answer:
        """Search in beams of four times the width of the one before, until nothing of use is dropped."""
        self.beam, is_proven = _BEAM, self.allowed < 0
        while not is_proven:
            try:
                dropped = self._round()
            except SpentError:
                break
            is_proven = dropped is None or dropped > self.allowed
            if dropped is not None:
                self.bound = min(self.bound, self.prices.of_section[-1] - dropped)
            self.beam *= 4
            if self.effort >= 0 and not is_proven:
                self._limit()
                if self.purse.limit <= self.purse.spent:
                    break
        scale = self.prices.scale
        worth = self.worth // scale
        bound = worth if is_proven else max(worth, self.bound // scale)
        return Answer(self.choice, bound, is_proven, self.purse.spent)

    def _limit(self) -> None:
        """The first round is for free; what is left once the value is proven is to save tokens, a while."""
        if self.purse.limit < 0:
            self.purse.limit = self.effort
        if not self.is_proven_in_value and self._is_proven_in_value():
            self.is_proven_in_value = True
            self.purse.limit = min(self.purse.limit, 4 * self.purse.spent + _TIES)

    def _is_proven_in_value(self) -> bool:
        scale, goals = self.prices.scale, self.numbers.goals
        return goals(max(self.worth, self.bound) // scale) == goals(self.worth // scale)

    def _round(self) -> int | None:
        """Look at all but what the beam drops; return the least that this must lose, or None."""
        numbers = self.numbers
        sections = len(numbers.cap)
        self.frontiers: list[list[State]] = [[] for _ in range(sections)]
        self.dropped: int | None = None
        for section in range(sections):
            elsewhere = self._elsewhere(section)
            window = Window(self.prices, section, self.useful[section])
            states, inside = self._merged(section, window, elsewhere)
            if section == sections - 1 or not self._leave(section, states, inside, elsewhere):
                break
        return self.dropped

    def _elsewhere(self, section: int) -> int:
        """What anything better loses outside a section, as far as that is known."""
        lost = 0
        while (around := self.numbers.around[section]) >= 0:
            lost += sum(self.least[one] for one in self.prices.inner[around] if one != section)
            section = around
        return lost

    def _merged(self, section: int, window: Window, elsewhere: int) -> tuple[list[State], int]:
        """All that lies in a section as one frontier, and the bound on it."""
        inner = self.prices.inner[section]
        made = self._trees(section, window, elsewhere + sum(self.least[one] for one in inner))
        if made is None:
            return [], 0
        settled, classes = made
        classes += [Class(self.frontiers[one], self.prices.of_section[one], window) for one in inner]
        classes.sort(key=lambda one: one.rate)
        rests = [Rest()]
        for one in reversed(classes):
            rests.append(rests[-1].before(one))
        rests.reverse()
        states, top = settled.states, settled.top
        is_whole = self.numbers.around[section] < 0
        if is_whole:
            self._take_better([(*states[0], 0)], rests[0])
        for one, rest in zip(classes, rests[1:], strict=True):
            found = window.merge(states, top, one, rest, self.allowed - elsewhere, self.purse)
            top += one.top
            if is_whole:
                self._take_better(found, rest)
            states = self._within_beam(found, elsewhere)
        return states, top

    def _trees(self, section: int, window: Window, elsewhere: int) -> tuple[Class, list[Class]] | None:
        """What is settled in a section, and the trees that are not; None: nothing better is left."""
        tokens = filling = worth = top = 0
        how: Any = None
        classes = []
        limit = self.allowed - elsewhere
        if limit < 0:
            return None
        for root in self.prices.roots[section]:
            tree = Tree(self.prices, window, root, limit, self.purse)
            made = tree.build(lambda found: self._within_beam(found, elsewhere))
            if not made.states:
                return None
            if len(made.states) > 1:
                classes.append(made)
                continue
            one = made.states[0]
            tokens, filling, worth = tokens + one[0], filling + one[1], worth + one[2]
            how, top = (how, one[3]), top + made.top
        return Class([(tokens, min(filling, window.useful), worth, how)], top, window), classes

    def _within_beam(self, found: list[Lossy], elsewhere: int) -> list[State]:
        if len(found) > self.beam:
            order = sorted(range(len(found)), key=lambda at: found[at][4])
            least = found[order[self.beam]][4] + elsewhere
            self.dropped = least if self.dropped is None else min(self.dropped, least)
            found = [found[at] for at in sorted(order[: self.beam])]
        return [state[:4] for state in found]

    def _leave(self, section: int, states: list[State], inside: int, elsewhere: int) -> bool:
        """Take off what a floor lacks, and learn what anything better loses here. False: nothing is left."""
        numbers, prices = self.numbers, self.prices
        around = numbers.around[section]
        price, bonus, useful = prices.price[around], prices.bonus[around], self.useful[around]
        top = prices.left(section, inside)
        allowed = self.allowed - elsewhere
        least = None if self.dropped is None else self.dropped - elsewhere
        kept: list[Lossy] = []
        for tokens, filling, worth, how in states:
            worth -= prices.penalty * max(0, numbers.floor[section] - filling)
            filling = min(filling, useful)
            lost = top - worth + price * tokens - bonus * filling
            if tokens <= numbers.cap[section] and lost <= allowed:
                kept.append((tokens, filling, worth, how, lost))
                least = lost if least is None else min(least, lost)
        if not kept:
            return False
        assert least is not None
        self.least[section] = max(self.least[section], least)
        self.frontiers[section] = [state[:4] for state in undominated(kept)]
        return True

    def _take_better(self, states: list[Lossy], rest: Rest) -> None:
        """Any partial choice of the whole that fits is a choice, with what comes first in the rest."""
        cap = self.numbers.cap[-1] - rest.tokens
        best = max((state for state in states if state[0] <= cap), key=lambda state: state[2], default=None)
        if best is None or best[2] + rest.worth <= self.worth:
            return
        self.worth = best[2] + rest.worth
        self.choice = choice_from([best[3], rest.how], len(self.numbers.row))
