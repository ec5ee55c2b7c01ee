"""Renderers: how snippets become one text, with every wrapper, heading and separator counted.

`MARKDOWN`, `XML` and `NUMBERED` keep each text inside its own block, whatever it contains, and cost exactly
the sum of their blocks on OpenAI's encodings. `PLAIN` is the texts with blank lines between them.
"""

from __future__ import annotations

from haversack.exceptions import InputError, InputTypeError
from haversack.renderers import _formats
from haversack.renderers._block import Block
from haversack.renderers._charges import Charges, charge
from haversack.renderers._renderer import Renderer

__all__ = ["MARKDOWN", "NUMBERED", "PLAIN", "XML", "Block", "Charges", "Renderer", "charge", "named"]

PLAIN = Renderer(_formats.plain, name="plain", headings=False, notes=False)
MARKDOWN = Renderer(
    _formats.markdown,
    name="markdown",
    heading=_formats.markdown_heading,
    note="*(left out for length: {count})*",
    headings=False,
    notes=False,
    lines=True,
)
XML = Renderer(
    _formats.xml,
    name="xml",
    heading=_formats.xml_heading,
    heading_end="</section>",
    note='<omitted count="{count}"/>',
    headings=False,
    notes=False,
    lines=True,
)
NUMBERED = Renderer(
    _formats.numbered,
    name="numbered",
    heading=_formats.numbered_heading,
    note="[omitted: {count}]",
    headings=False,
    notes=False,
    lines=True,
)

_NAMED = {renderer.name: renderer for renderer in (PLAIN, MARKDOWN, XML, NUMBERED)}


def named(render: str | Renderer) -> Renderer:
    """Find a renderer by its name; a `Renderer` comes back as it is.

    >>> named("markdown") is MARKDOWN
    True
    """
    if isinstance(render, Renderer):
        return render
    if not isinstance(render, str):
        raise InputTypeError(
            f"render takes a Renderer or one of {', '.join(_NAMED)}, found {type(render).__name__}",
            path="render",
            field="render",
            found=render,
        )
    found = _NAMED.get(render.lower())
    if found is None:
        raise InputError(
            f"no renderer is named {render!r}; there are {', '.join(_NAMED)}, or a Renderer of your own",
            path="render",
            field="render",
            found=render,
        )
    return found
