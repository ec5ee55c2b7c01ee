"""The parts of a packing in words: its sections, its tiers, the snippets that count as one."""

from __future__ import annotations

from math import inf

from haversack._figures import digits, number
from haversack._sentences import listed, way_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._decision import Decision
    from haversack._packing import Packing


def part_lines(packing: Packing[Any], labels: bool = False) -> list[str]:
    """Return a sentence a section and a tier; with `labels` also of sections that limit nothing."""
    lines = [
        _section(name, row)
        for name, row in packing.sections.items()
        if labels or row["cap"] is not None or row["floor"]
    ]
    return lines + tier_lines(packing)


def tier_lines(packing: Packing[Any]) -> list[str]:
    """Return a sentence a tier."""
    tiers = packing.values_by_tier
    if tiers is None:
        return []
    lacking = _lacking(packing)
    return [
        f"Tier {digits(tier)}: value {number(value)}{_starved(lacking[at])}."
        for at, (tier, value) in enumerate(tiers.items())
    ]


def merged_lines(packing: Packing[Any]) -> list[str]:
    """Return a sentence for each set of snippets that require each other."""
    return [
        f"Snippets that require each other count as one: {listed(merged)}."
        for merged in packing.statistics.get("merged", ())
    ]


def filling(packing: Packing[Any]) -> str:
    """Say what comes before the value, where anything does."""
    has_floors = any(row["floor"] for row in packing.sections.values())
    return " and lacks no more of the floors" if has_floors else ""


def excess(row: dict[str, Any]) -> str:
    """Say what a section is over its cap, and what it lacks of its floor."""
    told = [f"{number(row['over'])} over, which its pins need"] if row["over"] else []
    if row["shortfall"]:
        told.append(f"{number(row['shortfall'])} short of its floor of {number(row['floor'])}")
    return ", ".join(told)


def _section(name: str, row: dict[str, Any]) -> str:
    cap = "" if row["cap"] is None else f" of {number(row['cap'])}"
    unit = "token" if (row["used"] if row["cap"] is None else row["cap"]) == 1 else "tokens"
    told = excess(row)
    return f"Section {name!r}: {number(row['used'])}{cap} {unit}{', ' if told else ''}{told}."


def _lacking(packing: Packing[Any]) -> list[list[Decision]]:
    """Of each tier that is empty the decisions on what has no room beside the pins."""
    structure = packing._model.structure
    assert structure is not None
    found: list[list[Decision]] = [[] for _ in structure.tiers]
    filled = {structure.tier_of[position] for position in packing._outcome.chosen}
    for decision, tier in zip(packing.decisions, structure.tier_of, strict=True):
        if tier not in filled and "no_room" in (decision.reason, decision.detail.get("because")):
            found[tier].append(decision)
    return found


def _starved(lacking: list[Decision]) -> str:
    """Of a tier for which the pins leave no room: what is the least that would let something of it in."""
    if not lacking:
        return ""
    facts = [decision.detail for decision in lacking]
    least = min(facts, key=lambda one: (len(one["unpin"]) if "unpin" in one else inf, one["over"]))
    return f", as nothing of it fits beside the pins{way_out(least)}"
