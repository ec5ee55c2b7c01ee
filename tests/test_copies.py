"""duplicates="once": the same words are not paid for twice."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import haversack
from haversack import Packing, pack


def texts(*rows: tuple[str, int, float], **more: Any) -> list[dict[str, Any]]:
    """Snippets a, b, ... of (text, cost, value)."""
    return [
        {"id": chr(97 + at), "text": text, "cost": cost, "value": value, **more}
        for at, (text, cost, value) in enumerate(rows)
    ]


def ids(packing: Packing[Any]) -> list[str]:
    """The chosen."""
    return [str(snippet["id"]) for snippet in packing.selected]


def test_duplicates_are_kept_unless_asked_but_counted() -> None:
    """Somebody may want them."""
    packing = pack(texts(("x", 4, 0.5), ("x", 4, 0.4), ("y", 4, 0.1), ("x", 4, 0.3)), 12)

    assert ids(packing) == ["a", "b", "d"]
    assert packing.statistics["duplicates"] == 2
    assert "2 snippets repeat" in packing.explain()


def test_once_lets_the_most_valuable_stand_for_the_others() -> None:
    """Its cost is paid once, its value counted once."""
    packing = pack(texts(("x", 4, 0.4), ("x", 4, 0.5), ("y", 4, 0.1)), 12, duplicates="once")

    assert ids(packing) == ["b", "c"]
    assert (packing.cost, packing.value) == (8, pytest.approx(0.6))
    assert packing.statistics["duplicates"] == 1
    assert packing.optimal


def test_a_duplicate_has_its_reason() -> None:
    """And names what stands for it."""
    decision = pack(texts(("x", 4, 0.4), ("x", 4, 0.5)), 12, duplicates="once")["a"]

    assert (decision.reason, decision.chosen, decision.form) == ("duplicate", False, None)
    assert decision.detail == {"cost": 4, "value": 0.4, "copy_of": "b"}
    assert str(decision) == "a is out: duplicate, the same text as b, which stands for it"
    assert pickle.loads(pickle.dumps(decision)) == decision
    assert pickle.loads(pickle.dumps(decision)).detail == decision.detail


def test_a_pin_stands_for_its_duplicates_and_survives_other_pins() -> None:
    """Pins survive, even if they repeat each other."""
    snippets = texts(("x", 4, 9), ("x", 4, 0), ("x", 4, 0))
    snippets[1]["pinned"] = snippets[2]["pinned"] = True

    packing = pack(snippets, 20, duplicates="once")

    assert ids(packing) == ["b", "c"]
    assert packing["a"].detail["copy_of"] == "b"


def test_snippets_without_text_are_no_duplicates() -> None:
    """Nothing is known of them."""
    packing = pack([{"cost": 1, "value": 1}, {"cost": 1, "value": 1}], 9, duplicates="once")

    assert len(packing.selected) == 2
    assert packing.statistics["duplicates"] == 0


def test_the_standing_copy_may_be_left_out() -> None:
    """Then all are."""
    packing = pack(texts(("x", 40, 0.4), ("x", 40, 0.5)), 12, duplicates="once")

    assert [decision.reason for decision in packing.decisions] == ["duplicate", "too_long"]


def test_a_written_packing_keeps_its_duplicates() -> None:
    """Reasons, statistics, and what another budget would choose."""
    packing = pack(texts(("x", 4, 0.4), ("x", 4, 0.5), ("y", 4, 0.1)), 12, duplicates="once")

    for again in (
        Packing.from_dict(json.loads(json.dumps(packing.to_dict()))),
        pickle.loads(pickle.dumps(packing)),
    ):
        assert again == packing
        assert list(again.decisions) == list(packing.decisions)
        assert again.statistics == packing.statistics
        assert again.curve() == packing.curve()


def test_requests_and_scores_know_it_too() -> None:
    """By name only."""
    snippets = [{"id": id, "text": "x", "cost": 4, "score": score} for id, score in (("a", 1), ("b", 2))]

    packing = haversack.pack_request({"budget": 20, "snippets": snippets, "duplicates": "once"})

    assert ids(packing) == ["b"]


@given(
    st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 5), st.integers(-1, 9)), max_size=9),
    st.integers(0, 20),
)
def test_once_is_packing_what_stands(rows: list[tuple[str, int, float]], budget: int) -> None:
    """As if the duplicates had not been offered."""
    snippets = texts(*rows)
    packing = pack(snippets, budget, duplicates="once")
    dropped = {decision.id for decision in packing.decisions if decision.reason == "duplicate"}

    alone = pack([one for one in snippets if one["id"] not in dropped], budget)

    assert len({one["text"] for one in snippets}) == len(snippets) - len(dropped)
    assert (ids(packing), packing.value, packing.bound) == (ids(alone), alone.value, alone.bound)
