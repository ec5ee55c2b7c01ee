"""Overlapping spans of one source: merge them before packing, so that what they share is paid once.

Chunkers cut with overlap, so neighbouring hits repeat each other.
"""

from __future__ import annotations

from haversack.values._lists import (
    as_list,
    check_numbers,
    costs_of,
    label,
    number,
    refuse,
    shown,
    texts_of,
    whole_of,
)
from haversack.values.probabilities import at_least_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    Span = tuple[Any, Any, Any]

#: Shortest run of characters that proves where a text continues another.
PROBE = 8


class Merged:
    """One span to pack in place of the snippets at `positions` (ascending; one if nothing overlaps it)."""

    __slots__ = ("cost", "end", "pinned", "positions", "source", "start", "text", "value")

    def __init__(self, position: int, span: Span | None, text: str | None, cost: int, pinned: bool) -> None:
        self.positions = [position]
        self.source: Any
        self.start: Any
        self.end: Any
        self.source, self.start, self.end = span or (None, None, None)
        self.text = text
        self.cost = cost
        self.value: Any = None
        self.pinned = pinned

    def __repr__(self) -> str:
        where = "" if self.start is None else f" {self.source!r} {self.start:g}..{self.end:g}"
        return f"<Merged {self.positions}{where}: cost {self.cost}, value {self.value}>"

    def holds(self, other: Merged) -> bool:
        """Tell whether *other* lies within this span."""
        return bool(self.source == other.source and self.start <= other.start and other.end <= self.end)


def merge_overlaps(
    spans: Iterable[Span | None],
    costs: Iterable[Any],
    values: Iterable[Any],
    *,
    texts: Iterable[str | None] | None = None,
    pinned: Iterable[Any] | None = None,
    count: Callable[[str], int] | None = None,
    limit: int | None = None,
    combine: Callable[[list[Any]], Any] = at_least_one,
) -> list[Merged]:
    """Merge the snippets whose spans of one source overlap; each position is in exactly one result.

    A span is (source, start, end), end excluded, in any unit (characters, lines, turns, seconds), or None.
    Touching spans stay apart. A merged span is valued as the probability that at least one of its parts is
    needed, 1 - (1 - p_1)(1 - p_2) ..., so *values* must lie in [0, 1]; pass *combine* (`sum`, `max`) for
    others.

    Args:
        texts: joined where one continues the other; spans whose texts do not agree on what they share
            stay apart.
        pinned: pinned spans merge with each other and take in what lies within them, no more: an
            optional snippet never makes a pin costlier.
        count: counts the tokens of a joined text. Without it the shared part is taken to cost its share
            of the cheaper span's tokens, rounded in favour of the larger cost.
        limit: the most that a merged span may cost; the most valuable overlaps are merged first. Without
            one, a chain of overlaps becomes one span, which may be too long for any budget.

    >>> merge_overlaps([("a.md", 0, 40), ("a.md", 20, 60), None], costs=[10, 10, 7], values=[0.5, 0.5, 0.1])
    [<Merged [0, 1] 'a.md' 0..60: cost 15, value 0.75>, <Merged [2]: cost 7, value 0.1>]
    """
    worths = as_list(values, "values")
    check_numbers(worths, "values")
    if limit is not None:
        limit = whole_of(limit, "limit", "a whole number of tokens", None)
    if count is not None and not callable(count):
        refuse("count", f"expected a function of a text, found {shown(count)}", count, wrong_type=True)
    parts = _read(as_list(spans, "spans", "spans"), costs_of(costs), texts, pinned, len(worths))
    groups = dict(enumerate(parts))
    owner = list(range(len(parts)))
    for left, right in _links(parts, worths):
        one, other = groups[owner[left]], groups[owner[right]]
        both = None if one is other else joined(one, other, count)
        if both is None or (limit is not None and both.cost > limit and not both.pinned):
            continue
        absorbed = owner[right]
        owner = [owner[left] if held == absorbed else held for held in owner]
        groups[owner[left]] = both
        del groups[absorbed]
    merged = sorted(groups.values(), key=lambda group: group.positions[0])
    for group in merged:
        group.value = _combined([worths[i] for i in group.positions], combine)
    return merged


