"""A bar on standard error while large files are read, only where somebody can see it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

_LARGE = 8_000_000  # bytes; less is read before a bar could be seen


class Progress:
    """Shows how much of all files is read. A file's share counts by its bytes; standard input has none."""

    def __init__(self, paths: Sequence[str], quiet: bool) -> None:
        self._sizes = [_size(path) for path in paths]
        self._total = sum(self._sizes)
        self._file = -1
        self._bar: RichProgress | None = None
        if not quiet and self._total >= _LARGE and sys.stderr is not None and sys.stderr.isatty():
            self._bar = RichProgress(
                TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn(),
                console=Console(stderr=True), transient=True,
            )  # fmt: skip

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.add_task("reading", total=self._total)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def next_file(self) -> None:
        """Say that the next file is read now."""
        self._file += 1

    def report(self, share: float) -> None:
        """Say how much of this file is read, from 0 to 1."""
        if self._bar is not None:
            done = sum(self._sizes[: self._file]) + share * self._sizes[self._file]
            self._bar.update(self._bar.task_ids[0], completed=done)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0  # reading it will say what is wrong
