"""What a request costs beyond its prose: framing, calls, tool definitions, media; with the sources.

| provider | each message | name | reply | each call | source |
|---|---|---|---|---|---|
| OpenAI (both) | 3 + its role | 1 + the name | 3 | 8 | OpenAI Cookbook, "How to count tokens"; calls: ours |
| Anthropic | 4 | - | 3 | 12 | no published rule; ours, a guess on the high side |
| Gemini | 3 | - | 0 | 4 | no published rule; ours, a guess on the high side |

Tools: OpenAI by the Cookbook's recipe (7 a function, 3 for properties and 3 a key, an enum -3 and 3 an
item, 12 at the end, and the words of names, types and descriptions); the others as compact JSON, Anthropic
plus 346 once (its documented "tool use system prompt").

Media: nobody can count an image from its link. The stated rule is the dearest an ordinary image can be:
OpenAI 85 with `detail: low`, else 1,445 (8 tiles of 170 plus 85); Anthropic 1,600; Gemini 1,120. Any other
file: 3,000. `media=` takes a number or your own rule.

All of these are estimates, save messages of plain text in the OpenAI chat form, whose recipe the Cookbook
verified against the API; `Tally.estimated` names those that a count rests on.
"""

from __future__ import annotations

from haversack._record import Record
from haversack.chat._forms import TITLES, as_mapping
from haversack.chat._message import to_json
from haversack.chat._request import cookbook, system_texts
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from haversack.chat._message import Message
    from haversack.counters import Counter

    Media = int | Callable[[Mapping[str, Any]], int]


class Framing(Record):
    """The tokens a provider adds around what is sent. Every number is in tokens.

    `role`: whether the name of the role is counted too. `tool_prompt`: once, if there are tools.

    >>> Framing(per_message=4, reply=3)
    Framing(per_message=4, role=False, per_name=0, reply=3, per_call=0, tool_prompt=0)
    """

    __slots__ = ("per_message", "role", "per_name", "reply", "per_call", "tool_prompt")

    per_message: int
    role: bool
    per_name: int
    reply: int
    per_call: int
    tool_prompt: int

    def __init__(
        self,
        per_message: int = 0,
        role: bool = False,
        per_name: int = 0,
        reply: int = 0,
        per_call: int = 0,
        tool_prompt: int = 0,
    ) -> None:
        self._fill(per_message, role, per_name, reply, per_call, tool_prompt)


NO_FRAMING = Framing()
FRAMINGS = {
    "openai": Framing(per_message=3, role=True, per_name=1, reply=3, per_call=8),
    "responses": Framing(per_message=3, role=True, per_name=1, reply=3, per_call=8),
    "anthropic": Framing(per_message=4, reply=3, per_call=12, tool_prompt=346),
    "gemini": Framing(per_message=3, per_call=4),
}
IMAGES = {"openai": 1445, "responses": 1445, "anthropic": 1600, "gemini": 1120}
_ESTIMATES = {"anthropic": "estimate:claude", "gemini": "estimate:gemini"}
LOW_DETAIL_IMAGE = 85
FILE = 3000


class Tally:
    """The tokens of each message, those sent besides (`frame`), and which of them are `estimated`."""

    __slots__ = ("costs", "estimated", "frame", "reply")

    def __init__(self) -> None:
        self.costs: list[int] = []
        self.frame = 0
        self.reply = 0
        self.estimated: set[str] = set()


