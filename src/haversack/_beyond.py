"""The error for values whose sum no float can hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from sys import float_info

from haversack._numbers import described
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def beyond_floats(ids: Sequence[str | int], values: Sequence[int | float], pinned: bytes) -> InputError:
    """Name the snippet with which the sum of the values that count leaves the range of floats."""
    sums = accumulate(
        Fraction(value) if pin or value > 0 else 0 for value, pin in zip(values, pinned, strict=True)
    )
    largest = Fraction(float_info.max)
    beyond = (position for position, total in enumerate(sums) if not -largest <= total <= largest)
    position = next(beyond, len(values) - 1)
    path, id, found = f"snippets[{position}].value", ids[position], values[position]
    return InputError(
        f"snippets[{position}] (id {id!r}): value {described(found)} takes the sum of the values "
        "beyond the range of floats (1.8e308); divide all values by one number, or give ints, which have "
        "no limit",
        path=path, id=id, field="value", found=found,
    )  # fmt: skip
