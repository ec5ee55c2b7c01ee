"""The agent middleware, in a real LangChain agent with a scripted model."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("langchain", reason="the extra 'langchain' is not installed")

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.tools import tool

from haversack.chat import validate
from haversack.integrations.langchain import read_message
from haversack.integrations.langchain_agents import ContextPacking


class Scripted(GenericFakeChatModel):
    """Notes what it is sent, and answers with the next message of its script."""

    sent: list[list[BaseMessage]] = []  # noqa: RUF012 - a pydantic field

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Any:
        self.sent.append(list(messages))
        return super()._generate(messages, *args, **kwargs)


@tool
def look(at: str) -> str:
    """Look at something."""
    return "seen " * 40


def run(budget: int, steps: int) -> tuple[Scripted, ContextPacking, dict[str, Any]]:
    calls = [
        AIMessage("", tool_calls=[{"id": f"c{n}", "name": "look", "args": {"at": str(n)}}])
        for n in range(steps)
    ]
    model = Scripted(messages=iter([*calls, AIMessage("done")]))
    model.sent = []
    packing = ContextPacking(budget, counter=lambda text: len(text.split()))
    agent = create_agent(model, [look], system_prompt="Be brief.", middleware=[packing])
    return model, packing, agent.invoke({"messages": [HumanMessage("Look around")]})


@pytest.mark.filterwarnings("ignore")
def test_an_agent_sends_what_fits_and_keeps_everything() -> None:
    """Every request is valid and within the budget; the agent's state loses nothing."""
    model, packing, state = run(budget=300, steps=12)

    assert len(state["messages"]) == 2 + 2 * 12
    assert packing.packing is not None
    assert packing.packing.cost + packing.packing.frame <= 300
    assert len(model.sent) == 13
    for sent in model.sent:
        read = [{k: v for k, v in read_message(message).items() if k != "id"} for message in sent]
        assert validate(read, "openai", open_call="refused") == ()
        assert sent[1].content == "Look around"


@pytest.mark.filterwarnings("ignore")
def test_an_agents_requests_begin_alike_most_of_the_time() -> None:
    """The selection is appended to, and cut once in a while: the prompt cache stays warm."""
    model, _, _ = run(budget=500, steps=30)

    kept = sum(later[: len(sent)] == sent for sent, later in zip(model.sent, model.sent[1:], strict=False))

    assert kept >= 20
