"""Structure -> the core's forest, and its answer back.

What the forest cannot say (a second requirement, one across capped sections, alternatives that others hang
on, a unit that lies in several capped sections) is left out of it and listed in `lost`: the forest then gives
a bound, and the solution itself where nothing of `lost` is violated.
"""

from __future__ import annotations

from haversack import _core
from haversack._rooms import Rooms, totals
from haversack._structure import FREE, IN, OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._rooms import Choice, Totals
    from haversack._wide_forest import WideOutcome

_WIDEST_WEIGHT = 2**61
WIDE_STATES = 400_000
_WIDEST_PROFIT = 440  # bits; the engine's widest arithmetic has 512, for counts and prices too


class Forest:
    """One forest: what is decided so far, as the core reads it."""

    def __init__(self, rooms: Rooms, state: bytearray) -> None:
        self.structure = rooms.structure
        self.rooms = rooms
        self.state = state
        self.lost: list[tuple[int, int]] = []  # (unit, needed unit); a unit with itself: members apart
        self.lost_choices: list[int] = []
        self.is_feasible = self._set_limits()
        if self.is_feasible:
            self._drop_what_never_fits()
            self._find_holders()
            self._lay_out()

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
        whole = left[-1]
        assert whole is not None
        # The last entry is the whole: a parent of -1 finds it.
        self.limit = [whole] * len(left)
        for section in reversed(structure.plan.inner_first):
            own, around = left[section], self.limit[structure.plan.parents[section]]
            self.limit[section] = around if own is None else min(own, around)
        return True

    def _drop_what_never_fits(self) -> None:
        structure, limit, state = self.structure, self.limit, self.state
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

    def _options(self) -> dict[int, list[tuple[int, int]]]:
        """By position, the forms that may be taken, as (form, tokens beyond what is taken already)."""
        structure, limit, state = self.structure, self.limit, self.state
        homes, most, numbered = structure.homes, structure.most, structure.numbered
        options = {}
        for position, unit in enumerate(structure.unit_of):
            side, room = state[unit], limit[homes[position]]
            if side == FREE and most[position] <= room:
                options[position] = numbered[position]
            elif side != OUT:
                base = structure.least[position] if side == IN else 0
                options[position] = [
                    (form, cost - base) for form, cost in numbered[position] if cost - base <= room
                ]
        return options

    def _find_holders(self) -> None:
        """Of each section, the nearest around it (or itself) whose cap can bind."""
        structure, limit = self.structure, self.limit
        parents, homes = structure.plan.parents, structure.homes
        self.options = self._options()
        load = [0] * len(limit)
        for position, options in self.options.items():
            plain = options is structure.numbered[position]
            load[homes[position]] += structure.most[position] if plain else max(cost for _, cost in options)
        binding = [False] * len(limit)
        for section in structure.plan.inner_first:
            binding[section] = load[section] > limit[section] and limit[section] < limit[parents[section]]
            load[parents[section]] += limit[section] if binding[section] else load[section]
        self.capacity = min(limit[-1], load[-1])
        self.holder = [-1] * len(limit)
        for section in reversed(structure.plan.inner_first):
            self.holder[section] = section if binding[section] else self.holder[parents[section]]
        self.caps = [limit[at] if binding[at] else -1 for at in range(len(parents))]

    def _lay_out(self) -> None:
        structure, state = self.structure, self.state
        holders = [self.holder[home] for home in structure.homes]
        self.constant = [0] * len(structure.tiers)
        self.fixed_forms: list[tuple[int, int]] = []
        heads: dict[tuple[int, int], int] = {}
        nodes: list[int] = []
        for position, options in self.options.items():
            unit = structure.unit_of[position]
            if state[unit] == IN and len(options) == 1:
                form = options[0][0]
                self.fixed_forms.append((position, form))
                self.constant[structure.tier_of[position]] += structure.profits[position][form]
                continue
            if state[unit] == FREE:
                heads.setdefault((unit, holders[position]), position)
            nodes.append(position)
        above = self._parents(holders, heads)
        merged = self._merge_alternatives(holders, above) if structure.choices else {}
        self._number(nodes, holders, heads, above, merged)

    def _parents(self, holders: list[int], heads: dict[tuple[int, int], int]) -> dict[int, int]:
        """Of each unit with needs, the position of the head it hangs below; other needs are lost."""
        structure, state = self.structure, self.state
        parts: dict[int, int] = {}
        for unit, _ in heads:
            parts[unit] = parts.get(unit, 0) + 1
        above: dict[int, int] = {}
        for unit, holder in heads:
            if parts[unit] > 1:
                if (unit, unit) not in self.lost:
                    self.lost.append((unit, unit))
                    self.lost += [(unit, other) for other in structure.direct[unit] if state[other] == FREE]
                continue
            needed = [other for other in structure.direct[unit] if state[other] == FREE]
            near = [other for other in needed if parts[other] == 1 and (other, holder) in heads]
            parent = max(near, key=self._weight_of, default=-1)
            if parent >= 0:
                above[unit] = heads[parent, holder]
            self.lost += [(unit, other) for other in needed if other != parent]
        return above

    def _weight_of(self, unit: int) -> int:
        return sum(self.structure.least[position] for position in self.structure.members[unit])

    def _merge_alternatives(self, holders: list[int], above: dict[int, int]) -> dict[int, int]:
        """Alternatives side by side, with nothing hanging on them, become one node; others are lost."""
        structure, state = self.structure, self.state
        burdened = {unit for unit, _ in self.lost}
        merged: dict[int, int] = {}
        for choice, positions in enumerate(structure.choices):
            alive = [one for one in positions if state[structure.unit_of[one]] == FREE]
            if len(alive) < 2:
                continue
            units = [structure.unit_of[one] for one in alive]
            alike = (
                len({(holders[one], above.get(unit)) for one, unit in zip(alive, units, strict=True)}) == 1
            )
            bare = all(
                len(structure.members[unit]) == 1 and unit not in burdened
                and all(state[user] == OUT for user in structure.users[unit])
                for unit in units
            )  # fmt: skip
            if alike and bare:
                merged.update(dict.fromkeys(alive[1:], alive[0]))
            else:
                self.lost_choices.append(choice)
        return merged

    def _number(
        self, nodes: list[int], holders: list[int], heads: dict[tuple[int, int], int],
        above: dict[int, int], merged: dict[int, int],
    ) -> None:  # fmt: skip
        """Write the columns the core reads; `self.rows` keeps what each option means."""
        structure = self.structure
        at = {position: number for number, position in enumerate(p for p in nodes if p not in merged)}
        rows: list[list[tuple[int, int, int]]] = [
            [(position, form, cost) for form, cost in self.options[position]] for position in at
        ]
        for position, into in merged.items():
            rows[at[into]] += [(position, form, cost) for form, cost in self.options[position]]
        self.rows = rows
        self.section = [holders[position] for position in at]
        self.parent, self.mandatory, self.together = [], bytearray(len(at)), bytearray(len(at))
        for number, position in enumerate(at):
            unit = structure.unit_of[position]
            head = heads.get((unit, holders[position]))
            if head is None:
                self.mandatory[number] = 1
                self.parent.append(-1)
            elif head != position:
                self.together[number] = 1
                self.parent.append(at[head])
            else:
                self.parent.append(at[above[unit]] if unit in above else -1)
        self.profits = [structure.profits[position][form] for row in rows for position, form, _ in row]
        many = len(structure.tiers) > 1
        self.tier = [structure.tier_of[position] for row in rows for position, _, _ in row] if many else None

    def solve(self, effort: int) -> Relaxation:
        """Solve the forest: in the core, or in Python integers where its numbers are too wide for that."""
        outcome: _core.ForestOutcome | WideOutcome | None = None
        if self.capacity <= _WIDEST_WEIGHT:
            outcome = self._solve_natively(effort)
        if outcome is None:
            from haversack import _wide_forest

            # The limit of such a search: its states take far longer.
            outcome = _wide_forest.solve(self, effort if effort < 0 else min(effort, WIDE_STATES))
        choice = [-1] * len(self.structure.ids)
        for position, form in self.fixed_forms:
            choice[position] = form
        for row, taken in zip(self.rows, outcome.choice, strict=True):
            if taken >= 0:
                position, form, _ = row[taken]
                choice[position] = form
        if outcome.optimal:
            return Relaxation(choice, totals(self.structure, choice), outcome)
        bound = list(self.constant)
        for tier, most in zip(outcome.tiers, outcome.bound, strict=True):
            bound[tier] += most
        return Relaxation(choice, tuple(bound), outcome)

    def _solve_natively(self, effort: int) -> _core.ForestOutcome | None:
        narrow, limbs = _words(self.profits)
        if narrow is None and limbs is None:
            return None
        begin = [0]
        for row in self.rows:
            begin.append(begin[-1] + len(row))
        weights = [cost for row in self.rows for _, _, cost in row]
        return _core.solve_forest(
            self.capacity, self.structure.plan.parents, self.caps, self.section, self.parent,
            bytes(self.mandatory), bytes(self.together), begin, weights, narrow, self.tier, limbs,
            effort=effort,
        )  # fmt: skip

    def violations(self, choice: Choice) -> list[int]:
        """The units to decide on: each breaks a rule that the forest does not know."""
        structure = self.structure
        broken = []
        for unit, other in self.lost:
            ins = sum(choice[position] >= 0 for position in structure.members[unit])
            if unit == other:
                if 0 < ins < len(structure.members[unit]):
                    broken.append(unit)
            elif ins and any(choice[position] < 0 for position in structure.members[other]):
                broken.append(unit)
        for at in self.lost_choices:
            taken = [position for position in structure.choices[at] if choice[position] >= 0]
            if len(taken) > 1:
                taken.sort(key=lambda one: structure.profits[one][choice[one]])
                broken += [structure.unit_of[position] for position in taken[:-1]]
        return list(dict.fromkeys(broken))


class Relaxation:
    """What the forest gave: a choice, a bound on every choice, and the core's own account."""

    __slots__ = ("bound", "choice", "outcome")

    def __init__(self, choice: Choice, bound: Totals, outcome: _core.ForestOutcome | WideOutcome) -> None:
        self.choice = choice
        self.bound = bound
        self.outcome = outcome


def _words(profits: list[Any]) -> tuple[list[int] | None, bytes | None]:
    """Return profits as numbers of 64 bits, or else as words of the widest arithmetic, or neither."""
    if not profits or (max(profits) < 2**62 and min(profits) > -(2**62)):
        return profits, None
    if max(max(profits), -min(profits)).bit_length() > _WIDEST_PROFIT:
        return None, None
    return None, b"".join(profit.to_bytes(64, "little", signed=True) for profit in profits)
