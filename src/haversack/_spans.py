"""overlap="merge": spans of one source that overlap become one snippet, where that is best, paid once."""

from __future__ import annotations

from math import isfinite

from haversack._numbers import described, real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from haversack._copies import Draft
    from haversack._joining import Worth
    from haversack._numbers import Place
    from haversack._snippet import Section
    from haversack._texts import Texts
    from haversack._ways import Chain
    from haversack.values.overlap import Merged

    Span = tuple[Any, Any, Any]


class Overlapping:
    """How to merge what overlaps: what may be spent, under which caps and effort, and of which texts."""

    def __init__(
        self, capacity: int, sections: Mapping[str, Section] | None, effort: int | None, texts: Texts | None
    ) -> None:
        self.capacity = capacity
        self.sections = sections
        self.effort = effort
        self.texts = texts

    def merge(self, draft: Draft) -> None:
        """Merge pins with what lies within them; of the rest join what is best joined, and exclude the rest.

        Each member of what is merged knows with whom, and what it was.
        """
        size = range(len(draft.forms))
        spans = [None if draft.bound[at] else _span(draft, at) for at in size]
        self.combine, self.worth = _combining(draft, _overlapping(spans, draft.pinned))
        draft.counts["overlaps"] = 0
        apart = []
        for merged in self._with_pins(draft, spans):
            if len(merged.positions) > 1:
                _bind(draft, merged, self.texts)
            elif not merged.pinned:
                apart.append(merged)
        from haversack._ways import chains

        found = chains(apart)
        if found:
            self._join(draft, found)

    def _with_pins(self, draft: Draft, spans: list[Span | None]) -> list[Merged]:
        from haversack.values.overlap import merge_overlaps

        return merge_overlaps(
            spans,
            [min(form.cost or 0 for form in forms) for forms in draft.forms],
            [forms[0].value for forms in draft.forms],
            texts=[draft.text(at) for at in range(len(spans))],
            pinned=list(draft.pinned),
            limit=-1,  # nothing merges but with pins, whose cost is no choice
            combine=self.combine,
        )

    def _join(self, draft: Draft, found: list[Chain]) -> None:
        """Take of each chain what is best with all else in the balance, and join what overlaps of it."""
        from haversack._joining import Joining

        texts = self.texts
        capacity = self.capacity if texts is None else self.capacity - texts.frame + texts.refund
        charge = _cost_of if texts is None else texts.charge
        joining = Joining(draft.table(), found, self.worth, charge, capacity)
        taken = joining.choose(self.sections, self.effort, self.capacity)
        draft.most = joining.most
        for chain, spans in zip(found, taken, strict=True):
            self._take(draft, chain, spans)

    def _take(self, draft: Draft, chain: Chain, spans: list[Merged]) -> None:
        """Bind what is joined, and exclude what the best way leaves out: it would be paid for twice."""
        runs = self._runs(draft, spans)
        for run in runs:
            if len(run.positions) > 1:
                _bind(draft, run, self.texts)
        inside = {position for run in runs for position in run.positions}
        for part in chain.spans:
            at = part.positions[0]
            if at in inside:
                continue
            draft.excluded.add(at)
            beside = [one for run in runs if _overlap(run, part) for one in run.positions]
            if beside:
                draft.note(at, overlaps=[draft.ids[one] for one in sorted(beside)])

    def _runs(self, draft: Draft, spans: list[Merged]) -> list[Merged]:
        """Join what overlaps and agrees of the spans taken, from left to right."""
        from haversack._ways import added
        from haversack.values.overlap import joined

        charge = _cost_of if self.texts is None else self.texts.charge
        runs: list[_Run] = []
        for span in spans:
            own = self.worth.of(draft.forms[span.positions[0]][0].value or 0)
            run = next((one for one in reversed(runs) if _overlap(one.furthest, span)), None)
            pair = joined(run.furthest, span) if run is not None else None
            longer = joined(run.whole, span) if run is not None and pair is not None else None
            if run is None or pair is None or longer is None:
                runs.append(_Run(span, own))
                continue
            is_within = run.furthest.holds(span)
            cost = (pair.cost if is_within else charge(pair)) - run.furthest.cost
            longer.cost = run.whole.cost + max(0, cost)
            run.whole = longer
            gain = own if self.worth.is_sum else added(own, run.last)
            run.worth += gain
            if not is_within:
                run.furthest, run.last = span, gain
        for run in runs:
            run.whole.value = self.worth.value(run.worth)
        return [run.whole for run in runs]


