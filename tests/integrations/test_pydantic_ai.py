"""The history processor, in a real Pydantic AI agent with a scripted model."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'pydantic-ai' is not installed")

from pydantic_ai import Agent
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel

from haversack.chat import validate
from haversack.integrations.pydantic_ai import HistoryPacking, read_message


def words(text: str) -> int:
    return len(text.split())


def problems(messages: list[ModelMessage]) -> list[str]:
    read = [{k: v for k, v in read_message(m).items() if k != "pinned"} for m in messages]
    return [str(violation) for violation in validate(read, "anthropic")]


def test_an_agent_sends_what_fits() -> None:
    """Every request is valid and holds the system prompt."""
    sent: list[list[ModelMessage]] = []

    def model(messages: list[ModelMessage], info: Any) -> ModelResponse:
        sent.append(list(messages))
        number = len(sent)
        if number <= 12:
            return ModelResponse(parts=[ToolCallPart("look", {"at": "x"}, tool_call_id=f"c{number}")])
        return ModelResponse(parts=[TextPart("done")])

    packing = HistoryPacking(300, counter=words)
    agent = Agent(FunctionModel(model), system_prompt="Be brief.", capabilities=[ProcessHistory(packing)])

    @agent.tool_plain
    def look(at: str) -> str:
        return "seen " * 40

    result = agent.run_sync("Look around")

    assert result.output == "done"
    assert len(sent) == 13
    assert packing.packing is not None
    assert packing.packing.cost + packing.packing.frame <= 300
    for messages in sent:
        assert problems(messages) == []
        assert any(isinstance(part, SystemPromptPart) for part in messages[0].parts)


def history(turns: int) -> list[ModelMessage]:
    messages: list[ModelMessage] = [
        ModelRequest(parts=[SystemPromptPart("Be brief."), UserPromptPart("Hello")])
    ]
    messages.append(ModelResponse(parts=[TextPart("Hello.")]))
    for turn in range(turns):
        messages.append(ModelRequest(parts=[UserPromptPart("question " * 5)]))
        messages.append(ModelResponse(parts=[ToolCallPart("look", '{"at": 1}', tool_call_id=f"c{turn}")]))
        messages.append(ModelRequest(parts=[ToolReturnPart("look", "seen " * 30, tool_call_id=f"c{turn}")]))
        messages.append(ModelResponse(parts=[TextPart("answer " * 5)]))
    return [*messages, ModelRequest(parts=[UserPromptPart("And now?")])]


def test_messages_come_back_as_the_same_objects() -> None:
    """Nothing is converted back and forth."""
    messages = history(4)

    kept = HistoryPacking(160, counter=words)(messages)

    assert len(kept) < len(messages)
    assert all(any(one is other for other in messages) for one in kept)
    assert kept[0] is messages[0]
    assert problems(kept) == []


def test_long_results_are_shortened_before_they_are_dropped() -> None:
    """`elide` makes copies; the originals are as they were."""
    messages = history(3)

    kept = HistoryPacking(220, counter=words, elide=12)(messages)

    returns = [part for message in kept for part in message.parts if isinstance(part, ToolReturnPart)]
    assert any("left out" in str(part.content) for part in returns)
    assert messages[4].parts[0].content == "seen " * 30  # type: ignore[union-attr]
    assert problems(kept) == []
