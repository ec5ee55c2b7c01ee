"""Show the figures of `evaluate` as a table for the terminal."""

from __future__ import annotations

from haversack.values._lists import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

#: The two figures that there are, by name.
TITLES = {"recall": "Evidence recall (%)", "all": "All the evidence is in (%)"}


def table(result: Mapping[str, Any], metric: str = "recall") -> str:
    """Return the figures of one metric ("recall", "all") as text: a row a method, a column a budget.

    The last column is the mean over budgets. Below them the paired differences of our methods to the
    others, in points, with 95 % intervals.
    """
    title = titled(metric)
    budgets = [str(budget) for budget in result["budgets"]]
    methods = result["methods"]
    names = {method: str(entry["label"]) for method, entry in methods.items()}
    wide = max(len(name) for name in names.values()) + 2
    sets = ", ".join(f"{name or 'questions'} {count}" for name, count in result["sets"].items())
    lines = [f"{title}: {sets}", *_left_out(result["without_gold"]), ""]
    lines.append("budget".ljust(wide) + "".join(budget.rjust(8) for budget in [*budgets, "mean"]))
    for method, entry in methods.items():
        cells = [*entry[metric], entry[f"{metric}_mean"]]
        lines.append(names[method].ljust(wide) + "".join(f"{100 * cell['mean']:8.1f}" for cell in cells))
    for mine, others in result["differences"].items():
        lines += ["", f"{names[mine]}, minus ... (points, 95 % interval)"]
        for other, entry in others.items():
            lines.append("  " + names[other].ljust(wide) + _difference(entry[f"{metric}_mean"]))
    return "\n".join(lines)


def titled(metric: str) -> str:
    """Return the words for a metric, or refuse one that there is not."""
    if metric not in TITLES:
        wanted = " or ".join(map(repr, TITLES))
        refuse("metric", f"expected {wanted}, found {metric!r}", metric)
    return TITLES[metric]


def _left_out(without_gold: int) -> list[str]:
    some = "question" if without_gold == 1 else "questions"
    return [f"left out: {without_gold} {some} without evidence"] if without_gold else []


def _difference(cell: Mapping[str, float]) -> str:
    return f"{100 * cell['mean']:+6.1f}  [{100 * cell['low']:+.1f}, {100 * cell['high']:+.1f}]"
