"""Find and read files for the command line: directories, globs, what .gitignore says, and odd bytes.

Nothing found is dropped silently: each file comes back as a `File` with its text, or with the reason why not.
"""

from __future__ import annotations

import os
import stat
from glob import glob, has_magic
from typing import TYPE_CHECKING

from haversack._record import Record
from haversack.cli.gitignore import Ignored
from haversack.exceptions import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_BYTES = 1_000_000
EMPTY = "empty"
_SNIFFED = 8192  # what git looks at, too
_BOMS = (
    # The longer first: the mark of UTF-32 little-endian begins with that of UTF-16.
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


class File(Record):
    """A file that was asked for, or found in a directory or by a pattern.

    `text` is None where it was not read, and `skipped` says why. `named` tells the files that the user
    named one by one from those that were found; only the former may be anything but text.
    """

    __slots__ = ("named", "path", "skipped", "text")

    named: bool
    path: str
    skipped: str | None
    text: str | None

    def __init__(
        self, path: str, text: str | None = None, skipped: str | None = None, *, named: bool = False
    ) -> None:
        self._fill(named, path, skipped, text)


def find(paths: Iterable[str]) -> list[File]:
    """List the files that paths, directories and patterns (`src/**/*.py`) stand for; nothing is read yet.

    What a directory or a pattern finds is sorted, and left out where .gitignore leaves it out; a file that is
    named is taken whatever .gitignore says. A file comes once, where it is first met. Links inside a
    directory are listed as skipped, never followed.
    """
    found: dict[str, File] = {}
    for path in paths:
        for file in _expand(path):
            known = found.setdefault(os.path.realpath(file.path), file)
            if file.named and not known.named:
                found[os.path.realpath(file.path)] = file
    return list(found.values())


def read(file: File, max_bytes: int = MAX_BYTES) -> File:
    """Read a file found; the same record with its text, or with the reason why it has none."""
    if file.skipped is not None:
        return file
    text, skipped = _text_or_reason(file.path, max_bytes)
    return File(file.path, text, skipped, named=file.named)


def read_all(paths: Iterable[str], max_bytes: int = MAX_BYTES) -> Iterator[File]:
    """Find and read, one file after the other."""
    for file in find(paths):
        yield read(file, max_bytes)


def decode(data: bytes) -> tuple[str | None, str | None]:
    """Decode the bytes of a file: (text, None), or (None, reason).

    UTF-8 with or without a byte order mark, UTF-16 and UTF-32 with one; the mark is not part of the text.

    >>> decode(b"caf\\xc3\\xa9"), decode(b"caf\\xe9 au lait")
    (('café', None), (None, 'not UTF-8: byte 0xe9 at offset 3'))
    """
    encoding = next((encoding for mark, encoding in _BOMS if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and b"\0" in data[:_SNIFFED]:
        return None, "binary"
    try:
        return data.decode(encoding), None
    except UnicodeDecodeError as error:
        name = encoding.removesuffix("-sig").upper()
        return None, f"not {name}: byte 0x{data[error.start]:02x} at offset {error.start:,}"


def _expand(path: str) -> Iterator[File]:
    if os.path.isdir(path):
        rules = Ignored.above(path)
        # A folder that git leaves out, asked for by name, is wanted all the same.
        yield from _walk(_tidy(path), Ignored() if rules.covers(path, is_folder=True) else rules)
    elif os.path.lexists(path):
        yield File(_tidy(path), named=True)
    elif has_magic(path):
        yield from _matching(path)
    else:
        raise InputError(f"no file, directory or pattern at {path!r}", field="path", found=path)


def _matching(pattern: str) -> Iterator[File]:
    matches = sorted(glob(pattern, recursive=True))
    files = [match for match in matches if not os.path.isdir(match)]
    if not files:
        raise InputError(f"the pattern {pattern!r} matches no file", field="path", found=pattern)
    rules: dict[str, Ignored] = {}
    for match in files:
        folder = os.path.dirname(match) or "."
        if folder not in rules:
            rules[folder] = Ignored.above(folder).inside(folder)
        if not rules[folder].covers(match):
            yield File(_tidy(match))


def _walk(folder: str, ignored: Ignored) -> Iterator[File]:
    ignored = ignored.inside(folder)
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        yield File(folder, skipped=f"not readable: {error.strerror}")
        return
    for entry in entries:
        path = _tidy(entry.path)
        is_folder = entry.is_dir(follow_symlinks=False)
        if (is_folder and entry.name == ".git") or ignored.covers(entry.path, is_folder):
            continue
        if is_folder:
            yield from _walk(path, ignored)
        else:
            yield File(path, skipped="a link" if entry.is_symlink() else None)


def _text_or_reason(path: str, max_bytes: int) -> tuple[str | None, str | None]:
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return None, "not a regular file"  # opening a pipe would wait for ever
        if status.st_size > max_bytes:
            return None, f"too large: {status.st_size:,} bytes, the limit is {max_bytes:,}"
        with open(path, "rb") as file:
            text, reason = decode(file.read())
    except OSError as error:
        return None, f"not readable: {error.strerror}"
    return (None, EMPTY) if text is not None and not text.strip() else (text, reason)


def _tidy(path: str) -> str:
    """Write a path as the user would: `./src/a.py` is `src/a.py`."""
    return os.path.normpath(path).replace(os.sep, "/")
