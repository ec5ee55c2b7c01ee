"""Forms are recognised, never guessed; SDK objects read like dicts and come back as themselves."""

from __future__ import annotations

from typing import Any

import pytest

from haversack import InputError, InputTypeError
from haversack.chat import pack_messages, recognise, validate

from .conversations import words, words_in

USER = {"role": "user", "content": "hello"}
PLAIN = [USER, {"role": "assistant", "content": "hello"}]


class TestRecognise:
    @pytest.mark.parametrize(
        ("message", "form"),
        [
            ({"role": "system", "content": "x"}, "openai"),
            ({"role": "tool", "tool_call_id": "c", "content": "x"}, "openai"),
            (
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "c", "function": {"name": "f"}}],
                },
                "openai",
            ),
            ({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}, "openai"),
            ({"role": "developer", "content": [{"type": "input_text", "text": "x"}]}, "responses"),
            ({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, "responses"),
            ({"type": "reasoning", "summary": []}, "responses"),
            ({"type": "message", "role": "user", "content": "x"}, "responses"),
            ({"type": "item_reference", "id": "rs_1"}, "responses"),
            (
                {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
                "anthropic",
            ),
            ({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]}, "anthropic"),
            (
                {"role": "user", "content": [{"type": "text", "text": "x", "cache_control": {"type": "e"}}]},
                "anthropic",
            ),
            ({"role": "user", "parts": [{"text": "x"}]}, "gemini"),
            ({"parts": [{"text": "x"}]}, "gemini"),
        ],
    )
    def test_one_telling_message_settles_the_form(self, message: dict[str, Any], form: str) -> None:
        """Wherever it stands among plain ones (Gemini has no plain ones)."""
        assert recognise([message]) == form
        if form != "gemini":
            assert recognise([message, *PLAIN]) == form

    def test_a_plain_list_is_openai_chat_unless_the_system_prompt_stands_beside_it(self) -> None:
        """The two forms read the same; a separate system prompt is Anthropic's habit."""
        assert recognise(PLAIN) == "openai"
        assert recognise(PLAIN, system="Be brief.") == "anthropic"

    def test_the_caller_may_name_the_form(self) -> None:
        """`form=` overrides, and is checked."""
        assert recognise(PLAIN, form="anthropic") == "anthropic"
        with pytest.raises(InputError, match="'openai', 'responses', 'anthropic', 'gemini'"):
            recognise(PLAIN, form="claude")

    def test_an_unknown_form_says_what_was_looked_for_and_found(self) -> None:
        """No silent guess."""
        with pytest.raises(
            InputError, match=r"messages\[1\] is in no known form .*type 'human'.*Looked for: OpenAI chat"
        ):
            recognise([USER, {"type": "human", "content": "x"}])

    def test_mixed_forms_say_which_message_speaks_against_which(self) -> None:
        """Every form is named with the message that ruled it out."""
        with pytest.raises(
            InputError, match=r"not OpenAI chat: messages\[1\] has parts.*not Gemini.*messages\[0\]"
        ):
            recognise([USER, {"role": "user", "parts": []}])

    def test_something_that_is_no_message_is_named(self) -> None:
        """With its position and type."""
        with pytest.raises(InputTypeError, match=r"messages\[1\] is a int"):
            recognise([USER, 7])

    def test_a_role_nobody_knows_is_named(self) -> None:
        """With the roles there are."""
        with pytest.raises(InputError, match="robot"):
            validate([{"role": "robot", "content": "x"}])
        with pytest.raises(InputError, match="pass the system prompt as system="):
            validate([{"role": "system", "content": "x"}], "anthropic")


def openai_objects() -> list[Any]:
    chat = pytest.importorskip("openai.types.chat", reason="openai is not installed")
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q": "w"}'}}
    answer = chat.ChatCompletionMessage.model_validate(
        {"role": "assistant", "content": None, "tool_calls": [call]}
    )
    return [USER, answer, {"role": "tool", "tool_call_id": "c1", "content": "w w"}, USER]


def responses_objects() -> list[Any]:
    types = pytest.importorskip("openai.types.responses", reason="openai is not installed")
    text = {"type": "output_text", "text": "w w w", "annotations": []}
    return [
        USER,
        types.ResponseReasoningItem.model_validate({"id": "rs_1", "type": "reasoning", "summary": []}),
        types.ResponseFunctionToolCall.model_validate(
            {
                "type": "function_call",
                "call_id": "c1",
                "name": "look",
                "arguments": '{"q": "w"}',
                "id": "fc_1",
            }
        ),
        {"type": "function_call_output", "call_id": "c1", "output": "w w"},
        types.ResponseOutputMessage.model_validate(
            {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [text]}
        ),
        USER,
    ]


def anthropic_objects() -> list[Any]:
    types = pytest.importorskip("anthropic.types", reason="anthropic is not installed")
    blocks = [
        types.ThinkingBlock(type="thinking", thinking="w", signature="s"),
        types.TextBlock(type="text", text="w w"),
        types.ToolUseBlock(type="tool_use", id="t1", name="look", input={"q": "w"}),
    ]
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "w w"}]}
    return [USER, {"role": "assistant", "content": blocks}, {"role": "user", "content": [result]}, USER]


def gemini_objects() -> list[Any]:
    types = pytest.importorskip("google.genai.types", reason="google-genai is not installed")
    call = types.FunctionCall(name="look", args={"q": "w"})
    response = types.FunctionResponse(name="look", response={"result": "w w"})
    return [
        types.Content(role="user", parts=[types.Part(text="hi")]),
        types.Content(role="model", parts=[types.Part(function_call=call, thought_signature=b"x")]),
        types.Content(role="user", parts=[types.Part(function_response=response)]),
        types.Content(role="user", parts=[types.Part(text="w w w w")]),
    ]


class TestSdkObjects:
    @pytest.mark.parametrize(
        ("form", "make"),
        [
            ("openai", openai_objects),
            ("responses", responses_objects),
            ("anthropic", anthropic_objects),
            ("gemini", gemini_objects),
        ],
    )
    def test_they_are_read_like_dicts_and_returned_as_themselves(self, form: str, make: Any) -> None:
        """Recognised, counted to the last word, valid, and the very same objects."""
        messages = make()

        packing = pack_messages(messages, 1_000, counter=words)

        assert packing.statistics["form"] == form
        assert all(one is other for one, other in zip(packing.messages, messages, strict=True))
        assert validate(packing.messages) == ()
        assert words_in({"all": [_plain(m) for m in messages]}) == sum(words(t) for t in _texts(packing))

    def test_a_call_and_its_result_stay_together(self) -> None:
        """The call is read out of the object."""
        packing = pack_messages(openai_objects(), 12, counter=words)

        assert [decision.chosen for decision in packing.decisions] == [False, False, False, True]
        assert packing["1"].detail["unit"] == ["1", "2"]


def _plain(message: Any) -> Any:
    if hasattr(message, "model_dump"):
        return message.model_dump(mode="json", exclude_none=True)
    content = message.get("content")
    if isinstance(content, list):
        return {
            **message,
            "content": [_plain(block) if hasattr(block, "model_dump") else block for block in content],
        }
    return message


def _texts(packing: Any) -> list[str]:
    from haversack.chat._read import read

    return [text for message in read(packing.messages).messages for text in (*message.texts, *message.words)]
