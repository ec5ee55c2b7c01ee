"""Middle-sized structures against HiGHS, which knows the whole problem as one integer program."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

import pytest

import haversack

from .drawing import draw
from .oracle import Problem

highspy = pytest.importorskip("highspy")

FOREST = frozenset(["variants", "group", "requires", "one_of", "section", "pinned"])


def solve(problem: Problem) -> int | None:
    """The greatest value by HiGHS, where floors lack least, of integers without tiers; None: no choice."""
    goal, rows = program(problem)
    floors = [(name, section["floor"]) for name, section in problem.sections.items() if section.get("floor")]
    lacks = range(len(goal), len(goal) + len(floors))
    columns = [(p, form) for p, forms in enumerate(problem.forms) for form in range(len(forms))]
    for lack, (name, floor) in zip(lacks, floors, strict=True):
        terms = {
            c: float(problem.forms[p][form][0])
            for c, (p, form) in enumerate(columns)
            if p in problem.inside[name] and problem.counts(p, form)
        }
        rows.append((terms | {lack: 1.0}, float(floor), inf))
    most = [1.0] * len(goal) + [float(floor) for _, floor in floors]
    if floors:
        lacking = _run([0.0] * len(goal) + [-1.0] * len(floors), rows, most)
        if lacking is None:
            return None
        rows.append((dict.fromkeys(lacks, 1.0), -inf, 0.5 - lacking))
    return _run(goal + [0.0] * len(floors), rows, most)


def program(problem: Problem) -> tuple[list[float], list[tuple[dict[int, float], float, float]]]:
    """The values of all forms, and every rule but floors as rows."""
    columns = [(p, form) for p, forms in enumerate(problem.forms) for form in range(len(forms))]
    of: dict[int, list[int]] = {}
    for column, (position, _) in enumerate(columns):
        of.setdefault(position, []).append(column)
    rows: list[tuple[dict[int, float], float, float]] = []
    for position, own in of.items():
        taken = dict.fromkeys(own, 1.0)
        rows.append((taken, 1.0 if position in problem.pinned else -inf, 1.0))
        others = [(other, -inf) for other in problem.requires[position]]
        others += [(mate, 0.0) for mate in problem.mates[position][:1]]
        rows += [
            (taken | dict.fromkeys(of[other], -1.0), low, 0.0) for other, low in others if other != position
        ]
    names = {one.get("one_of") for one in problem.snippets} - {None}
    for name in names:
        alternatives = [p for p, one in enumerate(problem.snippets) if one.get("one_of") == name]
        rows.append((dict.fromkeys((c for p in alternatives for c in of[p]), 1.0), -inf, 1.0))
    everything = list(range(len(problem.snippets)))
    caps = [(everything, problem.budget)] + [
        (problem.inside[name], one["cap"]) for name, one in problem.sections.items() if "cap" in one
    ]
    for inside, cap in caps:
        least = sum(min(cost for cost, _ in problem.forms[p]) for p in inside if p in problem.pinned)
        weights = {
            c: float(problem.forms[p][form][0]) for c, (p, form) in enumerate(columns) if p in set(inside)
        }
        rows.append((weights, -inf, float(max(cap, least))))
    return [float(problem.forms[p][form][1]) for p, form in columns], rows


def _run(
    goal: list[float], rows: list[tuple[dict[int, float], float, float]], most: list[float]
) -> int | None:
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(goal), len(rows)
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_, model.col_lower_, model.col_upper_ = goal, [0.0] * len(goal), most
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(goal)
    model.row_lower_, model.row_upper_ = [low for _, low, _ in rows], [high for _, _, high in rows]
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    starts = [0]
    for terms, _, _ in rows:
        starts.append(starts[-1] + len(terms))
    model.a_matrix_.start_ = starts
    model.a_matrix_.index_ = [column for terms, _, _ in rows for column in terms]
    model.a_matrix_.value_ = [factor for terms, _, _ in rows for factor in terms.values()]
    solver = highspy.Highs.__base__()
    for gap in ("mip_rel_gap", "mip_abs_gap"):
        solver.setOptionValue(gap, 0.0)
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return None
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return round(solver.getInfo().objective_function_value)


def check(snippets: list[dict[str, Any]], budget: int, sections: Any) -> None:
    """The same optimum, proven by both."""
    wanted = solve(Problem(snippets, budget, sections))
    if wanted is None:
        with pytest.raises(haversack.InputError, match="one_of"):
            haversack.pack(snippets, budget, sections=sections, over_budget="allow")
        return

    packing = haversack.pack(snippets, budget, sections=sections, over_budget="allow")

    assert packing.value == wanted
    assert packing.optimal


@pytest.mark.parametrize("seed", range(6))
def test_mixed_structure_of_up_to_forty(seed: int) -> None:
    """Rules inside and outside the forest, as they come."""
    random = Random(seed)
    for _ in range(40):
        drawn = draw(random, 40, FOREST, largest=60)
        check(drawn.snippets, drawn.budget * 4, drawn.sections)


@pytest.mark.parametrize("seed", range(3))
def test_three_forms_requirements_groups_and_caps(seed: int) -> None:
    """A hundred snippets as contexts have them: in three forms, by section, some with what they need."""
    random = Random(seed)
    for _ in range(6):
        check(*structured(random, 100))


def structured(random: Random, size: int) -> tuple[list[dict[str, Any]], int, dict[str, Any]]:
    """Snippets with three forms in eight capped sections; a fifth require one of their section."""
    snippets: list[dict[str, Any]] = []
    last: dict[str, list[str]] = {}
    for number in range(size):
        full, worth = max(1, int(random.lognormvariate(5.3, 0.7))), random.uniform(0, 1000)
        section = f"s{random.randrange(8)}"
        shares = sorted(random.uniform(0.08, 0.7) for _ in range(2))
        variants = [
            {"name": f"v{at}", "cost": max(1, int(full * share)),
             "value": int(worth * share**0.5 * random.uniform(0.7, 1))}
            for at, share in enumerate(shares)
        ]  # fmt: skip
        one = {
            "id": f"i{number}",
            "cost": full,
            "value": int(worth),
            "variants": variants,
            "section": section,
        }
        if section in last and random.random() < 0.2:
            one["requires"] = [random.choice(last[section])]
        elif random.random() < 0.1:
            one["group"] = f"{section}{random.randrange(3)}"
        last.setdefault(section, []).append(f"i{number}")
        snippets.append(one)
    budget = sum(one["cost"] for one in snippets) * 3 // 10
    sections = {f"s{at}": {"cap": int(budget * random.uniform(0.1, 0.5))} for at in range(8)}
    return snippets, budget, sections
