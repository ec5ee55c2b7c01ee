"""Why every snippet is in or out: records that are built when somebody looks."""

from __future__ import annotations

from _collections_abc import Sequence
from itertools import repeat

from haversack._decision import Decision, Ledger
from haversack._kept import Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, overload

    from haversack._model import Model


class Decisions(Sequence[Decision] if TYPE_CHECKING else Sequence):  # type: ignore[misc]
    """The decisions of a packing in input order; each is built when it is looked at."""

    __slots__ = ("_mask", "_model", "ledger")

    # Without structure, forms and numbers follow from the reason.
    forms: Any = None
    details: Any = None

    def __init__(self, model: Model | Kept, mask: memoryview, ledger: Ledger) -> None:
        self._model = model
        self._mask = mask
        self.ledger = ledger

    @property
    def ids(self) -> list[str | int]:
        """The ids by position."""
        return self._model.ids

    @property
    def notes(self) -> dict[int, dict[str, Any]]:
        """What is told of copies and overlaps, by position."""
        return {} if self._model.copies is None else self._model.copies.notes

    @property
    def costs(self) -> list[int]:
        """The tokens by position."""
        return self._model.costs

    @property
    def values(self) -> list[int | float]:
        """The values by position."""
        return self._model.values

    def __len__(self) -> int:
        return len(self._mask)

    def __iter__(self) -> Iterator[Decision]:
        return self._range(0, len(self._mask))

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, at: int) -> Decision: ...
        @overload
        def __getitem__(self, at: slice) -> list[Decision]: ...

    def __getitem__(self, at: int | slice) -> Decision | list[Decision]:
        positions = range(len(self._mask))[at]
        if isinstance(positions, int):
            return next(self._range(positions, positions + 1))
        if positions.step == 1:
            return list(self._range(positions.start, positions.stop))
        return [next(self._range(position, position + 1)) for position in positions]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Decisions):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        chosen = sum(self._mask)
        return f"<Decisions on {len(self):,} snippets: {chosen:,} in, {len(self) - chosen:,} out>"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # Neither the caller's objects nor the native columns need come along.
        model = self._model
        columns = (model.ids, model.costs, model.values, model.pinned, model.copies)
        return _remake_all, (columns, bytes(self._mask), self.ledger)

    def _range(self, start: int, stop: int) -> Iterator[Decision]:
        """Build the decisions of a range of positions, without a step in Python for each."""
        model, cut = self._model, slice(start, stop)
        mask = self._mask[cut].tolist()
        why = reasons(model.pinned[cut], mask, model.costs[cut], model.values[cut], self.ledger)
        if model.copies is not None:
            model.copies.mark(why, start)
        return map(Decision, zip(range(start, stop), why, repeat(self)))


def _remake_all(columns: tuple[Any, ...], mask: bytes, ledger: Ledger) -> Decisions:
    return Decisions(Kept(*columns), memoryview(mask), ledger)


def reasons(
    pins: Iterable[int],
    mask: Iterable[int],
    costs: Iterable[int],
    values: Iterable[int | float],
    ledger: Ledger,
) -> list[str]:
    """Return each snippet's reason: the first that applies."""
    capacity, room = ledger.capacity, ledger.room
    return [
        ("pinned" if pin else "chosen" if cost else "free")
        if chosen
        else "worthless"
        if value <= 0
        else "too_long"
        if cost > capacity
        else "no_room"
        if cost > room
        else "outvalued"
        for pin, chosen, cost, value in zip(pins, mask, costs, values)  # noqa: B905
    ]