def _read(
    spans: Iterable[Span | None],
    costs: list[int],
    texts: Iterable[str | None] | None,
    pinned: Iterable[Any] | None,
    count: int,
) -> list[Merged]:
    read = [None if span is None else _span(span, i) for i, span in enumerate(spans)]
    wordings = [None] * count if texts is None else texts_of(texts)
    pins = [False] * count if pinned is None else [bool(pin) for pin in pinned]
    for name, column in (("spans", read), ("costs", costs), ("texts", wordings), ("pinned", pins)):
        if len(column) != count:
            refuse(name, f"expected one for each of the {count} values, found {len(column)}")
    return [Merged(i, read[i], wordings[i], costs[i], pins[i]) for i in range(count)]


def _span(span: Span, i: int) -> Span:
    if not isinstance(span, (tuple, list)) or len(span) != 3:
        refuse(f"spans[{i}]", f"expected (source, start, end), found {span!r}", span, wrong_type=True)
    source, start, end = span
    label(source, f"spans[{i}].source")
    first, last = number(start, f"spans[{i}].start"), number(end, f"spans[{i}].end")
    if first is None or last is None or last < first:
        refuse(f"spans[{i}]", f"expected start <= end, found {start!r} and {end!r}", span)
    return source, start, end


def _links(parts: Sequence[Merged], worths: Sequence[Any]) -> list[tuple[int, int]]:
    """Return the pairs of overlapping spans that may merge, the most valuable first."""
    links = []
    spanned = sorted(
        (i for i, part in enumerate(parts) if part.start is not None and part.start < part.end),
        key=lambda i: (not parts[i].pinned, parts[i].start, -parts[i].end, i),
    )
    reach: dict[tuple[Any, bool], int] = {}
    pins = [i for i in spanned if parts[i].pinned]
    for i in spanned:
        part = parts[i]
        holder = next((pin for pin in pins if pin != i and parts[pin].holds(part)), None)
        if holder is not None and not part.pinned:
            links.append((holder, i))
            continue
        furthest = reach.get((part.source, part.pinned))
        if furthest is not None and part.start < parts[furthest].end:
            links.append((furthest, i))
        if furthest is None or part.end > parts[furthest].end:
            reach[part.source, part.pinned] = i
    return sorted(links, key=lambda link: (-min(worths[link[0]], worths[link[1]]), link))


def joined(one: Merged, other: Merged, count: Callable[[str], int] | None = None) -> Merged | None:
    """Return both as one span, or None if they do not overlap or their texts disagree on what they share."""
    left, right = (one, other) if (one.start, -one.end) <= (other.start, -other.end) else (other, one)
    if right.start >= left.end:
        return None
    within = left.holds(right)
    if (left.pinned != right.pinned) and not (within and left.pinned):
        return None
    text = None
    if left.text is not None or right.text is not None:
        text = _joined_text(left, right, within)
        if text is None:
            return None
    both = Merged(0, (left.source, left.start, max(left.end, right.end)), text, 0, left.pinned)
    both.positions = sorted(left.positions + right.positions)
    if within:
        # Costs without texts need not agree: the larger one is safe, unless it would make a pin costlier.
        both.cost = left.cost if left.pinned or text is not None else max(left.cost, right.cost)
    elif text is not None and count is not None:
        both.cost = count(text)
    else:
        both.cost = left.cost + right.cost - _shared_cost(left, right)
    return both


def _joined_text(left: Merged, right: Merged, within: bool) -> str | None:
    if left.text is None or right.text is None:
        return None
    if within:
        return left.text if right.text in left.text else None
    shared = left.end - right.start
    lengths = (left.end - left.start, right.end - right.start)
    if lengths == (len(left.text), len(right.text)):
        return left.text + right.text[shared:] if left.text.endswith(right.text[:shared]) else None
    # Another unit than characters: of all ways to continue, take the one nearest to the share that overlaps.
    expected = shared / lengths[1] * len(right.text)
    ways = [size for size in _continuations(left.text, right.text) if 2 * size >= expected]
    if not ways:
        return None
    return left.text + right.text[min(ways, key=lambda size: abs(size - expected)) :]


def _continuations(left: str, right: str) -> list[int]:
    """Return how many characters *left*'s end and *right*'s beginning may share, in every way that fits."""
    probe = right[:PROBE]
    sizes = []
    at = left.find(probe, max(0, len(left) - len(right)))
    while at >= 0:
        if right.startswith(left[at:]):
            sizes.append(len(left) - at)
        at = left.find(probe, at + 1)
    return sizes


def _shared_cost(left: Merged, right: Merged) -> int:
    shared = left.end - right.start
    return int(min(part.cost * shared / (part.end - part.start) for part in (left, right)))


def _combined(worths: list[Any], combine: Callable[[list[Any]], Any]) -> Any:
    return worths[0] if len(worths) == 1 else combine(worths)
