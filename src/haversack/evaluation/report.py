"""Show the figures of `evaluate` as a table for the terminal."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TITLES = {"recall": "Evidence recall (%)", "all": "All the evidence is in (%)"}


def table(result: Mapping[str, Any], metric: str = "recall") -> str:
    """Return the figures of one metric ("recall", "all") as text: a row a method, a column a budget.

    The last column is the mean over budgets. Below them the paired differences of our methods to the
    others, in points, with 95 % intervals.
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


def _difference(cell: Mapping[str, float]) -> str:
    return f"{100 * cell['mean']:+6.1f}  [{100 * cell['low']:+.1f}, {100 * cell['high']:+.1f}]"
