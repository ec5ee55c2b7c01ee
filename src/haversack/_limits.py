"""What the caps leave to what is undecided: the limit of each section, what fits, which caps can bind."""

from __future__ import annotations

from haversack._structure import FREE, IN, OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack._rooms import Rooms


class Limits:
    """The limits where some units are decided: `state` has each one's side, here with all that follows.

    The last entry of `limit` is the whole's. `odd` has, of the snippets that cannot all be taken as given,
    the options that may be; `holder` of each section the nearest around it, or itself, whose cap can bind.
    """

    def __init__(self, rooms: Rooms, state: bytearray) -> None:
        self.structure = rooms.structure
        self.rooms = rooms
        self.state = state
        self.is_feasible = self._set_limits()
        if self.is_feasible:
            self._drop_what_never_fits()
            self.odd = self._find_odd()
            self._find_holders()

    def _set_limits(self) -> bool:
        """The least tokens of what is in are taken: what a section and those around it leave is its limit."""
        structure = self.structure
        added = [
            position for unit, side in enumerate(self.state) if side == IN and structure.root[unit] != IN
            for position in structure.members[unit]
        ]  # fmt: skip
        left = list(self.rooms.left)
        if added:
            taken = structure.spread((position, structure.least[position]) for position in added)
            left = [None if one is None else one - used for one, used in zip(left, taken, strict=True)]
            if any(one is not None and one < 0 for one in left):
                return False
        self.limit = structure.plan.limits(left)
        return True

    def _drop_what_never_fits(self) -> None:
        structure, limit, state = self.structure, self.limit, self.state
        if max(structure.least, default=0) <= min(limit):
            return
        homes, unit_of = structure.homes, structure.unit_of
        never = [
            unit_of[position]
            for position, least in enumerate(structure.least)
            if least > limit[homes[position]] and state[unit_of[position]] == FREE
        ]
        if never:
            dropped = structure.fixed(state, (), never)
            assert dropped is not None  # what needs a free unit is free, or out
            self.state = dropped

    def _find_odd(self) -> dict[int, list[int]]:
        structure, limit, state = self.structure, self.limit, self.state
        if not any(state) and max(structure.most, default=0) <= min(limit):
            return {}
        homes, most, least = structure.homes, structure.most, structure.least
        begin, costs = structure.options.begin, structure.options.costs
        odd: dict[int, list[int]] = {}
        for position, unit in enumerate(structure.unit_of):
            side, room = state[unit], limit[homes[position]]
            if side == FREE and most[position] <= room:
                continue
            odd[position] = []
            if side != OUT:
                room += least[position] if side == IN else 0
                options = range(begin[position], begin[position + 1])
                odd[position] = [option for option in options if costs[option] <= room]
        return odd

    def _taken(self, position: int) -> int:
        """The tokens that a snippet takes in any case: they are off the limits already."""
        structure = self.structure
        return structure.least[position] if self.state[structure.unit_of[position]] == IN else 0

    def _find_holders(self) -> None:
        """Of each section, the nearest around it (or itself) whose cap can bind."""
        structure, limit = self.structure, self.limit
        parents, homes, costs = structure.plan.parents, structure.homes, structure.options.costs
        load = list(structure.load)
        for position, options in self.odd.items():
            most = max([costs[option] for option in options], default=0)
            load[homes[position]] += most - self._taken(position) - structure.most[position]
        binding = [False] * len(limit)
        for section in structure.plan.inner_first:
            binding[section] = load[section] > limit[section] and limit[section] < limit[parents[section]]
            load[parents[section]] += limit[section] if binding[section] else load[section]
        self.capacity = min(limit[-1], load[-1])
        self.holder = [-1] * len(limit)
        for section in reversed(structure.plan.inner_first):
            self.holder[section] = section if binding[section] else self.holder[parents[section]]
        self.caps = [limit[at] if binding[at] else -1 for at in range(len(parents))]
