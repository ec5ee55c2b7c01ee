"""Pack an agent's turn: from candidate snippets to the prompt, and to a reason for everything left out.

    python examples/agent_turn.py
    python examples/agent_turn.py --budget 4000

The turn is the one `haversack demo` shows: a coding agent in the middle of a bug, with instructions,
messages, tool results, code, documents and memories, of which about half fit.
"""

from __future__ import annotations

import argparse
import json
from importlib.resources import files
from typing import Any

import haversack


def load_turn() -> dict[str, Any]:
    """Return the turn: {"budget", "reserve", "snippets"}. Yours comes from your agent's state."""
    turn: dict[str, Any] = json.loads(files("haversack").joinpath("demo", "turn.json").read_text("utf-8"))
    return turn


def render(packing: haversack.Packing[dict[str, Any]]) -> str:
    """Join the chosen texts in input order, each under a line that says where it is from.

    The demo's costs are estimates of the texts alone; where every token counts, count what you render.
    """
    pairs = zip(packing.selected, packing.texts, strict=True)
    return "\n\n".join(f"## {snippet['source']}\n{text}" for snippet, text in pairs)


def tokens_by_kind(snippets: list[dict[str, Any]]) -> dict[str, int]:
    """Sum up the tokens of each kind of snippet: what is the window full of?"""
    total: dict[str, int] = {}
    for snippet in snippets:
        kind = snippet["meta"]["kind"]
        total[kind] = total.get(kind, 0) + snippet["cost"]
    return total


def main() -> None:
    """Pack the turn, print the prompt's outline and what it cost to leave things out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--budget", type=int, help="tokens of the window; the turn's own if left out")
    turn = load_turn()
    budget = parser.parse_args().budget or turn["budget"]

    # An agent's prompt must fit, so pins that do not are an error here, not a warning.
    packing = haversack.pack(turn["snippets"], budget, reserve=turn["reserve"], over_budget="raise")

    print(packing)
    print()
    offered, packed = tokens_by_kind(turn["snippets"]), tokens_by_kind(packing.selected)
    for kind, tokens in offered.items():
        print(f"{kind:>12}: {packed.get(kind, 0):5,} of {tokens:5,} tokens")

    print("\nThe costliest things to do without:")
    out = [decision for decision in packing.decisions if not decision.chosen]
    for decision in sorted(out, key=lambda decision: -decision.value)[:5]:
        print(f"  {decision}")

    prompt = render(packing)
    print(f"\nThe prompt has {len(prompt):,} characters. It begins:\n")
    print("\n".join(prompt.splitlines()[:6]))


if __name__ == "__main__":
    main()
