"""A bar on standard error while much is read or counted, only where somebody can see it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress

from haversack.counters import Counter

_LARGE = 8_000_000  # bytes; less is read before a bar could be seen
_SLICE = 500_000  # characters counted between two looks at the bar


class _Shown:
    """A bar while something is done; none where nobody could see it."""

    _bar: RichProgress | None
    _what: str
    _total: int

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.add_task(self._what, total=self._total)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


class Progress(_Shown):
    """Shows how much of all files is read. A file's share counts by its bytes; standard input has none."""

    def __init__(self, paths: Sequence[str], quiet: bool) -> None:
        self._sizes = [_size(path) for path in paths]
        self._total = sum(self._sizes)
        self._file = -1
        self._what = "reading"
        self._bar = None
        if not quiet and self._total >= _LARGE and _is_watched():
            self._bar = _bar(DownloadColumn())

    def next_file(self) -> None:
        """Say that the next file is read now."""
        self._file += 1

    def report(self, share: float) -> None:
        """Say how much of this file is read, from 0 to 1."""
        if self._bar is not None:
            done = sum(self._sizes[: self._file]) + share * self._sizes[self._file]
            self._bar.update(self._bar.task_ids[0], completed=done)


def watched(counter: Counter, quiet: bool) -> Counter:
    """Return the same counter, which shows a bar while it counts a large batch."""
    if quiet or not _is_watched():
        return counter

    def count_many(texts: list[str]) -> list[int]:
        total = sum(map(len, texts))
        if total < _LARGE:
            return counter.count_many(texts)
        counts: list[int] = []
        with _bar(DownloadColumn()) as bar:
            task = bar.add_task("counting", total=total)
            for part in _slices(texts):
                counts += counter.count_many(part)
                bar.advance(task, sum(map(len, part)))
        return counts

    return Counter(counter.name, count_many, exact=counter.exact)


def _slices(texts: Sequence[str]) -> Iterator[list[str]]:
    """Part a batch into runs of about as many characters, no text divided."""
    part: list[str] = []
    size = 0
    for text in texts:
        part.append(text)
        size += len(text)
        if size >= _SLICE:
            yield part
            part, size = [], 0
    if part:
        yield part


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _bar(count: ProgressColumn) -> RichProgress:
    return RichProgress(
        TextColumn("{task.description}"), BarColumn(), count, TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0  # reading it will say what is wrong


class Steps(_Shown):
    """A bar on standard error that counts *total* steps, where somebody can see it."""

    def __init__(self, what: str, total: int, quiet: bool) -> None:
        self._what = what
        self._total = total
        self._bar = None
        if not quiet and _is_watched():
            self._bar = _bar(MofNCompleteColumn())

    def step(self, _done: object = None) -> None:
        """Say that one more is done."""
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0])
