"""Choose, render, count the text that came out, and choose again where it did not come out as charged.

Counts of parts do not add up in general, and a given cost may be wrong. So what is handed out is a text that
was counted as a whole. The difference between that count and the sum of the charges corrects the capacity
of the next round; the best text that fits is kept.
"""

from __future__ import annotations

from haversack._bigint import Outcome
from haversack._record import Record
from haversack._rendered import Rendered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from haversack._model import Model
    from haversack._model import Outcome as AnyOutcome
    from haversack._texts import Texts
    from haversack.counters import Counter

    Solve = Callable[[Model, int, int | None], AnyOutcome]

ROUNDS = 8


class Verified(Record):
    """A selection with its text, counted.

    `used` is `tokens` and the cost of what is in without a text. `capacity` is what the chosen blocks could
    cost by their charges. `understated` has the id, the given cost and the real tokens of every snippet whose
    given cost the recount showed to be too low.
    """

    __slots__ = ("outcome", "text", "tokens", "used", "capacity", "rounds", "understated")

    outcome: AnyOutcome
    text: str
    tokens: int
    used: int
    capacity: int
    rounds: int
    understated: tuple[tuple[str | int, int, int], ...]

    def __init__(
        self,
        outcome: AnyOutcome,
        text: str,
        tokens: int,
        used: int,
        capacity: int,
        rounds: int = 0,
        understated: tuple[tuple[str | int, int, int], ...] = (),
    ) -> None:
        self._fill(outcome, text, tokens, used, capacity, rounds, understated)

    def certified_by(
        self, outcome: Outcome, rounds: int, understated: tuple[tuple[str | int, int, int], ...]
    ) -> Verified:
        """Return the same text with what is proven about its selection."""
        return Verified(outcome, self.text, self.tokens, self.used, self.capacity, rounds, understated)

    def rendered(self, counter: Counter) -> Rendered:
        """Return what a packing keeps of it."""
        return Rendered(self.text, self.tokens, counter.name, counter.exact, self.used, self.capacity)


