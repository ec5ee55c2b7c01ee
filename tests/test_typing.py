"""The public interface under mypy --strict, as a caller's project sees it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import haversack
from haversack import _core

HERE = Path(__file__).parent


def test_a_caller_s_types_are_inferred(tmp_path: Path) -> None:
    """Every `assert_type` holds and every `type: ignore` is needed, against the installed package."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path)]

    run = subprocess.run(
        [*command, str(HERE / "typing" / "api.py")], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stdout + run.stderr


def test_the_stub_names_what_the_native_module_has() -> None:
    """And nothing else: an attribute that is missing from either side would be found by no one."""
    stub = (Path(haversack.__file__).parent / "_core.pyi").read_text("utf-8")

    missing = [name for name in dir(_core) if not name.startswith("_") and f"{name}" not in stub]

    assert not missing
