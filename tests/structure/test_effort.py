"""What an effort promises: an answer in time, and never less than a plain greedy finds."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest

import haversack

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
