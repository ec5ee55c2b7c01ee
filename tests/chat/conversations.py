"""Conversations for the tests: a script says who does what, and is written out in every provider's form.

All prose is made of the word "w", and no name, key or id holds that letter. So `words` counts a text, and
`words_in` counts a whole message without knowing its form: an independent judge of what was charged.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from hypothesis import strategies as st

FORMS = ("openai", "responses", "anthropic", "gemini")


class Step(NamedTuple):
    """A model's step: an answer, or calls (id, words of arguments, words of result), results in `order`."""

    text: int
    calls: tuple[tuple[str, int, int], ...] = ()
    order: tuple[int, ...] = ()
    thinking: bool = False
    split: bool = False
    answered: bool = True


class Turn(NamedTuple):
    asked: int
    steps: tuple[Step, ...]


class Script(NamedTuple):
    system: int | None
    turns: tuple[Turn, ...]
    last: int | None


def words(text: str) -> int:
    return text.count("w")


def words_in(message: Any) -> int:
    if hasattr(message, "model_dump"):
        message = message.model_dump(mode="json", exclude_none=True)
    return json.dumps(message, default=str).count("w")


def say(count: int) -> str:
    return " ".join("w" * count)


@st.composite
def steps(draw: st.DrawFn, open_ended: bool = False) -> Step:
    ids = draw(st.lists(st.sampled_from("abcd"), max_size=3, unique=True))
    calls = tuple((f"c_{name}", draw(st.integers(0, 3)), draw(st.integers(0, 9))) for name in ids)
    return Step(
        draw(st.integers(1, 6)),
        calls,
        tuple(draw(st.permutations(range(len(calls))))),
        draw(st.booleans()),
        draw(st.booleans()),
        not (open_ended and calls),
    )


@st.composite
def scripts(draw: st.DrawFn, max_turns: int = 4, max_steps: int = 3) -> Script:
    """A conversation that every provider accepts: it starts with the user and ends with a question."""
    turns = draw(
        st.lists(
            st.builds(
                Turn, st.integers(1, 6), st.lists(steps(), min_size=1, max_size=max_steps).map(_settled)
            ),
            max_size=max_turns,
        )
    )
    return Script(draw(st.none() | st.integers(1, 4)), tuple(turns), draw(st.integers(1, 5)))


def _settled(found: list[Step]) -> tuple[Step, ...]:
    """Only the last step of a turn is an answer without calls: Gemini takes no call behind a model's text."""
    kept = [step for step in found[:-1] if step.calls]
    return (*kept, found[-1])


def with_unique_ids(script: Script) -> Script:
    """The same conversation, no call id used twice."""

    def renamed(at: int, step: Step) -> Step:
        return step._replace(calls=tuple((f"{id}_{at}", *sizes) for id, *sizes in step.calls))

    numbers = iter(range(1000))
    return script._replace(
        turns=tuple(
            turn._replace(steps=tuple(renamed(next(numbers), step) for step in turn.steps))
            for turn in script.turns
        )
    )


def write(script: Script, form: str) -> list[dict[str, Any]]:
    return {"openai": _openai, "responses": _responses, "anthropic": _anthropic, "gemini": _gemini}[form](
        script
    )


def _openai(script: Script) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    if script.system is not None:
        messages.append({"role": "system", "content": say(script.system)})
    for turn in script.turns:
        messages.append({"role": "user", "content": say(turn.asked)})
        for step in turn.steps:
            messages.append({"role": "assistant", "content": None if step.calls else say(step.text)})
            if not step.calls:
                continue
            messages[-1]["tool_calls"] = [
                {
                    "id": id,
                    "type": "function",
                    "function": {"name": "look", "arguments": json.dumps({"q": say(n)})},
                }
                for id, n, _ in step.calls
            ]
            for at in step.order if step.answered else ():
                id, _, size = step.calls[at]
                messages.append({"role": "tool", "tool_call_id": id, "content": say(size)})
    if script.last is not None:
        messages.append({"role": "user", "content": say(script.last)})
    return messages


