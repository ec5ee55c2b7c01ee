"""Snippets as Hypothesis draws them, and the plainest possible judge of a packing of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from hypothesis import strategies as st

Snippets = list[dict[str, Any]]

small_costs = st.integers(0, 12)
wide_costs = st.one_of(small_costs, st.sampled_from([10**10, 2**40 + 1, 2**62, 2**63, 10**30]))
small_ints = st.integers(-3, 12)
wide_ints = st.one_of(
    small_ints,
    st.sampled_from([2**63 - 1, 2**63, -(2**63), 2**64 + 1, 10**30, 10**30 + 1, -(10**30)]),
)
# Up to 1e300, so that no sum of a few leaves the range of floats; denormals and -0.0 included.
floats = st.one_of(
    st.floats(-1e300, 1e300, allow_nan=False, allow_subnormal=True),
    st.floats(0, 1, width=32),
    st.sampled_from([-0.0, 0.0, 5e-324, 2.2250738585072014e-308, 0.1, 0.2, 0.3, 1e300, 1e16, 1.0]),
)
any_values = st.one_of(small_ints, floats, wide_ints)


def snippets_of(
    costs: st.SearchStrategy[int] = small_costs,
    values: st.SearchStrategy[Any] = small_ints,
    size: int = 9,
    pins: bool = True,
) -> st.SearchStrategy[Snippets]:
    """Lists of dicts with cost and value; about a quarter pinned."""
    pinned = st.sampled_from([False, False, False, True]) if pins else st.just(False)
    one = st.fixed_dictionaries({"cost": costs, "value": values, "pinned": pinned})
    return st.lists(one, max_size=size)


budgets = st.integers(0, 60)


class Best(NamedTuple):
    """What enumeration finds: the greatest value, exactly, and the fewest tokens that reach it."""

    value: Fraction
    cost: int


def best_of(snippets: Snippets, capacity: int) -> Best:
    """Try every selection."""
    pins = [snippet for snippet in snippets if snippet.get("pinned")]
    optional = [snippet for snippet in snippets if not snippet.get("pinned")]
    fixed, tokens = worth(pins), sum(snippet["cost"] for snippet in pins)
    room = max(0, capacity - tokens)
    found = Best(fixed, tokens)
    for size in range(1, len(optional) + 1):
        for taken in combinations(optional, size):
            cost = sum(snippet["cost"] for snippet in taken)
            if cost <= room:
                candidate = Best(fixed + worth(list(taken)), tokens + cost)
                found = max(found, candidate, key=lambda best: (best.value, -best.cost))
    return found


def worth(snippets: Snippets) -> Fraction:
    """The sum of the values, exactly."""
    return sum((Fraction(snippet.get("value", 0)) for snippet in snippets), Fraction(0))


def rounded(total: Fraction, snippets: Snippets) -> int | float:
    """The sum as the contract gives it: an int if every value is one, else rounded once."""
    if all(isinstance(snippet.get("value", 0), int) for snippet in snippets):
        return int(total)
    return total.numerator / total.denominator
