"""What a section's trees and inner sections can do, and merging it into one frontier."""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from haversack._floor_prices import Prices

    State = tuple[int, int, int, Any]  # tokens, those that fill, worth, what was taken: nested pairs
    Lossy = tuple[int, int, int, Any, int]  # the same, and what comes of it loses at least


class SpentError(Exception):
    """The effort is spent."""


class Purse:
    """States spent, and the most that may be; below 0 without limit."""

    def __init__(self) -> None:
        self.spent = 0
        self.limit = -1

    def spend(self, states: int) -> None:
        """Spend some, or raise."""
        self.spent += states
        if 0 <= self.limit < self.spent:
            raise SpentError


class Window:
    """A section as its partial choices see it: prices, room and floor."""

    def __init__(self, prices: Prices, section: int, useful: int) -> None:
        numbers = prices.numbers
        around = numbers.around[section]
        self.prices = prices
        self.price, self.bonus = prices.price[section], prices.bonus[section]
        self.cap, self.floor, self.useful = numbers.cap[section], numbers.floor[section], useful
        # What a token of room unused loses, one beyond the floor, and one lacking.
        self.margin = self.price - (prices.price[around] if around >= 0 else 0)
        self.beyond = self.bonus - (prices.bonus[around] if around >= 0 else 0)
        self.lacking = prices.penalty - self.beyond

    def loss(self, top: int, state: State) -> int:
        """What a state loses against the most that its decisions come to."""
        return top - state[2] + self.price * state[0] - self.bonus * state[1]

    def lost(self, tokens: int, filling: int, rest: Rest | None) -> int:
        """What a state still loses at least, whatever comes; -1: it cannot fit any more."""
        if rest is None:
            return 0 if tokens <= self.cap else -1
        tokens += rest.tokens
        if tokens > self.cap:
            most, rate = rest.less
            if tokens - self.cap > most:
                return -1
            lost = (tokens - self.cap) * rate
        else:
            lost = _cheapest(self.cap - tokens, rest.more, self.margin)
        if self.floor:
            filling += rest.filling
            if filling < self.floor:
                lost = max(lost, _cheapest(self.floor - filling, rest.fuller, self.lacking))
            else:
                lost = max(lost, _cheapest(filling - self.floor, rest.emptier, self.beyond))
        return lost

    def merge(
        self, states: Iterable[State], top: int, more: Class, rest: Rest | None, allowed: int, purse: Purse
    ) -> list[Lossy]:
        """Every state with every state of a class, less what must lose too much and what is dominated.

        Without a `rest` nothing is known of what comes.
        """
        found: list[Lossy] = []
        ahead = rest.loss if rest else 0
        allowed -= ahead
        useful, bonus, options = self.useful, self.bonus, more.options
        for state in states:
            tokens, filling, worth, how = state
            lost = self.loss(top, state)
            for loss, more_tokens, more_filling, more_worth, also in options:
                if lost + loss > allowed:
                    break
                filled = filling + more_filling
                here = lost + loss
                if filled > useful:
                    here += bonus * (filled - useful)
                    filled = useful
                still = self.lost(tokens + more_tokens, filled, rest)
                here += still
                if still >= 0 and here <= allowed:
                    found.append(
                        (tokens + more_tokens, filled, worth + more_worth, (how, also), here + ahead)
                    )
                purse.spent += 1
            purse.spend(1)
        return undominated(found)


def _cheapest(tokens: int, change: tuple[int, int], rate: int) -> int:
    """What so many tokens lose: each at a rate, or, up to a number, changed by what comes at its rate."""
    most, changed = change
    if changed >= rate or not most:
        return tokens * rate
    return min(tokens, most) * changed + max(0, tokens - most) * rate


class Class:
    """Partial choices of which exactly one is taken: the one that loses least first."""

    __slots__ = ("options", "rate", "states", "top")

    def __init__(self, states: list[State], top: int, window: Window) -> None:
        """`top`: the most that they come to at the section's prices."""
        losses = [window.loss(top, state) for state in states]
        order = sorted(range(len(states)), key=losses.__getitem__)
        self.states = [states[at] for at in order]
        self.options = [(losses[at], *states[at]) for at in order]
        self.top = top
        self.rate = min((rate for change, rate in self.changes(1) if change), default=0)

    def changes(self, which: int) -> list[tuple[int, int]]:
        """Of each state, tokens (1) or those that fill (2) against the first, and what each of them loses."""
        found = []
        for option in self.options:
            first = self.options[0]
            change: int = option[which] - first[which]
            if change:
                found.append((change, (option[0] - first[0]) // abs(change)))
        return found


class Rest:
    """The classes still to come: their first states, and how far the others can go at what loss a token."""

    __slots__ = ("emptier", "filling", "fuller", "how", "less", "loss", "more", "tokens", "worth")

    def __init__(self) -> None:
        self.tokens = self.filling = self.worth = self.loss = 0
        self.how: Any = None
        self.less = self.more = self.emptier = self.fuller = (0, 0)

    def before(self, one: Class) -> Rest:
        """The rest with one more class before it."""
        rest = Rest()
        loss, tokens, filling, worth, how = one.options[0]
        rest.tokens, rest.filling = self.tokens + tokens, self.filling + filling
        rest.worth, rest.loss, rest.how = self.worth + worth, self.loss + loss, (self.how, how)
        changes = one.changes(1)
        rest.less, rest.more = _reach(self.less, changes, -1), _reach(self.more, changes, 1)
        changes = one.changes(2)
        rest.emptier, rest.fuller = _reach(self.emptier, changes, -1), _reach(self.fuller, changes, 1)
        return rest


def _reach(before: tuple[int, int], changes: list[tuple[int, int]], sign: int) -> tuple[int, int]:
    """The most tokens that can change in one direction, and the least loss of each."""
    ours = [(change * sign, rate) for change, rate in changes if change * sign > 0]
    if not ours:
        return before
    most, least = max(change for change, _ in ours), min(rate for _, rate in ours)
    return before[0] + most, min(before[1], least) if before[0] else least


def undominated(states: list[Lossy]) -> list[Lossy]:
    """States without those to which another is equal or better in tokens, filling and worth."""
    states.sort(key=lambda state: (state[0], -state[2], -state[1]))
    kept: list[Lossy] = []
    fillings: list[int] = []  # ascending; the worths beside them then descend
    worths: list[int] = []
    for state in states:
        filling, worth = state[1], state[2]
        at = bisect_left(fillings, filling)
        if at < len(fillings) and worths[at] >= worth:
            continue
        after = at + 1 if at < len(fillings) and fillings[at] == filling else at
        while at and worths[at - 1] <= worth:
            at -= 1
        fillings[at:after], worths[at:after] = [filling], [worth]
        kept.append(state)
    return kept
