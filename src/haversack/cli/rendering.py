"""Which counter and which format a command uses, and the bar that is shown while much is counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from haversack._record import Record
from haversack.cli.progress import watched
from haversack.counters import Counter, resolve
from haversack.renderers import Renderer, named

COUNTER = "o200k_base"
"""Counts where nobody says what with; the summary names it."""


class Frame(Record):
    """What stands around the snippets: a header, headings of sections, a note of how many are missing."""

    __slots__ = ("header", "headings", "note")

    header: str
    headings: bool
    note: bool

    def __init__(self, header: str = "", headings: bool = False, note: bool = False) -> None:
        self._fill(header, headings, note)


def is_counted(request: Mapping[str, Any], frame: Frame) -> bool:
    """Tell whether a counter is needed: for a text without a cost, or because something is to be rendered."""
    if any(request.get(name) for name in ("counter", "render")) or frame != Frame():
        return True
    if request.get("order") not in (None, "input"):
        return True
    fields = request.get("fields")
    if not isinstance(fields, dict) or not all(isinstance(key, str) for key in fields.values()):
        fields = {}  # reading it says what is wrong
    names = {name: fields.get(name, name) for name in ("cost", "tokens", "text", "value", "variants")}
    return any(_lacks(one, names) for one in request["snippets"])


def code_for(request: Mapping[str, Any], frame: Frame, has_files: bool, quiet: bool) -> dict[str, Any]:
    """Make the counter and the renderer that a request names; files get a title each by default."""
    counter: Counter = resolve(request.get("counter") or COUNTER)
    renderer: Renderer = named(request.get("render") or ("markdown" if has_files else "plain"))
    if frame.header:
        renderer = renderer.replace(header=frame.header)
    if frame.headings:
        renderer = renderer.replace(headings=True)
    if frame.note:
        renderer = renderer.replace(notes=True)
    return {"counter": watched(counter, quiet), "render": renderer}


def _lacks(one: Any, names: Mapping[str, str]) -> bool:
    """Tell whether any form of a snippet is without its tokens; *names* are the keys of its fields."""
    if isinstance(one, str):
        return True
    if not isinstance(one, dict):
        return False
    variants = one.get(names["variants"])
    forms = [form for form in variants if isinstance(form, dict)] if isinstance(variants, list) else []
    if any(form.get("cost") is None and form.get("tokens") is None for form in forms):
        return True
    # With variants, a snippet has a form of its own only if it says anything about it.
    has_own = not forms or any(one.get(names[name]) is not None for name in ("text", "value"))
    return has_own and one.get(names["cost"]) is None and one.get(names["tokens"]) is None
