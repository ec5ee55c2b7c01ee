"""The fields `score` and `scores` and the setting `values=`: what they may hold, checked."""

from __future__ import annotations

from math import isinf

from haversack._numbers import Place, described, real
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal, TypeAlias

    from haversack.values import Calibrator

    Scores = float | dict[str, float | None] | None
    Function: TypeAlias = Callable[[list[Any], list[int]], Iterable[int | float]]
    Values: TypeAlias = Literal["auto", "rank", "equal"] | Calibrator | Function | None

CHOICES = ("auto", "rank", "equal")


def scores_of(one: Mapping[str, Any], place: Place) -> Scores:
    """Return the scores of a snippet, checked: a float, or name -> float, None where one is missing (NaN)."""
    found, single = one.get("scores"), one.get("score")
    if single is not None:
        if found is not None:
            message = f"is given beside scores, and they are one thing: drop one; found {described(single)}"
            place.refuse("score", message, single)
        read = _score(single, place, "score")
        return {"score": None} if read is None else read
    if found is None:
        return None
    if not hasattr(found, "items"):
        read = _score(found, place, "scores")
        return {"score": None} if read is None else read
    scores = {str(name): _score(score, place, f"scores[{str(name)!r}]") for name, score in found.items()}
    if len(scores) < len(found):
        names = [str(name) for name in found]
        twice = next(name for name in names if names.count(name) > 1)
        place.refuse("scores", f"has the name {twice!r} twice, as text and as another type: drop one", found)
    return scores


def _score(found: Any, place: Place, field: str) -> float | None:
    if found is None:
        return None
    number = found if type(found) is float else real(found)
    if number is None:
        wanted = (
            "must be a number, or a mapping of names to numbers" if field == "scores" else "must be a number"
        )
        place.refuse_type(field, f"{wanted}; found {described(found)}", found)
    try:
        score = float(number)
    except OverflowError:
        score = float("inf")
    if isinf(score):
        message = "must be finite, or None where it is missing: nothing compares with infinity"
        place.refuse(field, f"{message}; found {described(found)}", found)
    return None if score != score else score


def checked_values(setting: object) -> Any:
    """Return the `values=` setting, or refuse what makes no values."""
    if isinstance(setting, str):
        if setting in CHOICES:
            return setting
    elif isinstance(setting, type):
        # A class is a function of its arguments; this one is none of the snippets and their costs.
        if _is_calibrator(setting):
            raise InputTypeError(
                "values is the class Calibrator: give one that was fitted, Calibrator.fit(examples), or "
                "kept, Calibrator.load(path)",
                path="values", field="values", found=setting,
            )  # fmt: skip
        return setting
    elif setting is None or callable(setting) or _is_calibrator(setting):
        return setting
    kind = InputError if isinstance(setting, str) else InputTypeError
    raise kind(
        f"values must be one of {', '.join(map(repr, CHOICES))}, a Calibrator, or a function of the snippets "
        f"and their costs; found {described(setting)}; values and scores themselves stand in the snippets",
        path="values", field="values", found=setting,
    )  # fmt: skip


def _is_calibrator(setting: object) -> bool:
    from haversack.values.calibrator import Calibrator

    kind = setting if isinstance(setting, type) else type(setting)
    return issubclass(kind, Calibrator)
