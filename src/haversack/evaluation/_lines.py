"""JSON lines from a file, strictly: each record with the place that errors about it name."""

from __future__ import annotations

from haversack._json import TOO_LONG
from haversack.values._lists import refuse, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import IO, Any

    Record = dict[str, Any]

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Source:
    """A file of JSON lines, by its path or already open. `name` is what errors call it: as it was given."""

    __slots__ = ("_given", "_is_open", "name")

    def __init__(self, given: str | PathLike[str] | IO[Any]) -> None:
        self._is_open = hasattr(given, "read")
        if not self._is_open and not isinstance(given, str) and not hasattr(given, "__fspath__"):
            refuse("path", f"expected a path or an open file, found {shown(given)}", given, wrong_type=True)
        self._given: Any = given
        self.name = str(getattr(given, "name", "<file>")) if self._is_open else str(given)

    @property
    def stem(self) -> str:
        """The file's name without its suffix."""
        from pathlib import Path

        return Path(self.name).stem

    def companion(self) -> Source:
        """Return `NAME.snippets.jsonl` beside `NAME.jsonl`."""
        from pathlib import Path

        if self._is_open:
            problem = "its questions name snippets by id, and an open file has no file of snippets beside it"
            refuse(self.name, f"{problem}: give its path")
        return Source(Path(self.name).with_name(f"{self.stem}.snippets.jsonl"))

    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield (where, record) for each line that is not blank; an error names file and line."""
        if self._is_open:
            yield from self._read(self._given)
        else:
            with open(self._given, "rb") as lines:
                yield from self._read(lines)

    def _read(self, lines: IO[Any]) -> Iterator[tuple[str, Record]]:
        for n, line in enumerate(lines, 1):
            where = f"{self.name}:{n}"
            text = line if isinstance(line, str) else _decoded(line, where, is_first=n == 1)
            if n == 1:
                text = text.removeprefix("\ufeff")
            if text.strip():
                yield where, _parsed(text, where)


def _decoded(line: bytes, where: str, *, is_first: bool) -> str:
    if is_first and line.startswith(_UTF16):
        refuse(where, "is encoded as UTF-16; save it as UTF-8", line)
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        refuse(where, f"not UTF-8: byte {line[error.start]:#04x}; save it as UTF-8", line)


def _parsed(text: str, where: str) -> Record:
    import json

    try:
        record = json.loads(text, object_pairs_hook=_unique)
    except RecursionError:
        refuse(where, "nested too deeply")
    except json.JSONDecodeError as error:
        refuse(where, f"not JSON: {error.msg[:1].lower()}{error.msg[1:]} (column {error.colno})", text)
    except _RepeatedKeyError as error:
        refuse(where, f"the key {error.key!r} is given twice in one object", text)
    except ValueError:
        refuse(where, f"holds {TOO_LONG}")
    if not isinstance(record, dict):
        refuse(where, f"expected a JSON object, found {type(record).__name__}", record)
    return record


class _RepeatedKeyError(Exception):
    """Raised inside the decoder, which does not know the line."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(key)


def _unique(pairs: list[tuple[str, Any]]) -> Record:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return made