class Meter:
    """Counts messages of one form with one counter.

    *counter* None is `"o200k_base"` for OpenAI's forms; the others have no exact one, so that theirs must be
    named where something is to be counted. *framing* None is the form's own; *media* is a number of tokens or
    a rule (block -> tokens) for images and files.
    """

    def __init__(
        self,
        form: str,
        counter: str | Callable[[str], int] | None = None,
        *,
        framing: Framing | None = None,
        media: Media | None = None,
    ) -> None:
        self.form = form
        self.counter = _resolved(counter)
        self.framing = FRAMINGS[form] if framing is None else framing
        self.given_framing = NO_FRAMING if framing is None else framing
        self.media = media

    def tally(self, messages: Sequence[Message], *, system: object = None, tools: object = None) -> Tally:
        """Count all of a request.

        A message's own `cost` is its whole cost: only a *framing* that was passed is added to it.
        """
        tally = Tally()
        given = [message.data.get("cost") for message in messages]
        counted = [message for message, cost in zip(messages, given, strict=True) if cost is None]
        if self.form != "openai" and counted:
            tally.estimated.add("framing")
        prompt = system_texts(system)
        strings = list(prompt)
        for message in counted:
            strings += self._strings(message)
        known = self._counts(strings)
        for message, cost in zip(messages, given, strict=True):
            if cost is None:
                tally.costs.append(self._cost(message, known, tally))
            else:
                tally.costs.append(checked_cost(cost, message) + self.given_framing.per_message)
        if prompt:
            tally.frame += sum(known[text] for text in prompt) + self.framing.per_message
        if tools:
            tally.frame += self.tools(tools)
            tally.estimated.add("tools")
        tally.reply = (self.framing if counted or not messages else self.given_framing).reply
        tally.frame += tally.reply
        return tally

    def cost_of(self, message: Message) -> int:
        """The tokens of one message that is counted (its shorter forms are)."""
        return self._cost(message, self._counts(self._strings(message)), Tally())

    def count(self, strings: Sequence[str]) -> list[int]:
        """Count strings, all at once where the counter can."""
        known = self._counts(strings)
        return [known[text] for text in strings]

    def _counts(self, strings: Iterable[str]) -> dict[str, int]:
        """The tokens of each string; roles, names and short results come again and again, and count once."""
        different = dict.fromkeys(strings)
        different.pop("", None)  # nothing is sent, whatever a counter says of it
        known = {"": 0}
        if not different:
            return known
        if self.counter is None:
            self.counter = _default(self.form)
        known.update(zip(different, self.counter.count_many(different), strict=True))
        return known

    def tools(self, tools: object) -> int:
        """The tokens of tool definitions, by the provider's recipe."""
        found = [as_mapping(tool) or {} for tool in (tools if isinstance(tools, (list, tuple)) else [tools])]
        if self.form in ("openai", "responses"):
            total, strings = cookbook(found)
            return total + sum(self.count(strings))
        return self.framing.tool_prompt + sum(self.count([to_json(tool) for tool in found]))

    def _strings(self, message: Message) -> tuple[str, ...]:
        strings = message.texts + message.words if message.words else message.texts
        if self.framing.role:
            strings += (str(message.data.get("role", "assistant")),)
        if message.name and self.framing.per_name:
            strings += (message.name,)
        return strings

    def _cost(self, message: Message, known: Mapping[str, int], tally: Tally) -> int:
        """The tokens of a message whose strings are *known*; notes what of it is estimated."""
        cost = self.framing.per_message
        for text in message.texts:
            cost += known[text]
        for text in message.words:
            cost += known[text]
        if self.framing.role:
            cost += known[str(message.data.get("role", "assistant"))]
        if message.name:
            cost += self.framing.per_name + (known[message.name] if self.framing.per_name else 0)
        if message.calls:
            cost += self.framing.per_call * len(message.calls)
            tally.estimated.add("calls")
        for block in message.media:
            cost += self._media(block)
            tally.estimated.add("media")
        return cost

    def _media(self, block: Mapping[str, Any]) -> int:
        if self.media is not None:
            return self.media if isinstance(self.media, int) else self.media(block)
        if not is_image(block):
            return FILE
        body = block.get("image_url", block)
        detail = body.get("detail") if hasattr(body, "get") else block.get("detail")
        return LOW_DETAIL_IMAGE if detail == "low" else IMAGES[self.form]


def _resolved(counter: str | Callable[[str], int] | None) -> Counter | None:
    if counter is None:
        return None
    from haversack.counters import Anchored, resolve

    found = resolve(counter)
    return found.freeze() if isinstance(found, Anchored) else found


def _default(form: str) -> Counter:
    """The exact counter of a form, if there is one; an estimate is never taken silently."""
    from haversack.counters import resolve
    from haversack.counters._names import listing

    if form in ("openai", "responses"):
        return resolve("o200k_base")
    raise InputError(
        f"messages without a cost need a counter, and {TITLES[form]} have no public tokenizer: their tokens "
        f'can only be estimated, and never silently. Say counter="{_ESTIMATES[form]}" (o200k_base times a '
        f"margin). {listing()}",
        field="counter",
    )


def is_image(block: Mapping[str, Any]) -> bool:
    """Whether a block of media is a picture."""
    blob = (
        block.get("inline_data") or block.get("inlineData") or block.get("file_data") or block.get("fileData")
    )
    if blob is not None:
        mapping = as_mapping(blob) or {}
        return str(mapping.get("mime_type", mapping.get("mimeType", ""))).startswith("image/")
    return block.get("type") in ("image", "image_url", "input_image", "computer_screenshot")


def checked_cost(cost: object, message: Message) -> int:
    """A cost as the caller gave it, if it is one."""
    if hasattr(cost, "item") and not isinstance(cost, (int, float)):
        cost = cost.item()  # a numpy scalar
    if type(cost) is not int or cost < 0:
        raise InputError(
            f"messages[{message.position}] (id {message.id!r}): cost is {cost!r}; it must be an int >= 0",
            path=f"messages[{message.position}].cost",
            id=message.id,
            field="cost",
            found=cost,
        )
    return cost
