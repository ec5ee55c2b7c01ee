"""LangChain: `trim_messages` with the same keywords, an agent middleware, and a document compressor.

    from haversack.integrations.langchain import trim_messages      # instead of langchain_core.messages

What comes back is always valid: a tool call and its results are kept or dropped together. `.packing` of the
list says why each message is in or out.
"""

from __future__ import annotations

from typing import Any

from haversack._budget import budget_of
from haversack.chat._job import Foreign, Job
from haversack.chat._message import to_json
from haversack.chat._selection import Order
from haversack.chat.counting import NO_FRAMING
from haversack.exceptions import InputError
from haversack.integrations._extras import missing

try:
    from langchain_core.documents import BaseDocumentCompressor, Document
    from langchain_core.messages import (
        AIMessage,
        BaseMessage,
        SystemMessage,
        ToolMessage,
        convert_to_messages,
    )
    from langchain_core.messages.utils import count_tokens_approximately
    from pydantic import ConfigDict, PrivateAttr
except ImportError as error:  # pragma: no cover - tested in a process of its own
    raise missing("langchain-core", "langchain") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from haversack import Packing
    from haversack.chat._result import MessagePacking

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "function"}
# What every provider behind LangChain accepts: it starts with the user, and a call stands behind the user's
# side.
STRICT = Order(first_user=True, call_behind_user=True)


class Trimmed(list["BaseMessage"]):
    """The trimmed messages; `packing` is how they were chosen."""

    packing: MessagePacking

    def __init__(self, messages: Iterable[BaseMessage], packing: MessagePacking) -> None:
        super().__init__(messages)
        self.packing = packing


def trim_messages(
    messages: Iterable[Any],
    *,
    max_tokens: int,
    token_counter: Any,
    strategy: str = "last",
    allow_partial: bool = False,
    end_on: Any = None,
    start_on: Any = None,
    include_system: bool = False,
    text_splitter: Any = None,
) -> Trimmed:
    """Trim messages to *max_tokens*: LangChain's function, keyword by keyword, and always a valid result.

    Kept are the newest messages (*strategy* `"last"`) or the oldest (`"first"`), in units: a call and its
    results go together, and a result without its call is dropped. *token_counter* is a function of a list
    of messages or of one, a model, `len`, or `"approximate"`. *allow_partial* would send half a message: it
    is refused.

    >>> from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
    >>> call = {"id": "c1", "name": "look", "args": {}}
    >>> history = [HumanMessage("Look"), AIMessage("", tool_calls=[call]),
    ...            ToolMessage("seen", tool_call_id="c1"), AIMessage("It is there.")]
    >>> trimmed = trim_messages(history, max_tokens=2, token_counter=len)
    >>> [message.type for message in trimmed]        # LangChain's own keeps ['tool', 'ai']
    ['ai']
    >>> trimmed.packing["2"].reason
    'outvalued'
    """
    _check(strategy, allow_partial, text_splitter, start_on, include_system)
    history = convert_to_messages(list(messages))
    if end_on is not None and strategy == "last":
        history = history[: next((at + 1 for at in _downwards(history) if _is(history[at], end_on)), 0)]
    count = _counter(token_counter)
    system = include_system and bool(history) and isinstance(history[0], SystemMessage)
    budget = room = budget_of(max_tokens, "max_tokens")
    job = _job(history, count, system)
    for _ in range(8):
        packing = _kept(job, room, strategy, start_on, end_on, system)
        needed = count(packing.messages) if packing.messages else 0
        if needed <= budget:
            break
        room = min(room - 1, room * budget // needed)  # the counter does not add up message by message
    return Trimmed(packing.messages, packing)


def _check(
    strategy: str, allow_partial: bool, text_splitter: Any, start_on: Any, include_system: bool
) -> None:
    if strategy not in ("first", "last"):
        raise InputError(
            f"strategy={strategy!r} is neither 'first' nor 'last'", field="strategy", found=strategy
        )
    if allow_partial or text_splitter is not None:
        raise InputError(
            "allow_partial and text_splitter are not honoured: half a message may be half a tool result; "
            "haversack.pack_messages(elide=) shortens long texts, with a marker that says so",
            field="allow_partial",
        )
    if strategy == "first" and (start_on is not None or include_system):
        raise InputError("start_on and include_system go with strategy='last' only", field="strategy")


def _job(history: list[BaseMessage], count: Callable[[list[BaseMessage]], int], system: bool) -> Job:
    """Read the history once, every message at its own cost; what a counter adds once is the frame."""
    costs = {id(message): count([message]) for message in history}
    once = max(0, 2 * costs[id(history[0])] - count([history[0], history[0]])) if history else 0

    def reading(message: BaseMessage) -> Mapping[str, Any]:
        return {**read_message(message), "cost": max(0, costs[id(message)] - once)}

    job = Job(list(history), "openai", None, None, None, NO_FRAMING, None, Foreign(reading, rebuilt, Order()))
    job.tally.frame = once
    job.prepare(None, [job.messages[0].id] if system else (), ())
    for choice, unit in zip(job.choices, job.units, strict=True):  # no pins by default here
        choice.pinned = system and unit.messages[0].position == 0
    return job


def _kept(job: Job, room: int, strategy: str, start_on: Any, end_on: Any, system: bool) -> MessagePacking:
    """Keep units from one end while they fit, and of those the ones between *start_on* and *end_on*."""
    before = [choice.allowed for choice in job.choices]
    if strategy == "first":
        left = room - job.tally.frame
        for choice in job.choices:
            left -= choice.costs[0] if choice.allowed and left >= choice.costs[0] else max(0, left + 1)
            choice.allowed = choice.allowed and left >= 0
    packing = _run(job, room)
    if start_on is not None or (end_on is not None and strategy == "first"):
        kept = [
            index
            for index, unit in enumerate(job.units)
            if packing.decisions[unit.messages[0].position].chosen
        ]
        kept = kept[1:] if system and kept else kept
        while kept and start_on is not None and not _is(job.units[kept[0]].messages[0].source, start_on):
            kept.pop(0)
        while kept and strategy == "first" and not _is(job.units[kept[-1]].messages[-1].source, end_on):
            kept.pop()
        for index, choice in enumerate(job.choices):
            choice.allowed = choice.allowed and (index in kept or choice.pinned)
        packing = _run(job, room)
    for choice, allowed in zip(job.choices, before, strict=True):
        choice.allowed = allowed
    return packing


def _run(job: Job, room: int) -> MessagePacking:
    return job.run(max(0, room), 0, True, None, 1.0, "allow", depth=3, whole_turns=False)


def _downwards(messages: Sequence[Any]) -> Iterator[int]:
    return iter(range(len(messages) - 1, -1, -1))


def read_message(message: BaseMessage) -> dict[str, Any]:
    """What a LangChain message reads like in the OpenAI chat form."""
    role = _ROLES.get(message.type, getattr(message, "role", None))
    read: dict[str, Any] = {"role": role, "content": _content(message.content)}
    if message.id:
        read["id"] = message.id
    if isinstance(message, AIMessage) and message.tool_calls:
        read["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": to_json(call["args"])},
            }
            for call in message.tool_calls
        ]
    if isinstance(message, ToolMessage):
        read["tool_call_id"] = message.tool_call_id
    elif message.name:
        read["name"] = message.name
    return read


