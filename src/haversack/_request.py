"""`pack_request`: a request in the wire format, checked and packed."""

from __future__ import annotations

from haversack._packed import packed
from haversack._packer import Packer
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from haversack._packing import Packing

VERSION = 1

# A request may name these settings; they are data, never callables or paths.
_SETTINGS = (
    "reserve", "sections", "counter", "render", "order", "values", "duplicates", "near_copies", "overlap",
    "pinned", "fields", "previous", "keep", "over_budget", "effort",
)  # fmt: skip
_REQUEST = ("version", "budget", "snippets", *_SETTINGS)


def pack_request(request: Mapping[str, Any] | str | bytes) -> Packing[Any]:
    """Pack a request in the wire format: a dict, or its JSON as str or bytes.

    `{"version": 1, "budget": ..., "reserve": ..., "sections": {name: {"cap", "parent", "floor"}},
    "snippets": [...]}`, with `over_budget`, `effort`, `counter`, `render`, `order`, `pinned` (ids),
    `fields` (names only), `duplicates`, `near_copies`, `overlap`, `previous`, `keep` and `values` (a word, or
    what `Calibrator.to_dict` gave) as in `pack`. NaN and Infinity tokens and repeated keys are refused.
    Errors carry the path, as in `snippets[3].cost`.

    >>> pack_request('{"budget": 10, "snippets": [{"id": "a", "cost": 6, "value": 7}]}')
    <Packing 1 of 1 snippet, 6 of 10 tokens, value 7, optimal>
    """
    from haversack._json import loads
    from haversack._numbers import described

    data = loads(request) if isinstance(request, str | bytes | bytearray) else request
    if not hasattr(data, "keys"):
        raise InputTypeError(
            'a request must be a JSON object such as {"budget": 1000, "snippets": [...]}; '
            f"found {described(data)}",
            path="", found=data,
        )  # fmt: skip
    return pack_data(dict(data))


def pack_data(request: dict[str, Any], **code: Any) -> Packing[Any]:
    """Pack a request; `code` are settings that a request cannot name, such as a renderer of one's own."""
    _check_request(request)
    settings = {name: request[name] for name in _SETTINGS if request.get(name) is not None}
    _refuse_code(settings)
    if hasattr(settings.get("values"), "keys"):
        from haversack.values import Calibrator

        settings["values"] = Calibrator.from_dict(dict(settings["values"]))
    return packed(Packer(**{**settings, **code}), request["snippets"], request["budget"], depth=3)


def _check_request(request: dict[str, Any]) -> None:
    from haversack._fields import nearest
    from haversack._numbers import described

    for key in request:
        if key not in _REQUEST:
            likely = nearest(str(key), _REQUEST)
            hint = f"; did you mean {likely!r}?" if likely else f"; the words are {', '.join(_REQUEST)}"
            raise InputError(
                f"a request has no {key!r}{hint}", path=str(key), field=str(key), found=request[key]
            )
    version = request.get("version")
    if version is not None and (type(version) is not int or version != VERSION):
        raise InputError(
            f"version must be {VERSION}, the only one this haversack reads; found {described(version)}",
            path="version", field="version", found=version,
        )  # fmt: skip
    for name in ("budget", "snippets"):
        if request.get(name) is None:
            raise InputError(f"{name} is missing from the request", path=name, field=name)
    if not isinstance(request["snippets"], list | tuple):
        found = request["snippets"]
        raise InputTypeError(
            f"snippets must be a list of snippets; found {described(found)}",
            path="snippets", field="snippets", found=found,
        )  # fmt: skip


def _refuse_code(settings: dict[str, Any]) -> None:
    """A request is data: refuse a function in it, and the path of a file."""
    fields: Any = settings.get("fields")
    readers = list(fields.values()) if hasattr(fields, "values") else []
    named = [(name, settings.get(name)) for name in ("pinned", "order", "counter", "render", "values")]
    for name, found in (*named, *(("fields", reader) for reader in readers)):
        if callable(found) or (name in ("counter", "render") and not isinstance(found, str | type(None))):
            raise InputTypeError(
                f"{name} must be data in a request, not a function; pass functions to pack()",
                path=name, field=name, found=found,
            )  # fmt: skip
    if str(settings.get("counter", "")).startswith("hf:"):
        raise InputError(
            "counter must be a name in a request, not the path of a file; pass that to pack()",
            path="counter", field="counter", found=settings["counter"],
        )  # fmt: skip
