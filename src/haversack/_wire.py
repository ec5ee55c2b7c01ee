"""A packing as plain JSON types, and back."""

from __future__ import annotations

from haversack._bigint import Outcome
from haversack._coerce import Table
from haversack._copies import read_copies, write_copies
from haversack._forms import FULL, Form
from haversack._ids import default_ids, id_of
from haversack._model import tabled
from haversack._numbers import Place, cost_of, described, flag_of, value_of, whole
from haversack._packing import Packing
from haversack._plain import plain, plain_snippet
from haversack._record import copied
from haversack._rendered import Rendered
from haversack._scoring import SOURCES
from haversack._settings import checked_effort
from haversack._snippet import Snippet
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from haversack._model import AnyOutcome, Model

VERSION = 1
"""The version of the wire format: of packings and of requests."""

_NUMBERS = (
    "value", "cost", "budget", "reserve", "frame", "capacity", "room", "remaining", "over_budget", "bound",
    "gap", "optimal", "values_by_tier", "sections", "text", "messages", "text_tokens", "exact",
    "prefix_tokens", "statistics",
)  # fmt: skip


def to_dict(packing: Packing[Any], inputs: bool) -> dict[str, Any]:
    """Write a packing as plain JSON types."""
    model = packing._model
    written: dict[str, Any] = {"version": VERSION}
    for name in _NUMBERS:
        found = getattr(packing, name)
        written[name] = list(found) if isinstance(found, tuple) else found
    written["statistics"] = plain(written["statistics"])
    written["prefix_end"] = packing._prefix[0]
    if packing.values_by_tier is not None:
        written["values_by_tier"] = {str(tier): value for tier, value in packing.values_by_tier.items()}
    written["valued_by"] = model.valued_by
    if model.copies is not None and (model.copies.notes or model.copies.counts.keys() != {"duplicates"}):
        written["copies"] = write_copies(model.copies)
    written["effort"] = packing._effort
    if packing._rendered is not None:
        known = packing._rendered
        written["recount"] = {"counter": known.counter, "used": known.used, "capacity": known.capacity}
    ids = [plain(id) for id in model.ids]
    mask = packing._outcome.mask
    written["selected"] = [id for id, chosen in zip(ids, mask, strict=True) if chosen]
    written["dropped"] = [id for id, chosen in zip(ids, mask, strict=True) if not chosen]
    written["decisions"] = [
        {
            "position": decision.position,
            "id": plain(decision.id),
            "chosen": decision.chosen,
            "reason": decision.reason,
            "form": decision.form,
            "cost": decision.cost,
            "value": decision.value,
            "pinned": decision.reason == "pinned",
            "detail": plain(decision.detail),
        }
        for decision in packing.decisions
    ]
    if model.structure is not None:
        from haversack._wire_structure import write_structure

        written["structure"] = write_structure(model, packing._structured)
    if inputs:
        written["texts"] = packing.texts
        written["snippets"] = [plain_snippet(one) for one in model.objects]
    return written


def from_dict(
    data: Mapping[str, Any], objects: list[Any] | None = None, texts: list[str | None] | None = None
) -> Packing[Any]:
    """Read what `to_dict` wrote."""
    try:
        return _read(data, objects, texts)
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise InputError(
            f"this is no packing that to_dict() wrote (version {VERSION}): {type(error).__name__}: {error}",
            path="", found=data,
        ) from error  # fmt: skip


