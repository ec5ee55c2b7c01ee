"""Rows of the main door: `max_value` and `pack` on lists of dicts, drawn or from real retrieval runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

import haversack
from benchmarks import checks, evidence, instances, rivals
from benchmarks.instances import Instance
from benchmarks.report import Line, duration
from benchmarks.settings import Settings
from benchmarks.timing import Contestant, Timings, interleave

Snippets = list[dict[str, Any]]

LIMITS = {"max_value": 1.5, "pack": 4.0, "pack, decisions read": 12.0}
"""Times the reading loop."""


def thousand(settings: Settings) -> list[Line]:
    """1,000 dicts, budget 10,000, fresh from literals and from `json.loads`."""
    n = 100 if settings.quick else 1000
    instance = instances.snippets("tokens", "int1000", n=n, budget=10 * n)
    columns = list(zip(instance.costs.tolist(), instance.values.tolist(), strict=True))

    def literals() -> Snippets:
        return [
            {"id": f"s{i}", "cost": cost, "value": value, "pinned": False}
            for i, (cost, value) in enumerate(columns)
        ]

    text = json.dumps(literals())
    sources: dict[str, Callable[[], Snippets]] = {
        "literals": literals,
        "json.loads": lambda: json.loads(text),
    }
    lines = []
    for source, make in sources.items():
        timings = interleave(
            {name: Contestant(call, make) for name, call in _calls(instance.budget).items()},
            rounds=settings.rounds,
            seconds=settings.seconds,
        )
        best = rivals.numpy_table(instance)
        checks.same_value(source, {"NumPy table": best, **_values(timings)}, exact=True)
        job = f"{n:,} dicts, budget {instance.budget:,}, {source}"
        lines += [_line("dicts", job, name, timings, quick=settings.quick) for name in timings.rounds]
    return lines


def real(settings: Settings) -> list[Line]:
    """All questions of each evidence set, budget 2,000 tokens: time a question."""
    if settings.data is None:
        return [Line("evidence", "real retrieval runs", "", "skipped", note="no folder given: --data FOLDER")]
    lines = []
    for name in evidence.sets(settings.data):
        questions = evidence.questions(settings.data, name)[: 5 if settings.quick else None]
        lines += _real(settings, name, questions)
    return lines


def _real(settings: Settings, name: str, questions: list[Snippets]) -> list[Line]:
    budget = 2000
    texts = [json.dumps(question) for question in questions]

    def each(call: Callable[[Snippets], Any]) -> Callable[[list[Snippets]], list[Any]]:
        return lambda every: [call(question) for question in every]

    timings = interleave(
        {
            contestant: Contestant(each(call), lambda: [json.loads(text) for text in texts])
            for contestant, call in _calls(budget).items()
        },
        rounds=settings.rounds,
        seconds=settings.seconds,
    )
    for position, question in enumerate(questions[:5]):
        found = {contestant: values[position] for contestant, values in _values(timings).items()}
        checks.same_value(name, {"HiGHS": rivals.highs(_instance(question, budget)), **found}, exact=False)
    size = sum(map(len, questions)) / len(questions)
    job = f"{name}: {len(questions)} questions of {size:.0f}, budget {budget:,}"
    return [
        _line("evidence", job, contestant, timings, quick=True, questions=len(questions))
        for contestant in timings.rounds
    ]


def _calls(budget: int) -> dict[str, Callable[[Snippets], Any]]:
    def with_decisions(snippets: Snippets) -> haversack.Packing[dict[str, Any]]:
        packing = haversack.pack(snippets, budget)
        for decision in packing.decisions:
            _ = decision.reason
        return packing

    return {
        "reading loop": rivals.reading_loop,
        "max_value": lambda snippets: haversack.max_value(snippets, budget),
        "pack": lambda snippets: haversack.pack(snippets, budget),
        "pack, decisions read": with_decisions,
    }


def _values(timings: Timings) -> dict[str, Any]:
    """The value every contestant but the loop found; of a list of answers the list of values."""

    def value(answer: Any) -> Any:
        if isinstance(answer, list):
            return [value(each) for each in answer]
        return getattr(answer, "value", answer)

    return {name: value(answer) for name, answer in timings.answers.items() if name != "reading loop"}


def _instance(question: Snippets, budget: int) -> Instance:
    costs, values = (np.array([snippet[field] for snippet in question]) for field in ("cost", "value"))
    return Instance("evidence", costs, values, budget)


def _line(row: str, job: str, name: str, timings: Timings, *, quick: bool, questions: int = 1) -> Line:
    limit = None if quick else LIMITS.get(name)
    ratio = timings.ratio(name, "reading loop")
    return Line(row, job, name, duration(timings.median(name) / questions), ratio, "x loop", limit)
