"""Rows of texts: what counting takes, what haversack adds to it, and whole files by the command line."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import haversack
from benchmarks.report import Line, duration
from benchmarks.settings import Settings
from haversack.counters import Counter, resolve
from tests import ranks

COUNTER = "o200k_base"
OURS = 0.05
"""The share of a call that may be ours, the rest being the tokenizer's."""

Snippets = list[dict[str, Any]]


def two_hundred(settings: Settings) -> list[Line]:
    """200 snippets of 600 characters, half of them fit: fresh texts in every round."""
    return _shares(settings, "texts", 20 if settings.quick else 200, OURS)


def ten_thousand(settings: Settings) -> list[Line]:
    """10,000 of them."""
    return _shares(settings, "many texts", 100 if settings.quick else 10_000, None)


def _shares(settings: Settings, row: str, n: int, limit: float | None) -> list[Line]:
    source, draw = _source(), random.Random(1)
    lines = []
    for render in ("markdown", "plain"):
        totals: list[float] = []
        shares: list[float] = []
        haversack.pack(_snippets(source, draw, 5), 100, counter=COUNTER)  # loads the vocabulary
        started = time.perf_counter()
        while len(totals) < 3 or (
            len(totals) < settings.rounds and time.perf_counter() - started < settings.seconds
        ):
            total, counting = _timed(_snippets(source, draw, n), n * 75, render)
            totals.append(total)
            shares.append(1 - counting / total)
        ours = statistics.median(shares)
        job = f"{n:,} snippets of 600 characters, {render}"
        reach = None if settings.quick else limit
        lines.append(Line(row, job, "pack", duration(statistics.median(totals)), ours, "ours", reach))
    return lines


def _timed(snippets: Snippets, budget: int, render: str) -> tuple[float, float]:
    """Pack; return the seconds it took, and those of them in which the tokenizer counted."""
    inside = 0.0
    base = resolve(COUNTER)

    def count_many(texts: list[str]) -> list[int]:
        nonlocal inside
        started = time.perf_counter()
        counts = base.count_many(texts)
        inside += time.perf_counter() - started
        return counts

    counter = Counter(COUNTER, count_many, exact=True)
    started = time.perf_counter()
    packing = haversack.pack(snippets, budget, counter=counter, render=render)
    elapsed = time.perf_counter() - started
    assert packing.text_tokens == base(packing.text or "") <= budget
    return elapsed, inside


def _snippets(source: str, draw: random.Random, n: int) -> Snippets:
    starts = [draw.randrange(len(source) - 600) for _ in range(n)]
    return [
        {"id": f"s{at}", "text": source[start : start + 600], "value": draw.random()}
        for at, start in enumerate(starts)
    ]


def files(settings: Settings) -> list[Line]:
    """10 MB of Python files by the command line, against tiktoken alone on the same texts."""
    most = 300_000 if settings.quick else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        size = 0
        for at, text in enumerate(_files(most)):
            size += len(text.encode())
            Path(folder, f"f{at:05}.py").write_text(text, encoding="utf-8")
        rounds = 1 if settings.quick else 3
        ours = [_seconds(_OURS, folder) for _ in range(rounds)]
        job = f"{size / 1e6:.1f} MB of files, haversack pack"
        where = ranks.folder()
        if where is None:
            return [Line("files", job, "pack", duration(statistics.median(ours)), note=ranks.REASON)]
        theirs = [_seconds(_TIKTOKEN, folder, TIKTOKEN_CACHE_DIR=str(where)) for _ in range(rounds)]
    ratio = statistics.median(mine / its for mine, its in zip(ours, theirs, strict=True))
    limit = None if settings.quick else 1.0
    return [
        Line("files", job, "tiktoken alone", duration(statistics.median(theirs))),
        Line("files", job, "pack", duration(statistics.median(ours)), ratio, "x tiktoken", limit),
    ]


_OURS = """
from haversack.__main__ import main
sys.argv = ["haversack", "pack", folder, "-b", "100000", "--format", "ids", "--quiet"]
main()
"""
_TIKTOKEN = """
import pathlib, tiktoken
encoding = tiktoken.get_encoding("o200k_base")
texts = [path.read_text("utf-8") for path in sorted(pathlib.Path(folder).iterdir())]
print(sum(map(len, map(encoding.encode_ordinary, texts))))
"""


def _seconds(code: str, folder: str, **variables: str) -> float:
    """Run a program of its own, imports and vocabulary included."""
    command = [sys.executable, "-c", f"import sys; folder = sys.argv[1]\n{code}", folder]
    started = time.perf_counter()
    subprocess.run(command, env={**os.environ, **variables}, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def _source() -> str:
    return "".join(_files(8_000_000))


def _files(most: int) -> Iterator[str]:
    """Yield modules of the standard library, `most` characters of them if there are so many."""
    left = most
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).rglob("*.py")):
        if left <= 0 or "site-packages" in path.parts:
            continue
        text = path.read_text("utf-8", errors="replace")[: min(left, 900_000)]
        left -= len(text)
        yield text
