"""Why a snippet is in or out, by structure: the word, the numbers, the sentence."""

from __future__ import annotations

import json
import pickle
from random import Random
from time import process_time
from typing import Any

import pytest

import haversack

from .drawing import draw
from .oracle import Problem
from .test_brute_force import choice_of_ids


def pack(snippets: list[dict[str, Any]], budget: int, **settings: Any) -> haversack.Packing[Any]:
    """Pack quietly."""
    return haversack.pack(snippets, budget, over_budget="allow", **settings)


def snippet(id: str, cost: int, value: int, **fields: Any) -> dict[str, Any]:
    """One snippet, shortly."""
    return {"id": id, "cost": cost, "value": value, **fields}


def test_a_requirement_names_what_is_missing_and_why_it_could_not_come() -> None:
    """With the numbers of all that it needs."""
    packing = pack([snippet("call", 80, 0), snippet("result", 30, 9, requires=["call"])], 100)
    decision = packing["result"]

    assert (decision.reason, decision.detail["missing"], decision.detail["because"]) == (
        "requires", ["call"], "too_long",
    )  # fmt: skip
    assert decision.detail["cost"] == 110
    assert decision.detail["over"] == 10
    assert "requires 'call', which is out" in str(decision)


def test_a_group_is_told_with_its_members() -> None:
    """All or none."""
    packing = pack([snippet("u", 20, 1, group="g"), snippet("a", 30, 3, group="g"), snippet("x", 60, 9)], 70)

    assert packing["u"].reason == "group"
    assert packing["u"].detail == {
        "cost": 50, "value": 4, "remaining": 10, "missing": 40, "group": "g", "members": ["u", "a"],
        "because": "outvalued",
    }  # fmt: skip
    assert "all or none ('u', 'a')" in str(packing["a"])


def test_an_alternative_names_the_winner_and_the_winner_its_rivals() -> None:
    """Both ways."""
    packing = pack([snippet("old", 5, 3, one_of="rev"), snippet("new", 5, 4, one_of="rev")], 100)

    assert packing["old"].reason == "one_of"
    assert packing["old"].detail["winner"] == "new"
    assert packing["new"].detail["instead_of"] == ["old"]
    assert "instead of 'old'" in str(packing["new"])


def test_a_full_section_is_named_with_its_tokens() -> None:
    """Though the budget has room."""
    packing = pack(
        [snippet("a", 30, 9, section="docs"), snippet("b", 25, 4, section="docs")], 500,
        sections={"docs": {"cap": 50}},
    )  # fmt: skip

    assert packing["b"].reason == "section_full"
    assert packing["b"].detail == {
        "cost": 25, "value": 4, "section": "docs", "cap": 50, "used": 30, "over": 5,
    }  # fmt: skip
    assert "section 'docs' is full" in str(packing["b"])


def test_too_long_and_no_room_speak_of_sections_too() -> None:
    """Alone over the cap; or beside the pins of the section."""
    packing = pack(
        [snippet("a", 60, 9, section="s"), snippet("p", 30, 1, section="s", pinned=True),
         snippet("b", 25, 4, section="s")], 500, sections={"s": {"cap": 50}},
    )  # fmt: skip

    assert (packing["a"].reason, packing["a"].detail["section"]) == ("too_long", "s")
    assert "the cap of section 's', 50" in str(packing["a"])
    assert (packing["b"].reason, packing["b"].detail["room"]) == ("no_room", 20)


def test_no_form_fits_is_judged_by_the_cheapest() -> None:
    """Its numbers are those quoted."""
    one = {
        "id": "a",
        "variants": [{"name": "l", "cost": 90, "value": 5}, {"name": "s", "cost": 70, "value": 3}],
    }

    decision = pack([one], 50)["a"]

    assert (decision.reason, decision.cost, decision.value, decision.form) == ("too_long", 70, 3, None)


def test_a_tier_starved_by_better_ones_says_so() -> None:
    """It would have fitted, but what comes first comes first; within its tier it is outvalued."""
    packing = pack(
        [snippet("a", 80, 1, tier=0), snippet("b", 30, 99, tier=1), snippet("c", 15, 5, tier=1),
         snippet("d", 10, 4, tier=1)], 100,
    )  # fmt: skip

    assert packing.values_by_tier == {0: 1, 1: 5}
    assert packing["b"].reason == "tier"
    assert packing["b"].detail == {"cost": 30, "value": 99, "tier": 1, "better": 80, "left": 20}
    assert packing["d"].reason == "outvalued"


def test_a_pin_by_requirement_names_who_pinned_it() -> None:
    """However indirectly."""
    packing = pack(
        [
            snippet("a", 1, 1),
            snippet("b", 1, 1, requires=["a"]),
            snippet("c", 1, 1, requires="b", pinned=True),
        ],
        9,
    )

    assert packing["a"].reason == "pinned"
    assert packing["a"].detail["pinned_by"] == ["c"]
    assert "by what needs it ('c')" in str(packing["a"])


