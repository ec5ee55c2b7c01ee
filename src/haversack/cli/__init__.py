"""The command line. Nothing outside this package imports typer or rich."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from haversack.cli.app import app
from haversack.cli.failures import INTERRUPTED, CommandError
from haversack.cli.outputs import mute_stdout, unwritable
from haversack.cli.reporting import tell

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Run the command; what typer and rich print, such as the help, may fail to be written like all else."""
    try:
        try:
            app(prog_name="haversack")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except SystemExit as ended:
        # A reader that stops early is no error; rich and click make it one on their way out.
        causes = list(_causes(ended))
        if not any(isinstance(cause, BrokenPipeError) for cause in causes):
            raise
        mute_stdout()
        # What was about to be told may be an error of its own: a wrong option, say.
        sys.exit(next((cause.exit_code for cause in causes if hasattr(cause, "exit_code")), 0))
    except BrokenPipeError:
        mute_stdout()
    except OSError as error:
        mute_stdout()
        raise unwritable(error) from None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """What was being handled when an exception was raised, and so on."""
    context = error.__context__
    while context is not None:
        yield context
        context = context.__context__
