"""`pack_messages`: turns, pins, values, shorter forms, the warm cache, errors."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any, ClassVar

import pytest

from haversack import InputError, OverBudgetError, OverBudgetWarning, Packing
from haversack.chat import NO_FRAMING, pack_messages, validate

from .test_units import calls, result, says, user


def pack(messages: list[Any], budget: int, **settings: Any) -> Any:
    """One token a character, nothing around the messages."""
    settings.setdefault("framing", NO_FRAMING)
    return pack_messages(messages, budget, counter=len, **settings)


def positions(packing: Any) -> list[int]:
    return [decision.position for decision in packing.decisions if decision.chosen]


TALK = [
    {"role": "system", "content": "s" * 5},
    user("a" * 10),
    says("b" * 10),
    user("c" * 10),
    says("d" * 30),
    user("e" * 10),
    says("f" * 10),
    user("g" * 10),
]


class TestTurns:
    def test_whole_turns_back_from_the_newest(self) -> None:
        """The first turn that does not fit ends it, though an older one would fit."""
        assert positions(pack(TALK, 60)) == [0, 5, 6, 7]
        assert positions(pack(TALK, 75)) == [0, 3, 4, 5, 6, 7]
        assert positions(pack(TALK, 95)) == list(range(8))

    def test_only_the_newest_turn_is_cut_within(self) -> None:
        """Its question is kept, and its last steps."""
        steps = [message for n in "abcd" for message in (calls(n), result(n, "r" * 6))]
        messages = [user("old"), says("old"), user("task"), *steps]

        packing = pack(messages, 4 + 2 * (6 + 6))

        assert positions(packing) == [2, 7, 8, 9, 10]
        assert packing["5"].reason == "outvalued"

    def test_the_best_set_wins_on_request(self) -> None:
        """`contiguous=False` and a pin elsewhere choose by value instead."""
        values = [0, 9, 9, 1, 1, 1, 1, 0]

        assert positions(pack(TALK, 40, value=values)) == [0, 1, 2, 7]
        assert positions(pack(TALK, 45, pinned="1", contiguous=True)) == [0, 1, 5, 6, 7]

    def test_values_come_as_a_callable_a_list_a_mapping_or_in_the_messages(self) -> None:
        """All four mean the same."""
        values = [0, 9, 9, 1, 1, 1, 1, 0]
        by_content = {message["content"]: value for message, value in zip(TALK, values, strict=True)}
        inside = [{**message, "value": value} for message, value in zip(TALK, values, strict=True)]

        for settings in (
            {"value": values},
            {"value": lambda message: by_content[message["content"]]},
            {"value": {str(at): value for at, value in enumerate(values)}},
        ):
            assert pack(TALK, 40, **settings).value == 18
        assert pack(inside, 40).messages == [TALK[at] for at in (0, 1, 2, 7)]


class TestPins:
    def test_system_the_last_question_and_the_newest_unit_are_pinned(self) -> None:
        """Results of the newest unit included."""
        messages = [*TALK, calls("a"), result("a", "r" * 9)]

        reasons = [decision.reason for decision in pack(messages, 100).decisions]

        assert [at for at, reason in enumerate(reasons) if reason == "pinned"] == [0, 7, 8, 9]

    def test_an_empty_pinned_unpins(self) -> None:
        """The newest message may then be too long, and is left out."""
        packing = pack([user("ab"), says("cd"), user("e" * 50)], 10, pinned=(), contiguous=False)

        assert positions(packing) == [0, 1]
        assert packing["2"].reason == "too_long"

    def test_ids_and_predicates_pin_besides(self) -> None:
        """What is pinned by default stays so."""
        for pinned in (["1"], "1", 1, lambda message: message["content"].startswith("a")):
            assert positions(pack(TALK, 30, pinned=pinned)) == [0, 1, 7]

    def test_keys_of_ours_never_leave(self) -> None:
        """The copy is without them, the original is as it was."""
        messages = [
            {**user("ab"), "pinned": True, "value": 3, "cost": 2},
            user("cd") | {"value": 1, "cost": 2},
        ]
        before = copy.deepcopy(messages)

        packing = pack(messages, 10)

        assert packing.messages == [user("ab"), user("cd")]
        assert packing.selected[0] is messages[0]
        assert messages == before
        assert validate(packing.messages) == ()

    def test_a_pin_that_cannot_be_sent_is_an_error(self) -> None:
        """It names the message and why."""
        with pytest.raises(InputError, match=r"messages\[1\].*pinned, but cannot be sent.*no call is open"):
            pack([user(), {**result("a"), "pinned": True}, user()], 100)

    def test_an_unknown_id_is_an_error(self) -> None:
        """It lists the ids there are."""
        with pytest.raises(InputError, match="pinned='x'"):
            pack(TALK, 100, pinned=["x"])

    def test_a_dropped_cache_mark_is_reported(self) -> None:
        """A provider's breakpoint that went with its message."""
        marked = {
            "role": "user",
            "content": [{"type": "text", "text": "a" * 20, "cache_control": {"type": "ephemeral"}}],
        }

        packing = pack([marked, says("b"), user("c")], 10)

        assert packing.statistics["cache_marks_dropped"] == ["0"]
        assert packing["0"].detail["cache_control"] is True