def test_worthless_comes_before_too_long() -> None:
    """And what is worth something only as a requirement may be in."""
    packing = pack(
        [snippet("a", 900, 0, section="s"), snippet("h", 1, -1), snippet("b", 5, 3, requires="h")], 9
    )

    assert packing["a"].reason == "worthless"
    assert packing["h"].reason == "chosen"


@pytest.mark.parametrize("bond", ["group", "requires"])
def test_what_excludes_itself_is_told_so(bond: str) -> None:
    """Two alternatives that are in only together are never in, and nothing that needs them is."""
    snippets = [
        snippet("a", 1, 1, one_of="x"), snippet("b", 1, 2, one_of="x"), snippet("c", 2, 3),
        snippet("d", 1, 9, requires=["a"]), snippet("e", 1, 1),
    ]  # fmt: skip
    for one, other in zip(snippets[:3], "bca", strict=True):
        one[bond] = "g" if bond == "group" else [other]
    packing = pack(snippets, 9)

    assert list(packing.forms) == ["e"]
    for id in "abc":
        assert packing[id].reason == "one_of"
        assert packing[id].detail == {"cost": 4, "value": 6, "one_of": "x", "rivals": ["a", "b"]}
        assert "one of 'x', but never in, as 'a', 'b' come together" in str(packing[id])
    assert (packing["d"].reason, packing["d"].detail["because"]) == ("requires", "one_of")
    assert "impossible, as 'a', 'b' come together and exclude each other" in str(packing["d"])
    for view in (str(packing), packing.explain(), packing.to_html()):
        assert "come together" in view
    assert haversack.Packing.from_dict(packing.to_dict()) == packing


def test_what_is_needed_and_excluded_says_so() -> None:
    """Even where it is not the snippet itself that is excluded."""
    packing = pack(
        [snippet("c", 2, 2, requires=["d"]), snippet("d", 3, 2, one_of="y"), snippet("e", 2, 50, one_of="y")],
        99,
    )

    assert (packing["c"].detail["because"], packing["c"].detail["winner"]) == ("one_of", "e")
    assert "it would be against 'e', which is in" in str(packing["c"])


def test_floors_are_no_want_of_value() -> None:
    """What a floor keeps out might be worth more."""
    packing = pack(
        [snippet("tool", 40, 1, section="t"), snippet("news", 80, 9)], 100, sections={"t": {"floor": 30}}
    )

    assert packing["news"].reason == "outvalued"
    assert packing["news"].detail["floors"] == ["t"]
    assert "no selection with it fills the floors as well and is worth more" in str(packing["news"])


def test_units_that_require_each_other_are_reported() -> None:
    """They merged."""
    packing = pack(
        [snippet("a", 1, 1, requires="b"), snippet("b", 1, 1, requires="a"), snippet("c", 1, 1)], 9
    )

    assert packing.statistics["merged"] == [["a", "b"]]
    assert "require each other count as one: 'a', 'b'." in packing.explain()


def rich() -> haversack.Packing[Any]:
    """A packing with every reason but `free`."""
    return pack(
        [
            snippet("p", 10, 0, pinned=True, section="s", tier=0),
            {**snippet("v", 90, 9, tier=0), "text": "long",
             "variants": [{"name": "short", "text": "s", "cost": 10, "value": 6.5}]},
            snippet("g1", 50, 1, group="g", tier=1), snippet("g2", 60, 1, group="g", tier=1),
            snippet("r", 5, 5, requires=["g1"], tier=1), snippet("o1", 1, 5, one_of="o"),
            snippet("o2", 1, 4, one_of="o"), snippet("w", 1, 0), snippet("l", 200, 9),
            snippet("n", 95, 9), snippet("f", 12, 3, section="s"), snippet("t", 85, 3, tier=2),
        ],
        100, sections={"s": {"cap": 20}, "all": {"floor": 0}},
    )  # fmt: skip


def test_a_structured_packing_is_written_and_read_whole() -> None:
    """As JSON and as a pickle: numbers, forms, texts, decisions and their details."""
    packing = rich()
    written = packing.to_dict(inputs=True)

    again = haversack.Packing.from_dict(json.loads(json.dumps(written)))
    pickled = pickle.loads(pickle.dumps(packing))

    for other in (again, pickled):
        assert packing == other
        assert packing.to_dict(inputs=True) == other.to_dict(inputs=True)
        assert list(packing.decisions) == list(other.decisions)
        assert (packing.forms, packing.texts) == (other.forms, other.texts)
        assert packing.explain() == other.explain()
        assert packing.curve([50, 100]) == other.curve([50, 100])


def test_a_packing_written_without_inputs_has_bare_records() -> None:
    """That say the same."""
    again = haversack.Packing.from_dict(rich().to_dict())

    assert again == rich()
    assert [one.id for one in again.selected] == [one["id"] for one in rich().selected]
    repacked = haversack.pack([*again.selected, *again.dropped], 100, sections={"s": {"cap": 20}, "all": {}})
    assert repacked.value == rich().value


