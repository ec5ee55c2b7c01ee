"""What binds snippets together, worked out once: units, what they need, who is in for certain.

A unit is a snippet, or several that go in or out together: a group, or snippets that require each other.
Units are numbered so that what a unit needs comes before it.
"""

from __future__ import annotations

from haversack._links import Links, no_links
from haversack._numbers import Place
from haversack._scale import Scale
from haversack._sections import Plan
from haversack._snippet import Section
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, NoReturn

    from haversack._coerce import Table

FREE, IN, OUT = 0, 1, 2

_MOST_UNITS = 30_000  # whose requirements are followed to the end: a bit for each pair


class Structure:
    """Snippets by position, units by number; immutable once built."""

    __slots__ = (
        "choice_of", "choices", "costs", "declared",
        "direct", "least", "most", "numbered", "explicit", "has_tiers", "homes", "ids", "links",
        "members", "merged", "needs", "pinned", "plan", "profits", "root", "scale", "tier_of", "tiers",
        "unit_of", "users", "values",
    )  # fmt: skip

    def __init__(self, table: Table, sections: Mapping[str, Section] | None) -> None:
        links = table.links or no_links(len(table.ids))
        self.ids = table.ids
        self.links: Links = links
        self.explicit: bytes = table.pinned
        self.declared = sections
        rows: Any = table.forms
        self.costs: list[list[int]] = [[form.cost for form in forms] for forms in rows]
        self.least = list(map(min, self.costs))
        self.most = list(map(max, self.costs))
        self.numbered = [list(enumerate(costs)) for costs in self.costs]
        self.values: list[list[int | float]] = [[form.value for form in forms] for forms in rows]
        self.scale = Scale(value for values in self.values for value in values)
        profit = self.scale.profit
        integral: Any = self.values
        self.profits: list[list[int]] = (
            integral
            if self.scale.integral
            else [[profit(value) for value in values] for values in self.values]
        )
        self._place_in_sections(sections)
        self._choose_alternatives()
        self._find_units()
        self._rank_tiers()
        self.root = self._certain()
        self.pinned = bytes(self.root[unit] == IN for unit in self.unit_of)

    def _place_in_sections(self, sections: Mapping[str, Section] | None) -> None:
        labels = self.links.sections
        if sections is None:
            sections = {label: Section() for label in labels if label is not None}
        self.plan = Plan(sections)
        number = {name: at for at, name in enumerate(self.plan.names)}
        self.homes = [-1 if label is None else number.get(label, -2) for label in labels]
        if -2 in self.homes:
            self._refuse_undeclared(self.homes.index(-2))

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
        by_name: dict[str, list[int]] = {}
        for position, name in enumerate(self.links.choices):
            if name is not None:
                by_name.setdefault(name, []).append(position)
        self.choices = [positions for positions in by_name.values() if len(positions) > 1]
        self.choice_of = [-1] * len(self.ids)
        for choice, positions in enumerate(self.choices):
            for position in positions:
                self.choice_of[position] = choice

    def _find_units(self) -> None:
        size, requires = len(self.ids), self.links.requires
        groups: dict[str, list[int]] = {}
        for position, name in enumerate(self.links.groups):
            if name is not None:
                groups.setdefault(name, []).append(position)
        ahead = requires
        if groups:
            # A group is a node that its members require and that requires them all.
            ahead = [list(needed) for needed in requires]
            for members in groups.values():
                for position in members:
                    ahead[position].append(len(ahead))
                ahead.append(members)
        found = components(ahead) if any(ahead) else [[position] for position in range(size)]
        self.members = [
            kept for component in found if (kept := sorted(one for one in component if one < size))
        ]
        self.unit_of = [0] * size
        for unit, members in enumerate(self.members):
            for position in members:
                self.unit_of[position] = unit
        self.needs: list[list[int]] = [[] for _ in self.members]
        self.users: list[list[int]] = [[] for _ in self.members]
        for unit, members in enumerate(self.members):
            needed = {self.unit_of[other] for position in members for other in requires[position]} - {unit}
            self.needs[unit] = sorted(needed)
            for other in self.needs[unit]:
                self.users[other].append(unit)
        self.direct = _without_indirect(self.needs)
        whole_groups = {tuple(members) for members in groups.values()}
        self.merged = [
            members for members in self.members if len(members) > 1 and tuple(members) not in whole_groups
        ]

    def _rank_tiers(self) -> None:
        """Give units the best tier among their members and all that need them."""
        given = self.links.tiers
        self.has_tiers = self.links.has_tiers
        self.tiers = sorted(set(given)) or [0]
        if len(self.tiers) == 1:
            self.tier_of = [0] * len(given)
            return
        rank = {tier: at for at, tier in enumerate(self.tiers)}
        of_unit = [min(rank[given[position]] for position in members) for members in self.members]
        for unit in range(len(self.members) - 1, -1, -1):
            for needed in self.needs[unit]:
                of_unit[needed] = min(of_unit[needed], of_unit[unit])
        self.tier_of = [of_unit[unit] for unit in self.unit_of]

    def _certain(self) -> bytearray:
        """Return what pins decide: pinned units with all they need are in, rivals of those are out."""
        pins = {self.unit_of[position] for position, pin in enumerate(self.explicit) if pin}
        torn = [unit for unit, members in enumerate(self.members) if self._has_rivals(members)]
        state = self.fixed(bytearray(len(self.members)), pins, torn)
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
        why = f" ({', '.join(repr(self.ids[one]) for one in forced)} by what needs it)" if forced else ""
        error = InputError(
            f"pinned are {', '.join(map(repr, ids))}{why}, but at most one of one_of {name!r} can be in: "
            f"unpin all but one of them, or take them out of {name!r}",
            path=f"snippets[{rivals[1]}].one_of", id=ids[1], field="one_of", found=name,
        )  # fmt: skip
        error.conflict = {"one_of": name, "pinned": ids}
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


def components(ahead: list[list[int]]) -> list[list[int]]:
    """Return the strongly connected components, those led to before those that lead there (Tarjan 1972).

    >>> components([[1], [0], [1], []])
    [[0, 1], [2], [3]]
    """
    unseen, done = -1, len(ahead)
    low = [unseen] * len(ahead)
    count = 0
    stack: list[int] = []
    found: list[list[int]] = []
    for start in range(len(ahead)):
        if low[start] != unseen:
            continue
        if not ahead[start]:
            low[start] = done
            found.append([start])
            continue
        low[start] = count
        way = [(start, iter(ahead[start]), count, len(stack))]
        stack.append(start)
        count += 1
        while way:
            node, rest, number, height = way[-1]
            for other in rest:
                if low[other] == unseen:
                    if not ahead[other]:
                        low[other] = done
                        found.append([other])
                        continue
                    low[other] = count
                    way.append((other, iter(ahead[other]), count, len(stack)))
                    stack.append(other)
                    count += 1
                    break
                low[node] = min(low[node], low[other])
            else:
                way.pop()
                if way:
                    above = way[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == number:
                    found.append(sorted(stack[height:]))
                    for other in stack[height:]:
                        low[other] = done
                    del stack[height:]
    return found
