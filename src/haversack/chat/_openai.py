"""Reads OpenAI chat messages (Chat Completions), and the many compatible servers that take the same."""

from __future__ import annotations

from haversack.chat._forms import as_mapping
from haversack.chat._message import Message, Result, blocks_of, refuse_role, to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_KINDS = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "result",
    "function": "result",
}
_SAID_BESIDE = ("refusal", "reasoning_content", "reasoning")
_MEDIA = ("image_url", "input_audio", "file")


def read(position: int, source: object, data: Mapping[str, Any]) -> Message:
    """Read one message of role system, developer, user, assistant, tool or (older) function."""
    role = data.get("role")
    if role not in _KINDS:
        refuse_role(position, role, f"OpenAI chat knows {', '.join(_KINDS)}")
    message = Message(position, source, data, _KINDS[role])
    content = data.get("content")
    if isinstance(content, str):
        message.texts = (content,)
    elif content is not None:
        _read_blocks(message, content)
    if role == "assistant":
        _read_answer(message)
    elif role == "tool":
        message.results = (Result(data.get("tool_call_id")),)
    elif role == "function":
        message.results = (Result(None, data.get("name")),)
        message.words += (str(data.get("name")),)
    elif role == "user":
        message.asks = True
    if "name" in data and role != "function" and isinstance(data["name"], str):
        message.name = data["name"]
    # "The contents of the assistant message. Required unless tool_calls or function_call is specified."
    if content is None and not message.calls:
        message.empty = not (data.get("refusal") or data.get("audio"))
    return message


def spots(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The prose of a message, each text with its path."""
    content = data.get("content")
    if isinstance(content, str):
        yield ("content",), content
        return
    for index, block in enumerate(blocks_of(content)):
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            yield ("content", index, "text"), block["text"]


def _read_blocks(message: Message, content: object) -> None:
    message.texts = tuple(text for _, text in spots(message.data))
    for block in blocks_of(content):
        if block.get("cache_control"):
            message.cache = True
        kind = block.get("type")
        if kind in _MEDIA:
            message.media += (block,)
        elif kind == "refusal":
            message.words += (str(block.get("refusal", "")),)
        elif kind != "text":
            message.words += (to_json(block),)


def _read_answer(message: Message) -> None:
    data = message.data
    if "refusal" in data or "reasoning" in data or "reasoning_content" in data:
        said = {key: data[key] for key in _SAID_BESIDE if isinstance(data.get(key), str)}
        message.words += tuple(said.values())
        message.thinking = any(key != "refusal" for key in said)
    calls = data.get("tool_calls") or ()
    for call in calls:
        mapping = as_mapping(call) or {}
        # A call of type "function" or "custom": its body sits under the type's name.
        body = as_mapping(mapping.get("function") or mapping.get("custom")) or {}
        arguments = body["arguments"] if "arguments" in body else body.get("input")
        message.call(mapping.get("id"), body.get("name"), arguments)
    if not calls and "function_call" in data:
        old = as_mapping(data["function_call"])
        if old:
            message.call(None, old.get("name"), old.get("arguments"))
