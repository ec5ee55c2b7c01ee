"""Settings: checked once, frozen, picklable."""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest

import haversack
from haversack import Packer


def snippets() -> list[dict[str, Any]]:
    """A handful."""
    return [{"id": name, "cost": cost, "value": cost + 1} for name, cost in (("a", 5), ("b", 7), ("c", 9))]


def test_a_packer_packs_as_the_function_does() -> None:
    """The function is its method."""
    assert Packer(reserve=3, pinned=["b"]).pack(snippets(), 20) == haversack.pack(
        snippets(), 20, reserve=3, pinned=["b"]
    )


def test_a_packer_is_frozen_and_compares_by_its_settings() -> None:
    """Build a new one to change one."""
    packer = Packer(reserve=3)

    assert packer == Packer(reserve=3)
    assert packer != Packer(reserve=4)
    assert hash(packer) == hash(Packer(reserve=3))
    with pytest.raises(AttributeError, match="frozen"):
        packer.reserve = 5


def test_a_packer_crosses_process_boundaries() -> None:
    """With all it holds that can be pickled."""
    packer = Packer(reserve=3, pinned=["b"], over_budget="raise", effort="greedy", fields={"cost": "n"})

    assert pickle.loads(pickle.dumps(packer)) == packer


def test_the_repr_shows_the_settings() -> None:
    """Those that were given."""
    assert repr(Packer(reserve=3)) == "Packer(reserve=3, order='input', over_budget='warn')"


def test_an_iterator_of_pins_serves_every_call() -> None:
    """Not only the first."""
    packer = Packer(pinned=iter(["b"]))

    assert packer.pack(snippets(), 7) == packer.pack(snippets(), 7)
    assert packer.pack(snippets(), 7)["b"].reason == "pinned"


@pytest.mark.parametrize(
    "settings",
    [
        {"order": "best"}, {"order": 5}, {"counter": "o200k"}, {"counter": 5},
        {"render": "html", "counter": len}, {"render": "xml"},
        {"over_budget": "ignore"}, {"over_budget": None},
        {"reserve": -1}, {"reserve": None}, {"reserve": 0.2}, {"reserve": math.nan}, {"reserve": True},
        {"effort": -1}, {"effort": 0.5}, {"effort": "max"}, {"effort": True}, {"effort": -math.inf},
        {"effort": math.nan},
        {"pinned": 1.5},
        {"values": "softmax"}, {"values": [0.5, 0.2]}, {"values": 1}, {"values": {"dense": 1}},
        {"duplicates": "merge"}, {"duplicates": True},
    ],
    ids=repr,
)  # fmt: skip
def test_a_wrong_setting_is_named(settings: dict[str, Any]) -> None:
    """With what was found."""
    name, found = next(iter(settings.items()))

    with pytest.raises(haversack.InputError, match=rf"\b{name}") as caught:
        Packer(**settings)

    assert caught.value.field == name
    assert caught.value.found is found


def test_efforts_have_names() -> None:
    """greedy, normal and full are 0, the default and no limit."""
    hard = [{"cost": cost, "value": cost + 50} for cost in range(101, 160)]

    for name, effort in (("greedy", 0), ("normal", None), ("full", math.inf)):
        assert haversack.pack(hard, 3003, effort=name) == haversack.pack(hard, 3003, effort=effort)


def test_the_effort_never_makes_the_answer_worse() -> None:
    """More states, no less value."""
    hard = [{"cost": 2 * cost, "value": 2 * cost + 50} for cost in range(101, 160)]

    found = [haversack.pack(hard, 3003, effort=effort).value for effort in (0, 10, 100, 1000, math.inf)]

    assert found == sorted(found)


def test_an_effort_beyond_counting_is_no_limit() -> None:
    """Not an overflow."""
    assert haversack.pack(snippets(), 20, effort=10**30).optimal


@pytest.mark.parametrize("call", [haversack.pack, haversack.max_value])
def test_an_error_of_the_callers_iterator_comes_through(call: Any) -> None:
    """Untouched."""

    def broken() -> Any:
        yield {"cost": 1, "value": 1}
        raise KeyError("theirs")

    with pytest.raises(KeyError, match="theirs"):
        call(broken(), 10)


def test_settings_are_by_keyword_only() -> None:
    """pack(snippets, budget, 5) would say nothing."""
    with pytest.raises(TypeError):
        haversack.pack(snippets(), 20, 5)  # type: ignore[call-arg]
