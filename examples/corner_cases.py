"""The corners of packing with pins, each with the outcome it must have.

    python examples/corner_cases.py

Every function states one rule and asserts it; run as a script it says which rules hold.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import haversack
from haversack import reference


def ids(packing: haversack.Packing[dict[str, object]]) -> list[object]:
    """The ids of what is in, in input order."""
    return [snippet["id"] for snippet in packing.selected]


def a_pin_is_an_overhead_and_competes_with_nothing() -> None:
    """Its cost comes off the budget and its value is added, however poor it is."""
    snippets = [
        {"id": "rules", "cost": 60, "value": 1, "pinned": True},
        {"id": "api", "cost": 50, "value": 9},
        {"id": "log", "cost": 40, "value": 5},
    ]
    packing = haversack.pack(snippets, 100)

    assert ids(packing) == ["rules", "log"]  # 40 tokens are left, and the api needs 50
    assert (packing.value, packing.cost, packing.room) == (1 + 5, 60 + 40, 40)


def pins_over_the_budget_leave_no_room_but_count() -> None:
    """What is left is clamped at 0: nothing optional that costs something, every pin, no negative room."""
    snippets = [
        {"id": "rules", "cost": 120, "value": 5, "pinned": True},
        {"id": "api", "cost": 1, "value": 100},
    ]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        packing = haversack.pack(snippets, 100)

    assert ids(packing) == ["rules"]
    assert (packing.value, packing.room, packing.over_budget) == (5, 0, 20)
    assert [warning.category for warning in caught] == [haversack.OverBudgetWarning]


def a_caller_who_cannot_go_over_says_so() -> None:
    """With over_budget="raise" the same is an error with both numbers and the costliest pins."""
    snippets = [{"id": "rules", "cost": 120, "value": 5, "pinned": True}]
    raised: haversack.OverBudgetError | None = None
    try:
        haversack.pack(snippets, 100, over_budget="raise")
    except haversack.OverBudgetError as error:
        raised = error

    assert raised is not None
    assert (raised.needed, raised.available, raised.pins) == (120, 100, [("rules", 120)])


def a_snippet_is_taken_once() -> None:
    """A table filled forwards would take it three times and find a value of 15."""
    assert haversack.max_value([{"cost": 3, "value": 5}], 9) == 5


def what_fits_exactly_is_in_and_one_token_less_is_out() -> None:
    """The table has budget + 1 places; with one fewer, the exact fit would be lost."""
    snippets = [{"id": "api", "cost": 100, "value": 9}]

    assert haversack.max_value(snippets, 100) == 9
    assert haversack.max_value(snippets, 99) == 0


def what_costs_nothing_is_in_at_no_room_at_all() -> None:
    """Zero tokens fit into zero tokens; only what is worth something is taken."""
    snippets = [
        {"id": "flag", "cost": 0, "value": 2},
        {"id": "void", "cost": 0, "value": 0},
        {"id": "harm", "cost": 0, "value": -1},
        {"id": "api", "cost": 1, "value": 9},
    ]
    packing = haversack.pack(snippets, 0)

    assert ids(packing) == ["flag"]
    assert [decision.reason for decision in packing.decisions] == [
        "free",
        "worthless",
        "worthless",
        "too_long",
    ]


def nothing_to_pack_is_worth_nothing() -> None:
    """No snippets, no value, and that is proven."""
    packing: haversack.Packing[object] = haversack.pack([], 100)

    assert (packing.value, packing.cost, packing.optimal) == (0, 0, True)


def a_pin_may_be_worth_less_than_nothing() -> None:
    """Its value is added all the same: pinned means whatever it is worth."""
    snippets = [{"cost": 10, "value": -3, "pinned": True}, {"cost": 10, "value": 8}]

    assert haversack.max_value(snippets, 20) == 5


def the_best_set_need_not_hold_the_best_snippet() -> None:
    """Neither the most valuable first (9) nor the most value per token first (11) finds 12."""
    snippets = [
        {"id": "long", "cost": 10, "value": 9},
        {"id": "left", "cost": 5, "value": 6},
        {"id": "right", "cost": 5, "value": 6},
        {"id": "dense", "cost": 3, "value": 5},
    ]
    packing = haversack.pack(snippets, 10)

    assert ids(packing) == ["left", "right"]
    assert (packing.value, packing.bound, packing.gap) == (12, 12, 0)


def equal_values_go_to_the_fewer_tokens_then_to_the_first() -> None:
    """Ties do not depend on chance."""
    assert ids(
        haversack.pack([{"id": "a", "cost": 9, "value": 4}, {"id": "b", "cost": 8, "value": 4}], 9)
    ) == ["b"]
    assert ids(
        haversack.pack([{"id": "a", "cost": 8, "value": 4}, {"id": "b", "cost": 8, "value": 4}], 9)
    ) == ["a"]


def numbers_beyond_a_machine_word_are_exact() -> None:
    """Three values of 2^63 - 1 add up to what they add up to."""
    largest = 2**63 - 1
    snippets = [{"cost": 1, "value": largest} for _ in range(3)]

    assert haversack.max_value(snippets, 3) == 3 * largest


def the_table_agrees() -> None:
    """The seed of it all, one table filled backwards, finds the same value at every budget."""
    snippets = [
        {"cost": 7, "value": 3, "pinned": True},
        *({"cost": 3 + position * 5 % 11, "value": 1 + position * 7 % 13} for position in range(12)),
    ]
    for budget in range(120):
        assert haversack.max_value(snippets, budget) == reference.max_value(snippets, budget)


RULES: list[Callable[[], None]] = [
    a_pin_is_an_overhead_and_competes_with_nothing,
    pins_over_the_budget_leave_no_room_but_count,
    a_caller_who_cannot_go_over_says_so,
    a_snippet_is_taken_once,
    what_fits_exactly_is_in_and_one_token_less_is_out,
    what_costs_nothing_is_in_at_no_room_at_all,
    nothing_to_pack_is_worth_nothing,
    a_pin_may_be_worth_less_than_nothing,
    the_best_set_need_not_hold_the_best_snippet,
    equal_values_go_to_the_fewer_tokens_then_to_the_first,
    numbers_beyond_a_machine_word_are_exact,
    the_table_agrees,
]


def main() -> None:
    """Check every rule and say so."""
    for rule in RULES:
        rule()
        print(f"holds: {rule.__name__.replace('_', ' ')}")


if __name__ == "__main__":
    main()
