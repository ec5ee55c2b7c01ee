"""Reads OpenAI Responses items: messages, calls and their outputs, reasoning, each an item of its own."""

from __future__ import annotations

from haversack.chat._message import Message, Result, blocks_of, refuse_role, to_json
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_KINDS = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_TEXTS = ("input_text", "output_text", "text", "summary_text", "reasoning_text")
_MEDIA = ("input_image", "input_file", "input_audio", "computer_screenshot")
# Calls whose answer is an item of its own, and that item. Other calls (web_search_call, file_search_call,
# ...) run at the provider and carry their outcome.
_ANSWERED_BY = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "computer_call": "computer_call_output",
    "local_shell_call": "local_shell_call_output",
    "shell_call": "shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "tool_search_call": "tool_search_output",
    "program": "program_output",
    "mcp_approval_request": "mcp_approval_response",
}
_ANSWERS = {answer: call for call, answer in _ANSWERED_BY.items()}


def read(position: int, source: object, data: Mapping[str, Any]) -> Message:
    """Read one item; an item without a type is a message."""
    kind = data.get("type", "message")
    if kind == "message":
        return _read_message(position, source, data)
    if not isinstance(kind, str):
        raise InputError(
            f"messages[{position}] has type {kind!r}, not a string", path=f"messages[{position}]"
        )
    message = Message(position, source, data, "result" if kind in _ANSWERS else "assistant")
    message.texts = tuple(text for _, text in spots(data))
    if kind in _ANSWERS:
        # Ids are unique within their kind only: an output answers a call of its own kind.
        message.results += (Result(_answer_id(kind, data), _ANSWERS[kind]),)
        message.media = tuple(block for block in blocks_of(data.get("output")) if block.get("type") in _MEDIA)
    elif kind in _ANSWERED_BY and _call_id(kind, data) is not None:
        arguments = data.get("arguments", data.get("input", data.get("action", data.get("operation"))))
        message.call(_call_id(kind, data), data.get("name"), arguments)
        message.calls[-1].name = kind
    elif kind == "reasoning":
        message.thinking = True
        message.words = tuple(str(part.get("text", "")) for part in _reasoning(data))
    else:
        message.thinking = (
            kind == "item_reference"
        )  # what it stands for is not known: keep it with its neighbours
        message.words += (
            to_json({key: value for key, value in data.items() if key not in ("id", "status")}),
        )
    return message


def spots(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The prose of a message or of an output, each text with its path."""
    key = "output" if data.get("type") in _ANSWERS else "content"
    content = data.get(key)
    if data.get("type", "message") != "message" and key == "content":
        return
    if isinstance(content, str):
        yield (key,), content
        return
    for index, block in enumerate(blocks_of(content)):
        if block.get("type") in _TEXTS and isinstance(block.get("text"), str):
            yield (key, index, "text"), block["text"]


def _read_message(position: int, source: object, data: Mapping[str, Any]) -> Message:
    role = data.get("role")
    if role not in _KINDS:
        refuse_role(position, role, f"a Responses message has one of {', '.join(_KINDS)}")
    message = Message(position, source, data, _KINDS[role])
    message.texts = tuple(text for _, text in spots(data))
    for block in blocks_of(data.get("content")):
        kind = block.get("type")
        if kind in _MEDIA:
            message.media += (block,)
        elif kind not in _TEXTS:
            message.words += (str(block["refusal"]) if "refusal" in block else to_json(block),)
    message.asks = role == "user"
    message.empty = data.get("content") is None
    return message


def _call_id(kind: str, data: Mapping[str, Any]) -> str | None:
    found = data.get("id") if kind == "mcp_approval_request" else data.get("call_id")
    return found if isinstance(found, str) else None


def _answer_id(kind: str, data: Mapping[str, Any]) -> str | None:
    if kind == "mcp_approval_response":
        found = data.get("approval_request_id")
    else:
        found = data.get("call_id", data.get("id"))  # a local_shell_call_output has only the call's id
    return found if isinstance(found, str) else None


def _reasoning(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [*blocks_of(data.get("summary")), *blocks_of(data.get("content"))]
