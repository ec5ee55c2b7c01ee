"""Structured instances, and the same problem told to others: a table in NumPy, a program for HiGHS."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any, NamedTuple

import numpy as np

from benchmarks.rivals import quiet_highs

Terms = dict[int, float]


class Structured(NamedTuple):
    """A request: snippets of three forms each, a budget, capped sections."""

    snippets: list[dict[str, Any]]
    budget: int
    sections: dict[str, dict[str, Any]]

    def forms(self) -> list[list[tuple[int, int]]]:
        """(cost, value) of each snippet's forms, its own first."""
        return [
            [(one["cost"], one["value"])] + [(form["cost"], form["value"]) for form in one["variants"]]
            for one in self.snippets
        ]


def draw(n: int, budget: float | int, *, mixed: bool) -> Structured:
    """Draw n snippets with three forms; *mixed*: in eight capped sections, with requirements and groups."""
    random = Random(n)
    snippets: list[dict[str, Any]] = []
    before: dict[str, list[str]] = {}
    for number in range(n):
        full, worth = max(1, int(random.lognormvariate(5.3, 0.7))), random.uniform(0, 1000)
        shares = sorted(random.uniform(0.08, 0.7) for _ in range(2))
        one: dict[str, Any] = {"id": f"i{number}", "cost": full, "value": int(worth) + 1}
        one["variants"] = [
            {"name": f"short{at}", "cost": max(1, int(full * share)),
             "value": int(worth * share**0.5 * random.uniform(0.7, 1)) + 1}
            for at, share in enumerate(shares)
        ]  # fmt: skip
        if mixed:
            _bind(one, before, random, n)
        snippets.append(one)
    tokens = budget if isinstance(budget, int) else int(sum(one["cost"] for one in snippets) * budget)
    shares = [random.uniform(0.1, 0.5) for _ in range(8 if mixed else 0)]
    return Structured(snippets, tokens, {f"s{at}": {"cap": int(tokens * x)} for at, x in enumerate(shares)})


def _bind(one: dict[str, Any], before: dict[str, list[str]], random: Random, n: int) -> None:
    section = one["section"] = f"s{random.randrange(8)}"
    if section in before and random.random() < 0.2:
        one["requires"] = [random.choice(before[section])]
    elif random.random() < 0.1:
        one["group"] = f"{section} {random.randrange(n // 20 + 1)}"
    before.setdefault(section, []).append(one["id"])


def numpy_table(instance: Structured) -> int:
    """The textbook table over the budget, one vector operation a form; for forms alone."""
    best = np.zeros(instance.budget + 1, dtype=np.int64)
    for forms in instance.forms():
        with_one = best.copy()
        for cost, value in forms:
            if cost <= instance.budget:
                tail = with_one[cost:]
                np.maximum(tail, best[: len(tail)] + value, out=tail)
        best = with_one
    return int(best[-1])


def highs(instance: Structured, *, seconds: float = 30.0) -> int | None:
    """HiGHS on the whole problem, gaps of zero; None when it ran out of time."""
    import highspy

    columns = [(at, cost, value) for at, forms in enumerate(instance.forms()) for cost, value in forms]
    rows = _rows(instance, columns)
    solver = quiet_highs(seconds)
    model = highspy.HighsLp()
    size = len(columns)
    model.num_col_, model.num_row_, model.sense_ = size, len(rows), highspy.ObjSense.kMaximize
    model.col_cost_ = np.array([value for _, _, value in columns], dtype=float)
    model.col_lower_, model.col_upper_ = np.zeros(size), np.ones(size)
    model.integrality_ = [highspy.HighsVarType.kInteger] * size
    model.row_lower_, model.row_upper_ = (
        np.array([row[side] for row in rows], dtype=float) for side in (1, 2)
    )
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *(len(terms) for terms, _, _ in rows)])
    model.a_matrix_.index_ = np.array([column for terms, _, _ in rows for column in terms])
    model.a_matrix_.value_ = np.array([factor for terms, _, _ in rows for factor in terms.values()])
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    taken = np.array(solver.getSolution().col_value) > 0.5
    return sum(value for (_, _, value), one in zip(columns, taken, strict=True) if one)


def _rows(instance: Structured, columns: list[tuple[int, int, int]]) -> list[tuple[Terms, float, float]]:
    of: list[list[int]] = [[] for _ in instance.snippets]
    for column, (at, _, _) in enumerate(columns):
        of[at].append(column)
    whole = {column: float(cost) for column, (_, cost, _) in enumerate(columns)}
    rows: list[tuple[Terms, float, float]] = [(whole, -inf, float(instance.budget))]
    position = {one["id"]: at for at, one in enumerate(instance.snippets)}
    heads: dict[str, int] = {}
    for at, one in enumerate(instance.snippets):
        taken = dict.fromkeys(of[at], 1.0)
        rows.append((taken, -inf, 1.0))
        needed = [of[position[id]] for id in one.get("requires", ())]
        rows += [(taken | dict.fromkeys(other, -1.0), -inf, 0.0) for other in needed]
        head = heads.setdefault(one["group"], at) if "group" in one else at
        if head != at:
            rows.append((taken | dict.fromkeys(of[head], -1.0), 0.0, 0.0))
    for name, section in instance.sections.items():
        inside = {c: w for c, w in whole.items() if instance.snippets[columns[c][0]]["section"] == name}
        rows.append((inside, -inf, float(section["cap"])))
    return rows
