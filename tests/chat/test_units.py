"""Units: a call and all its results, reasoning with what it led to; and what can never be sent."""

from __future__ import annotations

from typing import Any

from haversack.chat import pack_messages, validate
from haversack.chat._read import read
from haversack.chat._units import build_units


def user(text: str = "ask") -> dict[str, Any]:
    return {"role": "user", "content": text}


def says(text: str = "answer") -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def calls(*ids: str) -> dict[str, Any]:
    made = [{"id": id, "type": "function", "function": {"name": "look", "arguments": "{}"}} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(id: str, text: str = "seen") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": text}


def units_of(messages: list[Any], form: str | None = None) -> list[list[int]]:
    return [[m.position for m in unit.messages] for unit in build_units(read(messages, form=form))]


def broken_in(messages: list[Any], form: str | None = None) -> dict[int, str]:
    units = build_units(read(messages, form=form))
    return {m.position: unit.broken for unit in units for m in unit.messages if unit.broken}


class TestCallsAndResults:
    def test_parallel_calls_and_all_their_results_are_one_unit(self) -> None:
        """In whatever order the results come."""
        assert units_of([user(), calls("a", "b"), result("b"), result("a"), says()]) == [[0], [1, 2, 3], [4]]

    def test_a_reused_id_belongs_to_the_nearest_call_without_a_result(self) -> None:
        """Two turns, one id: two units."""
        messages = [calls("a"), result("a"), user(), calls("a"), result("a"), user()]

        assert units_of(messages) == [[0, 1], [2], [3, 4], [5]]

    def test_a_result_too_many_is_an_orphan(self) -> None:
        """Each call has one result."""
        broken = broken_in([user(), calls("a"), result("a"), result("a"), user()])

        assert list(broken) == [3]
        assert "no call is open for it" in broken[3]

    def test_a_call_without_result_may_stand_at_the_end_only(self) -> None:
        """There it is being carried out; elsewhere the conversation went on without it."""
        assert broken_in([user(), calls("a")]) == {}
        assert list(broken_in([user(), calls("a"), user()])) == [1]

    def test_a_missing_result_takes_its_siblings_along(self) -> None:
        """The unit as a whole cannot be sent."""
        assert list(broken_in([user(), calls("a", "b"), result("a"), user()])) == [1, 2]

    def test_a_late_result_moves_up_to_its_call(self) -> None:
        """OpenAI chat wants it there; nothing is lost, and the move is reported."""
        messages = [user("first"), calls("a"), user("hurry"), result("a"), user("well?")]

        packing = pack_messages(messages, 100, counter=len, framing=None)

        assert packing.messages == [messages[0], messages[1], messages[3], messages[2], messages[4]]
        assert packing.selected == messages
        assert packing.statistics["moved"] == ["3"]
        assert validate(packing.messages) == ()

    def test_a_late_output_stays_where_it_is_in_responses(self) -> None:
        """There an output may come anywhere behind its call."""
        items = [
            user(),
            {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
            user("hurry"),
            {"type": "function_call_output", "call_id": "a", "output": "x"},
        ]

        packing = pack_messages(items, 100, counter=len)

        assert packing.messages == items
        assert units_of(items) == [[0], [1, 3], [2]]

    def test_several_results_in_one_message_join_their_calls(self) -> None:
        """Anthropic's way: one user message answers all calls of the turn."""
        uses = [{"type": "tool_use", "id": id, "name": "f", "input": {}} for id in "ab"]
        results = [{"type": "tool_result", "tool_use_id": id, "content": "x"} for id in "ba"]
        messages = [
            user(),
            {"role": "assistant", "content": uses},
            {"role": "user", "content": results},
            user(),
        ]

        assert units_of(messages) == [[0], [1, 2], [3]]

    def test_results_of_two_calls_far_apart_are_tangled_beyond_sending(self) -> None:
        """No order of these messages would be accepted: they are left out with that reason."""
        first, second = ({"type": "tool_use", "id": id, "name": "f", "input": {}} for id in "ab")
        answers = [{"type": "tool_result", "tool_use_id": id, "content": "x"} for id in "ab"]
        messages = [
            user(),
            {"role": "assistant", "content": [first]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "zz", "content": "x"}]},
            {"role": "assistant", "content": [second]},
            {"role": "user", "content": [answers[1]]},
            user(),
        ]

        assert list(broken_in(messages)) == [1, 2]
        assert validate(pack_messages(messages, 1_000, counter=len).messages) == ()

    def test_gemini_functions_are_matched_by_id_or_by_name_in_order(self) -> None:
        """A response without an id answers the first open call of that name in the nearest content."""

        def call(name: str, id: str | None = None) -> dict[str, Any]:
            return {"functionCall": {"name": name, "args": {}, **({"id": id} if id else {})}}

        def response(name: str, id: str | None = None) -> dict[str, Any]:
            return {"function_response": {"name": name, "response": {}, **({"id": id} if id else {})}}

        contents = [
            {"role": "user", "parts": [{"text": "x"}]},
            {"role": "model", "parts": [call("f"), call("f"), call("g", "1")]},
            {"role": "user", "parts": [response("f"), response("g", "1"), response("f")]},
            {"role": "model", "parts": [call("f")]},
            {"role": "user", "parts": [response("f", "made up")]},
        ]

        assert units_of(contents) == [[0], [1, 2], [3, 4]]
        assert broken_in(contents) == {}

    def test_older_function_messages_are_matched_by_name(self) -> None:
        """`function_call` and role `function` have no ids."""
        old = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
        messages = [user(), old, {"role": "function", "name": "f", "content": "x"}, user()]

        assert units_of(messages) == [[0], [1, 2], [3]]


