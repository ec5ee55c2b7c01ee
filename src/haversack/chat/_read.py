"""From a list of messages to views of them: recognise the form once, read every message with its reader."""

from __future__ import annotations

from haversack.chat import _anthropic, _gemini, _openai, _responses
from haversack.chat._forms import _checked, read_all, recognise_mappings
from haversack.chat._message import own_ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from haversack.chat._message import Message

READERS = {"openai": _openai, "responses": _responses, "anthropic": _anthropic, "gemini": _gemini}


class Conversation:
    """Messages, read: their `form` and a view of each, in order."""

    __slots__ = ("form", "messages")

    def __init__(self, form: str, messages: list[Message]) -> None:
        self.form = form
        self.messages = messages


def read(
    messages: Sequence[object],
    *,
    form: str | None = None,
    system: object = None,
    mappings: Sequence[Mapping[str, Any]] | None = None,
) -> Conversation:
    """Read *messages*; nothing of the caller's is changed or copied.

    *mappings* are what the messages read like, if they are a framework's that does not say so itself.
    """
    if mappings is None:
        mappings = read_all(messages)
    form = recognise_mappings(mappings, system=system) if form is None else _checked(form)
    reader = READERS[form].read
    views = [
        reader(position, source, mapping)
        for position, (source, mapping) in enumerate(zip(messages, mappings, strict=True))
    ]
    own_ids(views)
    return Conversation(form, views)
