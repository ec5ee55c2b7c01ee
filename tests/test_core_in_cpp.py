"""The core's own tests, in C++: built without Python, run as they are."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no CMake here to build them with")
def test_the_core_passes_its_own_tests(tmp_path: Path) -> None:
    """Against tables and enumeration, on numbers and efforts that Python would take long over."""
    steps = [
        ["cmake", "-S", str(ROOT), "-B", str(tmp_path), "-DHAVERSACK_TESTS=ON"],
        ["cmake", "--build", str(tmp_path), "--parallel", "2"],
        ["ctest", "--test-dir", str(tmp_path), "--output-on-failure"],
    ]

    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
