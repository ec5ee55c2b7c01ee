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
from haversack.renderers import PLAIN, Block, charge, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, NoReturn

    from haversack._numbers import Place
    from haversack.counters import Counter
    from haversack.renderers import Renderer

    Order = str | Callable[[list[Any]], Iterable[Any]]


class Texts:
    """The texts of one call: what they cost, and what any selection of them reads like.

    `frame` is the tokens of header, footer and the longest note; `refund` what the separators were charged in
    excess, where no frame takes it up; `given` has a 1 where a cost was given instead of counted.
    """

    def __init__(self, renderer: Renderer, counter: Counter, order: Order) -> None:
        self.renderer = renderer
        self.counter = counter
        self.order = order
        self.blocks: list[Block] = []
        self.given = b""
        self.frame = self.refund = 0
        self._rendered: list[str | None] = []
        self._heights: Sequence[int | float | None] = []
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
        self._heights = values
        blocks = self.blocks = [
            Block(
                one.get("id"), one.get("text"), one.get("source"), one.get("section"),
                one.get("start"), one.get("end"), meta=one.get("meta"),
            )
            for one in read
        ]  # fmt: skip
        uncounted = [position for position, cost in enumerate(costs) if cost is None]
        optional = [block for block, pin in zip(blocks, pins, strict=True) if not pin]
        charges = charge(
            self.renderer, self.counter, [blocks[position] for position in uncounted],
            optional=optional, sections=(), widest=len(blocks),
        )  # fmt: skip
        self._separator = charges.refund
        # A separator is charged to every part, and the last has none: the frame has one to spare, or else
        # the capacity is larger by it.
        self.frame = max(0, charges.frame - charges.refund)
        self.refund = charges.refund if not charges.frame else 0
        self._rendered = [None] * len(blocks)
        self.given = bytes(cost is not None for cost in costs)
        counted = list(costs)
        for position, cost, text in zip(uncounted, charges.blocks, charges.texts, strict=True):
            counted[position] = cost
            self._rendered[position] = text
        return counted  # type: ignore[return-value]

    def text(self, objects: Sequence[Any], chosen: list[int]) -> str:
        """Render a selection: its positions, in input order."""
        order = None
        if self.order != "input":
            order = arrange(
                self.order,
                [objects[position] for position in chosen],
                [self._heights[position] for position in chosen],
                [self.blocks[position].section for position in chosen],
            )
        texts = [self._placed(position, number) for number, position in enumerate(chosen, 1)]
        sections = [self.blocks[position].section for position in chosen]
        return self.renderer.joined(texts, sections, order=order, note=self._note(chosen))

    def without_text(self, positions: Iterable[int]) -> list[int]:
        """Return those of some positions that render nothing: images, tool schemas."""
        return [position for position in positions if self.blocks[position].is_empty]

    def real_costs(self, positions: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Count the blocks at some positions whose cost was given: (tokens, tokens with the separator)."""
        asked = [p for p in positions if self.given[p] and not self.blocks[p].is_empty]
        counts = self.counter.count_many(self._block_text(position) for position in asked)
        return {
            position: (count, count + self._separator) for position, count in zip(asked, counts, strict=True)
        }

    def _block_text(self, position: int) -> str:
        text = self._rendered[position]
        if text is None:
            self.blocks[position].number = len(self.blocks)
            text = self._rendered[position] = self.renderer.block_text(self.blocks[position])
        return text

    def _placed(self, position: int, number: int) -> str:
        """Return a block's text at its number among the selected; rendered anew only if that is in it."""
        text, block = self._block_text(position), self.blocks[position]
        if not block.is_numbered:
            return text
        block.number = number
        return self.renderer.block_text(block)

    def _note(self, chosen: list[int]) -> str:
        if not self.renderer.notes:
            return ""
        inside = set(chosen)
        return self.renderer.note_text([b for p, b in enumerate(self.blocks) if p not in inside])


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
