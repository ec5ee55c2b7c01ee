"""The record that says how snippets become one text."""

from __future__ import annotations

from haversack._record import Record
from haversack._text import well_formed
from haversack.exceptions import InputError, InputTypeError
from haversack.renderers._block import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class Renderer(Record):
    """How snippets become one text. Any format is one of these; change one with `replace`.

    `block` renders a snippet: a function from a `Block` to its text, or a template with `{text}`, `{id}`,
    `{title}`, `{source}`, `{section}`, `{number}`. Parts are joined by `separator`.
    `header` and `footer` stand around all of it. `heading` (a template with `{section}`, or a function of the
    section's name) precedes the snippets of a section, `heading_end` follows them; `note` (a template
    with `{count}`, or a function of the blocks left out) says what is missing. All are inside the budget.

    `headings` and `notes` switch the two on; they are on where you give the template yourself.
    With `lines` every part is made to end in exactly one newline and to start without a blank line, and there
    is no separator: the sum of the parts' tokens is then exact on OpenAI's encodings for blocks that start
    with neither whitespace nor `/`. Without it the sum is only close, and the final count decides.

    >>> cards = Renderer("<<{title}>>\\n{text}", header="Known facts:", lines=True)
    >>> print(cards.render([Block("a", "Tea is hot."), Block("b", "Ice is cold.\\n\\n")]), end="")
    Known facts:
    <<a>>
    Tea is hot.
    <<b>>
    Ice is cold.
    """

    __slots__ = (
        "name",
        "block",
        "separator",
        "header",
        "footer",
        "heading",
        "heading_end",
        "note",
        "headings",
        "notes",
        "lines",
    )

    name: str
    block: str | Callable[[Block], str]
    separator: str
    header: str
    footer: str
    heading: str | Callable[[str], str]
    heading_end: str | Callable[[str], str]
    note: str | Callable[[Sequence[Block]], str]
    headings: bool
    notes: bool
    lines: bool

    def __init__(
        self,
        block: str | Callable[[Block], str] = "{text}",
        *,
        name: str = "custom",
        separator: str | None = None,
        header: str = "",
        footer: str = "",
        heading: str | Callable[[str], str] | None = None,
        heading_end: str | Callable[[str], str] = "",
        note: str | Callable[[Sequence[Block]], str] | None = None,
        headings: bool | None = None,
        notes: bool | None = None,
        lines: bool = False,
    ) -> None:
        if lines and separator:
            raise InputError(
                "a renderer with lines=True has no separator: each part ends its own line",
                field="separator",
                found=separator,
            )
        joint = separator if separator is not None else ("" if lines else "\n\n")
        self._fill(
            name,
            block,
            well_formed(joint),
            header,
            footer,
            "{section}" if heading is None else heading,
            heading_end,
            "({count} left out)" if note is None else note,
            heading is not None if headings is None else headings,
            note is not None if notes is None else notes,
            lines,
        )
        self._check()

    def replace(self, **changes: Any) -> Renderer:
        """Make the same renderer with other settings.

        >>> Renderer().replace(separator="\\n---\\n").separator
        '\\n---\\n'
        """
        known = {field: getattr(self, field) for field in self.__slots__}
        for given, switch in (("heading", "headings"), ("note", "notes")):
            if given in changes:
                changes.setdefault(switch, True)
        return Renderer(**{**known, **changes})

    def block_text(self, block: Block) -> str:
        """Render one snippet; the empty string where it has no text."""
        if block.is_empty:
            return ""
        how = self.block
        return self._part(how(block) if callable(how) else _fill_in(how, block, _block_fields(how)))

    def heading_texts(self, section: str) -> tuple[str, str]:
        """Render what stands before and after the snippets of a section; empty strings without headings."""
        if not self.headings:
            return "", ""
        start = _fill_in(self.heading, section, _section_field)
        return self._part(start), self._part(_fill_in(self.heading_end, section, _section_field))

    def note_text(self, omitted: Sequence[Block]) -> str:
        """Render the note of what was left out; empty without notes, or if nothing was."""
        if not self.notes or not omitted:
            return ""
        return self._part(_fill_in(self.note, omitted, _count_field))

    def frame_texts(self) -> tuple[str, str]:
        """Render header and footer."""
        return self._part(self.header), self._part(self.footer)

    def render(
        self, chosen: Sequence[Block], *, order: Sequence[int] | None = None, omitted: Sequence[Block] = ()
    ) -> str:
        """Render the chosen blocks as one text: header, blocks, note, footer.

        `chosen` is numbered from 1 as it stands; `order` is a permutation of its positions. With headings the
        blocks of a section stand together, sections as they first appear in that order; blocks without a
        section come before them all.
        """
        for number, block in enumerate(chosen, 1):
            block.number = number
        texts = [self.block_text(block) for block in chosen]
        sections = [block.section for block in chosen]
        return self.joined(texts, sections, order=order, note=self.note_text(omitted))

    def joined(
        self,
        texts: Sequence[str],
        sections: Sequence[str | None],
        *,
        order: Sequence[int] | None = None,
        note: str = "",
    ) -> str:
        """Make the text of blocks that are rendered already; `sections` is parallel to them.

        >>> Renderer(footer="That is all.", separator=" ").joined(["One.", "Two."], [None, None])
        'One. Two. That is all.'
        """
        body = texts if order is None else [texts[position] for position in order]
        if self.headings:
            named = sections if order is None else [sections[position] for position in order]
            body = self._headed(body, named)
        header, footer = self.frame_texts()
        return self.separator.join([part for part in (header, *body, note, footer) if part])

    def _headed(self, texts: Sequence[str], sections: Sequence[str | None]) -> list[str]:
        """Bring the blocks of a section together, between its heading and its end."""
        by_section: dict[str | None, list[str]] = {None: []}
        for text, section in zip(texts, sections, strict=True):
            if text:
                by_section.setdefault(section, []).append(text)
        parts = by_section.pop(None)
        for section, texts in by_section.items():
            start, end = self.heading_texts(section or "")
            parts += [start, *texts, end]
        return parts

    def _part(self, text: str) -> str:
        if not isinstance(text, str):
            raise InputTypeError(
                f"renderer {self.name!r} made {type(text).__name__} instead of text",
                field="render",
                found=text,
            )
        text = well_formed(text)
        if not self.lines or _is_lines(text):
            return text
        body = text.rstrip()
        if not body:
            return ""
        if body[0].isspace():
            indent = body[: len(body) - len(body.lstrip())]
            body = body[max(indent.rfind("\n"), indent.rfind("\r")) + 1 :]
        return body + "\n"

    def _check(self) -> None:
        """Try every template once: a misspelt field is found here, not in the middle of a packing."""
        block = _all_fields(Block("id", "text", "source", "section"))
        section = _section_field("section")
        _try("block", self.block, block)
        _try("heading", self.heading, section)
        _try("heading_end", self.heading_end, section)
        _try("note", self.note, _count_field(()))


