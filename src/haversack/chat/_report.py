"""From a selection of units to the packing of messages: the list to send, and what is told about it."""

from __future__ import annotations

from itertools import pairwise

from haversack._excess import Excess
from haversack._scoring import AGE, GIVEN
from haversack.chat._best_set import solve, total
from haversack.chat._copies import sendable
from haversack.chat._keeping import select
from haversack.chat._previous import common_prefix
from haversack.chat._reasons import Reasons
from haversack.chat._result import Columns, Facts, MessagePacking
from haversack.chat._units import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from haversack.chat._job import Job
    from haversack.chat._keeping import Selected
    from haversack.chat._message import Message
    from haversack.chat._selection import Choice, Chosen, Order


def report(
    job: Job,
    found: Selected,
    budget: int,
    reserve: int,
    contiguous: bool,
    before: list[tuple[str, str]],
    over_budget: str,
    depth: int,
) -> MessagePacking:
    """Build the packing; warn or raise if the pins are over the budget."""
    chosen = found.chosen
    forms, costs, copies = _taken(job, chosen)
    emitted = emit([job.units[index] for index in sorted(chosen)], job.form)
    sent = [(str(message.id), str(forms[message.position])) for message in emitted]
    frame, capacity = job.tally.frame, budget - reserve - job.tally.frame
    used = sum(costs[m.position] for m in emitted)
    # Over the capacity there is nothing but pins, and what they cannot be sent without: that counts as
    # pinned too.
    pinned = _pinned(job, chosen, all_of_it=used > max(0, capacity))
    same = common_prefix(before, sent)
    prefix = sum(costs[m.position] for m in emitted[:same])
    facts = Facts(
        objects=job.sources,
        table=Columns(
            [m.id for m in job.messages],
            costs,
            list(job.values),
            pinned,
            GIVEN if job.valued else AGE,
            _texts(job, chosen),
        ),
        mask=bytes(form is not None for form in forms),
        forms=forms,
        reasons=_reasons(job, chosen, capacity, capacity - used, pinned, contiguous),
        messages=[copies.get(m.position) or sendable(m) for m in emitted],
        sent=sent,
        selected=(total(job.choices, chosen), found.bound, found.optimal),
        numbers=(budget, reserve, frame, prefix + (frame - job.tally.reply) * bool(before), _exact(job)),
        statistics=_statistics(job, found, emitted),
        again=Again(job.choices, job.order, contiguous),
    )
    packing = MessagePacking(facts)
    needed = sum(cost for cost, pin in zip(costs, pinned, strict=True) if pin)
    if needed > max(0, capacity) or capacity < 0 or (reserve and capacity <= 0):
        _refuse(job, facts, needed, over_budget, depth)
    return packing


def _taken(job: Job, chosen: Chosen) -> tuple[list[str | None], list[int], dict[int, Any]]:
    """The form and the cost of every message as it is taken, by position, and the copies that were made."""
    forms: list[str | None] = [None] * len(job.messages)
    costs = list(job.tally.costs)
    copies: dict[int, Any] = {}
    for index, taken in chosen.items():
        form = job.forms(index)[taken]
        copies.update(form.copies)
        for message, cost in zip(job.units[index].messages, form.costs, strict=True):
            forms[message.position] = form.name if message.position in form.copies or taken == 0 else "full"
            costs[message.position] = cost
    return forms, costs, copies


def _reasons(
    job: Job, chosen: Chosen, capacity: int, remaining: int, pinned: bytes, contiguous: bool
) -> Reasons:
    taken = sum(cost for cost, pin in zip(job.tally.costs, pinned, strict=True) if pin)
    return Reasons(
        job.units,
        job.choices,
        chosen,
        {index: [form.name for form in forms] for index, forms in job.shorter.items()},
        (capacity, max(0, capacity - taken), max(0, remaining)),
        contiguous=contiguous,
        forced=remaining < 0,
    )


