"""What was installed: everything that is needed, and nothing else."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import haversack

ROOT = Path(__file__).parents[1]


@pytest.fixture
def installed() -> importlib.metadata.Distribution:
    """The wheel as installed; an editable install has no files of its own to look at."""
    distribution = importlib.metadata.distribution("haversack")
    if Path(haversack.__file__).is_relative_to(ROOT / "src"):
        pytest.skip("an editable install: the wheel is tested where it is installed, as .ci/run does")
    return distribution


def test_the_wheel_holds_the_package_its_types_and_its_licence(
    installed: importlib.metadata.Distribution,
) -> None:
    """The native module, the stub, the marker for type checkers, the demonstration's data."""
    names = {str(path) for path in installed.files or []}

    assert any(name.startswith("haversack/_core.") and name.endswith(".so") for name in names)
    assert {"haversack/_core.pyi", "haversack/py.typed", "haversack/reference.py"} <= names
    assert any(name.startswith("haversack/demo/") for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_wheel_holds_nothing_else(installed: importlib.metadata.Distribution) -> None:
    """No tests, no sources, no second package."""
    tops = {path.parts[0] for path in installed.files or [] if path.parts[0] != ".."}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"haversack"}


def test_the_library_depends_on_nothing() -> None:
    """Without extras nothing else is installed."""
    requirements = importlib.metadata.requires("haversack") or []

    assert [each for each in requirements if "extra ==" not in each] == []


def test_versions_agree() -> None:
    """The package, its metadata and the command say the same."""
    version = importlib.metadata.version("haversack")

    said = subprocess.run(
        [sys.executable, "-m", "haversack", "--version"], capture_output=True, text=True, check=True
    ).stdout

    assert version == haversack.__version__
    assert version in said
