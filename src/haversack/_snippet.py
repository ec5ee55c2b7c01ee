"""The records a caller may build: `Snippet`, `Variant`, `Section`."""

from __future__ import annotations

from haversack._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class Snippet(Record):
    """A piece of context on offer. Dicts with the same keys do as well; this is for those who like types.

    `cost` is its tokens as rendered, `value` its additive worth (best: the probability that it is needed),
    and `pinned` says that it must be in. `meta` is handed back untouched. A field that is None counts as
    absent.

    >>> Snippet(id="api", cost=420, value=8)
    Snippet(id='api', cost=420, value=8)
    """

    __slots__ = (
        "id",
        "text",
        "cost",
        "value",
        "scores",
        "pinned",
        "section",
        "group",
        "requires",
        "one_of",
        "variants",
        "tier",
        "source",
        "start",
        "end",
        "meta",
    )

    id: str | int | None
    text: str | None
    cost: int | None
    value: int | float | None
    scores: float | Mapping[str, float] | None
    pinned: bool | None
    section: str | None
    group: str | int | None
    requires: Sequence[str | int] | None
    one_of: str | None
    variants: Sequence[Variant | Mapping[str, Any]] | None
    tier: int | None
    source: str | None
    start: int | None
    end: int | None
    meta: Any

    def __init__(
        self,
        id: str | int | None = None,
        text: str | None = None,
        cost: int | None = None,
        value: int | float | None = None,
        *,
        scores: float | Mapping[str, float] | None = None,
        pinned: bool | None = None,
        section: str | None = None,
        group: str | int | None = None,
        requires: Sequence[str | int] | None = None,
        one_of: str | None = None,
        variants: Sequence[Variant | Mapping[str, Any]] | None = None,
        tier: int | None = None,
        source: str | None = None,
        start: int | None = None,
        end: int | None = None,
        meta: Any = None,
    ) -> None:
        self._fill(
            id, text, cost, value, scores, pinned, section, group, requires, one_of, variants, tier,
            source, start, end, meta,
        )  # fmt: skip


class Variant(Record):
    """Another form of a snippet: its summary, its title. At most one form of a snippet is packed.

    >>> Variant("summary", cost=40, value=2)
    Variant(name='summary', cost=40, value=2)
    """

    __slots__ = ("name", "text", "cost", "value")

    name: str
    text: str | None
    cost: int | None
    value: int | float | None

    def __init__(
        self,
        name: str,
        text: str | None = None,
        cost: int | None = None,
        value: int | float | None = None,
    ) -> None:
        self._fill(name, text, cost, value)


class Section(Record):
    """A named part of the context: at most `cap` tokens, inside `parent`, and `floor` tokens it should reach.

    A cap is an int (tokens), or a share: a float strictly between 0 and 1, or `"30%"`.

    >>> Section(cap="30%")
    Section(cap='30%')
    """

    __slots__ = ("cap", "parent", "floor")

    cap: int | float | str | None
    parent: str | None
    floor: int | None

    def __init__(
        self,
        cap: int | float | str | None = None,
        parent: str | None = None,
        floor: int | None = None,
    ) -> None:
        self._fill(cap, parent, floor)
