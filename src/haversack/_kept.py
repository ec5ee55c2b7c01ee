"""What decisions that left their packing keep of the model: neither objects nor native columns."""

from __future__ import annotations

from haversack._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack._copies import Copies


class Kept(Record):
    """Columns by position."""

    __slots__ = ("ids", "costs", "values", "pinned", "copies")

    ids: list[str | int]
    costs: list[int]
    values: list[int | float]
    pinned: bytes
    copies: Copies | None

    def __init__(
        self,
        ids: list[str | int],
        costs: list[int],
        values: list[int | float],
        pinned: bytes,
        copies: Copies | None = None,
    ) -> None:
        self._fill(ids, costs, values, pinned, copies)
