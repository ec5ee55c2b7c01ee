"""Where the results of a command go: standard output, a file, and what is said on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from rich.console import Console

from haversack import Packing
from haversack._figures import harmless, number
from haversack.cli.failures import CommandError, bad_line
from haversack.cli.files import EMPTY, decode
from haversack.cli.inputs import Inputs
from haversack.cli.outputs import Format, lines_of, write_lines, write_text
from haversack.cli.table import summary, table_lines

_SHOWN = 10  # skipped files that are named
_FORMATS = {".json": Format.json, ".jsonl": Format.jsonl, ".ndjson": Format.jsonl, ".ids": Format.ids}


def write(
    packing: Packing[Any],
    form: Format | None,
    output: str | None,
    rows: int,
    fields: Mapping[str, str] | None = None,
) -> None:
    """Write a packing where it was asked for; beside a file, a terminal still gets the table."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    if output is not None:
        write_file(
            packing, form or _FORMATS.get(PurePath(output).suffix.lower(), Format.text), output, fields
        )
        form = Format.table if terminal else None
    elif form is None:
        form = Format.table if terminal else Format.json
    if form is Format.table:
        write_lines(table_lines(packing, Console(), rows))
    elif form is Format.text and packing.text is not None:
        write_text(packing.text if packing.text.endswith("\n") or not terminal else f"{packing.text}\n")
    elif form is not None:
        write_lines(lines_of(packing, form, fields))


def write_file(
    packing: Packing[Any], form: Format, path: str, fields: Mapping[str, str] | None = None
) -> None:
    """Write a packing into a file; a text to the last byte as it was counted."""
    if form is Format.table:
        raise CommandError("a table goes to a terminal, not into a file: pick another --format")
    text = packing.text if form is Format.text else None
    if text is None:
        text = "".join(f"{line}\n" for line in lines_of(packing, form, fields))
    try:
        with open(path, "w", encoding="utf-8", newline="", errors="replace") as file:
            file.write(text)
    except OSError as error:
        raise bad_line(path, None, f"cannot be written: {error.strerror or error}") from None


def read_header(path: str | None) -> str:
    """Read the text of `--header-file`."""
    if path is None:
        return ""
    try:
        with open(path, "rb") as file:
            text, reason = decode(file.read())
    except OSError as error:
        raise bad_line(path, None, f"cannot be read: {error.strerror or error}") from None
    if text is None:
        raise bad_line(path, None, f"is no text: {reason}")
    return text


def report(inputs: Inputs, packing: Packing[Any], quiet: bool) -> None:
    """Say what was skipped, what to beware of, and, unless quiet, what was packed."""
    tell_skipped(inputs)
    tell_about(packing, inputs.notes, quiet, inputs.valued)


def tell_about(packing: Packing[Any], notes: Iterable[str], quiet: bool, valued: str = "") -> None:
    """Say what to beware of, and, unless quiet, what was packed and how it was *valued*."""
    for note in notes:
        tell(f"warning: {note}")
    if packing.over_budget:
        tell(f"warning: over the budget by {number(packing.over_budget)} tokens: {_too_large(packing)}")
    if not quiet:
        tell(summary(packing) + (f"; {valued}" if valued else ""))


def tell_skipped(inputs: Inputs) -> None:
    """List the files that could not be read as text, and why; of empty ones only how many there were."""
    empty = sum(reason == EMPTY for _, reason in inputs.skipped)
    others = [(path, reason) for path, reason in inputs.skipped if reason != EMPTY]
    if empty:
        tell(f"skipped {_files(empty, 'empty file')}")
    if others:
        tell(f"skipped {_files(len(others), 'file')}:")
    for path, reason in others[:_SHOWN]:
        tell(f"  {path}: {reason}")
    if len(others) > _SHOWN:
        tell(f"  and {len(others) - _SHOWN:,} more")


def _files(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _too_large(packing: Packing[Any]) -> str:
    if packing.frame and packing.capacity <= 0:
        return "the header and what goes with it do not fit"
    return f"the pinned {packing._noun}s do not fit"


def tell(message: str) -> None:
    """Say something on standard error, if anybody listens."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"haversack: {harmless(message)}\n")
            sys.stderr.flush()
