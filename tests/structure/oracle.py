"""The plainest judge of a structured packing: try every choice of forms, by the rules as written."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

Snippets = list[dict[str, Any]]
Sections = dict[str, dict[str, Any]]
Choice = tuple[int, ...]


class Best(NamedTuple):
    """What enumeration finds; `key` orders selections: less shortfall, more value by tier, fewer tokens."""

    shortfall: int
    values: tuple[Fraction, ...]
    cost: int


class Problem:
    """One request, read independently of the library."""

    def __init__(self, snippets: Snippets, budget: int, sections: Sections | None = None) -> None:
        self.snippets = snippets
        self.sections = sections or {}
        self.budget = budget
        self.at = {snippet["id"]: position for position, snippet in enumerate(snippets)}
        self.forms = [_forms(snippet) for snippet in snippets]
        self.requires = [[self.at[id] for id in snippet.get("requires", ())] for snippet in snippets]
        self.mates = [
            [p for p, other in enumerate(snippets) if snippet.get("group") == other.get("group") is not None]
            for snippet in snippets
        ]
        self.pinned = self._closure({p for p, snippet in enumerate(snippets) if snippet.get("pinned")})
        self.tiers = sorted({snippet.get("tier", 0) for snippet in snippets}) or [0]
        self.tier = self._tiers()
        self.inside = {
            name: [p for p, one in enumerate(snippets) if name in self._around(one.get("section"))]
            for name in self.sections
        }

    def _closure(self, positions: set[int]) -> set[int]:
        """What is in if these are."""
        while True:
            more = {q for p in positions for q in (*self.requires[p], *self.mates[p])} | positions
            if more == positions:
                return positions
            positions = more

    def _tiers(self) -> list[int]:
        """The best tier among a snippet and all whose being in would bring it in."""
        return [
            min(self.snippets[q].get("tier", 0) for q in range(len(self.snippets)) if p in self._closure({q}))
            for p in range(len(self.snippets))
        ]

    def _around(self, name: str | None) -> list[str]:
        names = []
        while name is not None:
            names.append(name)
            name = self.sections.get(name, {}).get("parent")
        return names

    def _least(self, positions: list[int]) -> int:
        return sum(min(cost for cost, _ in self.forms[p]) for p in positions if p in self.pinned)

    def allows(self, choice: Choice) -> bool:
        """Every rule but the sums."""
        names = [one.get("one_of") for p, one in enumerate(self.snippets) if choice[p] >= 0]
        named = [name for name in names if name is not None]
        return len(named) == len(set(named)) and all(
            (choice[p] >= 0 or p not in self.pinned)
            and (choice[p] < 0 or all(choice[q] >= 0 for q in (*self.requires[p], *self.mates[p])))
            for p in range(len(choice))
        )

    def cost(self, choice: Choice, positions: list[int] | None = None) -> int:
        """Tokens, in all or of some."""
        chosen = range(len(choice)) if positions is None else positions
        return sum(self.forms[p][choice[p]][0] for p in chosen if choice[p] >= 0)

    def fits(self, choice: Choice) -> bool:
        """The budget and the caps, raised to what the pins cannot do without."""
        everything = list(range(len(choice)))
        if self.cost(choice) > max(self.budget, self._least(everything)):
            return False
        return all(
            self.cost(choice, inside) <= max(self.sections[name]["cap"], self._least(inside))
            for name, inside in self.inside.items()
            if self.sections[name].get("cap") is not None
        )

    def values(self, choice: Choice) -> tuple[Fraction, ...]:
        """The value of each tier."""
        return tuple(
            sum(
                (Fraction(self.forms[p][choice[p]][1]) for p in range(len(choice))
                 if choice[p] >= 0 and self.tier[p] == tier), Fraction(0),
            )
            for tier in self.tiers
        )  # fmt: skip

    def counts(self, position: int, form: int) -> bool:
        """Does a form count towards a floor?"""
        if position in self.pinned:
            return True
        unit = [q for q in self._closure({position}) if position in self._closure({q})]
        if len(unit) > 1:
            return sum(Fraction(max(value for _, value in self.forms[q])) for q in unit) > 0
        return self.forms[position][form][1] > 0

    def shortfall(self, choice: Choice) -> int:
        """What all floors lack."""
        return sum(
            max(0, section["floor"] - sum(
                self.forms[p][choice[p]][0]
                for p in self.inside[name] if choice[p] >= 0 and self.counts(p, choice[p])
            ))
            for name, section in self.sections.items() if section.get("floor")
        )  # fmt: skip

    def choices(self) -> Iterator[Choice]:
        """Every choice that the rules and the sums allow."""
        ranges = [range(0 if p in self.pinned else -1, len(forms)) for p, forms in enumerate(self.forms)]
        for choice in product(*ranges):
            if self.fits(choice) and self.allows(choice):
                yield choice

    def judged(self, choice: Choice) -> Best:
        """The numbers of one choice."""
        return Best(self.shortfall(choice), self.values(choice), self.cost(choice))

    def best(self) -> Best | None:
        """The best of all choices; None where the pins contradict each other."""
        found = [self.judged(choice) for choice in self.choices()]
        return min(found, key=lambda one: (one.shortfall, [-v for v in one.values], one.cost), default=None)

    def removable(self, choice: Choice) -> Iterator[Choice]:
        """The choice without one of its snippets and all that cannot be in without it."""
        for gone in range(len(choice)):
            if choice[gone] >= 0 and gone not in self.pinned:
                yield tuple(-1 if gone in self._closure({p}) else form for p, form in enumerate(choice))


def _forms(snippet: dict[str, Any]) -> list[tuple[int, Any]]:
    own = [(snippet["cost"], snippet["value"])] if "cost" in snippet else []
    return own + [(variant["cost"], variant["value"]) for variant in snippet.get("variants", ())]


def names_of(snippet: dict[str, Any]) -> list[str]:
    """The names of a snippet's forms, in the same order."""
    return (["full"] if "cost" in snippet else []) + [one["name"] for one in snippet.get("variants", ())]
