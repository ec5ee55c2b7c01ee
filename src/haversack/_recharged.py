"""The same snippets at other costs, and the same selection with another proof: what a recount may find."""

from __future__ import annotations

from haversack._bigint import Outcome
from haversack._coerce import Table
from haversack._forms import Form
from haversack._model import tabled
from haversack._structured import StructuredOutcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from haversack._model import AnyOutcome, Model


def charging(model: Model, costs: Mapping[tuple[int, int], int]) -> Model:
    """Return the same snippets with other costs of some forms, by position and form."""
    table = model.table
    forms = [list(row) for row in table.forms]
    for (position, form), cost in costs.items():
        was = forms[position][form]
        forms[position][form] = Form(was.name, was.text, cost, was.value, was.owner, was.at)
    changed = Table(table.ids, forms, table.pinned, table.valued_by, table.links)
    return tabled(model.objects, changed, None if model.structure is None else model.structure.declared)


def restated(model: Model, outcome: AnyOutcome, bound: Any, optimal: bool) -> AnyOutcome:
    """Return the same selection with another proof, its costs summed anew: they may have changed."""
    statistics: dict[str, Any] = {**outcome.statistics, "states": outcome.states}
    if model.structure is not None:
        assert isinstance(outcome, StructuredOutcome)
        statistics["fewest_tokens"] = outcome.fewest_tokens
        choice, caps = outcome.choice, outcome.caps
        stated = StructuredOutcome.known(model.structure, choice, caps, bound, optimal, statistics)
        stated.is_over_caps = outcome.is_over_caps
        return stated
    costs, pins, chosen = model.costs, model.pinned, outcome.chosen.tolist()
    return Outcome(
        bytes(outcome.mask), value=outcome.value, cost=sum(costs[position] for position in chosen),
        pinned_cost=sum(costs[position] for position in chosen if pins[position]), bound=bound,
        optimal=optimal, fewest_tokens=outcome.fewest_tokens, statistics=statistics,
    )  # fmt: skip
