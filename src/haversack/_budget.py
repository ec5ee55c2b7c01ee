"""Budget, reserve, capacity, and what is said when the pins alone are over."""

from __future__ import annotations

from math import isfinite

from haversack._numbers import described, real
from haversack._record import Record
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


class Excess(Record):
    """The numbers of a context that cannot fit."""

    __slots__ = ("budget", "reserve", "frame", "needed", "pins")

    budget: int
    reserve: int
    frame: int
    needed: int
    pins: tuple[tuple[str | int, int], ...]

    def __init__(
        self, budget: int, reserve: int, frame: int, needed: int, pins: tuple[tuple[str | int, int], ...]
    ) -> None:
        self._fill(budget, reserve, frame, needed, pins)

    @property
    def capacity(self) -> int:
        """Tokens left for snippets; negative where reserve and frame are larger than the budget."""
        return self.budget - self.reserve - self.frame

    def message(self) -> str:
        """Return the sentence: the fact, the numbers, the way out."""
        facts = [fact for fact in (self._reserve_fact(), self._pins_fact()) if fact]
        return "; ".join(facts) + f"; {self._way_out()}"

    def _reserve_fact(self) -> str:
        if self.reserve and self.reserve >= self.budget:
            left = self.budget - self.reserve
            return (
                f"the reserve of {self.reserve:,} leaves nothing of the budget of {self.budget:,} tokens "
                f"({self.budget} - {self.reserve} = {left})"
            )
        if self.frame and self.capacity <= 0:
            return (
                f"the frame (header and footer) of {self.frame:,} tokens leaves nothing of the budget "
                f"({self.budget} - {self.reserve} - {self.frame} = {self.capacity})"
            )
        return ""

    def _pins_fact(self) -> str:
        available = max(0, self.capacity)
        if self.needed <= available:
            return ""
        taken = [f" - {name} {n}" for name, n in (("reserve", self.reserve), ("frame", self.frame)) if n]
        left = f"{''.join(taken)} = {self.capacity}" if taken else ""
        costliest = ", ".join(f"{id!r} {cost:,}" for id, cost in self.pins)
        return (
            f"pinned snippets need {self.needed:,} tokens, but only {available:,} are available "
            f"(budget {self.budget}{left} < {self.needed}); the costliest: {costliest}"
        )

    def _way_out(self) -> str:
        ways = ["raise the budget"]
        if self.reserve:
            ways.append("lower the reserve")
        if self.frame:
            ways.append("shorten header and footer")
        if self.needed:
            ways.append("unpin or shorten something")
        ways.append('pass over_budget="allow"')
        return f"{', '.join(ways[:-1])}, or {ways[-1]}"
