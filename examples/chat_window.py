"""An agent whose conversation outgrows its window: what is sent stays valid, and begins alike.

    python examples/chat_window.py

Every step makes a call and gets a long result. Words are counted here; name a counter for real tokens.
"""

from __future__ import annotations

from typing import Any

from haversack.chat import pack_messages, validate

WINDOW = 1_000


def words(text: str) -> int:
    """Count words; a tokenizer in real life."""
    return len(text.split())


def step(number: int) -> list[dict[str, Any]]:
    """What one step adds: a call and its result."""
    call = {
        "id": f"c{number}",
        "type": "function",
        "function": {"name": "read", "arguments": f'{{"page": {number}}}'},
    }
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": "line " * (60 + 37 * number % 80)},
    ]


def main() -> None:
    """Run the agent and print what each request would reuse of the provider's cache."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You read reports and answer briefly."},
        {"role": "user", "content": "Read the report and summarise it."},
    ]
    packing = None
    for number in range(30):
        messages += step(number)
        packing = pack_messages(messages, WINDOW, counter=words, reserve=100, previous=packing)
        assert validate(packing.messages, open_call="refused") == ()
        action = "kept" if packing.statistics["kept"] else "cut" if number else "new"
        print(
            f"step {number + 1:2}: {len(packing.messages):2} of {len(messages):2} messages, "
            f"{packing.cost + packing.frame:3} tokens, {packing.prefix_tokens:3} cached, {action}"
        )
    assert packing is not None
    print()
    print(packing["2"])
    print(packing["61"])


if __name__ == "__main__":
    main()
