"""A Pydantic AI agent whose history is kept within a budget.

python examples/pydantic_ai_history.py        # needs haversack[pydantic-ai]

No network: the model is a function.
"""

from __future__ import annotations

from typing import Any

from pydantic_ai import Agent
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from haversack.integrations.pydantic_ai import HistoryPacking

SENT: list[int] = []


def model(messages: list[ModelMessage], info: Any) -> ModelResponse:
    """Read ten pages, then answer."""
    SENT.append(len(messages))
    if len(SENT) <= 10:
        return ModelResponse(parts=[ToolCallPart("read", {"page": len(SENT)}, tool_call_id=f"c{len(SENT)}")])
    return ModelResponse(parts=[TextPart("Ten pages of lines.")])


def main() -> None:
    """Run the agent and print how many messages each request held."""
    packing = HistoryPacking(300, counter=lambda text: len(text.split()))
    agent = Agent(FunctionModel(model), system_prompt="Be brief.", capabilities=[ProcessHistory(packing)])

    @agent.tool_plain
    def read(page: int) -> str:
        return "line " * 60

    print(agent.run_sync("Read the report.").output)
    print("messages sent:", SENT)
    print(packing.packing)


if __name__ == "__main__":
    main()
