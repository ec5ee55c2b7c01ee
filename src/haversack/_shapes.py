"""One snippet of any shape -> a mapping of the fields we know: dicts, records, rows, objects, models."""

from __future__ import annotations

from haversack._fields import KNOWN, refuse_unknown
from haversack._numbers import Place, described
from haversack._snippet import Snippet
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from haversack._fields import Reading

    Fields = Mapping[str, Any]


def plain_fields(one: Any, place: Place, reading: Reading | None) -> Fields:
    """Return one snippet as a mapping of known fields; with `fields=`, unknown keys pass."""
    if isinstance(one, str):
        alone = {"text": one}
        return _mapped(alone, alone.get, one, reading, place)
    if isinstance(one, bytes | bytearray):
        place.refuse_type(None, f"is bytes: decode them; found {described(one)}", one)
    mapping = _mapping(one, place)
    if mapping is None:
        named = _named_attributes(one)
        if not named and not reading:
            place.refuse_type(
                None,
                "must be a mapping, a haversack.Snippet, a str, or an object with attributes such as cost "
                f"and value; found {described(one)}",
                one,
            )
        return _mapped(named, lambda key: getattr(one, key, None), one, reading, place)
    if mapping is one and reading is None and not KNOWN.issuperset(mapping):
        key = next(key for key in mapping if key not in KNOWN)
        refuse_unknown(key, mapping, Place(place.source, place.position, mapping.get("id")), mapping[key])
    return _mapped(mapping, mapping.get, one, reading, place)


def _mapping(one: Any, place: Place) -> Fields | None:
    if type(one) is dict:
        return one
    if isinstance(one, Snippet):
        return {name: getattr(one, name) for name in Snippet.__slots__}
    if hasattr(one, "keys") and hasattr(one, "__getitem__"):
        # A mapping that lacks .get (a database row) is read through a dict of its own items.
        return one if hasattr(one, "get") else {key: one[key] for key in list(one.keys())}
    dump = getattr(one, "model_dump", None)
    if callable(dump) and not isinstance(one, type):
        dumped = dump()
        if not isinstance(dumped, dict):
            place.refuse_type(None, f"has a model_dump() that gives no dict; found {described(dumped)}", one)
        return dumped
    return None


def _named_attributes(one: object) -> Fields:
    """Return the known attributes that hold data; a method of the same name is none."""
    named = {}
    for name in KNOWN:
        found = getattr(one, name, None)
        if found is not None and not callable(found):
            named[name] = found
    return named


def _mapped(
    plain: Fields, get: Callable[[str], Any], one: Any, reading: Reading | None, place: Place
) -> Fields:
    """Apply `fields=`: a mapped field is read from its key, or by its function, and from nowhere else."""
    if not reading:
        return plain
    mapped = {name: plain[name] for name in KNOWN if name in plain}
    for name, reader in reading.items():
        mapped[name] = get(reader) if isinstance(reader, str) else reader(one)
    if "cost" in reading or "tokens" in reading:
        mapped.pop("tokens" if "cost" in reading else "cost", None)
    if "score" in reading or "scores" in reading:
        mapped.pop("scores" if "score" in reading else "score", None)
    elif "value" in reading:
        # Where `fields=` says how a value is made, a score beside it has been answered for.
        mapped.pop("score", None)
        mapped.pop("scores", None)
    return mapped


def refuse_fields_nobody_has(reading: Reading, read: list[Fields], objects: list[Any]) -> None:
    """A misspelt key would silently make a field absent everywhere: say so."""
    for name, reader in reading.items():
        if not isinstance(reader, str) or not read or any(one.get(name) is not None for one in read):
            continue
        keys = sorted(str(key) for key in objects[0]) if hasattr(objects[0], "keys") else []
        shown = f"; the first snippet has: {', '.join(keys[:12])}" if keys else ""
        raise InputError(
            f"fields reads {name} from {reader!r}, but no snippet has that{shown}",
            path=f"fields[{name!r}]", field="fields", found=reader,
        )  # fmt: skip
