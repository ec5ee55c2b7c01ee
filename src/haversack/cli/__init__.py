"""The command line. Nothing outside this package imports typer or rich."""

from __future__ import annotations

import sys

from haversack.cli.app import app
from haversack.cli.failures import INTERRUPTED, CommandError
from haversack.cli.reporting import tell

__all__ = ["main"]


def main() -> None:
    """Run the command of `sys.argv` and exit with its code."""
    try:
        app(prog_name="haversack")
    except CommandError as failure:
        tell(failure.message)
        sys.exit(failure.code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
