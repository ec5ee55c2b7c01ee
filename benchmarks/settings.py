"""How much to measure."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Settings(NamedTuple):
    """*quick*: small instances and two rounds, to see that all runs. *data*: a folder of evidence sets."""

    quick: bool = False
    rounds: int = 200
    seconds: float = 2.0
    data: Path | None = None


QUICK = Settings(quick=True, rounds=2, seconds=0.1)
