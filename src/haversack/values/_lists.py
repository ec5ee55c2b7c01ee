"""Read lists and arrays of numbers; refuse what is no number with an error that names the place."""

from __future__ import annotations

import math
import operator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, NoReturn

#: Beyond this, differences between the scores of one list are rounding noise, not information.
NOISE = 1e-12

_INFINITE = "infinity cannot be compared with other scores; use None for a missing score"


def refuse(path: str, problem: str, found: object = None, *, wrong_type: bool = False) -> NoReturn:
    """Raise the error of a wrong input: where it is (*path*), what is wrong, what was *found*."""
    from haversack.exceptions import InputError, InputTypeError

    error = InputTypeError if wrong_type else InputError
    field = path.rpartition(": ")[2].partition("[")[0]
    raise error(f"{path}: {problem}", path=path, field=field, found=found)


def as_list(values: Iterable[Any], what: str, kind: str = "numbers") -> list[Any]:
    """Return *values* as a list; arrays become plain numbers, iterators are consumed once."""
    listable = hasattr(values, "__iter__") or hasattr(values, "tolist")
    if isinstance(values, (str, bytes, bytearray, dict)) or not listable:
        refuse(what, f"expected a list or array of {kind}, found {shown(values)}", values, wrong_type=True)
    if isinstance(values, (set, frozenset)):
        refuse(what, f"expected a list, found {shown(values)}, which has no order", values, wrong_type=True)
    tolist = getattr(values, "tolist", None)
    plain = tolist() if callable(tolist) else values
    if not hasattr(plain, "__iter__"):
        refuse(what, f"expected a list or array, found a single {shown(plain)}", plain, wrong_type=True)
    return list(plain)


def texts_of(texts: Iterable[Any]) -> list[str | None]:
    """Return texts as a list of str, None where there is none."""
    read = as_list(texts, "texts", "texts")
    for i, text in enumerate(read):
        if text is not None and not isinstance(text, str):
            refuse(f"texts[{i}]", f"expected a text or None, found {shown(text)}", text, wrong_type=True)
    return read


def label(value: Any, where: str) -> Any:
    """Return what labels are compared by, or refuse what cannot be one."""
    try:
        hash(value)
    except TypeError:
        refuse(where, f"expected a name, found {shown(value)}", value, wrong_type=True)
    return value


def number(value: Any, where: str, infinite: str = "") -> float | None:
    """Return *value* as a finite float, or None where it is missing (None or NaN).

    *infinite* is what is said of infinity where something better can be said than that it is not finite.
    """
    if type(value) is float and value - value == 0.0:
        return value
    if value is None:
        return None
    if isinstance(value, (bool, str, bytes)) or type(value).__name__ in ("bool", "bool_"):
        refuse(where, f"expected a number, found {shown(value)}", value, wrong_type=True)
    try:
        as_float = float(value)
    except (TypeError, ValueError):
        refuse(where, f"expected a number, found {shown(value)}", value, wrong_type=True)
    except OverflowError:
        refuse(where, f"{shown(value)} is beyond the range of floats", value)
    if math.isinf(as_float):
        refuse(where, infinite or f"expected a finite number, found {as_float}", value)
    return None if math.isnan(as_float) else as_float


def check_numbers(values: Iterable[Any], what: str) -> None:
    """Refuse what is no number at all; integers of any size are."""
    for i, value in enumerate(values):
        if isinstance(value, bool) or not (isinstance(value, int) or hasattr(value, "__float__")):
            refuse(f"{what}[{i}]", f"expected a number, found {shown(value)}", value, wrong_type=True)


def numbers(values: Iterable[Any], what: str, infinite: str = "") -> list[float | None]:
    """Return *values* as finite floats, None where missing."""
    return [number(value, f"{what}[{i}]", infinite) for i, value in enumerate(as_list(values, what))]


