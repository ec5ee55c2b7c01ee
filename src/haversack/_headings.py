"""Headings as what they are: tokens that are paid once if anything of their section is in.

For the solver a heading is one more snippet, worthless in itself, which everything of its section requires
that has a text in any of its forms. The caller never sees it: what comes out speaks of the caller's snippets
and of what their headings cost.
"""

from __future__ import annotations

from haversack._coerce import Table
from haversack._forms import FULL, Form
from haversack._links import Links, no_links
from haversack._model import Model, tabled
from haversack._numbers import Place
from haversack._structured import StructuredOutcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from haversack._structure import Structure


class Headed:
    """A model whose sections have headings; `texts` are the positions of what renders."""

    def __init__(self, model: Model, headings: Mapping[str, int], texts: Collection[int]) -> None:
        assert model.structure is not None
        self.structure: Structure = model.structure
        self.size = len(model.objects)
        self.costs = list(headings.values())
        table = _with_headings(model.table, headings, texts)
        fillers = [*model.objects, *([None] * len(headings))]
        self.model = tabled(fillers, table, self.structure.declared)

    def solve(self, capacity: int, effort: int | None, window: int) -> tuple[StructuredOutcome, int]:
        """Choose, headings included; return the outcome without them, and the tokens of those paid."""
        solved = self.model.solve(capacity, effort, window)
        assert isinstance(solved, StructuredOutcome)
        choice = solved.choice[: self.size]
        paid = [form >= 0 for form in solved.choice[self.size :]]
        outcome = StructuredOutcome.known(
            self.structure, choice, solved.caps, solved.bound, solved.optimal,
            {**solved.statistics, "fewest_tokens": solved.fewest_tokens},
        )  # fmt: skip
        outcome.states = solved.states
        outcome.is_over_caps = solved.is_over_caps
        return outcome, sum(cost for cost, is_paid in zip(self.costs, paid, strict=True) if is_paid)


def _with_headings(table: Table, headings: Mapping[str, int], texts: Collection[int]) -> Table:
    size, more = len(table.ids), len(headings)
    links = table.links or no_links(size)
    at = {section: size + number for number, section in enumerate(headings)}
    requires = [
        [*needed, at[section]] if section in at and position in texts else needed
        for position, (needed, section) in enumerate(zip(links.requires, links.sections, strict=True))
    ]
    names = [_unused(f"heading of {section}", table.ids) for section in headings]
    return Table(
        [*table.ids, *names],
        [*table.forms, *([Form(FULL, None, cost, 0, Place("headings"))] for cost in headings.values())],
        table.pinned + bytes(more),
        table.valued_by,
        Links(
            [*links.sections, *headings], [*links.groups, *([None] * more)],
            [*requires, *([] for _ in headings)], [*links.choices, *([None] * more)],
            # A tier of its own would open one: it gets the best of those that need it.
            [*links.tiers, *([max(links.tiers, default=0)] * more)], links.has_tiers, links.excluded,
        ),
        table.copies,
    )  # fmt: skip


def _unused(name: str, ids: list[str | int]) -> str:
    taken = set(map(str, ids))
    while name in taken:
        name += "'"
    return name
