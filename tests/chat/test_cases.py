"""The chat cases made after public bug reports: their inputs, their expectations."""

from __future__ import annotations

from typing import Any

import pytest

from haversack import OverBudgetError, pack_messages
from haversack.chat import Framing, validate
from tests.cases.reading import CASES, speaks_of

CHAT = [case for case in CASES.values() if case["tier"].startswith("chat")]


def packed(case: dict[str, Any]) -> Any:
    given = case["input"]
    settings: dict[str, Any] = {"pinned": ()} if case["id"] == "R19" else {}
    if "overhead_total" in given:
        settings["framing"] = Framing(
            per_message=given["overhead_per_message"], reply=given["overhead_total"]
        )
    if "counts" in case["expect"]:
        counts = {"lorem ipsum " * 400: case["expect"]["counts"]["arguments"]}
        settings["counter"] = lambda text: counts.get(text, len(text) // 4)
    return pack_messages(given["messages"], given["budget"], **settings)


@pytest.mark.parametrize("case", CHAT, ids=[case["id"] for case in CHAT])
def test_case(case: dict[str, Any]) -> None:
    """The selection, its value and cost, or the error."""
    expect = case["expect"]
    if "error_about" in expect:
        with pytest.raises(OverBudgetError) as caught:
            packed(case)
        assert speaks_of(str(caught.value), expect["error_about"])
        return
    expect = expect.get("either", [expect])[0]

    packing = packed(case)

    ids = [message["id"] for message in packing.messages]
    out = {decision.id for decision in packing.decisions if not decision.chosen}
    assert set(expect["must_include"]) <= set(ids)
    assert set(expect["must_exclude"]) <= out
    assert set(expect.get("reported_as_dropped", ())) <= set(packing.statistics["orphans"])
    assert packing.value == expect["value"]
    assert packing.cost == expect.get("total_cost", packing.cost)
    assert ids == expect.get("order", ids)
    assert validate(packing.messages, "openai", open_call="refused") == ()
    assert packing.optimal


def test_there_are_chat_cases() -> None:
    """The file was found, and the tiers are what this module thinks."""
    assert len(CHAT) >= 9
