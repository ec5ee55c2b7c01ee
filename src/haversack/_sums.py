"""What a snippet comes to with all that would have to be in with it, worked out once for each unit."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from haversack._structure import Structure

LISTED = 100
"""Ids that a decision lists, of what might be thousands."""


class Sums:
    """Tokens by section (of the whole last) in the cheapest forms, pins left out.

    `alone` is all of it, `missing` what of it is out; `never` are positions that fit in no form.
    """

    __slots__ = ("alone", "missing", "never")

    def __init__(self, alone: list[int], missing: list[int], never: list[int]) -> None:
        self.alone = alone
        self.missing = missing
        self.never = never

    def plus(self, other: Sums) -> Sums:
        """Return both together."""
        return Sums(
            [one + more for one, more in zip(self.alone, other.alone, strict=True)],
            [one + more for one, more in zip(self.missing, other.missing, strict=True)],
            [*self.never, *other.never][:LISTED],
        )


class Together:
    """The sums of every unit with all it needs."""

    def __init__(self, structure: Structure, choice: Sequence[int], caps: Sequence[int | None]) -> None:
        self.structure = structure
        self.choice = choice
        self._limits = structure.plan.limits(caps)  # a home of -1 finds the whole, which is last
        self._known: dict[int, Sums] = {}

    def of(self, unit: int) -> Sums:
        """Return a unit's sums; where each needs one other, they are added up link by link."""
        needs, way = self.structure.needs, [unit]
        while way[-1] not in self._known and len(needs[way[-1]]) == 1:
            way.append(needs[way[-1]][0])
        for one in reversed(way):
            if one not in self._known:
                self._known[one] = self._summed(one)
        return self._known[unit]

    def _summed(self, unit: int) -> Sums:
        structure = self.structure
        needs, least, homes = structure.needs[unit], structure.least, structure.homes
        units = structure.closure([unit]) if len(needs) > 1 else {unit}
        members = [one for other in units for one in structure.members[other] if not structure.pinned[one]]
        sums = Sums(
            structure.spread((one, least[one]) for one in members),
            structure.spread((one, least[one]) for one in members if self.choice[one] < 0),
            [one for one in members if least[one] > self._limits[homes[one]]][:LISTED],
        )
        return sums.plus(self._known[needs[0]]) if len(needs) == 1 else sums
