"""overlap="merge": spans of one source that overlap become one snippet, paid once."""

from __future__ import annotations

from haversack._numbers import described, real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from haversack._copies import Draft
    from haversack._numbers import Place
    from haversack.values.overlap import Merged

    Span = tuple[Any, Any, Any]


def merge_spans(draft: Draft, capacity: int) -> None:
    """Merge what overlaps and fits what the pins leave; each member knows with whom, and what it was."""
    from haversack.values.overlap import merge_overlaps

    size = range(len(draft.forms))
    spans = [None if draft.bound[at] else _span(draft, at) for at in size]
    combine = _combining(draft, [at for at in size if spans[at] is not None and not draft.pinned[at]])
    columns: Any = (
        [min(form.cost or 0 for form in forms) for forms in draft.forms],
        [forms[0].value for forms in draft.forms],
    )
    texts, pins = [draft.text(at) for at in size], list(draft.pinned)
    # The pins merge first: what they overlap they no longer take from the room.
    alone = merge_overlaps(
        [span if pin else None for span, pin in zip(spans, pins, strict=True)],
        *columns, texts=texts, pinned=pins, combine=combine,
    )  # fmt: skip
    room = max(0, capacity - sum(merged.cost for merged in alone if merged.pinned))
    draft.counts["overlaps"] = 0
    for merged in merge_overlaps(spans, *columns, texts=texts, pinned=pins, limit=room, combine=combine):
        if len(merged.positions) > 1:
            _bind(draft, merged)


def _bind(draft: Draft, merged: Merged) -> None:
    """Let the first of a merged span bear its text, cost and value; the others come with it for nothing."""
    first = merged.positions[0]
    ids = [draft.ids[at] for at in merged.positions]
    name = draft.free_name(f"overlap of {ids[0]}", draft.groups)
    draft.counts["overlaps"] += len(ids) - 1
    for at in merged.positions:
        form = draft.forms[at][0]
        draft.note(at, merged=ids, cost_alone=form.cost, value_alone=form.value)
        draft.groups[at] = name
        form.text = merged.text if at == first else None
        form.cost = merged.cost if at == first else 0
        form.value = merged.value if at == first else 0.0 if isinstance(form.value, float) else 0
        draft.bound[at] = at != first


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
    if number - number != 0:
        place.refuse(field, f"must be finite; found {described(found)}", found)
    return number


def _combining(draft: Draft, positions: list[int]) -> Callable[[list[Any]], Any]:
    """Return how the values of a merged span's members combine: at least one of them is needed.

    Ranked values are no probabilities; their shares of the whole are read as such. Equal ones are counted.
    Pins may be worth anything: where one is no probability, the values add up.
    """
    from haversack._scoring import EQUAL, RANK
    from haversack.values.probabilities import at_least_one

    if draft.valued_by == EQUAL:
        return sum
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

    return combine


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
