"""Time several contestants fairly on a machine that others use too."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Contestant(NamedTuple):
    """Something to time: *call* is timed, *prepare* (its argument, made afresh each time) is not."""

    call: Callable[[Any], Any]
    prepare: Callable[[], Any] = lambda: None


class Timings:
    """Seconds of every contestant in every round, and the answers of the first round."""

    def __init__(self, rounds: Mapping[str, list[float]], answers: Mapping[str, Any]) -> None:
        self.rounds = rounds
        self.answers = answers

    def median(self, name: str) -> float:
        """Seconds: the median over the rounds."""
        return statistics.median(self.rounds[name])

    def ratio(self, name: str, yardstick: str) -> float:
        """How many times the yardstick *name* takes: the median of the rounds' own ratios.

        Both are measured moments apart in each round, so that a busy spell of the machine hits both.
        """
        pairs = zip(self.rounds[name], self.rounds[yardstick], strict=False)
        return statistics.median(mine / its for mine, its in pairs)


def interleave(
    contestants: Mapping[str, Contestant],
    *,
    rounds: int,
    seconds: float = 2.0,
    slow: Mapping[str, Contestant] | None = None,
    slow_rounds: int = 3,
) -> Timings:
    """Run every contestant once a round, taking turns.

    At least three of the *rounds* are run (if there are so many), then more until *seconds* have passed.
    *slow* ones take part in the first *slow_rounds* only.
    """
    slow = slow or {}
    taken: dict[str, list[float]] = {name: [] for name in [*contestants, *slow]}
    answers: dict[str, Any] = {}
    started = time.perf_counter()
    for round_number in range(rounds):
        if round_number >= 3 and time.perf_counter() - started > seconds:
            break
        entrants = {**contestants, **(slow if round_number < slow_rounds else {})}
        for name, contestant in entrants.items():
            elapsed, answer = _time(contestant)
            taken[name].append(elapsed)
            answers.setdefault(name, answer)
    return Timings(taken, answers)


def _time(contestant: Contestant) -> tuple[float, Any]:
    argument = contestant.prepare()
    gc.collect(0)
    gc.disable()
    try:
        started = time.perf_counter_ns()
        answer = contestant.call(argument)
        elapsed = time.perf_counter_ns() - started
    finally:
        gc.enable()
    return elapsed / 1e9, answer
