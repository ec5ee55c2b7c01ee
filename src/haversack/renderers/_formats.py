"""The formats that come with haversack, as functions from a block to its text.

For MARKDOWN, XML and NUMBERED the tokens of a text are exactly the sum of its blocks', on o200k_base and
cl100k_base. Both encodings cut a text into pieces by a pattern before merging, no token crosses a cut, and a
piece that ends in a newline goes on only with more newlines (o200k_base: or slashes). So there is a cut at
every joint whose left side ends in a newline and whose right side starts with neither whitespace nor `/`.
Each block therefore opens with a mark of its format and ends in exactly one newline.
"""

from __future__ import annotations

from haversack._text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match, Pattern

    from haversack.renderers._block import Block

_patterns: dict[str, Pattern[str]] = {}


def plain(block: Block) -> str:
    """Give the text as it is."""
    return block.text or ""


def markdown(block: Block) -> str:
    """Fence the text under its title, the fence longer than any run of backticks inside."""
    body = (block.text or "").rstrip()
    fence = "```"
    # One character is found twenty times faster than three, and most texts have neither.
    if "`" in body and fence in body:
        fence = "`" * (1 + max(map(len, _pattern("`{3,}").findall(body))))
    return f"### {block.title or f'Snippet {block.number}'}\n{fence}\n{body}\n{fence}\n"


def markdown_heading(section: str) -> str:
    """Head a section one level above its snippets."""
    return f"## {one_line(section)}\n"


def xml(block: Block) -> str:
    """Tag the text. Text with markup inside goes into CDATA: verbatim to a model, well-formed to a parser.

    Tags of this format are split between two CDATA sections, so that they do not appear even to a reader
    who does not know what CDATA is; a parser joins them again. Characters that XML cannot hold become U+FFFD.
    """
    body = (block.text or "").rstrip()
    # Lines and tabs apart, most texts are printable: asking that is several times faster than a pattern.
    if not body.replace("\n", "").replace("\t", "").isprintable():
        body = _pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]").sub("\ufffd", body)
    identity = "" if block.id is None else f' id="{attribute(str(block.id))}"'
    place = block.place
    source = f' source="{attribute(place)}"' if place else ""
    if _has_markup(body):
        whole = body.replace("]]>", "]]]]><![CDATA[>")
        whole = _pattern(_OWN_TAG).sub("<]]><![CDATA[", whole)
        return f"<snippet{identity}{source}><![CDATA[\n{whole}\n]]></snippet>\n"
    return f"<snippet{identity}{source}>\n{body}\n</snippet>\n"


def _has_markup(body: str) -> bool:
    return "<" in body or "&" in body or "]]>" in body


_OWN_TAG = r"<(?=\s{0,3}/?\s{0,3}(?i:snippet|section|omitted)\b)"


def xml_heading(section: str) -> str:
    """Open a section."""
    return f'<section name="{attribute(section)}">\n'


def attribute(name: str) -> str:
    """Escape a name for an attribute in double quotes.

    >>> attribute('a "b" <c>')
    'a &quot;b&quot; &lt;c&gt;'
    """
    escaped = one_line(name).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace('"', "&quot;")


def numbered(block: Block) -> str:
    """Put number and title in front, for citations; lines of the text that look the same get a backslash."""
    body = (block.text or "").rstrip()
    if "[" in body and _pattern(_BRACKET).search(body):
        body = _pattern(_LOOKS_LIKE_A_BLOCK).sub(_with_backslash, body)
    title = block.title
    return f"[{block.number}] {title}\n{body}\n" if title else f"[{block.number}]\n{body}\n"


def numbered_heading(section: str) -> str:
    """Name a section in the brackets of this format."""
    return f"[section: {one_line(section)}]\n"


def all_plain(ids: list[str] | None, texts: list[str]) -> list[str | None]:
    """Give all texts as `plain` does."""
    return [text if text and not text.isspace() else "" for text in texts]


def all_markdown(ids: list[str] | None, texts: list[str]) -> list[str | None]:
    """Render all texts as `markdown` does, at a fifth of the price; None where a text needs a closer look.

    The texts are valid Unicode, and `ids` are their titles.
    """
    if ids is None:
        return [None] * len(texts)
    bodies = map(str.rstrip, texts)
    return [
        f"### {title}\n```\n{body}\n```\n" if body and ("`" not in body or "```" not in body) else None
        for title, body in zip(_titles(ids), bodies, strict=True)
    ]


def _titles(ids: list[str]) -> list[str]:
    """Bring ids on one line each; asked of all at once, since most are so already."""
    together = "".join(ids)
    is_clean = together.isascii() and together.isprintable() and " " not in together
    return ids if is_clean else list(map(one_line, ids))


MANY: dict[object, Callable[[list[str] | None, list[str]], list[str | None]]] = {
    plain: all_plain,
    markdown: all_markdown,
}
"""Formats that render many texts at once, from their ids and texts alone."""


_BRACKET = r"\[[ \t]*(?:\d+[ \t]*\]|section:|omitted:)"
# At the start of a line, whatever a reader may take for the end of one; also behind blanks and characters
# of no width. The two classes share no character, so that the search is linear on any text.
_LOOKS_LIKE_A_BLOCK = (
    "((?:^|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])"
    "[ \t\x1f\xa0\u1680\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]*)"
    rf"(\\*{_BRACKET})"
)


def _with_backslash(found: Match[str]) -> str:
    return f"{found[1]}\\{found[2]}"


def _pattern(source: str) -> Pattern[str]:
    known = _patterns.get(source)
    if known is None:
        import re

        known = _patterns[source] = re.compile(source)
    return known
