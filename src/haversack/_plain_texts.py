"""Snippets that are nothing but text, id and value, read without a step in Python for each.

Most lists are of this kind. What is not, `read` leaves to `_coerce`, which takes its time and explains.
"""

from __future__ import annotations

from math import isfinite

from haversack._ids import default_ids
from haversack._record import Record
from haversack._text import all_well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_KEYS = frozenset(("id", "text", "value", "pinned", "source", "meta"))
_WIDEST = 2**62


class PlainTexts(Record):
    """The columns of such a list; `titles` is None where not every block has one that is ready."""

    __slots__ = ("ids", "texts", "values", "pinned", "ranked", "titles", "fields")

    ids: list[str | int]
    texts: list[str]
    values: list[int | float]
    pinned: bytes
    ranked: bool
    titles: list[str] | None
    fields: list[Mapping[str, Any]]

    def __init__(
        self,
        ids: list[str | int],
        texts: list[str],
        values: list[int | float],
        pinned: bytes,
        ranked: bool,
        titles: list[str] | None,
        fields: list[Mapping[str, Any]],
    ) -> None:
        self._fill(ids, texts, values, pinned, ranked, titles, fields)


def read(objects: list[Any]) -> PlainTexts | None:
    """Read a list of plain strings, or of plain dicts with a text each; None where anything is unusual."""
    kinds = set(map(type, objects))
    if kinds == {str}:
        fields: list[Mapping[str, Any]] = [{"text": text} for text in objects]
        ids = default_ids([None] * len(objects))
        return PlainTexts(
            ids, all_well_formed(objects), _ranks(len(objects)), bytes(len(objects)), True, None, fields
        )
    keys = set().union(*objects) if kinds == {dict} else set()
    if "text" not in keys or not keys <= _KEYS:
        return None
    texts = [one.get("text") for one in objects]
    if set(map(type, texts)) != {str}:
        return None
    return _read_dicts(objects, all_well_formed(texts), keys)


def _read_dicts(objects: list[dict[str, Any]], texts: list[str], keys: set[str]) -> PlainTexts | None:
    size = len(objects)
    ids: list[Any] = default_ids([None] * size) if "id" not in keys else [one.get("id") for one in objects]
    titles = None
    if "id" in keys:
        if set(map(type, ids)) != {str} or len(set(ids)) < size or not all(ids):
            return None
        titles = ids
    if "source" in keys:
        sources = [one.get("source") for one in objects]
        titles = sources if set(map(type, sources)) == {str} and all(sources) else None
    pinned = bytes(size)
    if "pinned" in keys:
        pins = [one.get("pinned") for one in objects]
        if not set(map(type, pins)) <= {bool, type(None)}:
            return None
        pinned = bytes(map(bool, pins))
    if "value" not in keys:
        return None if any(pinned) else _plain(ids, texts, _ranks(size), pinned, True, titles, objects)
    values: list[Any] = [one.get("value") for one in objects]
    kinds = set(map(type, values))
    is_plain = (kinds == {float} and all(map(isfinite, values))) or (
        kinds == {int} and min(values) > -_WIDEST and max(values) < _WIDEST
    )
    return _plain(ids, texts, values, pinned, False, titles, objects) if is_plain else None


def _plain(*columns: Any) -> PlainTexts:
    return PlainTexts(*columns)


def _ranks(size: int) -> list[int | float]:
    from haversack._scoring import ranked_value

    best: list[int | float] = [ranked_value(rank) for rank in range(min(size, 80))]
    return best + [1] * (size - 80)
