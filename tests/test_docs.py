"""Everything the documents claim is run: Python blocks, console blocks, and the examples in docstrings."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import inspect
import io
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import haversack

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(?P<kind>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = {"python", "console", "text", "json", "jsonl", ""}

# What a block may not do again within the tests: build an environment, run the tests, measure for minutes.
# .ci/run and the benchmarks' own tests do these.
DONE_ELSEWHERE = re.compile(r"python3 -m venv|-m pytest|-m benchmarks|pip install|git clone")


class Block(NamedTuple):
    """A fenced block and where it stands."""

    path: Path
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def _blocks(*kinds: str) -> list[Block]:
    return [
        Block(path, text.count("\n", 0, found.start()) + 1, found["kind"].strip(), found["text"])
        for path in DOCUMENTS
        for text in [path.read_text("utf-8")]
        for found in FENCE.finditer(text)
        if found["kind"].strip() in kinds or not kinds
    ]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_python_blocks_run_in_order_and_print_what_they_say(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later blocks of a page see the names of earlier ones.

    `# -> text` after a line that prints, or after an expression, is compared with the output, or the `repr`.
    """
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__document__"}
    for block in _blocks("python"):
        if block.path == path:
            _run_python(block, names)


def _run_python(block: Block, names: dict[str, object]) -> None:
    if ">>> " in block.text:
        test = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(block.path), block.line)
        report = io.StringIO()
        outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
            test, out=report.write, clear_globs=False
        )
        names.update(test.globs)
        assert outcome.failed == 0, f"{block}\n{report.getvalue()}"
        return
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(_with_expressions_printed(block.text), str(block), "exec"), names)
    promised = re.findall(r"# -> (.*)$", block.text, re.MULTILINE)
    if promised:
        assert printed.getvalue().splitlines() == promised, str(block)


def _with_expressions_printed(text: str) -> str:
    """`expression  # -> repr` becomes a call that prints the repr; lines that print already stay."""
    return re.sub(r"^(?!print\(|#)(\S.*?)(\s+# -> .*)$", r"print(repr((\1)))\2", text, flags=re.MULTILINE)


class Command(NamedTuple):
    """A line after `$ `, and the lines printed below it."""

    line: str
    output: list[str]


def _commands(text: str) -> Iterator[Command]:
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield Command(lines[start][2:], lines[start + 1 : end])


@pytest.mark.parametrize("block", _blocks("console"), ids=str)
def test_the_console_blocks_print_what_they_say(block: Block, tmp_path: Path) -> None:
    """Every `$ command` succeeds in an empty folder with the examples, and prints the lines under it.

    `...` stands for anything: alone on a line for any lines, in a line for the rest of it.
    """
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=compiled)
    # The sources as they were installed: the repository's own folder may be out of reach.
    sources = Path(haversack.__file__).parent
    shutil.copytree(sources, tmp_path / "src" / "haversack", ignore=compiled)
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    for command in _commands(block.text):
        if DONE_ELSEWHERE.search(command.line):
            continue
        run = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {command.line}"],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{block}: {command.line}\n{run.stdout}"
        if command.output:
            assert _matches(command.output, run.stdout.rstrip("\n").splitlines()), run.stdout


def _matches(promised: list[str], printed: list[str]) -> bool:
    pattern = "\n".join(re.escape(line.rstrip()).replace(re.escape("..."), ".*") for line in promised)
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed), re.DOTALL) is not None


def test_every_block_says_what_it_is() -> None:
    """A misspelt kind would never be run."""
    assert [str(block) for block in _blocks() if block.kind not in KINDS] == []


def test_console_blocks_are_commands_a_shell_can_read() -> None:
    """Those that are not run here are at least split like any other."""
    for block in _blocks("console"):
        assert [shlex.split(command.line) for command in _commands(block.text)], str(block)


def test_links_between_documents_lead_somewhere() -> None:
    """Relative ones; others need a network."""
    for path in DOCUMENTS:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text("utf-8")):
            assert (path.parent / target).exists(), f"{path.relative_to(ROOT)}: {target}"


def _module_names() -> list[str]:
    walked = pkgutil.walk_packages(haversack.__path__, "haversack.")
    return ["haversack", *(each.name for each in walked if not each.name.endswith("__main__"))]


@pytest.mark.parametrize("name", _module_names())
def test_the_examples_in_docstrings_are_true(name: str) -> None:
    """Doctests of every module; an integration's where its framework is installed."""
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        if "pip install 'haversack[" not in str(error):
            raise
        pytest.skip(str(error))

    assert doctest.testmod(module).failed == 0


HEADINGS = re.findall(r"^## `(\w+)\((.*)\)`$", (ROOT / "docs" / "api.md").read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("name", "parameters"), HEADINGS, ids=[name for name, _ in HEADINGS])
def test_the_page_of_the_interface_names_every_parameter(name: str, parameters: str) -> None:
    """In order, with the defaults; what ends in ... says that there are more."""
    said = [each.strip().replace('"', "'") for each in parameters.split(",")]
    found = [
        str(each.replace(annotation=inspect.Parameter.empty))
        for each in inspect.signature(getattr(haversack, name)).parameters.values()
    ]

    if said[-1] == "...":
        said, found = said[:-1], found[: len(said) - 1]
    assert [each for each in said if each != "*"] == found
