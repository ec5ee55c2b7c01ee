"""Finding the last selection again in the messages of today."""

from __future__ import annotations

from collections.abc import Mapping

from haversack.chat._forms import as_mapping
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from haversack.chat._message import Message

    Sent = tuple[str, str]
    """The id of a message that was sent, and the form it took."""


def sent_before(previous: Any, messages: Sequence[Message]) -> list[Sent]:
    """What was sent last, as (id, form) in the order it was sent, under the ids that hold today.

    *previous* is a packing, its `to_dict`, or ids. A packing knows the messages it sent. So if the caller
    hands back the shortened list with new messages behind it, instead of the whole conversation, it is
    recognised all the same.
    """
    if isinstance(previous, Mapping):
        chat = previous.get("chat")
        sent = [(str(id), str(form)) for id, form in chat["sent"]] if isinstance(chat, Mapping) else None
        if sent is None:
            sent = [(str(id), "full") for id in previous.get("selected", ())]
        return sent
    told = getattr(previous, "sent", None)
    if told is not None:
        return _aligned(list(told), list(previous.messages), messages)
    if hasattr(previous, "forms"):
        return [(str(id), form) for id, form in previous.forms.items()]
    if isinstance(previous, (str, bytes)) or not hasattr(previous, "__iter__"):
        raise InputError(
            f"previous={previous!r} is no packing, no dict that to_dict() wrote, and no list of ids",
            field="previous",
            found=previous,
        )
    return [(str(id), "full") for id in previous]


def _aligned(sent: list[Sent], objects: list[Any], messages: Sequence[Message]) -> list[Sent]:
    known = {str(message.id): message for message in messages}
    if all(
        form != "full" or (id in known and _same(known[id], found))
        for (id, form), found in zip(sent, objects, strict=True)
    ):
        return sent
    if len(objects) <= len(messages) and all(map(_same, messages, objects)):
        # The caller kept what we returned: all of it is there, in its first places, in the form it had.
        return [(str(message.id), "full") for message, _ in zip(messages, objects, strict=False)]
    return []


def _same(message: Message, sent: Any) -> bool:
    if message.source is sent or message.source == sent:
        return True
    before, now = as_mapping(sent), message.data
    return before is not None and all(now.get(key) == value for key, value in before.items())


def common_prefix(before: Sequence[Sent], now: Sequence[Sent]) -> int:
    """How many messages at the beginning are the same, in the same form."""
    same = 0
    for old, new in zip(before, now, strict=False):
        if old != new:
            break
        same += 1
    return same
