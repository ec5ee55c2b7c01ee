"""The settings of `Packer`, checked."""

from __future__ import annotations

from haversack._numbers import described, whole
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_NAMED = {"greedy": 0, "normal": None, "full": -1}

# Larger efforts are no limit: nobody has created so many states.
_NO_LIMIT = 2**62


def refuse_unknown_choice(name: str, found: object, choices: tuple[str, ...]) -> NoReturn:
    """Refuse a word that is none of the choices."""
    words = (
        f"one of {', '.join(map(repr, choices))}" if len(choices) > 1 else f"{choices[0]!r} in this version"
    )
    kind = InputError if isinstance(found, str) else InputTypeError
    raise kind(f"{name} must be {words}; found {described(found)}", path=name, field=name, found=found)


def ids_listed(pinned: object) -> tuple[Any, ...]:
    """Return the ids of a `pinned=` setting, or refuse what holds none."""
    if not hasattr(pinned, "__iter__"):
        raise InputTypeError(
            f"pinned must be ids, or a function of a snippet; found {described(pinned)}",
            path="pinned", field="pinned", found=pinned,
        )  # fmt: skip
    return tuple(pinned)


def checked_effort(effort: object) -> int | None:
    """Return an effort as states: None is the default, -1 no limit.

    >>> checked_effort("greedy"), checked_effort(5_000), checked_effort(float("inf"))
    (0, 5000, -1)
    """
    if effort is None:
        return None
    if isinstance(effort, str) and effort in _NAMED:
        return _NAMED[effort]
    if isinstance(effort, float) and effort == float("inf"):
        return -1
    states = whole(effort)
    if states is None or states < 0:
        wrong = states is None and not isinstance(effort, str | float)
        kind = InputTypeError if wrong else InputError
        raise kind(
            'effort must be None, a number of states (an int >= 0), math.inf, or "greedy", "normal", "full"; '
            f"found {described(effort)}",
            path="effort", field="effort", found=effort,
        )  # fmt: skip
    return states if states < _NO_LIMIT else -1
