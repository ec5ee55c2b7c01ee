"""Reads Gemini contents: roles user and model, content in parts; camelCase and snake_case alike."""

from __future__ import annotations

from haversack.chat._forms import as_mapping
from haversack.chat._message import Message, Result, to_json
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_ROLES = ("user", "model", "function", "tool", None)


def read(position: int, source: object, data: Mapping[str, Any]) -> Message:
    """Read one content; without a role it is the user's, with function responses it is of kind result."""
    role = data.get("role")
    if role not in _ROLES or not isinstance(data.get("parts"), (list, tuple, type(None))):
        raise InputError(
            f"messages[{position}] has role {role!r} and parts of type {type(data.get('parts')).__name__}; "
            "a Gemini content has role user or model and a list of parts",
            path=f"messages[{position}]",
            field="parts" if role in _ROLES else "role",
            found=data.get("parts") if role in _ROLES else role,
        )
    message = Message(position, source, data, "assistant" if role == "model" else "user")
    message.texts = tuple(text for _, text in spots(data))
    own_words = False
    for part in _parts(data):
        own_words = _read_part(message, part) or own_words
    if message.results:
        message.kind = "result"
    message.asks = message.kind != "assistant" and own_words
    message.empty = not data.get("parts")
    return message


def spots(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The prose of a content: text parts, and the strings of a function response, each with its path."""
    for index, part in enumerate(_parts(data)):
        if isinstance(part.get("text"), str) and not part.get("thought"):
            yield ("parts", index, "text"), part["text"]
        key, response = _either(part, "function_response", "functionResponse")
        body = response.get("response") if response else None
        for field, value in body.items() if isinstance(body, dict) else ():
            if isinstance(value, str):
                yield ("parts", index, key, "response", field), value


def _read_part(message: Message, part: Mapping[str, Any]) -> bool:
    """Read a part; says whether it is somebody's own words or media."""
    _, call = _either(part, "function_call", "functionCall")
    _, response = _either(part, "function_response", "functionResponse")
    _, blob = _either(part, "inline_data", "inlineData")
    _, file = _either(part, "file_data", "fileData")
    if part.get("thought_signature") or part.get("thoughtSignature") or part.get("thought"):
        message.thinking = True
    if call is not None:
        message.call(call.get("id"), call.get("name"), call.get("args"))
    elif response is not None:
        _read_response(message, response)
    elif blob is not None or file is not None:
        message.media += (part,)
        return True
    elif isinstance(part.get("text"), str):
        if part.get("thought"):
            message.words += (part["text"],)
        return not part.get("thought")
    else:
        message.words += (to_json(part),)
    return False


def _read_response(message: Message, response: Mapping[str, Any]) -> None:
    own_id, name = response.get("id"), response.get("name")
    message.results += (Result(own_id if isinstance(own_id, str) else None, name),)
    if isinstance(name, str):
        message.words += (name,)
    body = response.get("response")
    if isinstance(body, dict):  # its strings are prose (see spots): here the keys and whatever else it holds
        message.words += (
            to_json({key: "" if isinstance(value, str) else value for key, value in body.items()}),
        )
    message.media += tuple(part for part in response.get("parts") or () if isinstance(part, dict))


def _parts(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for part in data.get("parts") or ():
        mapping = {"text": part} if isinstance(part, str) else as_mapping(part)
        yield mapping if mapping is not None else {}


def _either(part: Mapping[str, Any], snake: str, camel: str) -> tuple[str, Mapping[str, Any] | None]:
    key = snake if part.get(snake) is not None else camel
    return key, as_mapping(part.get(key))
