"""Which provider's form is a list of messages in?

Every message rules some forms out; what is left after all of them is the form. Nothing is guessed: when no
form is left the error says which message spoke against which form.

Lists that hold nothing but a role and text read the same in OpenAI chat, Responses and Anthropic. They are
taken as OpenAI chat, with two exceptions, both habits of Anthropic alone: a `system` passed beside the
messages, and a `cache_control` mark. `form=` overrides all of this.
"""

from __future__ import annotations

from collections.abc import Mapping

from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FORMS = ("openai", "responses", "anthropic", "gemini")
TITLES = {
    "openai": "OpenAI chat",
    "responses": "OpenAI Responses items",
    "anthropic": "Anthropic content blocks",
    "gemini": "Gemini contents",
}
LOOKED_FOR = (
    "OpenAI chat (role, content, tool_calls), OpenAI Responses items (type: message, function_call, "
    "reasoning, ...), Anthropic content blocks (content with tool_use, tool_result, thinking, ...), "
    "Gemini contents (role, parts)"
)

_OPENAI, _RESPONSES, _ANTHROPIC, _GEMINI = (frozenset([form]) for form in FORMS)
_PLAIN = _OPENAI | _RESPONSES | _ANTHROPIC
_BLOCKS = {
    "text": _OPENAI | _ANTHROPIC,
    "image_url": _OPENAI,
    "file": _OPENAI,
    "input_audio": _OPENAI | _RESPONSES,
    "refusal": _OPENAI | _RESPONSES,
    "input_text": _RESPONSES,
    "output_text": _RESPONSES,
    "input_image": _RESPONSES,
    "input_file": _RESPONSES,
    "image": _ANTHROPIC,
    "document": _ANTHROPIC,
    "thinking": _ANTHROPIC,
    "redacted_thinking": _ANTHROPIC,
    "search_result": _ANTHROPIC,
    "container_upload": _ANTHROPIC,
}
_ITEMS = ("reasoning", "item_reference", "compaction", "program", "program_output", "mcp_list_tools")
_ITEM_ENDINGS = ("_call", "_call_output", "_output", "_approval_request", "_approval_response")


def as_mapping(thing: object) -> Mapping[str, Any] | None:
    """Read a message, block or part as a mapping: a dict is itself, an SDK object gives its own dump."""
    if isinstance(thing, dict):  # by far the commonest, and asking an ABC takes ten times as long
        return thing
    if isinstance(thing, Mapping):
        return thing
    if isinstance(thing, type):
        return None
    dump = getattr(thing, "model_dump", None)
    if dump is not None:
        try:
            found = dump(exclude_none=True, warnings=False)
        except TypeError:  # something else than a pydantic model
            found = dump()
    else:
        dump = getattr(thing, "to_dict", None)
        found = dump() if dump is not None else None
    return found if isinstance(found, Mapping) else None


def read_all(messages: Sequence[object]) -> list[Mapping[str, Any]]:
    """Read every message as a mapping, or say which one cannot be read."""
    mappings: list[Mapping[str, Any]] = []
    for position, message in enumerate(messages):
        mapping = as_mapping(message)
        if mapping is None:
            raise InputTypeError(
                f"messages[{position}] is a {type(message).__name__}; a message is a dict, or an SDK object "
                f"with model_dump or to_dict. Looked for: {LOOKED_FOR}",
                path=f"messages[{position}]",
                found=message,
            )
        mappings.append(mapping)
    return mappings


def recognise(messages: Sequence[object], *, form: str | None = None, system: object = None) -> str:
    """Name the form of *messages*: `"openai"`, `"responses"`, `"anthropic"` or `"gemini"`.

    *form* is checked for its spelling and returned; *system* is the system prompt passed beside the messages.

    >>> recognise([{"role": "user", "parts": [{"text": "Hello"}]}])
    'gemini'
    >>> recognise([{"role": "user", "content": "Hello"}])
    'openai'
    >>> recognise([{"role": "user", "content": "Hello"}], system="Be brief.")
    'anthropic'
    """
    if form is not None:
        return _checked(form)
    return recognise_mappings(read_all(messages), system=system)


