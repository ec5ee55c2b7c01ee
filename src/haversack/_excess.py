"""What is said when the pins, or the reserve, are larger than the budget."""

from __future__ import annotations

from haversack._figures import digits, number
from haversack._record import Record


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
            what = f"the reserve of {number(self.reserve)}"
        elif self.frame and self.capacity <= 0:
            what = f"the frame (header and footer) of {number(self.frame)}"
        else:
            return ""
        return f"{what} leaves nothing of the budget of {number(self.budget)} tokens ({self._arithmetic()})"

    def _pins_fact(self) -> str:
        available = max(0, self.capacity)
        if self.needed <= available:
            return ""
        costliest = ", ".join(f"{id!r} {number(cost)}" for id, cost in self.pins)
        return (
            f"pinned snippets need {number(self.needed)} tokens, but only {number(available)} are available "
            f"({self._arithmetic()} < {digits(self.needed)}); the costliest: {costliest}"
        )

    def _arithmetic(self) -> str:
        terms = f"budget {digits(self.budget)}"
        for name, taken in (("reserve", self.reserve), ("frame", self.frame)):
            terms += f" - {name} {digits(taken)}" if taken else ""
        return f"{terms} = {digits(self.capacity)}" if self.reserve or self.frame else terms

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
