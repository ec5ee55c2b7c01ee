"""Write the golden transcripts anew: `python -m cli.golden` in the folder tests, then read the difference."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from pathlib import Path

from .running import run

FOLDER = Path(__file__).with_name("golden")

# Each transcript is a session in a fresh folder: (columns, commands). `> name` keeps the output in a file.
SESSIONS: dict[str, tuple[int, list[str]]] = {
    "demo-80": (80, ["haversack demo"]),
    "demo-200": (200, ["haversack demo"]),
    "demo-tight": (80, ["haversack demo --budget 1900"]),
    "go-on": (
        80,
        [
            "haversack demo --json > turn.json",
            "haversack pack turn.json --budget 2500 --format ids",
            "haversack pack turn.json --budget 2500 --format table --rows 4",
            "haversack pack turn.json --budget 2500 --format jsonl --quiet > chosen.jsonl",
            "haversack pack chosen.jsonl --budget 700 --format table",
            "haversack pack turn.json --budget 1400",
            "haversack pack turn.json --budget 1400 --allow-over-budget --format ids",
        ],
    ),
}


def session(columns: int, commands: list[str]) -> str:
    """Run commands in a fresh folder and return what a terminal would show."""
    before = Path.cwd()
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            shown = [_shown(columns, command) for command in commands]
        finally:
            os.chdir(before)
    return "\n".join(shown)


def _shown(columns: int, command: str) -> str:
    line, _, file = command.partition(" > ")
    done = run(*shlex.split(line)[1:], columns=columns)
    if file:
        Path(file).write_text(done.out, "utf-8")
    code = f"[exit {done.code}]\n" if done.code else ""
    return f"$ {command}\n{'' if file else done.out}{done.err}{code}"


if __name__ == "__main__":
    for name, (columns, commands) in SESSIONS.items():
        (FOLDER / f"{name}.txt").write_text(session(columns, commands), "utf-8")
        sys.stdout.write(f"{name}\n")
