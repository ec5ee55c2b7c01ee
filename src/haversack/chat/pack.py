"""`pack_messages`: a conversation that outgrew its window, made to fit, and still valid."""

from __future__ import annotations

from haversack._budget import budget_of, reserve_of
from haversack._settings import refuse_unknown_choice
from haversack.chat._elide import checked_sizes
from haversack.chat._job import Job
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Literal

    from haversack.chat._pins import Pins, Values
    from haversack.chat._result import MessagePacking
    from haversack.chat.counting import Framing, Media


def pack_messages(
    messages: Iterable[Any],
    budget: int | float,
    *,
    system: Any = None,
    reserve: int | float = 0,
    tools: Any = None,
    counter: str | Callable[[str], int] | None = None,
    value: Values = None,
    pinned: Pins = None,
    contiguous: bool | None = None,
    previous: Any = None,
    target: float = 0.6,
    over_budget: Literal["raise", "warn", "allow"] = "raise",
    elide: int | Sequence[int] | None = None,
    form: str | None = None,
    framing: Framing | None = None,
    media: Media | None = None,
) -> MessagePacking:
    """Choose the messages that are sent, within `budget - reserve` tokens, so that the provider accepts them.

    A call and all its results stay together, the list starts and ends as the provider demands, and what no
    provider would accept (a result without its call) is left out and reported. By default recent turns
    matter most: whole turns are kept, back from the newest. With values, or pins elsewhere, the best set
    wins.

    Args:
        messages: OpenAI chat, OpenAI Responses items, Anthropic or Gemini; dicts or SDK objects. A message
            may carry `cost`, `value` and `pinned`; it is then sent as a copy without them.
        budget: The window in tokens, for messages, *system*, *tools* and the provider's framing.
        system: The system prompt where it is sent beside the messages; counted, never dropped.
        reserve: Tokens kept free for the answer.
        tools: Tool definitions that are sent along; counted.
        counter: A counter's name or any callable from str to int. None is `"o200k_base"` for OpenAI's forms,
            an error for the others, which have estimates only; not needed if every message has its `cost`.
        value: What each message is worth: a callable, a list parallel to *messages*, or a mapping by id.
        pinned: Ids, or a predicate of a message: pinned besides those pinned by default, which are system
            messages, the last user message that is no tool result, and the newest unit. `()` pins none of
            these.
        contiguous: True keeps whole turns back from the newest, False the best set; None decides as said
            above.
        previous: The last packing, its dict, or ids: it is kept and appended to while that fits, so that the
            provider's cache stays warm; else the messages are cut once, down to *target* of the capacity.
        over_budget: What happens if the pins alone are over: `"raise"`, `"warn"` or `"allow"`.
        elide: Tokens to which long texts may be shortened before their message is dropped; one number or
            several.
        form: `"openai"`, `"responses"`, `"anthropic"` or `"gemini"`, if it should not be recognised.
        framing: The tokens around messages, if not the provider's own; media: those of an image or file.

    >>> packing = pack_messages(
    ...     [{"role": "system", "content": "Be brief."},
    ...      {"role": "user", "content": "Tell me about the sea, at length."},
    ...      {"role": "assistant", "content": "It is wide, it is deep, and it is mostly water."},
    ...      {"role": "user", "content": "And the sky?"}],
    ...     budget=30, counter=lambda text: len(text.split()))
    >>> [message["content"] for message in packing.messages]
    ['Be brief.', 'And the sky?']
    >>> print(packing["1"])
    1 is out: outvalued, as its turn needs 26 tokens where 14 are left; newer turns come first
    """
    if over_budget not in ("raise", "warn", "allow"):
        refuse_unknown_choice("over_budget", over_budget, ("raise", "warn", "allow"))
    if not isinstance(target, (int, float)) or not 0 < target <= 1:
        raise InputError(
            f"target={target!r} is no share: a number above 0, at most 1", field="target", found=target
        )
    if isinstance(messages, (str, bytes, dict)):
        raise InputError(
            f"messages is a {type(messages).__name__}; pass a list of messages",
            field="messages",
            found=messages,
        )
    job = Job(list(messages), form, system, tools, counter, framing, media)
    job.prepare(value, pinned, checked_sizes(elide))
    return job.run(
        budget_of(budget), reserve_of(reserve), contiguous, previous, float(target), over_budget, depth=3
    )
