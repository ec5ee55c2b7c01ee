"""Read CSV with a header row: numbers become numbers, empty cells are absent."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterator
from typing import Any

from haversack.cli.failures import CommandError, bad_line
from haversack.cli.settings import plain_number

NUMERIC = ("cost", "tokens", "value", "start", "end", "tier", "score", "scores")
SCORES = "scores."  # a column scores.dense holds the scores named dense
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_LONGEST_CELL = 2**31 - 1  # the csv module stops at 128 KiB by itself; real documents are longer
_REPORT_EVERY = 512  # rows


def read_csv(
    text: str,
    name: str,
    report: Callable[[float], None],
    numeric: Collection[str],
    truth: Collection[str],
    lists: Collection[str] = (),
) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the rows as snippets, and the line each begins on (from 1).

    Cells of the columns in *numeric* are read as int or float, cells of those in *truth* as yes or no,
    cells of those in *lists* as several words with commas, semicolons or spaces between them.
    Columns named `scores.dense`, `scores.bm25` are the scores of these names; an empty cell is a missing one.
    What is neither stays text, so that the library's own message can name the field and what it found.
    """
    rows = _Rows(text, name)
    header = rows.header()
    readers = [_reader(column, numeric, truth, lists) for column in header]
    named = [column for column in header if column.startswith(SCORES)]
    snippets: list[dict[str, Any]] = []
    lines: list[int] = []
    for line, cells in rows:
        if len(cells) != len(header):
            raise bad_line(name, line, f"{len(cells)} cells, but the header names {len(header)} columns")
        snippet = {
            column: read(cell)
            for column, read, cell in zip(header, readers, cells, strict=True)
            if cell.strip()
        }
        if named:
            snippet["scores"] = {
                column.removeprefix(SCORES): snippet.pop(column) for column in named if column in snippet
            }
        snippets.append(snippet)
        lines.append(line)
        if len(lines) % _REPORT_EVERY == 0:
            report(rows.share)
    report(1.0)
    return snippets, lines


class _Rows:
    """The rows of a text that are not blank, each with the line it begins on."""

    def __init__(self, text: str, name: str) -> None:
        self._size = max(len(text), 1)
        self._read = 0
        self._name = name
        first_line = text[: text.find("\n")] if "\n" in text else text
        delimiter = max(",;\t", key=first_line.count)
        csv.field_size_limit(_LONGEST_CELL)
        self._rows = csv.reader(self._counted_lines(text), delimiter=delimiter, strict=True)

    @property
    def share(self) -> float:
        """How much of the text has been read, from 0 to 1."""
        return self._read / self._size

    def header(self) -> list[str]:
        """Read the first row; every column needs a name of its own."""
        line, cells = next(iter(self), (1, []))
        header = [cell.strip() for cell in cells]
        if not header:
            raise bad_line(self._name, None, "the file is empty; CSV needs a header row")
        for position, column in enumerate(header):
            if not column:
                raise bad_line(self._name, line, f"column {position + 1} of the header has no name")
            if column in header[:position]:
                raise bad_line(self._name, line, f"the header names the column {column!r} twice")
        return header

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        while True:
            line = self._rows.line_num + 1
            try:
                cells = next(self._rows)
            except StopIteration:
                return
            except csv.Error as error:
                raise self._failure(line, error) from None
            if cells:
                yield line, cells

    def _counted_lines(self, text: str) -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            self._read += len(line)
            yield line

    def _failure(self, line: int, error: csv.Error) -> CommandError:
        message = str(error)
        if message == "unexpected end of data":
            message = "a quoted cell begins in this row and never ends"
        return bad_line(self._name, line, f"not CSV: {message}")


def _reader(
    column: str, numeric: Collection[str], truth: Collection[str], lists: Collection[str]
) -> Callable[[str], Any]:
    if column in lists:
        return _words
    if column in numeric or column.startswith(SCORES):
        return _number
    if column in truth:
        return _yes_or_no
    return str


def _number(cell: str) -> int | float | str:
    number = plain_number(cell.strip())
    return cell if number is None else number


def _words(cell: str) -> list[str]:
    return cell.replace(",", " ").replace(";", " ").split()


def _yes_or_no(cell: str) -> bool | str:
    return _TRUTH.get(cell.strip().lower(), cell)