class TestOverBudget:
    def test_pins_over_the_budget_raise_with_the_numbers(self) -> None:
        """The sum, the budget, the costliest."""
        with pytest.raises(
            OverBudgetError, match=r"need 15 tokens .*only 12 are available.*'7' 10"
        ) as caught:
            pack(TALK, 12)
        assert (caught.value.needed, caught.value.budget) == (15, 12)

    def test_warn_and_allow(self) -> None:
        """The pins stay; the rest gets nothing."""
        with pytest.warns(OverBudgetWarning, match="15 tokens") as warned:
            packing = pack_messages(TALK, 12, counter=len, framing=NO_FRAMING, over_budget="warn")
        assert warned[0].filename == __file__
        assert positions(packing) == [0, 7]
        assert packing.over_budget == 3
        assert positions(pack(TALK, 12, over_budget="allow")) == [0, 7]

    def test_a_system_prompt_larger_than_the_budget_is_over_too(self) -> None:
        """It is never dropped."""
        with pytest.raises(OverBudgetError, match="52 tokens"):
            pack([user("ab")], 20, system="x" * 50)


class TestShorterForms:
    MESSAGES = (user("a"), calls("c"), result("c", "word " * 40), says("b"), user("d"))

    def words(self, text: str) -> int:
        return len(text.split())

    def pack(self, budget: int, elide: Any) -> Any:
        return pack_messages(list(self.MESSAGES), budget, counter=self.words, framing=NO_FRAMING, elide=elide)

    def test_a_long_result_is_shortened_before_its_turn_is_dropped(self) -> None:
        """As much of it as there is room for."""
        assert positions(self.pack(30, None)) == [4]
        packing = self.pack(30, [20, 10])

        assert positions(packing) == [0, 1, 2, 3, 4]
        assert packing.forms["2"] == "elided to 20"
        assert packing.cost == sum(self.words(m["content"] or "look {}") for m in packing.messages)
        assert self.pack(20, [20, 10]).forms["2"] == "elided to 10"
        assert self.pack(60, [20, 10]).forms["2"] == "full"

    def test_the_copy_is_of_the_same_form_and_the_original_untouched(self) -> None:
        """Only the text differs."""
        packing = self.pack(30, 20)

        assert packing.messages[2].keys() == self.MESSAGES[2].keys()
        assert "tokens left out" in packing.messages[2]["content"]
        assert self.MESSAGES[2]["content"] == "word " * 40
        assert packing.selected[2] is self.MESSAGES[2]

    def test_the_best_set_chooses_forms_too(self) -> None:
        """A shorter form is worth half."""
        packing = pack_messages(
            list(self.MESSAGES), 30, counter=self.words, framing=NO_FRAMING, elide=20, value=[1, 1, 8, 1, 1]
        )

        assert packing.forms["2"] == "elided to 20"
        assert packing.value == 1 + 4.5 + 1 + 1
        assert packing.optimal

    def test_a_pinned_result_may_be_shortened_but_no_question(self) -> None:
        """The newest result is what outgrows a window most often."""
        messages = [user("word " * 30), calls("c"), result("c", "word " * 40)]

        packing = pack_messages(messages, 60, counter=self.words, framing=NO_FRAMING, elide=15)

        assert packing.forms == {"0": "full", "1": "full", "2": "elided to 15"}

    @pytest.mark.parametrize("wrong", [0, -5, 1.5, "10", [10, True]])
    def test_sizes_are_checked(self, wrong: Any) -> None:
        """Whole tokens, at least one."""
        with pytest.raises(InputError, match="elide="):
            self.pack(30, wrong)


