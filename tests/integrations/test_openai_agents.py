"""The input filter, in a real run of the OpenAI Agents SDK with a scripted model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("agents", reason="the extra 'openai-agents' is not installed")

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from haversack.chat import validate
from haversack.integrations.openai_agents import InputPacking


class Scripted(Model):
    """Calls the tool some times, then answers; notes what it is sent."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.sent: list[Any] = []

    async def get_response(self, *args: Any, **given: Any) -> ModelResponse:
        self.sent.append(list(given["input"]))
        number = len(self.sent)
        output: Any
        if number <= self.steps:
            output = ResponseFunctionToolCall(
                type="function_call",
                call_id=f"c{number}",
                name="look",
                arguments='{"at": "x"}',
                id=f"fc_{number}",
            )
        else:
            text = ResponseOutputText(type="output_text", text="done", annotations=[])
            output = ResponseOutputMessage(
                id="msg_1", type="message", role="assistant", status="completed", content=[text]
            )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("this scripted model answers whole, and does not stream")


@function_tool
def look(at: str) -> str:
    """Look at something."""
    return "seen " * 40


def test_a_run_sends_what_fits() -> None:
    """Every request is valid and within the budget; most begin like the one before."""
    model = Scripted(steps=12)
    packing = InputPacking(300, counter=lambda text: len(text.split()))
    agent = Agent(name="looker", instructions="Be brief.", model=model, tools=[look])
    config = RunConfig(call_model_input_filter=packing, tracing_disabled=True)

    result = asyncio.run(Runner.run(agent, "Look around", run_config=config, max_turns=20))

    assert result.final_output == "done"
    assert len(model.sent) == 13
    assert packing.packing is not None
    assert packing.packing.cost + packing.packing.frame <= 300
    for sent in model.sent:
        assert validate(sent, "responses", open_call="refused") == ()
    kept = sum(later[: len(sent)] == sent for sent, later in zip(model.sent, model.sent[1:], strict=False))
    assert kept >= 8
