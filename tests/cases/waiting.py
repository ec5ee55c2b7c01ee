"""The cases that need a feature which is not built yet. Building it means deleting its rows."""

WAITING: dict[str, str] = {}

WAITING_PARTS: dict[str, str] = {}
"""Parts of an expectation that wait although the rest of the case runs."""
