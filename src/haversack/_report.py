"""A packing as text for people: the headline, the table that `print` shows, the full account."""

from __future__ import annotations

from haversack._evidence import accounts, valued
from haversack._figures import digits, harmless, number, tokens
from haversack._parts import filling, merged_lines, part_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from haversack._decision import Decision
    from haversack._packing import Packing

ROWS = 40
ID_WIDTH = 32


def headline(packing: Packing[Any]) -> str:
    """Return the one line: snippets, tokens, value, proof."""
    offered = len(packing.decisions)
    over = f" ({number(packing.over_budget)} over)" if packing.over_budget else ""
    estimate = " (estimated)" if packing.exact is False else ""
    used, available = shares(packing)
    worth = f"value {number(packing.value)}{valued(packing)}"
    proof = "optimal" if packing.optimal else f"at most {gap(packing)} below the best"
    return (
        f"{len(packing._outcome.chosen):,} of {offered:,} {packing._noun}{'' if offered == 1 else 's'}, "
        f"{number(used)} of {number(max(0, available))} tokens{estimate}{over}, "
        f"{worth}, {proof}"
    )


def shares(packing: Packing[Any]) -> tuple[int, int]:
    """Return the tokens that are used and those there were: of a text as recounted, else as charged."""
    if packing._rendered is not None:
        return packing._rendered.used, packing.budget - packing.reserve
    return packing.cost, packing.capacity


def gap(packing: Packing[Any]) -> str:
    """Return the gap in words; with tiers, of the first tier that has one."""
    if packing.values_by_tier is None:
        return number(packing.gap)
    tier, most = next(
        (tier, most) for tier, most in zip(packing.values_by_tier, packing.gap, strict=True) if most
    )
    return f"{number(most)} in tier {digits(tier)}"


def printed(packing: Packing[Any]) -> str:
    """Return the headline over a table of the decisions, the first 40 of them."""
    rows = [_row(decision) for decision in packing.decisions[:ROWS]]
    lines = [f"Packing: {headline(packing)}"]
    if rows:
        lines += ["", *_aligned([("", "id", "tokens", "value", "why"), *rows])]
    more = len(packing.decisions) - len(rows)
    if more:
        lines.append(f"... and {more:,} more")
    parts = part_lines(packing)
    if parts:
        lines += ["", *parts]
    return "\n".join(lines)


def explained(packing: Packing[Any]) -> str:
    """Return the account: where the tokens went, what was proven, one sentence a snippet."""
    lines = [f"Packed {headline(packing)}.", _tokens(packing), _proof(packing)]
    if packing.over_budget:
        lines.append(f"What must be in is over the capacity by {tokens(packing.over_budget)}.")
    lines += [*part_lines(packing, labels=True), *merged_lines(packing)]
    lines += accounts(packing)
    return "\n".join([*lines, "", *map(str, packing.decisions)])


def _tokens(packing: Packing[Any]) -> str:
    taken = f" less a reserve of {number(packing.reserve)}" if packing.reserve else ""
    if packing.frame:
        taken += f" {'and' if taken else 'less'} a frame of {number(packing.frame)}"
    pins = f"; the pins take {number(packing._outcome.pinned_cost)}" if any(packing._model.pinned) else ""
    used, available = shares(packing)
    unused = number(max(0, available - used))
    return f"Budget {tokens(packing.budget)}{taken}{pins}; {unused} stay unused.{_recount(packing)}"


def _recount(packing: Packing[Any]) -> str:
    if packing._rendered is None:
        return ""
    joins = packing.statistics["joins"]
    how = f"{'counted' if packing.exact else 'estimated'} by {packing._rendered.counter}"
    differs = f", {number(abs(joins))} {'more' if joins > 0 else 'fewer'} than charged" if joins else ""
    return f" The text is {tokens(packing._rendered.tokens)}, {how} as a whole{differs}."


def _proof(packing: Packing[Any]) -> str:
    if packing.optimal:
        by_tier = "" if packing.values_by_tier is None else ", the first tier first"
        return f"Optimal: no selection that fits{filling(packing)} is worth more{by_tier}."
    most = (
        "" if packing.values_by_tier is not None else f"the best is worth {number(packing.bound)} at most, "
    )
    return f"Not proven optimal within the effort: {most}{gap(packing)} more than this."


def _row(decision: Decision) -> tuple[str, ...]:
    id = harmless(decision.id)
    shown = id if len(id) <= ID_WIDTH else f"{id[: ID_WIDTH - 3]}..."
    return (
        "+" if decision.chosen else "-",
        shown,
        number(decision.cost),
        number(decision.value),
        _short(decision),
    )


def _short(decision: Decision) -> str:
    """Return the reason for a table, which has the cost and the value in columns of their own."""
    facts = decision.detail
    where = f" of {facts['section']!r}" if "section" in facts else ""
    match decision.reason:
        case "pinned" | "free" | "chosen" if decision.form != "full":
            return f"{decision.reason} as {decision.form!r}"
        case "too_long":
            limit = f"cap{where}" if where else f"capacity of {number(facts['capacity'])}"
            return f"too long: {number(facts['over'])} over the {limit}"
        case "no_room":
            return f"no room: the pins leave {number(facts['room'])}{where}"
        case "requires" if "missing" in facts:
            return f"requires {', '.join(map(repr, facts['missing'][:3]))}"
        case "group":
            return f"group {facts['group']!r}: {facts['because'].replace('_', ' ')}"
        case "one_of" if "rivals" in facts:
            return f"one of {facts['one_of']!r}: {', '.join(map(repr, facts['rivals'][:3]))} come together"
        case "one_of":
            return f"one of {facts['one_of']!r}: {facts['winner']!r} is in"
        case "section_full":
            return f"section {facts['section']!r} is full: {tokens(facts['over'])} short"
        case "tier":
            return f"tier {digits(facts['tier'])}: better ones leave {number(facts['left'])}"
        case "outvalued" if "prefix_end" in facts:
            return "outvalued by the kept beginning"
        case "outvalued":
            return f"outvalued: {tokens(facts['missing'])} short" if facts["missing"] else "outvalued"
    return decision.reason


def _aligned(rows: list[tuple[str, ...]]) -> Iterable[str]:
    """Return the lines of a table, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for mark, id, cost, value, reason in rows:
        line = f"{mark:{widths[0]}} {id:{widths[1]}}  {cost:>{widths[2]}}  {value:>{widths[3]}}  {reason}"
        yield line.rstrip()
