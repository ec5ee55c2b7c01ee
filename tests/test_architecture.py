"""The layers, and what an import may cost."""

from __future__ import annotations

import ast
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import haversack

ROOT = Path(__file__).parents[1]
PACKAGE = Path(haversack.__file__).parent
SOURCES = sorted(ROOT.glob("core/**/*.[ch]pp")) + sorted(ROOT.glob("bindings/*.[ch]pp"))

# From the innermost layer outwards; a module may import its own layer and those before it, never later ones.
# A name ending in a dot stands for a package. What is not named belongs to the model.
FOUNDATIONS = ("_core", "_record", "exceptions", "reference")
MODEL = ()
RESULTS = (
    "_account",
    "_budgeted",
    "_chosen",
    "_classes",
    "_solved",
    "_reasons",
    "_wire_structure",
    "_knapsack",
    "_decision",
    "_decisions",
    "_sentences",
    "_packing",
    "_parts",
    "_curve",
    "_report",
    "_html",
    "_wire",
)
PACKER = ("_packed", "_packer", "_request")
CHAT = ("chat.",)
SHELLS = ("cli.", "demo.", "integrations.", "__main__")
# What a module may import though it is no shell: inside a function only, so that nothing is loaded unasked.
OPTIONAL = {
    "_milp": {"highspy"},
    "counters._exact": {"tiktoken", "toktok"},
    "counters._tokenizers": {"tiktoken", "tokenizers"},
    "evaluation.plots": {"matplotlib"},
    "values._fitting": {"sklearn"},
}
LAYERS = (FOUNDATIONS, MODEL, RESULTS, PACKER, CHAT, SHELLS)


def _modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if name != "__init__":
            yield name.removesuffix(".__init__"), path


def _layer(module: str) -> int:
    for depth, names in enumerate(LAYERS):
        if module in names or any(f"{module}.".startswith(name) for name in names if name.endswith(".")):
            return depth
    return LAYERS.index(MODEL)


def _imported(path: Path) -> Iterator[str]:
    """The modules of the package that a file imports, anywhere in it, unless only for type checkers."""
    tree = ast.parse(path.read_text("utf-8"))
    for_types = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if node in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            if node.module == "haversack":
                yield from (f"haversack.{each.name}" for each in node.names)


def _own(imported: str) -> str | None:
    """The part after `haversack.` if that names a module of ours."""
    name = imported.removeprefix("haversack.")
    path = PACKAGE.joinpath(*name.split("."))
    is_ours = imported != name and (path.with_suffix(".py").exists() or path.is_dir() or name == "_core")
    return name if is_ours else None


@pytest.mark.parametrize(("module", "path"), [pytest.param(*each, id=each[0]) for each in _modules()])
def test_imports_point_inward(module: str, path: Path) -> None:
    """Shells know the packer, the packer the model, the model the core; never the other way round."""
    outer = {
        own
        for imported in _imported(path)
        if (own := _own(imported)) is not None and _layer(own) > _layer(module)
    }

    assert not outer


@pytest.mark.parametrize(
    "module",
    [name for name, _ in _modules() if not name.startswith(("cli", "integrations", "__main__"))],
)
def test_the_library_imports_nothing_but_itself_and_the_standard_library(module: str) -> None:
    """Not even inside a function: optional packages belong to the shells, and to the modules named above."""
    path = dict(_modules())[module]

    roots = {imported.split(".")[0] for imported in _imported(path)}
    at_the_top = {
        name.name.split(".")[0]
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.Import)
        for name in node.names
    }

    assert roots - OPTIONAL.get(module, set()) <= {*sys.stdlib_module_names, "haversack"}
    assert at_the_top <= set(sys.stdlib_module_names)


def test_only_the_binding_file_includes_nanobind() -> None:
    """The rest of the C++ can be read without knowing it."""
    including = [path.name for path in SOURCES if "#include <nanobind" in path.read_text("utf-8")]

    assert including == ["module.cpp"]


def test_the_core_knows_no_python() -> None:
    """It is a library of its own."""
    core = [path for path in SOURCES if path.is_relative_to(ROOT / "core")]
    knowing = [
        path.name for path in core if "Python.h" in (text := path.read_text("utf-8")) or "nanobind" in text
    ]

    assert core
    assert not knowing


@pytest.mark.parametrize(("module", "path"), [pytest.param(*each, id=each[0]) for each in _modules()])
def test_no_module_outgrows_what_can_be_read_at_a_sitting(module: str, path: Path) -> None:
    """A file that does is two concepts."""
    assert len(path.read_text("utf-8").splitlines()) <= 300, module


_LOADED = """
import sys
before = set(sys.modules)
import haversack
print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))
"""
SLOW = {
    "dataclasses",
    "decimal",
    "enum",
    "fractions",
    "inspect",
    "json",
    "logging",
    "re",
    "typing",
    "asyncio",
}


def _python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_importing_loads_no_third_party_module_and_none_of_the_slow_ones() -> None:
    """What an import loads, every program pays that embeds us."""
    loaded = set(_python(_LOADED).split())

    assert loaded - set(sys.stdlib_module_names) == {"haversack"}
    assert not loaded & SLOW


def test_importing_takes_less_than_thirty_milliseconds() -> None:
    """Of processor time: the median of nine, a bare start of Python taken off in each."""

    def start(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    start("import haversack")
    over = [start("import haversack") - start("pass") for _ in range(9)]

    assert statistics.median(over) < 0.030


@pytest.mark.parametrize("part", ["chat", "counters", "evaluation", "exceptions", "renderers", "values"])
def test_the_parts_are_there_when_they_are_asked_for(part: str) -> None:
    """Importing the package is enough; none is loaded before."""
    said = _python(
        f"import sys, haversack\nloaded = 'haversack.{part}' in sys.modules\n"
        f"assert {part!r} in dir(haversack)\n"
        f"print(loaded, haversack.{part} is sys.modules['haversack.{part}'])"
    )

    assert said.split() == [str(part == "exceptions"), "True"]


def test_what_there_is_not_is_no_attribute() -> None:
    """Neither by accident nor by its private name."""
    assert not hasattr(haversack, "testing")
    with pytest.raises(AttributeError, match="has no attribute 'pack_all'"):
        haversack.pack_all  # noqa: B018


def test_completion_shows_the_public_names_only() -> None:
    """`__init__` is a table of contents: it exports what it names, sorted."""
    assert list(haversack.__all__) == sorted(haversack.__all__)
    assert all(hasattr(haversack, name) for name in haversack.__all__)
