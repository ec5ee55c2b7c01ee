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
    named = list(sections) if renderer.headings else []
    heading_texts = [text for section in named for text in renderer.heading_texts(section)]
    frame_texts = [*renderer.frame_texts(), renderer.note_text(blocks if optional is None else optional)]

    texts = [renderer.separator, *frame_texts, *heading_texts, *map(renderer.block_text, blocks)]
    unique = {text: 0 for text in texts if text}
    unique.update(zip(unique, counter.count_many(unique), strict=True))

    separator = unique.get(renderer.separator, 0)
    # A part that is not there has no separator either.
    costs = [unique[text] + separator if text else 0 for text in texts]
    edge = 1 + len(frame_texts)
    first_block = edge + len(heading_texts)
    pairs = zip(named, costs[edge:first_block:2], costs[edge + 1 : first_block : 2], strict=True)
    return Charges(
        costs[first_block:],
        texts[first_block:],
        sum(costs[1:edge]),
        {section: start + end for section, start, end in pairs},
        separator,
    )
