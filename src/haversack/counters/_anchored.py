"""A counter that learns from the usage a provider reports."""

from __future__ import annotations

from haversack.counters._counter import Counter
from haversack.counters._names import resolve
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# With fewer than two reports there is no spread to see; this is what one kind of text differs from another.
_UNSEEN_SPREAD = 0.1


class Anchored(Counter):
    """Charges another counter's tokens times a learnt ratio; made by `anchored`."""

    __slots__ = ("_lock", "_squares", "base", "counted", "margin", "observations", "reported")

    def __init__(
        self, base: Counter, margin: float, seen: tuple[int, int, int, float] = (0, 0, 0, 0.0)
    ) -> None:
        from threading import Lock

        super().__init__(f"anchored({base.name})", self._charge, exact=False)
        self.base = base
        self.margin = margin
        self._lock = Lock()
        self.observations, self.counted, self.reported, self._squares = seen

    @property
    def ratio(self) -> float:
        """Reported tokens for each token of the base counter, all reports together; 1.0 before the first."""
        return self.reported / self.counted if self.counted else 1.0

    @property
    def spread(self) -> float:
        """Standard deviation of the ratio from report to report, longer texts weighing more.

        10 % of the ratio until there are two reports.
        """
        if self.observations < 2:
            return _UNSEEN_SPREAD * self.ratio if self.observations else 0.0
        mean_square = self._squares / self.counted
        variance = max(0.0, mean_square - self.ratio**2) * self.observations / (self.observations - 1)
        return float(variance**0.5)

    @property
    def factor(self) -> float:
        """What the base counter's tokens are multiplied by: ratio + margin x spread."""
        return self.ratio + self.margin * self.spread

    def observe(self, what: Any, reported_tokens: int) -> None:
        """Learn that a provider counted `reported_tokens` for `what`.

        `what` is a packing (its `text` is counted), a text, or a number of tokens of the base counter. The
        report must be about the same text: subtract what else was in the request.
        """
        counted = self._base_tokens(what)
        if type(reported_tokens) is not int or reported_tokens < 1 or counted < 1:
            raise InputError(
                f"observe() needs a text and the tokens reported for it, both at least 1 token; "
                f"found {counted} counted and {reported_tokens!r} reported",
                field="reported_tokens",
                found=reported_tokens,
            )
        with self._lock:
            self.observations += 1
            self.counted += counted
            self.reported += reported_tokens
            self._squares += reported_tokens**2 / counted

    def freeze(self) -> Counter:
        """Take a counter with today's factor, which later reports do not change."""
        from functools import partial

        return Counter(self.name, partial(_times, self.base, self.factor), exact=False)

    def _base_tokens(self, what: Any) -> int:
        if type(what) is int:
            return what
        text = what if isinstance(what, str) else getattr(what, "text", None)
        if not isinstance(text, str):
            raise InputTypeError(
                f"observe() takes a packing with a text, a text or a number of tokens, "
                f"found {type(what).__name__}",
                field="packing",
                found=what,
            )
        return self.base(text)

    def _charge(self, texts: list[str]) -> list[int]:
        return _times(self.base, self.factor, texts)

    def __repr__(self) -> str:
        learnt = f"x{self.ratio:.3f} +- {self.spread:.3f}, {self.observations} reports"
        return f"<counter {self.name} (estimate, {learnt})>"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        seen = (self.observations, self.counted, self.reported, self._squares)
        return Anchored, (self.base, self.margin, seen)


def anchored(counter: str | Callable[[str], int], *, margin: float = 2.0) -> Anchored:
    """Correct a counter by what the provider reports: for models without a public tokenizer.

    Every count is `ceil(base count x (ratio + margin x spread))`; two spreads cover about 97 in 100 texts if
    their ratios are spread like those reported. An estimate, however much it has learnt.

    >>> counter = anchored("regex")
    >>> counter.observe(1000, reported_tokens=1300)
    >>> counter.observe(1000, reported_tokens=1400)
    >>> round(counter.ratio, 2), round(counter.spread, 3)
    (1.35, 0.071)
    """
    return Anchored(resolve(counter), margin)


def _times(base: Counter, factor: float, texts: list[str]) -> list[int]:
    from math import ceil

    # The tenth digit is rounding noise of the factor: 100 x 1.1 is 111 without this.
    return [ceil(round(count * factor, 9)) for count in base.count_many(texts)]
