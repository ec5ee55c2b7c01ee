"""The examples run, and say what they should."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import haversack

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name: str) -> ModuleType:
    """Import an example from its file."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def output(name: str, *words: str) -> str:
    """Run an example as a script."""
    return subprocess.check_output(
        [sys.executable, EXAMPLES / f"{name}.py", *words], text=True, encoding="utf-8"
    )


class TestCornerCases:
    """The rules at their corners."""

    CORNERS = load("corner_cases")

    @pytest.mark.parametrize("rule", CORNERS.RULES, ids=lambda rule: rule.__name__)
    def test_the_rule_holds(self, rule: object) -> None:
        """Each asserts its own outcome."""
        assert callable(rule)
        rule()

    def test_every_rule_is_on_the_list(self) -> None:
        """A rule that nobody calls would hold for ever."""
        written = {
            name
            for name in vars(self.CORNERS)
            if name.startswith(("a_", "pins_", "what_", "nothing_", "the_", "equal_", "numbers_"))
        }

        assert {rule.__name__ for rule in self.CORNERS.RULES} == written

    def test_the_script_says_which_rules_hold(self) -> None:
        """One line a rule."""
        assert output("corner_cases").count("holds: ") == len(self.CORNERS.RULES)


class TestAgentTurn:
    """From the turn to the prompt."""

    AGENT = load("agent_turn")

    def test_the_prompt_holds_the_chosen_texts_and_no_other(self) -> None:
        """In input order."""
        turn = self.AGENT.load_turn()
        packing = haversack.pack(turn["snippets"], turn["budget"], reserve=turn["reserve"])
        prompt = self.AGENT.render(packing)
        places = [prompt.index(snippet["text"]) for snippet in packing.selected]

        assert places == sorted(places)
        assert not [snippet["id"] for snippet in packing.dropped if snippet["text"] in prompt]

    def test_the_script_shows_where_the_tokens_went(self) -> None:
        """And what it was costliest to do without."""
        shown = output("agent_turn", "--budget", "4000")

        assert "of 2,800 tokens" in shown
        assert "memory:" in shown
        assert "is out: outvalued" in shown


class TestStandardLibrary:
    """Thousands of real snippets."""

    LIBRARY = load("standard_library")

    def test_modules_are_cut_into_their_functions_and_classes(self) -> None:
        """A long class into its methods, decorators and all; every text is in its file."""
        snippets = self.LIBRARY.read_library(only="zip*")
        ids = {snippet["id"].rpartition(":")[0] for snippet in snippets}
        source = (self.LIBRARY.LIBRARY / "zipimport.py").read_text("utf-8")

        assert len({snippet["id"] for snippet in snippets}) == len(snippets) > 50
        assert "zipimport._get_data" in ids
        assert all(
            snippet["text"] in source for snippet in snippets if snippet["source"].startswith("zipimport.py")
        )

    def test_a_sharp_value_keeps_one_good_hit_above_many_weak_ones(self) -> None:
        """The reason for not packing scores: ten of these would outweigh it."""
        values = self.LIBRARY.values([10.0, *([2.0] * 10), 0.0], [100] * 12)

        assert values[0] > sum(values[1:])
        assert values[-1] == 0

    def test_longer_is_worth_more_at_the_same_score(self) -> None:
        """By the root of its tokens."""
        short, long = self.LIBRARY.values([3.0, 3.0], [100, 400])

        assert long == pytest.approx(2 * short)

    def test_thousands_of_snippets_are_packed_to_the_proof(self) -> None:
        """With what the question is about among them."""
        snippets = self.LIBRARY.candidates("extract all members of a zip archive")
        counter = self.LIBRARY.counter()
        packing = haversack.pack(snippets, 8_000, counter=counter, render="markdown")

        assert len(snippets) > 2_000
        assert packing.optimal
        assert packing.text_tokens == counter(packing.text) <= 8_000
        assert any(snippet["id"].startswith("zipfile.") for snippet in packing.selected)

    def test_the_script_explains_both_sides(self) -> None:
        """What is in, what is out, and how many for which reason."""
        shown = output("standard_library", "open a zip file", "--only", "zip*", "--budget", "1000")

        assert "of 1,000 tokens" in shown
        assert "the text has" in shown
        assert " is in: chosen" in shown
        assert " is out: outvalued" in shown
        assert "Left out: " in shown
