"""Values as integers: a float is the binary number it holds, so one power of two makes a whole list exact."""

from __future__ import annotations

from math import inf, nextafter

from haversack import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Scale:
    """One common power of two that makes every value an integer, and the way back."""

    __slots__ = ("denominator", "integral")

    def __init__(self, denominator: int, integral: bool) -> None:
        self.denominator = denominator
        self.integral = integral

    @classmethod
    def of(cls, values: list[int | float]) -> tuple[Scale, list[int]]:
        """Return the scale of some values, and the values as integers.

        >>> Scale.of([1, 0.25])[1]
        [4, 1]
        """
        scaled = _core.scaled(values)
        if scaled is None:
            whole: Any = values
            return cls(1, True), whole
        profits, exponent = scaled
        return cls(1 << exponent, False), profits

    def profit(self, value: int | float) -> int:
        """Return the value as an integer, exactly."""
        top, bottom = value.as_integer_ratio()
        return top * (self.denominator // bottom)

    def value(self, profit: int) -> int | float:
        """Return a sum of profits as a value, rounded once; OverflowError beyond the float range."""
        # True division of integers rounds correctly, however large they are.
        return profit if self.integral else profit / self.denominator

    def bound(self, profit: int, above: int | float) -> int | float:
        """Return a proven bound that is not reached, as a value: rounded up, and more than `above`.

        OverflowError where no finite float is as large.
        """
        if self.integral:
            return profit
        value = profit / self.denominator
        if value <= above or self.profit(value) < profit:
            value = nextafter(max(value, above), inf)
        if value == inf:
            raise OverflowError("the bound is beyond the range of floats")
        return value
