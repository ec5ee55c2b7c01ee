"""Snippets with texts: each block rendered once, counted once, and put together as often as it takes.

The stage between reading and choosing. What it fills in is the cost of every form whose cost is not given;
everything behind it sees numbers only.
"""

from __future__ import annotations

from itertools import accumulate

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

    from haversack._forms import Form
    from haversack._model import Model
    from haversack._plain_texts import PlainTexts
    from haversack.counters import Counter
    from haversack.renderers import Renderer
    from haversack.values import Merged

    Order = str | Callable[[list[Any]], Iterable[Any]]


class Texts:
    """The texts of one call: what they cost, and what any selection of them reads like.

    Forms are numbered through: those of the first snippet, then those of the second. `frame` is the tokens of
    header, footer and the longest note; `headings` those of a section's heading, to be paid once if anything
    with a text is in the section; `refund` what the separators were charged in excess, where no frame takes
    it up. `given` has a 1 for every form whose cost was given instead of counted; `textless` has those that
    render nothing: images, tool schemas.
    """

    def __init__(self, renderer: Renderer, counter: Counter, order: Order, declared: Iterable[str]) -> None:
        self.renderer = renderer
        self.counter = counter
        self.order = order
        self.declared = declared
        self.given = bytearray()
        self.textless: list[int] = []
        self.frame = self.refund = 0
        self.headings: dict[str, int] = {}
        self._fields: list[Mapping[str, Any]] = []
        self._sections: Sequence[str | None] | None = None
        self._starts: list[int] | None = None
        self._owners: Sequence[int] = ()
        self._texts: list[str | None] = []
        self._unvalued: frozenset[int] = frozenset()
        self._blocks: dict[int, Block] = {}
        self._rendered: list[str | None] = []
        self._separator = 0

    def count(
        self,
        read: Sequence[Mapping[str, Any]],
        rows: list[list[Form]],
        pins: bytes | bytearray,
        sections: Sequence[str | None] | None,
    ) -> None:
        """Fill in the costs that are absent: the tokens of each form's block as rendered."""
        forms = [form for row in rows for form in row]
        self._fields, self._sections = list(read), sections
        self._owners = [position for position, row in enumerate(rows) for _ in row]
        self._texts = [form.text for form in forms]
        if len(forms) > len(rows):
            self._starts = list(accumulate(map(len, rows), initial=0))
        self._rendered = [None] * len(forms)
        self._unvalued = frozenset(
            position for position, row in enumerate(rows) if pins[position] and row[0].value is None
        )
        self.given = bytearray(form.cost is not None for form in forms)
        uncounted = [number for number, form in enumerate(forms) if form.cost is None]
        for number, cost in zip(uncounted, self._charged(uncounted, pins), strict=True):
            forms[number].cost = cost

    def count_plain(self, plain: PlainTexts) -> list[int]:
        """Count all of a list of plain texts."""
        self._fields, self._texts = list(plain.fields), list(plain.texts)
        self._owners = range(len(plain.texts))
        many = MANY.get(self.renderer.block)
        self._rendered = [None] * len(plain.texts) if many is None else many(plain.titles, plain.texts)
        self.given = bytearray(len(plain.texts))
        return self._charged(range(len(plain.texts)), plain.pinned)

    def charge(self, merged: Merged) -> int:
        """Return the tokens of the block that a merged span would be, borne by its first snippet."""
        numbers = [self.number(position, 0) for position in merged.positions]
        if merged.text is None or all(self.given[number] for number in numbers):
            return merged.cost
        position = merged.positions[0]
        fields = {**self._fields[position], "start": merged.start, "end": merged.end}
        return (
            self.counter(self.renderer.block_text(self._made(position, fields, merged.text)))
            + self._separator
        )

    def merge(self, bearer: int, merged: Merged) -> int:
        """Let one snippet bear the text of a merged span, the others none; return the tokens of its block.

        Where the costs of all were given, so is that of the whole: the recount looks after it.
        """
        numbers = [self.number(position, 0) for position in merged.positions]
        is_given = all(self.given[number] for number in numbers)
        for position, number in zip(merged.positions, numbers, strict=True):
            self._blocks.pop(number, None)
            if position != bearer:
                if not self._is_textless(number):
                    self.textless.append(number)
                self._texts[number], self._rendered[number] = None, ""
        number = self.number(bearer, 0)
        was_textless = self._is_textless(number)
        self._fields[bearer] = {**self._fields[bearer], "start": merged.start, "end": merged.end}
        self._texts[number], self._rendered[number], self.given[number] = merged.text, None, is_given
        if was_textless and not self._is_textless(number):
            self.textless.remove(number)
        block = self._block_text(number)
        if is_given or not block:
            return merged.cost
        return self.counter(block) + self._separator

    def _charged(self, numbers: Sequence[int], pins: bytes | bytearray) -> list[int]:
        note = ""
        if self.renderer.notes:
            note = self.renderer.note_text(
                [self._block(self.number(p, 0)) for p, pin in enumerate(pins) if not pin]
            )
        rendered = self._rendered
        if None in rendered or len(numbers) < len(rendered):
            texts = [rendered[number] or self._block_text(number) for number in numbers]
        else:
            texts = rendered  # type: ignore[assignment]
        if not all(rendered):
            self.textless = [n for n, text in enumerate(rendered) if not text and self._is_textless(n)]
        charges = charge_texts(self.renderer, self.counter, texts, note, self._headed())
        self.headings = {section: cost for section, cost in charges.headings.items() if cost}
        self._separator = charges.refund
        # A separator is charged to every part, and the last has none: the frame has one to spare, or else
        # the capacity is larger by it.
        self.frame = max(0, charges.frame - charges.refund)
        self.refund = charges.refund if not charges.frame else 0
        return charges.blocks

    def _headed(self) -> list[str]:
        """The sections that may need a heading: those in which there is a text."""
        if self._sections is None or not self.renderer.headings:
            return []
        names = dict.fromkeys(self._sections[position] for position in sorted(self.with_text()))
        return [name for name in names if name is not None]

    def with_text(self) -> set[int]:
        """The positions of snippets with a text in any of their forms."""
        textless = set(self.textless)
        return {position for number, position in enumerate(self._owners) if number not in textless}

    def number(self, position: int, form: int) -> int:
        """The number of a form."""
        return position if self._starts is None else self._starts[position] + form

    def place(self, number: int) -> tuple[int, int]:
        """The position and the form of a number."""
        position = self._owners[number]
        return position, 0 if self._starts is None else number - self._starts[position]

    def text(self, model: Model, numbers: list[int]) -> str:
        """Render a selection: the numbers of its forms, in input order."""
        owners = [self._owners[number] for number in numbers]
        sections: list[str | None] = [None] * len(numbers)
        if self._sections is not None:
            sections = [self._sections[owner] for owner in owners]
        order = None
        if self.order != "input":
            heights = [
                None if owner in self._unvalued else model.value_of(*self.place(number))
                for owner, number in zip(owners, numbers, strict=True)
            ]
            objects = [model.objects[owner] for owner in owners]
            order = arrange(self.order, objects, heights, sections, self.declared)
        texts = [self._rendered[number] or self._block_text(number) for number in numbers]
        if self._blocks:
            places = zip(texts, numbers, strict=True)
            texts = [self._placed(text, number, at) for at, (text, number) in enumerate(places, 1)]
        return self.renderer.joined(texts, sections, order=order, note=self._note(owners))

    def real_costs(self, numbers: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Count the blocks of some forms whose cost was given: (tokens, tokens with the separator)."""
        asked = [number for number in numbers if self.given[number] and number not in self.textless]
        counts = self.counter.count_valid([self._block_text(number) for number in asked])
        return {number: (count, count + self._separator) for number, count in zip(asked, counts, strict=True)}

    def _is_textless(self, number: int) -> bool:
        text = self._texts[number]
        return not text or text.isspace()

    def _block(self, number: int) -> Block:
        block = self._blocks.get(number)
        if block is None:
            position = self._owners[number]
            block = self._made(position, self._fields[position], self._texts[number])
            self._blocks[number] = block
        return block

    def _made(self, position: int, one: Mapping[str, Any], text: str | None) -> Block:
        section = None if self._sections is None else self._sections[position]
        return Block(
            one.get("id"), text, one.get("source"), section, one.get("start"), one.get("end"),
            len(self._fields), one.get("meta"),
        )  # fmt: skip

    def _block_text(self, number: int) -> str:
        """Return a block as it was counted: at the highest number there can be."""
        text = self._rendered[number]
        if text is None:
            text = self._rendered[number] = self.renderer.block_text(self._block(number))
        return text

    def _placed(self, text: str, number: int, place: int) -> str:
        """Return a block at its place among the selected; rendered anew only if that is in it."""
        block = self._blocks.get(number)
        if block is None or not block.is_numbered:
            return text
        block.number = place
        return self.renderer.block_text(block)

    def _note(self, owners: list[int]) -> str:
        if not self.renderer.notes:
            return ""
        inside = set(owners)
        left_out = [position for position in range(len(self._fields)) if position not in inside]
        return self.renderer.note_text([self._block(self.number(position, 0)) for position in left_out])


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


def texts_for(counter: Any, render: Any, order: Order, declared: Iterable[str] | None) -> Texts:
    """Begin a call: its counter does not change until its end, whatever it learns meanwhile."""
    found = resolve(counter)
    if isinstance(found, Anchored):
        found = found.freeze()
    return Texts(PLAIN if render is None else named(render), found, order, declared or ())


def _refuse_unrendered(found: object) -> NoReturn:
    raise InputError(
        f'render= needs a counter, as what is rendered is counted: counter="o200k_base". {listing()}',
        path="render", field="render", found=found,
    )  # fmt: skip
