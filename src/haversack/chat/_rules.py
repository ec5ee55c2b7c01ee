"""`validate`: the table of rules, applied."""

from __future__ import annotations

from haversack._record import Record
from haversack.chat._checks import Given
from haversack.chat._forms import TITLES
from haversack.chat._table import RULES, Rule
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from haversack.chat._message import Message


class Violation(Record):
    """A rule that is broken, where (`position`), and how (`detail`)."""

    __slots__ = ("rule", "position", "detail")

    rule: Rule
    position: int
    detail: str

    def __init__(self, rule: Rule, position: int, detail: str) -> None:
        self._fill(rule, position, detail)

    def __str__(self) -> str:
        return (
            f"messages[{self.position}]: {self.detail} ({TITLES[self.rule.provider]}: {self.rule.sentence})"
        )


# Rules about neighbours within a unit; the others speak of the list as a whole.
_WITHIN = ("call answered at once", "result behind its call", "results first", "call behind user")


def validate(
    messages: Sequence[Any],
    form: str | None = None,
    *,
    open_call: str = "allowed",
    prefill: str = "allowed",
    strict: bool = False,
) -> tuple[Violation, ...]:
    """Judge whether a provider would accept *messages*: every rule of its form that they break.

    *open_call* says whether a call without its result may stand at the very end, where it is being carried
    out (`"allowed"`), or not (`"refused"`: the list is about to be sent); *prefill* the same of a final
    assistant message for Anthropic. *strict* raises an `InputError` that lists the violations.

    >>> [str(violation) for violation in validate([
    ...     {"role": "user", "content": "What is on the list?"},
    ...     {"role": "tool", "tool_call_id": "c1", "content": "milk"}])]
    ["messages[1]: the result of 'c1' follows no call for it (OpenAI chat: a tool message answers a call of \
the assistant message that its block of tool messages follows)"]
    """
    from haversack.chat._read import read

    for field, word in (("open_call", open_call), ("prefill", prefill)):
        if word not in ("allowed", "refused"):
            raise InputError(f"{field}={word!r} is neither 'allowed' nor 'refused'", field=field, found=word)
    conversation = read(messages, form=form)
    given = Given(conversation.messages, open_call == "allowed", prefill == "allowed")
    found = _apply([rule for rule in RULES if rule.provider == conversation.form], given)
    if strict and found:
        raise InputError(
            f"the messages are not valid: {'; '.join(map(str, found))}", field="messages", found=found
        )
    return found


def check_order(messages: Sequence[Message], form: str, *, within: bool = False) -> tuple[Violation, ...]:
    """Judge messages that have been read already; *within*: as one unit of a longer list."""
    rules = [rule for rule in RULES if rule.provider == form and (not within or rule.name in _WITHIN)]
    return _apply(rules, Given(messages, True, True, within))


def _apply(rules: Iterable[Rule], given: Given) -> tuple[Violation, ...]:
    return tuple(
        Violation(rule, position, detail) for rule in rules for position, detail in rule.check(given)
    )
