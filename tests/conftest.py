"""Options of the suite."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let real data be named that the repository does not hold."""
    parser.addoption(
        "--evidence",
        type=Path,
        metavar="FOLDER",
        help="evidence sets (see benchmarks/evidence.py) for the tests on real input",
    )


@pytest.fixture
def evidence_folder(request: pytest.FixtureRequest) -> Path:
    """The folder named by --evidence=FOLDER."""
    folder = request.config.getoption("--evidence")
    if folder is None:
        pytest.skip("real input is not part of the repository: give --evidence=FOLDER")
    assert isinstance(folder, Path)
    return folder
