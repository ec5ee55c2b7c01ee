"""`knapsack` with classes and sections: arrays in, at most one a class, within the caps."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

import haversack
from haversack import knapsack


def enumerated(
    values: list[Any], costs: list[int], capacity: int, classes: Any, sections: Any, caps: Any
) -> Any:
    """The best by trial of every subset."""
    best = 0
    for taken in product([0, 1], repeat=len(values)):
        chosen = [at for at, one in enumerate(taken) if one]
        kinds = [classes[at] for at in chosen if classes is not None and (classes[at] or 0) >= 0
                 and classes[at] is not None]  # fmt: skip
        if len(kinds) > len(set(kinds)) or sum(costs[at] for at in chosen) > capacity:
            continue
        if caps is not None and any(
            sum(costs[at] for at in chosen if sections[at] == part) > cap
            for part, cap in enumerate(caps) if cap is not None and cap >= 0
        ):  # fmt: skip
            continue
        best = max(best, sum(values[at] for at in chosen))
    return best


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_best_of_all(seed: int) -> None:
    """Classes, sections, both; lists and arrays; classes across sections."""
    random = Random(seed)
    for _ in range(60):
        size = random.randint(1, 9)
        values = [random.randint(-2, 9) for _ in range(size)]
        costs = [random.randint(0, 9) for _ in range(size)]
        classes = random.choice([None, [random.choice([-1, 0, 1, 5, 10**12]) for _ in range(size)]])
        sections = random.choice([None, [random.choice([-1, 0, 1]) for _ in range(size)]])
        caps = None if sections is None else [random.randint(0, 15), random.choice([-1, 4])]
        capacity = random.randint(0, 25)
        wanted = enumerated(values, costs, capacity, classes, sections, caps)

        as_lists = knapsack(values, costs, capacity, classes=classes, sections=sections, caps=caps)
        as_arrays = knapsack(
            np.array(values, dtype=float), np.array(costs), capacity,
            classes=None if classes is None else np.array(classes),
            sections=None if sections is None else np.array(sections, dtype=np.int8), caps=caps,
        )  # fmt: skip

        for solution in (as_lists, as_arrays):
            assert solution.value == wanted
            assert solution.optimal
            assert solution.bound == wanted
            chosen = list(solution.chosen)
            assert chosen == sorted(set(chosen))
            assert wanted == sum(values[at] for at in chosen)
            assert solution.cost == sum(costs[at] for at in chosen)


def test_floats_and_numbers_of_any_size_are_exact() -> None:
    """Sums rounded once, however far apart the numbers are."""
    assert knapsack([0.1, 0.2, 0.7], [1, 1, 1], 2, classes=[0, 0, 1]).value == 0.2 + 0.7
    assert list(knapsack([1e300, 1.0, 1e-300], [1, 1, 1], 2, classes=[0, 0, 1]).chosen) == [0, 2]
    assert knapsack([10**30, 10**30 + 1], [1, 1], 2, classes=[3, 3]).value == 10**30 + 1
    assert knapsack([5, 6], [10**30, 1], 10**30, classes=[0, 1]).value == 6
    tiny = knapsack([2.0**-300, 2.0**-301, 1.0], [1, 1, 5], 2, classes=[0, 1, 1])
    assert tiny.value == 2.0**-300 + 2.0**-301


def test_none_and_numbers_below_zero_stand_for_no_class_and_no_cap() -> None:
    """In lists; arrays have numbers only."""
    solution = knapsack([3, 4, 5], [1, 1, 1], 9, classes=[None, 2, 2], sections=[None, 0, -1], caps=[None])

    assert list(solution.chosen) == [0, 2]


@pytest.mark.parametrize(
    ("settings", "path", "said"),
    [
        ({"classes": [0]}, "classes", "one entry an item; found 1 for 2 items"),
        ({"classes": [0, 0.5]}, "classes[1]", "whole number"),
        ({"classes": np.array([0.0, 1.0])}, "classes[0]", "whole number"),
        ({"classes": np.zeros((2, 1), dtype=int)}, "classes", "shape (2, 1)"),
        ({"classes": 5}, "classes", "one sequence"),
        ({"sections": [0, 0]}, "sections", "needs caps="),
        ({"caps": [5]}, "caps", "needs sections="),
        ({"sections": [0, 1], "caps": [5]}, "sections[1]", "caps for 1 sections"),
        ({"sections": [0, 0], "caps": ["5"]}, "caps[0]", "whole number"),
    ],
)
def test_wrong_labels_are_refused(settings: dict[str, Any], path: str, said: str) -> None:
    """With the place of the wrong one."""
    with pytest.raises(haversack.InputError) as caught:
        knapsack([1, 2], [3, 4], 5, **settings)

    assert caught.value.path == path
    assert said in str(caught.value)


def test_wrong_numbers_are_refused_as_without_classes() -> None:
    """By position."""
    with pytest.raises(haversack.InputError, match=r"costs\[1\]"):
        knapsack([1, 2], [3, -4], 5, classes=[0, 0])
    with pytest.raises(haversack.InputError, match="beyond the range of floats"):
        knapsack([1.7e308, 1.7e308], [3, 4], 9, classes=[0, 1])


def test_a_label_that_empties_the_list_is_refused() -> None:
    """What turns objects into numbers is the caller's code and may do anything; all we may do is raise."""
    labels: list[Any] = []

    class Label:
        def __index__(self) -> int:
            labels.clear()
            return 0

    labels += [Label() for _ in range(5000)]

    with pytest.raises(haversack.InputError, match="classes"):
        knapsack([1] * 5000, [1] * 5000, 3, classes=labels)