@pytest.mark.parametrize("at", range(12))
def test_a_decision_on_its_own_says_the_same(at: int) -> None:
    """Pickled apart from its packing."""
    decision = rich().decisions[at]

    alone = pickle.loads(pickle.dumps(decision))

    assert alone == decision
    assert hash(alone) == hash(decision)
    assert str(alone) == str(decision)
    assert alone.form == decision.form
    json.dumps(alone.detail)


def test_every_view_shows_forms_and_sections() -> None:
    """The line, the table, the account, the page."""
    packing = rich()

    assert "chosen as 'short'" in str(packing)
    assert "Section 's': 10 of 20 tokens." in packing.explain()
    assert "Tier 0: value 11.5." in packing.explain()
    assert "Section 's': 10 of 20 tokens.\nTier 0: value 11.5.\n" in str(packing)
    assert "chosen as &#x27;short&#x27;" in packing.to_html()
    for html in (packing.to_html(), packing._repr_html_()):
        assert '<tr><td>s</td><td class="n">10</td><td class="n">20</td><td></td></tr>' in html
        assert "<p>Tier 0: value 11.5.</p>" in html
    assert {decision.reason for decision in packing.decisions} >= {
        "pinned", "chosen", "requires", "group", "one_of", "worthless", "too_long", "no_room", "tier",
    }  # fmt: skip


def test_what_requires_something_outvalued_says_so() -> None:
    """The sentence speaks of ids that are missing and of tokens that are short, and mixes them up no more."""
    packing = haversack.pack(
        [
            {"id": "a", "cost": 0, "value": 1, "requires": "b"},
            {"id": "b", "cost": 9, "value": 0},
            {"id": "c", "cost": 9, "value": 5},
        ],
        10,
    )

    assert packing["a"].detail["missing"] == ["b"]
    assert "'b'" in str(packing["a"])
    assert str(packing["a"]) in packing.explain()


def test_numbers_beyond_what_python_prints_are_shown_all_the_same() -> None:
    """Of tiers, too."""
    huge = 10**5000
    packing = pack(
        [
            snippet("a", 8, 1), snippet("b", 5, 5, tier=huge), snippet("c", 1, 9, tier=huge - 1),
            snippet("d", huge, 2, section="s"),
        ],
        9, sections={"s": {"cap": huge // 2}},
    )  # fmt: skip

    for view in (str(packing), packing.explain(), packing.to_html(), packing._repr_html_()):
        assert "tier 1e+5000" in view


@pytest.mark.parametrize("bond", ["group", "requires", "pinned", "one_of"])
def test_thousands_that_hang_together_are_explained_in_a_moment(bond: str) -> None:
    """A chain is summed up link by link, and a group once."""
    size = 3000
    many = [snippet(str(at), 1, 1) for at in range(size)]
    for at, one in enumerate(many):
        if bond in ("group", "one_of"):
            one[bond] = "g"
        elif at:
            one["requires"] = [str(at - 1)]
    many[-1]["pinned"] = bond == "pinned"
    packing = pack(many, size - 1)

    start = process_time()
    written = packing.to_dict()
    told = packing.explain()
    assert process_time() - start < 3

    last = written["decisions"][-2]
    if bond == "group":
        assert last["detail"]["members"] == [str(at) for at in range(100)]
        assert "('0', '1', '2', '3', '4', many more)" in told
    elif bond == "requires":
        assert (last["reason"], last["detail"]["cost"]) == ("chosen", 1)
        assert written["decisions"][-1]["detail"] == {
            "cost": size, "value": 1, "capacity": size - 1, "over": 1, "raise": {"budget": size},
        }  # fmt: skip
    elif bond == "pinned":
        assert last["detail"]["pinned_by"] == [str(size - 1)]


@pytest.mark.parametrize("seed", range(6))
def test_sections_tell_what_is_used_over_and_lacking(seed: int) -> None:
    """Against the rules as written: for a floor all of what merged counts, and nothing worthless."""
    random, seen = Random(seed), 0
    while seen < 40:
        drawn = draw(random, 7)
        if not drawn.sections:
            continue
        try:
            packing = pack(drawn.snippets, drawn.budget, sections=drawn.sections)
        except haversack.InputError:  # pinned alternatives
            continue
        seen += 1
        problem = Problem(drawn.snippets, drawn.budget, drawn.sections)
        choice = choice_of_ids(packing, problem)

        for name, row in packing.sections.items():
            inside, section = problem.inside[name], drawn.sections[name]
            filling = [at for at in inside if choice[at] >= 0 and problem.counts(at, choice[at])]
            used, cap, floor = problem.cost(choice, inside), section.get("cap"), section.get("floor")
            assert row == {
                "used": used, "cap": cap, "over": 0 if cap is None else max(0, used - cap), "floor": floor,
                "shortfall": max(0, (floor or 0) - problem.cost(choice, filling)),
            }  # fmt: skip
        lines = packing.explain().split("\n\n")[0]
        for name, row in packing.sections.items():
            assert ("over, which its pins need" in lines.split(f"Section {name!r}: ")[1].splitlines()[0]) == (
                row["over"] > 0
            )
