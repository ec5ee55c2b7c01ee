"""What ends a command early: one exception, one exit code."""

from __future__ import annotations

BAD_INPUT = 1
BAD_USAGE = 2
PINS_OVER_BUDGET = 3
INTERRUPTED = 130  # 128 + SIGINT, what a shell reports for a command stopped by Ctrl-C


class CommandError(Exception):
    """End the command with `code`, after saying `message` on standard error."""

    def __init__(self, message: str, code: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


def bad_line(name: str, line: int | None, message: str, column: int | None = None) -> CommandError:
    """Name the place as compilers do, so that editors and terminals can jump to it."""
    place = ":".join(str(part) for part in (name, line, column) if part is not None)
    return CommandError(f"{place}: {message}")
