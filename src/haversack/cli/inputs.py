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
from haversack.cli.files import MAX_BYTES, File, decode, read
from haversack.cli.gathering import CSV_SUFFIXES, JSON_SUFFIXES, STDIN, Reading, gather, is_text
from haversack.cli.json_text import JsonText
from haversack.cli.progress import Progress

_DELIMITERS = frozenset(",;\t")


class Inputs:
    """The snippets of all files, in order, and what the files say about the packing.

    `settings` maps a setting to its value, `where` to the place that says so ("turn.json:2"); `notes` are
    warnings for the user. `texts` are the positions of files that are snippets themselves, `gathered` says
    whether any of them was found rather than named, `skipped` which could not be one, and why.
    """

    def __init__(self) -> None:
        self.snippets: list[Any] = []
        self.settings: dict[str, Any] = {}
        self.where: dict[str, str] = {}
        self.notes: list[str] = []
        self.texts: list[int] = []
        self.gathered = False
        self.skipped: list[tuple[str, str]] = []
        self.fields: dict[str, str] = {}  # where fields were read, if not under their own names
        self.valued = ""  # how snippets without a value were given one
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
            lists = _columns(("requires",), fields)
            snippets, lines = read_csv(text, name, progress.report, numeric, truth, lists)
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

    def add_text(self, found: File) -> None:
        """Take a file as one snippet, or list it as skipped."""
        if found.text is None:
            self.skipped.append((found.path, found.skipped or "no text"))
            return
        position = len(self.snippets)
        self.snippets.append({"id": found.path, "text": found.text})
        self.texts.append(position)
        self.gathered = self.gathered or not found.named
        self._names.append(found.path)
        self._firsts.append(position)
        self._lines.append([1])

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


def read_inputs(
    paths: Sequence[str],
    fields: Mapping[str, str],
    quiet: bool = False,
    reading: Reading = Reading.auto,
    max_bytes: int = MAX_BYTES,
) -> Inputs:
    """Read *paths* as one input: positions run on from file to file.

    Directories and patterns stand for the text files in them. *fields* says under which key a snippet's field
    is found, which CSV needs to know numbers by.
    """
    if paths.count(STDIN) > 1:
        raise CommandError("standard input (-) can be read only once", BAD_USAGE)
    inputs = Inputs()
    files = gather(paths)
    with Progress([file.path for file in files], quiet) as progress:
        for file in files:
            progress.next_file()
            if not is_text(file, reading):
                inputs.add_file(file.path, fields, progress)
                continue
            inputs.add_text(_stdin_text() if file.path == STDIN else read(file, max_bytes))
            progress.report(1.0)
    if len(inputs.skipped) == len(files):
        reasons = "; ".join(f"{path}: {reason}" for path, reason in inputs.skipped[:3])
        raise CommandError(f"no text to pack in {', '.join(paths)}{f' ({reasons})' if reasons else ''}")
    return inputs


def _stdin_text() -> File:
    text, skipped = decode(_read_bytes(STDIN, "<stdin>"))
    return File("<stdin>", text, skipped, named=True)


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
        raise bad_line(name, None, "is a directory") from None
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
    if suffix in CSV_SUFFIXES or suffix in JSON_SUFFIXES:
        return suffix in CSV_SUFFIXES
    header = text.lstrip().partition("\n")[0]
    return header[:1] not in ("[", "{") and not _DELIMITERS.isdisjoint(header)


def _columns(names: Sequence[str], fields: Mapping[str, str]) -> frozenset[str]:
    return frozenset(names) | {fields[name] for name in names if name in fields}
