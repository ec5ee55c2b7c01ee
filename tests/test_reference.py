"""The readable reference against enumeration: an oracle must be right itself."""

from __future__ import annotations

from hypothesis import given, settings

from haversack import reference
from tests.strategies import Snippets, best_of, budgets, floats, rounded, snippets_of


@settings(max_examples=150, deadline=None)
@given(snippets_of() | snippets_of(values=floats), budgets)
def test_the_table_finds_the_greatest_value_and_the_fewest_tokens(snippets: Snippets, budget: int) -> None:
    """With the chosen set to show for it."""
    best = best_of(snippets, budget)

    value, chosen = reference.choose(snippets, budget)

    assert value == rounded(best.value, snippets)
    assert sum(snippets[p]["cost"] for p in chosen) == best.cost
    assert chosen == sorted(set(chosen))


def test_each_snippet_is_taken_at_most_once() -> None:
    """Filled forwards, the table would take the first one twice."""
    assert reference.choose([{"cost": 5, "value": 9}, {"cost": 5, "value": 1}], 10) == (10, [0, 1])


def test_pins_over_the_budget_leave_an_empty_table() -> None:
    """No negative index wraps around."""
    snippets = [{"cost": 20, "value": 4, "pinned": True}, {"cost": 3, "value": 9}, {"cost": 0, "value": 1}]

    assert reference.choose(snippets, 10) == (5, [0, 2])


def test_max_value_is_the_value_alone() -> None:
    """The seed's function."""
    assert reference.max_value([{"cost": 6, "value": 7}, {"cost": 5, "value": 5}], 10) == 7