class Recount:
    """The search for a selection whose text, counted as a whole, leaves `limit` = budget - reserve free.

    *solve* chooses in the place of the model's own.
    """

    def __init__(
        self, model: Model, texts: Texts, limit: int, effort: int | None, solve: Solve | None = None
    ) -> None:
        self._solve = solve or _solve_plainly
        self.model = model
        self.texts = texts
        self.limit = limit
        self.effort = effort
        self.start = limit - texts.frame + texts.refund
        self.rounds = 0
        self._best: Verified | None = None
        self._counted: dict[bytes, tuple[str, int]] = {}
        self._tried: set[int] = set()
        self._real: dict[int, int] = {}
        self._understated: list[tuple[str | int, int, int]] = []

    def run(self) -> tuple[Model, Verified]:
        """Return the best text that fits, or, where pins or frame are too large, the least there is."""
        trial = first = self._attempt(self.start)
        while True:
            corrected = self._correct_costs(trial)
            if corrected:
                trial = first = self._attempt(self.start)
                continue
            capacity = self._next_capacity(trial)
            if capacity is None or capacity in self._tried or self.rounds >= ROUNDS:
                break
            trial = self._attempt(capacity)
        found = self._best if self._best is not None else self._lowered(trial)
        return self.model, self._certified(found, first)

    def _attempt(self, capacity: int) -> Verified:
        """Choose within a capacity, and count the text of what was chosen."""
        self._tried.add(capacity)
        outcome = self._solve(self.model, capacity, self.effort)
        chosen = outcome.chosen.tolist()
        mask = bytes(outcome.mask)
        if mask not in self._counted:
            text = self.texts.text(self.model.objects, chosen)
            # Nothing has no tokens, whatever a counter may charge for a message around it.
            self._counted[mask] = text, self.texts.counter(text) if text else 0
            self.rounds += 1
        text, tokens = self._counted[mask]
        costs = self.model.costs
        used = tokens + sum(costs[position] for position in self.texts.without_text(chosen))
        trial = Verified(outcome, text, tokens, used, capacity)
        if used <= self.limit and (self._best is None or _is_better(outcome, self._best.outcome)):
            self._best = trial
        return trial

    def _next_capacity(self, trial: Verified) -> int | None:
        """Correct the capacity by what the recount adds to the charges; None if that helps no more."""
        capacity = self.limit - (trial.used - trial.outcome.cost)
        if trial.used > self.limit:
            return capacity if self._removable(trial) else None
        if capacity <= trial.capacity:
            return None
        left, mask = self.limit - trial.used, trial.outcome.mask
        columns = zip(self.model.costs, self.model.values, mask, strict=True)
        fits = any(not chosen and cost <= left and value > 0 for cost, value, chosen in columns)
        return capacity if fits else None

    def _removable(self, trial: Verified) -> list[int]:
        """Return what is in with a text and need not be."""
        pins, blocks = self.model.pinned, self.texts.blocks
        return [p for p in trial.outcome.chosen if not pins[p] and not blocks[p].is_empty]

    def _correct_costs(self, trial: Verified) -> bool:
        """Look for given costs that were too low where the text is longer than charged; charge the real ones.

        They are charged only once the text did not fit: until then a given cost stands. True if any changed.
        """
        predicted = trial.outcome.cost + self.limit - self.start
        if trial.used > predicted:
            asked = [position for position in trial.outcome.chosen if position not in self._real]
            for position, (tokens, charged) in self.texts.real_costs(asked).items():
                self._real[position] = charged
                given = self.model.costs[position]
                if tokens > given:
                    self._understated.append((self.model.ids[position], given, tokens))
        if trial.used <= self.limit:
            return False
        costs = self.model.costs
        higher = {p: real for p, real in self._real.items() if real > costs[p] and trial.outcome.mask[p]}
        if higher:
            self.model = self.model.charging(higher)
            self._tried.clear()
        return bool(higher)

    def _lowered(self, trial: Verified) -> Verified:
        """Lower the capacity, in growing steps, until a text fits or nothing is left to leave out."""
        step = 1
        while trial.used > self.limit and self._removable(trial):
            if trial.capacity <= trial.outcome.pinned_cost:
                # Only texts that are charged nothing are left, and they are in at any capacity: charge them.
                self.model = self.model.charging(dict.fromkeys(self._removable(trial), 1))
            step = max(step * 2, trial.used - self.limit)
            trial = self._attempt(min(trial.capacity, trial.outcome.cost) - step)
        return self._best or trial

    def _certified(self, found: Verified, first: Verified) -> Verified:
        """State what is proven: against the whole capacity where the text came from a smaller one."""
        outcome, costs, pins = found.outcome, self.model.costs, self.model.pinned
        bound, optimal = outcome.bound, outcome.optimal
        if found.capacity < first.capacity and first.outcome.bound > outcome.bound:
            bound, optimal = first.outcome.bound, False
        # Summed anew: costs may have been corrected since.
        cost = sum(costs[position] for position in outcome.chosen)
        statistics = {**outcome.statistics, "states": outcome.states, "rounds": self.rounds}
        statistics["joins"] = found.used - cost - self.texts.frame
        certified = Outcome(
            bytes(outcome.mask), value=outcome.value, cost=cost,
            pinned_cost=sum(costs[position] for position in outcome.chosen if pins[position]),
            bound=bound, optimal=optimal, fewest_tokens=outcome.fewest_tokens, statistics=statistics,
        )  # fmt: skip
        return found.certified_by(certified, self.rounds, tuple(self._understated))


def _is_better(one: AnyOutcome, other: AnyOutcome) -> bool:
    return (one.value, -one.cost) > (other.value, -other.cost)


def _solve_plainly(model: Model, capacity: int, effort: int | None) -> AnyOutcome:
    return model.solve(capacity, effort)
