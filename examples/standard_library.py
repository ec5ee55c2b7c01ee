"""Pack Python's own standard library for a question: thousands of real snippets that every machine has.

    python examples/standard_library.py "read a member of a zip archive"
    python examples/standard_library.py "parse an e-mail header" --budget 4000

Every function and every class is a snippet; a class that is longer than a page is cut into its methods.
Tokens are those of o200k_base where its counter is installed (`pip install 'haversack[tokens]'`), else an
estimate.

A snippet's *value* should be how likely it is to be needed. A lexical score is not that: a score of 2 is not
half as useful as a score of 4, and added up, a handful of weak hits would push out the one good one. So the
score is sharpened first, after its place in the list:

    score = BM25 of the question's words in the snippet
    z     = (score - mean) / standard deviation, both over the snippets that contain any of the words
    value = exp(2 (z - the best z)) * sqrt(length)

The root is there because of two equally good hits the longer one is more likely to hold the answer.
"""

from __future__ import annotations

import argparse
import ast
import math
import re
import sysconfig
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import haversack
from haversack import counters

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
SKIPPED = {"test", "tests", "idlelib", "lib2to3", "site-packages", "dist-packages", "encodings", "turtledemo"}
PAGE = 5_000  # characters; a longer class is cut into its methods
TOO_SMALL = 80  # characters

WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])")
STOP_WORDS = frozenset(
    "a an and are as by can do does for from how i in into is it of on or self the to what with".split()  # noqa: SIM905
)


def counter() -> counters.Counter:
    """The exact counter if it is installed; else an estimate, which says so."""
    try:
        return counters.resolve("o200k_base")
    except ImportError:
        return counters.resolve("regex")


def words(text: str) -> list[str]:
    """Split names and prose alike: `ZipFile.read_all` and "reads ZIP files" share zip, file and read."""
    lowered = (word.lower() for word in WORD.findall(text))
    return [_stem(word) for word in lowered if word not in STOP_WORDS]


def _stem(word: str) -> str:
    for ending in ("ing", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def cut(path: Path, library: Path = LIBRARY) -> Iterator[dict[str, Any]]:
    """Yield the functions and classes of one module as snippets without a value."""
    source = path.read_text(encoding="utf-8", errors="replace")
    lines = source.splitlines(keepends=True)
    module = ".".join(path.relative_to(library).with_suffix("").parts).removesuffix(".__init__")
    yield from _cut_body(ast.parse(source).body, module, lines, str(path.relative_to(library)))


def _cut_body(body: list[ast.stmt], prefix: str, lines: list[str], file: str) -> Iterator[dict[str, Any]]:
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        text = "".join(lines[first - 1 : node.end_lineno])
        name = f"{prefix}.{node.name}"
        if isinstance(node, ast.ClassDef) and len(text) > PAGE:
            yield from _cut_body(node.body, name, lines, file)
        elif len(text) >= TOO_SMALL:
            yield {"id": f"{name}:{first}", "text": text, "source": f"{file}:{first}"}


def read_library(library: Path = LIBRARY, only: str = "*") -> list[dict[str, Any]]:
    """Cut every module of the standard library whose file name matches *only*, tests left aside."""
    paths = sorted(path for path in library.rglob(f"{only}.py") if SKIPPED.isdisjoint(path.parts))
    return [snippet for path in paths for snippet in cut(path, library)]


def lexical_scores(snippets: list[dict[str, Any]], question: str) -> list[float]:
    """BM25 (Robertson and others, 1994) of the question's words, with its usual constants."""
    wanted = set(words(question))
    bags = [Counter(words(f"{snippet['id']} {snippet['text']}")) for snippet in snippets]
    lengths = [sum(bag.values()) for bag in bags]
    typical = fmean(lengths) or 1.0
    rarity = {}
    for word in wanted:
        holders = sum(word in bag for bag in bags)
        rarity[word] = math.log(1 + (len(bags) - holders + 0.5) / (holders + 0.5))
    return [
        sum(
            rarity[word] * 2.2 * bag[word] / (bag[word] + 1.2 * (0.25 + 0.75 * length / typical))
            for word in wanted
        )
        for bag, length in zip(bags, lengths, strict=True)
    ]


def values(scores: list[float], lengths: list[int]) -> list[float]:
    """Turn scores into values: `exp(2 (z - the best z)) * sqrt(length)`, z taken over the scores above 0.

    The mean of z cancels out in the difference, so it is not computed.
    """
    hits = [score for score in scores if score > 0]
    if not hits:
        return [0.0] * len(scores)
    best, spread = max(hits), pstdev(hits) or 1.0
    return [
        math.exp(2 * (score - best) / spread) * math.sqrt(size) if score > 0 else 0.0
        for score, size in zip(scores, lengths, strict=True)
    ]


def candidates(question: str, only: str = "*") -> list[dict[str, Any]]:
    """Return the library's snippets with their values for *question*."""
    snippets = read_library(only=only)
    worth = values(lexical_scores(snippets, question), [len(snippet["text"]) for snippet in snippets])
    return [{**snippet, "value": value} for snippet, value in zip(snippets, worth, strict=True)]


def main() -> None:
    """Pack the library for a question and explain the packing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("question", nargs="?", default="read a member of a zip archive")
    parser.add_argument("--budget", type=int, default=8_000)
    parser.add_argument("--only", default="*", help="modules whose file name matches, such as 'zip*'")
    arguments = parser.parse_args()

    snippets = candidates(arguments.question, arguments.only)
    letters = sum(len(snippet["text"]) for snippet in snippets)
    print(f"{len(snippets):,} snippets of {letters:,} characters for: {arguments.question}")

    start = time.perf_counter()
    packing = haversack.pack(snippets, arguments.budget, counter=counter(), render="markdown")
    milliseconds = 1_000 * (time.perf_counter() - start)
    print(f"{packing!r} in {milliseconds:.0f} ms, every snippet counted")
    print(f"the text has {packing.text_tokens:,} tokens\n")

    print("The most valuable of what is in:")
    inside = [decision for decision in packing.decisions if decision.chosen]
    for decision in sorted(inside, key=lambda decision: -decision.value)[:8]:
        print(f"  {decision}")
    print("The most valuable of what is out:")
    outside = [decision for decision in packing.decisions if not decision.chosen]
    for decision in sorted(outside, key=lambda decision: -decision.value)[:8]:
        print(f"  {decision}")
    reasons = Counter(decision.reason for decision in outside)
    print("Left out: " + ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common()))


if __name__ == "__main__":
    main()
