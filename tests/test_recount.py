"""What is handed out was counted as a whole and fits: hostile texts, every renderer, order and counter."""

from __future__ import annotations

import itertools
import pickle
import sysconfig
import warnings
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import haversack
from haversack import Packing, counters
from haversack.exceptions import CostWarning, OverBudgetError, OverBudgetWarning
from haversack.ordering import ORDERS, arrange
from haversack.renderers import MARKDOWN, NUMBERED, PLAIN, XML, Block, Renderer
from tests.texts import texts, unhurried

pytest.importorskip("toktok", reason="needs toktok-rs: pip install 'haversack[tokens]'")

EXACT = ["o200k_base", "cl100k_base"]
RENDERERS = [
    PLAIN,
    MARKDOWN,
    XML,
    NUMBERED,
    Renderer("{text}", separator="", name="glued"),
    MARKDOWN.replace(header="Context:\n\n", footer="\nAnswer briefly.", notes=True),
    PLAIN.replace(header="Known:", notes=True, separator="\n---\n"),
    NUMBERED.replace(notes=True),
]
Snippets = list[dict[str, Any]]


@st.composite
def offers(draw: Any, most: int = 7, given_costs: bool = True) -> Snippets:
    """Snippets of hostile texts; a few pinned, with a cost of their own, right or wrong, or no text."""
    cost = st.one_of(st.none(), st.none(), st.integers(0, 12)) if given_costs else st.none()
    one = st.fixed_dictionaries(
        {
            "text": texts,
            "value": st.integers(-1, 9),
            "pinned": st.sampled_from([False, False, False, True]),
            "source": st.sampled_from([None, "docs/a.md", "a\n### b"]),
            "cost": cost,
        }
    )
    offered: Snippets = draw(st.lists(one, max_size=most))
    for snippet in offered:
        if snippet["cost"] is not None and draw(st.booleans()):
            del snippet["text"]
    return offered


