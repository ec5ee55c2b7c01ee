"""One call of `pack`: model, solve, render, recount, and tell what does not fit."""

from __future__ import annotations

from haversack._budget import budget_of
from haversack._packing import Packing
from haversack._reading import modelled
from haversack._settings import checked_effort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeVar

    from haversack._copies import Rewrite
    from haversack._packer import Packer
    from haversack._prefix import Keeping
    from haversack._texts import Texts

    T = TypeVar("T")


def packed(packer: Packer, snippets: Iterable[T], budget: int | float, depth: int) -> Packing[T]:
    """Pack; a warning points `depth` frames above this one, to the caller's line."""
    tokens, effort = budget_of(budget), checked_effort(packer.effort)
    keeping = _keeping(packer)
    if packer.counter is not None:
        return _packed_text(packer, keeping, snippets, tokens, effort, depth + 1)
    capacity = tokens - packer.reserve
    rewrite = _rewriting(packer, capacity)
    model = modelled(snippets, packer.fields, packer.pinned, packer.sections, packer.values, rewrite)
    if keeping is None:
        outcome, prefix = model.solve(capacity, effort, capacity), (0, 0)
    else:
        outcome = keeping.solve(model, capacity, effort, capacity)
        prefix = keeping.prefix(model, outcome)
    packing: Packing[T] = Packing(model, outcome, tokens, packer.reserve, effort, prefix=prefix)
    needed = outcome.pinned_cost
    over = (needed > capacity and needed) or (packer.reserve and capacity <= 0)
    if over or (model.structure is not None and packing._structured.is_over_caps):
        _report_excess(packing, packer.over_budget, depth + 1)
    return packing


def _keeping(packer: Packer) -> Keeping | None:
    if packer.previous is None:
        return None
    from haversack._prefix import Keeping

    assert packer.keep is not None
    return Keeping(packer.previous, packer.keep)


def _rewriting(packer: Packer, capacity: int, texts: Texts | None = None) -> Rewrite | None:
    """Return what the settings about copies make of the snippets, if anything."""
    if all(setting is None for setting in (packer.duplicates, packer.near_copies, packer.overlap)):
        return None
    from haversack._copies import rewriting
    from haversack._spans import Overlapping

    overlap = None
    if packer.overlap is not None:
        overlap = Overlapping(capacity, packer.sections, checked_effort(packer.effort), texts)
    return rewriting(packer.duplicates, packer.near_copies, overlap)


def _packed_text(
    packer: Packer,
    keeping: Keeping | None,
    snippets: Iterable[T],
    budget: int,
    effort: int | None,
    depth: int,
) -> Packing[T]:
    """Pack snippets with texts: count, choose, render, count again."""
    from haversack._previous import refuse_headings
    from haversack._recount import Recount
    from haversack._texts import texts_for

    texts = texts_for(packer.counter, packer.render, packer.order, packer.sections)
    rewrite = _rewriting(packer, budget - packer.reserve, texts)
    model = modelled(snippets, packer.fields, packer.pinned, packer.sections, packer.values, rewrite, texts)
    if keeping is not None and texts.headings:
        refuse_headings()
    recount = Recount(model, texts, budget - packer.reserve, effort, keeping)
    found = recount.run()
    rendered = recount.rendered(found)
    prefix = (0, 0) if keeping is None else keeping.prefix(recount.model, found.outcome)
    packing: Packing[T] = Packing(
        recount.model,
        found.outcome,
        budget,
        packer.reserve,
        effort,
        texts.frame + found.paid,
        rendered,
        prefix,
    )
    if recount.understated:
        from warnings import warn

        from haversack.exceptions import CostWarning

        warn(CostWarning(recount.understated), stacklevel=depth + 1)
    # Headings are paid by what is chosen: only what stands in any case can leave nothing.
    nothing_left = (packer.reserve or texts.frame) and budget - packer.reserve - texts.frame <= 0
    if packing.over_budget or nothing_left or getattr(found.outcome, "is_over_caps", False):
        _report_excess(packing, packer.over_budget, depth + 1)
    return packing


def _report_excess(packing: Packing[Any], policy: str, depth: int) -> None:
    """Warn or raise, as the policy says, about pins over the budget or a cap, or a reserve over it."""
    if policy == "allow":
        return
    from haversack._conflict import excess_of
    from haversack.exceptions import OverBudgetError, OverBudgetWarning

    excess = excess_of(packing)
    if policy == "raise":
        raise OverBudgetError(excess)
    from warnings import warn

    warn(OverBudgetWarning(excess), stacklevel=depth + 1)
