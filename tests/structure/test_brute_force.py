"""Every rule of structure against enumeration, all fields mixed."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import haversack

from .drawing import FIELDS, Drawn, draw
from .oracle import Problem, names_of

SEEDS = range(8)
ROUNDS = 400


def choice_of(packing: haversack.Packing[Any], drawn: Drawn) -> tuple[int, ...]:
    """The chosen form of every snippet by number, -1 where it is out."""
    forms = packing.forms
    return tuple(
        names_of(snippet).index(forms[snippet["id"]]) if snippet["id"] in forms else -1
        for snippet in drawn.snippets
    )


def check(drawn: Drawn) -> None:
    """The packing is allowed, as good as the best of all, and proven so."""
    problem = Problem(drawn.snippets, drawn.budget, drawn.sections)
    best = problem.best()
    if best is None:
        with pytest.raises(haversack.InputError, match="one_of"):
            haversack.pack(drawn.snippets, drawn.budget, sections=drawn.sections, over_budget="allow")
        return

    packing = haversack.pack(
        drawn.snippets, drawn.budget, sections=drawn.sections, over_budget="allow", effort="full"
    )

    choice = choice_of(packing, drawn)
    assert problem.allows(choice)
    assert problem.fits(choice)
    found = problem.judged(choice)
    assert best.shortfall == found.shortfall
    assert best.values == found.values
    assert packing.optimal
    if packing.statistics["fewest_tokens"]:
        assert best.cost == found.cost
    assert packing.cost == found.cost
    _check_numbers(packing, problem, found.values)
    _check_worthless(problem, choice)


def number(total: Fraction, problem: Problem) -> int | float:
    """The exact sum as the contract gives it: an int if every value is one, else rounded once."""
    is_whole = all(isinstance(value, int) for forms in problem.forms for _, value in forms)
    return int(total) if is_whole else total.numerator / total.denominator


def _check_numbers(packing: haversack.Packing[Any], problem: Problem, values: tuple[Fraction, ...]) -> None:
    total = sum(values)
    assert packing.value == number(total, problem)
    if packing.values_by_tier is None:
        assert packing.bound == packing.value
        assert packing.gap == 0
    else:
        rounded = tuple(number(value, problem) for value in values)
        assert tuple(packing.values_by_tier) == tuple(problem.tiers)
        assert tuple(packing.values_by_tier.values()) == rounded == packing.bound
        assert packing.gap == (0,) * len(rounded)
    assert [one for one in problem.snippets if one["id"] in packing.forms] == packing.selected
    for name, section in packing.sections.items():
        assert section["used"] == problem.cost(choice_of_ids(packing, problem), problem.inside[name])


def choice_of_ids(packing: haversack.Packing[Any], problem: Problem) -> tuple[int, ...]:
    """The choice again, from the forms by id."""
    return tuple(
        names_of(one).index(packing.forms[one["id"]]) if one["id"] in packing.forms else -1
        for one in problem.snippets
    )


def _check_worthless(problem: Problem, choice: tuple[int, ...]) -> None:
    """Nothing is in that adds nothing: without it the values, or a floor, would be worse."""
    here = problem.judged(choice)
    for without in problem.removable(choice):
        there = problem.judged(without)
        assert (-there.shortfall, there.values) < (-here.shortfall, here.values)


@pytest.mark.parametrize("seed", SEEDS)
def test_all_fields_mixed(seed: int) -> None:
    """Forms, groups, requirements, alternatives, sections, floors, tiers, pins and floats, as they come."""
    random = Random(seed)
    for _ in range(ROUNDS):
        check(draw(random, 6))


@pytest.mark.parametrize("field", [field for field in FIELDS if field not in ("float", "floor")])
def test_one_field_alone(field: str) -> None:
    """Each by itself, with pins, on more snippets."""
    random = Random(field)
    for _ in range(60):
        check(draw(random, 8, frozenset([field, "pinned"])))
