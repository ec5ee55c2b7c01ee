"""Plots of recall and of calibration: the only module that needs matplotlib (extra `plot`)."""

from __future__ import annotations

import math

from haversack.evaluation.report import titled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    Bin = tuple[float, float, int, float, float]

#: Ours, and the ceiling, have a colour of their own; all else has that of its score.
_OWN = {"ours": "tab:red", "calibrated": "tab:purple", "values": "tab:pink", "ceiling": "black"}
_OF_SCORES = ("tab:blue", "tab:orange", "tab:green", "tab:brown", "tab:olive", "tab:cyan", "tab:gray")
#: Line and marker of each kind, so that two of one colour differ.
_KINDS = {"topk": ("--", "v"), "greedy": ("-.", "s"), "raw": ((0, (1, 2)), "x"), "ceiling": (":", "")}
#: Normal deviate of a 95 % interval.
_DEVIATE = 1.96
_LOWEST = 5e-4


def plot_recall(result: Mapping[str, Any], path: str | PathLike[str], metric: str = "recall") -> None:
    """Plot one metric over the budget, with the intervals of our methods as bands."""
    title = titled(metric)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 5.5), layout="constrained")
    axes = figure.subplots()
    budgets: Sequence[int] = result["budgets"]
    colours = _colours(result["methods"])
    for method, entry in result["methods"].items():
        cells = entry[metric]
        style, marker = _KINDS.get(method.partition(":")[0], ("-", "o"))
        marker = "^" if method.endswith(" per token") else marker
        mine = method in ("ours", "calibrated", "values")
        means = [100 * cell["mean"] for cell in cells]
        axes.plot(
            budgets, means, linestyle=style, marker=marker, ms=4, lw=2.4 if mine else 1.2,
            color=colours[method], label=entry["label"],
        )  # fmt: skip
        if mine:
            low, high = ([100 * cell[end] for cell in cells] for end in ("low", "high"))
            axes.fill_between(budgets, low, high, color=colours[method], alpha=0.15, lw=0)
    _scale(axes, budgets)
    axes.set_xlabel("budget (tokens)")
    axes.set_ylabel(title)
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right upper", fontsize="small", frameon=False)
    figure.savefig(path)


def plot_calibration(bins: Sequence[Bin] | Mapping[str, Sequence[Bin]], path: str | PathLike[str]) -> None:
    """Plot the share needed over the predicted probability, as `Quality.bins` has them; or those of each set.

    The bars are 95 % intervals (Wilson 1927). A bin in which nothing is needed has no place on a logarithmic
    scale: it stands at the lower edge, hollow, with its interval.
    """
    from collections.abc import Mapping as AnyMapping

    from matplotlib.figure import Figure

    by_set = bins if isinstance(bins, AnyMapping) else {"": bins}
    figure = Figure(figsize=(6, 6), layout="constrained")
    axes = figure.subplots()
    axes.plot([_LOWEST, 1], [_LOWEST, 1], ":", color="black", lw=1, label="as predicted")
    for k, (name, each) in enumerate(by_set.items()):
        _draw_bins(axes, each, name, _OF_SCORES[k % len(_OF_SCORES)])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(_LOWEST, 1.1)
    axes.set_ylim(_LOWEST, 1.1)
    axes.set_xlabel("predicted probability")
    axes.set_ylabel("share needed, 95 % interval")
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left", fontsize="small")
    figure.savefig(path)


def _colours(methods: Iterable[str]) -> dict[str, str]:
    """Return a colour for each method: one for all that go by the same score."""
    colours: dict[str, str] = {}
    scores: dict[str, int] = {}
    for method in methods:
        score = method.partition(":")[2].removesuffix(" per token")
        place = scores.setdefault(score, len(scores)) if score else 0
        colours[method] = _OWN.get(method) or _OF_SCORES[place % len(_OF_SCORES)]
    return colours


def _scale(axes: Any, budgets: Sequence[int]) -> None:
    """Make every doubling of the budget a step; 0, which has no logarithm, is one step to the left."""
    positive = [budget for budget in budgets if budget > 0]
    if len(positive) < len(budgets) and positive:
        axes.set_xscale("symlog", base=2, linthresh=min(positive), linscale=1)
    elif positive:
        axes.set_xscale("log", base=2)
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.minorticks_off()


def _draw_bins(axes: Any, bins: Sequence[Bin], name: str, colour: str) -> None:
    told = f"{name}, cross-validated" if name else "cross-validated"
    found = [each for each in bins if each[4] > 0]
    axes.plot(
        [max(predicted, _LOWEST) for *_, predicted, _ in found], [share for *_, share in found],
        color=colour, marker="o", ms=5, label=told,
    )  # fmt: skip
    empty = [max(predicted, _LOWEST) for *_, predicted, share in bins if share == 0]
    if empty:
        axes.plot(
            empty, [_LOWEST] * len(empty), color=colour, marker="v", ms=8, ls="", mfc="white", clip_on=False,
            label=f"{name}: none needed" if name else "none needed",
        )  # fmt: skip
    for _, _, count, predicted, share in bins:
        low, high = wilson(share, count)
        axes.plot([max(predicted, _LOWEST)] * 2, [max(low, _LOWEST), high], color=colour, lw=1)


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share observed among *count*: never empty, also where the share is 0.

    >>> [round(end, 3) for end in wilson(0.0, 30)]
    [0.0, 0.114]
    """
    squared = _DEVIATE**2 / count
    middle = (share + squared / 2) / (1 + squared)
    half = _DEVIATE * math.sqrt(share * (1 - share) / count + squared / (4 * count)) / (1 + squared)
    return max(0.0, middle - half), min(1.0, middle + half)
