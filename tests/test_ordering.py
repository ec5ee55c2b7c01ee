"""The order of rendering is a permutation of what was selected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.exceptions import InputError, InputTypeError
from haversack.ordering import ORDERS, arrange, check

rows = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(-3, 3), st.floats(0, 3)), st.sampled_from([None, "a", "b"])),
    max_size=9,
)


@pytest.mark.parametrize("order", [*ORDERS, lambda selected: selected[::-1]])
@given(rows=rows)
def test_every_order_is_a_permutation(order, rows):
    values, sections = [row[0] for row in rows], [row[1] for row in rows]
    found = arrange(order, [object() for _ in rows], values, sections)

    assert list(range(len(rows))) == sorted(found)


@given(rows)
def test_by_value_the_best_come_first_and_equals_as_they_were_passed(rows):
    values = [float("inf") if row[0] is None else row[0] for row in rows]
    found = arrange("value", rows, [row[0] for row in rows], [None] * len(rows))

    assert sorted(range(len(rows)), key=lambda position: (-values[position], position)) == found


@given(rows)
def test_at_the_edges_values_fall_towards_the_middle(rows):
    values = [float("inf") if row[0] is None else row[0] for row in rows]
    found = [values[i] for i in arrange("edges", rows, [row[0] for row in rows], [None] * len(rows))]
    lowest = found.index(min(found)) if found else 0

    assert found[: lowest + 1] == sorted(found[: lowest + 1], reverse=True)
    assert found[lowest:] == sorted(found[lowest:])
    if len(found) > 1:
        assert sorted(values, reverse=True)[:2] == [found[0], found[-1]]


def test_edges_spelt_out():
    assert arrange("edges", "abcde", [9, 8, 7, 6, 5], [None] * 5) == [0, 2, 4, 3, 1]


def test_sections_stand_together_declared_ones_in_their_order_and_the_unnamed_first():
    sections = ["b", "x", None, "a", "b", "y"]

    assert arrange("section", sections, [1] * 6, sections, declared=["a", "b"]) == [2, 3, 0, 4, 1, 5]
    assert arrange("section", sections, [1] * 6, sections) == [2, 0, 4, 1, 3, 5]


def test_the_same_object_may_be_selected_twice():
    one = {"id": "a"}

    assert sorted(arrange(reversed, [one, one], [1, 1], [None, None])) == [0, 1]


@pytest.mark.parametrize("wrong", [lambda s: s[1:], lambda s: [*s, s[0]], lambda s: [dict(x) for x in s]])
def test_a_function_that_loses_doubles_or_copies_is_refused(wrong):
    with pytest.raises(InputError, match="must give each of the 2 selected snippets exactly once"):
        arrange(wrong, [{"id": "a"}, {"id": "b"}], [1, 2], [None, None])


def test_a_function_that_sorts_in_place_is_told_so():
    with pytest.raises(InputTypeError, match="give None"):
        arrange(lambda selected: selected.sort(), ["b", "a"], [1, 2], [None, None])


def test_an_unknown_order_is_refused_with_the_names():
    with pytest.raises(InputError, match="input, value, edges, section"):
        check("random")
    with pytest.raises(InputTypeError):
        check(None)
