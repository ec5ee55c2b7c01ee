"""Why a snippet of a structured packing is in or out: by what binds it to others, else by its numbers."""

from __future__ import annotations

from itertools import islice

from haversack._shortage import Shortage
from haversack._sums import LISTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from haversack._decision import Ledger
    from haversack._model import Model
    from haversack._structured import StructuredOutcome

    Why = tuple[str, dict[str, Any]]


class Account:
    """The verdict on every snippet."""

    def __init__(self, model: Model, outcome: StructuredOutcome, ledger: Ledger) -> None:
        assert model.structure is not None
        self.model = model
        self.structure = model.structure
        self.choice = outcome.choice
        self.shortage = Shortage(self.structure, outcome, ledger)
        self.group_of: dict[str, list[int]] = {}
        for position, name in enumerate(self.structure.links.groups):
            if name is not None:
                self.group_of.setdefault(name, []).append(position)
        self._members: dict[str, list[str | int]] = {}
        self._known: dict[tuple[int, bool], Why] = {}
        self._pins_of: list[dict[int, None]] | None = None

    def shown(self, position: int) -> int:
        """The form whose numbers a decision quotes: the one taken, else the cheapest."""
        form = self.choice[position]
        return form if form >= 0 else self.shortage.cheapest[position]

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
            detail["instead_of"] = self._ids(one for one in rivals if one != position)
        if structure.pinned[position]:
            if not structure.explicit[position]:
                detail["pinned_by"] = self._ids(self._pinned_by(position))
            return "pinned", detail
        return ("free" if cost == 0 and value > 0 else "chosen"), detail

    def _pinned_by(self, position: int) -> list[int]:
        """The explicit pins of the unit and of the units that need it, however indirectly; at most 100."""
        structure = self.structure
        if self._pins_of is None:
            self._pins_of = [{} for _ in structure.members]
            # What needs a unit comes after it.
            for unit in range(len(structure.members) - 1, -1, -1):
                pins = self._pins_of[unit]
                pins.update((one, None) for one in structure.members[unit] if structure.explicit[one])
                for user in structure.users[unit]:
                    pins.update(islice(self._pins_of[user].items(), max(0, LISTED - len(pins))))
        return sorted(self._pins_of[structure.unit_of[position]])[:LISTED]

    def _why_out(self, position: int) -> Why:
        structure = self.structure
        unit = structure.unit_of[position]
        if self._clash(structure.members[unit]):
            return self._because(position)
        missing = [one for one in structure.links.requires[position] if self.choice[one] < 0]
        if missing:
            because, detail = self._because(position)
            if "missing" in detail:
                detail = {**detail, "short": detail["missing"]}  # the tokens; what is missing here are ids
            never = self._ids(one for one in sorted(self.shortage.together.of(unit).never) if one != position)
            if never:
                detail = {**detail, "never_fits": never}
            return "requires", {**detail, "missing": self._ids(missing), "because": because}
        group = structure.links.groups[position]
        if group is not None and len(self.group_of[group]) > 1:
            because, detail = self._because(position)
            if group not in self._members:
                self._members[group] = self._ids(self.group_of[group][:LISTED])
            return "group", {**detail, "group": group, "members": self._members[group], "because": because}
        winner = self._winner(position)
        if winner is None:
            return self._because(position)
        form = self.shortage.cheapest[position]
        numbers = {"cost": structure.costs[position][form], "value": structure.values[position][form]}
        return "one_of", {**winner, **numbers}

    def _because(self, position: int) -> Why:
        """The reason why all that would be in together is not; the same for all of a unit."""
        unit, is_before = self.structure.unit_of[position], self.shortage.is_before(position)
        if (unit, is_before) not in self._known:
            self._known[unit, is_before] = self._alternatives(unit) or self.shortage.judged(unit, is_before)
        return self._known[unit, is_before]

    def _alternatives(self, unit: int) -> Why | None:
        """Where it is that some of what would be in together exclude each other, or another is in."""
        structure = self.structure
        if not structure.choices:
            return None
        units = structure.closure([unit]) if structure.needs[unit] else {unit}
        together = [one for other in units for one in structure.members[other] if not structure.pinned[one]]
        clash = self._clash(together)
        if clash:
            name = structure.links.choices[clash[0]]
            return "one_of", {"one_of": name, "rivals": self._ids(clash), **self.shortage.numbers(unit)}
        for one in together:
            winner = self._winner(one) if self.choice[one] < 0 else None
            if winner is not None:
                return "one_of", {**winner, **self.shortage.numbers(unit)}
        return None

    def _clash(self, members: list[int]) -> list[int]:
        """Some of these that exclude each other; nothing where none do."""
        structure = self.structure
        if not structure.choices or len(members) < 2:
            return []
        rivals: dict[int, list[int]] = {}
        for one in members:
            if structure.choice_of[one] >= 0:
                rivals.setdefault(structure.choice_of[one], []).append(one)
        return sorted(next((some for some in rivals.values() if len(some) > 1), ()))

    def _winner(self, position: int) -> dict[str, Any] | None:
        """The alternative to a snippet that is in, if one is."""
        structure = self.structure
        choice = structure.choice_of[position]
        for one in structure.choices[choice] if choice >= 0 else ():
            form = self.choice[one]
            if form >= 0:
                return {
                    "one_of": structure.links.choices[position], "winner": structure.ids[one],
                    "form": self.model.form_name(one, form), "winner_value": structure.values[one][form],
                }  # fmt: skip
        return None

    def _ids(self, positions: Iterable[int]) -> list[str | int]:
        return [self.structure.ids[position] for position in positions]