def quietly(snippets: Any, budget: int, **settings: Any) -> Packing[Any]:
    """Pack; costs that are too low are no news here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CostWarning)
        return haversack.pack(snippets, budget, over_budget="allow", **settings)


def rendered(packing: Packing[Any], snippets: Snippets, renderer: Renderer, order: Any) -> str:
    """Render the selection of a packing once more, without what it remembers."""
    chosen = [decision.position for decision in packing.decisions if decision.chosen]
    blocks = [Block(one.get("id"), one.get("text"), one.get("source")) for one in snippets]
    values = [snippets[position]["value"] for position in chosen]
    turned = arrange(order, packing.selected, values, [None] * len(chosen))
    left_out = [block for position, block in enumerate(blocks) if position not in chosen]
    return renderer.render([blocks[position] for position in chosen], order=turned, omitted=left_out)


class TestTheTextFits:
    @pytest.mark.parametrize("counter", EXACT)
    @pytest.mark.parametrize("order", [*ORDERS, reversed], ids=str)
    @pytest.mark.parametrize("renderer", RENDERERS, ids=lambda renderer: renderer.name)
    @settings(deadline=None, max_examples=25)
    @given(offers(), st.integers(0, 120), st.integers(0, 20))
    def test_for_every_renderer_order_and_exact_counter(
        self, renderer: Renderer, order: Any, counter: str, snippets: Snippets, budget: int, reserve: int
    ) -> None:
        """Or it is said by how much it does not, and nothing is in that need not be."""
        packing = quietly(snippets, budget, reserve=reserve, counter=counter, render=renderer, order=order)

        count, costs = counters.resolve(counter), [decision.cost for decision in packing.decisions]
        inside = [decision.position for decision in packing.decisions if decision.chosen]
        textless = sum(costs[p] for p in inside if not snippets[p].get("text", "").strip())
        assert packing.text == rendered(packing, snippets, renderer, order)
        assert packing.text_tokens == (count(packing.text) if packing.text else 0)
        assert packing.over_budget == max(0, packing.text_tokens + textless - (budget - reserve))
        assert packing.cost == sum(costs[position] for position in inside)
        assert packing.text_tokens == packing.frame + packing.cost - textless + packing.statistics["joins"]
        assert packing.value <= packing.bound
        assert packing.optimal == (packing.gap == 0)
        assert packing.statistics["rounds"] >= 1
        if packing.over_budget:
            texts_in = [
                p for p in inside if not snippets[p]["pinned"] and snippets[p].get("text", "").strip()
            ]
            assert not texts_in
        assert Packing.from_dict(packing.to_dict()).to_dict() == packing.to_dict()

    @given(
        st.lists(st.text("ab ", min_size=1, max_size=9), max_size=8), st.integers(0, 60), st.integers(0, 9)
    )
    def test_for_a_counter_that_follows_no_rule(self, some: list[str], budget: int, seed: int) -> None:
        """Neither additive nor monotone: only the last count can be trusted."""

        def erratic(text: str) -> int:
            return zlib.crc32(text.encode(), seed) % 40

        packing = quietly([{"text": text, "value": 3} for text in some], budget, counter=erratic)

        assert packing.text is not None
        assert packing.text_tokens == (erratic(packing.text) if packing.text else 0)
        assert packing.text_tokens <= budget

    def test_where_every_part_is_free_and_the_whole_is_not(self) -> None:
        """What costs nothing is always in, unless the text says otherwise."""
        snippets = [{"text": "word", "value": 1}] * 30

        packing = quietly(snippets, 5, counter=lambda text: len(text) // 10)

        assert packing.text_tokens <= 5
        assert packing.over_budget == 0

    @pytest.mark.parametrize("renderer", [MARKDOWN, XML], ids=lambda renderer: renderer.name)
    @unhurried
    @given(offers(most=5, given_costs=False), st.integers(0, 100))
    def test_and_no_text_that_fits_is_worth_more(
        self, renderer: Renderer, snippets: Snippets, budget: int
    ) -> None:
        """Where the sum is exact: all selections with the pins are rendered, counted and compared."""
        for snippet in snippets:
            snippet["pinned"] = False
            snippet["source"] = snippet["source"] or "a"  # a title without a number in it
        packing = quietly(snippets, budget, counter="o200k_base", render=renderer)

        count = counters.resolve("o200k_base")
        best = 0
        for size in range(len(snippets) + 1):
            for some in itertools.combinations(snippets, size):
                text = renderer.render([Block(None, one["text"], one["source"]) for one in some])
                if count(text) <= budget:
                    best = max(best, sum(one["value"] for one in some))
        assert packing.value == best
        assert packing.optimal

    @unhurried
    @given(offers(given_costs=False), st.integers(0, 80))
    def test_what_joints_save_is_used(self, snippets: Snippets, budget: int) -> None:
        """No dropped snippet of any worth would fit into what is left, by its own charge."""
        packing = quietly(snippets, budget, counter="o200k_base")

        left = budget - (packing.text_tokens or 0)
        worthy = [one for one in packing.decisions if not one.chosen and one.value > 0]
        assert packing.statistics["rounds"] >= 8 or all(one.cost > left for one in worthy)


class TestRounds:
    def test_the_first_text_is_right_where_the_sum_is_exact(self) -> None:
        """One round, no joins."""
        packing = haversack.pack(["Tea is hot.", "Ice is cold."], 60, counter="o200k_base", render="markdown")

        assert packing.statistics["rounds"] == 1
        assert packing.statistics["joins"] == 0

    def test_a_text_that_came_out_longer_is_made_anew_from_less(self) -> None:
        """Four tokens apart, nine run together."""
        words = [
            {"text": word, "value": 4 - at} for at, word in enumerate(["gamma", "without", "write", "token"])
        ]
        glued = Renderer(separator="")

        packing = haversack.pack(words, 6, counter="cl100k_base", render=glued)

        assert packing.text_tokens == counters.resolve("cl100k_base")(packing.text)
        assert packing.text_tokens <= 6
        assert packing.statistics["rounds"] > 1
        assert not packing.optimal
        assert packing.value < packing.bound

    def test_a_hostile_counter_ends_after_a_few_rounds(self) -> None:
        """Eight, and then steps that double."""
        calls = []

        def growing(text: str) -> int:
            calls.append(text)
            return len(text) ** 2

        packing = quietly(["x" * 9] * 1000, 10_000, counter=growing)

        assert packing.text_tokens <= 10_000
        assert packing.statistics["rounds"] < 30


class TestRealFiles:
    def test_megabytes_of_files_are_counted_chosen_and_recounted(self) -> None:
        """The standard library's modules, several megabytes, exact to the last token."""
        paths = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
        some = [{"id": path.name, "text": path.read_text("utf-8"), "value": len(path.name)} for path in paths]
        count = counters.resolve("o200k_base")

        assert sum(len(one["text"]) for one in some) > 3_000_000
        for render in ("markdown", "xml", "numbered", "plain"):
            packing = haversack.pack(some, 200_000, counter="o200k_base", render=render)

            assert packing.text_tokens == count(packing.text) <= 200_000
            assert packing.text_tokens > 199_000
            assert packing.optimal


