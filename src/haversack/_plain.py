"""Anything as plain JSON types: numbers of NumPy, records, dates, objects nobody knows."""

from __future__ import annotations

from haversack._fields import KNOWN
from haversack._numbers import real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def plain(found: object) -> Any:
    """Return an object as None, bool, int, float, str, list or dict; what is none of these as its str.

    >>> plain({"at": (1, 2.5), 3: {4}})
    {'at': [1, 2.5], '3': [4]}
    """
    if found is None or type(found) in (bool, int, str):
        return found
    if isinstance(found, str):
        return str(found)
    number = real(found)
    if number is not None:
        # NaN and infinity are no JSON.
        return number if number - number == 0 else str(number)
    if hasattr(found, "keys") and hasattr(found, "__getitem__"):
        return {str(key): plain(found[key]) for key in found.keys()}  # noqa: SIM118
    if isinstance(found, list | tuple | set | frozenset):
        return [plain(one) for one in found]
    if hasattr(found, "tolist"):
        return plain(found.tolist())
    return str(found)


def plain_snippet(one: object) -> dict[str, Any]:
    """Return one of the caller's snippets as a plain dict; of an object, its known attributes."""
    if isinstance(one, str):
        one = {"text": one}
    dump = getattr(one, "model_dump", None)
    if callable(dump):
        one = dump()
    if not hasattr(one, "keys"):
        held = {name: getattr(one, name, None) for name in sorted(KNOWN)}
        one = {name: value for name, value in held.items() if value is not None and not callable(value)}
    made: dict[str, Any] = plain(one)
    return made