class Again:
    """Selects anew at another capacity, for the curve."""

    def __init__(self, choices: Sequence[Choice], order: Order, contiguous: bool) -> None:
        self.choices = choices
        self.order = order
        self.contiguous = contiguous

    def __call__(self, capacity: int) -> tuple[int | float, int]:
        """The value and the cost of what is selected within *capacity*."""
        found = select(self.choices, max(0, capacity), self.order, contiguous=self.contiguous, solve=solve)
        cost = sum(self.choices[index].costs[form] for index, form in found.chosen.items())
        return total(self.choices, found.chosen), cost


class _MessageExcess(Excess):
    """The numbers of a request that cannot fit; its frame counts as needed, as every request has it."""

    __slots__ = Excess.__slots__  # a record fills the slots of its own class

    def message(self) -> str:
        """Return the sentence: the fact, the numbers, the way out."""
        free = max(0, self.budget - self.reserve)
        less = f" (budget {self.budget} - reserve {self.reserve})" if self.reserve else ""
        costliest = ", ".join(f"{name!r} {cost:,}" for name, cost in self.pins)
        return (
            f"pinned messages need {self.needed + self.frame:,} tokens ({self.needed:,}, and {self.frame:,} "
            f"for system prompt, tools and framing), but only {free:,} are available{less}; the costliest: "
            f"{costliest or 'none'}; raise the budget, shorten something (elide=), unpin something "
            '(pinned=() unpins what is pinned by default), or pass over_budget="allow"'
        )


def _refuse(job: Job, facts: Facts, needed: int, policy: str, depth: int) -> None:
    if policy == "allow":
        return
    from haversack.exceptions import OverBudgetError, OverBudgetWarning

    table = facts.table
    pins = [(table.ids[p], table.costs[p]) for p, pin in enumerate(table.pinned) if pin and table.costs[p]]
    pins.sort(key=lambda pin: -pin[1])
    excess = _MessageExcess(facts.numbers[0], facts.numbers[1], facts.numbers[2], needed, tuple(pins[:5]))
    if policy == "raise":
        raise OverBudgetError(excess)
    from warnings import warn

    warn(OverBudgetWarning(excess), stacklevel=depth + 1)


def _pinned(job: Job, chosen: dict[int, int], *, all_of_it: bool) -> bytes:
    """Pins close over units: whoever goes with a pinned message is in like it."""
    pinned = bytearray(len(job.messages))
    for index, unit in enumerate(job.units):
        if index in chosen and (all_of_it or job.choices[index].pinned):
            for message in unit.messages:
                pinned[message.position] = 1
    return bytes(pinned)


def _texts(job: Job, chosen: Chosen) -> list[str | None]:
    """The prose of every message, in the form that was taken."""
    shorter: dict[int, tuple[str, ...]] = {}
    for index, form in chosen.items():
        if form:
            shorter.update(job.shorter[index][form - 1].texts)
    return ["\n".join(shorter.get(m.position, m.texts)) if m.texts else None for m in job.messages]


def _exact(job: Job) -> bool | None:
    if job.meter.counter is None:  # every message had its cost
        return None
    return job.meter.counter.exact and not job.tally.estimated


def _statistics(job: Job, found: Selected, emitted: Sequence[Message]) -> dict[str, Any]:
    sent = {message.position for message in emitted}
    highest, moved = -1, []
    for message in emitted:
        if message.position < highest and message.kind == "result":
            moved.append(message.id)
        highest = max(highest, message.position)
    late = [m.id for m, n in pairwise(emitted) if m.position > n.position and m.results]
    return {
        "form": job.form,
        "kept": found.kept,
        "units": len(job.units),
        "estimated": sorted(job.tally.estimated),
        "orphans": [m.id for unit in job.units if unit.broken for m in unit.messages],
        "moved": [*moved, *late],
        "repaired": [m.id for m in emitted if m.repaired],
        "cache_marks_dropped": [m.id for m in job.messages if m.cache and m.position not in sent],
    }
