"""The cases with texts: counted by the tokenizer they name, rendered as they say."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

import haversack
from haversack import Packing, counters
from haversack.renderers import MARKDOWN, NUMBERED, PLAIN, XML, Renderer

from .reading import CASES
from .waiting import WAITING

pytest.importorskip("toktok", reason="needs toktok-rs: pip install 'haversack[tokens]'")

TEXTS = [name for name, case in CASES.items() if case["tier"] == "text" and name not in WAITING]
EXPLAINED = {"counts", "best_sets", "per_format", "structure", "max_seconds", "either", "per_tokenizer"}
"""Parts that are facts about the case, or have a test of their own below."""


def renderers(given: dict[str, Any]) -> list[Renderer]:
    """Return the formats a case asks for."""
    if "formats" in given:
        return [PLAIN, MARKDOWN, XML, NUMBERED]
    if "format" in given:
        return [MARKDOWN, XML]
    plain = PLAIN.replace(separator=given.get("separator", "\n\n"))
    return [plain.replace(notes=True) if given.get("note_on_omission") else plain]


def runs(given: dict[str, Any], budget: int | None = None) -> Iterator[tuple[str, Packing[Any]]]:
    """Pack a case with every tokenizer and in every format it names."""
    for name in given.get("tokenizers", [given.get("tokenizer")]):
        for render in renderers(given):
            budget = given["budget"] if budget is None else budget
            yield name, haversack.pack(given["snippets"], budget, counter=name, render=render)


def ids(snippets: Any) -> list[str]:
    """Return the ids of some snippets."""
    return [snippet["id"] for snippet in snippets]


def is_met(part: str, wanted: Any, packing: Packing[Any], counter: str) -> bool:
    """Tell whether a packing meets a part of an expectation."""
    text = packing.text
    assert text is not None
    match part:
        case "value":
            return packing.value == wanted
        case "must_include":
            return set(wanted) <= set(ids(packing.selected))
        case "must_exclude":
            return set(wanted) <= set(ids(packing.dropped))
        case "recount_max":
            return packing.text_tokens == (counters.resolve(counter)(text) if text else 0) <= wanted
        case "value_min":
            return packing.value >= wanted
        case "value_best":
            return packing.value <= wanted
        case "rendered_is_valid_utf8":
            return text.encode().decode() == text
        case "rendered_text":
            return text == wanted
    raise AssertionError(f"nobody checks {part}")


@pytest.mark.parametrize("name", TEXTS)
def test_case(name: str) -> None:
    """Every part of the expectation, for every tokenizer and format of the case."""
    case, started = CASES[name], time.perf_counter()
    expected = case["expect"]

    for counter, packing in runs(case["input"]):
        # Of the alternatives, the first is what we do.
        wanted = {
            **expected,
            **expected.get("either", [{}])[0],
            **expected.get("per_tokenizer", {}).get(counter, {}),
        }
        unmet = [p for p in wanted.keys() - EXPLAINED if not is_met(p, wanted[p], packing, counter)]
        assert unmet == [], packing

    assert time.perf_counter() - started <= expected.get("max_seconds", 60)


@pytest.mark.parametrize("name", TEXTS)
def test_the_counts_of_a_case_are_ours(name: str) -> None:
    """Of each snippet by its id, or of the first by every encoding named."""
    given, counts = CASES[name]["input"], CASES[name]["expect"].get("counts", {})
    texts = {snippet["id"]: snippet["text"] for snippet in given["snippets"]}

    for what, tokens in counts.items():
        if what in texts:
            assert counters.resolve(given["tokenizer"])(texts[what]) == tokens
        elif what in ("cl100k_base", "o200k_base"):
            assert counters.resolve(what)(next(iter(texts.values()))) == tokens


@pytest.mark.parametrize(("name", "more", "inside"), [("R11", 1, ["A", "B"]), ("R40", -1, [])])
def test_one_token_more_or_less_changes_the_answer(name: str, more: int, inside: list[str]) -> None:
    """The budget is used to the last token."""
    given = CASES[name]["input"]

    ((_, packing),) = runs(given, given["budget"] + more)

    assert ids(packing.selected) == inside


def test_a_format_in_which_it_is_too_long_leaves_it_out() -> None:
    """R13: raw 50 tokens, in a fence more."""
    packings = [packing for _, packing in runs(CASES["R13"]["input"])]

    assert [len(packing.selected) for packing in packings] == [1, 0, 0, 0]
    assert [packing["j"].reason for packing in packings[1:]] == ["too_long"] * 3


def test_each_text_is_whole_in_its_own_fence() -> None:
    """R78, read by a Markdown parser."""
    parser = pytest.importorskip("markdown_it", reason="needs markdown-it-py").MarkdownIt()
    given = CASES["R78"]["input"]

    packing = haversack.pack(
        given["snippets"], given["budget"], counter=given["tokenizer"], render="markdown"
    )

    fences = [token.content for token in parser.parse(packing.text) if token.type == "fence"]
    assert fences == [snippet["text"].rstrip() + "\n" for snippet in given["snippets"]]


OFFLINE = """
import json, socket, sys
def refuse(*_): raise OSError("no network here")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
sys.argv = ["haversack", "pack", "-", "--counter", "o200k_base", "--format", "json"]
from haversack.__main__ import main
main()
"""


def test_the_vocabulary_comes_with_the_counter() -> None:
    """R79: no network, an empty cache, and still exact."""
    import json
    import os
    import tempfile

    given, expected = CASES["R79"]["input"], CASES["R79"]["expect"]
    request = {"budget": given["budget"], "snippets": given["snippets"]}

    with tempfile.TemporaryDirectory() as empty:
        run = subprocess.run(
            [sys.executable, "-c", OFFLINE],
            input=json.dumps(request),
            env={**os.environ, "TIKTOKEN_CACHE_DIR": empty},
            capture_output=True,
            text=True,
            timeout=expected["max_seconds"],
            check=True,
        )

    packing = json.loads(run.stdout)
    assert packing["selected"] == expected["either"][0]["must_include"]
    assert packing["exact"] is True
    assert "o200k_base" in run.stderr
