"""`pack(previous=)` where snippets have forms or hang together: judged by trying every choice."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import haversack

from .drawing import FIELDS, Drawn, draw
from .oracle import Choice, Problem, names_of
from .test_brute_force import choice_of

FIELDS_USED = frozenset(FIELDS) - {
    "tier",
    "float",
}  # floors among tiny floats are HiGHS's, with its tolerance
Blocks = list[tuple[str, str]]


def pack(drawn: Drawn, **settings: Any) -> haversack.Packing[Any] | None:
    """Pack; None where the pins contradict each other."""
    try:
        return haversack.pack(
            drawn.snippets, drawn.budget, sections=drawn.sections, over_budget="allow", **settings
        )
    except haversack.InputError:
        return None


def blocks_of(drawn: Drawn, choice: Choice) -> Blocks:
    """Ids and forms in the order rendered."""
    both = zip(drawn.snippets, choice, strict=True)
    return [(one["id"], names_of(one)[form]) for one, form in both if form >= 0]


def shared(before: Blocks, now: Blocks) -> int:
    """How many blocks at the beginning are the same."""
    same = 0
    while same < min(len(before), len(now)) and before[same] == now[same]:
        same += 1
    return same


def changed(random: Random, drawn: Drawn) -> Drawn:
    """The same a turn later: a snippet more, wherever; another budget."""
    snippets = list(drawn.snippets)
    extra = {"id": "new", "cost": random.randint(0, 12), "value": random.randint(1, 12)}
    snippets.insert(random.randint(0, len(snippets)), extra)
    return Drawn(snippets, max(0, drawn.budget + random.randint(-4, 6)), drawn.sections)


def is_plain(problem: Problem, position: int) -> bool:
    """Without group, requirement, alternatives and forms: free ones among these are always in."""
    one = problem.snippets[position]
    needed = any(position in others for others in (*problem.requires, problem.requires[position]))
    bound = needed or bool(problem.requires[position]) or "group" in one or "one_of" in one
    return not bound and len(problem.forms[position]) == 1


def keeps_rules(problem: Problem, choice: Choice, kept: int) -> bool:
    """No beginning leaves out what is free, or keeps what is worthless."""
    inside = [position for position, form in enumerate(choice) if form >= 0]
    free = all(
        choice[position] >= 0
        for position, forms in enumerate(problem.forms)
        if is_plain(problem, position) and forms[0][0] == 0 and forms[0][1] > 0
    )
    worth = all(
        position in problem.pinned or problem.forms[position][choice[position]][1] > 0
        for position in inside[:kept]
    )
    return free and worth


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("keep", [0, 0.2, 1])
def test_the_longest_beginning_of_all_choices_that_are_worth_enough(seed: int, keep: float) -> None:
    """And of those the most valuable; every rule holds, and the bound is that of all choices."""
    random = Random(seed)
    checked = 0
    for _ in range(120):
        drawn = draw(random, 5, FIELDS_USED)
        first = pack(drawn)
        now = changed(random, drawn)
        packing = pack(now, previous=first, keep=keep)
        if first is None or packing is None:
            continue
        problem = Problem(now.snippets, now.budget, now.sections)
        before, choice = blocks_of(drawn, choice_of(first, drawn)), choice_of(packing, now)
        best = problem.best()
        assert best is not None
        assert problem.allows(choice)
        assert problem.fits(choice)
        assert problem.shortfall(choice) == best.shortfall
        least = best.values[0] - Fraction(str(keep)) * abs(best.values[0])
        assert problem.values(choice)[0] >= least
        assert packing.bound >= packing.value
        if packing.over_budget:
            continue
        found = shared(before, blocks_of(now, choice))
        for other in problem.choices():
            length = shared(before, blocks_of(now, other))
            value = problem.values(other)[0]
            if length < found or value < least or problem.shortfall(other) > best.shortfall:
                continue
            if keeps_rules(problem, other, length) and not any(
                section.get("cap") is not None and problem.cost(other, problem.inside[name]) > section["cap"]
                for name, section in problem.sections.items()
            ):
                assert length == found
                assert value <= problem.values(choice)[0]
        checked += 1
    assert checked > 60


def test_a_form_is_kept_as_it_was() -> None:
    """Another form of the same snippet is another text."""
    long = {"name": "long", "text": "w w w w", "cost": 4, "value": 4}
    snippets = [
        {"id": "a", "text": "w", "cost": 1, "value": 3, "variants": [long]},
        {"id": "b", "cost": 1, "value": 1},
    ]
    before = haversack.pack(snippets, 2)

    kept = haversack.pack(snippets, 5, previous=before, keep=0.5)
    exact = haversack.pack(snippets, 5, previous=before, keep=0)

    assert (kept.forms, kept.prefix_tokens) == ({"a": "full", "b": "full"}, 2)
    assert (exact.forms, exact.prefix_tokens) == ({"a": "long", "b": "full"}, 0)


def test_tiers_are_refused() -> None:
    """A share of several values is none."""
    snippets = [{"id": "a", "cost": 1, "value": 1, "tier": 1}]

    with pytest.raises(haversack.InputError, match="does not go with tiers"):
        haversack.pack(snippets, 5, previous=["a"])


def test_headings_are_refused() -> None:
    """Under them, what is new may stand before what is kept."""
    from haversack.renderers import MARKDOWN

    with pytest.raises(haversack.InputError, match="does not go with headings"):
        haversack.pack(
            [{"text": "A", "value": 1, "section": "s"}], 50,
            counter=len, render=MARKDOWN.replace(headings=True), previous=["0"],
        )  # fmt: skip
