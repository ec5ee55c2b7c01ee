"""The table for people: what is in, what is out, and why; and the summary in one line."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from itertools import islice
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from haversack import Decision, Packing
from haversack._sentences import number

_CONTROL = dict.fromkeys((*range(32), *range(127, 160)), "�")
_WIDE = 110  # columns from which on there is room for a snippet's source


def table_lines(packing: Packing[Any], console: Console, rows: int = 0) -> list[str]:
    """Draw the chosen snippets in input order, then the others by value; at most *rows* of each, 0 for all.

    Width and colours are those of *console*; nothing is printed.
    """
    inside, outside = len(packing.selected), len(packing.dropped)
    most = rows or inside + outside
    selected, dropped = iter(packing.selected), iter(packing.dropped)
    chosen = ((decision, next(selected)) for decision in packing.decisions if decision.chosen)
    left_out = ((decision, next(dropped)) for decision in packing.decisions if not decision.chosen)
    parts = [list(islice(chosen, most)), nlargest(most, left_out, key=lambda pair: pair[0].value)]
    with_source = console.width >= _WIDE and any(_source(snippet) for part in parts for _, snippet in part)

    table = _empty_table(packing, with_source)
    for part, hidden in zip(parts, (inside - most, outside - most), strict=True):
        for decision, snippet in part:
            table.add_row(*_row(decision, _source(snippet) if with_source else None))
        if hidden > 0:
            table.add_row("", Text(f"... {hidden:,} more", "dim"))
        table.add_section()
    with console.capture() as captured:
        console.print(table)
    return captured.get().splitlines()


def _empty_table(packing: Packing[Any], with_source: bool) -> Table:
    """The columns, and the totals at their feet."""
    inside, offered = len(packing.selected), len(packing.decisions)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, show_footer=True)
    table.add_column("", min_width=1)
    table.add_column("id", f"{inside:,} of {offered:,} in", no_wrap=True, max_width=36)
    table.add_column("tokens", f"{packing.cost:,}", justify="right", no_wrap=True, min_width=6)
    table.add_column("value", number(packing.value), justify="right", no_wrap=True, min_width=6)
    table.add_column("why", f"of {max(0, packing.capacity):,} tokens", no_wrap=True)
    if with_source:
        table.add_column("source", no_wrap=True)
    return table


def summary(packing: Packing[Any]) -> str:
    """Say in one line what was packed and what is proven."""
    inside = len(packing.selected)
    count = f"packed {inside:,} of {inside + len(packing.dropped):,} snippets"
    proof = "proven optimal" if packing.optimal else f"at most {number(packing.gap)} below the optimum"
    kept = f" ({packing.budget:,} less a reserve of {packing.reserve:,})" if packing.reserve else ""
    tokens = f"{packing.cost:,} of {max(0, packing.capacity):,} tokens{kept}"
    return f"{count}: {tokens}, value {number(packing.value)}, {proof}"


def plain(text: object) -> str:
    """Make a text from a file harmless on a terminal: no control characters."""
    return str(text).translate(_CONTROL)


def _row(decision: Decision, source: str | None) -> Iterator[Text]:
    yield Text("✓", "green") if decision.chosen else Text("✗", "red")
    style = "bold" if decision.reason == "pinned" else "" if decision.chosen else "dim"
    cells = [str(decision.id), f"{decision.cost:,}", number(decision.value), _why(decision)]
    for cell in cells if source is None else [*cells, source]:
        yield Text(plain(cell), style, overflow="ellipsis")


def _why(decision: Decision) -> str:
    """The reason with the number that matters; cost and value have columns of their own."""
    reason = decision.reason.replace("_", " ")
    for fact in ("missing", "over"):
        if not decision.chosen and fact in decision.detail:
            return f"{reason}: {decision.detail[fact]:,} {fact}"
    return reason


def _source(snippet: Any) -> str:
    return str(snippet.get("source") or "") if isinstance(snippet, dict) else ""
