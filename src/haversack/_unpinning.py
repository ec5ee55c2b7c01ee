"""The fewest pins that have to go: so that the rest fits, alone or beside a snippet, or excludes no other."""

from __future__ import annotations

from haversack._rooms import Rooms
from haversack._snippet import Section
from haversack._structure import IN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Any

    from haversack._coerce import Table
    from haversack._structure import Structure

    Limits = Sequence[int | None]  # tokens of each section, and of the whole last
    Unpinned = tuple[list[int], bool]  # positions, and whether no fewer would do


class Unpinning:
    """The pins of a structure, and how few of them would have to go."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.pins = [position for position, pin in enumerate(structure.explicit) if pin]
        inside = [unit for unit, state in enumerate(structure.root) if state == IN]
        # Pins that bring nothing else in: of these the costliest are the fewest.
        self.are_alone = all(
            len(structure.members[unit]) == 1 and not structure.needs[unit] for unit in inside
        )
        self._costliest: list[list[int]] | None = None
        self._taken: list[int] | None = None

    def fewest(self, limits: Limits, beside: Collection[int] = ()) -> Unpinned | None:
        """Return the fewest pins without which all fits, each in its cheapest form; None if nothing helps.

        `beside` are units that are to be in, with all they need, though they are not pinned. Of equally few
        pins it is those that free the most tokens.
        """
        return self._by_cost(limits, beside) if self.are_alone else self._by_packing(limits, beside)

    def _by_cost(self, limits: Limits, beside: Collection[int]) -> Unpinned | None:
        """Sections inside first: what is costliest there frees the most around it, too."""
        structure = self.structure
        needed = structure.closure(beside)
        if self._taken is None:
            self._taken = structure.spread((one, structure.least[one]) for one in self.pins)
        used = list(self._taken)
        for unit in needed:
            for one in structure.members[unit] if structure.root[unit] != IN else ():
                for at in self._around(one):
                    used[at] += structure.least[one]
        gone: dict[int, None] = {}
        for section in (*structure.plan.inner_first, len(limits) - 1):
            limit = limits[section]
            if limit is None or used[section] <= limit:
                continue
            for one in self._costliest_in(section):
                if one not in gone and structure.unit_of[one] not in needed:
                    gone[one] = None
                    for at in self._around(one):
                        used[at] -= structure.least[one]
                if used[section] <= limit:
                    break
            else:
                return None
        return sorted(gone), True

    def _around(self, position: int) -> Iterator[int]:
        """The sections that a snippet lies in, and the whole, which is -1."""
        section = self.structure.homes[position]
        while section >= 0:
            yield section
            section = self.structure.plan.parents[section]
        yield -1

    def _costliest_in(self, section: int) -> list[int]:
        """The pins within a section, the costliest first."""
        structure = self.structure
        if self._costliest is None:
            self._costliest = [[] for _ in range(len(structure.plan.names) + 1)]
            for one in sorted(self.pins, key=lambda one: -structure.least[one]):
                for section_around in self._around(one):
                    self._costliest[section_around].append(one)
        return self._costliest[section]

    def _by_packing(self, limits: Limits, beside: Collection[int]) -> Unpinned | None:
        """A packing of its own, solved as any other: keep as many pins as fit, with what they bring in."""
        from haversack._model import NATIVE_EFFORT
        from haversack._structure import Structure
        from haversack._structured import solve

        structure, whole = self.structure, limits[-1]
        assert whole is not None
        units = structure.closure({*beside, *(structure.unit_of[one] for one in self.pins)})
        positions = sorted(one for unit in units for one in structure.members[unit])
        forced = structure.closure(beside)
        table = _offered(structure, positions, bytes(structure.unit_of[one] in forced for one in positions))
        optional = Structure(table, _capped(structure, limits))
        if beside:
            # Without declared sections, their names are labels and limit nothing.
            rooms = Rooms(optional, limits[:-1] if structure.declared is not None else [], whole)
            if rooms.is_over_caps or rooms.pinned_cost > whole:
                return None
        solved = solve(optional, whole, whole, NATIVE_EFFORT)
        kept = {position for position, form in zip(positions, solved.choice, strict=True) if form >= 0}
        return [position for position in self.pins if position not in kept], solved.optimal


def fewest_rivals(structure: Structure) -> list[int]:
    """Return the fewest pins without which no two alternatives have to be in."""
    from haversack._model import NATIVE_EFFORT
    from haversack._structure import Structure
    from haversack._structured import solve

    pins = [position for position, pin in enumerate(structure.explicit) if pin]
    units = structure.closure({structure.unit_of[one] for one in pins})
    positions = sorted(one for unit in units for one in structure.members[unit])
    choices = [structure.links.choices[one] for one in positions]
    free = Structure(_offered(structure, positions, bytes(len(positions)), choices), {})
    room = sum(free.least)
    kept = solve(free, room, room, NATIVE_EFFORT).choice
    out = {position for position, form in zip(positions, kept, strict=True) if form < 0}
    return [one for one in pins if one in out]


def _offered(
    structure: Structure, positions: list[int], pinned: bytes, choices: list[str | None] | None = None
) -> Table:
    """The pins as optional snippets worth 1, and what they need as worth nothing; all in one form each."""
    from haversack._coerce import Table
    from haversack._forms import FULL, Form
    from haversack._links import Links
    from haversack._numbers import Place

    links, size = structure.links, len(positions)
    at = {position: number for number, position in enumerate(positions)}
    forms = [
        [Form(FULL, None, structure.least[one], structure.explicit[one], Place("snippets", one))]
        for one in positions
    ]
    nothing: list[Any] = [None] * size
    is_declared = structure.declared is not None and choices is None
    return Table(
        [structure.ids[one] for one in positions], forms, pinned,
        links=Links(
            [links.sections[one] for one in positions] if is_declared else nothing,
            [links.groups[one] for one in positions],
            [[at[needed] for needed in links.requires[one]] for one in positions],
            choices or nothing, [0] * size, False,
        ),
    )  # fmt: skip


def _capped(structure: Structure, limits: Limits) -> dict[str, Section]:
    """The sections with their limits in tokens, and nothing else."""
    plan = structure.plan
    if structure.declared is None:
        return {}
    return {
        name: Section(limit, section.parent)
        for name, section, limit in zip(plan.names, plan.declared, limits, strict=False)
    }
