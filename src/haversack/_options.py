"""Forms as flat columns: those of snippet `p` are the entries `begin[p]` to `begin[p + 1] - 1`."""

from __future__ import annotations

from haversack._record import Record
from haversack._scale import Scale

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from haversack._forms import Form
    from haversack._links import Links

    T = TypeVar("T")


class Plain(Record):
    """Snippets that could be read natively: the columns of `_coerce.Table` without an object a form."""

    __slots__ = ("ids", "pinned", "links", "options")

    ids: list[str | int]
    pinned: bytes
    links: Links | None
    options: Options

    def __init__(self, ids: list[str | int], pinned: bytes, links: Links | None, options: Options) -> None:
        self._fill(ids, pinned, links, options)


class Options:
    """What all forms cost and are worth; every snippet has at least one.

    `profits` are the values as integers, by the common `scale`. `names` and `texts` are None where `Form`
    objects hold them, `texts` also where no form has one.
    """

    __slots__ = ("_owners", "begin", "costs", "names", "profits", "scale", "texts", "values")

    def __init__(
        self,
        begin: list[int],
        costs: list[int],
        values: list[int | float],
        names: list[str] | None = None,
        texts: list[str | None] | None = None,
    ) -> None:
        self.begin = begin
        self.costs = costs
        self.values = values
        self.names = names
        self.texts = texts
        self.scale, self.profits = Scale.of(values)
        self._owners: list[int] | None = None

    @classmethod
    def of(cls, forms: list[list[Form]]) -> Options:
        """Return the columns of forms whose costs and values are known."""
        begin = [0]
        for row in forms:
            begin.append(begin[-1] + len(row))
        known: list[Any] = [form for row in forms for form in row]
        return cls(begin, [form.cost for form in known], [form.value for form in known])

    @property
    def owners(self) -> list[int]:
        """The position of the snippet that each form is of."""
        if self._owners is None:
            sizes = zip(self.begin, self.begin[1:], strict=False)
            self._owners = [at for at, (first, end) in enumerate(sizes) for _ in range(first, end)]
        return self._owners

    def rows(self, column: list[T]) -> list[list[T]]:
        """Return a column cut into one list a snippet."""
        return [column[first:end] for first, end in zip(self.begin, self.begin[1:], strict=False)]

    def firsts(self, column: list[T]) -> list[T]:
        """Return the entries of each snippet's first form."""
        return [column[first] for first in self.begin[:-1]]

    def forms(self, ids: list[str | int]) -> list[list[Form]]:
        """Return the columns as objects, form by form; only where the names are known."""
        from haversack._forms import FULL, Form
        from haversack._numbers import Place

        assert self.names is not None
        texts = self.texts or [None] * len(self.names)
        columns = list(zip(self.names, texts, self.costs, self.values, strict=True))
        places = [Place("snippets", position, id) for position, id in enumerate(ids)]
        return [
            [Form(*form, place, at - (row[0][0] == FULL)) for at, form in enumerate(row)]
            for place, row in zip(places, self.rows(columns), strict=True)
        ]
