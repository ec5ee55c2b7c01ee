"""Read the options' words: numbers of tokens, an effort, a field's other name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from haversack._scores import CHOICES
from haversack.cli.failures import BAD_USAGE, CommandError

_EFFORTS = ("greedy", "normal", "full")


def plain_number(word: str) -> int | float | None:
    """Read a number as other programs write it, or None: no spaces, no underscores, ASCII digits alone.

    >>> plain_number("8000"), plain_number("8e3"), plain_number("8_000"), plain_number(" 8 ")
    (8000, 8000.0, None, None)
    """
    if not word.isascii() or "_" in word or word != word.strip():
        return None
    for kind in (int, float):
        try:
            number = kind(word)
        except ValueError:
            continue
        # An integer of too many digits for int() is no infinity.
        return None if number in (inf, -inf) and word[-1].isdigit() else number
    return None


def parse_tokens(option: str, word: str | None) -> int | float | None:
    """Read a number of tokens. Whether it is a sensible one is the library's to say."""
    if word is None:
        return None
    number = plain_number(word)
    if number is not None:
        return number
    raise CommandError(f"--{option} takes a number of tokens, such as 8000; found {word!r}", BAD_USAGE)


def parse_effort(word: str | None) -> int | str | None:
    """Read greedy, normal, full or a number of states."""
    if word is None or word in _EFFORTS:
        return word
    number = plain_number(word)
    if isinstance(number, int):
        return number
    known = ", ".join(_EFFORTS)
    raise CommandError(f"--effort takes {known} or a number of states; found {word!r}", BAD_USAGE)


def count_parser(option: str, of: str, least: int = 0) -> Callable[[str | int], int]:
    """Return a parser of a whole number from *least*, for typer; a default comes as it is."""

    def parse(word: str | int) -> int:
        number = plain_number(str(word))
        if isinstance(number, int) and number >= least:
            return number
        raise CommandError(f"--{option} takes a number of {of}, {least} or more; found {word!r}", BAD_USAGE)

    return parse


def share_parser(option: str) -> Callable[[str | float], int | float]:
    """Return a parser of a share, for typer. Which shares are sensible is the library's to say."""

    def parse(word: str | float) -> int | float:
        number = plain_number(str(word))
        if number is not None:
            return number
        raise CommandError(f"--{option} takes a share, such as 0.8; found {word!r}", BAD_USAGE)

    return parse


def parse_values(word: str | None) -> str | dict[str, Any] | None:
    """Read auto, rank or equal, or the file of a calibrator as the data that a request carries."""
    if word is None or word in CHOICES:
        return word
    from haversack.values import Calibrator

    try:
        return Calibrator.load(word).to_dict()
    except OSError as error:
        known = ", ".join(CHOICES)
        raise CommandError(
            f"--values takes {known} or a file that eval --save wrote; {word!r} is neither, and as a file it "
            f"cannot be read: {error.strerror or error}",
            BAD_USAGE,
        ) from None
    except ValueError as error:
        raise CommandError(f"--values: {error}", BAD_USAGE) from None


def parse_fields(words: Sequence[str]) -> dict[str, str]:
    """Read `text=page_content` into {"text": "page_content"}."""
    fields: dict[str, str] = {}
    for word in words:
        field, equals, key = word.partition("=")
        if not (field and equals and key):
            raise CommandError(
                f"--field takes FIELD=KEY, such as text=page_content; found {word!r}", BAD_USAGE
            )
        if fields.setdefault(field, key) != key:
            raise CommandError(f"--field names {field!r} twice: {fields[field]!r} and {key!r}", BAD_USAGE)
    return fields


def parse_sections(words: Sequence[str]) -> dict[str, dict[str, int | float | str]]:
    """Read `docs=2000` or `docs=30%` into {"docs": {"cap": ...}}; what a cap may be, the library says."""
    sections: dict[str, dict[str, int | float | str]] = {}
    for word in words:
        name, equals, cap = word.rpartition("=")
        if not (name and equals and cap):
            raise CommandError(
                f"--section takes NAME=CAP, such as docs=2000 or docs=30%; found {word!r}", BAD_USAGE
            )
        if name in sections:
            raise CommandError(f"--section names {name!r} twice", BAD_USAGE)
        number = plain_number(cap)
        sections[name] = {"cap": cap if number is None else number}
    return sections
