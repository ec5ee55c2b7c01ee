"""Plots of recall and of calibration: the only module that needs matplotlib (extra `plot`)."""

from __future__ import annotations

import math

from haversack.evaluation.report import TITLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any


def plot_recall(result: Mapping[str, Any], path: str | PathLike[str], metric: str = "recall") -> None:
    """Plot one metric over the budget, with the intervals as bands."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    budgets: Sequence[int] = result["budgets"]
    for method, entry in result["methods"].items():
        cells = entry[metric]
        mine = method in ("ours", "calibrated", "values")
        width = 2.4 if mine else 1.2
        style = "-" if mine else ":" if method == "ceiling" else "--"
        means = [100 * cell["mean"] for cell in cells]
        (line,) = axes.plot(budgets, means, style, lw=width, marker="o", ms=4, label=entry["label"])
        if mine:
            low, high = ([100 * cell[end] for cell in cells] for end in ("low", "high"))
            axes.fill_between(budgets, low, high, color=line.get_color(), alpha=0.15, lw=0)
    axes.set_xscale("log", base=2)
    axes.set_xticks(budgets, [str(budget) for budget in budgets])
    axes.set_xlabel("budget (tokens)")
    axes.set_ylabel(TITLES[metric])
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path)


def plot_calibration(
    bins: Sequence[tuple[float, float, int, float, float]], path: str | PathLike[str]
) -> None:
    """Plot the share needed over the predicted probability, as `Quality.bins` has them."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    axes.plot([0.001, 1], [0.001, 1], ":", color="grey", label="perfect")
    points = [(predicted, share, count) for _, _, count, predicted, share in bins if share > 0.0]
    errors = [math.sqrt(share * (1 - share) / count) for _, share, count in points]
    predicted, shares, _ = zip(*points, strict=True) if points else ((), (), ())
    axes.errorbar(predicted, shares, errors, marker="o", label="cross-validated, one standard error")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("predicted probability")
    axes.set_ylabel("share needed")
    axes.legend()
    figure.savefig(path)
