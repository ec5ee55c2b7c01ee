"""A packing as HTML: a fragment for notebooks, a page of its own. Everything foreign is escaped."""

from __future__ import annotations

from html import escape

from haversack._figures import number
from haversack._parts import excess, tier_lines
from haversack._report import headline, shares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from haversack._decision import Decision
    from haversack._packing import Packing

ROWS = 20

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .3rem .6rem; text-align: left; vertical-align: top; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.out { opacity: .6; }
meter { width: 100%; height: 1.2rem; }
"""


def fragment(packing: Packing[Any]) -> str:
    """Return the headline and the first 20 decisions as a table."""
    decisions = packing.decisions
    more = len(decisions) - ROWS
    rest = f"<p>... and {more:,} more</p>" if more > 0 else ""
    head = f"<p><b>Packing</b> {escape(headline(packing))}</p>"
    return f"{head}{_parts(packing)}{_table(decisions[:ROWS])}{rest}"


def page(packing: Packing[Any]) -> str:
    """Return a page with the numbers, a bar of the tokens, sections and tiers, and every decision."""
    title = escape(headline(packing))
    used, available = shares(packing)
    share = used * 1000 // max(available, used, 1)
    bar = f'<meter min="0" max="1000" value="{share}">{number(used)} tokens</meter>'
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Packing: {title}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>Packing</h1><p>{title}</p>{bar}\n{_parts(packing)}{_table(packing.decisions[:])}\n</body></html>\n"
    )


def _parts(packing: Packing[Any]) -> str:
    """A table of the sections, and a sentence a tier."""
    sections = "".join(_section(name, row) for name, row in packing.sections.items())
    head = '<tr><th>section</th><th class="n">tokens</th><th class="n">cap</th><th></th></tr>'
    table = f"<table><thead>{head}</thead><tbody>{sections}</tbody></table>\n" if sections else ""
    return table + "".join(f"<p>{escape(line)}</p>\n" for line in tier_lines(packing))


def _section(name: str, row: dict[str, Any]) -> str:
    cap = "" if row["cap"] is None else number(row["cap"])
    return (
        f'<tr><td>{escape(name)}</td><td class="n">{number(row["used"])}</td><td class="n">{cap}</td>'
        f"<td>{escape(excess(row))}</td></tr>\n"
    )


def _table(decisions: Sequence[Decision]) -> str:
    head = '<tr><th></th><th>id</th><th class="n">tokens</th><th class="n">value</th><th>why</th></tr>'
    return f"<table><thead>{head}</thead><tbody>{''.join(map(_row, decisions))}</tbody></table>"


def _row(decision: Decision) -> str:
    mark, kind = ("&#10003;", "in") if decision.chosen else ("", "out")
    return (
        f'<tr class="{kind}"><td>{mark}</td><td>{escape(str(decision.id))}</td>'
        f'<td class="n">{number(decision.cost)}</td><td class="n">{number(decision.value)}</td>'
        f"<td>{escape(decision._why())}</td></tr>\n"
    )
