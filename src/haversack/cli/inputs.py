"""Read the files of one command as one input, knowing where each snippet came from."""

from __future__ import annotations

import codecs
import sys
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from haversack.cli.csv_text import NUMERIC, read_csv
from haversack.cli.failures import BAD_USAGE, CommandError, bad_line
from haversack.cli.json_text import JsonText
from haversack.cli.progress import Progress

STDIN = "-"
_JSON_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})
_CSV_SUFFIXES = frozenset({".csv", ".tsv"})
_DELIMITERS = frozenset(",;\t")


class Inputs:
    """The snippets of all files, in order, and what the files say about the packing.

    `settings` maps a setting to its value, `where` to the place that says so ("turn.json:2"); `notes` are
    warnings for the user.
    """

    def __init__(self) -> None:
        self.snippets: list[Any] = []
        self.settings: dict[str, Any] = {}
        self.where: dict[str, str] = {}
        self.notes: list[str] = []
        self._conflicts: dict[str, str] = {}  # setting -> a second place, which says something else
        self._names: list[str] = []
        self._firsts: list[int] = []  # the position of each file's first snippet
        self._lines: list[Sequence[int]] = []

    def place(self, position: int) -> tuple[str, int]:
        """Return the file's name and the line (from 1) of the snippet at *position* in the whole input."""
        file = bisect_right(self._firsts, position) - 1
        return self._names[file], self._lines[file][position - self._firsts[file]]

    def add_file(self, path: str, fields: Mapping[str, str], progress: Progress) -> None:
        """Read one more file, or standard input for `-`; a `CommandError` names file and line."""
        name, text = read_text(path)
        first = len(self.snippets)
        if _is_csv(path, text):
            numeric, truth = _columns(NUMERIC, fields), _columns(("pinned",), fields)
            snippets, lines = read_csv(text, name, progress.report, numeric, truth)
        else:
            json_text = JsonText(text, name, progress.report, first)
            json_text.read()
            snippets, lines = json_text.snippets, json_text.lines
            self._add_settings(json_text, name)
            if not text.strip():
                self._note_empty(path, name)
        self.snippets += snippets
        self._names.append(name)
        self._firsts.append(first)
        self._lines.append(lines)

    def _add_settings(self, file: JsonText, name: str) -> None:
        for key, value in file.settings.items():
            place = f"{name}:{file.settings_lines[key]}"
            if key in self.settings and self.settings[key] != value:
                self._conflicts.setdefault(key, place)
            else:
                self.settings[key] = value
                self.where.setdefault(key, place)

    def check_agreement(self, overridden: frozenset[str]) -> None:
        """Refuse files that disagree about a setting which no option decides."""
        for key, second in self._conflicts.items():
            if key not in overridden:
                option = f"; decide with --{key}" if key in ("budget", "reserve") else ""
                raise CommandError(
                    f"{self.where[key]} and {second} disagree about {key!r}{option}", BAD_USAGE
                )

    def _note_empty(self, path: str, name: str) -> None:
        if PurePath(path).suffix.lower() == ".json":
            raise bad_line(name, None, "the file is empty; expected JSON")
        self.notes.append(f"{name} is empty: no snippets")


def read_inputs(paths: Sequence[str], fields: Mapping[str, str], quiet: bool = False) -> Inputs:
    """Read *paths* as one input: positions run on from file to file.

    *fields* says under which key a snippet's field is found, which CSV needs to know numbers by.
    """
    if paths.count(STDIN) > 1:
        raise CommandError("standard input (-) can be read only once", BAD_USAGE)
    inputs = Inputs()
    with Progress(paths, quiet) as progress:
        for path in paths:
            progress.next_file()
            inputs.add_file(path, fields, progress)
    return inputs


def read_text(path: str) -> tuple[str, str]:
    """Return the name that messages call a file by, and its text; `-` is standard input."""
    name = "<stdin>" if path == STDIN else path
    return name, _decode(_read_bytes(path, name), name)


def _read_bytes(path: str, name: str) -> bytes:
    try:
        if path != STDIN:
            with open(path, "rb") as file:
                return file.read()
        if sys.stdin is None:
            raise bad_line(name, None, "standard input is closed")
        return sys.stdin.buffer.read()
    except IsADirectoryError:
        raise bad_line(name, None, "is a directory; name the files in it") from None
    except OSError as error:
        raise bad_line(name, None, f"cannot be read: {error.strerror or error}") from None


def _decode(data: bytes, name: str) -> str:
    """UTF-8 with or without a byte order mark, whatever the machine's locale says."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise bad_line(name, None, "is encoded as UTF-16; save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad_line(name, line, f"not UTF-8: byte 0x{data[error.start]:02x}; save it as UTF-8") from None


def _is_csv(path: str, text: str) -> bool:
    """Go by the suffix; where it says nothing (standard input), a table begins with neither [ nor {."""
    suffix = PurePath(path).suffix.lower()
    if suffix in _CSV_SUFFIXES or suffix in _JSON_SUFFIXES:
        return suffix in _CSV_SUFFIXES
    header = text.lstrip().partition("\n")[0]
    return header[:1] not in ("[", "{") and not _DELIMITERS.isdisjoint(header)


def _columns(names: Sequence[str], fields: Mapping[str, str]) -> frozenset[str]:
    return frozenset(names) | {fields[name] for name in names if name in fields}
