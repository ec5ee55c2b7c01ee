"""What a long conversation costs: tokens billed by a simulated agent, and the time to trim a long transcript.

    python -m benchmarks.chat            # needs langchain-core for the comparison; about half a minute

**The agent.** 400 steps of a call and its result in a window with 112,000 tokens of room. A provider bills
what it has not cached in full, and the unchanged beginning of the last request at a tenth. Compared are a
sliding cut (drop the oldest units while the list is too long), LangChain's `trim_messages`, and
`pack_messages(previous=)`.

**The transcript.** 2,000 messages trimmed to 32,000 tokens, the same counter for all, best of several rounds.
Validity is judged by `haversack.chat.validate`.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from haversack.chat import pack_messages, validate

STEPS = 400
ROOM = 112_000
CACHED = 0.1
TRIMMED_TO = 32_000


def agent_steps(seed: int = 1) -> Iterator[list[dict[str, Any]]]:
    """Yield the messages that each step adds, with their cost: mostly short results, some long ones."""
    draw = random.Random(seed)
    yield [
        {"role": "system", "content": "", "cost": 2_000},
        {"role": "user", "content": "", "cost": 400},
    ]
    for step in range(STEPS):
        call = {"id": f"c{step}", "type": "function", "function": {"name": "run", "arguments": "{}"}}
        yield [
            {"role": "assistant", "content": None, "tool_calls": [call], "cost": draw.randint(60, 300)},
            {
                "role": "tool",
                "tool_call_id": f"c{step}",
                "content": "",
                "cost": int(draw.lognormvariate(6.3, 0.9)),
            },
        ]


Cut = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]


def billed(cut: Cut) -> tuple[float, int]:
    """Tokens billed over all steps, the cached ones at a tenth, and how many requests were invalid."""
    history: list[dict[str, Any]] = []
    before: list[dict[str, Any]] = []
    total, invalid = 0.0, 0
    for added in agent_steps():
        history += added
        sent = cut(history)
        same = 0
        while same < min(len(sent), len(before)) and sent[same] is before[same]:
            same += 1
        cached = sum(message["cost"] for message in sent[:same])
        total += CACHED * cached + sum(message["cost"] for message in sent[same:])
        plain = [{key: value for key, value in message.items() if key != "cost"} for message in sent]
        invalid += bool(validate(plain, "openai", open_call="refused"))
        before = sent
    return total, invalid


def sliding(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop the oldest call and result behind the task while the list is too long."""
    total, first = sum(message["cost"] for message in history), 2
    while total > ROOM:
        total -= history[first]["cost"] + history[first + 1]["cost"]
        first += 2
    return history[:2] + history[first:]


