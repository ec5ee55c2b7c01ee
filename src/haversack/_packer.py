"""`pack`, `Packer` and `max_value`: the settings, checked, and what they promise."""

from __future__ import annotations

from haversack import _core
from haversack._budget import budget_of, reserve_of
from haversack._model import NATIVE_EFFORT, is_finite
from haversack._packed import packed
from haversack._reading import modelled
from haversack._record import Record
from haversack._settings import checked_effort, ids_listed, refuse_unknown_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal, TypeVar

    from haversack._packing import Packing
    from haversack._previous import Before
    from haversack._scores import Values
    from haversack._snippet import Section
    from haversack.renderers import Renderer

    T = TypeVar("T")
    OverBudget = Literal["warn", "raise", "allow"]
    Effort = int | float | Literal["greedy", "normal", "full"] | None
    Pins = Iterable[str | int] | Callable[[Any], bool] | str | int | None
    Fields = Mapping[str, str | Callable[[Any], Any]] | None
    Duplicates = Literal["once"] | None
    Overlap = Literal["merge"] | None
    Counting = str | Callable[[str], int] | None
    Rendering = str | Renderer | None
    Order = Literal["input", "value", "edges", "section"] | Callable[[list[Any]], Iterable[Any]]
    Sections = Mapping[str, Section | Mapping[str, Any]] | None

DEFAULT_EFFORT = NATIVE_EFFORT
"""States that `effort=None` may create: 20,000,000, or 400,000 where numbers do not fit 64 bits."""


class Packer(Record):
    """The settings of `pack`, checked once, frozen and picklable; `pack` does the work.

    >>> packer = Packer(reserve=200, over_budget="raise")
    >>> packer.pack([{"id": "api", "cost": 420, "value": 8}], budget=1000)
    <Packing 1 of 1 snippet, 420 of 800 tokens, value 8, optimal>
    """

    __slots__ = (
        "reserve",
        "sections",
        "counter",
        "render",
        "order",
        "values",
        "duplicates",
        "near_copies",
        "overlap",
        "pinned",
        "fields",
        "previous",
        "keep",
        "over_budget",
        "effort",
    )

    reserve: int
    sections: dict[str, Section] | None
    counter: Counting
    render: Rendering
    order: Order
    values: Values
    duplicates: str | None
    near_copies: float | None
    overlap: str | None
    pinned: Pins
    fields: Fields
    previous: Before | None
    keep: float | None
    over_budget: str
    effort: Effort

    def __init__(
        self,
        *,
        reserve: int | float = 0,
        sections: Sections = None,
        counter: Counting = None,
        render: Rendering = None,
        order: Order = "input",
        values: Values = None,
        duplicates: Duplicates = None,
        near_copies: float | None = None,
        overlap: Overlap = None,
        pinned: Pins = None,
        fields: Fields = None,
        previous: Any = None,
        keep: float | None = None,
        over_budget: OverBudget = "warn",
        effort: Effort = None,
    ) -> None:
        if not (counter is render is None and order == "input"):
            from haversack._texts import checked_settings

            counter, render = checked_settings(counter, render, order)
        if sections is not None:
            from haversack._sections import checked_sections

            sections = checked_sections(sections)
        if over_budget not in ("warn", "raise", "allow"):
            refuse_unknown_choice("over_budget", over_budget, ("warn", "raise", "allow"))
        checked_effort(effort)
        if fields is not None:
            from haversack._fields import checked_reading

            fields = checked_reading(fields)
        if pinned is not None and not callable(pinned) and not isinstance(pinned, str | int):
            # An iterator of ids must serve every call, not only the first.
            pinned = ids_listed(pinned)
        if previous is not None or keep is not None:
            from haversack._previous import checked_keep, checked_previous

            previous, keep = checked_previous(previous, order), checked_keep(keep)
        if values is not None:
            from haversack._scores import checked_values

            values = checked_values(values)
        if any(setting is not None for setting in (duplicates, near_copies, overlap)):
            from haversack._copies import checked_copies

            near_copies = checked_copies(duplicates, near_copies, overlap)
        self._fill(
            reserve_of(reserve), sections, counter, render, order, values, duplicates, near_copies, overlap,
            pinned, fields, previous, keep, over_budget, effort,
        )  # fmt: skip

    def pack(self, snippets: Iterable[T], budget: int | float) -> Packing[T]:
        """Pack snippets into a budget of tokens, with these settings: see `haversack.pack`."""
        return packed(self, snippets, budget, depth=2)