def recognise_mappings(mappings: Sequence[Mapping[str, Any]], *, system: object = None) -> str:
    """Name the form of messages that have been read already."""
    left = frozenset(FORMS)
    ruled_out: dict[str, str] = {}
    marked = False
    for position, mapping in enumerate(mappings):
        possible, sign = _possible(mapping)
        if position == 0 and mapping.get("role") in ("system", "developer"):
            possible -= _ANTHROPIC
        if left <= possible:  # by far the commonest: it says nothing new
            marked = marked or ("anthropic" in left and _has_cache_mark(mapping))
            continue
        if not possible:
            raise InputError(
                f"messages[{position}] is in no known form ({sign}). Looked for: {LOOKED_FOR}",
                path=f"messages[{position}]",
                found=mapping,
            )
        for lost in left - possible:
            ruled_out.setdefault(lost, f"messages[{position}] has {sign}")
        left &= possible
        marked = marked or _has_cache_mark(mapping)
    if not left:
        reasons = "; ".join(f"not {TITLES[lost]}: {ruled_out[lost]}" for lost in FORMS)
        raise InputError(
            f"the messages mix forms ({reasons}); pass messages of one form, or form=", field="form"
        )
    if "anthropic" in left and (system is not None or marked):
        return "anthropic"
    return next(form for form in FORMS if form in left)


def _checked(form: str) -> str:
    if form not in FORMS:
        raise InputError(
            f"form={form!r} is not one of {', '.join(map(repr, FORMS))}", field="form", found=form
        )
    return form


def _possible(mapping: Mapping[str, Any]) -> tuple[frozenset[str], str]:
    """The forms a message may be in, and the sign that says so."""
    if "parts" in mapping:
        return _GEMINI, "parts"
    kind, role = mapping.get("type"), mapping.get("role")
    if isinstance(kind, str) and kind != "message":
        if kind in _ITEMS or kind.endswith(_ITEM_ENDINGS):
            return _RESPONSES, f"type {kind!r}"
        return frozenset(), f"type {kind!r}"
    if kind == "message":
        answer = "stop_reason" in mapping or _is_anthropic(mapping.get("content"))
        return (_ANTHROPIC, "an Anthropic answer") if answer else (_RESPONSES, "type 'message'")
    if role in ("tool", "function"):
        return _OPENAI, f"role {role!r}"
    if role not in ("user", "assistant", "system", "developer"):
        return frozenset(), f"role {role!r}, no parts" if "role" in mapping else "no role, no type, no parts"
    for key in ("tool_calls", "function_call", "audio", "refusal"):
        if mapping.get(key) is not None:
            return _OPENAI, key
    possible, sign = _possible_content(mapping.get("content"))
    return (possible - _ANTHROPIC, "role 'developer'") if role == "developer" else (possible, sign)


def _possible_content(content: object) -> tuple[frozenset[str], str]:
    if content is None:
        return _OPENAI, "content null"
    possible, sign = _PLAIN, "plain content"
    if isinstance(content, str):
        return possible, sign
    for block in content if isinstance(content, (list, tuple)) else ():
        kind = (as_mapping(block) or {}).get("type")
        here = _ANTHROPIC if _is_anthropic_block(kind) else _BLOCKS.get(str(kind), possible)
        if here & possible != possible:
            sign = f"a block of type {kind!r}"
        possible &= here
    return possible, sign


def _is_anthropic_block(kind: object) -> bool:
    return isinstance(kind, str) and (
        kind.endswith(("tool_use", "tool_result")) or _BLOCKS.get(kind) == _ANTHROPIC
    )


def _is_anthropic(content: object) -> bool:
    blocks = content if isinstance(content, (list, tuple)) else ()
    return any(_is_anthropic_block((as_mapping(block) or {}).get("type")) for block in blocks)


def _has_cache_mark(mapping: Mapping[str, Any]) -> bool:
    content = mapping.get("content")
    blocks = content if isinstance(content, (list, tuple)) else ()
    return "cache_control" in mapping or any(
        isinstance(block, Mapping) and block.get("cache_control") for block in blocks
    )