class TestReasoning:
    def test_a_reasoning_item_stays_with_what_it_led_to(self) -> None:
        """Calls of the same answer and their outputs included."""
        items = [
            user(),
            {"type": "reasoning", "id": "r", "summary": []},
            {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "x"},
            {"type": "reasoning", "id": "r2", "summary": []},
            {"type": "message", "role": "assistant", "content": "done"},
            user(),
        ]

        assert units_of(items) == [[0], [1, 2, 3], [4, 5], [6]]

    def test_reasoning_that_led_to_nothing_cannot_be_sent(self) -> None:
        """'was provided without its required following item'."""
        items = [user(), {"type": "reasoning", "id": "r", "summary": []}, user()]

        assert list(broken_in(items)) == [1]

    def test_thinking_blocks_in_a_message_of_their_own_stay_with_their_call(self) -> None:
        """Anthropic joins the two into one turn."""
        thinks = {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}]}
        use = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}
        answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}

        assert units_of([user(), thinks, use, answer, user()]) == [[0], [1, 2, 3], [4]]

    def test_a_tool_that_ran_at_the_provider_is_answered_within_its_message(self) -> None:
        """Nothing is open, nothing an orphan."""
        content = [
            {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
            {"type": "text", "text": "found"},
        ]
        messages = [user(), {"role": "assistant", "content": content}, user()]

        assert broken_in(messages) == {}
        assert validate(messages) == ()

    def test_answers_that_no_reasoning_binds_are_units_of_their_own(self) -> None:
        """Two assistant messages in a row."""
        assert units_of([user(), says(), says(), user()]) == [[0], [1], [2], [3]]


class TestTurns:
    def test_user_messages_in_a_row_open_one_turn(self) -> None:
        """A turn is everything up to the next question."""
        units = build_units(read([user(), user(), calls("a"), result("a"), says(), user(), says()]))

        assert [unit.turn for unit in units] == [1, 1, 1, 1, 2, 2]

    def test_what_stands_before_the_first_question_is_turn_0(self) -> None:
        """A greeting."""
        units = build_units(read([says(), user(), says()]))

        assert [unit.turn for unit in units] == [0, 1, 1]

    def test_a_system_message_within_an_anthropic_conversation_stays_behind_its_user_turn(self) -> None:
        """It may stand nowhere else."""
        messages = [user(), {"role": "system", "content": "From now on: rhymes."}, says(), user()]

        assert units_of(messages, "anthropic") == [[0, 1], [2], [3]]
