"""Text that can be sent: valid Unicode, and names that stay on their line."""

from __future__ import annotations


def well_formed(text: str) -> str:
    """Replace every lone surrogate by U+FFFD, and join the two halves of a split pair.

    What is left can be encoded as UTF-8, and counts as OpenAI's own tokenizer counts the original.

    >>> well_formed("report \\ud8aa page 3")
    'report � page 3'
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def all_well_formed(texts: list[str]) -> list[str]:
    """Return texts that can be sent: `well_formed` of each that is not plain ASCII, which most are."""
    if all(map(str.isascii, texts)):
        return texts
    return [text if text.isascii() else well_formed(text) for text in texts]


def one_line(name: str) -> str:
    """Collapse whitespace to single spaces and drop control characters, so that a name cannot start a line.

    >>> one_line(" notes\\n### fake ")
    'notes ### fake'
    """
    if name.isascii() and name.isprintable() and "  " not in name:
        return name.strip()
    kept = "".join(mark if mark.isprintable() or mark.isspace() else " " for mark in well_formed(name))
    return " ".join(kept.split())
