"""Snippets <-> items: the one module that speaks both languages.

Snippets, tokens, budget and value on one side; columns, capacity, mask and profit on the other. It picks the
arithmetic: 64 bits in `_core`, or Python integers in `_bigint` where a number does not fit. Where snippets
have forms or hang together, `structure` says how, and `_structured` solves.
"""

from __future__ import annotations

from haversack import _core
from haversack._ids import default_ids, key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from haversack._bigint import Outcome as WideOutcome
    from haversack._coerce import Table
    from haversack._forms import Form
    from haversack._snippet import Section
    from haversack._structure import Structure
    from haversack._structured import StructuredOutcome

    Outcome: TypeAlias = _core.Outcome | WideOutcome
    AnyOutcome: TypeAlias = Outcome | StructuredOutcome

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
        "copies",
        "valued_by",
        "structure",
    )

    def __init__(
        self,
        objects: list[Any],
        columns: _core.Columns | None,
        table: Table | None = None,
        ids: list[str | int] | None = None,
        structure: Structure | None = None,
        valued_by: str = "given",
    ) -> None:
        self.objects = objects
        self.structure = structure
        self.valued_by = valued_by if table is None else table.valued_by
        self.copies = None if table is None else table.copies
        self.columns = columns
        self._table = table
        self._at: dict[str, int] | None = None
        self._ids = ids
        self._costs: list[int] | None = None
        self._values: list[int | float] | None = None
        self._pinned: bytes | None = None

    @property
    def ranked(self) -> bool:
        """Whether the values come from the order."""
        return self.valued_by == "rank"

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
        """Tokens by position; of the first form, where there are several."""
        if self._costs is None:
            if self._table is not None:
                self._costs = [forms[0].cost for forms in self._table.forms]  # type: ignore[misc]
            elif self.structure is not None:
                self._costs = self.structure.options.firsts(self.structure.options.costs)
            else:
                self._costs = self._read().costs.tolist()
        return self._costs

    @property
    def values(self) -> list[int | float]:
        """Values by position; of the first form, where there are several."""
        if self._values is None:
            if self._table is not None:
                self._values = [forms[0].value for forms in self._table.forms]  # type: ignore[misc]
            elif self.structure is not None:
                self._values = self.structure.options.firsts(self.structure.options.values)
            else:
                self._values = self._read_values()
        return self._values

    @property
    def pinned(self) -> bytes:
        """1 by position where a snippet is pinned, by itself or by what needs it."""
        if self._pinned is None:
            if self.structure is not None:
                self._pinned = self.structure.pinned
            else:
                self._pinned = self._table.pinned if self._table is not None else bytes(self._read().pinned)
        return self._pinned

    def texts(self, positions: list[int], choice: list[int] | None) -> list[str | None]:
        """The texts at some positions, of the chosen forms; None where there is none."""
        if self._table is not None:
            forms = self._table.forms
            return [forms[position][choice[position] if choice else 0].text for position in positions]
        if self.structure is not None:
            options = self.structure.options
            known = options.texts or [None] * len(options.costs)
            return [
                known[options.begin[position] + (choice[position] if choice else 0)] for position in positions
            ]
        some = [self.objects[position] for position in positions]
        return [one if isinstance(one, str) else one.get("text") for one in some]

    def form_name(self, position: int, form: int) -> str:
        """The name of a form: `full` is the snippet's own text."""
        if self._table is not None:
            return self._table.forms[position][form].name
        options = None if self.structure is None else self.structure.options
        return (
            "full"
            if options is None or options.names is None
            else options.names[options.begin[position] + form]
        )

    @property
    def forms(self) -> list[list[Form]]:
        """Every snippet's forms; only of a model that has structure, or was read with care."""
        assert self._table is not None or self.structure is not None
        return self.table.forms

    def position(self, id: object) -> int | None:
        """The position of an id (compared as str), or None."""
        if self._at is None:
            self._at = {str(known): position for position, known in enumerate(self.ids)}
        key = key_of(id)
        return None if key is None else self._at.get(key)

    def solve(self, capacity: int, effort: int | None, window: int) -> AnyOutcome:
        """Choose the best snippets within `capacity`; `effort` in states, None the default, -1 no limit.

        `window` is budget - reserve, of which sections take their shares.
        """
        if self.structure is not None:
            from haversack import _structured

            limit = NATIVE_EFFORT if effort is None else effort
            try:
                found = _structured.solve(self.structure, capacity, window, limit)
                if self.copies is not None and self.copies.most is not None:
                    found.raise_bound(self.copies.most)
                return found
            except OverflowError as error:
                raise self._beyond_floats() from error
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

    @property
    def table(self) -> Table:
        """What was read, form by form; made up of the columns where they were read natively."""
        if self._table is not None:
            return self._table
        from haversack._coerce import Table
        from haversack._forms import FULL, Form
        from haversack._numbers import Place

        if self.structure is not None:
            rows = self.structure.options.forms(self.ids)
            pinned, links = self.structure.explicit, self.structure.links
            self._table = Table(self.ids, rows, pinned, self.valued_by, links)
            return self._table
        texts = self.texts(list(range(len(self.objects))), None)
        columns = zip(self.ids, texts, self.costs, self.values, strict=True)
        forms = [
            [Form(FULL, text, cost, value, Place("snippets", position, id))]
            for position, (id, text, cost, value) in enumerate(columns)
        ]
        return Table(self.ids, forms, self.pinned, self.valued_by)

    def cost_of(self, position: int, form: int) -> int:
        """The tokens of a form."""
        return self.costs[position] if self.structure is None else self.structure.costs[position][form]

    def value_of(self, position: int, form: int) -> int | float:
        """The value of a form."""
        return self.values[position] if self.structure is None else self.structure.values[position][form]

    def part(self, positions: list[int], pinned: bytes) -> Model:
        """Return some of the snippets, with other pins, as a model of their numbers alone."""
        costs = [self.costs[position] for position in positions]
        values = [self.values[position] for position in positions]
        try:
            columns = _core.Columns.of(costs, values, pinned)
        except OverflowError:
            columns = None
        ids = [self.ids[position] for position in positions]
        return Model.of_numbers([None] * len(positions), ids, costs, values, pinned, columns)

    @classmethod
    def of_numbers(
        cls, objects: list[Any], ids: list[str | int], costs: list[int], values: list[int | float],
        pinned: bytes, columns: _core.Columns | None = None, valued_by: str = "given",
    ) -> Model:  # fmt: skip
        """Return a model of numbers that need no checking; without *columns*, one that is not for solving."""
        model = cls(objects, columns, ids=ids, valued_by=valued_by)
        model._costs, model._values, model._pinned = costs, values, pinned
        return model

    def _read(self) -> _core.Columns:
        assert self.columns is not None
        return self.columns

    def _read_values(self) -> list[int | float]:
        # typeshed has memoryview.tolist() return ints, whatever the format.
        values = self._read().values
        read: list[int | float] = values if isinstance(values, list) else values.tolist()  # type: ignore[assignment]
        return read

    def _beyond_floats(self) -> Exception:
        from haversack._beyond import beyond_floats

        return beyond_floats(self.ids, self.values, self.pinned)


def is_finite(outcome: _core.Outcome) -> bool:
    """Return whether all sums stayed within the range of floats."""
    return outcome.value - outcome.value == 0 and outcome.bound - outcome.bound == 0


def tabled(objects: list[Any], table: Table, sections: Mapping[str, Section] | None = None) -> Model:
    """Return the model of checked columns, and of their structure, if they have any."""
    if table.links is not None or sections is not None or any(_has_forms(forms) for forms in table.forms):
        from haversack._structure import Structure

        return Model(objects, None, table, structure=Structure(table, sections))
    model = Model(objects, None, table)
    try:
        model.columns = _core.Columns.of(model.costs, model.values, model.pinned)
    except OverflowError:
        model.columns = None
    return model


def _has_forms(forms: list[Form]) -> bool:
    return len(forms) > 1 or forms[0].name != "full"