def agent(steps: int) -> list[Any]:
    done = [message for n in range(steps) for message in (calls(f"c{n}"), result(f"c{n}", "r" * 94))]
    return [user("task"), *done]


class TestBlankTexts:
    """Anthropic refuses a text block without text; models and tools that say nothing leave them behind."""

    CALL: ClassVar[dict[str, Any]] = {
        "role": "assistant",
        "content": [
            {"type": "text", "text": ""},
            {"type": "tool_use", "id": "c1", "name": "look", "input": {}},
        ],
    }
    RESULT: ClassVar[dict[str, Any]] = {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": " \n"}]}
        ],
    }

    def test_a_blank_beside_other_content_is_left_out_of_a_copy(self) -> None:
        """Within tool results too; the original stays as it is, and the ids are reported."""
        messages = [user("a"), self.CALL, self.RESULT]
        before = copy.deepcopy(messages)

        packing = pack(messages, 100)

        assert [len(message["content"]) for message in packing.messages[1:]] == [1, 1]
        assert packing.messages[2]["content"][0]["content"] == []
        assert packing.messages[0] is messages[0]
        assert packing.statistics["repaired"] == ["1", "2"]
        assert len(validate(messages, "anthropic")) == 2
        assert validate(packing.messages, "anthropic") == ()
        assert messages == before

    @pytest.mark.parametrize("content", ["", " ", [], [{"type": "text", "text": "\n"}]])
    def test_a_message_of_nothing_else_is_left_out(self, content: Any) -> None:
        """And reported like all that cannot be sent."""
        messages = [user("a"), {"role": "assistant", "content": content}, user("b")]

        packing = pack(messages, 100, form="anthropic")

        assert positions(packing) == [0, 2]
        assert packing.statistics["orphans"] == ["1"]

    def test_the_repaired_copy_is_found_again(self) -> None:
        """The cache stays warm."""
        messages = [user("a"), self.CALL, self.RESULT]
        first = pack(messages, 100)

        second = pack([*messages, {"role": "assistant", "content": "d"}, user("c")], 100, previous=first)

        assert second.messages[:3] == first.messages
        assert second.statistics["kept"]


class TestWarmCache:
    def test_the_last_selection_is_appended_to_while_it_fits(self) -> None:
        """The list sent before is the beginning of the list sent now."""
        before = pack(agent(3), 1_000)
        now = pack(agent(5), 1_000, previous=before)

        assert now.messages[: len(before.messages)] == before.messages
        assert now.prefix_tokens == before.cost
        assert now.statistics["kept"] is True

    def test_a_full_window_is_cut_once_to_the_target(self) -> None:
        """Then it is appended to again for a while."""
        cuts, packing = [], None
        for step in range(1, 60):
            packing = pack(agent(step), 1_004, previous=packing)
            cuts.append(not packing.statistics["kept"])
            assert packing.cost <= 1_004
            assert not cuts[-1] or step == 1 or packing.cost <= 0.6 * 1_004

        assert 8 <= sum(cuts) <= 14

    @pytest.mark.parametrize("shape", ["packing", "dict", "json", "ids", "pickle"])
    def test_previous_may_be_a_packing_its_dict_or_ids(self, shape: str) -> None:
        """Whatever a program keeps between two calls."""
        before = pack(agent(15), 1_000)
        previous: Any = {
            "packing": before,
            "dict": before.to_dict(),
            "json": json.loads(json.dumps(before.to_dict())),
            "ids": [id for id, _ in before.sent],
            "pickle": pickle.loads(pickle.dumps(before)),
        }[shape]

        now = pack(agent(15), 1_000, previous=previous)

        assert now.messages == before.messages
        assert now.prefix_tokens == before.cost

    def test_the_shortened_list_handed_back_is_recognised(self) -> None:
        """A caller who keeps only what was returned moves every position."""
        before = pack(agent(15), 1_000)
        more = [*before.messages, calls("new"), result("new", "r" * 50)]

        now = pack(more, 1_200, previous=before)

        assert now.messages == more
        assert now.prefix_tokens == before.cost

    def test_another_conversation_is_simply_packed(self) -> None:
        """Nothing in common, nothing kept."""
        packing = pack([user("x"), says("y"), user("z")], 100, previous=pack(agent(4), 1_000))

        assert positions(packing) == [0, 1, 2]
        assert packing.prefix_tokens == 0

    def test_shorter_forms_stay_as_they_were_sent(self) -> None:
        """A fuller form would change the beginning."""
        before = pack(agent(15), 700, elide=60)
        now = pack([*agent(15), says("done"), user("thanks")], 1_400, elide=60, previous=before)

        assert "elided to 60" in before.forms.values()
        assert now.messages[: len(before.messages)] == before.messages

    def test_a_best_set_is_kept_as_well(self) -> None:
        """With a bound that says what keeping it may cost."""
        values = {str(at): 1 + at % 7 for at in range(40)}
        before = pack(agent(12), 1_000, value=values)
        now = pack(agent(13), 1_100, value=values, previous=before)

        assert now.messages[: len(before.messages)] == before.messages
        assert now.bound >= now.value

    @pytest.mark.parametrize("target", [0, -1, 1.5, "half"])
    def test_the_target_is_checked(self, target: Any) -> None:
        """A share."""
        with pytest.raises(InputError, match="target="):
            pack(TALK, 100, target=target)


