"""The tokens of a packing: what there is, what is kept free, what is left, what is over."""

from __future__ import annotations

from haversack._chosen import Chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack._rendered import Rendered


class Budgeted(Chosen):
    """Budget, reserve and frame, and what follows from them."""

    __slots__ = ("_budget", "_frame", "_rendered", "_reserve")

    _budget: int
    _reserve: int
    _frame: int
    _rendered: Rendered | None

    @property
    def budget(self) -> int:
        """The budget, in whole tokens."""
        return self._budget

    @property
    def reserve(self) -> int:
        """Tokens kept free for the answer."""
        return self._reserve

    @property
    def frame(self) -> int:
        """Tokens of header, footer, headings and, at its longest, the note of what was left out."""
        return self._frame

    @property
    def capacity(self) -> int:
        """budget - reserve - frame: what the chosen snippets may cost; negative if the reserve is larger."""
        return self.budget - self.reserve - self.frame

    @property
    def room(self) -> int:
        """What the pins leave of the capacity; never negative."""
        return max(0, self.capacity - self._outcome.pinned_cost)

    @property
    def remaining(self) -> int:
        """Tokens of the capacity that stay unused; never negative."""
        return max(0, self.capacity - self._outcome.cost)

    @property
    def over_budget(self) -> int:
        """Tokens by which pins and frame exceed what there is, the text recounted; 0 when all is well."""
        if self._rendered is not None:
            return max(0, self._rendered.used - (self.budget - self.reserve))
        return max(0, self._outcome.cost - self.capacity)
