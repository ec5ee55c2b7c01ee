"""Choose, render, count the text that came out, and choose again where it did not come out as charged.

Counts of parts do not add up in general, and a given cost may be wrong. So what is handed out is a text that
was counted as a whole. The difference between that count and the sum of the charges corrects the capacity
of the next round; the best text that fits is kept.
"""

from __future__ import annotations

from haversack._recharged import charging, restated
from haversack._record import Record
from haversack._rendered import Rendered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._headings import Headed
    from haversack._model import AnyOutcome, Model
    from haversack._prefix import Keeping
    from haversack._texts import Texts

ROUNDS = 8


class Verified(Record):
    """A selection with its text, counted.

    `numbers` are those of the chosen forms. `used` is `tokens` and the cost of what is in without a text.
    `capacity` is what the chosen blocks and their headings could cost by their charges, `paid` what the
    headings do.
    """

    __slots__ = ("outcome", "numbers", "text", "tokens", "used", "capacity", "paid")

    outcome: AnyOutcome
    numbers: list[int]
    text: str
    tokens: int
    used: int
    capacity: int
    paid: int

    def __init__(
        self,
        outcome: AnyOutcome,
        numbers: list[int],
        text: str,
        tokens: int,
        used: int,
        capacity: int,
        paid: int,
    ) -> None:
        self._fill(outcome, numbers, text, tokens, used, capacity, paid)

    @property
    def charged(self) -> int:
        """What the capacity had to hold."""
        return self.outcome.cost + self.paid


