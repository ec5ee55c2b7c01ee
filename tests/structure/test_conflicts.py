"""Pins that are too much: the numbers, what to raise to what, and the smallest set to unpin."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

import haversack

from .drawing import draw
from .oracle import Problem


def conflict(snippets: list[dict[str, Any]], budget: int, **settings: Any) -> dict[str, Any]:
    """What the error holds as data."""
    with pytest.raises(haversack.OverBudgetError) as caught:
        haversack.pack(snippets, budget, over_budget="raise", **settings)
    return caught.value.conflict


def pin(id: str, cost: int, **fields: Any) -> dict[str, Any]:
    """A pinned snippet."""
    return {"id": id, "cost": cost, "value": 1, "pinned": True, **fields}


def free(id: str, cost: int, **fields: Any) -> dict[str, Any]:
    """An optional snippet."""
    return {"id": id, "cost": cost, "value": 9, **fields}


class Pins:
    """The judge: every subset of the pins is tried."""

    def __init__(self, snippets: list[dict[str, Any]], budget: int, sections: Any) -> None:
        self.problem = Problem(snippets, budget, sections)
        self.pins = [at for at, one in enumerate(snippets) if one.get("pinned")]

    def used(self, kept: tuple[int, ...], name: str | None = None) -> int:
        """The tokens of some pins and all that they bring in, each in its cheapest form."""
        problem = self.problem
        inside = problem._closure(set(kept)) & (
            set(problem.inside[name]) if name else set(range(len(problem.forms)))
        )
        return sum(min(cost for cost, _ in problem.forms[at]) for at in inside)

    def fit(self, kept: tuple[int, ...]) -> bool:
        """Do these pins fit the budget and all caps?"""
        caps = {name: section.get("cap") for name, section in self.problem.sections.items()}
        return self.used(kept) <= self.problem.budget and all(
            cap is None or self.used(kept, name) <= cap for name, cap in caps.items()
        )

    def best(self) -> tuple[int, int]:
        """The fewest to unpin, and the least tokens that the others then take."""
        for size in range(len(self.pins), -1, -1):
            least = [self.used(kept) for kept in combinations(self.pins, size) if self.fit(kept)]
            if least:
                return len(self.pins) - size, min(least)
        raise AssertionError("nothing at all always fits")


def test_three_that_suffice_are_not_told_as_four() -> None:
    """One after the other, each the most helpful, would free four."""
    snippets = [
        pin("0", 4, section="S0"), pin("1", 9), pin("2", 2, section="S0"), pin("3", 7, requires=["2"]),
        pin("4", 14), pin("5", 4),
    ]  # fmt: skip

    unpin = conflict(snippets, 27, sections={"S0": {"cap": 1}})["unpin"]

    judge = Pins(snippets, 27, {"S0": {"cap": 1}})
    assert judge.best()[0] == len(unpin) == 3
    assert judge.fit(tuple(at for at in range(6) if str(at) not in unpin))


@pytest.mark.parametrize("seed", range(12))
def test_the_pins_to_unpin_are_the_fewest_and_free_the_most(seed: int) -> None:
    """Against every subset of the pins, with groups, requirements, forms and caps that nest."""
    random, seen = Random(seed), 0
    fields = frozenset(("variants", "group", "requires", "section", "pinned", "tier", "floor"))
    while seen < 40:
        drawn = draw(random, 9, fields)
        for one in drawn.snippets:
            one["pinned"] = random.random() < 0.7
        budget = random.randint(0, 30)
        judge = Pins(drawn.snippets, budget, drawn.sections)
        if judge.fit(tuple(judge.pins)):
            continue
        seen += 1

        found = conflict(drawn.snippets, budget, sections=drawn.sections)

        unpin = found["unpin"]
        kept = tuple(at for at in judge.pins if drawn.snippets[at]["id"] not in unpin)
        assert judge.fit(kept)
        assert (len(unpin), judge.used(kept)) == judge.best()
        assert found["fewest"]


def test_pins_over_a_cap_are_told_with_the_fewest_to_unpin() -> None:
    """In the warning, in the error, as data, and by section."""
    snippets = [
        pin("a", 70, section="d"), pin("b", 20, section="d"),
        free("c", 15, section="d"), free("e", 15),
    ]  # fmt: skip

    with pytest.warns(haversack.OverBudgetWarning, match="section 'd' need 90 tokens, but its cap is 40"):
        packing = haversack.pack(snippets, 200, sections={"d": {"cap": 40}})
    with pytest.raises(haversack.OverBudgetError, match="unpin or shorten 'a'") as caught:
        haversack.pack(snippets, 200, sections={"d": {"cap": 40}}, over_budget="raise")

    assert packing.sections == {"d": {"used": 90, "cap": 40, "over": 50, "floor": None, "shortfall": 0}}
    assert list(packing.forms) == ["a", "b", "e"]
    assert packing.over_budget == 0
    assert caught.value.conflict == {
        "needed": 90, "available": 200, "sections": {"d": {"needed": 90, "cap": 40}}, "unpin": ["a"],
        "fewest": True, "raise": {"sections": {"d": 90}},
    }  # fmt: skip


def test_the_fewest_pins_account_for_groups_and_requirements() -> None:
    """Unpinning what brought the others in is enough."""
    snippets = [
        pin("a", 1, requires=["x", "y"]), free("x", 60), free("y", 60),
        pin("b", 50),
    ]  # fmt: skip

    with pytest.raises(haversack.OverBudgetError) as caught:
        haversack.pack(snippets, 100, over_budget="raise")

    assert caught.value.conflict["unpin"] == ["a"]


def test_a_requirement_too_long_to_ever_fit_is_named() -> None:
    """Which of them it is, how long it is, and what would have to be raised to what."""
    snippets = [
        {"id": "answer", "cost": 5, "value": 9, "requires": ["index", "manual"]},
        {"id": "index", "cost": 3, "value": 0, "section": "docs"},
        {"id": "manual", "cost": 60, "value": 0, "section": "docs"},
    ]
    packing = haversack.pack(snippets, 40, sections={"docs": {"cap": 50}})

    assert packing["answer"].reason == "requires"
    assert packing["answer"].detail == {
        "cost": 68, "value": 9, "capacity": 40, "over": 28, "missing": ["index", "manual"],
        "because": "too_long", "never_fits": ["manual"], "raise": {"budget": 68, "sections": {"docs": 63}},
    }  # fmt: skip
    assert str(packing["answer"]) == (
        "answer is out: requires 'index', 'manual', which are out, as 'manual' is too long ever to fit; "
        "with all it needs it would be too long, as alone it needs 68 tokens, 28 more than the capacity of "
        "40: raise the budget to 68 and the cap of 'docs' to 63"
    )


def test_a_tier_starved_by_pins_is_told_what_would_help() -> None:
    """By the decisions of its snippets, and in the account by the easiest of them."""
    snippets = [
        pin("big", 60, section="s"), pin("small", 20), pin("tiny", 5),
        free("near", 25, tier=1), free("far", 45, tier=1, section="s"), free("other", 5, tier=2),
    ]  # fmt: skip
    packing = haversack.pack(snippets, 100, sections={"s": {"cap": 70}})

    assert [packing[id].reason for id in ("near", "far", "other")] == ["no_room", "no_room", "chosen"]
    assert packing["near"].detail["raise"] == {"budget": 110}
    assert packing["near"].detail["unpin"] == ["big"]
    assert packing["far"].detail["raise"] == {"budget": 130, "sections": {"s": 105}}
    assert "pins leave 15 of 100: raise the budget to 110 or unpin 'big'" in str(packing["near"])
    told = "Tier 1: value 0, as nothing of it fits beside the pins: raise the budget to 110 or unpin 'big'."
    assert told in packing.explain()
    assert "Tier 2: value 9." in packing.explain()


@pytest.mark.parametrize("seed", range(8))
def test_what_a_decision_says_to_raise_or_to_unpin_is_enough(seed: int) -> None:
    """Neither too long nor without room any more; and no smaller set of pins would do."""
    random, seen = Random(seed), 0
    fields = frozenset(("variants", "group", "requires", "section", "pinned", "one_of"))
    while seen < 15:
        drawn = draw(random, 7, fields)
        try:
            packing = haversack.pack(
                drawn.snippets, drawn.budget, sections=drawn.sections, over_budget="allow"
            )
        except haversack.InputError:  # pinned alternatives
            continue
        for decision in packing.decisions:
            why = {decision.reason, decision.detail.get("because")}
            if packing._model.structure is None or not why & {"too_long", "no_room"}:
                continue
            seen += 1
            assert not _wants_room(drawn, decision.id, **decision.detail["raise"])
            if "no_room" in why and "unpin" in decision.detail:
                assert not _wants_room(drawn, decision.id, unpin=decision.detail["unpin"])
                fewer = combinations(
                    [one["id"] for one in drawn.snippets if one.get("pinned")],
                    len(decision.detail["unpin"]) - 1,
                )
                assert all(_wants_room(drawn, decision.id, unpin=ids) for ids in fewer)


def _wants_room(drawn: Any, id: Any, budget: int = 0, sections: Any = None, unpin: Any = ()) -> bool:
    """Is a snippet still too long, or without room, after a change?"""
    changed = {name: dict(section) for name, section in (drawn.sections or {}).items()}
    for name, cap in (sections or {}).items():
        changed[name]["cap"] = cap
    snippets = [
        {**one, "pinned": bool(one.get("pinned")) and one["id"] not in unpin} for one in drawn.snippets
    ]
    decision = haversack.pack(
        snippets, max(budget, drawn.budget), sections=changed or drawn.sections, over_budget="allow"
    )[id]
    return bool({decision.reason, decision.detail.get("because")} & {"too_long", "no_room"})


def said(snippets: list[dict[str, Any]], budget: int, **settings: Any) -> str:
    """The sentence of the warning."""
    with pytest.warns(haversack.OverBudgetWarning) as caught:
        haversack.pack(snippets, budget, **settings)
    return str(caught[0].message)


def test_all_that_must_be_raised_is_named_with_its_number() -> None:
    """The budget and every cap that is over, of sections inside each other too."""
    snippets = [pin("a", 70, section="in"), pin("b", 20, section="out"), pin("c", 40)]
    settings: Any = {"sections": {"out": {"cap": "50%"}, "in": {"cap": 30, "parent": "out"}}, "reserve": 10}

    found = conflict(snippets, 110, **settings)
    sentence = said(snippets, 110, **settings)

    assert found["raise"] == {"budget": 140, "sections": {"out": 90, "in": 70}}
    assert found["unpin"] == ["a"]
    assert "in section 'out' need 90 tokens, but its cap is 50 (50% of the window)" in sentence
    assert "raise the budget to 140 and the cap of 'out' to 90 and of 'in' to 70, unpin" in sentence
    settings["sections"] = {"out": {"cap": 90}, "in": {"cap": 70, "parent": "out"}}
    assert haversack.pack(snippets, 140, over_budget="raise", **settings).cost == 130


@pytest.mark.parametrize("reserve", [10, 25])
def test_a_reserve_that_leaves_nothing_needs_no_unpinning(reserve: int) -> None:
    """What there is to raise is the budget; by how much, only pins say."""
    found = conflict([free("a", 5)], 10, reserve=reserve)

    assert (found["unpin"], found["raise"]) == ([], {} if reserve == 10 else {"budget": 25})
    assert "raise the budget" in said([free("a", 5)], 10, reserve=reserve)
    for pinned in (pin("a", 5), pin("a", 5, section="s")):
        assert conflict([pinned], 10, reserve=reserve)["unpin"] == []
        assert "unpin" not in said([pinned], 10, reserve=reserve)


def test_many_pins_are_settled_in_a_moment() -> None:
    """Hundreds of pins in sections, with what they need."""
    random = Random(5)
    snippets = [
        pin(str(at), random.randint(1, 500), section=random.choice("ab"), requires=[str(at // 7 * 7)])
        for at in range(500)
    ]  # fmt: skip

    unpin = conflict(snippets, 35_000, sections={"a": {"cap": 15_000}, "b": {"cap": 25_000}})["unpin"]

    assert 150 < len(unpin) < 500


@pytest.mark.parametrize("seed", range(4))
def test_of_pinned_alternatives_the_fewest_are_named(seed: int) -> None:
    """Without them there is a packing; without fewer there is none."""
    random, seen = Random(seed), 0
    while seen < 20:
        drawn = draw(random, 8, frozenset(("group", "requires", "one_of")))
        for one in drawn.snippets:
            one["pinned"] = random.random() < 0.6
        rivals = _rivals(drawn.snippets)
        if rivals is None:
            continue
        seen += 1
        assert rivals["unpin"]
        assert _rivals(drawn.snippets, rivals["unpin"]) is None
        pinned = [one["id"] for one in drawn.snippets if one["pinned"]]
        for fewer in combinations(pinned, len(rivals["unpin"]) - 1):
            assert _rivals(drawn.snippets, fewer) is not None


def _rivals(snippets: list[dict[str, Any]], unpin: Any = ()) -> dict[str, Any] | None:
    """What contradicts itself though some are unpinned."""
    try:
        haversack.pack(
            [{**one, "pinned": one["pinned"] and one["id"] not in unpin} for one in snippets], 99,
            over_budget="allow",
        )  # fmt: skip
    except haversack.InputError as error:
        return error.conflict
    return None
