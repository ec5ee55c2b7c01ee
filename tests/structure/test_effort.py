"""What an effort promises: an answer in time, and never less than a plain greedy finds."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any

import pytest

import haversack
from haversack import _tier_by_tier, _wide_forest

from .drawing import FIELDS, draw
from .oracle import Choice, Problem
from .test_brute_force import choice_of

PATIENCE = 10.0
"""Seconds: many times what these take, and a small part of what they took when they were written."""


def deep(levels: int) -> dict[str, Any]:
    """Sections each in the next."""
    sections: dict[str, Any] = {f"s{at}": {"cap": 5, "parent": f"s{at + 1}"} for at in range(levels - 1)}
    return sections | {f"s{levels - 1}": {"cap": 3}}


def test_sections_may_nest_thousands_deep() -> None:
    """Reading them takes time in proportion."""
    start = perf_counter()
    packing = haversack.pack([{"id": 0, "cost": 1, "value": 1, "section": "s0"}], 10, sections=deep(4_000))

    assert packing.value == 1
    assert perf_counter() - start < PATIENCE


def test_a_circle_far_up_is_named_and_nothing_else() -> None:
    """Not the sections that lead there."""
    sections = deep(1_000)
    sections["s999"] = {"cap": 3, "parent": "s998"}

    with pytest.raises(haversack.InputError, match=r"circle: 's99[89]' in 's99[89]' in 's99[89]';"):
        haversack.pack([{"id": 0, "cost": 1, "value": 1}], 10, sections=sections)


@pytest.mark.parametrize(("size", "budget", "least"), [(2, 3, 4), (40, 70, 100), (5_000, 8_000, 11_000)])
@pytest.mark.parametrize("effort", ["greedy", "normal"])
def test_a_group_too_heavy_at_its_best_goes_in_lighter(
    size: int, budget: int, least: int, effort: str
) -> None:
    """Each member has a dear form of more value per token; all of these together do not fit."""
    members = [
        {"id": at, "cost": 1, "value": 1, "group": "g", "variants": [{"name": "a", "cost": 2, "value": 3}]}
        for at in range(size)
    ]

    packing = haversack.pack(members, budget, effort=effort)

    assert packing.value >= least
    assert packing.bound >= packing.value


@pytest.mark.parametrize("effort", [0, 1, 1_000, None])
def test_what_only_pays_together_is_found_by_a_greedy(effort: int | None) -> None:
    """A snippet may require two that are worth nothing."""
    snippets: list[dict[str, Any]] = [
        {"id": "p", "cost": 1, "value": 0},
        {"id": "q", "cost": 1, "value": 0},
        {"id": "x", "cost": 0, "value": 5, "requires": ["p", "q"]},
    ]

    assert haversack.pack(snippets, 2, effort=effort).value == 5


def test_what_comes_along_counts() -> None:
    """Two that are needed by many are worth what all of these are worth, not what one is."""
    snippets: list[dict[str, Any]] = [
        {"id": "p", "cost": 6, "value": 0},
        {"id": "q", "cost": 6, "value": 0},
        *({"id": f"x{at}", "cost": 0, "value": 2, "requires": ["p", "q"]} for at in range(20)),
        *({"id": f"y{at}", "cost": 3, "value": 3} for at in range(4)),
    ]

    assert haversack.pack(snippets, 12, effort="greedy").value == 40


def efficiency(cost: float, value: float) -> float:
    """Value per token; what is free comes first."""
    return value / max(cost, 0.5)


def greedy(problem: Problem) -> Choice:
    """The plainest greedy on the hull: whatever is worth most per token and still fits, one by one."""
    forms = problem.forms
    size = range(len(forms))
    lightest = [min(range(len(own)), key=lambda form, own=own: own[form][0]) for own in forms]  # type: ignore[misc]
    choice: Choice = tuple(lightest[p] if p in problem.pinned else -1 for p in size)
    while True:
        now = [forms[p][choice[p]] if choice[p] >= 0 else (0, 0) for p in size]
        moves = [
            (efficiency(cost - now[p][0], value - now[p][1]), (*choice[:p], form, *choice[p + 1 :]))
            for p in size
            for form, (cost, value) in enumerate(forms[p])
            if value > now[p][1] and cost >= now[p][0]
        ]
        moves = [move for move in moves if problem.fits(move[1]) and problem.allows(move[1])]
        if not moves:
            return choice
        choice = max(moves, key=lambda move: move[0])[1]


@pytest.mark.parametrize("effort", [0, 1, 300, None])
def test_no_effort_finds_less_than_a_plain_greedy(effort: int | None) -> None:
    """Whatever the forms, sections, alternatives and pins; and the bound is one."""
    random = Random(11)
    for _ in range(250):
        drawn = draw(random, 12, frozenset(["variants", "section", "one_of", "pinned"]))
        problem = Problem(drawn.snippets, drawn.budget, drawn.sections)
        try:
            packing = haversack.pack(
                drawn.snippets, drawn.budget, sections=drawn.sections, over_budget="allow", effort=effort
            )
        except haversack.InputError:
            continue
        assert packing.value >= sum(problem.values(greedy(problem)))
        assert packing.bound >= packing.value


@pytest.mark.parametrize("seed", range(3))
def test_every_effort_keeps_the_rules_and_bounds_the_best(seed: int) -> None:
    """All rules mixed: less effort may cost value, never the truth."""
    random = Random(seed)
    for _ in range(150):
        drawn = draw(random, 6, frozenset(FIELDS) - {"floor", "float", "tier"})
        problem = Problem(drawn.snippets, drawn.budget, drawn.sections)
        best = problem.best()
        if best is None:
            continue
        for effort in (0, 1, 50, 2_000):
            packing = haversack.pack(
                drawn.snippets, drawn.budget, sections=drawn.sections, over_budget="allow", effort=effort
            )
            choice = choice_of(packing, drawn)
            assert problem.allows(choice)
            assert problem.fits(choice)
            assert packing.value <= best.values[0] <= packing.bound
            assert not packing.optimal or packing.value == best.values[0]


def hostile(size: int) -> dict[str, list[dict[str, Any]]]:
    """Requests that once took seconds to minutes."""
    random = Random(1)
    mixed: list[dict[str, Any]] = []
    for at in range(size):
        cost = random.randint(1, 100)
        one: dict[str, Any] = {"id": at, "cost": cost, "value": random.randint(1, 100)}
        one["variants"] = [{"name": "short", "cost": random.randint(1, cost), "value": random.randint(1, 60)}]
        if at and random.random() < 0.2:
            one["requires"] = [random.randrange(at)]
        if random.random() < 0.1:
            one["group"] = f"g{random.randrange(size // 3 + 1)}"
        if random.random() < 0.1:
            one["one_of"] = f"o{random.randrange(size // 3 + 1)}"
        mixed.append(one | {"section": f"s{random.randrange(5)}"})
    return {
        "all that came before": [
            {"id": at, "cost": 5, "value": at % 37, "requires": list(range(at))} for at in range(400)
        ],
        "mixed across sections": mixed,
        "pairs": [
            {"id": at, "cost": 1, "value": 1, "one_of": f"o{at // 2}", "requires": (at * 7 + 3) % size}
            for at in range(size)
        ],
    }


@pytest.mark.parametrize("name", list(hostile(1)))
def test_hostile_input_is_proven_in_time(name: str) -> None:
    """With the default effort."""
    sections = {f"s{at}": {"cap": 8_000} for at in range(5)}
    start = perf_counter()
    packing = haversack.pack(
        hostile(2_000)[name], 30_000 if name.startswith("mixed") else 800, sections=sections
    )

    assert packing.optimal
    assert perf_counter() - start < PATIENCE


def test_a_thousand_tiers_are_taken_in_their_order() -> None:
    """As many of the first as the budget holds are proven, and no later one is taken in their place."""
    random = Random(3)
    snippets = [
        {"id": at, "cost": random.randint(1, 50), "value": random.randint(1, 50), "tier": at % 1_000}
        for at in range(5_000)
    ]

    packing = haversack.pack(snippets, 8_000)

    assert packing.values_by_tier is not None
    for tier in range(60):
        assert packing.values_by_tier[tier] == sum(one["value"] for one in snippets if one["tier"] == tier)
    assert packing.gap[:60] == (0,) * 60


def test_tiers_too_wide_for_the_core_keep_the_rules_and_bound_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One tier at a time, with all other rules, as where the effort ends before the exact search."""

    def unproven(forest: Any, effort: int) -> Any:
        outcome = exact(forest, effort)
        outcome.optimal = outcome.fewest_tokens = False
        outcome.choice = [-1] * len(outcome.choice)
        return outcome

    exact = _wide_forest.solve
    monkeypatch.setattr(_wide_forest, "solve", unproven)
    monkeypatch.setattr(_tier_by_tier, "_WIDEST", 1)
    random = Random(8)
    for _ in range(300):
        drawn = draw(random, 6, frozenset(["variants", "group", "one_of", "section", "pinned", "tier"]))
        for one in drawn.snippets:
            one["tier"] = random.randint(0, 2)
            for form in (one, *one.get("variants", ())):
                if "value" in form:
                    form["value"] *= 2**200
        problem = Problem(drawn.snippets, drawn.budget, drawn.sections)
        best = problem.best()
        if best is None:
            continue
        packing = haversack.pack(
            drawn.snippets, drawn.budget, sections=drawn.sections, over_budget="allow", effort=10_000
        )
        choice = choice_of(packing, drawn)
        assert problem.allows(choice)
        assert problem.fits(choice)
        reached, bound = problem.values(choice), packing.bound
        assert reached <= best.values
        assert reached[0] == best.values[0]
        assert best.values <= (bound if isinstance(bound, tuple) else (bound,))


@pytest.mark.parametrize("size", [60, 150, 300])
def test_values_far_apart_behind_requirements_take_fewer_states_and_beat_the_greedy(size: int) -> None:
    """Too wide for the core: Python integers, whose states take longer."""
    chance = Random(size)
    snippets: list[dict[str, Any]] = [
        {"id": at, "cost": chance.randint(1, 100), "value": chance.random() * 10 ** chance.randint(-150, 150)}
        for at in range(size)
    ]
    for at in range(2, size):
        if chance.random() < 0.5:
            snippets[at]["requires"] = chance.sample(range(at), 2)

    packing = haversack.pack(snippets, 15 * size)

    # About two seconds; the core creates ten times as many in one.
    assert packing.statistics["states"] < 4_000_000
    assert packing.value >= haversack.pack(snippets, 15 * size, effort=0).value
    assert packing.bound >= packing.value