def _content(content: Any) -> Any:
    """Content without blocks that repeat a call (Anthropic's tool_use), which is read from `tool_calls`."""
    if not isinstance(content, list):
        return content
    return [block for block in content if not (isinstance(block, dict) and block.get("type") == "tool_use")]


def rebuilt(message: BaseMessage, read: Mapping[str, Any]) -> BaseMessage:
    """A copy of a message with the content it should have now."""
    return message.model_copy(update={"content": read["content"]})


def _length(messages: list[BaseMessage]) -> int:
    return len(messages)


def _counter(token_counter: Any) -> Callable[[list[BaseMessage]], int]:
    if token_counter is len:
        return _length
    if token_counter == "approximate":
        return count_tokens_approximately
    found = getattr(token_counter, "get_num_tokens_from_messages", token_counter)
    if not callable(found):
        raise InputError(
            f"token_counter={token_counter!r} is no function, no model with get_num_tokens_from_messages, "
            "and not 'approximate'",
            field="token_counter",
            found=token_counter,
        )
    if found is token_counter and _takes_one(token_counter):
        return lambda messages: sum(token_counter(message) for message in messages)
    counted: Callable[[list[BaseMessage]], int] = found
    return counted


def _takes_one(counter: Callable[..., Any]) -> bool:
    """LangChain's rule: a counter whose first parameter is annotated BaseMessage counts one message."""
    import inspect

    try:
        first = next(iter(inspect.signature(counter).parameters.values()), None)
    except (TypeError, ValueError):
        return False
    return first is not None and first.annotation in (BaseMessage, "BaseMessage")


def _is(message: BaseMessage, kinds: Any) -> bool:
    wanted = kinds if isinstance(kinds, (list, tuple)) else [kinds]
    return any(
        message.type == kind if isinstance(kind, str) else isinstance(message, kind) for kind in wanted
    )


class PackingCompressor(BaseDocumentCompressor):
    """Keeps of the retrieved documents the set of greatest value within a budget of tokens.

    Documents come best first, as retrievers return them; *value* (a function of a document) says better
    what each is worth: best the probability that it is needed, never a raw similarity. They are counted as
    they will stand, joined by *separator*. `packing` holds the last result, `packing.text` the joined text.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    budget: int
    counter: Any
    value: Any = None
    separator: str = "\n\n"
    _packing: Any = PrivateAttr(default=None)

    @property
    def packing(self) -> Packing[Any]:
        """How the last documents were chosen."""
        found: Packing[Any] = self._packing
        return found

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Any = None
    ) -> list[Document]:
        """Keep the best set, in the order in which the documents came."""
        from haversack import pack
        from haversack.renderers import Renderer

        snippets = [
            {"text": document.page_content, "value": self.value(document) if self.value else None}
            for document in documents
        ]
        joined = Renderer(separator=self.separator)
        self._packing = pack(snippets, self.budget, counter=self.counter, render=joined)
        return [documents[decision.position] for decision in self._packing.decisions if decision.chosen]
