"""The checks behind the table of rules. Each yields (position, what is wrong); none uses the units."""

from __future__ import annotations

from haversack.chat._anthropic import without_blanks
from haversack.chat._message import OWN_KEYS, blocks_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from haversack.chat._message import Call, Message, Result

    Found = Iterator[tuple[int, str]]


class Given:
    """What a check is given. `within`: the messages are one unit of a longer list."""

    __slots__ = ("messages", "open_allowed", "prefill_allowed", "within")

    def __init__(
        self, messages: Sequence[Message], open_allowed: bool, prefill_allowed: bool, within: bool = False
    ) -> None:
        self.messages = messages
        self.open_allowed = open_allowed
        self.prefill_allowed = prefill_allowed
        self.within = within


def own_keys(given: Given) -> Found:
    for position, message in enumerate(given.messages):
        for key in OWN_KEYS:
            if key in message.data:
                yield position, f"it carries {key!r}, a key of ours that the provider does not know"


def empty_messages(given: Given) -> Found:
    for position, message in enumerate(given.messages):
        if message.empty:
            yield position, "it has no content"


def empty_blocks(given: Given) -> Found:
    for position, message in enumerate(given.messages):
        if message.empty and not (message is given.messages[-1] and message.kind == "assistant"):
            yield position, "it has no content"
        elif without_blanks(message.data) is not None:
            yield position, "it has a text block without text"


def user_first(given: Given) -> Found:
    first = given.messages[0] if given.messages else None
    if first is not None and first.kind != "user":
        yield 0, f"the list starts with {_what(first)}"


def user_last(given: Given) -> Found:
    last = given.messages[-1] if given.messages else None
    if last is not None and _side(last) != "user" and not (last.calls and given.open_allowed):
        yield len(given.messages) - 1, f"the list ends with {_what(last)}"


def no_prefill(given: Given) -> Found:
    last = given.messages[-1] if given.messages else None
    if last is not None and last.kind == "assistant" and not given.prefill_allowed and not last.calls:
        yield len(given.messages) - 1, "the list ends with an assistant message"


def system_behind_user(given: Given) -> Found:
    for position, message in enumerate(given.messages):
        if message.kind == "system" and (position == 0 or _side(given.messages[position - 1]) == "model"):
            yield position, "it does not stand behind a user turn"


def calls_behind_user(given: Given) -> Found:
    for position, message in enumerate(given.messages):
        if message.calls and not (position == 0 and given.within):
            before = given.messages[position - 1] if position else None
            if before is None or _side(before) != "user":
                yield position, f"its call stands behind {_what(before)}"


# OpenAI chat: a block of tool messages right behind the message that calls


def calls_answered_at_once(given: Given) -> Found:
    for position, message in enumerate(given.messages):
        if not message.calls:
            continue
        block, end = _block(given.messages, position)
        missing, _ = _compare(message.calls, [result for found in block for result in found.results])
        if missing and not (given.open_allowed and end == len(given.messages)):
            yield position, f"its call {_names(missing)} has no result directly behind it"


def results_behind_call(given: Given) -> Found:
    caller: int | None = None
    for position, message in enumerate(given.messages):
        if message.kind != "result":
            caller = position if message.calls else None
            continue
        if caller is None:
            yield position, f"the result of {message.results[0]} follows no call for it"
            continue
        before = [r for found in given.messages[caller + 1 : position] for r in found.results]
        _, strangers = _compare(given.messages[caller].calls, [*before, *message.results])
        if any(stranger is own for stranger in strangers for own in message.results):
            yield position, f"the result of {strangers[-1]} follows no call for it"


def _block(messages: Sequence[Message], position: int) -> tuple[Sequence[Message], int]:
    end = position + 1
    while end < len(messages) and messages[end].kind == "result":
        end += 1
    return messages[position + 1 : end], end


# Responses: anywhere later


