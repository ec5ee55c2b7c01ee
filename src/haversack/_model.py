"""Snippets <-> items: the one module that speaks both languages.

Snippets, tokens, budget and value on one side; columns, capacity, mask and profit on the other. It picks the
arithmetic: 64 bits in `_core`, or Python integers in `_bigint` where a number does not fit. What a later
version packs by (groups, forms, sections) becomes more columns here, next to costs, values and pins.
"""

from __future__ import annotations

from operator import or_

from haversack import _core
from haversack._ids import default_ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._bigint import Outcome as WideOutcome
    from haversack._coerce import Table
    from haversack._texts import Texts

    Outcome = _core.Outcome | WideOutcome

# States an exact search may create before it settles for a proven bound: about a second either way.
NATIVE_EFFORT = 20_000_000
WIDE_EFFORT = 400_000


class Model:
    """The caller's snippets and their columns. Immutable; lists are made on first use and kept."""

    __slots__ = (
        "_at",
        "columns",
        "_costs",
        "_ids",
        "_pinned",
        "_table",
        "_values",
        "objects",
        "ranked",
    )

    def __init__(
        self,
        objects: list[Any],
        columns: _core.Columns | None,
        table: Table | None = None,
        ids: list[str | int] | None = None,
    ) -> None:
        self.objects = objects
        self.ranked = table is not None and table.ranked
        self.columns = columns
        self._table = table
        self._at: dict[str, int] | None = None
        self._ids = ids
        self._costs: list[int] | None = None
        self._values: list[int | float] | None = None
        self._pinned: bytes | None = None

    @property
    def ids(self) -> list[str | int]:
        """Every snippet's id, the default ones filled in."""
        if self._ids is None:
            if self._table is not None:
                self._ids = self._table.ids
            else:
                assert self.columns is not None
                given = self.columns.ids
                if given is None:
                    given = list(map(str, range(len(self.objects))))
                self._ids = default_ids(given) if None in given else given
        return self._ids

    @property
    def costs(self) -> list[int]:
        """Tokens by position."""
        if self._costs is None:
            self._costs = self._table.costs if self._table is not None else self._read().costs.tolist()
        return self._costs

    @property
    def values(self) -> list[int | float]:
        """Values by position."""
        if self._values is None:
            self._values = self._table.values if self._table is not None else self._read_values()
        return self._values

    @property
    def pinned(self) -> bytes:
        """1 by position where a snippet is pinned."""
        if self._pinned is None:
            self._pinned = self._table.pinned if self._table is not None else bytes(self._read().pinned)
        return self._pinned

    def texts(self, positions: list[int]) -> list[str | None]:
        """The texts at some positions, None where a snippet has none."""
        if self._table is not None:
            return [self._table.texts[position] for position in positions]
        return [self.objects[position].get("text") for position in positions]

    def position(self, id: object) -> int | None:
        """The position of an id (compared as str), or None."""
        if self._at is None:
            self._at = {str(known): position for position, known in enumerate(self.ids)}
        return self._at.get(str(id))

    def solve(self, capacity: int, effort: int | None) -> Outcome:
        """Choose the best snippets within `capacity`; `effort` in states, None the default, -1 no limit."""
        if self.columns is not None:
            outcome = _core.solve(self.columns, capacity, NATIVE_EFFORT if effort is None else effort)
            if outcome is not None and is_finite(outcome):
                return outcome
        from haversack import _bigint

        limit = WIDE_EFFORT if effort is None else effort
        try:
            return _bigint.solve(self.costs, self.values, self.pinned, capacity, limit)
        except OverflowError as error:
            raise self._beyond_floats() from error

    def charging(self, costs: dict[int, int]) -> Model:
        """Return the same snippets with other costs at some positions."""
        from haversack._coerce import Table

        changed = [costs.get(position, cost) for position, cost in enumerate(self.costs)]
        texts = self.texts(list(range(len(self.objects))))
        table = Table(self.ids, changed, self.values, self.pinned, self.ranked, texts)
        return tabled(self.objects, table)

    def _read(self) -> _core.Columns:
        assert self.columns is not None
        return self.columns

    def _read_values(self) -> list[int | float]:
        # typeshed has memoryview.tolist() return ints, whatever the format.
        values = self._read().values
        read: list[int | float] = values if isinstance(values, list) else values.tolist()  # type: ignore[assignment]
        return read

    def _beyond_floats(self) -> Exception:
        """Name the snippet with which the sum of the values that count leaves the range of floats."""
        from fractions import Fraction
        from itertools import accumulate
        from sys import float_info

        from haversack._numbers import described
        from haversack.exceptions import InputError

        sums = accumulate(
            Fraction(value) if pin or value > 0 else 0
            for value, pin in zip(self.values, self.pinned, strict=True)
        )
        largest = Fraction(float_info.max)
        beyond = (position for position, total in enumerate(sums) if not -largest <= total <= largest)
        position = next(beyond, len(self.values) - 1)
        path, id, found = f"snippets[{position}].value", self.ids[position], self.values[position]
        return InputError(
            f"snippets[{position}] (id {id!r}): value {described(found)} takes the sum of the values "
            "beyond the range of floats (1.8e308); divide all values by one number, or give ints, which have "
            "no limit",
            path=path, id=id, field="value", found=found,
        )  # fmt: skip


def is_finite(outcome: _core.Outcome) -> bool:
    """Return whether all sums stayed within the range of floats."""
    return outcome.value - outcome.value == 0 and outcome.bound - outcome.bound == 0


def modelled(
    snippets: object, fields: object = None, pinned: object = None, texts: Texts | None = None
) -> Model:
    """Return the model of the caller's snippets: read natively where all is plain, else with care.

    With `texts` the costs that are absent are counted.
    """
    objects: list[Any]
    if type(snippets) is list:
        objects = snippets[:]
    else:
        from haversack._coerce import listed

        objects = listed(snippets)
    columns = _core.Columns.read(objects) if fields is texts is None else None
    if columns is not None:
        return Model(objects, columns) if pinned is None else _pinned_too(Model(objects, columns), pinned)
    from haversack._coerce import table

    return tabled(objects, table(objects, fields, pinned, count=None if texts is None else texts.count))


def _pinned_too(model: Model, pinned: object) -> Model:
    """Return a model with the pins of the `pinned=` setting besides its own."""
    from haversack._coerce import pinned_by

    pins = pinned_by(pinned, model.objects, model.ids)
    both = bytes(map(or_, pins, model.pinned))
    columns = model.columns
    assert columns is not None
    return Model(model.objects, _core.Columns.of(columns.costs, columns.values, both), ids=model.ids)


def tabled(objects: list[Any], table: Table) -> Model:
    """Return the model of checked columns."""
    try:
        columns = _core.Columns.of(table.costs, table.values, table.pinned)
    except OverflowError:
        columns = None
    return Model(objects, columns, table)
