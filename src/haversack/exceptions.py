"""What can go wrong, in classes a service can tell apart.

`InputError` is the caller's data (a service answers 422), `OverBudgetError` is a context that cannot fit.
Every message states the fact, the numbers and the way out; the attributes hold the same for programs.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from haversack._excess import Excess

__all__ = [
    "CostWarning",
    "InputError",
    "InputTypeError",
    "OverBudgetError",
    "OverBudgetWarning",
    "PackingError",
]


class PackingError(Exception):
    """Base of all errors that haversack raises on purpose."""


class InputError(PackingError, ValueError):
    """Something that was passed cannot be packed.

    `path` says where (`"snippets[3].cost"`), `id` is the snippet's id where there is one, `field` the field
    or setting, and `found` the object that was there.

    >>> import haversack
    >>> try:
    ...     haversack.pack([{"id": "log", "cost": -5, "value": 1}], budget=100)
    ... except haversack.InputError as error:
    ...     print(error.path, error.id, error.found)
    snippets[0].cost log -5
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        id: str | int | None = None,
        field: str | None = None,
        found: object = None,
    ) -> None:
        super().__init__(message)
        self.path = path
        self.id = id
        self.field = field
        self.found = found
        self.conflict: dict[str, Any] | None = None
        """Where two things contradict each other: their names and numbers, and what could be changed."""

    # The default recipe of exceptions passes positional arguments only and would lose the keywords.
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        known = (self.path, self.id, self.field, self.found, self.conflict)
        return _remake_input_error, (type(self), str(self), *known)


class InputTypeError(InputError, TypeError):
    """Something that was passed is of the wrong type. A `TypeError` and a `ValueError` as well."""


class _Shortage(Exception):  # noqa: N818 - the base of a warning as well
    """The numbers that `OverBudgetError` and `OverBudgetWarning` share."""

    def __init__(self, excess: Excess) -> None:
        super().__init__(excess.message())
        self._excess = excess

    @property
    def needed(self) -> int:
        """Tokens of all pinned snippets."""
        return self._excess.needed

    @property
    def available(self) -> int:
        """Tokens there are for them: budget - reserve - frame, never below 0."""
        return max(0, self._excess.capacity)

    @property
    def budget(self) -> int:
        """The budget of the call, in tokens."""
        return self._excess.budget

    @property
    def reserve(self) -> int:
        """The tokens kept free for the answer."""
        return self._excess.reserve

    @property
    def frame(self) -> int:
        """The tokens of the rendering's header and footer."""
        return self._excess.frame

    @property
    def excess(self) -> int:
        """Tokens by which the pins exceed budget - reserve - frame, which may be below 0."""
        return max(0, self._excess.needed - self._excess.capacity)

    @property
    def pins(self) -> list[tuple[str | int, int]]:
        """The costliest pinned snippets as (id, tokens), the costliest first; at most five."""
        return list(self._excess.pins)

    @property
    def conflict(self) -> dict[str, Any]:
        """The same as data.

        `needed` and `available` tokens; `sections` over their caps; `unpin`, the fewest pins to be unpinned
        (`fewest` tells whether that is proven); `raise`, all that would have to be raised instead, to what.
        """
        return self._excess.conflict()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), (self._excess,)


class OverBudgetError(_Shortage, PackingError):
    """What must be in the context is larger than what is available (`over_budget="raise"`).

    >>> import haversack
    >>> try:
    ...     haversack.pack([{"id": "rules", "cost": 120, "pinned": True}], budget=100, over_budget="raise")
    ... except haversack.OverBudgetError as error:
    ...     print(error.needed, error.available, error.pins)
    120 100 [('rules', 120)]
    """


class OverBudgetWarning(_Shortage, UserWarning):
    """The same as a warning (`over_budget="warn"`): the pins are in, and the context is too large."""


class CostWarning(UserWarning):
    """Costs were given that are below the real count of the snippets' blocks.

    They were trusted for choosing; where the text then did not fit, the real ones were charged instead.
    """

    def __init__(self, snippets: Sequence[tuple[str | int, int, int]]) -> None:
        self.snippets = list(snippets)
        """Of each: its id, the cost given, the tokens counted."""
        shown = "; ".join(f"{id!r}: {given:,} given, {real:,} counted" for id, given, real in snippets[:5])
        more = f"; and {len(snippets) - 5:,} more" if len(snippets) > 5 else ""
        super().__init__(
            f"costs below the tokens of their blocks as rendered: {shown}{more}. They were trusted until the "
            "text was counted; leave them out, and the counter fills them in"
        )

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), (self.snippets,)


def _remake_input_error(kind: type[InputError], message: str, *known: Any) -> InputError:
    path, id, field, found, conflict = known
    error = kind(message, path=path, id=id, field=field, found=found)
    error.conflict = conflict
    return error
