"""What every answer tells: value, cost, and how good it is proven to be."""

from __future__ import annotations

from haversack._record import copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._classes import ClassOutcome
    from haversack._model import AnyOutcome


class Solved:
    """The numbers that `Packing` and `Solution` share."""

    __slots__ = ("_outcome",)

    _outcome: AnyOutcome | ClassOutcome

    @property
    def value(self) -> int | float:
        """The sum of the chosen values, pins included; an int if every value of the input is one."""
        return self._outcome.value

    @property
    def cost(self) -> int:
        """The sum of the chosen costs, pins included, in tokens."""
        return self._outcome.cost

    @property
    def bound(self) -> int | float:
        """A proven upper bound on the value of any selection; equal to `value` exactly when optimal."""
        bound: Any = self._outcome.bound
        most: int | float = bound
        return most

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no selection is worth more."""
        return self._outcome.optimal

    @property
    def statistics(self) -> dict[str, Any]:
        """What the search did: `states` created, whether `fewest_tokens` is proven, and more."""
        outcome = self._outcome
        known: dict[str, Any] = copied(outcome.statistics)
        return {**known, "states": outcome.states, "fewest_tokens": outcome.fewest_tokens}
