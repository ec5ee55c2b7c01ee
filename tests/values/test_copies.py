"""Identical texts and near-copies."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.exceptions import InputError, InputTypeError
from haversack.values import identical, near_copies

words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=12).map(" ".join)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.booleans()), max_size=12))
def test_a_duplicate_is_stood_for_by_a_pin_then_by_the_greatest_value(
    snippets: list[tuple[str, int, bool]],
) -> None:
    texts, values, pins = ([snippet[k] for snippet in snippets] for k in range(3))

    kept = identical(texts, values, pins)

    for i, k in enumerate(kept):
        copies = [j for j, text in enumerate(texts) if text == texts[i]]
        assert k in copies
        if pins[i]:
            assert k == i
        elif any(pins[j] for j in copies):
            assert pins[k]
        else:
            assert (-values[k], k) == min((-values[j], j) for j in copies)


def test_texts_that_are_missing_are_no_copies_of_each_other() -> None:
    assert identical([None, None, "a"]) == [0, 1, 2]


def similarity(one: str, other: str) -> float:
    def runs(text: str) -> set[tuple[str, ...]]:
        split = text.split()
        return {tuple(split[i : i + 3]) for i in range(max(1, len(split) - 2))}

    return len(runs(one) & runs(other)) / len(runs(one) | runs(other))


@given(st.lists(words, max_size=14), st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.8, 1.0]))
def test_the_groups_are_exactly_what_links_of_the_similarity_connect(
    texts: list[str], threshold: float
) -> None:
    parents = list(range(len(texts)))

    def root(i: int) -> int:
        return i if parents[i] == i else root(parents[i])

    for i, one in enumerate(texts):
        for j in range(i):
            if similarity(one, texts[j]) >= threshold:
                parents[root(i)] = root(j)
    groups: dict[int, list[int]] = {}
    for i in range(len(texts)):
        groups.setdefault(root(i), []).append(i)

    assert near_copies(texts, threshold) == sorted(group for group in groups.values() if len(group) > 1)


def test_case_and_white_space_do_not_count_but_signs_do() -> None:
    assert near_copies(["return a + b", "RETURN  a +\n b", "return a - b"], 0.9) == [[0, 1]]
    assert near_copies(["東京都の天気", "東京都の天気です", "大阪"], 0.6) == [[0, 1]]
    assert near_copies([None, "", "", "x"], 0.9) == [[1, 2]]


@pytest.mark.parametrize("threshold", [0, -1, 1.5, None])
def test_a_threshold_is_a_similarity(threshold: float) -> None:
    with pytest.raises(InputError, match="threshold: expected a similarity above 0"):
        near_copies(["a"], threshold)


def test_a_thousand_long_texts_with_a_common_header_take_a_moment() -> None:
    header = " ".join(f"licence{i}" for i in range(50))
    texts = [header + " " + " ".join(f"w{(i * 31 + k * k) % 5003}" for k in range(200)) for i in range(1000)]
    texts += texts[:50]
    started = time.perf_counter()

    groups = near_copies(texts, 0.8)

    assert time.perf_counter() - started < 10
    assert groups == [[i, 1000 + i] for i in range(50)]


@pytest.mark.parametrize(
    ("call", "path"),
    [
        (lambda: identical(["a", 1]), "texts[1]"),
        (lambda: identical(5), "texts"),
        (lambda: near_copies(None, 0.5), "texts"),
        (lambda: identical(["a", "b"], values=[None, 1]), "values[0]"),
        (lambda: near_copies([1, 2], 0.8), "texts[0]"),
        (lambda: near_copies(["a"], 0.8, shingle="x"), "shingle"),
        (lambda: near_copies(["a"], 0.8, shingle=1.5), "shingle"),
    ],
)
def test_what_is_of_a_wrong_type_is_refused_by_its_place(call: Any, path: str) -> None:
    with pytest.raises(InputTypeError) as caught:
        call()
    assert caught.value.path == path


def test_integers_of_any_size_may_be_compared() -> None:
    assert identical(["a", "a"], values=[10**400, 10**400 + 1]) == [1, 1]


def test_how_accents_are_coded_does_not_count() -> None:
    assert near_copies(["caf\u00e9 au lait", "cafe\u0301 au lait"], 1.0) == [[0, 1]]
