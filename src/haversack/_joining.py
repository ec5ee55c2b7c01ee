"""Which spans to join, and which to leave out: chains solved as one snippet each, all else in the balance."""

from __future__ import annotations

from math import ceil, inf, nextafter

from haversack._coerce import Table
from haversack._forms import FULL, Form
from haversack._links import no_links
from haversack._model import tabled
from haversack._structured import StructuredOutcome
from haversack._ways import Ahead, ways

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from haversack._snippet import Section
    from haversack._ways import Ways
    from haversack.values.overlap import Merged

    Chain = list[Merged]

_ROUNDS = 40  # of the search for the price of a token


class Joining:
    """A packing in which each chain is one snippet, with the ways to take it as its forms.

    `runs` are those of each chain. `most`, after `choose`, bounds what any way can come to; None where the
    ways chosen are proven the best.
    """

    def __init__(
        self, table: Table, chains: list[Chain], runs: list[list[Merged]], capacity: int, room: int
    ) -> None:
        self.table = table
        self.chains = chains
        self.runs = runs
        self.capacity = capacity
        self.room = room
        self.most: Any = None

    def choose(
        self, sections: Mapping[str, Section] | None, effort: int | None, window: int
    ) -> list[list[Merged]]:
        """Return the runs to take of each chain.

        Where a chain has too many ways to keep them all, a price for the token tells which lose too much:
        at first those that are likely to, then those that must.
        """
        offers = self._offers(0.0)
        taken, outcome = self._solve(offers, sections, effort, window)
        if not all(offered.is_whole for offered in offers):
            price, bound = self._least_bound()
            taken, outcome = self._solve(self._offers(price), sections, effort, window)
            is_lone = not isinstance(outcome.bound, tuple) and not _has_floors(sections)
            if is_lone:
                offers = self._offers(price, max(0.0, bound - outcome.value) * (1 + 2**-30))
                again, solved = self._solve(offers, sections, effort, window)
                if solved.value >= outcome.value:
                    taken, outcome = again, solved
            if not is_lone or not all(offered.is_whole for offered in offers):
                self.most = self._at_most(bound, outcome)
        if not outcome.optimal:
            self.most = outcome.bound if self.most is None else max(self.most, outcome.bound)
        return taken

    def _offers(self, price: float, allowed: float = inf) -> list[Ways]:
        return [ways(found, self.room, Ahead(found, price), allowed) for found in self.runs]

    def _solve(
        self, offers: list[Ways], sections: Mapping[str, Section] | None, effort: int | None, window: int
    ) -> tuple[list[list[Merged]], StructuredOutcome]:
        plain = self.table
        forms = list(plain.forms)
        for chain, offered in zip(self.chains, offers, strict=True):
            for part in chain:
                at = part.positions[0]
                forms[at] = [Form(FULL, None, 0, 0, forms[at][0].owner)]
            if offered.costs:
                at = chain[0].positions[0]
                columns = zip(offered.costs, offered.values, strict=True)
                forms[at] = [Form(FULL, None, *numbers, forms[at][0].owner) for numbers in columns]
        links = plain.links or no_links(len(forms))
        table = Table(plain.ids, forms, plain.pinned, plain.valued_by, links)
        model = tabled([None] * len(forms), table, sections)
        outcome = model.solve(self.capacity, effort, window)
        assert isinstance(outcome, StructuredOutcome)
        choices = [outcome.choice[chain[0].positions[0]] for chain in self.chains]
        taken = [
            offered.runs[choice] if choice >= 0 and offered.runs else []
            for choice, offered in zip(choices, offers, strict=True)
        ]
        return taken, outcome

    def _least_bound(self) -> tuple[float, float]:
        """Return the price of a token at which the bound is least, and that bound: no rule but the budget."""
        chained = {part.positions[0] for chain in self.chains for part in chain}
        rest: list[Any] = [
            (self.table.pinned[at], forms) for at, forms in enumerate(self.table.forms) if at not in chained
        ]

        def bound(price: float) -> float:
            total = price * max(0, self.capacity)
            for pinned, forms in rest:
                net = max(form.value - price * form.cost for form in forms)
                total += net if pinned else max(0.0, net)
            return total + sum(Ahead(found, price).whole for found in self.runs)

        low, high = 0.0, max(run.value / max(1, run.cost) for found in self.runs for run in found)
        for _ in range(_ROUNDS):
            third = (high - low) / 3
            if bound(low + third) < bound(high - third):
                high -= third
            else:
                low += third
        price = (low + high) / 2
        return price, nextafter(bound(price) * (1 + 2**-40), inf)

    def _at_most(self, bound: float, outcome: StructuredOutcome) -> Any:
        """Bound all ways; of tiers each by all that is worth anything."""
        most: int | float = ceil(bound) if isinstance(outcome.value, int) else bound
        if not isinstance(outcome.bound, tuple):
            return max(most, outcome.value)
        worth = sum(max(abs(form.value or 0) for form in forms) for forms in self.table.forms)
        return tuple(max(worth, one) for one in outcome.bound)


def _has_floors(sections: Mapping[str, Section] | None) -> bool:
    return any(section.floor for section in (sections or {}).values())
