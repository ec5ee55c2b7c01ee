"""Overlapping spans of one source are merged and paid once."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.exceptions import InputError, InputTypeError
from haversack.values import merge_overlaps

SOURCE = "".join(f"Line {i}: {i * i} and {'x' * (i % 7)}.\n" for i in range(60))
spans = st.lists(
    st.tuples(st.integers(0, 900), st.integers(1, 200)).map(lambda s: (s[0], min(s[0] + s[1], len(SOURCE)))),
    min_size=1,
    max_size=15,
)


def count(text: str) -> int:
    """Four characters a token."""
    return -(-len(text) // 4)


@given(spans)
def test_merged_spans_are_the_union_and_hold_its_text(pairs: list[tuple[int, int]]) -> None:
    texts = [SOURCE[a:b] for a, b in pairs]

    merged = merge_overlaps(
        [("s", a, b) for a, b in pairs],
        [count(t) for t in texts],
        [0.3] * len(pairs),
        texts=texts,
        count=count,
    )

    assert sorted(i for each in merged for i in each.positions) == list(range(len(pairs)))
    assert {k for a, b in pairs for k in range(a, b)} == {
        k for each in merged for k in range(each.start, each.end)
    }
    assert sum(each.end - each.start for each in merged) == len({k for a, b in pairs for k in range(a, b)})
    for each in merged:
        assert each.text == SOURCE[each.start : each.end]
        assert each.cost == count(each.text)
        assert each.value == pytest.approx(1 - 0.7 ** len(each.positions))


@given(spans)
def test_without_a_counter_a_merged_span_costs_between_its_dearest_part_and_all(
    pairs: list[tuple[int, int]],
) -> None:
    costs = [10 + (7 * i) % 50 for i in range(len(pairs))]

    merged = merge_overlaps([("s", a, b) for a, b in pairs], costs, [0.1] * len(pairs))

    for each in merged:
        parts = [costs[i] for i in each.positions]
        assert max(parts) <= each.cost <= sum(parts)


def test_other_sources_touching_spans_and_no_spans_stay_apart() -> None:
    merged = merge_overlaps(
        [("a", 0, 10), ("b", 5, 15), ("a", 10, 20), None, None], costs=[1] * 5, values=[0.1] * 5
    )

    assert [each.positions for each in merged] == [[0], [1], [2], [3], [4]]
    assert [each.value for each in merged] == [0.1] * 5


@pytest.mark.parametrize("step", [2, 3])
def test_windows_of_turns_are_joined_by_what_they_share(step: int) -> None:
    turns = [f"Turn {i}: something was said here." for i in range(8)]
    windows = [(k, k + 4) for k in range(0, 5, step)]
    texts = ["\n".join(turns[a:b]) for a, b in windows]

    (merged,) = merge_overlaps(
        [("chat", a, b) for a, b in windows],
        [40] * len(windows),
        [0.5] * len(windows),
        texts=texts,
        count=count,
    )

    assert merged.text == "\n".join(turns[: windows[-1][1]])


def test_spans_whose_texts_disagree_stay_apart() -> None:
    texts = ["the first version of the page", "another edition of it altogether"]

    merged = merge_overlaps([("p", 0, 29), ("p", 20, 52)], [7, 8], [0.5, 0.5], texts=texts)

    assert [each.text for each in merged] == texts
    assert [each.cost for each in merged] == [7, 8]


def test_a_pin_takes_in_what_lies_within_it_and_nothing_that_would_make_it_longer() -> None:
    merged = merge_overlaps(
        [("f", 0, 100), ("f", 20, 40), ("f", 90, 130), ("f", 120, 140)],
        costs=[100, 20, 40, 20],
        values=[0.9, 0.5, 0.5, 0.5],
        pinned=[True, False, False, False],
    )

    assert [(each.positions, each.pinned, each.cost) for each in merged] == [
        ([0, 1], True, 100),
        ([2, 3], False, 50),
    ]


def test_pins_that_overlap_are_paid_once() -> None:
    (merged,) = merge_overlaps(
        [("f", 0, 100), ("f", 50, 150)], costs=[100, 100], values=[0, 0], pinned=[True, True], limit=10
    )

    assert merged.pinned
    assert merged.cost == 150


def test_a_limit_cuts_a_chain_where_it_is_worth_least() -> None:
    chain = [("f", 50 * k, 50 * k + 100) for k in range(4)]

    merged = merge_overlaps(chain, [100] * 4, [0.9, 0.8, 0.1, 0.2], limit=150)

    assert [(each.positions, each.cost) for each in merged] == [([0, 1], 150), ([2, 3], 150)]


def test_values_that_are_no_probabilities_need_another_way_to_combine() -> None:
    two: dict[str, Any] = {"spans": [("f", 0, 10), ("f", 5, 15)], "costs": [10, 10], "values": [3, 4]}

    with pytest.raises(InputError, match="between 0 and 1"):
        merge_overlaps(**two)
    assert merge_overlaps(**two, combine=sum)[0].value == 7


@pytest.mark.parametrize(
    "span",
    [("f", 5, 1), ("f", None, 3), ("f", 1), ("f", 0, math.inf)],
    ids=["backwards", "none", "two", "endless"],
)
def test_a_span_that_is_none_is_refused(span: Any) -> None:
    with pytest.raises(InputError, match=r"spans\[0\]"):
        merge_overlaps([span], [1], [0.5])


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (([5], [1], [0.5]), "spans[0]"),
        (([(["s"], 0, 1)], [1], [0.5]), "spans[0].source"),
        (([("s", 0, 1)], [1], [None]), "values[0]"),
        (([("s", 0, 1)], [1], ["x"]), "values[0]"),
        ((None, [1], [0.5]), "spans"),
    ],
)
def test_what_is_of_a_wrong_type_is_refused_by_its_place(arguments: Any, path: str) -> None:
    with pytest.raises(InputTypeError) as caught:
        merge_overlaps(*arguments)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("more", "path"), [({"texts": 5}, "texts"), ({"texts": [5]}, "texts[0]"), ({"count": 5}, "count")]
)
def test_texts_and_their_counter_are_such(more: dict[str, Any], path: str) -> None:
    with pytest.raises(InputTypeError) as caught:
        merge_overlaps([("s", 0, 1)], [1], [0.5], **more)
    assert caught.value.path == path


def test_a_limit_is_a_number_of_tokens() -> None:
    with pytest.raises(InputTypeError, match="limit"):
        merge_overlaps([("s", 0, 1)], [1], [0.5], limit="x")  # type: ignore[arg-type]
