"""Which of the paths on a command line are snippets in a file, and which are files that are snippets."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from enum import StrEnum
from pathlib import PurePath

from haversack.cli.failures import CommandError, bad_line
from haversack.cli.files import File, find
from haversack.exceptions import InputError

STDIN = "-"
JSON_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})
CSV_SUFFIXES = frozenset({".csv", ".tsv"})


class Reading(StrEnum):
    """What named files are taken for."""

    auto = "auto"
    text = "text"
    snippets = "snippets"


def gather(paths: Sequence[str]) -> list[File]:
    """List the files that *paths* stand for, in that order; standard input is a file named `-`."""
    before: list[str] = []
    stdin: list[int] = []
    for path in paths:
        if path == STDIN:
            stdin.append(len(_found(before)))
        else:
            before.append(path)
    files = _found(before)
    for at in reversed(stdin):
        files.insert(at, File(STDIN, named=True))
    return files


def is_text(file: File, reading: Reading) -> bool:
    """Tell whether a file is one snippet. What a directory or a pattern found always is.

    A file that is named goes by its suffix: JSON and CSV hold snippets, all others are text. Without a
    suffix, and on standard input, the content decides, and a pipe is as good as standard input.
    """
    if not file.named or reading is Reading.text:
        return True
    if reading is Reading.snippets or file.path == STDIN:
        return False
    suffix = PurePath(file.path).suffix.lower()
    if suffix:
        return suffix not in JSON_SUFFIXES | CSV_SUFFIXES
    return _is_regular(file.path) and not _begins_like_json(file.path)


def _found(paths: Sequence[str]) -> list[File]:
    try:
        return find(paths)
    except InputError as error:
        path = str(error.found)
        if "pattern " in str(error) and "matches" in str(error):
            raise CommandError(str(error)) from None
        raise bad_line(path, None, "cannot be read: No such file or directory") from None


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def _begins_like_json(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")
    except OSError:
        return True  # reading it will say what is wrong
