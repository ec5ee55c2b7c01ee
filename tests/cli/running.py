"""Run the command line: in this process, which is fast, or in one of its own, which is the real thing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest import mock

from haversack.cli import main

COMMAND = [sys.executable, "-m", "haversack"]


class Finished(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def run(*words: str, stdin: str | bytes = "", columns: int = 80) -> Finished:
    """Run a command in this process; it sees no terminal."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    out_bytes, err_bytes = io.BytesIO(), io.BytesIO()
    out, err = (
        io.TextIOWrapper(each, encoding="utf-8", write_through=True) for each in (out_bytes, err_bytes)
    )
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", ["haversack", *words]))
        stack.enter_context(mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given))))
        stack.enter_context(mock.patch.dict(os.environ, environment(columns)))
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        code = _exit_code()
    return Finished(code, out_bytes.getvalue().decode(), err_bytes.getvalue().decode())


def run_alone(*words: str, stdin: bytes = b"", **variables: str) -> Finished:
    """Run a command in a process of its own."""
    done = subprocess.run(
        [*COMMAND, *words],
        input=stdin,
        capture_output=True,
        env={**os.environ, **environment(), **variables},
        timeout=60,
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


def environment(columns: int = 80) -> Mapping[str, str]:
    """Variables that decide how a terminal looks, so that no developer's own do."""
    return {"COLUMNS": str(columns), "TERM": "dumb", "NO_COLOR": "1"}


def _exit_code() -> int:
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0
