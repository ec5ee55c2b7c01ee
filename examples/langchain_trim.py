"""LangChain's `trim_messages`, with a result that every provider accepts.

python examples/langchain_trim.py        # needs haversack[langchain]
"""

from __future__ import annotations

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages import trim_messages as langchains_own

from haversack.integrations.langchain import trim_messages

HISTORY = [
    SystemMessage("Be brief."),
    HumanMessage("What is in the garden?"),
    AIMessage("", tool_calls=[{"id": "c1", "name": "look", "args": {"at": "garden"}}]),
    ToolMessage("A pond, two apple trees, and a cat that sleeps under one of them.", tool_call_id="c1"),
    AIMessage("A pond, two apple trees and a cat."),
    HumanMessage("What colour is the cat?"),
]


def main() -> None:
    """Trim with both and compare."""
    for name, function in (("langchain-core", langchains_own), ("haversack", trim_messages)):
        kept = function(HISTORY, max_tokens=65, token_counter="approximate", include_system=True)
        print(f"{name:15}{[message.type for message in kept]}")
    trimmed = trim_messages(HISTORY, max_tokens=65, token_counter="approximate", include_system=True)
    print(trimmed.packing["3"])


if __name__ == "__main__":
    main()