def _is_lines(text: str) -> bool:
    """Whether a text needs nothing: the usual case, and a copy of every text less."""
    return text.endswith("\n") and not (text[-2:-1].isspace() or text[0].isspace())


def _try(field: str, template: object, known: dict[str, Any]) -> None:
    if not isinstance(template, str):
        return
    try:
        template.format_map(known)
    except (KeyError, ValueError, IndexError, AttributeError) as error:
        names = ", ".join(f"{{{name}}}" for name in known)
        raise InputError(
            f"the {field} template {template!r} cannot be filled in ({error}); "
            f"it may use {names}, and {{{{ and }}}} for braces",
            field=field,
            found=template,
        ) from error


def _fill_in(template: Any, argument: Any, fields: Callable[[Any], dict[str, Any]]) -> str:
    if isinstance(template, str):
        return template.format_map(fields(argument)) if "{" in template or "}" in template else template
    text: str = template(argument)
    return text


def _block_fields(template: str) -> Callable[[Block], dict[str, Any]]:
    """Choose the fields to fill in: the number only where the template has it, since it may be set later."""
    return _all_fields if "number" in template else _fields


def _all_fields(block: Block) -> dict[str, Any]:
    return {**_fields(block), "number": block.number}


def _fields(block: Block) -> dict[str, Any]:
    return {
        "text": block.text,
        "id": "" if block.id is None else block.id,
        "title": block.title,
        "source": block.source or "",
        "section": block.section or "",
    }


def _section_field(section: str) -> dict[str, Any]:
    return {"section": section}


def _count_field(omitted: Sequence[Block]) -> dict[str, Any]:
    return {"count": len(omitted)}
