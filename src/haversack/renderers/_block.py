"""What a renderer is given for one snippet."""

from __future__ import annotations

from haversack._text import one_line, well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Block:
    """One snippet in one of its forms, as it goes into the text.

    `number` is its place among the selected, from 1: in a finished text, `[3]` is `packing.selected[2]`.
    It is set by whoever renders, and the only field that changes. `is_numbered` tells whether it was ever
    read: if not, the block's text is the same in any place.
    A block without text (None, or nothing but whitespace) renders nothing and costs nothing.

    >>> Block("api", "GET /users", source="docs/api.md", start=3, end=9).title
    'docs/api.md:3-9'
    """

    __slots__ = ("_number", "end", "id", "is_numbered", "meta", "section", "source", "start", "text")

    def __init__(
        self,
        id: str | int | None,
        text: str | None,
        source: str | None = None,
        section: str | None = None,
        start: int | None = None,
        end: int | None = None,
        number: int = 1,
        meta: Any = None,
    ) -> None:
        self.id = id
        # Made valid once, here: what is counted is then what is sent.
        self.text = well_formed(text) if text is not None else None
        self.source = source
        self.section = section
        self.start = start
        self.end = end
        self.meta = meta
        self._number = number
        self.is_numbered = False

    @property
    def number(self) -> int:
        """Its place among the selected, from 1."""
        self.is_numbered = True
        return self._number

    @number.setter
    def number(self, number: int) -> None:
        self._number = number

    @property
    def place(self) -> str:
        """Where it comes from, on one line: the source with its span; empty without a source."""
        if self.source is None:
            return ""
        if self.start is None:
            return one_line(str(self.source))
        span = f"{self.start}" if self.end is None else f"{self.start}-{self.end}"
        return one_line(f"{self.source}:{span}")

    @property
    def title(self) -> str:
        """Its place, else its id, else nothing; on one line."""
        return self.place or ("" if self.id is None else one_line(str(self.id)))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to render."""
        text = self.text
        return not text or text.isspace()