def calls_answered(given: Given) -> Found:
    waiting: dict[tuple[str | None, str | None], list[int]] = {}
    asked = -1
    for position, message in enumerate(given.messages):
        if message.kind == "user":
            asked = position
        for result in message.results:
            if waiting.get((result.id, result.name)):
                waiting[result.id, result.name].pop()
        for call in message.calls:
            waiting.setdefault((call.id, call.name), []).append(position)
    for (call_id, _), positions in waiting.items():
        for position in positions:
            if position < asked or not given.open_allowed:
                yield position, f"its call {call_id!r} has no output"


def results_have_calls(given: Given) -> Found:
    waiting: dict[tuple[str | None, str | None], int] = {}
    for position, message in enumerate(given.messages):
        for result in message.results:
            key = (result.id, result.name)
            if waiting.get(key, 0) < 1:
                yield position, f"the output for {result} follows no call for it"
            waiting[key] = waiting.get(key, 0) - 1
        for call in message.calls:
            waiting[call.id, call.name] = max(0, waiting.get((call.id, call.name), 0)) + 1


def reasoning_followed(given: Given) -> Found:
    for position, message in enumerate(given.messages):
        if message.data.get("type") == "reasoning":
            after = given.messages[position + 1] if position + 1 < len(given.messages) else None
            if after is None or after.kind != "assistant":
                yield position, f"it is followed by {_what(after)}"


# Anthropic and Gemini: the next turn


def calls_answered_next_turn(given: Given) -> Found:
    turns = _turns(given.messages)
    for number, (start, turn) in enumerate(turns):
        calls = [call for message in turn for call in message.calls if not call.provider]
        after = turns[number + 1][1] if number + 1 < len(turns) else []
        missing, _ = _compare(calls, [result for message in after for result in message.results])
        waiting = (
            given.open_allowed and number + 2 >= len(turns) and all(m.results and not m.asks for m in after)
        )
        if missing and not waiting:
            yield start, f"its call {_names(missing)} has no result in the next turn"


def results_of_turn_before(given: Given) -> Found:
    turns = _turns(given.messages)
    for number, (start, turn) in enumerate(turns):
        results = [result for message in turn for result in message.results if not result.provider]
        calls = (
            [c for message in turns[number - 1][1] for c in message.calls if not c.provider] if number else []
        )
        _, strangers = _compare(calls, results)
        if strangers:
            yield start, f"the result of {', '.join(map(str, strangers))} answers no call of the turn before"


def results_first(given: Given) -> Found:
    for start, turn in _turns(given.messages):
        other = False
        for offset, message in enumerate(turn):
            if message.kind not in ("result", "user"):
                break
            content = message.data.get("content")
            kinds = (
                ["text"] if isinstance(content, str) else [block.get("type") for block in blocks_of(content)]
            )
            for kind in kinds:
                if kind == "tool_result" and other:
                    yield start + offset, "a tool result stands behind other content of its turn"
                other = other or kind != "tool_result"


def _turns(messages: Sequence[Message]) -> list[tuple[int, list[Message]]]:
    """Messages of one side in a row, with the position of the first."""
    turns: list[tuple[int, list[Message]]] = []
    for position, message in enumerate(messages):
        if turns and _side(turns[-1][1][-1]) == _side(message):
            turns[-1][1].append(message)
        else:
            turns.append((position, [message]))
    return turns


def _compare(
    calls: Sequence[Call], results: Sequence[Result], *, named: bool = False
) -> tuple[list[Call], list[Result]]:
    """The calls that no result answers, and the results that answer no call; each answers one."""
    missing, strangers = list(calls), []
    for result in results:
        for index, call in enumerate(missing):
            by_id = result.id is not None and call.id is not None
            same = result.id == call.id and (not named or result.name == call.name)
            if same if by_id else result.name == call.name and result.name is not None:
                del missing[index]
                break
        else:
            strangers.append(result)
    return missing, strangers


def _names(calls: Sequence[Call]) -> str:
    return ", ".join(repr(call.id if call.id is not None else call.name) for call in calls)


_NAMES = {
    "system": "a system message",
    "assistant": "a model turn",
    "result": "a result",
    "user": "a user message",
}


def _side(message: Message) -> str:
    return {"system": "system", "assistant": "model"}.get(message.kind, "user")


def _what(message: Message | None) -> str:
    return "nothing" if message is None else _NAMES[message.kind]
