"""Snippets with texts: each block rendered once, counted once, and put together as often as it takes.

The stage between reading and choosing. What it fills in is the cost of every form whose cost is not given;
everything behind it sees numbers only.
"""

from __future__ import annotations

from haversack import ordering
from haversack.counters import Anchored, resolve
from haversack.counters._names import listing
from haversack.exceptions import InputError
from haversack.ordering import arrange
from haversack.renderers import PLAIN, Block, named
from haversack.renderers._charges import charge_texts
from haversack.renderers._formats import MANY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, NoReturn

    from haversack._numbers import Place
    from haversack._plain_texts import PlainTexts
    from haversack.counters import Counter
    from haversack.renderers import Renderer

    Order = str | Callable[[list[Any]], Iterable[Any]]


class Texts:
    """The texts of one call: what they cost, and what any selection of them reads like.

    `frame` is the tokens of header, footer and the longest note; `refund` what the separators were charged in
    excess, where no frame takes it up; `given` has a 1 where a cost was given instead of counted; `textless`
    has the positions of what renders nothing: images, tool schemas.
    """

    def __init__(self, renderer: Renderer, counter: Counter, order: Order) -> None:
        self.renderer = renderer
        self.counter = counter
        self.order = order
        self.given = b""
        self.textless: list[int] = []
        self.frame = self.refund = 0
        self._fields: Sequence[Mapping[str, Any]] = ()
        self._heights: Sequence[int | float | None] = ()
        self._blocks: dict[int, Block] = {}
        self._rendered: list[str | None] = []
        self._separator = 0

    def count(
        self,
        read: Sequence[Mapping[str, Any]],
        costs: Sequence[int | None],
        values: Sequence[int | float | None],
        pins: bytes | bytearray,
    ) -> list[int]:
        """Fill in the costs that are absent: the tokens of each block as rendered.

        A value of None is that of a pin without one, which comes first where the best comes first.
        """
        self._fields, self._heights = read, values
        self._rendered = [None] * len(read)
        self.given = bytes(cost is not None for cost in costs)
        uncounted = [position for position, cost in enumerate(costs) if cost is None]
        counted = list(costs)
        for position, cost in zip(uncounted, self._charged(uncounted, pins), strict=True):
            counted[position] = cost
        return counted  # type: ignore[return-value]

    def count_plain(self, plain: PlainTexts) -> list[int]:
        """Count all of a list of plain texts."""
        self._fields, self._heights = plain.fields, plain.values
        many = MANY.get(self.renderer.block)
        self._rendered = [None] * len(plain.texts) if many is None else many(plain.titles, plain.texts)
        self.given = bytes(len(plain.texts))
        return self._charged(range(len(plain.texts)), plain.pinned)

    def _charged(self, positions: Sequence[int], pins: bytes | bytearray) -> list[int]:
        note = ""
        if self.renderer.notes:
            note = self.renderer.note_text([self._block(p) for p, pin in enumerate(pins) if not pin])
        rendered = self._rendered
        if None in rendered or len(positions) < len(rendered):
            texts = [rendered[position] or self._block_text(position) for position in positions]
        else:
            texts = rendered  # type: ignore[assignment]
        charges = charge_texts(self.renderer, self.counter, texts, note, ())
        self._separator = charges.refund
        if not all(rendered):
            self.textless = [p for p, text in enumerate(rendered) if not text and self._is_textless(p)]
        # A separator is charged to every part, and the last has none: the frame has one to spare, or else
        # the capacity is larger by it.
        self.frame = max(0, charges.frame - charges.refund)
        self.refund = charges.refund if not charges.frame else 0
        return charges.blocks

    def text(self, objects: Sequence[Any], chosen: list[int]) -> str:
        """Render a selection: its positions, in input order."""
        sections: list[str | None] = [None] * len(chosen)
        if self.renderer.headings or self.order == "section":
            sections = [self._fields[position].get("section") for position in chosen]
        order = None
        if self.order != "input":
            order = arrange(
                self.order,
                [objects[position] for position in chosen],
                [self._heights[position] for position in chosen],
                sections,
            )
        texts = [self._rendered[position] or self._block_text(position) for position in chosen]
        if self._blocks:
            places = zip(texts, chosen, strict=True)
            texts = [self._placed(text, position, at) for at, (text, position) in enumerate(places, 1)]
        return self.renderer.joined(texts, sections, order=order, note=self._note(chosen))

    def real_costs(self, positions: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Count the blocks at some positions whose cost was given: (tokens, tokens with the separator)."""
        asked = [p for p in positions if self.given[p] and p not in self.textless]
        counts = self.counter.count_valid([self._block_text(position) for position in asked])
        return {
            position: (count, count + self._separator) for position, count in zip(asked, counts, strict=True)
        }

    def _is_textless(self, position: int) -> bool:
        text = self._fields[position].get("text")
        return not text or text.isspace()

    def _block(self, position: int) -> Block:
        block = self._blocks.get(position)
        if block is None:
            one = self._fields[position]
            block = self._blocks[position] = Block(
                one.get("id"), one.get("text"), one.get("source"), one.get("section"),
                one.get("start"), one.get("end"), len(self._fields), one.get("meta"),
            )  # fmt: skip
        return block

    def _block_text(self, position: int) -> str:
        """Return a block as it was counted: at the highest number there can be."""
        text = self._rendered[position]
        if text is None:
            text = self._rendered[position] = self.renderer.block_text(self._block(position))
        return text

    def _placed(self, text: str, position: int, number: int) -> str:
        """Return a block at its number among the selected; rendered anew only if that is in it."""
        block = self._blocks.get(position)
        if block is None or not block.is_numbered:
            return text
        block.number = number
        return self.renderer.block_text(block)

    def _note(self, chosen: list[int]) -> str:
        if not self.renderer.notes:
            return ""
        inside = set(chosen)
        return self.renderer.note_text([self._block(p) for p in range(len(self._fields)) if p not in inside])


def checked_settings(counter: Any, render: Any, order: Any) -> tuple[Any, Any]:
    """Return counter and render as a packer keeps them: names as they are, so that they can be sent on."""
    ordering.check(order)
    if counter is None:
        if render is not None:
            _refuse_unrendered(render)
        return None, None
    resolved = resolve(counter)
    renderer = None if render is None else named(render)
    return (
        counter if isinstance(counter, str) else resolved,
        render if isinstance(render, str) else renderer,
    )


def texts_for(counter: Any, render: Any, order: Order) -> Texts:
    """Begin a call: its counter does not change until its end, whatever it learns meanwhile."""
    found = resolve(counter)
    if isinstance(found, Anchored):
        found = found.freeze()
    return Texts(PLAIN if render is None else named(render), found, order)


def refuse_uncounted(place: Place) -> NoReturn:
    """Refuse a text whose tokens nobody knows, and list who could count them."""
    place.refuse(
        "cost",
        "is missing: give the tokens of the snippet, or a counter for its text, "
        f'counter="o200k_base". {listing()}',
        None,
    )


def _refuse_unrendered(found: object) -> NoReturn:
    raise InputError(
        f'render= needs a counter, as what is rendered is counted: counter="o200k_base". {listing()}',
        path="render", field="render", found=found,
    )  # fmt: skip
