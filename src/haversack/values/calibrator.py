"""Turn scores into probabilities, by a logistic regression fitted on labelled examples.

For each snippet, with z the standardised score within its candidates and rank 0 the best of them:

    p = 1 / (1 + exp(-(b + sum over scores of (u z + v log(1 + rank) + w z^2) + c log(tokens))))

Seven numbers and an intercept for two scores; a hundred labelled questions of the same kind were enough to
find about a point more evidence than the formula of `from_scores` does. Fitted on other kinds of questions
it is no better than the formula, so none is shipped. docs/what-is-a-snippet-worth.md has the figures.
"""

from __future__ import annotations

import math

from haversack.values._features import feature_names, features
from haversack.values._lists import columns_if_any, columns_of, costs_of, is_named, places_of, refuse
from haversack.values._names import BARE
from haversack.values._saved import (
    counts_of,
    finite,
    from_record,
    names_read,
    one_for_each,
    range_of,
    refuse_beyond,
    to_record,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from haversack.values.quality import Quality


class Calibrator:
    """Gives the probability that a snippet is needed, from the scores it was fitted on.

    `names` are the scores, in order; `quality` the cross-validated quality if it was fitted in this process.
    Make one with `Calibrator.fit` or `Calibrator.load`; by hand it takes a coefficient, and the range of the
    examples, for z, log rank and square of z of each score, and for the log of the cost.
    """

    __slots__ = ("_coefficients", "_intercept", "_ranges", "names", "quality", "trained_on")

    def __init__(
        self,
        names: Sequence[str],
        intercept: float,
        coefficients: Sequence[float],
        ranges: Sequence[tuple[float, float]],
        trained_on: Mapping[str, int] | None = None,
    ) -> None:
        self.names = names_read(names, "names")
        self.trained_on = counts_of(trained_on, "trained_on")
        self.quality: Quality | None = None
        wanted = feature_names(self.names)
        factors = enumerate(one_for_each(coefficients, wanted, "coefficients"))
        pairs = enumerate(one_for_each(ranges, wanted, "ranges"))
        self._intercept = finite(intercept, "intercept")
        self._coefficients = tuple(finite(factor, f"coefficients[{i}]") for i, factor in factors)
        self._ranges = tuple(range_of(pair, f"ranges[{i}]") for i, pair in pairs)
        refuse_beyond(self._intercept, self._coefficients, self._ranges, "coefficients")

    @classmethod
    def fit(
        cls,
        examples: Iterable[Any],
        *,
        folds: int = 5,
        budgets: Sequence[int] = (256, 512, 1024, 2048, 4096),
        report: Callable[[str], object] | None = print,
        plot: str | PathLike[str] | None = None,
        progress: Callable[[Any], object] | None = None,
    ) -> Calibrator:
        """Fit on labelled examples, report the cross-validated quality, and return the calibrator.

        An example is one question with all its candidates: a mapping or an object with `scores` (as for
        `from_scores`), `costs`, `needed` (true where the snippet is needed) and, optionally, `group`:
        questions of one group stay in one fold. `haversack.evaluation.read` gives such examples. Needs
        scikit-learn (`pip install 'haversack[fit]'`); using the calibrator does not.

        Args:
            folds: of the cross-validation, by group; fewer if there are fewer groups, none if there is one.
            budgets: where recall is compared with top-k and greedy, in tokens; empty: not at all.
            report: what is done with the text of the quality; None: nothing.
            plot: a file for the calibration plot; needs matplotlib (`pip install 'haversack[plot]'`).
            progress: called with each question when its recall has been compared.
        """
        from haversack.values._fitting import fit_calibrator

        calibrator = fit_calibrator(examples, folds=folds, budgets=budgets, progress=progress)
        if calibrator.quality is not None and plot is not None:
            calibrator.quality.plot(plot)
        if report is not None:
            report(str(calibrator.quality or "one group of questions: quality cannot be cross-validated"))
        return calibrator

    def predict(
        self, scores: Any, costs: Iterable[Any], *, sections: Iterable[Any] | None = None
    ) -> list[float]:
        """Return the probability that each snippet is needed.

        *scores* has the lists the calibrator was fitted on, as a mapping, or unnamed in the order of
        `names`. Missing scores count as the lowest of their list; a list that a mapping lacks is all missing
        and says nothing; a name it was not fitted on is an error. Features outside of what the examples
        held are moved to the nearest end of it, so that a snippet ten times as long as any example gets no
        wild probability.

        >>> calibrator = Calibrator(["dense"], -4.0, [1.5, -0.5, 0.0, 0.2], [(-3, 3), (0, 5), (0, 9), (3, 7)])
        >>> [round(p, 3) for p in calibrator.predict([0.7, 0.3, 0.2], costs=[120, 80, 200])]
        [0.277, 0.015, 0.008]
        """
        tokens = costs_of(costs)
        columns = self._in_order(scores, len(tokens))
        return [self.probability(row) for row in features(columns, tokens, places_of(sections, len(tokens)))]

    def save(self, path: str | PathLike[str]) -> None:
        """Write the calibrator as a small JSON file."""
        import json

        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_dict(), file, indent=2, allow_nan=False)
            file.write("\n")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Calibrator:
        """Read a calibrator that `save` wrote; an `InputError` says what is wrong with another file."""
        from haversack._json import loads
        from haversack.exceptions import InputError

        with open(path, "rb") as file:
            data = file.read()
        try:
            return cls.from_dict(loads(data))
        except InputError as error:
            where, field, found = error.path, error.field, error.found
            raise type(error)(f"{path}: {error}", path=where, field=field, found=found) from None

    def to_dict(self) -> dict[str, Any]:
        """Return the calibrator as plain data, ready for JSON."""
        return to_record(self.names, self._intercept, self._coefficients, self._ranges, self.trained_on)

    @classmethod
    def from_dict(cls, record: Any) -> Calibrator:
        """Return the calibrator that `to_dict` gave, checked.

        >>> Calibrator.from_dict({"format": "haversack calibrator", "version": 9})
        Traceback (most recent call last):
        haversack.exceptions.InputError: calibrator.version: expected 1, found 9; a newer haversack wrote it
        """
        return cls(*from_record(record))

    def __repr__(self) -> str:
        questions = self.trained_on.get("questions")
        fitted = f", fitted on {questions} questions" if questions else ""
        return f"<Calibrator of {', '.join(self.names)}{fitted}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibrator) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.names, self._intercept, self._coefficients, self._ranges))

    def _in_order(self, scores: Any, count: int) -> list[list[float | None]]:
        if is_named(scores):
            columns = columns_if_any(scores, count)
            for name in columns:
                if name not in self.names:
                    fitted = ", ".join(map(repr, self.names))
                    hint = "; name the score that a bare number is" if name == BARE else ""
                    refuse("scores", f"it was fitted on {fitted}, not on {name!r}{hint}")
            return [columns.get(name) or [None] * count for name in self.names]
        columns = columns_of(scores, count)
        if len(columns) != len(self.names):
            fitted = f"fitted on {', '.join(self.names)}"
            refuse("scores", f"expected {len(self.names)} lists ({fitted}), found {len(columns)}")
        return list(columns.values())

    def probability(self, row: Sequence[float]) -> float:
        """Return the probability for one row of features."""
        held = (min(max(x, low), high) for x, (low, high) in zip(row, self._ranges, strict=True))
        terms = (factor * x for factor, x in zip(self._coefficients, held, strict=True))
        log_odds = self._intercept + math.fsum(terms)
        if log_odds >= 0.0:
            return 1.0 / (1.0 + math.exp(-log_odds))
        odds = math.exp(log_odds)
        return odds / (1.0 + odds)