def whole_of(value: Any, what: str, expected: str, least: int | None = 0) -> int:
    """Return a whole number, of at least *least* if that is given; *expected* says in words what it is."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        refuse(what, f"expected {expected}, found {shown(value)}", value, wrong_type=True)
    try:
        read = operator.index(value)
    except TypeError:  # an array of several numbers
        refuse(what, f"expected {expected}, found {shown(value)}", value, wrong_type=True)
    if least is not None and read < least:
        refuse(what, f"expected {expected}, {least} or more, found {read}", value)
    return read


def costs_of(costs: Iterable[Any]) -> list[int]:
    """Return *costs* as integers >= 0."""
    listed = as_list(costs, "costs")
    if set(map(type, listed)) <= {int} and min(listed, default=0) >= 0:
        return listed
    tokens = "a whole number of tokens"
    read = [whole_of(cost, f"costs[{i}]", tokens, None) for i, cost in enumerate(listed)]
    for i, cost in enumerate(read):
        if cost < 0:
            refuse(f"costs[{i}]", f"expected tokens >= 0, found {cost}", listed[i])
    return read


def columns_of(scores: Any, count: int) -> dict[str, list[float | None]]:
    """Return one or several score lists as name -> list, each *count* long.

    A mapping keeps its names. A list of lists is named by position ("0", "1", ...), a single list is "0".
    """
    if is_named(scores):
        from haversack.values._names import refuse_alike

        refuse_alike([str(name) for name in scores], "scores")
        named = {str(name): (f"scores[{name!r}]", column) for name, column in scores.items()}
    else:
        outer = as_list(scores, "scores")
        several = bool(outer) and all(_is_list(column) for column in outer)
        named = {str(k): (f"scores[{k}]", column) for k, column in enumerate(outer)} if several else {}
        named = named or {"0": ("scores", outer)}
    if not named:
        refuse("scores", "expected at least one list of scores, found an empty mapping")
    columns = {name: numbers(column, what, _INFINITE) for name, (what, column) in named.items()}
    for name, column in columns.items():
        if len(column) != count:
            refuse(named[name][0], f"expected one score for each of the {count} costs, found {len(column)}")
    return columns


def columns_if_any(scores: Any, count: int) -> dict[str, list[float | None]]:
    """Return the score lists by name as `columns_of` does; an empty mapping is allowed."""
    is_none = hasattr(scores, "__len__") and len(scores) == 0 and (is_named(scores) or count == 0)
    return {} if is_none else columns_of(scores, count)


def is_named(scores: Any) -> bool:
    """Tell a mapping, or a frame, from name to list from lists without names; a series is one of these."""
    return hasattr(scores, "items") and not hasattr(scores, "tolist")


def gather(each: Iterable[Any]) -> dict[str, list[Any]]:
    """Turn the scores of each snippet, a number, a mapping from name to number, or None, into name -> list.

    A plain number is named "score". Names are sorted, so that the order of the snippets does not matter.

    >>> gather([{"dense": 0.6, "bm25": 4}, {"dense": 0.3}, None])
    {'bm25': [4, None, None], 'dense': [0.6, 0.3, None]}
    """
    rows = list(each)
    if set(map(type, rows)) == {float}:
        return {"score": rows}
    rows = [row if hasattr(row, "items") else {} if row is None else {"score": row} for row in rows]
    names = sorted({str(name) for row in rows for name in row})
    named = [{str(name): score for name, score in row.items()} for row in rows]
    return {name: [row.get(name) for row in named] for name in names}


def weights_of(weights: Mapping[str, Any] | Sequence[Any] | None, names: Sequence[str]) -> dict[str, float]:
    """Return a weight for each of *names*: 1 unless given."""
    if weights is None:
        return dict.fromkeys(names, 1.0)
    if hasattr(weights, "items"):
        given = {str(name): weight for name, weight in weights.items()}
        unknown = sorted(set(given) - set(names))
        if unknown:
            refuse("weights", f"no scores are named {unknown[0]!r}; there are {', '.join(names)}")
    else:
        listed = as_list(weights, "weights")
        if len(listed) != len(names):
            refuse("weights", f"expected one for each of {len(names)} score lists, found {len(listed)}")
        given = dict(zip(names, listed, strict=True))
    read = {name: number(given.get(name, 1.0), f"weights[{name!r}]") for name in names}
    missing = [name for name, weight in read.items() if weight is None]
    if missing:
        refuse(f"weights[{missing[0]!r}]", "expected a number, found none")
    return {name: weight or 0.0 for name, weight in read.items()}


def places_of(sections: Iterable[Any] | None, count: int) -> list[list[int]]:
    """Return the positions of each section, in order of first appearance; one section if None."""
    if sections is None:
        return [list(range(count))] if count else []
    labels = as_list(sections, "sections", "names")
    if len(labels) != count:
        refuse("sections", f"expected one for each of the {count} snippets, found {len(labels)}")
    places: dict[Any, list[int]] = {}
    for i, name in enumerate(labels):
        places.setdefault(label(name, f"sections[{i}]"), []).append(i)
    return list(places.values())


def _is_list(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, dict))


def shown(value: Any) -> str:
    """Return an object as an error shows it: its type, and the beginning of what it is."""
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"
