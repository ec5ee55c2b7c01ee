"""The table of rules: each rule is broken by a small list, and kept by its repaired twin."""

from __future__ import annotations

from typing import Any

import pytest

from haversack import InputError
from haversack.chat import RULES, validate

from .test_units import calls, result, says, user

USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}
ANSWER = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}
SYSTEM = {"role": "system", "content": "Rhyme."}
FUNCTION_CALL = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "a", "output": "x"}
REASONING = {"type": "reasoning", "summary": []}
ASKS = {"role": "user", "parts": [{"text": "x"}]}
TELLS = {"role": "model", "parts": [{"text": "x"}]}
CALLS = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
RESPONDS = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}

BROKEN_AND_KEPT: dict[tuple[str, str], tuple[list[Any], list[Any]]] = {
    ("openai", "content"): ([user(), {"role": "assistant", "content": None}], [user(), says("")]),
    ("openai", "call answered at once"): (
        [user(), calls("a"), user(), result("a")],
        [user(), calls("a"), result("a"), user()],
    ),
    ("openai", "result behind its call"): ([user(), says(), result("a")], [user(), calls("a"), result("a")]),
    ("openai", "known keys"): ([{**user(), "value": 3}], [user()]),
    ("responses", "call answered"): ([FUNCTION_CALL, user()], [FUNCTION_CALL, user(), OUTPUT]),
    ("responses", "output has call"): (
        [user(), OUTPUT, FUNCTION_CALL, OUTPUT],
        [user(), FUNCTION_CALL, OUTPUT],
    ),
    ("responses", "reasoning followed"): ([REASONING, user()], [REASONING, FUNCTION_CALL, OUTPUT, user()]),
    ("responses", "known keys"): ([{**OUTPUT, "pinned": True}, FUNCTION_CALL], [FUNCTION_CALL, OUTPUT]),
    ("anthropic", "user first"): ([says(), user()], [user(), says()]),
    ("anthropic", "content"): (
        [user(), {"role": "user", "content": [{"type": "text", "text": ""}]}],
        [user(), {"role": "assistant", "content": []}],
    ),
    ("anthropic", "call answered at once"): ([user(), USE, user()], [user(), USE, ANSWER, user()]),
    ("anthropic", "result behind its call"): ([user(), says(), ANSWER], [user(), USE, ANSWER]),
    ("anthropic", "results first"): ([user(), USE, user(), ANSWER], [user(), USE, ANSWER, user()]),
    ("anthropic", "system behind user"): ([user(), says(), SYSTEM], [user(), SYSTEM, says()]),
    ("anthropic", "no prefill"): ([user(), says()], [user()]),
    ("anthropic", "known keys"): ([{**user(), "cost": 3}], [user()]),
    ("gemini", "content"): ([{"role": "user", "parts": []}], [ASKS]),
    ("gemini", "user first"): ([TELLS, ASKS], [ASKS]),
    ("gemini", "call behind user"): ([ASKS, TELLS, CALLS, RESPONDS], [ASKS, CALLS, RESPONDS]),
    ("gemini", "call answered at once"): ([ASKS, CALLS, ASKS], [ASKS, CALLS, RESPONDS, ASKS]),
    ("gemini", "result behind its call"): ([ASKS, RESPONDS], [ASKS, CALLS, RESPONDS]),
    ("gemini", "user last"): ([ASKS, TELLS], [ASKS, TELLS, ASKS]),
    ("gemini", "known keys"): ([{**ASKS, "value": 1}], [ASKS]),
}


def test_every_rule_of_the_table_has_its_pair() -> None:
    """A new rule needs a list that breaks it and one that keeps it."""
    assert {(rule.provider, rule.name) for rule in RULES} == set(BROKEN_AND_KEPT)


@pytest.mark.parametrize(("provider", "name"), BROKEN_AND_KEPT)
def test_a_rule_finds_what_breaks_it_and_passes_what_keeps_it(provider: str, name: str) -> None:
    """By the rule's own check, and no other rule objects to the kept list."""
    broken, kept = BROKEN_AND_KEPT[provider, name]
    prefill = "refused" if name == "no prefill" else "allowed"

    assert name in [found.rule.name for found in validate(broken, provider, prefill=prefill)]
    assert validate(kept, provider, prefill=prefill) == ()


def test_rules_read_as_sentences_with_their_source() -> None:
    """The table is documentation."""
    for rule in RULES:
        assert rule.sentence[0].islower()
        assert len(rule.source) > 10


@pytest.mark.parametrize(
    ("form", "messages"),
    [
        ("openai", [user(), calls("a", "b"), result("a")]),
        ("responses", [user(), FUNCTION_CALL]),
        ("anthropic", [user(), USE]),
        ("gemini", [ASKS, CALLS]),
    ],
)
def test_a_call_under_way_is_allowed_or_refused(form: str, messages: list[Any]) -> None:
    """At the very end a call may wait; about to be sent it may not."""
    assert validate(messages, form) == ()
    assert len(validate(messages, form, open_call="refused")) == 1 + (form == "gemini")


def test_roles_need_not_alternate() -> None:
    """Anthropic joins them, the others do not mind."""
    for form in ("openai", "responses", "anthropic"):
        assert validate([user(), user(), says(), says(), user()], form) == ()


def test_strict_raises_with_all_violations() -> None:
    """And the settings are checked."""
    with pytest.raises(InputError, match=r"messages\[0\].*messages\[1\]"):
        validate([result("a"), result("b")], strict=True)
    with pytest.raises(InputError, match="open_call='maybe'"):
        validate([], open_call="maybe")
