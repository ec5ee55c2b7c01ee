"""Values for snippets that have none: from a question, or from nothing but their length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from haversack._extras import MissingExtraError
from haversack.cli.failures import BAD_USAGE, CommandError
from haversack.cli.inputs import Inputs
from haversack.cli.search import bm25, values


def value_inputs(inputs: Inputs, query: str | None, fields: Mapping[str, str]) -> None:
    """Give values to snippets that have none, if there is anything to go by."""
    try:
        if query is not None:
            value_by_query(inputs, query, fields)
        elif value_by_length(inputs):
            inputs.valued = "no --query: files are valued by the root of their length"
    except MissingExtraError as error:
        raise CommandError(str(error)) from None


def value_by_query(inputs: Inputs, query: str, fields: Mapping[str, str]) -> None:
    """Give every snippet with a text its value for *query*; refuse snippets that have values already."""
    valued = next((at for at, one in enumerate(inputs.snippets) if _has_value(one, fields)), None)
    if valued is not None:
        name, line = inputs.place(valued)
        raise CommandError(
            f"{name}:{line}: has a value already, and --query gives values: drop one of the two", BAD_USAGE
        )
    positions = [at for at, one in enumerate(inputs.snippets) if _text(one, fields)]
    texts = [_text(inputs.snippets[at], fields) for at in positions]
    titles = [_title(inputs.snippets[at]) for at in positions]
    scores = bm25(query, [f"{title}\n{text}" for title, text in zip(titles, texts, strict=True)])
    if positions and not any(scores):
        inputs.notes.append(f"no word of the query is in any of the {len(positions):,} texts")
    _fill(inputs, positions, scores, texts)


def value_by_length(inputs: Inputs) -> bool:
    """Value files that a directory or a pattern found alike; False where somebody else values or orders them.

    The order in which they were found says nothing about them, so they are not taken as best first.
    """
    is_found = bool(inputs.texts) and inputs.gathered and len(inputs.texts) == len(inputs.snippets)
    if is_found:
        texts = [inputs.snippets[at]["text"] for at in inputs.texts]
        _fill(inputs, inputs.texts, [0.0] * len(texts), texts)
    return is_found


def _fill(inputs: Inputs, positions: list[int], scores: list[float], texts: list[str]) -> None:
    # Bytes stand for tokens here: the formula takes a root of them, and values are shares of one another.
    sizes = [len(text.encode(errors="replace")) for text in texts]
    for at, value in zip(positions, values(scores, sizes), strict=True):
        one = inputs.snippets[at]
        inputs.snippets[at] = {**({"text": one} if isinstance(one, str) else one), "value": value}


def _has_value(one: Any, fields: Mapping[str, str]) -> bool:
    names = ("value", "score", "scores", fields.get("value", "value"))
    return isinstance(one, dict) and any(one.get(name) is not None for name in names)


def _text(one: Any, fields: Mapping[str, str]) -> str:
    found = one.get(fields.get("text", "text")) if isinstance(one, dict) else one
    return found if isinstance(found, str) else ""


def _title(one: Any) -> str:
    return str(one.get("source") or one.get("id") or "") if isinstance(one, dict) else ""