def _read(data: Mapping[str, Any], objects: list[Any] | None, texts: list[str | None] | None) -> Packing[Any]:
    if data["version"] != VERSION:
        raise ValueError(f"version {data['version']!r}")
    # What is read into the packing is its own from now on.
    data = {**data, **{name: copied(data.get(name)) for name in ("statistics", "structure", "copies")}}
    _check_numbers(data)
    for name in ("snippets", "texts"):
        if not isinstance(data.get(name), list | None):
            raise TypeError(f"{name} must be a list; found {described(data[name])}")
    decisions = data["decisions"]
    mask, pinned, ids, costs, values = _decided(decisions)
    if data.get("structure") is not None:
        from haversack._wire_structure import read_structure

        texts = texts if texts is not None else data.get("texts")
        objects = objects if objects is not None else data.get("snippets")
        read = read_structure(data, ids, mask, objects, texts)
        return _packing(*read, data)
    if objects is None:
        objects = data.get("snippets")
    if objects is None:
        objects = [
            Snippet(id=id, cost=cost, value=value, pinned=pin)
            for id, cost, value, pin in zip(ids, costs, values, map(bool, pinned), strict=True)
        ]
    if texts is None:
        texts = data.get("texts") or [None] * sum(mask)
    if len(objects) != len(mask) or len(texts) != sum(mask):
        raise ValueError(
            f"{len(mask)} decisions, {sum(mask)} of them chosen, "
            f"but {len(objects)} snippets and {len(texts)} texts"
        )
    chosen_texts = iter(texts)
    by_position = [next(chosen_texts) if chosen else None for chosen in mask]
    forms = [
        [Form(FULL, text, cost, value, Place("snippets", position, id))]
        for position, (id, text, cost, value) in enumerate(zip(ids, by_position, costs, values, strict=True))
    ]
    statistics = dict(data["statistics"])
    outcome = Outcome(
        mask,
        value=data["value"],
        cost=data["cost"],
        pinned_cost=sum(cost for cost, pin in zip(costs, pinned, strict=True) if pin),
        bound=data["bound"],
        optimal=data["optimal"],
        fewest_tokens=bool(statistics.pop("fewest_tokens")),
        statistics=statistics,
    )
    copies = read_copies(data.get("copies"), data["statistics"])
    model = tabled(objects, Table(ids, forms, pinned, data["valued_by"], None, copies))
    return _packing(model, outcome, data)


def _packing(model: Model, outcome: AnyOutcome, data: Mapping[str, Any]) -> Packing[Any]:
    if isinstance(outcome.bound, int | float) and outcome.optimal != (outcome.bound == outcome.value):
        raise ValueError(f"optimal is {outcome.optimal}, but value {outcome.value}, bound {outcome.bound}")
    effort = data["effort"] if data["effort"] == -1 else checked_effort(data["effort"])
    numbers = (data["budget"], data["reserve"], effort, data["frame"])
    top = Place("packing")
    prefix = [cost_of(data.get(name, 0), top, name) for name in ("prefix_end", "prefix_tokens")]
    return Packing(model, outcome, *numbers, _rendered(data), (prefix[0], prefix[1]))


def _rendered(data: Mapping[str, Any]) -> Rendered | None:
    if data["text"] is None:
        return None
    recount, statistics, top = data["recount"], data["statistics"], Place("packing")
    counter, text = recount["counter"], data["text"]
    if not isinstance(text, str) or not isinstance(counter, str):
        raise TypeError(f"text and counter must be str; found {described(text)} and {described(counter)}")
    capacity, joins = whole(recount["capacity"]), whole(statistics["joins"])
    if capacity is None or joins is None:
        raise TypeError("capacity and joins must be whole numbers")
    tokens = cost_of(data["text_tokens"], top, "text_tokens")
    used, rounds = cost_of(recount["used"], top, "used"), cost_of(statistics["rounds"], top, "rounds")
    exact = flag_of(data["exact"], top, "exact")
    return Rendered(text, tokens, counter, exact, used, capacity, rounds, joins)


def _decided(decisions: Any) -> tuple[bytes, bytes, list[str | int], list[int], list[int | float]]:
    """Return mask, pins, ids, costs and values of the decisions, checked as those of a request are."""
    places = [Place("decisions", position) for position in range(len(decisions))]
    both = list(zip(decisions, places, strict=True))
    mask = bytes(flag_of(decision["chosen"], place, "chosen") for decision, place in both)
    given = [id_of(decision["id"], place) for decision, place in both]
    if None in given:
        raise ValueError(f"decisions[{given.index(None)}] has no id")
    ids = default_ids(given)
    costs = [cost_of(decision["cost"], place) for decision, place in both]
    values = [value_of(decision["value"], place) for decision, place in both]
    pinned = bytes(flag_of(decision["pinned"], place) for decision, place in both)
    return mask, pinned, ids, costs, values


def _check_numbers(data: Mapping[str, Any]) -> None:
    """Check the numbers of the whole; those of the snippets are `_decided`'s."""
    top = Place("packing")
    for name in ("budget", "reserve", "frame", "cost"):
        cost_of(data[name], top, name)
    value_of(data["value"], top, "value")
    # With tiers there is a bound for each; how many tiers there are, the structure knows.
    bound = data["bound"]
    for one in bound if isinstance(bound, list) and data.get("structure") is not None else [bound]:
        value_of(one, top, "bound")
    flag_of(data["optimal"], top, "optimal")
    if data["valued_by"] not in SOURCES:
        known, found = ", ".join(SOURCES), described(data["valued_by"])
        raise ValueError(f"valued_by must be one of {known}; found {found}")
    if not isinstance(data["effort"], int | None):
        raise TypeError(f"effort must be None or a number of states; found {described(data['effort'])}")
