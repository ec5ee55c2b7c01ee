"""Labels of a question, read and checked: which candidates are needed, and how much evidence there is."""

from __future__ import annotations

from haversack.values._lists import as_list, refuse, shown, whole_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_BUDGET = "a whole number of tokens"


def labels_of(needed: Iterable[Any], what: str) -> list[bool]:
    """Return a label for each candidate: true and false, or 1 and 0.

    >>> labels_of([True, 0, 1.0], "needed")
    [True, False, True]
    """
    labels = []
    for i, need in enumerate(as_list(needed, what)):
        is_label = type(need).__name__ in ("bool", "bool_", "int", "float") or hasattr(need, "dtype")
        if not is_label or need not in (0, 1):
            hint = "; compare grades with a threshold" if is_label and need == need else ""
            problem = f"expected true or false, or 1 or 0, found {shown(need)}{hint}"
            refuse(f"{what}[{i}]", problem, need, wrong_type=not is_label)
        labels.append(bool(need))
    return labels


def gold_of(gold: Any, needed: list[bool], what: str) -> int:
    """Return how much evidence there is in all: *gold*, or what is needed of the candidates if it is None."""
    held = sum(needed)
    if gold is None:
        return held
    read = whole_of(gold, what, "how much evidence there is, a whole number")
    if read < held:
        refuse(what, f"{read} is less than the {held} candidates that are needed", gold)
    return read


def budgets_of(budgets: Any) -> list[int]:
    """Return budgets in tokens as a list, checked."""
    listed = as_list(budgets, "budgets")
    return [whole_of(budget, f"budgets[{i}]", _BUDGET) for i, budget in enumerate(listed)]
