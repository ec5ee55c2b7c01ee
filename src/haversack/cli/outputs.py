"""The formats for programs and pipes: `json`, `jsonl`, `ids`, `text`. The table has a module of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from haversack import Packing
from haversack._figures import harmless
from haversack.cli.failures import CommandError

_LINES_AT_ONCE = 1_000


class Format(StrEnum):
    """What standard output holds."""

    table = "table"
    json = "json"
    jsonl = "jsonl"
    ids = "ids"
    text = "text"


def lines_of(packing: Packing[Any], form: Format, fields: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield the lines of *packing* in one of the formats for programs, without their line breaks.

    *fields* says under which keys the snippets' fields were read.
    """
    if form is Format.json:
        yield from object_lines(packing.to_dict(), "decisions")
    elif form is Format.jsonl:
        yield from map(dump, chosen_forms(packing, fields or {}))
    elif form is Format.ids:
        # One id a line is the promise to the next program, whatever an id holds, and a terminal obeys none.
        yield from (harmless(decision.id) for decision in packing.decisions if decision.chosen)
    else:
        yield from _texts(packing)


def chosen_forms(packing: Packing[Any], fields: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The chosen snippets, such that they can be packed again: of one with variants the form that was taken.

    It stands under the keys that its fields were read from, and keeps its name as `form`.
    """
    key = {name: fields.get(name, name) for name in ("id", "text", "value", "variants", "requires")}
    cost = fields.get("cost") or fields.get("tokens") or "cost"
    # Where tokens are read from a key of another name, these are the user's own.
    twins = () if "cost" in fields or "tokens" in fields else ("cost", "tokens")
    snippets = [one if isinstance(one, dict) else {"text": one} for one in packing.selected]
    is_needed = any(one.get(key["requires"]) for one in snippets)
    taken = (decision for decision in packing.decisions if decision.chosen)
    for snippet, decision, text in zip(snippets, taken, packing.texts, strict=True):
        # What others require by its place in the list will stand at another.
        named = {key["id"]: decision.id} if is_needed and snippet.get(key["id"]) is None else {}
        if not snippet.get(key["variants"]):
            yield {**named, **snippet}
            continue
        # Values that came of the order or of scores come of them again, of all or of none.
        value = decision.value if packing._model.valued_by == "given" else None
        form = {"form": decision.form, key["text"]: text, cost: decision.cost, key["value"]: value}
        told = (key["variants"], *twins, *form)
        kept = {name: found for name, found in snippet.items() if name not in told}
        yield {**named, **kept, **{name: found for name, found in form.items() if found is not None}}


def object_lines(written: Mapping[str, Any], long: str) -> Iterator[str]:
    """One object over many lines: a line a member, and a line for each item of the list under *long*."""
    opening = "{"
    for name, value in written.items():
        yield opening
        opening = f"  {dump(name)}: {dump(value)},"
        if value and name == long:
            yield f"  {dump(name)}: ["
            yield from list_lines(value, "    ")
            opening = "  ],"
    yield opening.removesuffix(",")
    yield "}"


def list_lines(items: Sequence[Any], indent: str = "  ") -> Iterator[str]:
    """The items of a list, one a line, so that people and `grep` can read them."""
    yield from (f"{indent}{dump(item)}," for item in items[:-1])
    yield from (f"{indent}{dump(item)}" for item in items[-1:])


def _texts(packing: Packing[Any]) -> Iterator[str]:
    """The chosen texts in input order, a blank line between two."""
    for position, text in enumerate(text for text in packing.texts if text):
        if position:
            yield ""
        yield text


def dump(value: Any) -> str:
    """JSON in readable UTF-8; escaped where a text holds half a surrogate pair, which UTF-8 cannot."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        raise CommandError(
            "a number of more than 4,300 digits cannot be written as JSON; divide all values by one number"
        ) from None
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def write_lines(lines: Iterable[str]) -> None:
    """Write to standard output in UTF-8, whatever the locale says; a reader that stops early is no error."""
    _write(_encoded(lines))


def write_text(text: str) -> None:
    """Write a text as it is, without a line break of our own."""
    _write([text.encode(errors="replace")])


def _write(pieces: Iterable[bytes]) -> None:
    if sys.stdout is None:
        raise CommandError("standard output is closed")
    binary = sys.stdout.buffer
    try:
        for piece in pieces:
            binary.write(piece)
        binary.flush()
    except BrokenPipeError:
        mute_stdout()
    except OSError as error:
        mute_stdout()
        raise unwritable(error) from None


def unwritable(error: OSError) -> CommandError:
    """Say why standard output cannot be written."""
    return CommandError(f"standard output cannot be written: {error.strerror or error}")


def _encoded(lines: Iterable[str]) -> Iterator[bytes]:
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if len(batch) == _LINES_AT_ONCE:
            yield _encode(batch)
            batch.clear()
    yield _encode(batch)


def _encode(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode(errors="replace")


def mute_stdout() -> None:
    """Send what is still buffered nowhere, or the interpreter would complain about it at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