def pack(
    snippets: Iterable[T],
    budget: int | float,
    *,
    reserve: int | float = 0,
    sections: Sections = None,
    counter: Counting = None,
    render: Rendering = None,
    order: Order = "input",
    values: Values = None,
    duplicates: Duplicates = None,
    near_copies: float | None = None,
    overlap: Overlap = None,
    pinned: Pins = None,
    fields: Fields = None,
    previous: Any = None,
    keep: float | None = None,
    over_budget: OverBudget = "warn",
    effort: Effort = None,
) -> Packing[T]:
    """Choose the snippets of greatest total value that fit `budget - reserve` tokens, and prove it.

    Pins survive. What is chosen fits, or you are told by how much it does not. No selection within your
    budget is worth more, or `gap` bounds by how much. Every snippet left out has a reason. It does not
    promise a better answer: that hangs on your values.

    A snippet is a mapping, a `Snippet`, or an object with such attributes: `cost` (tokens, an int >= 0),
    `value` (an int or a float; best the probability that it is needed), `pinned`, `id`; and what binds it:
    `variants` (other forms, at most one is taken), `group` (all or none), `requires` (ids), `one_of` (at most
    one of these), `section`, `tier` (0 comes before 1, whatever it costs 1). Nothing is mutated, and
    `packing.selected` holds your own objects in your order. Instead of a value it may carry `score`, a
    number, or `scores`, name -> number: they are no values, and are turned into some. Without either the list
    is taken as best first.

    Args:
        snippets: The candidates; an iterator is consumed once.
        budget: The window in tokens; a fraction is floored. 0 means nothing fits.
        reserve: Tokens kept free for the answer; a fraction is rounded up.
        pinned: Ids, or a function of a snippet: pinned besides those that say so themselves.
        fields: Foreign shapes: a field to its key or a function, `{"cost": "n_tokens"}`. Unknown keys pass.
        over_budget: What happens when the pins alone are over: `"warn"`, `"raise"` or `"allow"`.
        effort: States the search may create; None is `DEFAULT_EFFORT`. 0 or `"greedy"` is greedy by value per
            token, `math.inf` or `"full"` runs to the proof.
        counter: Counts texts: an encoding or a model by name (`"o200k_base"`, exact and offline), an
            estimate by its own name, or a function from a text to its tokens. Costs may then be absent, a
            snippet may be a str, and the context is rendered: `packing.text`, counted as a whole, fits.
        render: How: `"plain"` (the default), `"markdown"`, `"xml"`, `"numbered"`, or a `renderers.Renderer`.
        order: In which order: `"input"`, `"value"` (best first), `"edges"` (best at both ends), `"section"`,
            or a function from the selected snippets to the same in another order.
        sections: Named parts, `{"docs": {"cap": "30%", "parent": ..., "floor": ...}}`: see `Section`. A cap
            holds for what lies in the section and in those inside it. None: labels are labels.
        values: How values are made of snippets that have none: `"auto"` (of their scores, else by rank),
            `"rank"` (best first), `"equal"` (1 each), a `haversack.values.Calibrator`, or a function that is
            called once with the list of the optional snippets and their costs. Given values are never
            touched.
        duplicates: `"once"`: of identical texts the pinned, else the most valuable one stands for the others.
        near_copies: A similarity above 0, at most 1: of texts as alike as that (three-word shingles, Jaccard;
            0.8 or more is sound) at most one is chosen, which is settled exactly.
        overlap: `"merge"`: spans of one `source` whose `start` and `end` overlap are one snippet, its text
            joined and paid once, its value the probability that at least one of them is needed.
        previous: The last packing, the dict it writes, or the ids that were selected. Of all selections worth
            at least 1 - `keep` of the best, one that begins with the most of its blocks, unchanged, is taken:
            what a provider's prompt cache can use again. `packing.prefix_tokens` are its tokens.
        keep: The share of the value that may be given up for that; None is 0.05.

    Raises `InputError` or `InputTypeError`, which name snippet and field, and `OverBudgetError`.

    >>> packing = pack(
    ...     [{"id": "rules", "cost": 120, "value": 5, "pinned": True},
    ...      {"id": "api", "cost": 420, "value": 8},
    ...      {"id": "notes", "cost": 900, "value": 6},
    ...      {"id": "log", "cost": 300, "value": 3}], budget=1000)
    >>> packing.value, packing.cost, packing.optimal
    (16, 840, True)
    >>> [s["id"] for s in packing.selected]
    ['rules', 'api', 'log']
    """
    packer = Packer(
        reserve=reserve, sections=sections, counter=counter, render=render, order=order, values=values,
        duplicates=duplicates, near_copies=near_copies, overlap=overlap, pinned=pinned, fields=fields,
        previous=previous, keep=keep, over_budget=over_budget, effort=effort,
    )  # fmt: skip
    return packed(packer, snippets, budget, depth=2)


def max_value(snippets: Iterable[Any], budget: int | float) -> int | float:
    """Return the greatest total value that fits the budget, pins included: `pack`'s number alone.

    The same rules; it never warns, and always runs to the proof (Ctrl-C interrupts it).

    >>> max_value([{"cost": 6, "value": 7}, {"cost": 5, "value": 5}, {"cost": 5, "value": 5}], 10)
    10
    """
    tokens = budget_of(budget)
    if type(snippets) is list:
        columns = _core.Columns.read(snippets)
        if columns is not None:
            outcome = _core.solve(columns, tokens, -1)
            # Sums beyond the floats, and numbers beyond 64 bits, are the model's.
            if outcome is not None and is_finite(outcome):
                return outcome.value
    return modelled(snippets).solve(tokens, -1, tokens).value
