"""Budget, reserve and capacity: which numbers are tokens."""

from __future__ import annotations

from math import isfinite

from haversack._numbers import described, real
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def budget_of(found: object, name: str = "budget") -> int:
    """Return a budget in whole tokens; a fraction is floored: 10.75 tokens hold 10.

    >>> budget_of(10.75)
    10
    """
    if type(found) is int and found >= 0:
        return found
    return int(_tokens(found, name))


def reserve_of(found: object) -> int:
    """Return a reserve in whole tokens; a fraction is rounded up, as at least so many stay free.

    >>> reserve_of(10.25)
    11
    """
    if type(found) is int and found >= 0:
        return found
    tokens = _tokens(found, "reserve")
    return int(tokens) + (tokens > int(tokens))


def capacity_of(found: object) -> int:
    """Return the capacity of `knapsack`: a budget under another name."""
    return budget_of(found, "capacity")


def _tokens(found: object, name: str) -> int | float:
    number = real(found)
    if number is None:
        hint = (
            ": None is no 'no limit'; pass the window's size" if found is None and name != "reserve" else ""
        )
        _refuse(name, f"must be a number of tokens, an int or a float >= 0{hint}", found, InputTypeError)
    if type(number) is float and not isfinite(number):
        _refuse(name, "must be finite: pass the window's size in tokens", found, InputError)
    if number < 0:
        _refuse(name, "must not be negative: it is a number of tokens", found, InputError)
    if 0 < number < 1:
        _refuse(
            name,
            "is below one token: is it a share? It is in tokens; multiply it by the window",
            found,
            InputError,
        )
    return number


def _refuse(name: str, message: str, found: object, kind: type[InputError]) -> NoReturn:
    raise kind(f"{name} {message}; found {described(found)}", path=name, field=name, found=found)
