"""The cases that need a feature which is not built yet. Building it means deleting its rows."""

WAITING = {
    # messages
    "R01": "chat",
    "R02": "chat",
    "R04": "chat",
    "R05": "chat",
    "R07": "chat",
    "R09": "chat",
    "R19": "chat",
    "R30": "chat",
    "R38": "chat",
}

WAITING_PARTS: dict[str, str] = {}
"""Parts of an expectation that wait although the rest of the case runs."""
