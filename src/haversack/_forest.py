"""Structure -> the core's forest, and its answer back.

What the forest cannot say (a second requirement, one across capped sections, alternatives that others hang
on, a unit that lies in several capped sections) is left out of it and listed in `lost`: the forest then gives
a bound, and the solution itself where nothing of `lost` is violated.
"""

from __future__ import annotations

from haversack import _core
from haversack._limits import Limits
from haversack._rooms import Rooms, totals
from haversack._structure import FREE, IN, OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from haversack._floors import Account
    from haversack._rooms import Choice, Totals
    from haversack._wide_forest import WideOutcome

    Outcome: TypeAlias = _core.ForestOutcome | WideOutcome | Account

_WIDEST_WEIGHT = 2**61
WIDE_STATES = 400_000


class Forest(Limits):
    """One forest: what is decided so far, as the core reads it."""

    def __init__(self, rooms: Rooms, state: bytearray) -> None:
        super().__init__(rooms, state)
        self.lost: list[tuple[int, int]] = []  # (unit, needed unit); a unit with itself: members apart
        self.lost_choices: list[int] = []
        if self.is_feasible:
            self._lay_out()

    def _lay_out(self) -> None:
        structure, state = self.structure, self.state
        holders = [self.holder[home] for home in structure.homes]
        self.constant = [0] * len(structure.tiers)
        self.fixed_forms: list[tuple[int, int]] = []
        gone: set[int] = set()
        for position, options in self.odd.items():
            side = state[structure.unit_of[position]]
            is_settled = side == IN and len(options) == 1
            if is_settled:
                self.fixed_forms.append((position, options[0] - structure.options.begin[position]))
                self.constant[structure.tier_of[position]] += structure.options.profits[options[0]]
            if is_settled or side == OUT:
                gone.add(position)
        above = self._parents(holders)
        merged = self._merge_alternatives(holders, above) if structure.choices else {}
        everything = range(len(holders))
        nodes: range | list[int] = everything
        at: range | dict[int, int] = everything  # of a position, its node
        if gone or merged:
            nodes = [position for position in everything if position not in gone and position not in merged]
            at = {position: node for node, position in enumerate(nodes)}
        self._write_options(nodes, merged)
        self._write_nodes(nodes, at, holders, above)

    def _parents(self, holders: list[int]) -> dict[int, int]:
        """Of each unit with needs, the position of the head it hangs below; other needs are lost."""
        structure, state = self.structure, self.state
        members = structure.members
        bound = [unit for unit in structure.bound if state[unit] == FREE]
        joined = [unit for unit in bound if len(members[unit]) > 1]
        apart = {unit for unit in joined if len({holders[position] for position in members[unit]}) > 1}
        above: dict[int, int] = {}
        for unit in bound:
            needed = [other for other in structure.direct[unit] if state[other] == FREE]
            if unit in apart:
                self.lost += [(unit, unit), *((unit, other) for other in needed)]
                continue
            holder = holders[members[unit][0]]
            near = [other for other in needed if other not in apart and holders[members[other][0]] == holder]
            parent = max(near, key=self._weight_of, default=-1) if len(near) != 1 else near[0]
            if parent >= 0:
                above[unit] = members[parent][0]
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

    def _write_options(self, nodes: range | list[int], merged: dict[int, int]) -> None:
        """Write the options that the core reads; `self.picked` tells which they are, None: all, as given."""
        structure, options = self.structure, self.structure.options
        self.picked: list[int] | None = None
        self.begin, self.weights, self.profits = options.begin, options.costs, options.profits
        owners = options.owners if len(structure.tiers) > 1 else []
        if self.odd or merged:
            also: dict[int, list[int]] = {}
            for position, into in merged.items():
                also.setdefault(into, []).append(position)
            first, picked, begin = options.begin, list[int](), [0]
            for position in nodes:
                for one in (position, *also.get(position, ())):
                    picked += self.odd[one] if one in self.odd else range(first[one], first[one + 1])
                begin.append(len(picked))
            self.picked, self.begin = picked, begin
            self.weights = [self.weights[option] for option in picked]
            self.profits = [self.profits[option] for option in picked]
            owners = [owners[option] for option in picked] if owners else []
        self.tier = [structure.tier_of[position] for position in owners] if len(structure.tiers) > 1 else None

    def _write_nodes(
        self, nodes: range | list[int], at: range | dict[int, int], holders: list[int], above: dict[int, int]
    ) -> None:
        """Write where each node lies and what it hangs below."""
        structure, state = self.structure, self.state
        self.section = [holders[position] for position in nodes]
        self.parent = [-1] * len(nodes)
        self.mandatory, self.together = bytearray(len(nodes)), bytearray(len(nodes))
        for position in self.odd:
            if state[structure.unit_of[position]] == IN and position in at:
                self.mandatory[at[position]] = 1
                for option in range(self.begin[at[position]], self.begin[at[position] + 1]):
                    self.weights[option] -= structure.least[position]
        for unit in structure.bound:
            members = structure.members[unit]
            if state[unit] != FREE or members[0] not in at:
                continue
            self.parent[at[members[0]]] = at[above[unit]] if unit in above else -1
            heads = {holders[members[0]]: members[0]}
            for position in members[1:]:
                head = heads.setdefault(holders[position], position)
                if head != position:
                    self.together[at[position]] = 1
                    self.parent[at[position]] = at[head]

    def solve(self, effort: int) -> Relaxation:
        """Solve the forest: in the core, or in Python integers where its numbers are too wide for that."""
        outcome: _core.ForestOutcome | WideOutcome | None = None
        if self.capacity <= _WIDEST_WEIGHT:
            outcome = self._solve_natively(effort)
        if outcome is None:
            from haversack import _wide_forest

            # The limit of such a search: its states take far longer.
            outcome = _wide_forest.solve(self, effort if effort < 0 else min(effort, WIDE_STATES))
            if not outcome.optimal and len(self.structure.tiers) > 1 and self.capacity <= _WIDEST_WEIGHT:
                outcome = self._better_by_tiers(outcome, effort)
        choice = self._choice_of(outcome.choice)
        if outcome.optimal:
            return Relaxation(choice, totals(self.structure, choice), outcome)
        bound = list(self.constant)
        for tier, most in zip(outcome.tiers, outcome.bound, strict=True):
            bound[tier] += most
        return Relaxation(choice, tuple(bound), outcome)

    def _better_by_tiers(self, wide: WideOutcome, effort: int) -> WideOutcome:
        from haversack import _tier_by_tier

        found = _tier_by_tier.solve(self, effort)
        if found is None:
            return wide
        found.states += wide.states
        structure = self.structure
        if totals(structure, self._choice_of(found.choice)) < totals(structure, self._choice_of(wide.choice)):
            found.choice = wide.choice
        return found

    def _choice_of(self, taken: Sequence[int]) -> Choice:
        """The form of each snippet, from the option of each node."""
        if self.picked is None:
            return list(taken)
        first, owners = self.structure.options.begin, self.structure.options.owners
        choice = [-1] * len(self.structure.ids)
        for position, form in self.fixed_forms:
            choice[position] = form
        for begin, one in zip(self.begin, taken, strict=False):
            if one >= 0:
                option = self.picked[begin + one]
                choice[owners[option]] = option - first[owners[option]]
        return choice

    def _solve_natively(self, effort: int) -> _core.ForestOutcome | None:
        return _core.solve_forest(
            self.capacity, self.structure.plan.parents, self.caps, self.section, self.parent,
            bytes(self.mandatory), bytes(self.together), self.begin, self.weights, self.profits, self.tier,
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

    def __init__(self, choice: Choice, bound: Totals, outcome: Outcome) -> None:
        self.choice = choice
        self.bound = bound
        self.outcome = outcome
