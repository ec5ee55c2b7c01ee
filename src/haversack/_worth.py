"""Values that are not given: 0 for pins, by rank where nobody has one, an error where some have."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack._forms import Form
    from haversack._numbers import Place


def fill_values(rows: list[list[Form]], pins: bytes | bytearray, places: list[Place]) -> bool:
    """Give every form a value; return whether the values come from the order."""
    optional = [position for position, pin in enumerate(pins) if not pin]
    absent = [
        position
        for position in optional
        if rows[position][0].value is None and all(form.value is None for form in rows[position])
    ]
    if absent and len(absent) < len(optional):
        _refuse_some_without(optional, absent, places)
    for rank, position in enumerate(absent):
        if len(rows[position]) == 1:
            rows[position][0].value = ranked_value(rank)
    for position, forms in enumerate(rows):
        if len(forms) == 1 or (pins[position] and all(form.value is None for form in forms)):
            for form in forms:
                form.value = 0 if form.value is None else form.value
            continue
        for form in forms:
            if form.value is None:
                form.place.refuse(
                    "value", f"is missing: each form needs a value of its own, and {form.name!r} of "
                    f"{places[position].path()} has none", None,
                )  # fmt: skip
    return bool(absent)


def _refuse_some_without(optional: list[int], absent: list[int], places: list[Place]) -> None:
    """Refuse a list where some optional snippets have a value and some have none."""
    without = set(absent)
    with_one = next(position for position in optional if position not in without)
    places[absent[0]].refuse(
        "value",
        f"is missing, while {places[with_one].path()} (id {places[with_one].id!r}) has one; {len(absent)} of "
        f"{len(optional)} optional snippets have none: give all of them a value, or none (best first)",
        None,
    )


def ranked_value(rank: int) -> int:
    """Return the value of a snippet in a list that is best first: max(1, floor(2^40 * 0.7^rank)), exactly.

    >>> ranked_value(0) == 2**40, ranked_value(1), ranked_value(500)
    (True, 769658139443, 1)
    """
    # 2^40 * 0.7^80 is below 1; capping the rank keeps the powers small.
    rank = min(rank, 80)
    worth: int = 2**40 * 7**rank // 10**rank
    return max(1, worth)
