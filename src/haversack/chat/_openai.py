"""Reads OpenAI chat messages (Chat Completions), and the many compatible servers that take the same."""

from __future__ import annotations

from haversack.chat._forms import as_mapping
from haversack.chat._message import Message, Result, blocks_of, to_json
from haversack.exceptions import InputError

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
_MEDIA = ("image_url", "input_audio", "file")


def read(position: int, source: object, data: Mapping[str, Any]) -> Message:
    """Read one message of role system, developer, user, assistant, tool or (older) function."""
    role = data.get("role")
    if role not in _KINDS:
        raise InputError(
            f"messages[{position}] has role {role!r}; OpenAI chat knows {', '.join(_KINDS)}",
            path=f"messages[{position}]",
            field="role",
            found=role,
        )
    message = Message(position, source, data, _KINDS[role])
    if "name" in data and isinstance(data["name"], str) and role != "function":
        message.name = data["name"]
    _read_content(message, data.get("content"))
    if role == "assistant":
        _read_calls(message)
    elif role == "tool":
        message.results.append(Result(data.get("tool_call_id")))
    elif role == "function":
        message.results.append(Result(None, data.get("name")))
        message.words.append(str(data.get("name")))
    message.asks = role == "user"
    # "The contents of the assistant message. Required unless tool_calls or function_call is specified."
    if data.get("content") is None and not message.calls:
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


def _read_content(message: Message, content: object) -> None:
    if isinstance(content, str):
        message.texts.append(content)
    elif content is not None:
        _read_blocks(message, content)
    if message.kind == "assistant":
        for key in ("refusal", "reasoning_content", "reasoning"):
            said = message.data.get(key)
            if isinstance(said, str):
                message.words.append(said)
                message.thinking = message.thinking or key != "refusal"


def _read_blocks(message: Message, content: object) -> None:
    message.texts = [text for _, text in spots(message.data)]
    for block in blocks_of(content):
        if block.get("cache_control"):
            message.cache = True
        kind = block.get("type")
        if kind in _MEDIA:
            message.media.append(block)
        elif kind == "refusal":
            message.words.append(str(block.get("refusal", "")))
        elif kind != "text":
            message.words.append(to_json(block))


def _read_calls(message: Message) -> None:
    calls = message.data.get("tool_calls") or ()
    for call in calls:
        mapping = as_mapping(call) or {}
        # A call of type "function" or "custom": its body sits under the type's name.
        body = as_mapping(mapping.get("function") or mapping.get("custom")) or {}
        message.call(mapping.get("id"), body.get("name"), body.get("arguments", body.get("input")))
    if not calls:
        old = as_mapping(message.data.get("function_call"))
        if old:
            message.call(None, old.get("name"), old.get("arguments"))
