"""Refuse what cannot be compared: values beside scores, snippets or forms without either, clashing names."""

from __future__ import annotations

from haversack._numbers import described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from haversack._forms import Form
    from haversack._scoring import Offer
    from haversack.values._names import Clash

_MAKE = (
    "make the values first, haversack.values.from_scores(scores, costs), give every optional snippet its "
    "value and each form its part of it, and leave the scores out"
)
# What makes values of its own, and the way out where there are several forms.
_ONE_VALUE = {
    "scores": ("scores give", _MAKE),
    "calibrator": (
        "a Calibrator gives",
        "give each form its own probability as its value, such as part of calibrator.predict(scores, costs)",
    ),
    "rank": ("the order gives", "give every optional snippet a value, and each form its own"),
    "equal": ('values="equal" gives', "give every optional snippet a value, and each form its own"),
    "function": (
        "a function gives",
        "call it first, and give every optional snippet, and each form, its value",
    ),
}


def refuse_form(offer: Offer, position: int, form: Form, source: str) -> NoReturn:
    """Refuse a form without a value beside others, where the values come from *source*."""
    forms = offer.forms[position]
    snippet = offer.places[position].path()
    told = f"is missing: each form needs a value of its own, and {form.name!r} of {snippet} has none"
    if source in _ONE_VALUE and all(each.value is None for each in forms):
        gives, way_out = _ONE_VALUE[source]
        told += f"; {gives} a snippet one value, and this one has {len(forms)} forms: {way_out}"
    form.place.refuse("value", told, None)


def refuse_clash(offer: Offer, first: int, second: int, found: Clash) -> NoReturn:
    """Refuse names of scores that cannot be meant."""
    other = offer.places[first].path()
    message = f"{found.problem}, as in {other}: {found.way_out}"
    offer.places[second].refuse("scores", message, offer.scores[second])


def refuse_given(offer: Offer, optional: list[int], what: str) -> None:
    """Values given as values are never touched: refuse a setting that would replace them."""
    for position in optional:
        value = offer.given(position)
        if value is not None:
            offer.places[position].refuse(
                "value",
                f"is given, and given values are never replaced, as {what} would do: leave `values=` out, or "
                f'say that there are none: fields={{"value": lambda one: None}}; found {described(value)}',
                value,
            )


def refuse_mixed(offer: Offer, optional: list[int], scored: list[int]) -> None:
    with_value = next(position for position in optional if offer.given(position) is not None)
    place, found = offer.places[scored[0]], offer.scores[scored[0]]
    if scored[0] == with_value:
        told = "are given beside a value"
    else:
        other = offer.places[with_value]
        told = f"are given, while {other.path()} (id {other.id!r}) has a value"
    way_out = "give all optional snippets one of them, or make both probabilities with values=Calibrator"
    if any(len(offer.forms[position]) > 1 for position in optional):
        way_out = f"where there are variants, {_MAKE}"
    place.refuse("scores", f"{told}: scores are not values, and the two do not add up; {way_out}", found)


def refuse_some_without(offer: Offer, optional: list[int], absent: list[int], field: str) -> None:
    """Refuse a list where some optional snippets have a value, or scores, and some have none."""
    without = set(absent)
    having = [position for position in optional if position not in without]
    others = (
        f", while {offer.places[having[0]].path()} (id {offer.places[having[0]].id!r}) has {_ONE[field]}"
        if having
        else ", which a Calibrator makes values of"
    )
    verb = "is" if field == "value" else "are"
    way_out = (
        "give all of them a value, or none (best first)" if field == "value" else "give all of them scores"
    )
    offer.places[absent[0]].refuse(
        field,
        f"{verb} missing{others}; {len(absent)} of {len(optional)} optional snippets have none: {way_out}",
        None,
    )


_ONE = {"value": "one", "scores": "some"}
