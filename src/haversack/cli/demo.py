"""`haversack demo`: a packaged agent's turn, packed, shown and explained in plain sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from textwrap import wrap
from typing import Any

from rich.console import Console

import haversack
from haversack import Decision, InputError, OverBudgetError, Packing
from haversack._figures import number
from haversack.cli.failures import BAD_USAGE, PINS_OVER_BUDGET, CommandError
from haversack.cli.packing import in_its_words, over_budget_message
from haversack.cli.table import table_lines

_GO_ON = (
    ("haversack demo --json > turn.json", "the turn as a file"),
    ("haversack pack turn.json --budget 4000", "in a smaller window"),
    ("haversack pack turn.json --format ids | cat", "for the next program"),
    ("haversack pack --help", "your own JSON, JSON lines or CSV"),
)


_LONGEST_LINE = 100  # longer lines of prose are hard to read, however wide the terminal is


def turn_text() -> str:
    """Return the packaged turn as it is in the file, in the wire format."""
    return files("haversack").joinpath("demo", "turn.json").read_text(encoding="utf-8")


def story(budget: float | None, console: Console) -> list[str]:
    """Pack the turn into *budget*, or its own, and return the lines to print."""
    turn = json.loads(turn_text())
    if budget is not None:
        turn["budget"] = budget
    try:
        packing = haversack.pack_request({**turn, "over_budget": "raise"})
    except OverBudgetError as error:
        # What the library advises beyond a larger budget, the demo has no option for.
        message = over_budget_message(error).partition("; raise the budget")[0]
        raise CommandError(f"{message}; raise the budget", PINS_OVER_BUDGET) from None
    except InputError as error:
        raise CommandError(f"--budget: {in_its_words(str(error))}", BAD_USAGE) from None
    width = min(console.width, _LONGEST_LINE)
    return [
        *_wrapped(_scene(turn, packing), width),
        "",
        *table_lines(packing, console),
        "",
        "What happened",
        *(line for told in _explained(packing, turn["snippets"]) for line in _wrapped(f"- {told}", width)),
        "",
        "How to go on",
        *(f"  {command:45}{comment}" for command, comment in _GO_ON),
    ]


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, subsequent_indent="  " if text.startswith("- ") else "", break_on_hyphens=False)


def _scene(turn: dict[str, Any], packing: Packing[Any]) -> str:
    tokens = sum(snippet["cost"] for snippet in turn["snippets"])
    return (
        "A coding agent is in the middle of fixing a bug: a web shop charged a customer twice. "
        f"{len(turn['snippets'])} snippets, {tokens:,} tokens, could help with its next step. The window "
        f"holds {packing.budget:,}, of which {packing.reserve:,} are kept free for the answer. A snippet's "
        "value is how likely it is to be needed."
    )


def _explained(packing: Packing[Any], snippets: list[dict[str, Any]]) -> Iterator[str]:
    pinned = [decision for decision in packing.decisions if decision.reason == "pinned"]
    chosen = [decision for decision in packing.decisions if decision.chosen and decision.reason != "pinned"]
    names = ", ".join(str(decision.id) for decision in pinned)
    yield (
        f"{len(pinned)} snippets are pinned: {names}. They are in, whatever the others are worth, "
        f"take {_tokens(pinned):,} tokens and leave {packing.room:,}."
    )
    yield (
        f"{len(chosen)} of the other {len(snippets) - len(pinned)} were chosen to share that room. "
        f"They take {_tokens(chosen):,} tokens; {packing.remaining:,} stay unused."
    )
    yield from _left_out(packing)
    yield _proof(packing)
    by_value = _best_first(packing, snippets)
    if by_value < packing.value:
        ended = number(by_value)
        yield f"The usual loop, the most valuable first while they fit, would have ended at {ended}."


def _left_out(packing: Packing[Any]) -> Iterator[str]:
    by_reason: dict[str, list[Decision]] = {}
    for decision in packing.decisions:
        if not decision.chosen:
            by_reason.setdefault(decision.reason, []).append(decision)
    for reason, decisions in by_reason.items():
        most = max(decisions, key=lambda decision: decision.value)
        was = "was" if len(decisions) == 1 else "were"
        example = "" if len(decisions) == 1 else "The most valuable of them: "
        yield f"{len(decisions)} {was} left out as {reason.replace('_', ' ')}. {example}{most}."


def _proof(packing: Packing[Any]) -> str:
    value, bound, gap = number(packing.value), number(packing.bound), number(packing.gap)
    best = ": this is the best" if packing.optimal else ""
    return (
        f"What is in is worth {value}, and it is proven that no selection can be worth more than {bound}. "
        f"The gap is {gap}{best}."
    )


def _tokens(decisions: list[Decision]) -> int:
    return sum(decision.cost for decision in decisions)


def _best_first(packing: Packing[Any], snippets: list[dict[str, Any]]) -> float:
    """What the usual loop reaches: in order of value, skip what does not fit."""
    room, value = packing.room, sum(snippet["value"] for snippet in snippets if snippet.get("pinned"))
    for snippet in sorted(snippets, key=lambda snippet: -snippet["value"]):
        if not snippet.get("pinned") and snippet["cost"] <= room:
            room -= snippet["cost"]
            value += snippet["value"]
    return float(value)
