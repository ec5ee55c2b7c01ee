"""Random requests with every kind of structure, from a seed: thousands of them take seconds."""

from __future__ import annotations

from random import Random
from typing import Any

from .oracle import Sections, Snippets

FIELDS = ("variants", "group", "requires", "one_of", "section", "tier", "pinned", "floor", "float")


class Drawn:
    """One request."""

    def __init__(self, snippets: Snippets, budget: int, sections: Sections | None) -> None:
        self.snippets = snippets
        self.budget = budget
        self.sections = sections


def draw(random: Random, size: int, fields: frozenset[str] = frozenset(FIELDS), largest: int = 12) -> Drawn:
    """Draw a request of at most `size` snippets in which each of some fields may occur."""
    used = frozenset(field for field in FIELDS if field in fields and random.random() < 0.5)
    sections = _sections(random, used, largest) if "section" in used else None
    count = random.randint(1, size)
    ids = [f"s{position}" for position in range(count)]
    snippets = [_snippet(random, id, ids, used, sections, largest) for id in ids]
    return Drawn(snippets, random.randint(0, largest * 3), sections)


def _sections(random: Random, used: frozenset[str], largest: int) -> Sections:
    sections: Sections = {}
    for name in "abc"[: random.randint(1, 3)]:
        section: dict[str, Any] = {}
        if random.random() < 0.8:
            section["cap"] = random.randint(0, largest * 2)
        if sections and random.random() < 0.5:
            section["parent"] = random.choice(list(sections))
        if "floor" in used and random.random() < 0.5:
            section["floor"] = random.randint(0, min(section.get("cap", largest), largest))
        sections[name] = section
    return sections


def _value(random: Random, used: frozenset[str]) -> int | float:
    if "float" in used and random.random() < 0.7:
        return random.choice([random.random(), 0.1 * random.randint(0, 9), random.random() * 1e-9])
    return random.randint(-2, 10)


def _snippet(
    random: Random, id: str, ids: list[str], used: frozenset[str], sections: Sections | None, largest: int
) -> dict[str, Any]:  # fmt: skip
    one: dict[str, Any] = {"id": id}
    names = ["short", "title", "link"][: random.choice([0, 0, 1, 2, 3]) if "variants" in used else 0]
    if not names or random.random() < 0.7:
        one |= {"cost": random.randint(0, largest), "value": _value(random, used)}
    if names:
        one["variants"] = [
            {"name": name, "cost": random.randint(0, largest), "value": _value(random, used)}
            for name in names
        ]
    if "group" in used and random.random() < 0.4:
        one["group"] = random.choice("gh")
    if "requires" in used and random.random() < 0.5:
        one["requires"] = random.sample(ids, random.choice([1, 1, min(2, len(ids))]))
    if "one_of" in used and random.random() < 0.5:
        one["one_of"] = random.choice("xy")
    if sections and random.random() < 0.7:
        one["section"] = random.choice(list(sections))
    if "tier" in used:
        one["tier"] = random.choice([0, 1, 3])
    if "pinned" in used and random.random() < 0.25:
        one["pinned"] = True
    return one
