"""From a selection of units to the packing of messages: the list to send, and why each message is in or out."""

from __future__ import annotations

from haversack._budget import Excess
from haversack._coerce import Table
from haversack._sentences import number, tokens
from haversack.chat._best_set import exact_sum, total
from haversack.chat._copies import sendable
from haversack.chat._keeping import select
from haversack.chat._previous import common_prefix
from haversack.chat._result import Facts, MessagePacking, Note
from haversack.chat._solve import solve
from haversack.chat._units import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from haversack.chat._job import Job
    from haversack.chat._keeping import Selected
    from haversack.chat._message import Message
    from haversack.chat._selection import Choice, Order


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
    forms: list[str | None] = [None] * len(job.messages)
    costs = list(job.tally.costs)
    copies: dict[int, Any] = {}
    for index, taken in chosen.items():
        form = job.forms[index][taken]
        copies.update(form.copies)
        for message, cost in zip(job.units[index].messages, form.costs, strict=True):
            forms[message.position] = form.name if message.position in form.copies or taken == 0 else "full"
            costs[message.position] = cost
    emitted = emit([job.units[index] for index in sorted(chosen)], job.form)
    sent = [(str(message.id), str(forms[message.position])) for message in emitted]
    frame, capacity = job.tally.frame, budget - reserve - job.tally.frame
    used = sum(costs[m.position] for m in emitted)
    # Over the capacity there is nothing but pins, and what they cannot be sent without: that counts as pinned too.
    pinned = _pinned(job, chosen, all_of_it=used > max(0, capacity))
    same = common_prefix(before, sent)
    prefix = sum(costs[m.position] for m in emitted[:same])
    facts = Facts(
        objects=job.sources,
        table=Table(
            [m.id for m in job.messages], costs, list(job.values), pinned, not job.valued, _texts(job)
        ),
        mask=bytes(form is not None for form in forms),
        forms=forms,
        notes=_notes(job, found, capacity, contiguous, pinned, capacity - used),
        messages=[copies.get(m.position, None) or sendable(m) for m in emitted],
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
    """The numbers of a request that cannot fit; its frame counts as needed, as it is sent with every request."""

    __slots__ = Excess.__slots__  # a record fills the slots of its own class

    def message(self) -> str:
        """Return the sentence: the fact, the numbers, the way out."""
        free = max(0, self.budget - self.reserve)
        less = f" (budget {self.budget} - reserve {self.reserve})" if self.reserve else ""
        costliest = ", ".join(f"{name!r} {cost:,}" for name, cost in self.pins)
        return (
            f"pinned messages need {self.needed + self.frame:,} tokens ({self.needed:,}, and {self.frame:,} for system "
            f"prompt, tools and framing), but only {free:,} are available{less}; the costliest: {costliest or 'none'}; "
            "raise the budget, shorten something (elide=), pinned=() unpins what is pinned by default, or pass "
            'over_budget="allow"'
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


def _texts(job: Job) -> list[str | None]:
    return ["\n".join(message.texts) if message.texts else None for message in job.messages]


def _exact(job: Job) -> bool | None:
    if job.counter is None:
        return None
    return bool(getattr(job.counter, "exact", True)) and not job.tally.estimated


def _statistics(job: Job, found: Selected, emitted: Sequence[Message]) -> dict[str, Any]:
    sent = {message.position for message in emitted}
    highest, moved = -1, []
    for message in emitted:
        if message.position < highest and message.kind == "result":
            moved.append(message.id)
        highest = max(highest, message.position)
    late = [m.id for m, n in zip(emitted, emitted[1:], strict=False) if m.position > n.position and m.results]
    return {
        "form": job.form,
        "kept": found.kept,
        "units": len(job.units),
        "estimated": sorted(job.tally.estimated),
        "orphans": [m.id for unit in job.units if unit.broken for m in unit.messages],
        "moved": [*moved, *late],
        "cache_marks_dropped": [m.id for m in job.messages if m.cache and m.position not in sent],
    }


def _notes(
    job: Job, found: Selected, capacity: int, contiguous: bool, pinned: bytes, remaining: int
) -> list[Note]:
    notes: list[Note | None] = [None] * len(job.messages)
    room = max(0, capacity - sum(c for c, p in zip(job.tally.costs, pinned, strict=True) if p))
    for index, unit in enumerate(job.units):
        choice = job.choices[index]
        if index in found.chosen:
            cost = choice.costs[found.chosen[index]]
            reason = "pinned" if choice.pinned else "chosen" if cost else "free"
            value = exact_sum(job.values[m.position] for m in unit.messages)
            short = "" if found.chosen[index] == 0 else f", {job.forms[index][found.chosen[index]].name}"
            sentence = f"{reason}, {tokens(cost)}, value {number(value)}{short}"
            note = Note(reason, {"cost": cost, "value": value}, sentence)
        elif unit.broken:
            note = Note("requires", {"problem": unit.broken}, f"it cannot be sent: {unit.broken}")
        else:
            note = _why_out(job, index, capacity, room, remaining, contiguous)
        for message in unit.messages:
            detail = {**note.detail, "unit": [m.id for m in unit.messages], "turn": unit.turn}
            if message.cache:
                detail["cache_control"] = True
            notes[message.position] = Note(note.reason, detail, note.sentence)
    return [note for note in notes if note is not None]


def _why_out(job: Job, index: int, capacity: int, room: int, remaining: int, contiguous: bool) -> Note:
    choice, size = job.choices[index], len(job.units[index].messages)
    what = "it" if size == 1 else f"its unit of {size} messages"
    cost, value = min(choice.costs), choice.values[0]
    detail: dict[str, Any] = {"cost": cost, "value": value}
    if not contiguous and max(choice.values) <= 0:
        return Note("worthless", detail, f"worthless, as a value of {number(value)} adds nothing")
    if cost > capacity:
        detail.update(capacity=capacity, over=cost - capacity)
        return Note(
            "too_long", detail, f"too long, as {what} needs {tokens(cost)} of a capacity of {capacity:,}"
        )
    if cost > room:
        detail.update(room=room, over=cost - room)
        return Note("no_room", detail, f"no room, as {what} needs {tokens(cost)} and the pins leave {room:,}")
    if contiguous:
        turn = [c for c in job.choices if c.turn == choice.turn and c.allowed]
        what, cost = "its turn", sum(min(c.costs) for c in turn if not c.pinned)
    detail.update(remaining=max(0, remaining), missing=max(0, cost - max(0, remaining)))
    end = "newer turns come first" if contiguous else "no selection with it is worth more"
    return Note(
        "outvalued",
        detail,
        f"outvalued, as {what} needs {tokens(cost)} where {max(0, remaining):,} are left; {end}",
    )
