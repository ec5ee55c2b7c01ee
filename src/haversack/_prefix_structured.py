"""The beginning that is kept where snippets have forms or hang together.

The blocks that are kept become pins in the form they had; what stands among them is made too long for the
whole capacity. All rules then hold as ever: what a kept block needs is in, what needs something that is out
is out. A beginning that asks for more than the capacity, or than a cap or a floor allows, is none.
"""

from __future__ import annotations

from haversack._coerce import Table
from haversack._forms import Form
from haversack._model import tabled
from haversack._prefix import possible
from haversack._structured import StructuredOutcome
from haversack._usage import usage
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

    from haversack._model import AnyOutcome, Model
    from haversack._previous import Before
    from haversack._structure import Structure

    Choice = list[int]


class StructuredSearch:
    """The best selection under each length of beginning."""

    def __init__(
        self, model: Model, before: Before, free: AnyOutcome, capacity: int, effort: int | None, window: int
    ) -> None:
        assert model.structure is not None
        assert isinstance(free, StructuredOutcome)
        if model.structure.has_tiers:
            raise InputError(
                "previous= does not go with tiers: of several values there is no one share to give up",
                path="previous", field="previous",
            )  # fmt: skip
        self._model = model
        self._structure: Structure = model.structure
        self._free = free
        self._capacity = capacity
        self._effort = effort
        self._window = window
        self._least = self._lacks(free.choice)
        self._forms: dict[int, int] = {}
        always = map(self._is_always_in, range(len(model.ids)))
        pinned = sum(self._structure.least[at] for at, pin in enumerate(self._structure.pinned) if pin)
        self.positions = possible(model, before, capacity - pinned, always, self._forms)
        self._found: dict[int, StructuredOutcome | None] = {}

    def reaches(self, count: int, enough: Fraction) -> bool:
        """Whether a selection that keeps *count* blocks is worth that much."""
        solved = self._solved(count)
        return solved is not None and solved.value >= enough

    def outcome(self, count: int) -> StructuredOutcome:
        """The best selection that keeps *count* blocks, and how it stands against all others."""
        solved = self._solved(count)
        assert solved is not None
        return solved

    def _is_always_in(self, position: int) -> bool:
        structure = self._structure
        unit = structure.unit_of[position]
        plain = (
            len(structure.members[unit]) == len(structure.costs[position]) == 1
            and not structure.needs[unit]
            and structure.choice_of[position] < 0
        )
        free = plain and structure.costs[position][0] == 0 and structure.values[position][0] > 0
        return bool(structure.pinned[position]) or free

    def _lacks(self, choice: Choice) -> tuple[int, int]:
        """The tokens by which sections are over their caps, and below their floors."""
        rows = usage(self._structure, choice, self._free.caps).values()
        return sum(row["over"] or 0 for row in rows), sum(row["shortfall"] or 0 for row in rows)

    def _solved(self, count: int) -> StructuredOutcome | None:
        if count not in self._found:
            self._found[count] = self._solve(count)
        return self._found[count]

    def _solve(self, count: int) -> StructuredOutcome | None:
        kept = self.positions[:count]
        try:
            held = self._held(kept)
        except InputError:  # two of the kept are alternatives now
            return None
        solved = held.solve(self._capacity, self._effort, self._window)
        if solved.cost > max(0, self._capacity):
            return None
        # Where only the kept had several forms, nothing is left of the structure.
        choice: Choice = list(getattr(solved, "choice", None) or (taken - 1 for taken in solved.mask))
        for position in kept:
            choice[position] = self._forms[position]
        if self._lacks(choice) != self._least:
            return None
        free = self._free
        statistics: dict[str, object] = {**free.statistics, "states": free.states, "fewest_tokens": False}
        found = StructuredOutcome.known(self._structure, choice, free.caps, free.bound, False, statistics)
        found.optimal = found.value == free.bound
        found.is_over_caps = free.is_over_caps
        return found

    def _held(self, kept: list[int]) -> Model:
        """The same snippets, the *kept* pinned in their form, and what stands among them too long."""
        table = self._model.table
        forms, pinned = list(table.forms), bytearray(table.pinned)
        for position in range(kept[-1]):
            one = forms[position][0]
            forms[position] = [
                Form(one.name, one.text, max(0, self._capacity) + 1, one.value, one.owner, one.at)
            ]
        for position in kept:
            forms[position] = [table.forms[position][self._forms[position]]]
            pinned[position] = 1
        changed = Table(table.ids, forms, bytes(pinned), table.valued_by, table.links, table.copies)
        return tabled(self._model.objects, changed, self._structure.declared)
