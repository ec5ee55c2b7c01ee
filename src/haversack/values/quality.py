"""How good a calibrator is on questions it has not seen: log loss, calibration table and plot, recall."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any

#: Edges of the probability bins: narrow where most snippets are.
EDGES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


class Quality:
    """Cross-validated: each probability was given by a model that did not see the question's group.

    `log_loss` is the mean of -log(probability given to what was true), `base_log_loss` the same if every
    snippet had the mean probability (lower is better, and the first should be well below the second);
    `expected` and `found` are needed snippets a question; `bins` are (low, high, snippets, mean
    probability, share needed); `recall` is the result of `haversack.evaluation.evaluate`, or None if no
    budgets were asked for.
    """

    __slots__ = ("base_log_loss", "bins", "expected", "folds", "found", "log_loss", "questions", "recall")

    def __init__(
        self, predicted: Sequence[Sequence[float]], needed: Sequence[Sequence[bool]], folds: int
    ) -> None:
        flat = [pair for row in zip(predicted, needed, strict=True) for pair in zip(*row, strict=True)]
        mean = sum(need for _, need in flat) / len(flat)
        self.questions = len(predicted)
        self.folds = folds
        self.log_loss = math.fsum(_loss(p, need) for p, need in flat) / len(flat)
        self.base_log_loss = math.fsum(_loss(mean, need) for _, need in flat) / len(flat)
        self.expected = math.fsum(p for p, _ in flat) / self.questions
        self.found = sum(need for _, need in flat) / self.questions
        self.bins = _bins(flat)
        self.recall: dict[str, Any] | None = None

    def __str__(self) -> str:
        lines = [
            f"cross-validated on {self.questions} questions, {self.folds} folds",
            f"log loss {self.log_loss:.4f} ({self.base_log_loss:.4f} with the same probability for all)",
            f"needed snippets a question: {self.expected:.2f} expected, {self.found:.2f} found",
            "",
            "probability     snippets  predicted  needed",
        ]
        for low, high, count, predicted, share in self.bins:
            lines.append(f"{low:.2f} to {high:.2f}  {count:10,}  {predicted:9.3f}  {share:6.3f}")
        if self.recall is not None:
            from haversack.evaluation.report import table

            lines += ["", table(self.recall)]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, less the recall, as plain data."""
        names = ("questions", "folds", "log_loss", "base_log_loss", "expected", "found", "bins")
        return {name: getattr(self, name) for name in names}

    def plot(self, path: str | PathLike[str]) -> None:
        """Plot the share needed over the predicted probability; needs matplotlib (extra `plot`)."""
        from haversack.evaluation.plots import plot_calibration

        plot_calibration(self.bins, path)


def _loss(probability: float, need: bool) -> float:
    given = probability if need else 1.0 - probability
    return -math.log(max(given, 1e-15))


def _bins(flat: Sequence[tuple[float, bool]]) -> list[tuple[float, float, int, float, float]]:
    from itertools import pairwise

    bins = []
    for low, high in pairwise(EDGES):
        held = [(p, need) for p, need in flat if low <= p < high or p == high == 1.0]
        if held:
            count = len(held)
            share = sum(need for _, need in held) / count
            bins.append((low, high, count, math.fsum(p for p, _ in held) / count, share))
    return bins
