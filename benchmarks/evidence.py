"""Read evidence sets: real questions with retrieved snippets, their token counts and retrieval scores.

A set NAME is two files of JSON lines in one folder:
`NAME.jsonl`, a question a line: `{"id", "query", "snippets": [ids], "dense": [...], "bm25": [...]}`;
`NAME.snippets.jsonl`, a snippet a line: `{"id", "text", "tokens"}`, where the text may be missing.
"""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any


def sets(folder: Path) -> list[str]:
    """Name the sets in *folder*."""
    return sorted(path.name.removesuffix(".snippets.jsonl") for path in folder.glob("*.snippets.jsonl"))


def questions(folder: Path, name: str) -> list[list[dict[str, Any]]]:
    """Return the snippets of every question with a cost in tokens and a value, ready to pack.

    A score is no value. Both scores are standardised within the question, and a snippet is taken to be worth
    exp(their sum) x sqrt(tokens): an odds-like rise with the score, and longer texts hold more.
    """
    known = {snippet["id"]: snippet for snippet in _lines(folder / f"{name}.snippets.jsonl")}
    return [_snippets(question, known) for question in _lines(folder / f"{name}.jsonl")]


def _snippets(question: dict[str, Any], known: dict[str, Any]) -> list[dict[str, Any]]:
    worth = zip(*(_standardised(question[score]) for score in ("dense", "bm25")), strict=True)
    return [
        {
            "id": identifier,
            "text": known[identifier].get("text"),
            "cost": known[identifier]["tokens"],
            "value": math.exp(dense + bm25) * math.sqrt(known[identifier]["tokens"]),
            "pinned": False,
        }
        for identifier, (dense, bm25) in zip(question["snippets"], worth, strict=True)
    ]


def _standardised(scores: list[float]) -> list[float]:
    mean, spread = statistics.fmean(scores), statistics.pstdev(scores) or 1.0
    return [(score - mean) / spread for score in scores]


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
