"""Solve the same instance by other means: what a user would do without haversack, and independent judges.

Every solver takes an `Instance` and returns the value of the best selection it found.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from benchmarks.instances import Array, Instance


def argsort(instance: Instance) -> Array:
    """Sort by value per token: the yardstick that every ratio in the tables is taken against."""
    return np.argsort(instance.values / instance.costs)


def reading_loop(snippets: Iterable[Mapping[str, Any]]) -> int:
    """Read the three fields that matter in plain Python: what any program that takes dicts pays."""
    pinned = 0
    for snippet in snippets:
        cost = snippet["cost"]
        value = snippet["value"]
        if snippet["pinned"]:
            pinned += cost * value
    return pinned


def numpy_table(instance: Instance) -> float:
    """The textbook table over the budget, one vector operation an item; exact for integers."""
    best = np.zeros(instance.budget + 1, dtype=instance.values.dtype)
    for cost, value in zip(instance.costs.tolist(), instance.values.tolist(), strict=True):
        if cost == 0:
            best += max(value, 0)
        elif cost <= instance.budget:
            np.maximum(best[cost:], best[:-cost] + value, out=best[cost:])
    return best[-1].item()  # type: ignore[no-any-return]


def ortools_branch_and_bound(instance: Instance, *, seconds: float = 20.0) -> int | None:
    """OR-tools' knapsack solver, integers only; None when it ran out of time."""
    from ortools.algorithms.python import knapsack_solver  # type: ignore[import-untyped]

    kind = knapsack_solver.SolverType.KNAPSACK_MULTIDIMENSION_BRANCH_AND_BOUND_SOLVER
    solver = knapsack_solver.KnapsackSolver(kind, "haversack")
    solver.set_time_limit(seconds)
    solver.init(instance.values.tolist(), [instance.costs.tolist()], [instance.budget])
    value = int(solver.solve())
    return value if solver.is_solution_optimal() else None


def highs(instance: Instance, *, seconds: float = 20.0) -> float | None:
    """HiGHS, a general integer programming solver: one row, gaps of zero; None when it ran out of time."""
    import highspy

    solver = quiet_highs(seconds)
    n = len(instance.costs)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = n, 1
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = instance.values.astype(np.float64)
    model.col_lower_, model.col_upper_ = np.zeros(n), np.ones(n)
    model.row_lower_, model.row_upper_ = np.array([-highspy.kHighsInf]), np.array([float(instance.budget)])
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.array([0, n])
    model.a_matrix_.index_ = np.arange(n)
    model.a_matrix_.value_ = instance.costs.astype(np.float64)
    model.integrality_ = [highspy.HighsVarType.kInteger] * n
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    taken = np.array(solver.getSolution().col_value) > 0.5
    return instance.values[taken].sum().item()  # type: ignore[no-any-return]


def quiet_highs(seconds: float) -> Any:
    """HiGHS without a word, on one thread, with gaps of zero."""
    import highspy

    with _silent_stdout():
        solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    settings = {"output_flag": False, "threads": 1, "time_limit": seconds}
    for name, setting in {**settings, "mip_rel_gap": 0.0, "mip_abs_gap": 0.0}.items():
        solver.setOptionValue(name, setting)
    return solver


@contextlib.contextmanager
def _silent_stdout() -> Iterator[None]:
    """HiGHS prints its banner from C++ before it can be told not to."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def fractional_bound(instance: Instance) -> float:
    """Dantzig's bound: fill up by value per token and cut the first item that does not fit.

    No selection is worth more. As a float it may be too low by rounding: allow for 1e-9 of it.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # what costs nothing comes first
        order = np.argsort(-instance.values / instance.costs, kind="stable")
    costs, values = instance.costs[order], instance.values[order]
    filled = np.cumsum(costs)
    cut = int(np.searchsorted(filled, instance.budget, side="right"))
    bound = float(values[:cut].sum())
    if cut < len(costs):
        left = instance.budget - (int(filled[cut - 1]) if cut else 0)
        bound += left * float(values[cut]) / float(costs[cut])
    return bound
