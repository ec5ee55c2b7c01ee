"""Reads Anthropic messages: roles user, assistant and (within a conversation) system, content in blocks."""

from __future__ import annotations

from operator import is_

from haversack.chat._message import Message, Result, blocks_of, refuse_role, to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_KINDS = {"user": "user", "assistant": "assistant", "system": "system"}
_MEDIA = ("image", "document", "container_upload")
_THINKING = ("thinking", "redacted_thinking")


def read(position: int, source: object, data: Mapping[str, Any]) -> Message:
    """Read one message; a user message with tool results is of kind result."""
    role = data.get("role")
    if role not in _KINDS or (role == "system" and position == 0):
        rule = (
            "pass the system prompt as system="
            if role == "system"
            else "Anthropic knows user, assistant, system"
        )
        refuse_role(position, role, rule)
    message = Message(position, source, data, _KINDS[role])
    message.texts = tuple(text for _, text in spots(data))
    content = data.get("content")
    own_words = isinstance(content, str) and bool(content)
    for block in blocks_of(content):
        _read_block(message, block)
        own_words = own_words or block.get("type") not in ("tool_result", *_THINKING)
    message.asks = role == "user" and own_words
    if message.results and role == "user":
        message.kind = "result"
    _settle_within(message)
    # "all messages must have non-empty content except for the optional final assistant message"
    message.empty = (
        not content.strip() if isinstance(content, str) else all(map(is_blank, blocks_of(content)))
    )
    return message


def is_blank(block: Mapping[str, Any]) -> bool:
    """Whether a block is a text of nothing but white space, which the API refuses."""
    return block.get("type") == "text" and not str(block.get("text") or "").strip()


def without_blanks(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A copy of a message or a tool result without its blank texts; None if it has none."""
    content = data.get("content")
    if not isinstance(content, (list, tuple)):
        return None
    kept: list[Any] = []
    for original, block in zip(content, blocks_of(content), strict=True):
        inner = without_blanks(block) if block.get("type") == "tool_result" else None
        if not is_blank(block):
            kept.append(original if inner is None else inner)
    same = len(kept) == len(content) and all(map(is_, kept, content))
    return None if same else {**data, "content": kept}


def repair(message: Message) -> None:
    """Take blank texts out of what is sent: a model or a tool that said nothing leaves them behind."""
    cleaned = without_blanks(message.data)
    if cleaned is not None:
        message.data = cleaned
        message.texts = tuple(text for _, text in spots(cleaned))
        message.repaired = True


def spots(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The prose of a message, of its tool results and plain-text documents too, each text with its path."""
    content = data.get("content")
    if isinstance(content, str):
        yield ("content",), content
        return
    for index, block in enumerate(blocks_of(content)):
        yield from _block_spots(("content", index), block)


def _block_spots(
    path: tuple[str | int, ...], block: Mapping[str, Any]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        yield (*path, "text"), block["text"]
    elif kind == "tool_result":
        inner = block.get("content")
        if isinstance(inner, str):
            yield (*path, "content"), inner
        for index, nested in enumerate(blocks_of(inner)):
            yield from _block_spots((*path, "content", index), nested)
    elif (
        kind == "document" and isinstance(block.get("source"), dict) and block["source"].get("type") == "text"
    ):
        yield (*path, "source", "data"), str(block["source"].get("data", ""))


def _read_block(message: Message, block: Mapping[str, Any]) -> None:
    kind = str(block.get("type"))
    message.cache = message.cache or bool(block.get("cache_control"))
    if kind == "tool_result":
        message.results += (Result(block.get("tool_use_id")),)
        for nested in blocks_of(block.get("content")):
            if nested.get("type") != "text":
                _read_block(message, nested)
    elif kind.endswith("_tool_result"):
        message.results += (Result(block.get("tool_use_id"), provider=True),)
        message.words += (to_json(block.get("content")),)
    elif kind.endswith("tool_use"):
        message.call(block.get("id"), block.get("name"), block.get("input"), provider=kind != "tool_use")
    elif kind in _THINKING:
        message.thinking = True
        message.words += (str(block.get("thinking", block.get("data", ""))),)
    elif kind in _MEDIA:
        if not any(True for _ in _block_spots((), block)):
            message.media += (block,)
    elif kind != "text":
        message.words += (to_json(block),)


def _settle_within(message: Message) -> None:
    """A tool that ran at the provider is answered in the message that called it: nothing is left to match."""
    ids = {result.id for result in message.results if result.provider}
    called = {call.id for call in message.calls if call.provider}
    message.calls = tuple(call for call in message.calls if not (call.provider and call.id in ids))
    message.results = tuple(
        result for result in message.results if not (result.provider and result.id in called)
    )