class TestEachTextIsCountedOnce:
    def test_snippets_in_one_batch_and_the_whole_text_once(self) -> None:
        """A counter that takes many at a time gets them so."""
        batches: list[list[str]] = []

        class Recorder:
            name = "recorder"
            exact = True

            def __call__(self, text: str) -> int:
                raise AssertionError("not one by one")

            def count_many(self, some: list[str]) -> list[int]:
                batches.append(list(some))
                return [len(text) for text in some]

        snippets = [{"id": name, "text": name * 3, "value": 1} for name in "abcd"]
        packing = haversack.pack(snippets, 40, counter=Recorder(), render="markdown")

        assert len(batches) == 2
        assert sorted(batches[0]) == [f"### {name}\n```\n{name * 3}\n```\n" for name in "abcd"]
        assert batches[1] == [packing.text]

    def test_a_text_whose_cost_is_given_is_not_counted_alone(self) -> None:
        """Its cost stands."""
        counted: list[str] = []

        def record(text: str) -> int:
            counted.append(text)
            return len(text)

        packing = haversack.pack([{"text": "given", "cost": 9, "value": 1}], 20, counter=record)

        assert packing.cost == 9
        assert counted == ["\n\n", "given"]  # the separator, and the whole text
        assert packing.text_tokens == 5

    def test_a_shared_cache_counts_no_text_twice_over_many_calls(self) -> None:
        """A turn later only what is new is counted."""
        counted: list[str] = []
        cache = counters.cached(lambda text: counted.append(text) or len(text))

        for most in (2, 3, 4):
            haversack.pack([{"text": name * 5, "value": 1} for name in "abcd"[:most]], 100, counter=cache)

        assert len(counted) == len(set(counted))


class TestGivenCosts:
    def snippets(self) -> Snippets:
        return [
            {"id": "lie", "text": "one two three four five six seven", "cost": 2, "value": 5},
            {"id": "a", "text": "eight nine", "value": 4},
            {"id": "b", "text": "ten eleven", "value": 4},
        ]

    def words(self, text: str) -> int:
        return len(text.split())

    def test_one_that_is_too_low_is_caught_and_said(self) -> None:
        """With snippet, given and real."""
        with pytest.warns(CostWarning, match="'lie': 2 given, 7 counted") as caught:
            packing = haversack.pack(self.snippets(), 7, counter=self.words)

        assert caught[0].filename == __file__
        assert caught[0].message.snippets == [("lie", 2, 7)]
        assert pickle.loads(pickle.dumps(caught[0].message)).snippets == [("lie", 2, 7)]
        assert packing.text_tokens <= 7
        assert packing.value == 8  # the real cost is charged from then on
        assert packing["lie"].cost == 7

    def test_it_stands_where_the_text_fits_all_the_same(self) -> None:
        """Trusted for choosing; but said."""
        with pytest.warns(CostWarning):
            packing = haversack.pack(self.snippets(), 20, counter=self.words)

        assert packing["lie"].cost == 2
        assert len(packing.selected) == 3

    def test_one_of_nothing_does_not_stay_in_for_ever(self) -> None:
        """Free snippets are always in, if they are."""
        with pytest.warns(CostWarning):
            packing = haversack.pack([{"text": "a b c d", "cost": 0, "value": 1}], 3, counter=self.words)

        assert packing.selected == []
        assert packing.text == ""

    def test_one_that_is_too_high_leaves_room_that_is_used(self) -> None:
        """The recount finds it."""
        packing = haversack.pack(
            [{"text": "a b", "cost": 8, "value": 9}, {"text": "c d e", "value": 1}], 10, counter=self.words
        )

        assert len(packing.selected) == 2
        assert packing.over_budget == 0

    def test_a_snippet_without_a_text_counts_and_renders_nothing(self) -> None:
        """An image, a tool's schema."""
        packing = haversack.pack(
            [
                {"id": "image", "cost": 6, "value": 9},
                {"text": "a b", "value": 2},
                {"text": "c d e", "value": 3},
            ],
            9,
            counter=self.words,
        )

        assert packing.text == "c d e"
        assert (packing.text_tokens, packing.cost, packing.over_budget) == (3, 9, 0)


