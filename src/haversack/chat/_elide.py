"""Shorter forms of long text: head and tail, and between them a marker that says how much is left out.

A tool's result is mostly read at its ends: what it is about, and how it came out. A form that keeps those
is worth trying before the message is dropped.
"""

from __future__ import annotations

from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

MARKER = "\n[... {tokens:,} tokens left out ...]\n"
# Two thirds for the head: what a text is about stands there, and most logs and files are cut short at their
# end.
HEAD = 2 / 3


def elided(text: str, tokens: int, count: Callable[[str], int]) -> str | None:
    """Shorten *text* to at most *tokens*, marker included, counted by *count*; None if it is not longer.

    None also where not even the marker fits, or where nothing would be gained.

    >>> print(elided("one two three four five six seven eight nine ten", 9, lambda text: len(text.split())))
    one two
    [... 7 tokens left out ...]
    ten
    """
    whole = count(text)
    if whole <= tokens:
        return None
    room = tokens - count(MARKER.format(tokens=whole))
    share = room / whole  # of the characters; corrected below by what the counter says
    for _ in range(12):
        if share <= 0 or not (head := int(len(text) * share * HEAD)):
            return None
        tail = int(len(text) * share * (1 - HEAD))
        found = _cut(text, head, tail, count)
        needed = count(found)
        if needed <= tokens:
            return found if needed < whole else None
        share *= min(0.97, tokens / needed)
    return None


def _cut(text: str, head: int, tail: int, count: Callable[[str], int]) -> str:
    first, last = text[:head], text[len(text) - tail :]
    first = first[: _edge(first, text[head : head + 1])]
    last = last[len(last) - _edge(last[::-1], text[len(text) - tail - 1 : len(text) - tail]) :]
    middle = text[len(first) : len(text) - len(last)]
    return f"{first.rstrip()}{MARKER.format(tokens=count(middle))}{last.lstrip()}"


def _edge(text: str, following: str) -> int:
    """Where to end *text* so that no word is cut, if a gap is near: the length up to the last gap."""
    if not following or following.isspace() or (text and text[-1].isspace()):
        return len(text)
    gap = max(text.rfind(" "), text.rfind("\n"))
    return gap + 1 if gap >= len(text) * 0.8 or (gap >= 0 and len(text) < 40) else len(text)


def checked_sizes(elide: Any) -> tuple[int, ...]:
    """The sizes of the shorter forms, in tokens, the largest first."""
    sizes: Iterable[Any] = () if elide is None else elide if isinstance(elide, (list, tuple)) else (elide,)
    checked = []
    for size in sizes:
        if type(size) is not int or size < 1:
            raise InputError(
                f"elide={elide!r}: a shorter form's size is an int >= 1, in tokens (one, or a list of them)",
                field="elide",
                found=elide,
            )
        checked.append(size)
    return tuple(sorted(set(checked), reverse=True))
