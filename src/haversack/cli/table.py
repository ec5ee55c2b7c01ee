"""The table for people: what is in, what is out, and why; and the summary in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import nlargest
from itertools import islice
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from haversack import Decision, Packing
from haversack._figures import digits, harmless, number
from haversack._parts import part_lines
from haversack._report import headline, shares

_COLUMNS = ("", "id", "tokens", "value", "why")
_GAP = 3  # spaces between two columns; one where that is too wide
_LONGEST_ID = 40
_FIXED = 5  # columns without the source, which gives way first
_SHORTEST = 8  # an id or a reason is not cut below this
_SHORTEST_SOURCE = 24  # a source that would be cut below this is left out

# What says most about a reason beside its name.
_TELLING = (("missing", "requires"), ("group", "group"), ("winner", "one_of"), ("rivals", "one_of"))

Cells = tuple[str, ...]


def source_of(snippet: Any) -> str:
    """Where a snippet comes from, for the last column."""
    return str(snippet.get("source") or "") if isinstance(snippet, dict) else ""


def table_lines(
    packing: Packing[Any],
    console: Console,
    rows: int = 0,
    last: tuple[str, Callable[[Any], str]] = ("source", source_of),
) -> list[str]:
    """Draw the chosen snippets in input order, then the others by value; at most *rows* of each, 0 for all.

    Sections that limit something, and tiers, follow in a sentence each.

    *last* is the name of the last column, and what it says of a snippet. Width and colours are those of
    *console*; nothing is printed.
    """
    name, about = last
    inside, outside = len(packing.selected), len(packing.dropped)
    most = rows or inside + outside
    selected, dropped = iter(packing.selected), iter(packing.dropped)
    chosen = ((decision, next(selected)) for decision in packing.decisions if decision.chosen)
    left_out = ((decision, next(dropped)) for decision in packing.decisions if not decision.chosen)
    parts = [
        [*(_cells(*pair, about) for pair in islice(chosen, most)), *_hidden(inside - most)],
        [*(_cells(*pair, about) for pair in nlargest(most, left_out, key=_value)), *_hidden(outside - most)],
    ]
    used, available = shares(packing)
    totals = (
        "",
        f"{inside:,} of {inside + outside:,} in",
        number(used),
        number(packing.value),
        f"of {number(max(0, available))} tokens",
        "",
    )
    names = (*_COLUMNS, name)
    drawn = [*parts[0], *parts[1], totals]
    gap = _GAP if sum(_widths(names, drawn, console.width, _GAP)[:_FIXED]) + 4 * _GAP <= console.width else 1
    widths = _widths(names, drawn, console.width, gap)
    table = _empty_table(names, totals, widths, gap)
    # On a terminal that is narrower still, the lines wrap; nothing is squeezed to nothing.
    table.width = sum(widths) + gap * (len(widths) - 1)
    for part in parts:
        for cells in part:
            table.add_row(*_styled(cells[: len(table.columns)]))
        table.add_section()
    with console.capture() as captured:
        console.print(table, crop=False)
    told = part_lines(packing)
    return [line.rstrip() for line in captured.get().splitlines()] + (["", *told] if told else [])


def _widths(names: Cells, rows: list[Cells], width: int, gap: int) -> list[int]:
    """Numbers are never cut; the id gives way first, then the reason; a source is shown where it has room."""
    longest = [max(len(name), *(cell_len(row[column]) for row in rows)) for column, name in enumerate(names)]
    mark, id, tokens, value, why, source = longest
    left = width - mark - tokens - value - 4 * gap
    id = max(_SHORTEST, min(id, _LONGEST_ID, left - why))
    why = max(_SHORTEST, min(why, left - id))
    left -= id + why + gap
    has_source = source > len(names[-1]) and left >= min(_SHORTEST_SOURCE, source)
    return [mark, id, tokens, value, why, *([min(source, left)] if has_source else [])]


def _empty_table(names: Cells, totals: Cells, widths: list[int], gap: int) -> Table:
    """The columns, and the totals at their feet."""
    table = Table(
        box=box.SIMPLE_HEAD, padding=(0, gap - 1, 0, 0), pad_edge=False, show_edge=False, show_footer=True
    )
    for name, total, width in zip(names, totals, widths):  # noqa: B905  # the source may have no room
        justify: JustifyMethod = "right" if name in ("tokens", "value") else "left"
        table.add_column(name, total, justify=justify, no_wrap=True, width=width)
    return table


def summary(packing: Packing[Any]) -> str:
    """Say in one line what was packed and what is proven."""
    kept = f" ({number(packing.reserve)} kept free)" if packing.reserve else ""
    counted = ""
    if packing._rendered is not None:
        counted = f", {'counted' if packing.exact else 'estimated'} by {packing._rendered.counter}"
    return f"packed {headline(packing)}{kept}{counted}"


def _cells(decision: Decision, snippet: Any, about: Callable[[Any], str]) -> Cells:
    return (
        "✓" if decision.chosen else "✗",
        harmless(decision.id),
        number(decision.cost),
        number(decision.value),
        _why(decision),
        harmless(about(snippet)),
    )


def _value(pair: tuple[Decision, Any]) -> int | float:
    return pair[0].value


def _hidden(count: int) -> list[Cells]:
    return [("", f"... {count:,} more", "", "", "", "")] if count > 0 else []


def _styled(cells: Cells) -> Iterator[Text]:
    mark, *others = cells
    inside = mark == "✓"
    yield Text(mark, "green" if inside else "red")
    style = "bold" if "pinned" in others[3:4] else "" if inside else "dim"
    for cell in others:
        yield Text(cell, style, overflow="ellipsis")


def _why(decision: Decision) -> str:
    """The reason with the number that matters; cost and value have columns of their own."""
    reason = decision.reason.replace("_", " ")
    if decision.chosen:
        return reason if decision.form == "full" else f"{reason} as {harmless(decision.form)}"
    for fact, where in _TELLING:
        if decision.reason == where and fact in decision.detail:
            found = decision.detail[fact]
            return f"{reason}: {harmless(', '.join(map(str, found)) if isinstance(found, list) else found)}"
    if decision.reason == "section_full":
        return f"section full: {harmless(decision.detail['section'])}"
    if decision.reason == "tier":
        return f"tier {digits(decision.detail['tier'])}: {number(decision.detail['left'])} left"
    for fact, word in (("missing", "short"), ("over", "over")):
        if decision.detail.get(fact):
            return f"{reason}: {number(decision.detail[fact])} {word}"
    return reason