class Recount:
    """The search for a selection whose text, counted as a whole, fits `limit` = budget - reserve.

    `understated` has the id, the given cost and the real tokens of every snippet whose given cost turned out
    to be too low; `rounds` is how many texts were counted; `model` has the costs charged in the end. With
    *keeping*, what is chosen begins like the previous packing.
    """

    def __init__(
        self, model: Model, texts: Texts, limit: int, effort: int | None, keeping: Keeping | None = None
    ) -> None:
        self._keeping = keeping
        self.model = model
        self.texts = texts
        self.limit = limit
        self.effort = effort
        self.start = limit - texts.frame + texts.refund
        self.rounds = 0
        self.understated: list[tuple[str | int, int, int]] = []
        self._headed: Headed | None = None
        self._best: Verified | None = None
        self._counted: dict[tuple[int, ...], tuple[str, int]] = {}
        self._tried: set[int] = set()
        self._real: dict[int, int] = {}
        self._head(model)

    def run(self) -> Verified:
        """Return the best text that fits, or, where pins or frame are too large, the least there is."""
        trial = first = self._attempt(self.start)
        while True:
            if self._correct_costs(trial):
                trial = first = self._attempt(self.start)
                continue
            capacity = self._next_capacity(trial)
            if capacity is None or capacity in self._tried or self.rounds >= ROUNDS:
                break
            trial = self._attempt(capacity)
        found = self._best if self._best is not None else self._lowered(trial)
        return self._certified(found, first)

    def rendered(self, found: Verified) -> Rendered:
        """Return what a packing keeps of its text."""
        counter = self.texts.counter
        return Rendered(
            found.text, found.tokens, counter.name, counter.exact, found.used, found.capacity - found.paid,
            self.rounds, found.used - found.charged - self.texts.frame,
        )  # fmt: skip

    def _head(self, model: Model) -> None:
        self.model = model
        if self.texts.headings:
            from haversack._headings import Headed

            self._headed = Headed(model, self.texts.headings, self.texts.with_text())

    def _solve(self, capacity: int) -> tuple[AnyOutcome, int]:
        if self._headed is not None:
            return self._headed.solve(capacity, self.effort, self.limit)
        if self._keeping is not None:
            return self._keeping.solve(self.model, capacity, self.effort, self.limit), 0
        return self.model.solve(capacity, self.effort, self.limit), 0

    def _attempt(self, capacity: int) -> Verified:
        """Choose within a capacity, and count the text of what was chosen."""
        self._tried.add(capacity)
        outcome, paid = self._solve(capacity)
        numbers = outcome.chosen.tolist()
        choice = getattr(outcome, "choice", None)
        if choice is not None:
            numbers = [self.texts.number(position, choice[position]) for position in numbers]
        key = tuple(numbers)
        if key not in self._counted:
            text = self.texts.text(self.model, numbers)
            # Nothing has no tokens, whatever a counter may charge for a message around it.
            self._counted[key] = text, self.texts.counter.count_valid([text])[0] if text else 0
            self.rounds += 1
        text, tokens = self._counted[key]
        used = tokens
        if self.texts.textless:
            inside = set(numbers)
            used += sum(self._cost(number) for number in self.texts.textless if number in inside)
        trial = Verified(outcome, numbers, text, tokens, used, capacity, paid)
        if used <= self.limit and (self._best is None or _rank(outcome) > _rank(self._best.outcome)):
            self._best = trial
        return trial

    def _cost(self, number: int) -> int:
        return self.model.cost_of(*self.texts.place(number))

    def _next_capacity(self, trial: Verified) -> int | None:
        """Correct the capacity by what the recount adds to the charges; None if that helps no more."""
        capacity = self.limit - (trial.used - trial.charged)
        if trial.used > self.limit:
            return capacity if self._removable(trial) else None
        if capacity <= trial.capacity:
            return None
        return capacity if self._has_use_for(self.limit - trial.used, trial) else None

    def _has_use_for(self, left: int, trial: Verified) -> bool:
        """Whether a dropped snippet, or a better form of a chosen one, would fit into what is left."""
        model, outcome = self.model, trial.outcome
        structure = model.structure
        if structure is None:
            columns = zip(model.costs, model.values, outcome.mask, strict=True)
            return any(not chosen and cost <= left and value > 0 for cost, value, chosen in columns)
        choice: Any = getattr(outcome, "choice", ())
        for costs, values, form in zip(structure.costs, structure.values, choice, strict=True):
            cost, value = (costs[form], values[form]) if form >= 0 else (0, 0)
            if any(c - cost <= left and v > value for c, v in zip(costs, values, strict=True)):
                return True
        return False

    def _removable(self, trial: Verified) -> list[int]:
        """Return the numbers of forms with a text that need not be in, or not in that form."""
        textless, structure = set(self.texts.textless), self.model.structure
        removable = []
        for number in trial.numbers:
            position, form = self.texts.place(number)
            must = self.model.pinned[position]
            if must and structure is not None:
                must = structure.costs[position][form] == min(structure.costs[position])
            if not must and number not in textless:
                removable.append(number)
        return removable

    def _correct_costs(self, trial: Verified) -> bool:
        """Look for given costs that were too low where the text is longer than charged; charge the real ones.

        They are charged only once the text did not fit: until then a given cost stands. True if any changed.
        """
        if trial.used > trial.charged + self.limit - self.start:
            asked = [number for number in trial.numbers if number not in self._real]
            for number, (tokens, charged) in self.texts.real_costs(asked).items():
                self._real[number] = charged
                given = self._cost(number)
                if tokens > given:
                    self.understated.append((self.model.ids[self.texts.place(number)[0]], given, tokens))
        if trial.used <= self.limit:
            return False
        inside = set(trial.numbers)
        higher = {
            self.texts.place(number): real
            for number, real in self._real.items()
            if number in inside and real > self._cost(number)
        }
        if higher:
            self._head(charging(self.model, higher))
            self._tried.clear()
        return bool(higher)

    def _lowered(self, trial: Verified) -> Verified:
        """Lower the capacity, in growing steps, until a text fits or nothing is left to leave out."""
        step = 1
        while trial.used > self.limit and (removable := self._removable(trial)):
            if trial.capacity <= trial.outcome.pinned_cost:
                # Only texts that are charged nothing are left, and they are in at any capacity: charge them.
                free = [number for number in removable if not self._cost(number)]
                if not free:
                    break
                self._head(charging(self.model, {self.texts.place(number): 1 for number in free}))
            step = max(step * 2, trial.used - self.limit)
            trial = self._attempt(min(trial.capacity, trial.charged) - step)
        return self._best or trial

    def _certified(self, found: Verified, first: Verified) -> Verified:
        """State what is proven: against the whole capacity where the text came from a smaller one."""
        outcome, most = found.outcome, first.outcome.bound
        is_narrower = found.capacity < first.capacity and most > outcome.bound  # type: ignore[operator]
        if is_narrower or self._real:
            bound, optimal = (most, False) if is_narrower else (outcome.bound, outcome.optimal)
            outcome = restated(self.model, outcome, bound, optimal)
        return Verified(
            outcome, found.numbers, found.text, found.tokens, found.used, found.capacity, found.paid
        )


def _rank(outcome: AnyOutcome) -> tuple[object, int]:
    """What makes one selection better than another: its value, tier by tier; then fewer tokens."""
    return getattr(outcome, "totals", outcome.value), -outcome.cost
