"""Selection on bare numbers: against enumeration, with several forms, in every provider's order."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack.chat._best_set import select_best, solve, total
from haversack.chat._keeping import keep, select
from haversack.chat._selection import ORDERS, Choice, Order, find_fault, select_contiguous

from .conversations import FORMS

values = st.integers(-2, 12) | st.sampled_from([0.5, 2.25, 7.5])


@st.composite
def choices(draw: st.DrawFn, max_size: int = 7, pins: bool = True) -> list[Choice]:
    """Units of three kinds, as they occur: questions, answers, calls with their results."""
    made, turn = [], 0
    for _ in range(draw(st.integers(0, max_size))):
        kind = draw(st.sampled_from(["ask", "answer", "call"]))
        turn += kind == "ask"
        forms = draw(st.lists(st.tuples(st.integers(0, 9), values), min_size=1, max_size=3))
        made.append(
            Choice(
                tuple(cost for cost, _ in forms),
                tuple(value for _, value in forms),
                pinned=pins and draw(st.integers(0, 5)) == 0,
                turn=turn,
                starts="user" if kind == "ask" else "model",
                ends="model" if kind == "answer" else "user",
                calls=kind == "call",
                asks=kind == "ask",
            )
        )
    return made


def selections(units: list[Choice], capacity: int, order: Order) -> Any:
    """Every selection that holds the pins, fits and keeps the order, with its value."""
    options = [[*range(len(unit.costs)), *([] if unit.pinned else [None])] for unit in units]
    for picked in itertools.product(*options):
        chosen = {index: form for index, form in enumerate(picked) if form is not None}
        fits = sum(units[index].costs[form] for index, form in chosen.items()) <= capacity
        if fits and find_fault(units, chosen, order) is None:
            yield chosen


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=60, deadline=None)
@given(units=choices(), capacity=st.integers(0, 30))
def test_the_best_set_in_order_equals_enumeration(form: str, units: list[Choice], capacity: int) -> None:
    """The frontier finds what enumeration finds, and proves it."""
    order = ORDERS[form]
    possible = [total(units, chosen) for chosen in selections(units, capacity, order)]

    found = select_best(units, capacity, order, solve)

    if possible:
        assert find_fault(units, found.chosen, order) is None
        assert found.optimal
        assert total(units, found.chosen) == found.bound == max(possible)
    assert {index for index, unit in enumerate(units) if unit.pinned} <= set(found.chosen)


@settings(max_examples=30, deadline=None)
@given(units=choices(pins=False), capacity=st.integers(0, 30))
def test_without_effort_the_selection_is_in_order_and_the_bound_holds(
    units: list[Choice], capacity: int
) -> None:
    """Never a wrong claim."""
    order = ORDERS["gemini"]
    best = max(total(units, chosen) for chosen in selections(units, capacity, order))

    found = select_best(units, capacity, order, solve, widths=(1,))

    assert find_fault(units, found.chosen, order) is None
    assert total(units, found.chosen) <= best <= found.bound
    assert found.optimal == (total(units, found.chosen) == found.bound)


@pytest.mark.parametrize("form", FORMS)
def test_a_long_conversation_is_solved_to_the_proof(form: str) -> None:
    """Five hundred turns of a question, a call and an answer, each in three forms."""
    units = []
    for turn in range(1, 501):
        for place, kind in enumerate(("ask", "call", "answer")):
            size = (97 * turn + 31 * place) % 800 + 40
            worth = float((31 * turn + 57 * place) % 101 + 1)
            units.append(
                Choice(
                    (size, size // 2, size // 3),
                    (worth, worth / 2, worth / 4),
                    turn=turn,
                    starts="user" if kind == "ask" else "model",
                    ends="model" if kind == "answer" else "user",
                    calls=kind == "call",
                    asks=kind == "ask",
                )
            )

    found = select_best(units, 32_000, ORDERS[form], solve)

    assert find_fault(units, found.chosen, ORDERS[form]) is None
    assert sum(units[index].costs[taken] for index, taken in found.chosen.items()) <= 32_000
    assert found.bound - total(units, found.chosen) <= 1e-3 * found.bound


@settings(max_examples=80, deadline=None)
@given(units=choices(), capacity=st.integers(0, 40))
def test_contiguous_keeps_whole_turns_back_from_the_newest(units: list[Choice], capacity: int) -> None:
    """No turn is kept in part but the newest, and none beyond one that is left out."""
    units = [unit for unit in units if unit.turn]
    chosen = select_contiguous(units, capacity, Order())
    loose = [index for index, unit in enumerate(units) if not unit.pinned]
    turns = sorted({units[index].turn for index in loose}, reverse=True)
    newest = max((unit.turn for unit in units), default=0)
    whole = [all(index in chosen for index in loose if units[index].turn == turn) for turn in turns]

    for turn, complete in zip(turns, whole, strict=True):
        part = [index for index in loose if units[index].turn == turn and index in chosen]
        if turn != newest and not complete:
            assert part == []
    assert whole == sorted(whole, reverse=True)
    cost = sum(units[index].costs[form] for index, form in chosen.items())
    assert cost <= max(capacity, sum(min(unit.costs) for unit in units if unit.pinned))


@settings(max_examples=80, deadline=None)
@given(
    units=choices(max_size=10, pins=False),
    seen=st.integers(0, 10),
    capacity=st.integers(5, 60),
    form=st.sampled_from(FORMS),
    contiguous=st.booleans(),
)
def test_the_last_selection_is_kept_or_cut_to_the_target(
    units: list[Choice], seen: int, capacity: int, form: str, contiguous: bool
) -> None:
    """Appended to if that fits and is in order; else within the target."""
    order = ORDERS[form]
    before = select(units[:seen], capacity, order, contiguous=contiguous, solve=solve).chosen

    now = select(units, capacity, order, contiguous=contiguous, solve=solve, previous=before, target=0.5)

    cost = sum(units[index].costs[taken] for index, taken in now.chosen.items())
    assert find_fault(units, now.chosen, order) is None
    assert cost <= capacity
    if now.kept:
        last = max(before, default=-1)
        assert {index: taken for index, taken in now.chosen.items() if index <= last} == before
    else:
        assert cost <= capacity * 0.5
        assert keep(units, before, capacity, order, worthless=contiguous) is None
    assert total(units, now.chosen) <= now.bound
