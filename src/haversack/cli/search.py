"""Values for files from a question: BM25 over words and the parts of identifiers.

A BM25 score is no value: packed as it is, ten short files of noise outweigh the one that is needed. `values`
sharpens it and makes up for length; what comes out is a share of the worth of all, summing to 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from haversack._extras import MissingExtraError
from haversack._text import well_formed
from haversack.values.scores import from_scores

if TYPE_CHECKING:
    from collections.abc import Sequence
    from re import Pattern

# Words, and inside them the parts of snake_case, camelCase, HTTPServer and utf8. Chinese and Japanese have no
# spaces to split at: pairs of characters stand for words, as is usual.
_WORD = r"\w+"
_PART = r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|[0-9]+"
_CJK = "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
_patterns: dict[str, Pattern[str]] = {}


def words(text: str) -> list[str]:
    """Split a text into lower-case words; an identifier gives itself and its parts.

    >>> words("def readHTTPHeader(max_size):")
    ['def', 'readhttpheader', 'read', 'http', 'header', 'max_size', 'max', 'size']
    """
    found = []
    for word in _pattern(_WORD).findall(well_formed(text)):
        found.append(word.lower())
        # The usual word, in lower case and of one part, needs no closer look.
        if not (word.isascii() and word.isalpha() and word.islower()):
            found += [part.lower() for part in _parts(word)]
    return found


def bm25(query: str, texts: Sequence[str]) -> list[float]:
    """Score how well each text answers the query; 0.0 where no word of it is in the text.

    Lucene's variant, k1 = 1.5, b = 0.75. Paths and titles count if they are part of the texts.
    """
    try:
        import bm25s  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise MissingExtraError("scoring by a query", "search") from None
    wanted = words(query)
    corpus = [words(text) for text in texts]
    # An index without a single word cannot be built, nor one asked without any.
    if not wanted or not any(corpus):
        return [0.0] * len(texts)
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    index.index(corpus, show_progress=False)
    known = [word for word in wanted if word in index.vocab_dict]
    return [float(score) for score in index.get_scores(known)] if known else [0.0] * len(texts)


def values(scores: Sequence[float], tokens: Sequence[int]) -> list[float]:
    """Turn scores into values, as `from_scores` does; a text of no tokens is worth nothing.

    >>> [round(value, 3) for value in values([0.0, 0.0, 4.0], [100, 100, 0])]
    [0.5, 0.5, 0.0]
    """
    some = [at for at, count in enumerate(tokens) if count]
    worth = [0.0] * len(scores)
    for at, share in zip(
        some, from_scores([scores[at] for at in some], [tokens[at] for at in some]), strict=True
    ):
        worth[at] = share
    return worth


def _parts(word: str) -> list[str]:
    if word.isascii():
        parts = _pattern(_PART).findall(word)
    else:
        parts = [part for part in word.split("_") if part]
        pairs = [
            run[start : start + 2] for run in _pattern(_CJK).findall(word) for start in range(len(run) - 1)
        ]
        parts += pairs
    return [part for part in parts if part != word]


def _pattern(source: str) -> Pattern[str]:
    known = _patterns.get(source)
    if known is None:
        import re

        known = _patterns[source] = re.compile(source)
    return known
