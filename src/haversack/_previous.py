"""What `previous=` and `keep=` may be: the last packing, and what an unchanged beginning may cost."""

from __future__ import annotations

from haversack._ids import key_of
from haversack._numbers import described, real
from haversack._record import Record
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, NoReturn

DEFAULT_KEEP = 0.05
"""The share of the value that may be given up for a longer unchanged beginning."""


class Block(Record):
    """A block of the previous packing; what is not known of it is None."""

    __slots__ = ("id", "cost", "text", "form")

    id: str
    cost: int | None
    text: str | None
    form: str | None

    def __init__(
        self, id: str, cost: int | None = None, text: str | None = None, form: str | None = None
    ) -> None:
        self._fill(id, cost, text, form)

    def is_of(self, name: str, cost: int, text: str | None) -> bool:
        """Whether a form of today is what this block was."""
        return (
            self.form in (None, name)
            and self.cost in (None, cost)
            and (self.text is None or self.text == text)
        )


class Before(Record):
    """The blocks of the previous packing in the order rendered."""

    __slots__ = ("blocks",)

    blocks: tuple[Block, ...]

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._fill(tuple(blocks))


def checked_previous(previous: Any, order: object = "input") -> Before | None:
    """Read `previous=`: a packing, the dict it writes, or the ids that were selected, in order."""
    if previous is None:
        return None
    if order != "input":
        raise InputError(
            'previous= keeps the beginning of what is rendered in the order of the input; leave out order=, '
            f"or previous=; found order={described(order)}",
            path="order", field="order", found=order,
        )  # fmt: skip
    if isinstance(previous, Before):
        return previous
    if hasattr(previous, "decisions") and hasattr(previous, "texts"):
        chosen = [decision for decision in previous.decisions if decision.chosen]
        both = zip(chosen, previous.texts, strict=True)
        return Before(Block(str(d.id), d.cost, text, d.form) for d, text in both)
    if hasattr(previous, "keys"):
        return _from_dict(previous)
    if isinstance(previous, str | bytes) or not hasattr(previous, "__iter__"):
        raise InputTypeError(
            "previous must be a packing, the dict that to_dict() wrote, or the ids that were selected; "
            f"found {described(previous)}",
            path="previous", field="previous", found=previous,
        )  # fmt: skip
    ids = [key_of(id) for id in previous]
    if None in ids:
        raise InputTypeError(
            f"previous must hold ids, str or int; found {described(previous)}",
            path="previous", field="previous", found=previous,
        )  # fmt: skip
    return Before(Block(id) for id in ids if id is not None)


def refuse_headings() -> NoReturn:
    """Refuse a renderer that gathers sections under headings: what comes in late may stand early there."""
    raise InputError(
        "previous= does not go with headings, under which what is new may stand before what is kept; leave "
        "out one of the two",
        path="previous", field="previous",
    )  # fmt: skip


def _from_dict(written: Mapping[str, Any]) -> Before:
    try:
        chosen = [decision for decision in written["decisions"] if decision["chosen"]]
        texts = written.get("texts") or [None] * len(chosen)
        both = zip(chosen, texts, strict=True)
        return Before([Block(str(d["id"]), d["cost"], text, d.get("form")) for d, text in both])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            "previous is no packing that to_dict() wrote: its 'decisions' cannot be read "
            f"({type(error).__name__}: {error})",
            path="previous", field="previous", found=written,
        ) from None  # fmt: skip


def checked_keep(keep: object) -> float:
    """Read `keep=`: a share of the value, from 0 to 1; None is `DEFAULT_KEEP`.

    >>> checked_keep(None), checked_keep(0.2)
    (0.05, 0.2)
    """
    if keep is None:
        return DEFAULT_KEEP
    share = real(keep)
    if share is None or not 0 <= share <= 1:
        kind = InputTypeError if share is None else InputError
        raise kind(
            "keep must be a share of the value, from 0 (none may be lost) to 1; "
            f"found {described(keep)}",
            path="keep", field="keep", found=keep,
        )  # fmt: skip
    return float(share)
