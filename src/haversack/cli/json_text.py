"""Read JSON and JSON lines one snippet (or message) at a time, remembering the line of each.

The standard decoder reads values; only the outermost list or object is walked here, since the decoder
would not say where in the file a list's members begin. That also makes progress reports true: the time
goes into the members, and they are read one by one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from haversack._json import TOO_LONG
from haversack.cli.failures import CommandError, bad_line

_SPACE = re.compile(r"[ \t\n\r]*")
_REPORT_EVERY = 512  # members; often enough for a smooth bar, too seldom to cost anything


class _RefusedError(ValueError):
    """Raised inside the decoder, which does not know the position: whoever called it does."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object, refusing keys that are given twice: one of the two would be lost silently."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for position, key in enumerate(keys) if key in keys[:position])
        owner = f" of {found['id']!r}" if "id" in found else ""
        raise _RefusedError(f"the key {twice!r}{owner} is given twice in one object")
    return found


def _refuse_constant(token: str) -> None:
    raise _RefusedError(f"{token} is not a JSON number; values and costs must be finite")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant)


SNIPPETS = ("snippets",)


class JsonText:
    """One text of JSON: a list of snippets, an object in the wire format, or JSON lines:
    snippets one after another, as jq reads and writes them, whether each has a line of its own or not.

    After `read`, `snippets` holds the snippets in order, `lines` the line each begins on (from 1), `under`
    the key that held them, if one did, and `settings` whatever else that object says. Positions in messages
    count from `first`. `keys` are those that may hold the list; the first one names what it holds.
    """

    def __init__(
        self,
        text: str,
        name: str,
        report: Callable[[float], None],
        first: int = 0,
        keys: Sequence[str] = SNIPPETS,
    ) -> None:
        self.snippets: list[Any] = []
        self.lines: list[int] = []
        self.settings: dict[str, Any] = {}
        self.settings_lines: dict[str, int] = {}
        self.under: str | None = None
        self._keys = keys
        self._noun = keys[0].removesuffix("s")
        self._text = text
        self._name = name
        self._report = report
        self._first = first
        self._counted = 0  # line breaks are counted up to here ...
        self._line = 1  # ... where this is the line

    def read(self) -> None:
        """Read the whole text; a `CommandError` names line and column of what is wrong."""
        start = self._skip_space(0)
        if self._text.startswith("[", start):
            self._expect_end(self._read_list(start), "the list")
        elif self._text.startswith("{", start):
            self._read_object_or_lines(start)
        elif start < len(self._text):
            raise self._failure(start, f"expected a list of {self._keys[0]}, an object or JSON lines")
        self._report(1.0)

    def _read_object_or_lines(self, start: int) -> None:
        first, end = self._read_object(start)
        if self.under is not None or "budget" in first:
            self._expect_end(end, "the object")
            if self.under is None:
                raise self._failure(start, f"the object has no {self._keys[0]!r}")
            del first[self.under]
            self.settings = first
            return
        if not first and self._skip_space(end) == len(self._text):
            raise self._failure(start, "the object is empty; expected 'snippets' in it, or one snippet")
        self.settings_lines.clear()
        self._keep(first, start)
        while (start := self._skip_space(end)) < len(self._text):
            if self._text[start] != "{":
                raise self._failure(start, f"expected a {self._noun} on each line, as a JSON object")
            value, end = self._read_value(start, self._next_snippet())
            self._keep(value, start)

    def _read_object(self, start: int) -> tuple[dict[str, Any], int]:
        """Read the outermost object; the list of members is read member by member."""
        found: dict[str, Any] = {}
        at = self._skip_space(start + 1)
        if self._text.startswith("}", at):
            return found, at + 1
        while True:
            key_at = at
            if not self._text.startswith('"', at):
                raise self._failure(at, "expected a key in double quotes")
            key, at = self._read_value(at)
            at = self._skip_space(self._expect(":", at))
            if key in found:
                raise self._failure(key_at, f"the key {key!r} is given twice in one object")
            self.settings_lines[key] = self._line_at(key_at)
            if key in self._keys and self._text.startswith("[", at):
                at, found[key] = self._read_members(key, key_at, at), self.snippets
            elif key == self._keys[0]:
                raise self._failure(at, f"{key!r} must be a list")
            else:
                found[key], at = self._read_value(at)
            at = self._skip_space(at)
            if self._text.startswith("}", at):
                return found, at + 1
            at = self._skip_space(self._expect(",", at))

    def _read_members(self, key: str, key_at: int, start: int) -> int:
        if self.under is not None:
            raise self._failure(key_at, f"{self.under!r} and {key!r} both hold a list of {self._keys[0]}")
        self.under = key
        return self._read_list(start)

    def _read_list(self, start: int) -> int:
        """Keep each member of the list that begins at `start`; return the position behind it."""
        at = self._skip_space(start + 1)
        if self._text.startswith("]", at):
            return at + 1
        while True:
            member_at = at
            value, at = self._read_value(at, self._next_snippet())
            self._keep(value, member_at)
            at = self._skip_space(at)
            if self._text.startswith("]", at):
                return at + 1
            at = self._skip_space(self._expect(",", at))

    def _read_value(self, start: int, what: int | None = None) -> tuple[Any, int]:
        """Read the value at `start`; in messages it is snippet number `what`."""
        try:
            return _DECODER.raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            begun = self._line_at(start)
            where = "" if error.lineno == begun else f" (in what begins on line {begun})"
            message = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}{where}"
            raise bad_line(self._name, error.lineno, self._label(what) + message, error.colno) from None
        except RecursionError:
            raise self._failure(start, f"{self._label(what)}nested too deeply") from None
        except _RefusedError as error:
            raise self._failure(start, f"{self._label(what)}{error}") from None
        except ValueError:
            raise self._failure(start, f"{self._label(what)}{TOO_LONG}") from None

    def _label(self, number: int | None) -> str:
        return "" if number is None else f"{self._keys[0]}[{number}]: "

    def _next_snippet(self) -> int:
        return self._first + len(self.snippets)

    def _keep(self, value: Any, start: int) -> None:
        self.snippets.append(value)
        self.lines.append(self._line_at(start))
        if len(self.snippets) % _REPORT_EVERY == 0:
            self._report(start / len(self._text))

    def _skip_space(self, start: int) -> int:
        found = _SPACE.match(self._text, start)
        assert found is not None  # the pattern matches the empty string
        return found.end()

    def _expect(self, token: str, start: int) -> int:
        at = self._skip_space(start)
        if not self._text.startswith(token, at):
            found = repr(self._text[at]) if at < len(self._text) else "the end of the file"
            raise self._failure(at, f"not JSON: expected {token!r}, found {found}")
        return at + len(token)

    def _expect_end(self, start: int, what: str) -> None:
        at = self._skip_space(start)
        if at < len(self._text):
            raise self._failure(at, f"nothing may follow {what}, found {self._text[at]!r}")

    def _line_at(self, offset: int) -> int:
        """The line of `offset`. Cheap if offsets grow from call to call, right in any case."""
        if offset < self._counted:
            return self._text.count("\n", 0, offset) + 1
        self._line += self._text.count("\n", self._counted, offset)
        self._counted = offset
        return self._line

    def _failure(self, offset: int, message: str) -> CommandError:
        column = offset - self._text.rfind("\n", 0, offset)
        return bad_line(self._name, self._line_at(offset), message, column)
