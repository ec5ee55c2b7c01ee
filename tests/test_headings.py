"""Texts with structure: every form is counted, headings are paid once for what is under them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import haversack
from haversack import Packing, counters
from haversack.ordering import ORDERS
from haversack.renderers import MARKDOWN, PLAIN, XML, Block, Renderer
from tests.texts import texts

pytest.importorskip("toktok", reason="needs toktok-rs: pip install 'haversack[tokens]'")

COUNT = counters.resolve("o200k_base")
HEADED = [MARKDOWN.replace(headings=True), XML.replace(headings=True)]
Snippets = list[dict[str, Any]]


@st.composite
def offers(draw: Any, most: int = 4, tiers: bool = False) -> Snippets:
    """A few snippets in sections, some with a shorter form, some pinned, some that need another."""
    size = draw(st.integers(0, most))
    offered: Snippets = []
    for at in range(size):
        one: dict[str, Any] = {
            "id": f"s{at}",
            "text": draw(texts),
            "value": draw(st.integers(1, 9)),
            "section": draw(st.sampled_from([None, "rules", "docs"])),
        }
        # A form without a text beside one that has one would be charged the heading although it needs none.
        if one["text"].strip() and draw(st.booleans()):
            text = draw(texts.filter(str.strip))
            one["variants"] = [{"name": "short", "text": text, "value": draw(st.integers(1, 5))}]
        if at and draw(st.integers(0, 3)) == 0:
            one["requires"] = [f"s{draw(st.integers(0, at - 1))}"]
        if tiers:
            one["tier"] = draw(st.integers(0, 1))
        offered.append(one)
    return offered


def forms(snippet: dict[str, Any]) -> list[dict[str, Any] | None]:
    """What a snippet may be: out, itself, or a variant."""
    return [None, snippet, *snippet.get("variants", [])]


def best_by_hand(snippets: Snippets, budget: int, renderer: Renderer) -> int:
    """The greatest value of any selection whose text, rendered and counted, fits."""
    best = 0
    for choice in itertools.product(*map(forms, snippets)):
        inside = {one["id"] for one, form in zip(snippets, choice, strict=True) if form is not None}
        chosen = [(one, form) for one, form in zip(snippets, choice, strict=True) if form is not None]
        if any(not set(one.get("requires", [])) <= inside for one, _ in chosen):
            continue
        blocks = [Block(one["id"], form["text"], section=one["section"]) for one, form in chosen]
        text = renderer.render(blocks)
        if not text or COUNT(text) <= budget:
            best = max(best, sum(form["value"] for _, form in chosen))
    return best


class TestTheTextFits:
    @pytest.mark.parametrize("renderer", HEADED, ids=lambda renderer: renderer.name)
    @settings(deadline=None, max_examples=120)
    @given(offers(), st.integers(0, 90))
    def test_and_no_selection_of_forms_that_fits_is_worth_more(
        self, renderer: Renderer, snippets: Snippets, budget: int
    ) -> None:
        """Headings, forms and requirements together, against all selections rendered and counted."""
        packing = haversack.pack(snippets, budget, counter="o200k_base", render=renderer, over_budget="allow")

        assert packing.text_tokens == (COUNT(packing.text) if packing.text else 0) <= budget
        assert packing.value == best_by_hand(snippets, budget, renderer)
        assert packing.text_tokens == packing.frame + packing.cost + packing.statistics["joins"]

    @pytest.mark.parametrize("order", [*ORDERS, reversed], ids=str)
    @pytest.mark.parametrize(
        "renderer", [*HEADED, PLAIN.replace(heading="== {section} ==", notes=True)], ids=str
    )
    @settings(deadline=None, max_examples=25)
    @given(offers(most=6, tiers=True), st.integers(0, 120), st.lists(st.integers(0, 5), max_size=2))
    def test_with_pins_caps_and_tiers(
        self, renderer: Renderer, order: Any, snippets: Snippets, budget: int, pins: list[int]
    ) -> None:
        """Or it is said by how much it does not, and only pins are in, each at its shortest."""
        for pin in pins:
            if pin < len(snippets):
                snippets[pin]["pinned"] = True
        packing = haversack.pack(
            snippets, budget, sections={"docs": {"cap": 30}, "rules": {}},
            counter="o200k_base", render=renderer, order=order, over_budget="allow",
        )  # fmt: skip

        assert packing.text_tokens == (COUNT(packing.text) if packing.text else 0)
        assert packing.over_budget == max(0, packing.text_tokens - budget)
        assert packing.optimal == (
            packing.gap == tuple(0 for _ in packing.gap) if packing.values_by_tier else packing.gap == 0
        )
        if packing.over_budget:
            assert all(
                decision.reason == "pinned" or not (packing.texts[at] or "").strip()
                for at, decision in enumerate(one for one in packing.decisions if one.chosen)
            )
        assert Packing.from_dict(packing.to_dict()).to_dict() == packing.to_dict()

    @settings(deadline=None, max_examples=60)
    @given(offers(most=4), st.integers(0, 60), st.integers(0, 9))
    def test_for_a_counter_that_follows_no_rule(self, snippets: Snippets, budget: int, seed: int) -> None:
        """Neither additive nor monotone."""
        import zlib

        def erratic(text: str) -> int:
            return zlib.crc32(text.encode(), seed) % 40

        packing = haversack.pack(snippets, budget, counter=erratic, render=HEADED[0])

        assert packing.text_tokens == (erratic(packing.text) if packing.text else 0) <= budget


class TestHeadings:
    snippets: Snippets = [  # noqa: RUF012
        {"id": "a", "text": "Tea is hot.", "value": 3, "section": "drinks"},
        {"id": "b", "text": "Ice is cold.", "value": 3, "section": "drinks"},
        {"id": "c", "text": "Rain is wet.", "value": 3, "section": "weather"},
    ]

    def test_a_heading_is_paid_once_by_what_is_under_it(self) -> None:
        """Two under one heading are cheaper than one under each of two."""
        two = haversack.pack(self.snippets, 28, counter="o200k_base", render=HEADED[0])

        assert [one["id"] for one in two.selected] == ["a", "b"]
        assert two.text.startswith("## drinks\n### a\n")
        assert two.frame == COUNT("## drinks\n")
        assert two.cost + two.frame == two.text_tokens == COUNT(two.text)

    def test_a_section_without_anything_has_no_heading(self) -> None:
        """Nor does it cost one."""
        packing = haversack.pack(self.snippets, 10, counter="o200k_base", render=HEADED[0])

        assert packing.text == ""
        assert packing.frame == 0

    def test_the_caller_never_meets_them_as_snippets(self) -> None:
        """Not in decisions, not in numbers of snippets."""
        packing = haversack.pack(self.snippets, 100, counter="o200k_base", render=HEADED[0])

        assert len(packing.decisions) == 3
        assert repr(packing).startswith("<Packing 3 of 3 snippets")
        assert {"drinks", "weather"} == set(packing.sections)

    def test_sections_are_rendered_in_the_order_of_their_declaration(self) -> None:
        """With order="section"."""
        packing = haversack.pack(
            self.snippets, 100, sections={"weather": {}, "drinks": {}}, counter="o200k_base",
            render=HEADED[0], order="section",
        )  # fmt: skip

        assert packing.text.index("## weather") < packing.text.index("## drinks")

    def test_a_pinned_snippet_brings_its_heading(self) -> None:
        """Which is over the budget with it."""
        pinned = [{**self.snippets[0], "pinned": True}]

        with pytest.raises(haversack.OverBudgetError) as caught:
            haversack.pack(pinned, 12, counter="o200k_base", render=HEADED[0], over_budget="raise")

        assert caught.value.excess == COUNT("## drinks\n### a\n```\nTea is hot.\n```\n") - 12


class TestForms:
    def test_every_form_is_counted_once_in_one_batch(self) -> None:
        """And the chosen one is rendered."""
        batches: list[list[str]] = []

        def count_many(some: list[str]) -> list[int]:
            batches.append(some)
            return [len(text) for text in some]

        snippet = {
            "text": "a long text",
            "value": 5,
            "variants": [{"name": "short", "text": "text", "value": 2}],
        }
        counter = counters.Counter("length", count_many, exact=True)
        packing = haversack.pack([snippet], 6, counter=counter)

        assert batches == [["\n\n", "a long text", "text"], ["text"]]
        assert packing.text == "text"
        assert packing.forms == {"0": "short"}
        assert packing.texts == ["text"]

    def test_room_that_is_left_buys_a_better_form(self) -> None:
        """Where joints were charged too much."""
        some = [
            {"text": "aaa", "value": 5},
            {"text": "bbbb", "value": 9, "variants": [{"name": "short", "text": "b", "value": 1}]},
        ]

        packing = haversack.pack(some, 7, counter=lambda text: len(text.replace("\n", "")) + text.count("\n"))

        assert packing.text_tokens <= 7

    def test_a_given_cost_of_a_variant_is_caught_as_any(self) -> None:
        """By the name of its snippet."""
        short = {"name": "short", "text": "one two three", "cost": 1, "value": 8}
        snippet = {"id": "a", "text": "one two three four", "value": 9, "cost": 4, "variants": [short]}

        with pytest.warns(haversack.exceptions.CostWarning, match="'a': 1 given, 3 counted"):
            packing = haversack.pack([snippet], 2, counter=lambda text: len(text.split()))

        assert packing.text == ""

    def test_a_form_without_a_text_is_of_no_tokens_in_the_text(self) -> None:
        """An image in place of a description."""
        snippet = {"text": "a b c d", "value": 1, "variants": [{"name": "image", "cost": 3, "value": 5}]}

        packing = haversack.pack([snippet], 4, counter=lambda text: len(text.split()))

        assert packing.forms == {"0": "image"}
        assert (packing.text, packing.text_tokens, packing.cost) == ("", 0, 3)
