"""What a request sends besides its messages: system prompt and tool definitions, as strings to count."""

from __future__ import annotations

from haversack.chat._forms import as_mapping
from haversack.chat._message import blocks_of, to_json
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


def system_texts(system: object) -> list[str]:
    """The strings of a system prompt: text, blocks, parts, or a content that holds them."""
    if system is None:
        return []
    if isinstance(system, str):
        return [system] if system else []
    mapping = as_mapping(system)
    parts: Iterable[Any] = system if isinstance(system, (list, tuple)) else ()
    if mapping is not None:
        parts = mapping.get("parts", mapping.get("content", [mapping]))
    if isinstance(parts, str):
        return [parts]
    texts = [str(block["text"]) if "text" in block else to_json(block) for block in blocks_of(list(parts))]
    if not texts:
        raise InputError(f"system={system!r} holds no text", field="system", found=system)
    return texts


def cookbook(tools: Sequence[Mapping[str, Any]]) -> tuple[int, list[str]]:
    """OpenAI Cookbook's recipe: the fixed tokens, and the strings to count."""
    total, strings = 12 if tools else 0, []
    for tool in tools:
        function = as_mapping(tool.get("function")) or tool
        if "parameters" not in function and "name" not in function:
            strings.append(to_json(tool))  # a tool of the provider's: no recipe is known
            continue
        total += 7
        strings.append(f"{function.get('name')}:{str(function.get('description') or '').rstrip('.')}")
        total += _properties(as_mapping(function.get("parameters")) or {}, strings)
    return total, strings


def _properties(schema: Mapping[str, Any], strings: list[str]) -> int:
    properties = as_mapping(schema.get("properties")) or {}
    total = 3 if properties else 0
    for key, found in properties.items():
        field = as_mapping(found) or {}
        total += 3
        strings.append(f"{key}:{field.get('type', '')}:{str(field.get('description') or '').rstrip('.')}")
        if field.get("enum"):
            total += -3 + 3 * len(field["enum"])
            strings.extend(str(item) for item in field["enum"])
        total += _properties(field, strings)
        total += _properties(as_mapping(field.get("items")) or {}, strings)
    return total
