"""Identical texts and near-copies: find them, so that the same words are not paid for twice.

Near-copies are pairs of texts whose sets of word shingles (runs of three words) have a Jaccard similarity,
the size of the intersection over the size of the union, at or above a threshold (Broder 1997, "On the
resemblance and containment of documents"). All such pairs are found without comparing every text with every
other: sets that similar must share one of their rarest shingles, so only these prefixes are indexed
(Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant 2007).
"""

from __future__ import annotations

import math

from haversack.values._lists import as_list, check_numbers, number, refuse, texts_of, whole_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

#: Words, single signs (code differs in them), and each character of scripts written without spaces.
WORD = r"[぀-ヿ㐀-鿿]|[^\W぀-ヿ㐀-鿿]+|[^\w\s]"


def identical(
    texts: Iterable[str | None], values: Iterable[Any] | None = None, pinned: Iterable[Any] | None = None
) -> list[int]:
    """Return, for each text, the position of the copy that stands for it: itself, unless it is a duplicate.

    Of identical texts a pinned one stands for the others, else the one of greatest value, else the first. A
    pinned text always stands for itself, so pins survive even if they repeat each other. Without text
    (None): no copies.

    >>> identical(["a", "b", "a", None, None], values=[1, 5, 2, 0, 0])
    [2, 1, 2, 3, 4]
    """
    read = texts_of(texts)
    worth = [0] * len(read) if values is None else as_list(values, "values")
    check_numbers(worth, "values")
    pins = [False] * len(read) if pinned is None else [bool(pin) for pin in pinned]
    _same_length(read, values=worth, pinned=pins)
    best: dict[str, int] = {}
    for i, text in enumerate(read):
        if text is None:
            continue
        held = best.setdefault(text, i)
        if (pins[i], worth[i]) > (pins[held], worth[held]):
            best[text] = i
    return [i if text is None or pins[i] else best[text] for i, text in enumerate(read)]


def near_copies(texts: Iterable[str | None], threshold: float, *, shingle: int = 3) -> list[list[int]]:
    """Return the groups of near-copies: positions of which at most one is worth choosing.

    Two texts are linked if the Jaccard similarity of their shingles, runs of *shingle* words, is at least
    *threshold* (above 0, at most 1; 0.8 and more are near-copies, while below that texts which need each
    other get lost). A group is what links connect, so no two texts of different groups are near-copies, but
    the ends of a chain may be less alike. Case, white space and how accents are coded do not count. Texts
    that are near no other are in no group.

    >>> near_copies(["The cat sat on the mat.", "the cat  sat on the mat.", "A dog ran."], threshold=0.8)
    [[0, 1]]
    """
    least = number(threshold, "threshold")
    if least is None or not 0.0 < least <= 1.0:
        refuse("threshold", f"expected a similarity above 0, at most 1, found {threshold!r}", threshold)
    shingle = whole_of(shingle, "shingle", "a number of words", 1)
    known: dict[tuple[str, ...], int] = {}
    same: dict[frozenset[int], list[int]] = {}
    for i, text in enumerate(texts_of(texts)):
        if text is not None:
            numbered = frozenset(known.setdefault(run, len(known)) for run in _shingles(text, shingle))
            same.setdefault(numbered, []).append(i)
    roots = _link(list(same), least)
    groups: dict[int, list[int]] = {}
    for root, positions in zip(roots, same.values(), strict=True):
        groups.setdefault(root, []).extend(positions)
    return sorted(sorted(group) for group in groups.values() if len(group) > 1)


def _link(sets: Sequence[frozenset[int]], least: float) -> list[int]:
    """Return the group of each set: connected by pairs whose Jaccard similarity is at least *least*."""
    ordered = _rarest_first(sets)
    parents = list(range(len(sets)))
    index: dict[int, list[int]] = {}
    for i in sorted(range(len(sets)), key=lambda i: len(sets[i])):
        size = len(sets[i])
        prefix = ordered[i][: size - math.ceil(least * size - 1e-9) + 1]
        for j in sorted({j for member in prefix for j in index.get(member, ())}):
            # Already linked pairs need no comparison: it is what keeps a thousand copies of one text cheap.
            if len(sets[j]) < least * size - 1e-9 or _root(parents, i) == _root(parents, j):
                continue
            shared = len(sets[i] & sets[j])
            if shared / (size + len(sets[j]) - shared) >= least:
                parents[_root(parents, i)] = _root(parents, j)
        for member in prefix:
            index.setdefault(member, []).append(i)
    return [_root(parents, i) for i in range(len(sets))]


def _rarest_first(sets: Sequence[frozenset[int]]) -> list[list[int]]:
    """Return each set's members by rising frequency among the sets: one fixed order of all members."""
    frequency: dict[int, int] = {}
    for members in sets:
        for member in members:
            frequency[member] = frequency.get(member, 0) + 1
    return [sorted(sorted(members), key=frequency.__getitem__) for members in sets]


def _root(parents: list[int], i: int) -> int:
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i


def _shingles(text: str, length: int) -> set[tuple[str, ...]]:
    """Return the runs of *length* words; a shorter text is one run, one without words is its own."""
    import re
    import unicodedata

    words = re.findall(WORD, unicodedata.normalize("NFC", text).casefold()) or [text]
    return {tuple(words[i : i + length]) for i in range(max(1, len(words) - length + 1))}


def _same_length(texts: Sequence[Any], **others: Sequence[Any]) -> None:
    for name, other in others.items():
        if len(other) != len(texts):
            refuse(name, f"expected one for each of the {len(texts)} texts, found {len(other)}")
