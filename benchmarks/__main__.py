"""The command line of the benchmarks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks import arrays, dicts, hard, processes, report, structure, texts
from benchmarks.settings import QUICK, Settings

T = TypeVar("T")

ROWS: dict[str, Callable[[Settings], list[report.Line]]] = {
    "arrays": arrays.thousand,
    "large": arrays.million,
    "dicts": dicts.thousand,
    "evidence": dicts.real,
    "pisinger": hard.pisinger,
    "jooken": hard.jooken,
    "texts": texts.two_hundred,
    "many texts": texts.ten_thousand,
    "files": texts.files,
    "classes": structure.classes,
    "structure": structure.mixed,
    "import": processes.imports,
    "memory": processes.memory,
}
DETAILS: dict[str, Callable[[Settings], Iterator[hard.Measured]]] = {
    "pisinger": hard.measure_pisinger,
    "jooken": hard.measure_jooken,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return 1 if a limit was missed (never in a quick run)."""
    options = _parser().parse_args(arguments)
    settings = QUICK if options.quick else Settings()
    settings = settings._replace(data=options.data)
    print(report.machine(), end="\n\n")
    if options.table in DETAILS:
        measured = list(_progress(DETAILS[options.table](settings), "instances"))
        print(hard.details(measured))
        return int(not settings.quick and not all(each.reached for each in measured))
    lines = [line for name in _progress(options.only or list(ROWS), "rows") for line in ROWS[name](settings)]
    print(report.table(lines))
    missed = sum(line.verdict == "MISSED" for line in lines)
    print(f"\nAll answers agree. Limits missed: {missed}.")
    return int(missed > 0 and not settings.quick)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure haversack against argsort, a reading loop, OR-tools, HiGHS and a NumPy table in "
        "one run; check that all answers agree.",
    )
    parser.add_argument("table", nargs="?", choices=["rows", *DETAILS], default="rows", help="default: rows")
    parser.add_argument("--only", action="append", choices=list(ROWS), metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--quick", action="store_true", help="small instances, two rounds: does it run?")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="evidence sets: see benchmarks/evidence.py"
    )
    return parser


def _progress(steps: Iterable[T], unit: str) -> Iterator[T]:
    """Yield the steps; on a terminal, show a bar on standard error."""
    if not sys.stderr.isatty():
        yield from steps
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(steps, description=unit, console=Console(stderr=True), transient=True)


if __name__ == "__main__":
    sys.exit(main())
