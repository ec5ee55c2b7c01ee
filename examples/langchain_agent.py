"""A LangChain agent whose requests stay within a budget, and documents packed for one of them.

python examples/langchain_agent.py       # needs haversack[langchain]; no network, the model is scripted
"""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool

from haversack.integrations.langchain import PackingCompressor
from haversack.integrations.langchain_agents import ContextPacking


class Scripted(GenericFakeChatModel):
    """Answers with the next message of its script."""

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        """Take tools like a real model."""
        return self


@tool
def read(page: int) -> str:
    """Read a page."""
    return f"page {page}: " + "a line of text, " * 30


def words(text: str) -> int:
    """Stands for a tokenizer, so that the example needs none; name a real one: "o200k_base"."""
    return len(text.split())


def main() -> None:
    """Run twenty steps in a window of 600 words, then pack documents."""
    calls = [
        AIMessage("", tool_calls=[{"id": f"c{page}", "name": "read", "args": {"page": page}}])
        for page in range(20)
    ]
    model = Scripted(messages=iter([*calls, AIMessage("Twenty pages of lines.")]))
    packing = ContextPacking(600, counter=words)
    agent = create_agent(model, [read], system_prompt="Be brief.", middleware=[packing])
    state = agent.invoke({"messages": [HumanMessage("Read all twenty pages.")]})
    print(state["messages"][-1].content)
    print(f"{len(state['messages'])} messages in the agent's state; the last request: {packing.packing!r}")

    documents = [Document(f"{kind}. " + "More of it. " * size) for kind, size in (("Tea", 9), ("Rain", 2))]
    compressor = PackingCompressor(budget=12, counter=words)
    kept = compressor.compress_documents(documents, "What is there to drink?")
    print([document.page_content.split(".")[0] for document in kept], repr(compressor.packing))


if __name__ == "__main__":
    main()
