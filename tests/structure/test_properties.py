"""What may never happen, whatever the structure: against the packing itself, not against a judge."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import haversack

from .drawing import FIELDS, Drawn, draw
from .oracle import Problem
from .test_brute_force import choice_of

NO_FLOORS = frozenset(FIELDS) - {"floor"}
"""Floors are excepted from monotony: a floor within reach may cost value."""


def pack(drawn: Drawn, budget: int | None = None, **settings: Any) -> haversack.Packing[Any] | None:
    """Pack; None where the pins contradict each other."""
    try:
        return haversack.pack(
            drawn.snippets, drawn.budget if budget is None else budget,
            **{"sections": drawn.sections, "over_budget": "allow", **settings},
        )  # fmt: skip
    except haversack.InputError:  # only what test_brute_force expects: rival pins
        return None


def values(packing: haversack.Packing[Any]) -> tuple[Any, ...]:
    """The value of each tier."""
    by_tier = packing.values_by_tier
    return (packing.value,) if by_tier is None else tuple(by_tier.values())


@pytest.mark.parametrize("seed", range(3))
def test_a_larger_budget_or_cap_or_one_more_variant_never_lowers_the_value(seed: int) -> None:
    """Tier by tier, in lexicographic order."""
    random = Random(seed)
    for _ in range(150):
        drawn = draw(random, 12, NO_FLOORS - {"float"})
        before = pack(drawn)
        if before is None:
            continue
        more = pack(drawn, drawn.budget + random.randint(1, 9))
        assert more is not None
        assert values(more) >= values(before)
        sections = {
            name: {**one, "cap": one["cap"] + random.randint(1, 9)} if "cap" in one else one
            for name, one in (drawn.sections or {}).items()
        }
        if sections:
            wider = pack(drawn, sections=sections)
            assert wider is not None
            assert values(wider) >= values(before)
        _check_one_more_variant(random, drawn, before)


def _check_one_more_variant(random: Random, drawn: Drawn, before: haversack.Packing[Any]) -> None:
    free = [at for at, one in enumerate(drawn.snippets) if at not in Problem(drawn.snippets, 0).pinned]
    if not free:
        return
    at = random.choice(free)
    snippets = list(drawn.snippets)
    extra = {"name": "extra", "cost": random.randint(0, 12), "value": random.randint(-2, 12)}
    snippets[at] = {**snippets[at], "variants": [*snippets[at].get("variants", ()), extra]}
    after = pack(Drawn(snippets, drawn.budget, drawn.sections))
    assert after is not None
    assert values(after) >= values(before)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_snippets_and_sections_changes_nothing_but_ties(seed: int) -> None:
    """Values, bound and proof are the same."""
    random = Random(seed)
    for _ in range(150):
        drawn = draw(random, 14, NO_FLOORS)
        before = pack(drawn)
        if before is None:
            continue
        shuffled = random.sample(drawn.snippets, len(drawn.snippets))
        sections = drawn.sections and dict(random.sample(list(drawn.sections.items()), len(drawn.sections)))
        after = pack(Drawn(shuffled, drawn.budget, sections))

        assert after is not None
        assert values(after) == values(before)
        assert (after.bound, after.optimal) == (before.bound, before.optimal)


@pytest.mark.parametrize("effort", [0, 1, 50, 1000])
def test_any_effort_keeps_every_rule_and_a_proven_bound(effort: int) -> None:
    """Only the proof may be lacking."""
    random = Random(effort)
    for _ in range(150):
        drawn = draw(random, 6, NO_FLOORS)
        packing = pack(drawn, effort=effort)
        if packing is None:
            continue
        problem = Problem(drawn.snippets, drawn.budget, drawn.sections)
        choice = choice_of(packing, drawn)
        best = problem.best()
        assert best is not None
        assert problem.allows(choice)
        assert problem.fits(choice)
        bound = packing.bound if isinstance(packing.bound, tuple) else (packing.bound,)
        assert bound >= tuple(float(value) for value in best.values)
        assert packing.optimal == (bound == values(packing))


def test_more_effort_is_never_worse_than_greedy() -> None:
    """On mixed structure of some size."""
    random = Random(5)
    for _ in range(30):
        drawn = draw(random, 60, NO_FLOORS, largest=100)
        greedy, normal = pack(drawn, effort="greedy"), pack(drawn)
        if greedy is not None and normal is not None:
            assert values(normal) >= values(greedy)


def test_the_same_request_gives_the_same_answer() -> None:
    """Every time."""
    random = Random(9)
    for _ in range(50):
        drawn = draw(random, 20)
        first = pack(drawn)
        if first is not None:
            assert first == pack(drawn)


def test_equal_snippets_are_taken_in_input_order() -> None:
    """Of equal cost, value and structure."""
    snippets = [{"id": id, "cost": 5, "value": 3, "section": "s"} for id in "abcd"]

    assert list(haversack.pack(snippets, 100, sections={"s": {"cap": 11}}).forms) == ["a", "b"]


@pytest.mark.parametrize("scale", [10**30, 10**160])
def test_numbers_of_any_size_are_exact(scale: int) -> None:
    """Values and costs far beyond 64 bits, by the same rules."""
    random = Random(scale)
    for _ in range(60):
        drawn = draw(random, 6, NO_FLOORS - {"float"})
        wide = [
            {
                **one,
                **_scaled(one, scale),
                "variants": [{**form, **_scaled(form, scale)} for form in one.get("variants", ())],
            }
            for one in drawn.snippets
        ]
        sections = {
            name: {**one, "cap": one["cap"] * scale} if "cap" in one else one
            for name, one in (drawn.sections or {}).items()
        } if drawn.sections is not None else None  # fmt: skip
        narrow, broad = pack(drawn), pack(Drawn(wide, drawn.budget * scale, sections))
        assert (narrow is None) == (broad is None)
        if narrow is not None and broad is not None:
            assert values(broad) == tuple(value * scale for value in values(narrow))
            assert broad.optimal


def _scaled(form: dict[str, Any], scale: int) -> dict[str, Any]:
    return {name: form[name] * scale for name in ("cost", "value") if name in form}


@pytest.mark.parametrize("bits", [3, 70, 300, 440, 600])
@pytest.mark.parametrize("tokens", [2, 2**63])
def test_equals_are_taken_in_input_order_however_wide_the_numbers(bits: int, tokens: int) -> None:
    """Beside something that makes it structure."""
    worth = 2**bits
    alike = {"cost": tokens, "value": worth}
    snippets = [
        {"id": 0, **alike},
        {"id": 1, "cost": 2, "value": 3},
        {"id": 2, "cost": 1, "value": 4 * worth, "group": "g"},
        {"id": 3, **alike},
    ]

    assert list(haversack.pack(snippets, tokens + 1).forms) == [0, 2]


def test_equals_that_need_the_same_and_exclude_each_other_are_taken_in_input_order() -> None:
    """Beside a floor, whose search goes its own way."""
    alike = {
        "cost": 3, "value": 3, "section": "y", "variants": [{"name": "o", "cost": 0, "value": 3}],
        "one_of": "a", "requires": ["h"],
    }  # fmt: skip
    snippets = [{"id": "h", "cost": 0, "value": 0}, {"id": "first", **alike}, {"id": "second", **alike}]

    packing = haversack.pack(snippets, 13, sections={"y": {"floor": 1}})

    assert list(packing.forms) == ["h", "first"]
