"""What is said when the pins, or the reserve, are larger than the budget."""

from __future__ import annotations

from haversack._figures import digits, number
from haversack._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Cap = tuple[str, int, int, int | float | str | None]


class Excess(Record):
    """The numbers of a context that cannot fit.

    `caps` holds of each section that is over: its name, what its pins need, its cap in tokens, the cap as it
    was given. No smaller set of pins than `unpin` would do, unless `is_fewest` is False.
    """

    __slots__ = ("budget", "reserve", "frame", "needed", "pins", "caps", "unpin", "is_fewest")

    budget: int
    reserve: int
    frame: int
    needed: int
    pins: tuple[tuple[str | int, int], ...]
    caps: tuple[Cap, ...]
    unpin: tuple[str | int, ...]
    is_fewest: bool

    def __init__(
        self,
        budget: int,
        reserve: int,
        frame: int,
        needed: int,
        pins: tuple[tuple[str | int, int], ...],
        caps: tuple[Cap, ...] = (),
        unpin: tuple[str | int, ...] = (),
        is_fewest: bool = True,
    ) -> None:
        self._fill(budget, reserve, frame, needed, pins, caps, unpin, is_fewest)

    @property
    def capacity(self) -> int:
        """Tokens left for snippets; negative where reserve and frame are larger than the budget."""
        return self.budget - self.reserve - self.frame

    def message(self) -> str:
        """Return the sentence: the fact, the numbers, the way out."""
        facts = [fact for fact in (self._reserve_fact(), self._pins_fact(), *self._cap_facts()) if fact]
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

    def _cap_facts(self) -> list[str]:
        return [
            f"pinned snippets in section {name!r} need {number(used)} tokens, but its cap is {number(cap)}"
            + ("" if given == cap else f" ({given} of the window)")
            for name, used, cap, given in self.caps
        ]

    def conflict(self) -> dict[str, Any]:
        """Return the same as data."""
        return {
            "needed": self.needed,
            "available": max(0, self.capacity),
            "sections": {name: {"needed": used, "cap": cap} for name, used, cap, _ in self.caps},
            "unpin": list(self.unpin),
            "fewest": self.is_fewest and bool(self.unpin),
            "raise": self._raised(),
        }

    def _raised(self) -> dict[str, Any]:
        """What must be raised, all of it, for everything to stay pinned: the budget, caps of sections."""
        budget = self.needed + self.reserve + self.frame
        raised: dict[str, Any] = {"budget": budget} if budget > self.budget else {}
        if self.caps:
            raised["sections"] = {name: used for name, used, _, _ in self.caps}
        return raised

    def _arithmetic(self) -> str:
        terms = f"budget {digits(self.budget)}"
        for name, taken in (("reserve", self.reserve), ("frame", self.frame)):
            terms += f" - {name} {digits(taken)}" if taken else ""
        return f"{terms} = {digits(self.capacity)}" if self.reserve or self.frame else terms

    def _way_out(self) -> str:
        budget = self._raised().get("budget")
        is_over = budget is not None or self.capacity <= 0
        caps = [f"of {name!r} to {number(used)}" for name, used, _, _ in self.caps]
        what = ["the budget" if budget is None else f"the budget to {number(budget)}"] if is_over else []
        what += [f"the cap {' and '.join(caps)}"] if caps else []
        ways = [f"raise {' and '.join(what)}"] if what else []
        if self.reserve and is_over and not caps:
            ways.append("lower the reserve")
        if self.frame and is_over and not caps:
            ways.append("shorten header and footer")
        if self.unpin:
            shown = ", ".join(map(repr, self.unpin[:5])) + (", ..." if len(self.unpin) > 5 else "")
            ways.append(f"unpin or shorten {shown}")
        elif self.needed and (self.reserve < self.budget or not self.reserve):
            ways.append("unpin or shorten something")
        ways.append('pass over_budget="allow"')
        return f"{', '.join(ways[:-1])}, or {ways[-1]}" if len(ways) > 1 else ways[0]
