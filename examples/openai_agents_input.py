"""An OpenAI Agents SDK run in which every model call is sent what fits.

python examples/openai_agents_input.py        # needs haversack[openai-agents]

No network: the model is scripted.
"""

from __future__ import annotations

import asyncio
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from haversack.integrations.openai_agents import InputPacking


class Scripted(Model):
    """Read ten pages, then answer."""

    def __init__(self) -> None:
        self.sent: list[int] = []

    async def get_response(self, *args: Any, **given: Any) -> ModelResponse:
        """Note how many items came, and answer."""
        self.sent.append(len(given["input"]))
        number = len(self.sent)
        if number <= 10:
            arguments = f'{{"page": {number}}}'
            call = ResponseFunctionToolCall(
                type="function_call", call_id=f"c{number}", name="read", arguments=arguments
            )
            return ModelResponse(output=[call], usage=Usage(), response_id=None)
        text = ResponseOutputText(type="output_text", text="Ten pages of lines.", annotations=[])
        answer = ResponseOutputMessage(
            id="answer", type="message", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[answer], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **given: Any) -> Any:
        """The base class asks for it; `Runner.run` never calls it."""
        raise NotImplementedError("this scripted model answers whole, and does not stream")


@function_tool
def read(page: int) -> str:
    """Read a page."""
    return "line " * 60


def main() -> None:
    """Run the agent and print how many items each request held."""
    model = Scripted()
    packing = InputPacking(300, counter=lambda text: len(text.split()))
    agent = Agent(name="reader", instructions="Be brief.", model=model, tools=[read])
    config = RunConfig(call_model_input_filter=packing, tracing_disabled=True)
    result = asyncio.run(Runner.run(agent, "Read the report.", run_config=config, max_turns=20))
    print(result.final_output)
    print("items sent:", model.sent)
    print(packing.packing)


if __name__ == "__main__":
    main()
