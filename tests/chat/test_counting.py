"""What is sent is what is counted: framing, names, calls, tools, media; estimates are marked."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from haversack import InputError
from haversack._extras import MissingExtraError
from haversack.chat import Framing, pack_messages
from haversack.chat._elide import elided
from haversack.chat._read import read
from haversack.chat.counting import Meter

from .test_units import calls, user


def words(text: str) -> int:
    return len(text.split())


def cost(message: dict[str, Any], form: str = "openai", **settings: Any) -> int:
    meter = Meter(form, words, **settings)
    return meter.tally(read([message], form=form).messages).costs[0]


class TestMessages:
    def test_the_cookbooks_recipe_for_openai(self) -> None:
        """3 a message, its role, its content, 1 and the name; 3 once for the reply."""
        tally = Meter("openai", words).tally(
            read([{"role": "user", "name": "Ann", "content": "two words"}]).messages
        )

        assert tally.costs == [3 + 1 + 2 + 1 + 1]
        assert tally.frame == 3
        assert tally.estimated == set()

    def test_arguments_count_and_null_content_is_not_free_of_them(self) -> None:
        """The bulk of a message may sit in the arguments of its call."""
        message = calls("a")
        message["tool_calls"][0]["function"]["arguments"] = "lorem ipsum " * 400

        assert cost(message) == 3 + 1 + 8 + 1 + 800

    def test_every_form_counts_calls_results_and_thinking(self) -> None:
        """By the words of each."""
        use = {"type": "tool_use", "id": "a", "name": "look", "input": {"q": "one two"}}
        thinks = {"type": "thinking", "thinking": "hm hm hm", "signature": "long"}
        nested = {
            "type": "tool_result",
            "tool_use_id": "a",
            "content": [{"type": "text", "text": "one two three"}],
        }
        framing = Framing()

        assert (
            cost({"role": "assistant", "content": [thinks, use]}, "anthropic", framing=framing) == 3 + 1 + 2
        )
        assert cost({"role": "user", "content": [nested]}, "anthropic", framing=framing) == 3
        response = {"functionResponse": {"name": "f", "response": {"result": "one two"}}}
        assert cost({"role": "user", "parts": [response]}, "gemini", framing=framing) == 1 + 1 + 2
        output = {"type": "function_call_output", "call_id": "a", "output": "one two"}
        assert cost(output, "responses", framing=framing) == 2

    def test_a_cost_in_the_message_is_its_whole_cost(self) -> None:
        """Only a framing that is passed comes on top."""
        message = {**user("never counted"), "cost": 7}

        assert Meter("openai", None).tally(read([message]).messages).costs == [7]
        assert Meter("openai", None).tally(read([message]).messages).frame == 0
        assert Meter("openai", None, framing=Framing(per_message=4)).tally(
            read([message]).messages
        ).costs == [11]

    @pytest.mark.parametrize("wrong", [-1, 1.5, True, "7"])
    def test_a_cost_that_is_none_is_refused(self, wrong: Any) -> None:
        """With the message and what was found."""
        with pytest.raises(InputError, match=r"messages\[0\].*cost"):
            pack_messages([{**user(), "cost": wrong}], 100)

    @pytest.mark.parametrize(
        ("form", "estimate", "message"),
        [
            ("anthropic", "estimate:claude", {"role": "user", "content": "x"}),
            ("gemini", "estimate:gemini", {"role": "user", "parts": [{"text": "x"}]}),
        ],
    )
    def test_where_no_tokenizer_is_public_nothing_is_guessed(
        self, form: str, estimate: str, message: dict[str, Any]
    ) -> None:
        """The error names the estimate to ask for; with it the packing says that it is one."""
        with pytest.raises(InputError, match=r"need a counter.*never silently") as caught:
            pack_messages([message], 100, form=form)
        assert estimate in str(caught.value)

    @pytest.mark.parametrize("form", ["openai", "responses"])
    def test_openais_forms_are_counted_exactly_unless_told_otherwise(self, form: str) -> None:
        """With the counter of the extra `tokens`."""
        pytest.importorskip("toktok", reason="needs toktok-rs: pip install 'haversack[tokens]'")

        packing = pack_messages([{"role": "user", "content": "Hello there"}], 100, form=form)

        # "Hello there" and "user" are 2 and 1 tokens of o200k_base; 3 around the message, 3 for the reply.
        assert (packing.cost, packing.frame) == (6, 3)
        assert packing.exact is (form == "openai")

    def test_without_the_package_that_counts_the_error_says_what_to_install(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
    ) -> None:
        """Never an estimate in its place."""
        from haversack.counters import _exact, _names

        monkeypatch.setattr(_exact, "_has", lambda package: False)
        monkeypatch.setattr(_names, "_shared", {})
        with pytest.raises(MissingExtraError, match=r"haversack\[tokens\]"):
            pack_messages([user()], 100)

    def test_a_counter_must_count(self) -> None:
        """An int, at least 0."""
        with pytest.raises(InputError, match="-1"):
            pack_messages([user()], 100, counter=lambda text: -1)


class TestMedia:
    def test_images_cost_what_the_stated_rule_says(self) -> None:
        """Never their base64."""
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 10_000}}
        low = {"type": "image_url", "image_url": {"url": "x", "detail": "low"}}

        assert cost({"role": "user", "content": [image]}) == 3 + 1 + 1445
        assert cost({"role": "user", "content": [low]}) == 3 + 1 + 85
        source = {"type": "base64", "data": "A" * 10_000}
        assert (
            cost({"role": "user", "content": [{"type": "image", "source": source}]}, "anthropic") == 4 + 1600
        )
        blob = {"inlineData": {"mimeType": "image/png", "data": "A" * 10_000}}
        assert cost({"role": "user", "parts": [blob]}, "gemini") == 3 + 1120
        document = {"type": "document", "source": source}
        assert cost({"role": "user", "content": [document]}, "anthropic") == 4 + 3000

    def test_the_rule_may_be_the_callers(self) -> None:
        """A number, or a function of the block."""
        image = {"type": "image_url", "image_url": {"url": "x"}}

        assert cost({"role": "user", "content": [image]}, media=100) == 104
        assert cost({"role": "user", "content": [image]}, media=lambda block: len(block["type"])) == 4 + 9

    def test_estimates_are_marked(self) -> None:
        """A packing says whether its count is exact, and what it rests on."""
        image = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}

        assert pack_messages([user()], 100, counter=words).exact is True
        packing = pack_messages([image], 5_000, counter=words)
        assert packing.exact is False
        assert packing.statistics["estimated"] == ["media"]
        assert pack_messages([{**user(), "cost": 3}], 100).exact is None


class TestFrame:
    TOOL: ClassVar[dict[str, Any]] = {
        "type": "function",
        "function": {
            "name": "look",
            "description": "Look at a thing.",
            "parameters": {
                "type": "object",
                "properties": {"at": {"type": "string", "description": "What", "enum": ["a", "b"]}},
            },
        },
    }

    def test_tools_by_the_cookbooks_recipe(self) -> None:
        """7 a function, 3 for properties, 3 a key, an enum -3 and 3 an item, 12 at the end; and the words."""
        framing = Framing()

        assert (
            Meter("openai", words, framing=framing).tools([self.TOOL]) == 7 + 3 + 3 - 3 + 6 + 12 + 4 + 1 + 2
        )

    def test_tools_of_other_providers_count_as_json(self) -> None:
        """And Anthropic's tool prompt once."""
        tool = {"name": "look", "description": "Look at a thing", "input_schema": {}}

        assert Meter("anthropic", words).tools([tool]) == 346 + 4
        assert Meter("gemini", words).tools([tool]) == 4

    @pytest.mark.parametrize(
        "system",
        [
            "one two",
            [{"type": "text", "text": "one two"}],
            {"parts": [{"text": "one two"}]},
            {"text": "one two"},
        ],
    )
    def test_a_system_prompt_beside_the_messages_is_counted(self, system: Any) -> None:
        """Text, blocks, parts, a content."""
        packing = pack_messages([user("x")], 100, counter=words, system=system, form="anthropic")

        assert packing.frame == 2 + 4 + 3
        assert packing.capacity == 91


