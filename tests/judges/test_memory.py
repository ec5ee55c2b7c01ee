"""Memory in proportion to the work, counted by the operating system: tracemalloc cannot see C++."""

from __future__ import annotations

import pytest

from benchmarks import instances, processes


@pytest.mark.parametrize("kind", ["int1000", "float"])
def test_a_million_items_add_at_most_three_times_their_arrays(kind: str) -> None:
    """The peak of a fresh process, before and after."""
    instance = instances.snippets("tokens", kind, n=10**6, budget=0.25)

    added, given, optimal = processes.measure_peak(instance)

    assert optimal
    assert added <= 3 * given


def test_a_small_call_allocates_no_large_block() -> None:
    """A thousand items are 16 kB of input; a megabyte covers the states and the pages of first use."""
    instance = instances.snippets("tokens", "int1000", n=1000, budget=10_000)

    added, _, _ = processes.measure_peak(instance)

    assert added <= 1024 * 1024
