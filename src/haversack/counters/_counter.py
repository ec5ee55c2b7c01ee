"""What a token counter is, and the checks that every count goes through."""

from __future__ import annotations

from haversack._text import all_well_formed
from haversack.exceptions import InputError, InputTypeError, PackingError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


_RIGHT = "; a count is an int >= 0"


class CountingError(PackingError, RuntimeError):
    """A counter could not count a text, or did not pass its self-test; the message names the counter."""


class Counter:
    """Counts tokens: of one text by calling it, of many by `count_many`.

    `name` says what it counts with, and `exact` whether that is a real tokenizer (False: an estimate).
    Lone surrogates reach the counting function as U+FFFD; the empty text costs what the function says,
    which is 0 for all counters of this package. What comes back is checked: one int >= 0 for each text.

    `count_many` may be any function from a list of texts to as many counts. It is pickled with the counter.

    >>> words = Counter("words", lambda texts: [len(text.split()) for text in texts], exact=True)
    >>> words("two words"), words.count_many(["one", ""])
    (2, [1, 0])
    """

    __slots__ = ("_count_many", "exact", "name")

    def __init__(self, name: str, count_many: Callable[[list[str]], Iterable[int]], *, exact: bool) -> None:
        self.name = name
        self.exact = exact
        self._count_many = count_many

    def __call__(self, text: str) -> int:
        """Count the tokens of one text."""
        return self.count_many([text])[0]

    def count_many(self, texts: Iterable[str]) -> list[int]:
        """Count the tokens of each text, in order; much faster than one by one."""
        clean = list(texts)
        # Asked of all at once, which takes no step in Python for each.
        if set(map(type, clean)) != {str}:
            clean = [_text(text, self.name) for text in clean]
        return self.count_valid(all_well_formed(clean))

    def count_valid(self, texts: list[str]) -> list[int]:
        """Count texts that are known to be valid Unicode, as all that is rendered is."""
        if not texts:
            return []
        counts = list(self._count_many(texts))
        if len(counts) != len(texts):
            raise InputError(
                f"counter {self.name!r} gave {len(counts)} counts for {len(texts)} texts",
                path="counter",
                field="counter",
                found=len(counts),
            )
        if set(map(type, counts)) == {int} and min(counts) >= 0:
            return counts
        return [_checked(count, self.name) for count in counts]

    def __repr__(self) -> str:
        return f"<counter {self.name} ({'exact' if self.exact else 'estimate'})>"


def wrap(count: Callable[[str], int], *, name: str | None = None, exact: bool | None = None) -> Counter:
    """Make a counter of any function from a text to its number of tokens.

    A `Counter` comes back as it is. The function's own `name`, `exact` and `count_many` are used where it
    has them. Without `exact` it is taken at its word: packings then speak of *its* tokens as exact.

    >>> wrap(lambda text: len(text.split()), name="words")("three short words")
    3
    >>> wrap(lambda text: len(text) / 4, name="quarter")("word")
    Traceback (most recent call last):
    haversack.exceptions.InputTypeError: counter 'quarter' gave 1.0 (float); a count is an int >= 0
    """
    if isinstance(count, Counter):
        return count
    if not callable(count):
        raise InputTypeError(
            f"a counter is a name or a function from a text to an int, found {type(count).__name__}",
            path="counter",
            field="counter",
            found=count,
        )
    called = getattr(count, "__name__", type(count).__name__)
    label = str(name or getattr(count, "name", None) or called)
    truth = getattr(count, "exact", True) if exact is None else exact
    many = getattr(count, "count_many", None)
    return Counter(label, many if callable(many) else _OneByOne(count), exact=bool(truth))


class _OneByOne:
    """Counts many texts with a function that takes one; a class, so that counters can be pickled."""

    __slots__ = ("count",)

    def __init__(self, count: Callable[[str], int]) -> None:
        self.count = count

    def __call__(self, texts: list[str]) -> list[int]:
        return [self.count(text) for text in texts]


def _text(text: object, name: str) -> str:
    if isinstance(text, str):
        return text
    raise InputTypeError(
        f"counter {name!r} counts text (str), found {type(text).__name__}", field="text", found=text
    )


def _checked(count: object, name: str) -> int:
    # numpy integers come through here: they count, but they are not ints.
    if hasattr(count, "__index__") and not isinstance(count, bool):
        number = int(count.__index__())
        if number >= 0:
            return number
        raise InputError(
            f"counter {name!r} gave {number}{_RIGHT}", path="counter", field="counter", found=count
        )
    kind = type(count).__name__
    raise InputTypeError(
        f"counter {name!r} gave {count!r} ({kind}){_RIGHT}", path="counter", field="counter", found=count
    )
