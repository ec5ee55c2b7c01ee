"""Show the figures of `evaluate`: a table for the terminal, and a plot."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any

TITLES = {"recall": "Evidence recall (%)", "all": "All the evidence is in (%)"}


def table(result: Mapping[str, Any], metric: str = "recall") -> str:
    """Return the figures of one metric ("recall", "all") as text: a row a method, a column a budget.

    The last column is the mean over budgets. Below them the paired differences of our methods to the others, in points, with 95 % intervals.
    """
    budgets = [str(budget) for budget in result["budgets"]]
    methods = result["methods"]
    names = {method: str(entry["label"]) for method, entry in methods.items()}
    wide = max(len(name) for name in names.values()) + 2
    sets = ", ".join(f"{name or 'questions'} {count}" for name, count in result["sets"].items())
    lines = [f"{TITLES[metric]}: {sets}", ""]
    lines.append("budget".ljust(wide) + "".join(budget.rjust(8) for budget in [*budgets, "mean"]))
    for method, entry in methods.items():
        cells = [*entry[metric], entry[f"{metric}_mean"]]
        lines.append(names[method].ljust(wide) + "".join(f"{100 * cell['mean']:8.1f}" for cell in cells))
    for mine, others in result["differences"].items():
        lines += ["", f"{names[mine]}, minus ... (points, 95 % interval)"]
        for other, entry in others.items():
            lines.append("  " + names[other].ljust(wide) + _difference(entry[f"{metric}_mean"]))
    return "\n".join(lines)


def plot(result: Mapping[str, Any], path: str | PathLike[str], metric: str = "recall") -> None:
    """Plot one metric over the budget, with the intervals as bands; needs matplotlib (extra `plot`)."""
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


def _difference(cell: Mapping[str, float]) -> str:
    return f"{100 * cell['mean']:+6.1f}  [{100 * cell['low']:+.1f}, {100 * cell['high']:+.1f}]"
