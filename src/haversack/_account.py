"""Why a snippet of a structured packing is in or out: the sums, and the verdicts they lead to."""

from __future__ import annotations

from haversack._rooms import Rooms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._decision import Ledger
    from haversack._model import Model
    from haversack._structured import StructuredOutcome

    Why = tuple[str, dict[str, Any]]


class Account:
    """The sums that reasons are judged by."""

    def __init__(self, model: Model, outcome: StructuredOutcome, ledger: Ledger) -> None:
        assert model.structure is not None
        self.model = model
        self.structure = model.structure
        self.outcome = outcome
        self.ledger = ledger
        self.choice = outcome.choice
        structure = self.structure
        self.caps = [*outcome.caps, max(0, ledger.capacity)]
        self.rooms = Rooms(structure, outcome.caps, ledger.capacity)
        self.used = structure.spread(
            (position, structure.costs[position][form])
            for position, form in enumerate(self.choice)
            if form >= 0
        )
        self.cheapest = [
            _cheapest(costs, values) for costs, values in zip(structure.costs, structure.values, strict=True)
        ]
        self.better = [0] * (len(structure.tiers) + 1)
        for position, form in enumerate(self.choice):
            if form >= 0 and not structure.pinned[position]:
                self.better[structure.tier_of[position] + 1] += structure.costs[position][form]
        for tier in range(len(structure.tiers)):
            self.better[tier + 1] += self.better[tier]
        self.group_of: dict[str, list[int]] = {}
        for position, name in enumerate(structure.links.groups):
            if name is not None:
                self.group_of.setdefault(name, []).append(position)

    def shown(self, position: int) -> int:
        """The form whose numbers a decision quotes."""
        form = self.choice[position]
        return form if form >= 0 else self.cheapest[position]

    def why(self, position: int) -> Why:
        """Return the first reason that applies, with its numbers."""
        return self._why_in(position) if self.choice[position] >= 0 else self._why_out(position)

    def _why_in(self, position: int) -> Why:
        structure, form = self.structure, self.choice[position]
        cost, value = structure.costs[position][form], structure.values[position][form]
        detail: dict[str, Any] = {"cost": cost, "value": value, "form": self.model.form_name(position, form)}
        if structure.choice_of[position] >= 0:
            rivals = structure.choices[structure.choice_of[position]]
            detail["one_of"] = structure.links.choices[position]
            detail["instead_of"] = [self._id(one) for one in rivals if one != position]
        if structure.pinned[position]:
            if not structure.explicit[position]:
                detail["pinned_by"] = [self._id(one) for one in self._pinned_by(position)]
            return "pinned", detail
        return ("free" if cost == 0 and value > 0 else "chosen"), detail

    def _pinned_by(self, position: int) -> list[int]:
        """The explicit pins of the unit, else of the units that need it, however indirectly."""
        structure = self.structure
        found: list[int] = []
        todo, seen = [structure.unit_of[position]], {structure.unit_of[position]}
        while todo:
            unit = todo.pop()
            found += [one for one in structure.members[unit] if structure.explicit[one]]
            for user in structure.users[unit]:
                if user not in seen:
                    seen.add(user)
                    todo.append(user)
        return sorted(found)

    def _why_out(self, position: int) -> Why:
        structure = self.structure
        missing = [one for one in structure.links.requires[position] if self.choice[one] < 0]
        if missing:
            because, detail = self._by_numbers(position)
            if "missing" in detail:
                detail = {**detail, "short": detail["missing"]}  # the tokens; what is missing here are ids
            return "requires", {**detail, "missing": [self._id(one) for one in missing], "because": because}
        group = structure.links.groups[position]
        if group is not None and len(self.group_of[group]) > 1:
            because, detail = self._by_numbers(position)
            members = [self._id(one) for one in self.group_of[group]]
            return "group", {**detail, "group": group, "members": members, "because": because}
        winner = self._winner(position)
        if winner is not None:
            return "one_of", winner
        return self._by_numbers(position)

    def _winner(self, position: int) -> dict[str, Any] | None:
        """The alternative that is in; itself it may be torn by a unit that holds two alternatives."""
        structure = self.structure
        choice = structure.choice_of[position]
        if choice < 0:
            return None
        name, rivals = structure.links.choices[position], structure.choices[choice]
        for one in rivals:
            form = self.choice[one]
            if form >= 0:
                return {
                    "one_of": name, "winner": self._id(one), "form": self.model.form_name(one, form),
                    "winner_value": structure.values[one][form],
                    "cost": structure.costs[position][self.cheapest[position]],
                    "value": structure.values[position][self.cheapest[position]],
                }  # fmt: skip
        return None

    def _by_numbers(self, position: int) -> Why:
        """The reason of a unit with all it needs, told by its cheapest forms."""
        structure, ledger = self.structure, self.ledger
        unit = structure.unit_of[position]
        units = structure.closure([unit]) if structure.needs[unit] else {unit}
        members = [one for other in units for one in structure.members[other] if not structure.pinned[one]]
        alone = self._spread(members)
        own = structure.members[unit]
        worth = structure.scale.value(sum(max(structure.profits[one]) for one in own))
        numbers: dict[str, Any] = {"cost": alone[-1], "value": worth}
        torn = [
            winner
            for one in own
            if one != position and (winner := self._winner(one)) and self.choice[one] < 0
        ]
        if torn:
            return "one_of", {**torn[0], **numbers}
        if worth <= 0:
            return "worthless", numbers
        full = self._first_over(alone, [None if cap is None else cap for cap in self.caps])
        if full is not None:
            return "too_long", {**numbers, **self._place(full, "cap", "capacity")}
        full = self._first_over(alone, self.rooms.left)
        if full is not None:
            found = {**numbers, **self._place(full, "room", "room")}
            return "no_room", {**found, "pinned_cost": self.rooms.pinned_cost}
        needed = self._spread([one for one in members if self.choice[one] < 0])
        left = [None if cap is None else cap - used for cap, used in zip(self.caps, self.used, strict=True)]
        full = self._first_over(needed[:-1], left[:-1])
        if full is not None:
            at, over = full
            return "section_full", {
                **numbers, "section": structure.plan.names[at], "cap": self.caps[at], "used": self.used[at],
                "over": over,
            }  # fmt: skip
        tier = structure.tier_of[position]
        whole = self.rooms.left[-1]
        assert whole is not None
        if tier and alone[-1] > whole - self.better[tier]:
            return "tier", {
                **numbers, "tier": structure.tiers[tier], "better": self.better[tier],
                "left": max(0, whole - self.better[tier]),
            }  # fmt: skip
        if position < ledger.prefix_end:
            return "outvalued", {**numbers, "prefix_end": ledger.prefix_end}
        missing = max(0, needed[-1] - ledger.remaining)
        return "outvalued", {**numbers, "remaining": ledger.remaining, "missing": missing}

    def _spread(self, members: list[int]) -> list[int]:
        costs = self.structure.costs
        return self.structure.spread((one, costs[one][self.cheapest[one]]) for one in members)

    def _first_over(self, needed: list[int], limits: list[int | None]) -> tuple[int, int] | None:
        """Return where something is over its limit, the whole before sections, and by how much."""
        for at in range(len(needed) - 1, -1, -1):
            limit = limits[at]
            if limit is not None and needed[at] > limit and needed[at]:
                self.limit = limit
                return at, needed[at] - limit
        return None

    def _place(self, full: tuple[int, int], word: str, word_of_whole: str) -> dict[str, Any]:
        at, over = full
        if at == len(self.caps) - 1:
            limit = self.ledger.capacity if word == "cap" else self.limit
            return {word_of_whole: limit, "over": over}
        return {"section": self.structure.plan.names[at], word: self.limit, "over": over}

    def _id(self, position: int) -> str | int:
        return self.structure.ids[position]


def _cheapest(costs: list[int], values: list[int | float]) -> int:
    """The cheapest form; of equals the most valuable."""
    return min(range(len(costs)), key=lambda form: (costs[form], -values[form]))
