"""The packaged turn: real enough to learn from, and what the demo says about it is true."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

import haversack
from haversack import reference
from haversack.cli.demo import turn_text

from .running import run

TURN = json.loads(turn_text())
SNIPPETS = TURN["snippets"]


class TestTurn:
    """The data."""

    def test_it_is_in_the_wire_format_and_packs_as_it_is(self) -> None:
        """With its own budget and reserve."""
        packing = haversack.pack_request(turn_text())

        assert packing.optimal
        assert 0.4 < len(packing.selected) / len(SNIPPETS) < 0.7

    def test_costs_are_a_fair_estimate_of_the_texts(self) -> None:
        """A token is about four characters."""
        assert [snippet["cost"] for snippet in SNIPPETS] == [
            -(-len(snippet["text"]) // 4) for snippet in SNIPPETS
        ]

    def test_it_is_as_long_and_as_mixed_as_a_real_turn(self) -> None:
        """Short notes, long logs, every kind of source."""
        costs = [snippet["cost"] for snippet in SNIPPETS]
        kinds = Counter(snippet["meta"]["kind"] for snippet in SNIPPETS)

        assert len(SNIPPETS) >= 60
        assert min(costs) >= 30
        assert max(costs) > 600
        assert {"instructions", "message", "tool result", "code", "document", "memory"} == set(kinds)

    def test_instructions_and_the_last_message_are_pinned_and_nothing_else(self) -> None:
        """What must not be lost."""
        assert [snippet["id"] for snippet in SNIPPETS if snippet.get("pinned")] == [
            "instructions",
            "tool-rules",
            "user-last",
        ]

    def test_values_are_probabilities(self) -> None:
        """No raw score is shown as a value."""
        assert all(0 <= snippet["value"] <= 1 for snippet in SNIPPETS)

    def test_the_seeds_table_finds_the_same_value(self) -> None:
        """The demo's proof, checked by the slow way."""
        capacity = TURN["budget"] - TURN["reserve"]

        assert haversack.pack_request(turn_text()).value == reference.max_value(SNIPPETS, capacity)


class TestStory:
    """What is said about it."""

    @pytest.mark.parametrize("budget", [1700, 3000, 6000, 12000])
    def test_the_numbers_in_the_sentences_are_those_of_the_packing(self, budget: int) -> None:
        """Value, bound and the tokens of pins and chosen."""
        packing = haversack.pack(SNIPPETS, budget, reserve=TURN["reserve"])
        story = " ".join(run("demo", "--budget", str(budget)).out.split())
        value = f"{packing.value:.6g}"

        assert (
            f"What is in is worth {value}, and it is proven that no selection can be worth more than {value}"
            in story
        )
        assert f"The gap is {packing.gap:g}: this is the best." in story
        assert f"take 473 tokens and leave {packing.room:,}." in story
        assert f"{len(packing.selected) - 3} of the other {len(SNIPPETS) - 3} were chosen" in story
        assert f"They take {packing.cost - 473:,} tokens; {packing.remaining:,} stay unused." in story

    def test_the_usual_loop_is_told_truly(self) -> None:
        """Most valuable first, what does not fit skipped."""
        room, value = TURN["budget"] - TURN["reserve"], 0.0
        for snippet in sorted(SNIPPETS, key=lambda snippet: (not snippet.get("pinned"), -snippet["value"])):
            if snippet["cost"] <= room:
                room, value = room - snippet["cost"], value + snippet["value"]
        told = re.search(r"would have\s+ended at\s+([\d.]+)\.", run("demo").out)

        assert told is not None
        assert float(told[1]) == pytest.approx(value)
        assert value < haversack.pack_request(turn_text()).value

    def test_every_row_of_the_table_is_a_snippet(self) -> None:
        """None is hidden."""
        rows = [line for line in run("demo").out.splitlines() if line.startswith(("✓", "✗"))]

        assert len(rows) == len(SNIPPETS)

    def test_the_way_on_leads_somewhere(self, tmp_path: object) -> None:
        """The turn as a file can be packed."""
        turn = run("demo", "--json").out

        assert json.loads(turn) == TURN
        assert run("pack", "-", "--budget", "4000", stdin=turn).code == 0

    def test_a_budget_below_the_pins_is_3(self) -> None:
        """As in `haversack pack`."""
        done = run("demo", "--budget", "1300")

        assert (done.code, done.out) == (3, "")
        assert "pinned snippets need 473 tokens" in done.err
