"""What people read, kept as it is until somebody means to change it."""

from __future__ import annotations

import pytest

from .golden import FOLDER, SESSIONS, session


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_reads_as_it_did(name: str) -> None:
    """Meant to change? `cd tests && python -m cli.golden`, then read the difference."""
    columns, commands = SESSIONS[name]

    assert session(columns, commands) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_no_transcript_is_left_over() -> None:
    """Each file belongs to a session."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SESSIONS)