def _responses(script: Script) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if script.system is not None:
        items.append({"role": "developer", "content": say(script.system)})
    for turn in script.turns:
        items.append({"role": "user", "content": [{"type": "input_text", "text": say(turn.asked)}]})
        for step in turn.steps:
            if step.thinking:
                items.append({"type": "reasoning", "summary": [{"type": "summary_text", "text": "w"}]})
            if not step.calls:
                text = {"type": "output_text", "text": say(step.text)}
                items.append({"type": "message", "role": "assistant", "content": [text]})
            for id, n, _ in step.calls:
                arguments = json.dumps({"q": say(n)})
                items.append({"type": "function_call", "call_id": id, "name": "look", "arguments": arguments})
            for at in step.order if step.answered else ():
                id, _, size = step.calls[at]
                items.append({"type": "function_call_output", "call_id": id, "output": say(size)})
    if script.last is not None:
        items.append({"type": "message", "role": "user", "content": say(script.last)})
    return items


def _anthropic(script: Script) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for turn in script.turns:
        messages.append({"role": "user", "content": [{"type": "text", "text": say(turn.asked)}]})
        for step in turn.steps:
            blocks: list[dict[str, Any]] = []
            if step.thinking:
                blocks.append({"type": "thinking", "thinking": "w w", "signature": "s"})
            blocks.append({"type": "text", "text": say(step.text)})
            for id, n, _ in step.calls:
                blocks.append({"type": "tool_use", "id": id, "name": "look", "input": {"q": say(n)}})
            messages.append({"role": "assistant", "content": blocks})
            results = [
                {"type": "tool_result", "tool_use_id": step.calls[at][0], "content": say(step.calls[at][2])}
                for at in step.order
            ]
            if results and step.answered:
                parts = [[result] for result in results] if step.split else [results]
                messages.extend({"role": "user", "content": part} for part in parts)
    if script.last is not None:
        messages.append({"role": "user", "content": [{"type": "text", "text": say(script.last)}]})
    return messages


def _gemini(script: Script) -> list[dict[str, Any]]:
    contents: list[dict[str, Any]] = []
    for turn in script.turns:
        contents.append({"role": "user", "parts": [{"text": say(turn.asked)}]})
        for step in turn.steps:
            if not step.calls:
                contents.append({"role": "model", "parts": [{"text": say(step.text)}]})
                continue
            calls = [{"functionCall": {"name": "look", "args": {"q": say(n)}}} for _, n, _ in step.calls]
            contents.append({"role": "model", "parts": calls})
            if step.answered:
                results = [
                    {"functionResponse": {"name": "look", "response": {"result": say(size)}}}
                    for _, _, size in step.calls
                ]
                contents.append({"role": "user", "parts": results})
    if script.last is not None:
        contents.append({"role": "user", "parts": [{"text": say(script.last)}]})
    return contents


@st.composite
def damaged(draw: st.DrawFn, form: str) -> list[dict[str, Any]]:
    """A conversation with messages taken out, moved, emptied: what a careless program leaves behind."""
    messages = write(draw(scripts()), form)
    for _ in range(draw(st.integers(1, 3))):
        if not messages:
            break
        at = draw(st.integers(0, len(messages) - 1))
        what = draw(st.sampled_from(["drop", "move", "empty", "blank", "interrupt"]))
        if what == "drop":
            del messages[at]
        elif what == "move":
            messages.insert(draw(st.integers(0, len(messages) - 1)), messages.pop(at))
        elif what == "empty":
            messages[at] = {
                **messages[at],
                ("parts" if form == "gemini" else "content"): [] if form == "gemini" else "",
            }
        elif what == "blank":
            messages[at] = _with_blank(messages[at], form)
        else:
            interruption = write(Script(None, (), 2), form)
            messages[at:at] = interruption
    return messages


def _with_blank(message: dict[str, Any], form: str) -> dict[str, Any]:
    """A blank text behind the rest, where a message may hold several."""
    content = message.get("content")
    if form != "anthropic" or not content:
        return message
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {**message, "content": [*blocks, {"type": "text", "text": " \n"}]}
