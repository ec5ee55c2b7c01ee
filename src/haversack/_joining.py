"""Which spans to take of chains of overlaps: each solved as one snippet, all else in the balance."""

from __future__ import annotations

from math import ceil

from haversack._coerce import Table
from haversack._forms import FULL, Form
from haversack._links import no_links
from haversack._model import tabled
from haversack._structured import StructuredOutcome
from haversack._ways import WORK, Sweep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from haversack._snippet import Section
    from haversack._ways import Chain, Ways
    from haversack.values.overlap import Merged

    Item = tuple[float, int]  # value, tokens


_SURE = 1 - 2**-40


class Worth:
    """What values are as probabilities, and back: shares of the `whole` where they were made of ranks.

    With `is_sum` they are numbers that add up, whatever overlaps.
    """

    def __init__(self, whole: Any = 1, *, is_whole_number: bool = False, is_sum: bool = False) -> None:
        self.whole = whole
        self.is_whole_number = is_whole_number
        self.is_sum = is_sum

    def of(self, value: Any) -> float:
        """Return the probability that a value stands for, below 1, so that neighbours can add to it."""
        return float(value) if self.is_sum else min(value / self.whole, _SURE)

    def value(self, worth: float) -> Any:
        """Return the value that a worth stands for."""
        if self.is_sum:
            return round(worth)
        return int(self.whole * worth) if self.is_whole_number else worth


class Joining:
    """A packing in which each chain is one snippet, with the ways to take it as its forms.

    `most`, after `choose`, bounds what any way can come to; None where the ways chosen are proven the best.
    """

    def __init__(
        self, table: Table, chains: list[Chain], worth: Worth, charge: Callable[[Merged], int], capacity: int
    ) -> None:
        self.table = table
        self.chains = chains
        self.worth = worth
        self.charge = charge
        self.capacity = capacity
        self.most: Any = None

    def choose(
        self, sections: Mapping[str, Section] | None, effort: int | None, window: int
    ) -> list[list[Merged]]:
        """Return the spans to take of each chain, from left to right."""
        pinned = sum(self._least(at) for at, pin in enumerate(self.table.pinned) if pin)
        room = max(0, self.capacity - pinned)
        values = [[self._value(span) for span in chain.spans] for chain in self.chains]
        items = [
            (value, span.cost)
            for chain, some in zip(self.chains, values, strict=True)
            for span, value in zip(chain.spans, some, strict=True)
        ]
        price = _filled([*items, *self._others()], room)[1]
        work = WORK if effort is None else 10 * WORK if effort < 0 else min(WORK, effort)
        offers = [
            Sweep(
                chain, list(map(self.worth.of, some)), self.charge, room,
                price=self.worth.of(price), work=work, is_sum=self.worth.is_sum,
            ).run()
            for chain, some in zip(self.chains, values, strict=True)
        ]  # fmt: skip
        outcome = self._solve(offers, sections, effort, window)
        if not all(offered.is_whole for offered in offers):
            self.most = self._at_most(offers, values, room, outcome)
        elif not outcome.optimal:
            self.most = outcome.bound
        return [
            [chain.spans[at] for at in offered.taken[choice]] if choice >= 0 and offered.taken else []
            for chain, offered in zip(self.chains, offers, strict=True)
            for choice in [outcome.choice[chain.spans[0].positions[0]]]
        ]

    def _value(self, span: Merged) -> Any:
        return self.table.forms[span.positions[0]][0].value or 0

    def _least(self, at: int) -> int:
        return min(form.cost or 0 for form in self.table.forms[at])

    def _others(self) -> list[Item]:
        """The best that optional snippets of no chain can be worth, for the fewest tokens."""
        chained = {span.positions[0] for chain in self.chains for span in chain.spans}
        return [
            (max(form.value or 0 for form in forms), self._least(at))
            for at, forms in enumerate(self.table.forms)
            if at not in chained and not self.table.pinned[at]
        ]

    def _solve(
        self, offers: list[Ways], sections: Mapping[str, Section] | None, effort: int | None, window: int
    ) -> StructuredOutcome:
        plain = self.table
        forms = list(plain.forms)
        for chain, offered in zip(self.chains, offers, strict=True):
            for span in chain.spans:
                at = span.positions[0]
                forms[at] = [Form(FULL, None, 0, 0, forms[at][0].owner)]
            at, owner = chain.spans[0].positions[0], forms[chain.spans[0].positions[0]][0].owner
            columns = zip(offered.costs, map(self.worth.value, offered.worth), strict=True)
            forms[at] = [Form(FULL, None, *numbers, owner) for numbers in columns] or forms[at]
        links = plain.links or no_links(len(forms))
        table = Table(plain.ids, forms, plain.pinned, plain.valued_by, links)
        outcome = tabled([None] * len(forms), table, sections).solve(self.capacity, effort, window)
        assert isinstance(outcome, StructuredOutcome)
        return outcome

    def _at_most(
        self, offers: list[Ways], values: list[list[Any]], room: int, outcome: StructuredOutcome
    ) -> Any:
        """Bound all ways: each span for the fewest tokens it can add, no rule but the room (Dantzig 1957)."""
        items = [
            (value, least)
            for offered, some in zip(offers, values, strict=True)
            for value, least in zip(some, offered.least, strict=True)
        ]
        pins = [self.table.forms[at] for at, pin in enumerate(self.table.pinned) if pin]
        sure = sum(max(form.value or 0 for form in forms) for forms in pins)
        most: int | float = (sure + _filled([*items, *self._others()], room)[0]) * (1 + 2**-40)
        if isinstance(outcome.value, int):
            most = ceil(most)
        if not isinstance(outcome.bound, tuple):
            return max(most, outcome.bound)
        worth = sum(max(abs(form.value or 0) for form in forms) for forms in self.table.forms)
        return tuple(max(worth, one) for one in outcome.bound)


def _filled(items: list[Item], room: int) -> tuple[float, float]:
    """Return the most that parts of items are worth within a room, and what its last token is worth."""
    total = 0.0
    for value, cost in sorted(items, key=lambda item: -item[0] / max(item[1], 1e-9)):
        if value <= 0:
            continue
        if cost >= room:
            return total + (value * room / cost if cost else value), value / max(1, cost)
        total += value
        room -= cost
    return total, 0.0
