"""The neutral view of one message: what the packing has to know of it, whatever its form."""

from __future__ import annotations

from haversack.chat._forms import as_mapping
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, NoReturn

# Keys of ours that a message may carry. Providers refuse keys they do not know, so they never leave.
OWN_KEYS = ("value", "pinned", "cost")


class Call:
    """A call that the message at *position* makes.

    `provider` marks a tool that runs at the provider, in the same answer.
    """

    __slots__ = ("answered", "id", "name", "position", "provider")

    def __init__(self, id: str | None, name: str | None, position: int, provider: bool) -> None:
        self.id = id
        self.name = name
        self.provider = provider
        self.position = position
        self.answered = False


class Result:
    """A result a message carries; it answers a call by *id*, or by *name* where the form has no ids."""

    __slots__ = ("id", "name", "provider")

    def __init__(self, id: str | None, name: str | None = None, *, provider: bool = False) -> None:
        self.id = id
        self.name = name
        self.provider = provider

    def __str__(self) -> str:
        return repr(self.id if self.id is not None else self.name)


class Message:
    """A message as the packing sees it.

    `kind` is system, user, assistant or result; `texts` is its prose, `words` the other strings that are sent
    (names, arguments, reasoning), `media` the images, sounds and files. `asks`: a user's own words are in it;
    `repaired`: `data` is not what the source says, but what can be sent of it.
    """

    # Defaults stand in the class, and sequences are tuples: of the thousands of messages that are read for
    # one request most have only a text, and a dozen empty lists each would cost more than all else.
    name: str | None = None
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    texts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    media: tuple[Mapping[str, Any], ...] = ()
    thinking = False
    asks = False
    cache = False
    empty = False
    repaired = False

    def __init__(self, position: int, source: Any, data: Mapping[str, Any], kind: str) -> None:
        self.position = position
        self.source = source
        self.data = data
        self.kind = kind
        self.id: str | int = str(position)
        if "cache_control" in data:
            self.cache = True

    def call(self, id: object, name: object, arguments: object, *, provider: bool = False) -> None:
        """Note a call; its name and arguments are sent, so they count."""
        known = name if isinstance(name, str) else None
        self.calls += (Call(_string(id), known or None, self.position, provider),)
        if arguments is not None:
            said = arguments if isinstance(arguments, str) else to_json(arguments)
            self.words += (said,) if known is None else (known, said)
        elif known is not None:
            self.words += (known,)

    def own(self, key: str) -> Any:
        """The value of one of our own keys, None where it is absent."""
        return self.data.get(key)


def blocks_of(content: object) -> Iterator[Mapping[str, Any]]:
    """The blocks of a content list, strings as text blocks."""
    if isinstance(content, (list, tuple)):
        for block in content:
            mapping = {"type": "text", "text": block} if isinstance(block, str) else as_mapping(block)
            yield mapping if mapping is not None else {}


def to_json(thing: object) -> str:
    """JSON as a provider would see it: compact, not escaped; what JSON cannot hold is written as its str."""
    import json

    return json.dumps(thing, ensure_ascii=False, separators=(",", ":"), default=str)


def own_ids(messages: Sequence[Message]) -> None:
    """Give every message its id: its own where it is unique, else its position."""
    if not any("id" in message.data for message in messages):
        return  # the positions they have already
    seen: dict[str, int] = {}
    for message in messages:
        if "id" in message.data:
            own = message.data["id"]
            if isinstance(own, (str, int)) and not isinstance(own, bool) and own != "":
                message.id = own
        name = str(message.id)
        seen[name] = seen.get(name, 0) + 1
    if len(seen) == len(messages):
        return
    for message in messages:
        if seen[str(message.id)] > 1:
            plain = str(message.position)
            message.id = plain if seen.get(plain, 0) == 0 else f"#{plain}"


def refuse_role(position: int, role: object, rule: str) -> NoReturn:
    """Raise the error of a role that a provider does not know; *rule* says which it does."""
    raise InputError(
        f"messages[{position}] has role {role!r}: {rule}",
        path=f"messages[{position}]", field="role", found=role,
    )  # fmt: skip


def _string(thing: object) -> str | None:
    return thing if isinstance(thing, str) and thing else None
