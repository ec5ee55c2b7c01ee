"""Rules that no forest knows: branching, floors, and what happens without the extra."""

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


def test_few_requirements_across_sections_are_settled_by_branching(without_highs: None) -> None:
    """Native, and proven."""
    snippets, budget, sections = crossing(60, 0.1)

    packing = haversack.pack(snippets, budget, sections=sections)

    assert packing.optimal
    assert packing.statistics["nodes"] > 1
    check_by_highs(snippets, budget, sections)


def test_many_are_handed_to_highs_and_proven() -> None:
    """The same optimum as a program of its own finds."""
    snippets, budget, sections = crossing(80, 0.9)

    check_by_highs(snippets, budget, sections)


def test_without_the_extra_many_leave_a_proven_gap(without_highs: None) -> None:
    """The best found, and by how much it may fall short, when the effort is spent."""
    snippets, budget, sections = crossing(80, 0.9)
    packing = haversack.pack(snippets, budget, sections=sections, effort=100_000)

    assert not packing.optimal
    assert packing.gap > 0


def test_full_effort_goes_on_to_the_proof_without_the_extra(without_highs: None) -> None:
    """On small ones: whatever the structure, as long as it takes."""
    random = Random(3)
    for _ in range(150):
        check(draw(random, 6, frozenset(["requires", "group", "one_of", "section", "variants", "pinned"])))
