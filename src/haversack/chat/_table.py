"""What each provider demands of a list of messages: the table of rules.

The table is the specification: the packing is built to keep it, and the tests judge the packing by it. A
rule is here because the provider states it or refuses the request (400); what was only good manners, such
as roles that strictly alternate, is not: Anthropic joins turns of one role, and Google says alternation is
no demand of its API.
"""

from __future__ import annotations

from haversack._record import Record
from haversack.chat import _checks
from haversack.chat._forms import TITLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from haversack.chat._checks import Given


class Rule(Record):
    """One demand of one provider. `check` yields (position, what is wrong) for every place that breaks it."""

    __slots__ = ("provider", "name", "sentence", "check", "source")

    provider: str
    name: str
    sentence: str
    check: Callable[[Given], Iterable[tuple[int, str]]]
    source: str

    def __init__(
        self,
        provider: str,
        name: str,
        sentence: str,
        check: Callable[[Given], Iterable[tuple[int, str]]],
        source: str,
    ) -> None:
        self._fill(provider, name, sentence, check, source)


_OPENAI = "the API's 400 answers, and the docstrings of openai-python's message types"
_RESPONSES = "400 'No tool output found for function call ...', 'was provided without its required ...'"
_ANTHROPIC = "Messages API reference and its 400 answers"
_GEMINI = "generateContent's 400 answers"

RULES: tuple[Rule, ...] = (
    Rule(
        "openai",
        "content",
        "an assistant message has content, unless it makes calls",
        _checks.empty_messages,
        "openai-python: 'Required unless tool_calls or function_call is specified'",
    ),
    Rule(
        "openai",
        "call answered at once",
        "a message with tool_calls is followed directly by one tool message for each of its calls",
        _checks.calls_answered_at_once,
        _OPENAI,
    ),
    Rule(
        "openai",
        "result behind its call",
        "a tool message answers a call of the assistant message that its block of tool messages follows",
        _checks.results_behind_call,
        _OPENAI,
    ),
    Rule(
        "responses",
        "call answered",
        "a call item has its output item later in the list",
        _checks.calls_answered,
        _RESPONSES,
    ),
    Rule(
        "responses",
        "output has call",
        "an output item answers a call item that stands earlier and has no output yet",
        _checks.results_have_calls,
        _RESPONSES,
    ),
    Rule(
        "responses",
        "reasoning followed",
        "a reasoning item is followed by what it led to: another item of the same answer",
        _checks.reasoning_followed,
        _RESPONSES,
    ),
    Rule(
        "anthropic",
        "user first",
        "the first message is the user's, and holds no tool result",
        _checks.user_first,
        "400 'first message must use the \"user\" role'; relaxed in places since, kept as it always works",
    ),
    Rule(
        "anthropic",
        "content",
        "no message and no text block is empty or blank, save a final assistant message",
        _checks.empty_blocks,
        "400 'text content blocks must be non-empty', '... must contain non-whitespace text', "
        "'all messages must have non-empty content ...'",
    ),
    Rule(
        "anthropic",
        "call answered at once",
        "every tool_use of a turn has its tool_result in the next turn (one role in a row is one turn)",
        _checks.calls_answered_next_turn,
        "400 '`tool_use` ids were found without `tool_result` blocks immediately after'",
    ),
    Rule(
        "anthropic",
        "result behind its call",
        "every tool_result answers a tool_use of the turn before",
        _checks.results_of_turn_before,
        "400 'unexpected `tool_use_id` found in `tool_result` blocks'",
    ),
    Rule(
        "anthropic",
        "results first",
        "in a turn, tool results stand before anything else",
        _checks.results_first,
        "Anthropic, handling tool results: 'the tool_result blocks must come first in the content array'",
    ),
    Rule(
        "anthropic",
        "system behind user",
        "a system message within the conversation stands directly behind a user turn",
        _checks.system_behind_user,
        "Anthropic, mid-conversation system messages",
    ),
    Rule(
        "anthropic",
        "no prefill",
        "with prefill='refused' (models since Claude Opus 4.6): the last message is not the assistant's",
        _checks.no_prefill,
        "400 'This model does not support assistant message prefill'",
    ),
    Rule("gemini", "content", "a content has parts", _checks.empty_messages, _GEMINI),
    Rule(
        "gemini",
        "user first",
        "the first content is the user's, and holds no function response",
        _checks.user_first,
        "400 for a history that starts with a model turn or a function call",
    ),
    Rule(
        "gemini",
        "call behind user",
        "a function call turn comes immediately after a user turn or a function response turn",
        _checks.calls_behind_user,
        _GEMINI,
    ),
    Rule(
        "gemini",
        "call answered at once",
        "the turn behind a function call turn has as many function responses, for the same functions",
        _checks.calls_answered_next_turn,
        "400 'the number of function response parts is equal to the number of function call parts'",
    ),
    Rule(
        "gemini",
        "result behind its call",
        "a function response turn comes immediately after its function call turn",
        _checks.results_of_turn_before,
        _GEMINI,
    ),
    Rule(
        "gemini",
        "user last",
        "the last content is the user's or a function response",
        _checks.user_last,
        "400 'multiturn requests ends with a user role or a function response'",
    ),
    *(
        Rule(
            provider, "known keys", "no key but the provider's own", _checks.own_keys, "400 for unknown keys"
        )
        for provider in TITLES
    ),
)
