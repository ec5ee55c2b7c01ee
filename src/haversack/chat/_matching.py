"""Which call a result answers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from haversack.chat._message import Call, Message, Result

    Key = tuple[str, str | None, str | None]


def match_results(messages: Iterable[Message], form: str) -> dict[int, Call]:
    """Match results to calls (rule 1): {id(result): call}. Marks the calls as answered."""
    waiting: dict[Key, list[Call]] = {}
    matched: dict[int, Call] = {}
    for message in messages:
        for result in message.results:
            call = _answer(waiting, result, form)
            if call is not None:
                call.answered = True
                matched[id(result)] = call
        for call in message.calls:
            call.answered = False
            for key in _call_keys(call, form):
                waiting.setdefault(key, []).append(call)
    return matched


def _call_keys(call: Call, form: str) -> tuple[Key, ...]:
    # In Responses the name is the kind of item: an output answers a call of its own kind.
    by_id = ("id", call.id, call.name if form == "responses" else None)
    if form != "gemini" and call.id is not None:
        return (by_id,)
    by_name = ("name", None, call.name)
    return (by_name,) if call.id is None else (by_id, by_name)


def _answer(waiting: dict[Key, list[Call]], result: Result, form: str) -> Call | None:
    if result.id is not None:
        found = _nearest(waiting.get(("id", result.id, result.name if form == "responses" else None)))
        if found is not None or form != "gemini":
            return found
        # A call may have come without the id its response has: then the name must do.
        named = waiting.get(("name", None, result.name), [])
        return _nearest([call for call in named if call.id is None])
    return _nearest(waiting.get(("name", None, result.name)))


def _nearest(calls: list[Call] | None) -> Call | None:
    """The first call that still waits, in the nearest message that has one."""
    while calls and calls[-1].answered:
        calls.pop()
    if not calls:
        return None
    position = calls[-1].position
    index = len(calls) - 1
    first = calls[-1]
    while index >= 0 and calls[index].position == position:
        if not calls[index].answered:
            first = calls[index]
        index -= 1
    return first
