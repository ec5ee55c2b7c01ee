"""Which objects are numbers, and how the wrong ones are described."""

from __future__ import annotations

from math import isfinite
from operator import index

from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class Place:
    """Where in the input something stands; words and attributes of every error about it.

    >>> print(Place("snippets", 3, "api").path("cost"))
    snippets[3].cost
    """

    __slots__ = ("id", "position", "source")

    def __init__(self, source: str, position: int | None = None, id: str | int | None = None) -> None:
        self.source = source
        self.position = position
        self.id = id

    def path(self, field: str | None = None) -> str:
        """Return the path of a field, as in `snippets[3].cost`."""
        where = self.source if self.position is None else f"{self.source}[{self.position}]"
        return f"{where}.{field}" if field else where

    def refuse(
        self, field: str | None, message: str, found: object, kind: type[InputError] = InputError
    ) -> NoReturn:
        """Raise an error about a field of this place."""
        where = self.path() if self.id is None else f"{self.path()} (id {self.id!r})"
        name = f"{where}: {field}" if field else where
        # A number in a bare list has no field of its own: the list is it.
        field, path = (self.source, self.path()) if field == "" else (field, self.path(field))
        raise kind(f"{name} {message}", path=path, id=self.id, field=field, found=found)

    def refuse_type(self, field: str | None, message: str, found: object) -> NoReturn:
        """Raise an error about the type of a field of this place."""
        self.refuse(field, message, found, InputTypeError)


def described(found: object) -> str:
    """Return an object as an error shows it: shortened, with its type."""
    kind = type(found)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    try:
        shown = repr(found)
    except Exception:
        shown = _long(found) if isinstance(found, int) else "..."
    if len(shown) > 60:
        shown = f"{shown[:57]}..."
    return "None" if found is None else f"{shown} ({name})"


def whole(found: object) -> int | None:
    """Return a whole number of any kind as an int, or None: bools and floats are none.

    >>> whole(7), whole(True), whole(7.0)
    (7, None, None)
    """
    if type(found) is int:
        return found
    found = _unwrapped(found)
    if isinstance(found, bool | float) or not hasattr(found, "__index__"):
        return None
    try:
        return index(found)
    except TypeError:
        return None


def real(found: object) -> int | float | None:
    """Return a number of any kind as an int or a float, exactly, or None: bools, Decimal, Fraction are none.

    >>> real(7), real(0.5), real(True), real("7")
    (7, 0.5, None, None)
    """
    if type(found) is float or type(found) is int:
        return found
    found = _unwrapped(found)
    if isinstance(found, float):
        return float(found)
    if getattr(getattr(found, "dtype", None), "kind", "") == "f":
        # A float wider than ours (longdouble) is taken only where nothing is lost.
        narrow = float(found)  # type: ignore[arg-type]
        return narrow if narrow == found or narrow != narrow else None
    return whole(found)


def _unwrapped(found: object) -> object:
    """Return the Python number inside a NumPy scalar or 0-d array; anything else as it is."""
    kind = getattr(getattr(found, "dtype", None), "kind", None)
    if kind is None:
        return found
    if kind not in "iuf" or getattr(found, "shape", None) != () or hasattr(found, "mask"):
        return None
    return found.item()  # type: ignore[attr-defined]


def cost_of(found: object, place: Place, field: str = "cost") -> int:
    """Return a cost in tokens, or refuse what is none."""
    if type(found) is int and found >= 0:
        return found
    cost = whole(found)
    if cost is None:
        number = real(found)
        if number is not None:
            hint = f"; round it up: {_ceiling(number)}" if isfinite(number) and number >= 0 else ""
            place.refuse_type(
                field, f"must be a whole number of tokens, an int >= 0; found {described(found)}{hint}", found
            )
        place.refuse_type(field, f"must be a number of tokens, an int >= 0; found {described(found)}", found)
    if cost < 0:
        place.refuse(
            field, f"must not be negative: tokens are counted from 0; found {described(found)}", found
        )
    return cost


def value_of(found: object, place: Place, field: str = "value") -> int | float:
    """Return a value, or refuse what is none."""
    if type(found) is int or (type(found) is float and isfinite(found)):
        return found
    value = real(found)
    if value is None:
        place.refuse_type(
            field, f"must be an int or a float{_value_hint(found)}; found {described(found)}", found
        )
    if type(value) is float and not isfinite(value):
        word = "NaN, not a number" if value != value else "infinite"
        place.refuse(
            field,
            f"must be finite, but it is {word}; give the number it stands for or leave the snippet out; "
            f"found {described(found)}",
            found,
        )
    return value


def flag_of(found: object, place: Place, field: str = "pinned") -> bool:
    """Return True or False, or refuse what is neither."""
    if found is True or found is False:
        return found
    if getattr(getattr(found, "dtype", None), "kind", "") == "b" and getattr(found, "shape", None) == ():
        return bool(found)
    place.refuse_type(field, f"must be True or False; found {described(found)}", found)


def _value_hint(found: object) -> str:
    kind = type(found)
    if isinstance(found, bool) or getattr(getattr(found, "dtype", None), "kind", "") == "b":
        return ", not a bool: write 1 or 0"
    if getattr(found, "shape", ()):
        return ", not an array"
    if isinstance(found, complex) or getattr(getattr(found, "dtype", None), "kind", "") == "c":
        return ", not a complex number"
    if hasattr(found, "mask"):
        return ", not a masked one"
    if isinstance(found, str | bytes):
        return ", not text: a number without quotes"
    # Of NumPy only a float that ours cannot hold comes here and is a number.
    is_wide = getattr(getattr(found, "dtype", None), "kind", "") == "f"
    if kind.__module__ in ("decimal", "fractions") or is_wide:
        return (
            f": convert it with float() first, so that the rounding is yours and not ours ({kind.__name__})"
        )
    return ", finite, of any size"


def _long(number: int) -> str:
    """Show an integer that Python refuses to print."""
    from haversack._figures import count_digits, digits

    return f"{digits(number)}, an integer of {count_digits(abs(number)):,} digits"


def _ceiling(number: int | float) -> int:
    whole_part = int(number)
    return whole_part + (number > whole_part)
