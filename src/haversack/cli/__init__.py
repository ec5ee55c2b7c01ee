"""The command line. Nothing outside this package imports typer or rich."""

from __future__ import annotations

import sys

from haversack.cli.app import app
from haversack.cli.failures import INTERRUPTED, CommandError
from haversack.cli.outputs import mute_stdout, unwritable
from haversack.cli.reporting import tell

__all__ = ["main"]


def main() -> None:
    """Run the command of `sys.argv` and exit with its code."""
    try:
        _run()
    except CommandError as failure:
        tell(failure.message)
        sys.exit(failure.code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _run() -> None:
    """Run the command; what typer itself prints, such as the help, may fail to be written like all else."""
    try:
        try:
            app(prog_name="haversack")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        mute_stdout()
    except OSError as error:
        mute_stdout()
        raise unwritable(error) from None
