"""OpenAI's own rank files, which make tiktoken an offline judge of the exact counters.

The wheel of litellm carries them under the names of tiktoken's cache. `python tests/ranks.py` fetches that
wheel through pip, without its dependencies, and keeps the two files in .cache/ranks. tiktoken checks their
hashes itself. Tests that need them skip with a reason where they are missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

FILES = ("fb374d419588a4632f3f557e76b4b70aebbca790", "9b5ad71b2ce5302211f9c61530b329a4922fc6a4")
KEPT = Path(__file__).parents[1] / ".cache" / "ranks"
INSIDE = "litellm/litellm_core_utils/tokenizers"
REASON = "needs tiktoken's rank files: python tests/ranks.py"


def folder() -> Path | None:
    """Find a folder with both rank files: kept here, in tiktoken's own cache, or in an installed litellm."""
    candidates = [KEPT]
    if "TIKTOKEN_CACHE_DIR" in os.environ:
        candidates.append(Path(os.environ["TIKTOKEN_CACHE_DIR"]))
    package = find_spec("litellm")
    if package is not None and package.origin is not None:
        candidates.append(Path(package.origin).parents[1] / INSIDE)
    return next((place for place in candidates if all((place / name).is_file() for name in FILES)), None)


def fetch() -> None:
    """Download the wheel and keep the two files."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", scratch, "litellm"]
        subprocess.run(pip, check=True)
        (wheel,) = Path(scratch).glob("litellm-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name in FILES:
                (KEPT / name).write_bytes(archive.read(f"{INSIDE}/{name}"))


if __name__ == "__main__":
    if folder() is None:
        fetch()
    print(folder())
