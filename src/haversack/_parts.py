"""The parts of a packing in words: its sections, its tiers, the snippets that count as one."""

from __future__ import annotations

from haversack._figures import digits, number
from haversack._sentences import way_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
    tiers = packing.values_by_tier or {}
    return [
        f"Tier {digits(tier)}: value {number(value)}{_starved(packing, at)}."
        for at, (tier, value) in enumerate(tiers.items())
    ]


def merged_lines(packing: Packing[Any]) -> list[str]:
    """Return a sentence for each set of snippets that require each other."""
    return [
        f"Snippets that require each other count as one: {', '.join(map(repr, merged))}."
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


def _starved(packing: Packing[Any], tier: int) -> str:
    """Of a tier for which the pins leave no room: what is the least that would let something of it in."""
    structure = packing._model.structure
    assert structure is not None
    found = [one for one, of in zip(packing.decisions, structure.tier_of, strict=True) if of == tier]
    lacking = [one.detail for one in found if "no_room" in (one.reason, one.detail.get("because"))]
    if not lacking or any(one.chosen for one in found):
        return ""
    least = min(lacking, key=lambda facts: (len(facts.get("unpin", found)), facts["over"]))
    return f", as nothing of it fits beside the pins{way_out(least)}"
