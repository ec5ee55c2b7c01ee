"""Rules that no forest knows: branching with multipliers, floors, and what happens without the extra."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import haversack
from haversack import _milp, _structured

from .drawing import draw
from .test_brute_force import check
from .test_highs import check as check_by_highs


@pytest.fixture
def without_highs(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were not installed."""
    monkeypatch.setattr(_milp, "is_installed", lambda: False)
    monkeypatch.setattr(_structured, "is_installed", lambda: False)


def floored(worth: int = 1) -> dict[str, Any]:
    """A floor that can be filled, at the price of something more valuable."""
    return {
        "snippets": [
            {"id": "news", "cost": 80, "value": 9},
            {"id": "rule", "cost": 40, "value": worth, "section": "rules"},
        ],
        "budget": 100,
        "sections": {"rules": {"floor": 30}},
    }


def packed(request: dict[str, Any]) -> haversack.Packing[Any]:
    """Pack a request."""
    return haversack.pack_request(json.dumps(request))


def test_floors_come_first() -> None:
    """Whatever that costs; the answer is proven."""
    packing = packed(floored())

    assert list(packing.forms) == ["rule"]
    assert packing.optimal
    assert packing.sections == {"rules": {"used": 40, "cap": None, "over": 0, "floor": 30, "shortfall": 0}}


def test_worthless_snippets_never_fill_a_floor() -> None:
    """The shortfall is told instead."""
    packing = packed(floored(worth=0))

    assert list(packing.forms) == ["news"]
    assert packing.sections["rules"]["shortfall"] == 30
    assert "30 short of its floor of 30" in packing.explain()


def test_a_floor_that_the_best_packing_fills_needs_no_extra(without_highs: None) -> None:
    """Most floors are of this kind; and so are those that nothing can fill."""
    request = floored()
    request["budget"] = 120
    assert packed(request).optimal
    assert packed(floored(worth=0)).optimal


def test_a_floor_that_costs_value_needs_no_extra_either(without_highs: None) -> None:
    """Our own search fills it."""
    assert list(packed(floored()).forms) == ["rule"]


def crossing(size: int, share: float) -> tuple[list[dict[str, Any]], int, dict[str, Any]]:
    """Snippets of which some require any other, across capped sections."""
    random = Random(size)
    snippets: list[dict[str, Any]] = [
        {
            "id": f"i{at}",
            "cost": random.randint(5, 99),
            "value": random.randint(1, 99),
            "section": f"s{at % 4}",
        }
        for at in range(size)
    ]
    for one in snippets:
        if random.random() < share:
            one["requires"] = [f"i{random.randrange(size)}"]
    return snippets, 15 * size, {f"s{at}": {"cap": 6 * size} for at in range(4)}


@pytest.mark.parametrize(("size", "share"), [(60, 0.1), (80, 0.9), (300, 0.5)])
def test_requirements_across_sections_are_settled_without_the_extra(
    without_highs: None, size: int, share: float
) -> None:
    """By our own branching, and proven: the same optimum as an integer program finds."""
    snippets, budget, sections = crossing(size, share)

    assert haversack.pack(snippets, budget, sections=sections).optimal
    check_by_highs(snippets, budget, sections)


def test_several_requirements_are_settled_with_multipliers_not_by_trying() -> None:
    """Three hundred snippets that each require two of forty: once a matter of minutes."""
    random = Random(5)
    snippets: list[dict[str, Any]] = [
        {"id": f"p{at}", "cost": random.randint(1, 40), "value": 0, "section": f"s{at % 4}"}
        for at in range(40)
    ]
    for at in range(300):
        needed = [f"p{one}" for one in random.sample(range(40), 2)]
        cost, value = random.randint(1, 10), random.randint(1, 30)
        section = f"s{at % 4}"
        snippets.append({"id": at, "cost": cost, "value": value, "requires": needed, "section": section})

    check_by_highs(snippets, 500, {f"s{at}": {"cap": 200} for at in range(4)})


def densest(nodes: int, share: float) -> list[dict[str, Any]]:
    """Links that are worth something, each with the two ends it requires: hard for everybody."""
    random = Random(0)
    ends = [{"id": f"p{at}", "cost": 1, "value": 0} for at in range(nodes)]
    links = [
        {"id": f"x{a}-{b}", "cost": 0, "value": 1, "requires": [f"p{a}", f"p{b}"]}
        for a in range(nodes)
        for b in range(a)
        if random.random() < share
    ]
    return [*ends, *links]


def test_the_densest_subgraph_leaves_a_proven_gap(without_highs: None) -> None:
    """The best found, and by how much it may fall short, when the effort is spent."""
    packing = haversack.pack(densest(40, 0.4), 14, effort=300_000)

    assert not packing.optimal
    assert packing.value >= 60
    assert packing.bound < 108  # what the linear program allows


def test_a_small_densest_subgraph_is_proven() -> None:
    """With its fewest tokens too."""
    packing = haversack.pack(densest(24, 0.4), 9)

    assert (packing.value, packing.optimal) == (27, True)
    assert packing.statistics["fewest_tokens"]


def test_tokens_are_spared_where_the_value_allows() -> None:
    """Across sections too: of two snippets of equal value the lighter; of equal ones the first."""
    sections = {"a": {"cap": 9}, "b": {"cap": 9}}
    needs = ["p", "q"]
    snippets: list[dict[str, Any]] = [
        {"id": "p", "cost": 1, "value": 0, "section": "a"},
        {"id": "q", "cost": 1, "value": 0, "section": "b"},
        {"id": "dear", "cost": 5, "value": 6, "section": "a", "requires": needs, "one_of": "x"},
        {"id": "cheap", "cost": 4, "value": 6, "section": "b", "requires": needs, "one_of": "x"},
        *({"id": f"n{at}", "cost": 3, "value": 5, "section": "a", "requires": needs} for at in range(9)),
    ]

    packing = haversack.pack(snippets, 13, sections=sections)

    assert list(packing.forms) == ["p", "q", "cheap", "n0", "n1"]
    assert packing.statistics["fewest_tokens"]


def test_full_effort_goes_on_to_the_proof_without_the_extra(without_highs: None) -> None:
    """On small ones: whatever the structure, as long as it takes."""
    random = Random(3)
    for _ in range(150):
        check(draw(random, 6, frozenset(["requires", "group", "one_of", "section", "variants", "pinned"])))


@pytest.mark.parametrize("effort", [None, 0, 10_000])
def test_sums_that_leave_128_bits_are_not_taken_for_small_ones(effort: int | None) -> None:
    """Two requirements, values whose sum is 2^127 and more: integers, tiers that shift, floats far apart."""
    worth, half = 2**126, 2**62
    wide = [
        {"id": "a", "cost": 1, "value": worth},
        {"id": "b", "cost": 1, "value": worth},
        {"id": "c", "cost": 1, "value": 1, "requires": ["a", "b"]},
        {"id": "d", "cost": 1, "value": 1},
    ]
    shifted = [
        {"id": "x", "cost": 2, "value": 2 * half - 1},
        {"id": "y", "cost": 0, "value": half},
        {"id": "z", "cost": 0, "value": half, "tier": 1, "requires": ["x", "y"]},
    ]
    apart = [{**one, "value": float(one["value"]) / worth} for one in wide]

    assert haversack.pack(wide, 3, effort=effort).value == 2**127 + 1
    assert haversack.pack(shifted, 3, effort=effort).values_by_tier == {0: 3 * half - 1, 1: half}
    assert list(haversack.pack(apart, 3, effort=effort).forms)[:2] == ["a", "b"]
