"""Copies of messages: without our keys, or with shorter texts. The caller's own objects are never changed."""

from __future__ import annotations

from collections.abc import Mapping

from haversack.chat._forms import as_mapping
from haversack.chat._message import OWN_KEYS
from haversack.chat._read import READERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from haversack.chat._message import Message


def sendable(message: Message) -> Any:
    """What is sent: the caller's own object, or a copy if it carries our keys or was repaired."""
    source = message.source
    if message.repaired:
        return _built(message, {key: value for key, value in message.data.items() if key not in OWN_KEYS})
    if isinstance(source, Mapping) and any(key in source for key in OWN_KEYS):
        return {key: value for key, value in source.items() if key not in OWN_KEYS}
    return source


def with_texts(
    message: Message,
    form: str,
    texts: Sequence[str],
    rebuild: Callable[[Any, Mapping[str, Any]], Any] | None = None,
) -> Any:
    """A copy of the message whose prose is *texts*, one for each of `message.texts`, in the same form.

    An SDK object is built anew by its class; where its class refuses, the copy is the dict it dumps.
    *rebuild* does it for a framework's message: from the original and what it should read like now.
    """
    changed: Any = {key: value for key, value in message.data.items() if key not in OWN_KEYS}
    for (path, old), new in zip(READERS[form].spots(message.data), texts, strict=True):
        if new != old:
            changed = _replaced(changed, path, new)
    if rebuild is not None:
        return rebuild(message.source, changed)
    return _built(message, changed)


def _built(message: Message, changed: Any) -> Any:
    build = getattr(type(message.source), "model_validate", None)
    if build is None or isinstance(message.source, Mapping):
        return changed
    try:
        return build(changed)
    except ValueError:  # pydantic's ValidationError is one
        return changed


def _replaced(thing: Any, path: tuple[str | int, ...], text: str) -> Any:
    """Copy along *path*, everything beside it shared, and put *text* at its end."""
    if not path or isinstance(thing, str):  # a plain string may stand where a text block is meant
        return text
    key, rest = path[0], path[1:]
    if isinstance(key, int):
        items = list(thing)
        items[key] = _replaced(items[key], rest, text)
        return items
    fields = dict(as_mapping(thing) or {})
    fields[key] = _replaced(fields[key], rest, text)
    return fields