class TestPacking:
    def test_it_is_a_packing_in_all_its_views(self) -> None:
        """repr, print, explain, html, dict, curve, diff, pickle."""
        packing = pack(TALK, 60)

        assert isinstance(packing, Packing)
        assert "4 of 8" in repr(packing)
        assert packing.explain().count("\n") > 8
        assert "<table>" in packing.to_html()
        assert pickle.loads(pickle.dumps(packing)) == packing
        again = Packing.from_dict(json.loads(json.dumps(packing.to_dict())))
        assert (again.value, again.cost) == (packing.value, packing.cost)
        assert [point.cost for point in packing.curve([20, 60, 95])] == [15, 35, 95]
        assert packing.diff(pack(TALK, 75)).left == ["3", "4"]

    def test_every_message_has_a_reason_with_the_numbers_of_its_unit(self) -> None:
        """All of a unit share their fate."""
        packing = pack([user("ab"), calls("a"), result("a", "r" * 90), user("cd")], 30)

        assert packing["1"].reason == packing["2"].reason == "too_long"
        assert packing["1"].detail["unit"] == ["1", "2"]
        assert (
            str(packing["2"])
            == "2 is out: too long, as its unit of 2 messages needs 96 tokens of a capacity of 30"
        )

    def test_same_input_same_output_and_nothing_mutated(self) -> None:
        """Deterministic, and the caller's data is the caller's."""
        before = copy.deepcopy(TALK)

        assert pack(TALK, 60) == pack(TALK, 60)
        assert before == TALK

    def test_an_empty_conversation_is_an_empty_packing(self) -> None:
        """No messages, no error."""
        assert pack([], 10).messages == []

    def test_an_iterator_is_consumed_once(self) -> None:
        """Any iterable does."""
        assert pack_messages(iter(TALK), 95, counter=len, framing=NO_FRAMING).messages == TALK

    @pytest.mark.parametrize(
        ("settings", "match"),
        [
            ({"over_budget": "ignore"}, "over_budget"),
            ({"value": [1, 2]}, "2 numbers for 8 messages"),
            ({"value": {"1": 2}}, "value is missing"),
            ({"value": lambda message: float("nan")}, "NaN"),
            ({"previous": 7}, "previous=7"),
            ({"counter": 7}, "a counter is a name or a function.*found int"),
        ],
    )
    def test_wrong_settings_are_named(self, settings: dict[str, Any], match: str) -> None:
        """The fact, and what was found."""
        with pytest.raises(InputError, match=match):
            pack_messages(TALK, 100, **{"counter": len, "framing": NO_FRAMING, **settings})

    def test_a_single_message_is_no_list(self) -> None:
        """A common slip."""
        with pytest.raises(InputError, match="pass a list of messages"):
            pack_messages({"role": "user", "content": "x"}, 10, counter=len)
