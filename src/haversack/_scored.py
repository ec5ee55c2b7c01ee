"""Plain dicts with scores, read natively: thousands of them in a few milliseconds."""

from __future__ import annotations

from haversack import _core
from haversack._ids import default_ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Read = tuple[_core.Columns, list[str | int]] | tuple[None, None]


def scored_columns(objects: list[Any]) -> Read:
    """Return columns with values made of the scores, and the ids; (None, None) where anything needs care.

    The dicts are copied without their scores and with a value in their place, so that the native reader
    checks all the rest. What is left to check are the scores: finite numbers, or mappings of names to such.
    """
    if not objects or type(objects[0]) is not dict or not objects[0].keys() & _FIELDS:
        return None, None
    rows, scores = [], []
    for one in objects:
        if type(one) is not dict or "value" in one:
            return None, None
        row = one.copy()
        found = row.pop("scores", None)
        single = row.pop("score", None)
        if (found is None) == (single is None):
            return None, None
        score = found if single is None else single
        if not _is_plain(score) or (single is not None and type(score) is dict):
            return None, None
        row["value"] = 0
        rows.append(row)
        scores.append(score)
    columns = _core.Columns.read(rows)
    if columns is None or any(columns.pinned):
        return None, None
    from haversack.values._lists import gather
    from haversack.values._names import alike
    from haversack.values.scores import from_scores

    lists = gather(scores)
    if not lists or alike(lists) or _are_mixed(scores):
        return None, None
    values = from_scores(lists, columns.costs.tolist())
    given = columns.ids
    ids = default_ids([None] * len(rows) if given is None else given)
    return _core.Columns.of(columns.costs, values), ids


_FIELDS = {"score", "scores"}


def _are_mixed(scores: list[Any]) -> bool:
    """Tell bare numbers beside named scores, which are refused with more words."""
    kinds = set(map(type, scores))
    return dict in kinds and len(kinds) > 1


def _is_plain(score: Any) -> bool:
    if type(score) is dict:
        return all(type(name) is str and _is_number(one) for name, one in score.items())
    return _is_number(score)


def _is_number(found: Any) -> bool:
    # NaN is in no interval, and neither is what no float holds.
    return (type(found) is float or type(found) is int) and -1e300 < found < 1e300