class TestFrame:
    framed = PLAIN.replace(header="Known facts about tea:", footer="Answer briefly.")

    def test_header_and_footer_come_off_the_capacity(self) -> None:
        """They are in the text."""
        packing = haversack.pack(["Tea is hot."], 40, counter="o200k_base", render=self.framed)

        assert packing.text == "Known facts about tea:\n\nTea is hot.\n\nAnswer briefly."
        assert packing.frame > 0
        assert packing.capacity == 40 - packing.frame

    def test_a_frame_larger_than_the_budget_is_named(self) -> None:
        """Under the same policy as the pins."""
        with pytest.warns(OverBudgetWarning, match=r"the frame \(header and footer\) of 9 leaves nothing"):
            packing = haversack.pack(["Tea is hot."], 8, counter="o200k_base", render=self.framed)
        assert packing.over_budget == packing.text_tokens - 8
        with pytest.raises(OverBudgetError, match="frame"):
            haversack.pack(["Tea"], 8, counter="o200k_base", render=self.framed, over_budget="raise")

    def test_the_pins_are_recounted_too(self) -> None:
        """What is reported is the excess of the text."""
        with pytest.raises(OverBudgetError) as caught:
            haversack.pack(
                [{"id": "rules", "text": "Answer in English, please.", "pinned": True}],
                5,
                counter="o200k_base",
                over_budget="raise",
            )

        count = counters.resolve("o200k_base")("Answer in English, please.")
        assert caught.value.needed == count
        assert caught.value.excess == count - 5

    def test_a_note_of_what_is_missing_is_inside_the_budget(self) -> None:
        """Charged at its longest, and there only if something is."""
        render = MARKDOWN.replace(notes=True)
        some = [{"id": f"s{at}", "text": f"Fact {at} is true.", "value": 1} for at in range(9)]

        less = haversack.pack(some, 60, counter="o200k_base", render=render)
        all_of_them = haversack.pack(some, 400, counter="o200k_base", render=render)

        assert f"left out for length: {len(less.dropped)}" in less.text
        assert less.text_tokens <= 60
        assert "left out" not in all_of_them.text


class TestSnippets:
    def test_strings_are_taken_as_best_first(self) -> None:
        """And come back themselves."""
        some = ["Tea is hot.", "Ice is cold.", "Rain is wet."]

        packing = haversack.pack(iter(some), 9, counter="o200k_base")

        assert packing.selected == some[:2]
        assert packing.text == "Tea is hot.\n\nIce is cold."
        assert packing.to_dict(inputs=True)["snippets"] == [{"text": text} for text in some]

    def test_foreign_shapes_are_counted_by_their_own_fields(self) -> None:
        """Mapped, and rendered with what was mapped."""
        found = [{"page_content": "Tea is hot.", "url": "a.md", "p": 0.5}]

        packing = haversack.pack(
            found,
            50,
            fields={"text": "page_content", "source": "url", "value": "p"},
            counter="o200k_base",
            render="markdown",
        )

        assert packing.text == "### a.md\n```\nTea is hot.\n```\n"

    def test_neither_cost_nor_text_is_an_error(self) -> None:
        """With a counter too."""
        with pytest.raises(haversack.InputError, match="cost is missing, and so is the text"):
            haversack.pack([{"value": 1}], 5, counter=len)

    def test_an_estimate_is_marked(self) -> None:
        """In the packing and where it is printed."""
        packing = haversack.pack(["Tea is hot."], 50, counter="bytes/3")

        assert packing.exact is False
        assert "(estimated)" in repr(packing)
        assert haversack.pack(["Tea is hot."], 50, counter="o200k_base").exact is True
        assert haversack.pack([{"cost": 1, "text": "a"}], 50).exact is None

    def test_a_pin_without_a_value_is_read_first(self) -> None:
        """Where the best comes first."""
        some = [{"text": "a", "value": 5}, {"text": "rules", "pinned": True}, {"text": "b", "value": 9}]

        assert haversack.pack(some, 99, counter=len, order="value").text == "rules\n\nb\n\na"
        assert haversack.pack(some, 99, counter=len, order="edges").text == "rules\n\na\n\nb"

    def test_a_counter_that_learns_is_still_while_a_call_lasts(self) -> None:
        """And learns from the packing afterwards."""
        counter = counters.anchored("bytes/3")
        packing = haversack.pack(["Tea is hot."] * 3, 50, counter=counter)

        counter.observe(packing, 30)

        assert packing.exact is False
        assert haversack.pack(["Tea is hot."] * 3, 50, counter=counter).text_tokens > packing.text_tokens

    def test_settings_travel_and_compare(self) -> None:
        """A packer may be sent to another process."""
        packer = haversack.Packer(counter="o200k_base", render="xml", order="edges")

        assert pickle.loads(pickle.dumps(packer)) == packer
        assert "counter='o200k_base', render='xml', order='edges'" in repr(packer)
        assert pickle.loads(pickle.dumps(packer.pack(["Tea"], 90))).text == packer.pack(["Tea"], 90).text

    def test_a_request_may_name_all_three(self) -> None:
        """As data."""
        packing = haversack.pack_request(
            '{"budget": 60, "counter": "o200k_base", "render": "xml", "order": "value", "snippets": '
            '[{"id": "a", "text": "Tea", "value": 1}, {"id": "b", "text": "Ice", "value": 2}]}'
        )

        assert packing.text.startswith('<snippet id="b">')