class TestElide:
    def test_a_shortened_text_fits_and_says_how_much_is_left_out(self) -> None:
        """Its head, a marker, its tail; within the size by the counter."""
        text = " ".join(f"w{number}" for number in range(500))
        for size in (10, 25, 100, 400):
            short = elided(text, size, words)

            assert short is not None
            assert words(short) <= size
            assert short.startswith("w0 ")
            assert short.endswith("w499")
            kept = words(short) - len(["[...", "1", "tokens", "left", "out", "...]"])
            assert f"{500 - kept:,} tokens left out" in short

    def test_no_word_is_cut_where_a_gap_is_near(self) -> None:
        """The edges are whole words."""
        short = elided("alpha beta gamma delta epsilon zeta eta theta iota kappa", 9, words)

        assert short is not None
        whole = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"}
        assert set(short.split()) - {"[...", "6", "7", "tokens", "left", "out", "...]"} <= whole

    @pytest.mark.parametrize(("text", "size"), [("short", 10), ("one two three", 3), ("x " * 50, 2), ("", 5)])
    def test_none_where_nothing_is_gained(self, text: str, size: int) -> None:
        """Short enough already, or no room even for the marker."""
        assert elided(text, size, words) is None

    def test_text_without_gaps_is_cut_anywhere(self) -> None:
        """Base64, Chinese."""
        short = elided("字" * 1000, 100, len)

        assert short is not None
        assert len(short) <= 100
