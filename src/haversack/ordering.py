"""The order of rendering. It is neither the order of `selected` nor part of the choice."""

from __future__ import annotations

from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

ORDERS = ("input", "value", "edges", "section")


def check(order: str | Callable[[list[Any]], Iterable[Any]]) -> None:
    """Refuse what is no order, before any work is done."""
    if isinstance(order, str):
        if order not in ORDERS:
            raise InputError(
                f"order must be one of {', '.join(ORDERS)}; found {order!r}; or a function that takes the "
                f"selected snippets and gives them back in another order",
                path="order",
                field="order",
                found=order,
            )
    elif not callable(order):
        raise InputTypeError(
            f"order takes one of {', '.join(ORDERS)} or a function, found {type(order).__name__}",
            path="order",
            field="order",
            found=order,
        )


def arrange(
    order: str | Callable[[list[Any]], Iterable[Any]],
    selected: Sequence[Any],
    values: Sequence[int | float | None],
    sections: Sequence[str | None],
    declared: Iterable[str] = (),
) -> list[int]:
    """Give the positions of `selected` in the order of rendering.

    - `"input"`: as they were passed.
    - `"value"`: the best first; equals as they were passed. A value of None (a pin without one) is above all:
      what must be in is worth reading first.
    - `"edges"`: the best first, the second best last, and so on inwards, for models that lose the middle.
    - `"section"`: sections together, the declared in their order, then others as they first appear; what has
      no section comes first.
    - a function: takes the list of selected snippets, gives the same objects in another order.

    `values` and `sections` are parallel to `selected`.

    >>> arrange("value", "abcd", [1, 4, None, 3], [None] * 4)
    [2, 1, 3, 0]
    >>> arrange("edges", "abcd", [1, 4, 2, 3], [None] * 4)
    [1, 2, 0, 3]
    >>> arrange(reversed, "abcd", [1, 4, 2, 3], [None] * 4)
    [3, 2, 1, 0]
    """
    check(order)
    positions = list(range(len(selected)))
    if order == "input":
        return positions
    if order == "section":
        return _by_section(positions, sections, declared)
    if callable(order):
        return _matched(order(list(selected)), selected)
    # Sorting is stable, also in reverse: equals stay as they were passed.
    ranked = sorted(positions, key=lambda position: _height(values[position]), reverse=True)
    return ranked if order == "value" else [*ranked[::2], *ranked[1::2][::-1]]


def _height(value: int | float | None) -> tuple[bool, int | float]:
    return (True, 0) if value is None else (False, value)


def _by_section(positions: list[int], sections: Sequence[str | None], declared: Iterable[str]) -> list[int]:
    groups: dict[str | None, list[int]] = {None: [], **{name: [] for name in declared}}
    for position in positions:
        groups.setdefault(sections[position], []).append(position)
    return [position for group in groups.values() for position in group]


def _matched(arranged: Any, selected: Sequence[Any]) -> list[int]:
    """Find by identity where each arranged object stood; the same object may be there more than once."""
    places: dict[int, list[int]] = {}
    for position in reversed(range(len(selected))):
        places.setdefault(id(selected[position]), []).append(position)
    try:
        objects = list(arranged)
    except TypeError:
        raise InputTypeError(
            f"the order function gave {type(arranged).__name__} instead of the selected snippets "
            f"(functions that sort in place give None)",
            field="order",
            found=arranged,
        ) from None
    found = [places[id(thing)].pop() for thing in objects if places.get(id(thing))]
    if len(found) != len(selected) or len(objects) != len(selected):
        raise InputError(
            f"the order function gave {len(objects)} objects, {len(found)} of them selected; it must give "
            f"each of the {len(selected)} selected snippets exactly once, the very objects it was given",
            field="order",
            found=arranged,
        )
    return found
