"""A calibrator as plain data: what it may hold, checked where it is read."""

from __future__ import annotations

from haversack.values._features import feature_names
from haversack.values._lists import number, refuse, shown, whole_of
from haversack.values._names import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    Ranges = tuple[tuple[float, float], ...]

FORMAT = "haversack calibrator"
VERSION = 1
_KEYS = ("format", "version", "scores", "intercept", "coefficients", "ranges", "trained_on")
#: Log-odds beyond this are certainty many times over, and sums of them could leave the range of floats.
_MOST = 1e300


def names_read(names: Any, what: str) -> tuple[str, ...]:
    """Return the names of the scores: one or more, each once."""
    read = tuple(names_of(names, what))
    if not read:
        refuse(what, "expected the names of the scores, found none", names)
    return read


def finite(value: Any, where: str) -> float:
    """Return a finite number; a missing one is an error."""
    read = number(value, where)
    if read is None:
        refuse(where, "expected a number, found none", value)
    return read


def range_of(pair: Any, where: str) -> tuple[float, float]:
    """Return the lowest and highest value of a feature in the examples."""
    if isinstance(pair, (str, bytes, dict, set)) or not hasattr(pair, "__len__") or len(pair) != 2:
        refuse(where, f"expected the lowest and the highest, found {shown(pair)}", pair)
    low, high = finite(pair[0], f"{where}[0]"), finite(pair[1], f"{where}[1]")
    if low > high:
        refuse(where, f"expected the lowest, then the highest, found {low:g} and {high:g}", pair)
    return low, high


def one_for_each(given: Any, features: Sequence[str], what: str) -> list[Any]:
    """Return a list with one entry for each feature."""
    if isinstance(given, (str, bytes, dict, set)) or not hasattr(given, "__iter__"):
        refuse(what, f"expected a list, found {shown(given)}", given, wrong_type=True)
    listed = list(given)
    if len(listed) != len(features):
        refuse(what, f"expected {len(features)} ({', '.join(features)}), found {len(listed)}", given)
    return listed


def refuse_beyond(intercept: float, coefficients: Sequence[float], ranges: Ranges, what: str) -> None:
    """Refuse coefficients whose terms could leave the range of floats within their *ranges*."""
    reach = [abs(intercept)]
    reach += [
        abs(factor) * max(abs(low), abs(high))
        for factor, (low, high) in zip(coefficients, ranges, strict=True)
    ]
    if max(reach) > _MOST:
        refuse(what, f"with these ranges they reach {max(reach):.3g}: no fit gives log-odds beyond {_MOST:g}")


def counts_of(trained_on: Any, what: str) -> dict[str, int]:
    """Return what a calibrator was fitted on: numbers of questions, snippets and needed ones."""
    if trained_on is None:
        return {}
    if not hasattr(trained_on, "items"):
        refuse(what, f"expected names with numbers, found {shown(trained_on)}", trained_on, wrong_type=True)
    return {str(name): whole_of(n, f"{what}.{name}", "a whole number") for name, n in trained_on.items()}


def to_record(
    names: Sequence[str],
    intercept: float,
    coefficients: Iterable[float],
    ranges: Iterable[tuple[float, float]],
    trained_on: Mapping[str, int],
) -> dict[str, Any]:
    """Return a calibrator as plain data, ready for JSON."""
    features = feature_names(names)
    return {
        "format": FORMAT,
        "version": VERSION,
        "scores": list(names),
        "intercept": intercept,
        "coefficients": dict(zip(features, coefficients, strict=True)),
        "ranges": {name: list(pair) for name, pair in zip(features, ranges, strict=True)},
        "trained_on": dict(trained_on),
    }


def from_record(
    record: Any,
) -> tuple[tuple[str, ...], float, list[float], list[tuple[float, float]], dict[str, int]]:
    """Return what `to_record` was given, each part checked and named where it is wrong."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        refuse("calibrator.format", f"expected {FORMAT!r}: this is no saved calibrator", record)
    version = record.get("version")
    if type(version) is not int or version != VERSION:
        is_newer = type(version) is int and version > VERSION
        hint = "; a newer haversack wrote it" if is_newer else ""
        refuse("calibrator.version", f"expected {VERSION}, found {version!r}{hint}", version)
    _refuse_unknown(record, _KEYS, "calibrator")
    names = names_read(record.get("scores"), "calibrator.scores")
    features = feature_names(names)
    factors = [
        finite(one, f"calibrator.coefficients.{name}")
        for name, one in _named(record, "coefficients", features)
    ]
    ranges = [
        range_of(pair, f"calibrator.ranges.{name}") for name, pair in _named(record, "ranges", features)
    ]
    if "intercept" not in record:
        refuse("calibrator.intercept", "expected a number, found nothing")
    intercept = finite(record["intercept"], "calibrator.intercept")
    refuse_beyond(intercept, factors, tuple(ranges), "calibrator.coefficients")
    return names, intercept, factors, ranges, counts_of(record.get("trained_on"), "calibrator.trained_on")


def _named(record: Mapping[str, Any], key: str, features: Sequence[str]) -> Iterable[tuple[str, Any]]:
    """Return (feature, what stands for it) for each of the *features*, and refuse others."""
    found = record.get(key)
    where = f"calibrator.{key}"
    if not isinstance(found, dict):
        refuse(where, f"expected an object with a key for each feature, found {shown(found)}", found)
    for name in features:
        if name not in found:
            refuse(f"{where}.{name}", "expected one for each feature, found nothing", found)
    _refuse_unknown(found, features, where)
    return [(name, found[name]) for name in features]


def _refuse_unknown(found: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for name in found:
        if name not in known:
            refuse(f"{where}.{name}", f"is unknown; there are {', '.join(known)}", found)