class _Run:
    """A span joined so far, the part of it that reaches furthest, and what they are worth."""

    def __init__(self, span: Merged, worth: float) -> None:
        self.whole = self.furthest = span
        self.worth = self.last = worth


def _overlap(one: Merged, other: Merged) -> bool:
    return bool(one.source == other.source and one.start < other.end and other.start < one.end)


def _cost_of(run: Merged) -> int:
    return run.cost


def _bind(draft: Draft, merged: Merged, of: Texts | None) -> None:
    """Let the first of a merged span bear its text, cost and value; the others come with it for nothing.

    What was counted is counted anew; a cost that was given, for each of them, is taken to fall by its share.
    """
    bearer = next((at for at in merged.positions if draft.pinned[at]), merged.positions[0])
    ids = [draft.ids[at] for at in merged.positions]
    name = draft.free_name(f"overlap of {ids[0]}", draft.groups)
    draft.counts["overlaps"] += len(ids) - 1
    cost = merged.cost if of is None else of.merge(bearer, merged)
    for at in merged.positions:
        form = draft.forms[at][0]
        draft.note(at, merged=ids, cost_alone=form.cost, value_alone=form.value)
        draft.groups[at] = name
        form.text = merged.text if at == bearer else None
        form.cost = cost if at == bearer else 0
        form.value = merged.value if at == bearer else 0.0 if isinstance(form.value, float) else 0
        draft.bound[at] = at != bearer


def _span(draft: Draft, position: int) -> Span | None:
    """Return (source, start, end); spans of different sections or tiers are of different sources."""
    fields, place = draft.read[position], draft.places[position]
    source, first, last = fields.get("source"), fields.get("start"), fields.get("end")
    if source is None or first is None or last is None:
        return None
    start, end = _mark("start", first, place), _mark("end", last, place)
    if end < start:
        place.refuse("end", f"must not be before start, {start!r}; found {described(last)}", last)
    links = draft.links
    return (str(source), links.sections[position], links.tiers[position]), start, end


def _mark(field: str, found: Any, place: Place) -> int | float:
    number = real(found)
    if number is None:
        place.refuse_type(
            field, f'must be a number for overlap="merge", in any unit; found {described(found)}', found
        )
    if not _is_finite(number):
        place.refuse(field, f"must be finite, in the range of floats; found {described(found)}", found)
    return number


def _is_finite(number: int | float) -> bool:
    try:
        return isfinite(number)
    except OverflowError:
        return False


def _overlapping(spans: list[Span | None], pinned: bytes) -> list[int]:
    """The positions of optional spans that overlap another."""
    from haversack._ways import chains
    from haversack.values.overlap import Merged

    parts = [Merged(at, span, None, 0, False) for at, span in enumerate(spans) if span is not None]
    inside = [part.positions[0] for chain in chains(parts) for part in chain.spans]
    return sorted(at for at in inside if not pinned[at])


def _combining(draft: Draft, positions: list[int]) -> tuple[Callable[[list[Any]], Any], Worth]:
    """Return how the values of a merged span's members combine: at least one of them is needed.

    Ranked values are no probabilities; their shares of the whole are read as such. Equal ones are counted.
    Pins may be worth anything: where one is no probability, the values add up.
    """
    from haversack._joining import Worth
    from haversack._scoring import EQUAL, RANK
    from haversack.values.probabilities import at_least_one

    if draft.valued_by == EQUAL:
        return sum, Worth(is_sum=True)
    whole: Any = 1
    if draft.valued_by == RANK:
        optional = [forms[0].value or 0 for at, forms in enumerate(draft.forms) if not draft.pinned[at]]
        whole = max(1, sum(optional))
    else:
        _check_probabilities(draft, positions)

    def combine(worths: list[Any]) -> Any:
        if not any(worths) or not all(0 <= worth <= whole for worth in worths):
            return sum(worths)
        combined = at_least_one([worth / whole for worth in worths])
        return int(whole * combined) if draft.valued_by == RANK else combined

    return combine, Worth(whole, is_whole_number=draft.valued_by == RANK)


def _check_probabilities(draft: Draft, positions: list[int]) -> None:
    for at in positions:
        value = draft.forms[at][0].value
        if value is None or not 0 <= value <= 1:
            draft.places[at].refuse(
                "value",
                'must be a probability, from 0 to 1, for overlap="merge": the value of a merged span is the '
                f"probability that at least one of its parts is needed; found {described(value)}",
                value,
            )
