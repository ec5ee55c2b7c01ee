"""Estimates: counters without a tokenizer, each named for what it does and documented with its error.

Estimate / true o200k_base count, 5th percentile / median / 95th, over chunks of 600 characters (Chinese
prose measured on another sample than the rest of the last column):

| kind        | chars/4        | bytes/3        | regex          |
|-------------|----------------|----------------|----------------|
| Python      | .70 1.08 1.32  | .93 1.44 1.75  | .94 1.08 1.22  |
| C headers   | .65  .94 1.32  | .86 1.26 1.75  | .90 1.05 1.22  |
| Markdown    | .72 1.01 1.36  | .97 1.35 1.82  | .90 1.12 1.21  |
| licences    | .76 1.18 1.34  | 1.01 1.57 1.79 | .89 1.10 1.22  |
| JSON        | .45  .75  .95  | .66 1.00 1.27  | .92 1.00 1.17  |
| Chinese     | .37  .41  .44  | 1.26 1.37 1.46 | 1.15 1.29 1.40 |

Below 1 is under-counted: a context that "fits" by chars/4 may be twice the window in Chinese.
"""

from __future__ import annotations

from haversack.counters._counter import Counter
from haversack.counters._exact import exact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Pattern

# Each alternative is charged in tenths of a token; see `_tenths`. No nested repetition: linear on any text.
_PIECES = r"""
    (?P<cjk>[\u2e80-\u30ff\u31f0-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])
  | (?P<latin>[A-Za-z]+)
  | (?P<digits>[0-9]+)
  | (?P<lines>[ \t\r]*\n\s*)
  | (?P<spaces>\s+)
  | (?P<ascii>[!-/:-@\[-`{-~]+)
  | (?P<other>.)
"""
_pieces: Pattern[str] | None = None


def estimate_many(count: Callable[[str], int]) -> Callable[[list[str]], list[int]]:
    """Lift a count of one text to many; kept picklable, as counters are part of a packer's settings."""
    from functools import partial

    return partial(_each, count)


def quarter_of_characters(text: str) -> int:
    """Charge a token for every 4 characters or part of them. Not for a budget that must hold: see the table.

    >>> quarter_of_characters("hello")
    2
    """
    return -(-len(text) // 4)


def third_of_bytes(text: str) -> int:
    """Charge a token for every 3 bytes of UTF-8 or part of them: high for Latin text, fair for Chinese.

    >>> third_of_bytes("hello"), third_of_bytes("你好")
    (2, 2)
    """
    return -(-len(text.encode()) // 3)


def regex(text: str) -> int:
    """Charge words, numbers, punctuation, blanks and CJK characters each at its usual price.

    >>> regex("def greet(name):\\n    return 'hello'\\n"), regex("")
    (11, 0)
    """
    global _pieces
    if _pieces is None:
        import re

        _pieces = re.compile(_PIECES, re.VERBOSE | re.DOTALL)
    tenths = sum(_tenths(found.lastgroup, found.end() - found.start()) for found in _pieces.finditer(text))
    # A lone space is free before a word, but no text of its own is.
    return max(-(-tenths // 10), 1 if text else 0)


def _tenths(kind: str | None, length: int) -> int:
    if kind == "latin":
        return 10 if length <= 7 else 10 * -(-length // 6)
    if kind == "digits":
        return 10 * -(-length // 3)
    if kind == "ascii":
        return 10 * -(-length // 2)
    if kind == "lines":
        return 6 if length <= 64 else 6 + length // 8
    if kind == "spaces":
        # A single space belongs to the word after it; a run is a token of its own.
        return 0 if length == 1 else 7 + length // 8
    return 10 if kind == "cjk" else 6


def scaled(name: str, per_mille: int) -> Counter:
    """Make an estimate that charges `per_mille` / 1000 of the o200k_base count, rounded up."""
    from functools import partial

    return Counter(name, partial(_scaled, exact("o200k_base"), per_mille), exact=False)


def _scaled(base: Counter, per_mille: int, texts: list[str]) -> list[int]:
    return [-(-count * per_mille // 1000) for count in base.count_many(texts)]


def _each(count: Callable[[str], int], texts: list[str]) -> list[int]:
    return [count(text) for text in texts]


def make(name: str) -> Counter:
    """Make the estimate of that name; the name must be one of `ESTIMATES`."""
    return ESTIMATES[name](name)


def _plain(count: Callable[[str], int]) -> Callable[[str], Counter]:
    return lambda name: Counter(name, estimate_many(count), exact=False)


# Claude: o200k_base times the 95th percentile or so of the ratios measured with a reconstructed vocabulary
# (unofficial; 2,000-character samples): up to version 4.6 the mean is 1.2-1.5 by kind of text and 1.4 covers
# the 95th percentile of most; from 4.7 on the mean is 1.45-1.9, the worst single sample was 2.84.
# Gemini publishes no vocabulary and we have measured nothing: 1.25 is a margin over "about 4 characters a
# token", which is what o200k_base has on English text.
ESTIMATES: dict[str, Callable[[str], Counter]] = {
    "regex": _plain(regex),
    "bytes/3": _plain(third_of_bytes),
    "chars/4": _plain(quarter_of_characters),
    "estimate:claude": lambda name: scaled(name, 1900),
    "estimate:claude-4.6": lambda name: scaled(name, 1400),
    "estimate:gemini": lambda name: scaled(name, 1250),
}
