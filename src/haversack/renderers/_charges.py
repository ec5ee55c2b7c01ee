"""What the parts of a text cost before anyone knows which of them will be in it."""

from __future__ import annotations

from haversack._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from haversack.counters import Counter
    from haversack.renderers._block import Block
    from haversack.renderers._renderer import Renderer


class Charges(Record):
    """Tokens of the parts of a text.

    `blocks` is parallel to the blocks given, separator included; `texts` are what was counted for them.
    `headings` maps a section to the tokens of
    its heading, to be paid once if any of its blocks is in. `frame` is header, footer and the longest note.
    `refund` is what separators were charged in excess, to be added to the capacity: each part is charged
    one, and the last has none.
    """

    __slots__ = ("blocks", "texts", "frame", "headings", "refund")

    blocks: list[int]
    texts: list[str]
    frame: int
    headings: dict[str, int]
    refund: int

    def __init__(
        self, blocks: list[int], texts: list[str], frame: int, headings: dict[str, int], refund: int
    ) -> None:
        self._fill(blocks, texts, frame, headings, refund)


def charge(
    renderer: Renderer,
    counter: Counter,
    blocks: Sequence[Block],
    *,
    optional: Sequence[Block] | None = None,
    sections: Iterable[str] | None = None,
    widest: int | None = None,
) -> Charges:
    """Count every part once, in one batch.

    `blocks` are the forms to be counted; `optional` those that may be left out (default: all of them), for
    the note at its longest; `sections` those that may need a heading (default: the blocks'). `widest` is the
    highest number a block can get (default: how many blocks there are): all are charged at it, since their
    real numbers hang on what is chosen. No smaller number has more tokens.

    For a renderer with lines, on o200k_base and cl100k_base, the sum of the charges of the parts of a text is
    its count, except where a number has fewer groups of three digits than the widest, or the note fewer.

    >>> from haversack.counters import resolve
    >>> from haversack.renderers import MARKDOWN, Block
    >>> two = [Block("a", "Tea is hot."), Block("b", "Ice is cold.")]
    >>> charge(MARKDOWN, resolve("bytes/3"), two).blocks
    [9, 9]
    """
    highest = len(blocks) if widest is None else widest
    for block in blocks:
        block.number = highest
    if sections is None:
        sections = dict.fromkeys(block.section for block in blocks if block.section and not block.is_empty)
    note = renderer.note_text(blocks if optional is None else optional)
    return charge_texts(renderer, counter, list(map(renderer.block_text, blocks)), note, sections)


def charge_texts(
    renderer: Renderer, counter: Counter, texts: list[str], note: str, sections: Iterable[str]
) -> Charges:
    """Count every part once, the blocks rendered already: each of the texts and all that may stand around."""
    named = list(sections) if renderer.headings else []
    heading_texts = [text for section in named for text in renderer.heading_texts(section)]
    around = [renderer.separator, *renderer.frame_texts(), note, *heading_texts]
    # One batch for all: a counter's first step may cost as much as many texts.
    parts = [text for text in around if text]
    is_full = all(texts)
    counted = counter.count_valid([*parts, *(texts if is_full else filter(None, texts))])
    counts = iter(counted[: len(parts)])
    separator, *around_costs = [next(counts) if text else 0 for text in around]
    # A part that is not there has no separator either.
    header, footer, noted, *headings = [
        cost + separator if text else 0 for text, cost in zip(around[1:], around_costs, strict=True)
    ]
    blocks = counted[len(parts) :]
    if separator:
        blocks = [count + separator for count in blocks]
    if not is_full:
        known = iter(blocks)
        blocks = [next(known) if text else 0 for text in texts]
    pairs = zip(named, headings[::2], headings[1::2], strict=True)
    return Charges(
        blocks,
        texts,
        header + footer + noted,
        {section: start + end for section, start, end in pairs},
        separator,
    )
