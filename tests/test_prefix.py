"""`pack(previous=, keep=)`: the longest unchanged beginning among selections that are worth enough."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from itertools import compress, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import haversack
from haversack import pack

SNIPPETS = [
    {"id": "a", "text": "A", "cost": 5, "value": 5},
    {"id": "b", "text": "B", "cost": 5, "value": 4},
    {"id": "c", "text": "C", "cost": 5, "value": 3},
]
NEW = {"id": "new", "text": "N", "cost": 5, "value": 3.5}


def ids(packing: haversack.Packing[Any]) -> list[str]:
    return [decision.id for decision in packing.decisions if decision.chosen]


@st.composite
def turns(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[str], int, float]:
    """A few snippets, what was rendered last (some of it is gone now), a budget, and a share."""
    count = draw(st.integers(0, 7))
    snippets = [
        {
            "id": str(position),
            "cost": draw(st.integers(0, 6)),
            "value": draw(st.integers(-2, 9)),
            "pinned": draw(st.integers(0, 9)) == 0,
        }
        for position in range(count)
    ]
    known = [*(str(position) for position in range(count)), "gone"]
    before = draw(st.lists(st.sampled_from(known), unique=True, max_size=5))
    if draw(st.booleans()):
        before.sort()
    return snippets, before, draw(st.integers(0, 25)), draw(st.sampled_from([0, 0.05, 0.3, 1]))


def shared(before: list[str], now: list[str]) -> int:
    same = 0
    while same < min(len(before), len(now)) and before[same] == now[same]:
        same += 1
    return same


def selections(snippets: list[dict[str, Any]], budget: int) -> list[list[dict[str, Any]]]:
    """Every selection the rules of a packing allow, by trying all of them."""
    pins = sum(snippet["cost"] for snippet in snippets if snippet["pinned"])
    allowed = []
    for mask in product([False, True], repeat=len(snippets)):
        chosen = list(compress(snippets, mask))
        out = list(compress(snippets, [not taken for taken in mask]))
        cost = sum(s["cost"] for s in chosen)
        fits = cost <= max(budget, pins)
        rules = all(s["pinned"] or s["value"] > 0 for s in chosen) and not any(
            s["pinned"] or (s["cost"] == 0 and s["value"] > 0) for s in out
        )
        if fits and rules:
            allowed.append(chosen)
    return allowed


@given(turns())
def test_the_beginning_is_the_longest_of_all_selections_that_are_worth_enough(turn: Any) -> None:
    """Judged by trying every selection; and of those with that beginning it is the most valuable."""
    snippets, before, budget, keep = turn
    known = [
        (shared(before, [s["id"] for s in chosen]), sum(s["value"] for s in chosen))
        for chosen in selections(snippets, budget)
    ]
    best = max(value for _, value in known)
    least = best - Fraction(str(keep)) * abs(best)

    packing = pack(snippets, budget, previous=before, keep=keep, over_budget="allow")

    found = shared(before, ids(packing)), packing.value
    assert found == max(each for each in known if each[1] >= least)
    assert packing.bound == best
    assert packing.optimal == (packing.value == best)
    sizes = {snippet["id"]: snippet["cost"] for snippet in snippets}
    assert packing.prefix_tokens == sum(sizes[name] for name in before[: found[0]])


@given(turns())
def test_wide_numbers_keep_the_same_beginning(turn: Any) -> None:
    """Where the arithmetic of 64 bits ends, the other solver is asked the same questions."""
    snippets, before, budget, keep = turn
    wide = [{**snippet, "value": snippet["value"] * 10**30} for snippet in snippets]

    narrow = pack(snippets, budget, previous=before, keep=keep, over_budget="allow")

    assert ids(narrow) == ids(pack(wide, budget, previous=before, keep=keep, over_budget="allow"))


class TestWhatIsKept:
    """By example."""

    def test_a_new_snippet_in_front_waits_while_it_would_gain_too_little(self) -> None:
        """The optimum is worth 9 with the new one in front; without it 9 is all there is."""
        before = pack(SNIPPETS, 10)
        now = [{"id": "new", "text": "N", "cost": 5, "value": 4.2}, *SNIPPETS]

        kept = pack(now, 10, previous=before)
        exact = pack(now, 10, previous=before, keep=0)

        assert ids(kept) == ["a", "b"]
        assert (kept.value, kept.bound, kept.optimal, kept.prefix_tokens) == (9.0, 9.2, False, 10)
        assert (ids(exact), exact.prefix_tokens, exact.optimal) == (["new", "a"], 0, True)

    def test_what_is_new_behind_the_beginning_is_packed_as_ever(self) -> None:
        """The beginning costs nothing here: it is part of the optimum."""
        packing = pack([*SNIPPETS, NEW], 15, previous=pack(SNIPPETS, 10), keep=0)

        assert (ids(packing), packing.prefix_tokens, packing.optimal) == (["a", "b", "new"], 10, True)

    @pytest.mark.parametrize("change", [{"text": "changed"}, {"cost": 4}, {"id": "another"}, {"value": 0}])
    def test_the_beginning_ends_at_a_block_that_changed(self, change: dict[str, Any]) -> None:
        """Another text is another prompt, whatever the id says; what is worthless is never chosen."""
        packing = pack([SNIPPETS[0], {**SNIPPETS[1], **change}], 10, previous=pack(SNIPPETS, 10), keep=1)

        assert packing.prefix_tokens == 5

    def test_a_pin_in_between_ends_it(self) -> None:
        """Pins are always in, so the rendered beginning ends where a new one stands."""
        pin = {"id": "pin", "cost": 1, "pinned": True}

        packing = pack([SNIPPETS[0], pin, *SNIPPETS[1:]], 11, previous=pack(SNIPPETS, 10), keep=1)

        assert packing.prefix_tokens == 5

    def test_the_reason_names_the_beginning(self) -> None:
        """What stands among the kept blocks is out because of them."""
        packing = pack([SNIPPETS[0], NEW, SNIPPETS[1]], 10, previous=["a", "b"], keep=1)

        assert packing["new"].reason == "outvalued"
        assert packing["new"].detail == {"cost": 5, "value": 3.5, "prefix_end": 3}
        assert str(packing["new"]).endswith("the beginning that is kept from the previous packing")
        assert "the kept beginning" in str(packing)

    def test_the_rendered_text_begins_as_it_did(self) -> None:
        """Counted and rendered: what the provider sees again is what it has seen."""
        texts = [
            {"id": name, "text": "word " * size} for name, size in zip("abcdef", range(8, 2, -1), strict=True)
        ]
        settings: dict[str, Any] = {"counter": lambda text: len(text.split()), "render": "markdown"}

        first = pack(texts, 40, **settings)
        texts.insert(1, {"id": "new", "text": "word " * 4})
        texts.append({"id": "last", "text": "word " * 4})
        second = pack(texts, 52, previous=first, keep=0.6, **settings)

        assert len(first.selected) > 2
        assert str(second.text).startswith(str(first.text))
        assert len(second.selected) > len(first.selected)
        assert second.prefix_tokens == first.cost
        assert second.cost == second.text_tokens <= 52

    def test_none_previous_is_no_previous(self) -> None:
        """The first turn has none, and its packing is the plain one."""
        assert pack(SNIPPETS, 10, previous=None, keep=0.5) == pack(SNIPPETS, 10)
        assert pack(SNIPPETS, 10).prefix_tokens == 0


class TestPrevious:
    """What may be passed as `previous=`."""

    @pytest.mark.parametrize(
        "written",
        [
            lambda packing: packing,
            lambda packing: packing.to_dict(),
            lambda packing: json.loads(json.dumps(packing.to_dict(inputs=True))),
            lambda packing: haversack.Packing.from_dict(packing.to_dict()),
            lambda packing: pickle.loads(pickle.dumps(packing)),
            lambda packing: ["a", "b"],
            lambda packing: iter(["a", "b"]),
        ],
    )
    def test_a_packing_its_dict_and_ids_say_the_same(self, written: Any) -> None:
        """Whatever way the last packing was kept."""
        now = [{"id": "new", "text": "N", "cost": 5, "value": 4.2}, *SNIPPETS]

        assert ids(pack(now, 10, previous=written(pack(SNIPPETS, 10)))) == ["a", "b"]

    def test_a_packer_keeps_it_and_can_be_pickled(self) -> None:
        """The settings are data."""
        packer = haversack.Packer(previous=pack(SNIPPETS, 10), keep=0.1)

        assert pickle.loads(pickle.dumps(packer)) == packer
        assert hash(packer) == hash(haversack.Packer(previous=packer.previous, keep=0.1))
        assert packer.pack([NEW, *SNIPPETS], 10).prefix_tokens == 10

    def test_a_request_names_ids(self) -> None:
        """In the wire format too."""
        now = [{"id": "new", "text": "N", "cost": 5, "value": 4.2}, *SNIPPETS]
        request = {"budget": 10, "snippets": now, "previous": ["a", "b"], "keep": 0.05}

        packing = haversack.pack_request(json.dumps(request))

        assert packing.prefix_tokens == 10
        again = haversack.Packing.from_dict(json.loads(json.dumps(packing.to_dict())))
        assert again == packing
        assert (again.prefix_tokens, str(again["new"])) == (10, str(packing["new"]))

    @pytest.mark.parametrize("wrong", [7, "ab", {"decisions": 3}, {}])
    def test_anything_else_is_refused(self, wrong: Any) -> None:
        """A string is not read as its letters."""
        with pytest.raises(haversack.InputError, match="previous"):
            pack(SNIPPETS, 10, previous=wrong)

    def test_another_order_of_rendering_is_refused(self) -> None:
        """What stands first would hang on all the rest."""
        with pytest.raises(haversack.InputError, match="previous= keeps the beginning"):
            pack(["a"], 10, previous=["a"], counter=len, order="edges")

    @pytest.mark.parametrize("wrong", [-0.1, 2, "5%", True, float("nan")])
    def test_keep_is_a_share(self, wrong: Any) -> None:
        """From 0 to 1."""
        with pytest.raises(haversack.InputError, match="keep must be a share"):
            pack(SNIPPETS, 10, previous=["a"], keep=wrong)
