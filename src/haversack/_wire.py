"""A packing as plain JSON types, and back."""

from __future__ import annotations

from haversack._bigint import Outcome
from haversack._coerce import Table
from haversack._model import tabled
from haversack._packing import Packing
from haversack._plain import plain, plain_snippet
from haversack._rendered import Rendered
from haversack._snippet import Snippet
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

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
        written[name] = getattr(packing, name)
    written["prefix_end"] = packing._prefix_end
    written["ranked"] = model.ranked
    written["effort"] = packing._effort
    if packing._rendered is not None:
        written["counter"] = packing._rendered.counter
        written["charged_capacity"] = packing._rendered.capacity
        written["used"] = packing._rendered.used
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
            "detail": decision.detail,
        }
        for decision in packing.decisions
    ]
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
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(
            f"this is no packing that to_dict() wrote (version {VERSION}): {type(error).__name__}: {error}",
            path="", found=data,
        ) from error  # fmt: skip


def _read(data: Mapping[str, Any], objects: list[Any] | None, texts: list[str | None] | None) -> Packing[Any]:
    if data["version"] != VERSION:
        raise ValueError(f"version {data['version']!r}")
    decisions = data["decisions"]
    mask = bytes(decision["chosen"] for decision in decisions)
    ids = [decision["id"] for decision in decisions]
    costs = [decision["cost"] for decision in decisions]
    values = [decision["value"] for decision in decisions]
    pinned = bytes(decision["pinned"] for decision in decisions)
    if objects is None:
        objects = data.get("snippets")
    if objects is None:
        objects = [
            Snippet(id=id, cost=cost, value=value, pinned=pin)
            for id, cost, value, pin in zip(ids, costs, values, map(bool, pinned), strict=True)
        ]
    chosen_texts = iter(texts if texts is not None else data.get("texts") or [None] * sum(mask))
    by_position = [next(chosen_texts) if chosen else None for chosen in mask]
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
    model = tabled(objects, Table(ids, costs, values, pinned, data["ranked"], by_position))
    prefix = (data.get("prefix_end", 0), data.get("prefix_tokens", 0))
    return Packing(
        model,
        outcome,
        data["budget"],
        data["reserve"],
        data["effort"],
        data["frame"],
        _rendered(data),
        prefix,
    )


def _rendered(data: Mapping[str, Any]) -> Rendered | None:
    if data["text"] is None:
        return None
    return Rendered(
        data["text"],
        data["text_tokens"],
        data["counter"],
        data["exact"],
        data["used"],
        data["charged_capacity"],
    )
