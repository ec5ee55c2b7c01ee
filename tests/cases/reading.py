"""Read the cases: literals that plain JSON cannot hold, and what an expectation means."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("cases.json")


def _literal(pairs: dict[str, Any]) -> Any:
    if pairs.keys() == {"$repeat", "times"}:
        return pairs["$repeat"] * pairs["times"]
    if pairs.keys() == {"$bytes_base64"}:
        return base64.b64decode(pairs["$bytes_base64"])
    if pairs.keys() == {"$float"}:
        return float(pairs["$float"])
    return pairs


CASES: dict[str, dict[str, Any]] = {
    case["id"]: json.loads(json.dumps(case), object_hook=_literal)
    for case in json.loads(PATH.read_text("utf-8"))["cases"]
}


def speaks_of(message: str, things: list[str]) -> bool:
    """Tell whether *message* names every thing; "a / b" and "a or b" ask for one of the two.

    Numbers are looked for as they are written, with or without separators between the thousands.
    """
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", message).lower()
    return all(
        any(choice.strip().lower() in plain for choice in re.split(r" / | or ", thing)) for thing in things
    )
