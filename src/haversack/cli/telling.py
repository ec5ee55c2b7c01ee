"""What is said beside the output, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from haversack import Packing
from haversack.cli.table import summary


def tell_about(packing: Packing[Any], notes: Iterable[str], quiet: bool) -> None:
    """Say the *notes*, whether the pins are over, and (unless *quiet*) the summary."""
    for note in notes:
        tell(f"warning: {note}")
    if packing.over_budget:
        over, noun = f"{packing.over_budget:,} tokens", packing._noun
        tell(f"warning: over the budget by {over}: the pinned {noun}s do not fit")
    if not quiet:
        tell(summary(packing))


def tell(message: str) -> None:
    """Say something on standard error, if anybody listens."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"haversack: {message}\n")
            sys.stderr.flush()
