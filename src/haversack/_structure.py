"""What binds snippets together, worked out once: units, what they need, who is in for certain.

A unit is a snippet, or several that go in or out together: a group, or snippets that require each other.
Units are numbered so that what a unit needs comes before it.
"""

from __future__ import annotations

from haversack import _core
from haversack._links import Links, no_links
from haversack._numbers import Place
from haversack._sections import Plan
from haversack._snippet import Section
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, NoReturn

    from haversack._coerce import Table
    from haversack._options import Plain

FREE, IN, OUT = 0, 1, 2

_MOST_UNITS = 30_000  # whose requirements are followed to the end: a bit for each pair


class Structure:
    """Snippets by position, units by number; immutable once built, lists of lists are made on first use.

    `bound` are the units that need others or have several members, by their first members; `direct` are
    the needs that no other need brings along; `load` are the most tokens that lie directly in each section,
    and (last) in none.
    """

    __slots__ = (
        "_costs", "_profits", "_values", "bound", "choice_of", "choices", "declared", "direct", "explicit",
        "has_tiers", "homes", "ids", "least", "links", "load", "members", "merged", "most", "needs",
        "options", "pinned", "plan", "root", "scale", "tier_of", "tiers", "unit_of", "users",
    )  # fmt: skip

    def __init__(self, read: Table | Plain, sections: Mapping[str, Section] | None) -> None:
        self.ids = read.ids
        self.links: Links = read.links or no_links(len(read.ids))
        self.explicit = read.pinned
        self.declared = sections
        self.options = read.options
        self.scale = self.options.scale
        self.least, self.most = _core.extremes(self.options.begin, self.options.costs)
        self._costs: list[list[int]] | None = None
        self._values: list[list[int | float]] | None = None
        self._profits: list[list[int]] | None = None
        self._place_in_sections(sections)
        self._choose_alternatives()
        self._find_units()
        self._rank_tiers()
        self.root = self._certain()
        self.pinned = bytes(len(self.ids))
        if any(self.root):
            self.pinned = bytes(self.root[unit] == IN for unit in self.unit_of)

    @property
    def costs(self) -> list[list[int]]:
        """The tokens of each snippet's forms."""
        if self._costs is None:
            self._costs = self.options.rows(self.options.costs)
        return self._costs

    @property
    def values(self) -> list[list[int | float]]:
        """The values of each snippet's forms."""
        if self._values is None:
            self._values = self.options.rows(self.options.values)
        return self._values

    @property
    def profits(self) -> list[list[int]]:
        """The values of each snippet's forms as integers, by the common scale."""
        if self._profits is None:
            self._profits = self.options.rows(self.options.profits)
        return self._profits

    def _place_in_sections(self, sections: Mapping[str, Section] | None) -> None:
        labels = self.links.sections
        if sections is None:
            sections = {label: Section() for label in labels if label is not None}
        self.plan = Plan(sections)
        number: dict[str | None, int] = {name: at for at, name in enumerate(self.plan.names)}
        number[None] = -1
        homes: list[Any] = list(map(number.get, labels))
        if None in homes:
            self._refuse_undeclared(homes.index(None))
        self.homes: list[int] = homes
        self.load = [0] * (len(number))
        for home, most in zip(self.homes, self.most, strict=True):
            self.load[home] += most

    def _refuse_undeclared(self, position: int) -> NoReturn:
        from haversack._fields import nearest

        label, names = self.links.sections[position], self.plan.names
        assert label is not None
        likely = nearest(label, names)
        hint = f"did you mean {likely!r}?" if likely else "declared are: " + (", ".join(names) or "none")
        Place("snippets", position, self.ids[position]).refuse(
            "section", f"is {label!r}, which sections= does not declare; {hint}", label
        )

    def _choose_alternatives(self) -> None:
        by_name = _by_name(self.links.choices)
        self.choices = [positions for positions in by_name.values() if len(positions) > 1]
        self.choice_of = [-1] * len(self.ids)
        for choice, positions in enumerate(self.choices):
            for position in positions:
                self.choice_of[position] = choice

    def _find_units(self) -> None:
        groups = list(_by_name(self.links.groups).values())
        self.members, self.unit_of, self.needs, self.users = _core.units_of(self.links.requires, groups)
        self.direct = _without_indirect(self.needs)
        whole = set(map(tuple, groups))
        self.merged = [
            members for members in self.members if len(members) > 1 and tuple(members) not in whole
        ]
        bound = [unit for unit, needs in enumerate(self.needs) if needs or len(self.members[unit]) > 1]
        self.bound = sorted(bound, key=self.members.__getitem__)

    def _rank_tiers(self) -> None:
        """Give units the best tier among their members and all that need them."""
        given = self.links.tiers
        self.has_tiers = self.links.has_tiers
        self.tiers = sorted(set(given)) or [0]
        self.tier_of = [0] * len(given)
        if len(self.tiers) == 1:
            return
        rank = {tier: at for at, tier in enumerate(self.tiers)}
        of_unit = [min(rank[given[position]] for position in members) for members in self.members]
        for unit in range(len(self.members) - 1, -1, -1):
            for needed in self.needs[unit]:
                of_unit[needed] = min(of_unit[needed], of_unit[unit])
        self.tier_of = [of_unit[unit] for unit in self.unit_of]

    def _certain(self) -> bytearray:
        """Return what is decided: pins with all they need are in, their rivals and the excluded are out."""
        pins = {self.unit_of[position] for position, pin in enumerate(self.explicit) if pin}
        out = [self.unit_of[position] for position in self.links.excluded]
        if self.choices:
            out += [unit for unit, members in enumerate(self.members) if self._has_rivals(members)]
        state = self.fixed(bytearray(len(self.members)), pins, out)
        if state is None:
            self._refuse_rival_pins(pins)
        return state

    def _has_rivals(self, members: list[int]) -> bool:
        choices = [self.choice_of[position] for position in members if self.choice_of[position] >= 0]
        return len(choices) > len(set(choices))

    def _refuse_rival_pins(self, pins: Iterable[int]) -> NoReturn:
        inside = self.closure(pins)
        by_choice: dict[int, list[int]] = {}
        for unit in inside:
            for position in self.members[unit]:
                by_choice.setdefault(self.choice_of[position], []).append(position)
        choice = next(one for one, rivals in by_choice.items() if one >= 0 and len(rivals) > 1)
        rivals = sorted(by_choice[choice])
        ids = [self.ids[position] for position in rivals]
        name = self.links.choices[rivals[0]]
        forced = [position for position in rivals if not self.explicit[position]]
        from haversack._unpinning import fewest_rivals

        unpin = [self.ids[one] for one in fewest_rivals(self)]
        why = f" ({', '.join(repr(self.ids[one]) for one in forced)} by what needs it)" if forced else ""
        error = InputError(
            f"pinned are {', '.join(map(repr, ids))}{why}, but at most one of one_of {name!r} can be in: "
            f"unpin {', '.join(map(repr, unpin))}, or take all but one of them out of {name!r}",
            path=f"snippets[{rivals[1]}].one_of", id=ids[1], field="one_of", found=name,
        )  # fmt: skip
        error.conflict = {"one_of": name, "pinned": ids, "unpin": unpin}
        raise error

    def closure(self, units: Iterable[int]) -> set[int]:
        """Return some units with all they need."""
        found, todo = set(units), list(units)
        while todo:
            for needed in self.needs[todo.pop()]:
                if needed not in found:
                    found.add(needed)
                    todo.append(needed)
        return found

    def fixed(self, state: bytearray, inside: Iterable[int], outside: Iterable[int]) -> bytearray | None:
        """Return the state with more units decided and all that follows, or None where that contradicts."""
        state = bytearray(state)
        todo = [(unit, IN) for unit in inside] + [(unit, OUT) for unit in outside]
        while todo:
            unit, side = todo.pop()
            if state[unit] == side:
                continue
            if state[unit] != FREE:
                return None
            state[unit] = side
            todo += [(other, side) for other in (self.needs if side == IN else self.users)[unit]]
            if side == IN:
                todo += [(rival, OUT) for rival in self._rivals(unit)]
        return state

    def _rivals(self, unit: int) -> list[int]:
        """The units of the alternatives to a unit's members; itself, where it is torn."""
        return [
            self.unit_of[other]
            for position in self.members[unit]
            if self.choice_of[position] >= 0
            for other in self.choices[self.choice_of[position]]
            if other != position
        ]

    def key(self) -> tuple[object, ...]:
        """What makes two structures equal."""
        return self.explicit, self.costs, self.values, self.links, self.plan

    def spread(self, costs: Iterable[tuple[int, int]]) -> list[int]:
        """Add tokens by position up in their sections, and in the whole (last)."""
        sums = [0] * (len(self.plan.names) + 1)
        for position, cost in costs:
            sums[self.homes[position]] += cost
        for section in self.plan.inner_first:
            sums[self.plan.parents[section]] += sums[section]
        return sums


def _by_name(names: list[str | None]) -> dict[str, list[int]]:
    """Return the positions of each name, in order."""
    found: dict[str, list[int]] = {}
    if names.count(None) < len(names):
        for position, name in enumerate(names):
            if name is not None:
                found.setdefault(name, []).append(position)
    return found


def _without_indirect(needs: list[list[int]]) -> list[list[int]]:
    """Leave out of what units need what the rest of it needs anyway."""
    if all(len(needed) < 2 for needed in needs) or len(needs) > _MOST_UNITS:
        return needs
    reach: list[int] = []  # of each unit, a bit for itself and for all that it needs
    direct = []
    for unit, needed in enumerate(needs):
        known, kept = 1 << unit, []
        for other in reversed(needed):  # the last first: only an earlier one can be needed by it
            if not known >> other & 1:
                kept.append(other)
                known |= reach[other]
        reach.append(known)
        direct.append(kept[::-1])
    return direct
