"""Errors as programs see them: classes, attributes, pickles."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import haversack
from haversack import exceptions


def caught(call: Any) -> BaseException:
    """The error that a call raises."""
    with pytest.raises(haversack.PackingError) as info:
        call()
    return info.value


def test_one_base_catches_every_error_of_ours() -> None:
    """Input errors are values, type errors are types as well; the warning is a warning."""
    assert issubclass(exceptions.InputError, (exceptions.PackingError, ValueError))
    assert issubclass(exceptions.InputTypeError, exceptions.InputError)
    assert issubclass(exceptions.InputTypeError, TypeError)
    assert issubclass(exceptions.OverBudgetError, exceptions.PackingError)
    assert not issubclass(exceptions.OverBudgetError, exceptions.InputError)
    assert issubclass(exceptions.OverBudgetWarning, UserWarning)


def test_an_input_error_says_where_what_and_which() -> None:
    """A service builds its 422 from these."""
    error = caught(lambda: haversack.pack([{"id": "a", "cost": 1, "value": "5"}], 10))

    assert isinstance(error, haversack.InputTypeError)
    assert (error.path, error.id, error.field, error.found) == ("snippets[0].value", "a", "value", "5")


@pytest.mark.parametrize(
    "call",
    [
        lambda: haversack.pack([{"id": "a", "cost": -1}], 10),
        lambda: haversack.pack([{"id": "a", "cost": "1"}], 10),
        lambda: haversack.pack([{"id": "a", "cost": 9, "pinned": True}], 5, over_budget="raise"),
    ],
)
def test_errors_cross_process_boundaries_whole(call: Any) -> None:
    """A pool of workers pickles what they raise."""
    error = caught(call)

    again = pickle.loads(pickle.dumps(error))

    assert type(again) is type(error)
    assert str(again) == str(error)
    for name in ("path", "id", "field", "found", "needed", "available", "excess", "pins"):
        assert getattr(again, name, None) == getattr(error, name, None)


def test_the_over_budget_error_names_at_most_five_pins_the_costliest_first() -> None:
    """A thousand pins do not make a thousand-line message."""
    pins = [{"id": n, "cost": n, "pinned": True} for n in range(1, 9)]

    error = caught(lambda: haversack.pack(pins, 10, over_budget="raise"))

    assert isinstance(error, haversack.OverBudgetError)
    assert error.pins == [(8, 8), (7, 7), (6, 6), (5, 5), (4, 4)]
    assert (error.needed, error.available, error.excess) == (36, 10, 26)


def test_the_message_shows_the_way_out_that_fits() -> None:
    """No advice to lower a reserve that is not there."""
    pin = {"id": "rules", "cost": 120, "pinned": True}

    with_reserve = str(caught(lambda: haversack.pack([pin], 100, reserve=10, over_budget="raise")))
    without = str(caught(lambda: haversack.pack([pin], 100, over_budget="raise")))

    assert "lower the reserve" in with_reserve
    assert "(budget 100 - reserve 10 = 90 < 120)" in with_reserve
    assert "reserve" not in without
    assert "(budget 100 < 120)" in without