def trimming() -> Cut:
    """LangChain's trim_messages as its documentation recommends it for agents."""
    from langchain_core.messages import (
        AIMessage,
        BaseMessage,
        HumanMessage,
        SystemMessage,
        ToolMessage,
        trim_messages,
    )

    made: dict[int, BaseMessage] = {}
    origin: dict[int, dict[str, Any]] = {}

    def converted(message: dict[str, Any]) -> BaseMessage:
        if id(message) not in made:
            kwargs = {"additional_kwargs": {"cost": message["cost"]}}
            if message["role"] == "tool":
                found: BaseMessage = ToolMessage("", tool_call_id=message["tool_call_id"], **kwargs)
            elif message["role"] == "assistant":
                call = {"id": message["tool_calls"][0]["id"], "name": "run", "args": {}}
                found = AIMessage("", tool_calls=[call], **kwargs)
            else:
                found = (SystemMessage if message["role"] == "system" else HumanMessage)("", **kwargs)
            made[id(message)], origin[id(found)] = found, message
        return made[id(message)]

    def cut(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
        kept = trim_messages(
            [converted(message) for message in history],
            max_tokens=ROOM,
            token_counter=lambda messages: sum(m.additional_kwargs["cost"] for m in messages),
            strategy="last",
            include_system=True,
            start_on=("human", "ai"),
        )
        return [origin[id(message)] for message in kept]

    return cut


def packing() -> Cut:
    """`pack_messages`, each time with the last packing as `previous`."""
    last: list[Any] = [None]

    def cut(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
        last[0] = pack_messages(history, ROOM, previous=last[0])
        return [history[int(name)] for name, _ in last[0].sent]

    return cut


def transcript(seed: int = 2, size: int = 2_000) -> list[dict[str, Any]]:
    """A support agent's transcript: questions, calls (one in three parallel), results, answers."""
    draw = random.Random(seed)
    messages: list[dict[str, Any]] = [{"role": "system", "content": "Be helpful. " * 60}]
    while len(messages) < size - 1:
        messages.append({"role": "user", "content": "question " * draw.randint(5, 60)})
        for _ in range(draw.randint(1, 12)):
            ids = [f"c{len(messages)}_{number}" for number in range(draw.choice([1, 1, 2]))]
            arguments = json.dumps({"path": "some/where " * draw.randint(1, 12)})
            calls = [
                {"id": name, "type": "function", "function": {"name": "run", "arguments": arguments}}
                for name in ids
            ]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            messages += [
                {"role": "tool", "tool_call_id": name, "content": "result " * draw.randint(10, 250)}
                for name in ids
            ]
        messages.append({"role": "assistant", "content": "answer " * draw.randint(10, 90)})
    return [*messages, {"role": "user", "content": "And now?"}]


def counting(name: str) -> Callable[[str], int]:
    """The counter for the transcript: one of haversack.counters by name, or four characters a token."""
    if name == "characters":
        return lambda text: (len(text) + 3) // 4
    from haversack.counters import resolve

    found: Callable[[str], int] = resolve(name)
    return found


def spent(message: dict[str, Any], count: Callable[[str], int]) -> int:
    """Tokens of one message, for both sides: content, names and arguments, and 3 for the message."""
    calls = message.get("tool_calls") or ()
    body = "".join(call["function"]["name"] + call["function"]["arguments"] for call in calls)
    return 3 + count(message["content"] or "") + (count(body) if body else 0)


def spent_there(message: Any, count: Callable[[str], int]) -> int:
    """The same of a LangChain message."""
    calls = getattr(message, "tool_calls", ())
    body = "".join(call["name"] + json.dumps(call["args"]) for call in calls)
    return 3 + count(message.content) + (count(body) if body else 0)


def trim_times(count: Callable[[str], int], rounds: int) -> list[tuple[str, float, int, int, int]]:
    """(name, milliseconds, messages kept, tokens kept, violations) of each way to trim the transcript."""
    from langchain_core.messages import BaseMessage, convert_to_messages, trim_messages
    from langchain_core.messages import convert_to_openai_messages as back

    messages = transcript()
    foreign = convert_to_messages(messages)

    def counted(some: list[BaseMessage]) -> int:
        return sum(spent_there(message, count) for message in some)

    def theirs() -> list[dict[str, Any]]:
        kept = trim_messages(
            foreign, max_tokens=TRIMMED_TO, token_counter=counted, strategy="last", include_system=True
        )
        return list(back(kept))

    def ours(**settings: Any) -> Callable[[], list[dict[str, Any]]]:
        return lambda: pack_messages(messages, TRIMMED_TO, counter=count, **settings).messages

    contestants = {
        "LangChain trim_messages": theirs,
        "pack_messages, whole turns": ours(),
        "pack_messages, best set": ours(contiguous=False),
    }
    best = dict.fromkeys(contestants, float("inf"))
    kept: dict[str, list[dict[str, Any]]] = {}
    for _ in range(rounds):  # they take turns, so that a busy moment of the machine hits all of them
        for name, run in contestants.items():
            gc.collect()  # nobody pays for what another left behind
            start = time.perf_counter()
            kept[name] = run()
            best[name] = min(best[name], time.perf_counter() - start)
    return [
        (
            name,
            best[name] * 1e3,
            len(kept[name]),
            sum(spent(message, count) for message in kept[name]),
            len(validate(kept[name], "openai", open_call="refused")),
        )
        for name in contestants
    ]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--counter", default="characters", help="a counter of haversack.counters, or 'characters'"
    )
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print(f"An agent of {STEPS} steps, {ROOM:,} tokens of room, cached tokens at {CACHED:g} of the price")
    print(f"{'':32}{'tokens billed':>16}{'invalid requests':>18}")
    for name, cut in (
        ("sliding cut", sliding),
        ("LangChain trim_messages", trimming()),
        ("pack_messages(previous=)", packing()),
    ):
        total, invalid = billed(cut)
        print(f"{name:32}{total:16,.0f}{invalid:18}")
    told = f"counter {given.counter!r}, best of {given.rounds}"
    print(f"\n2,000 messages trimmed to {TRIMMED_TO:,} tokens, {told}")
    print(f"{'':32}{'ms':>10}{'messages':>10}{'tokens':>10}{'violations':>12}")
    for name, milliseconds, kept, used, violations in trim_times(counting(given.counter), given.rounds):
        print(f"{name:32}{milliseconds:10.1f}{kept:10,}{used:10,}{violations:12}")


if __name__ == "__main__":
    main()
