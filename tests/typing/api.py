"""What a type checker makes of the public interface. Checked, never run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypedDict, assert_type

import numpy as np

import haversack


class Passage(TypedDict):
    """A caller's own kind of mapping."""

    cost: int
    value: float


class Document:
    """A caller's own class."""

    cost: int = 10
    value: float = 0.5


passages: list[Passage] = [{"cost": 10, "value": 0.5}]
plain: list[dict[str, int]] = [{"cost": 10, "value": 5}]


def documents() -> Iterator[Document]:
    """An iterator of objects."""
    yield Document()


packing = haversack.pack(passages, 100)
assert_type(packing, haversack.Packing[Passage])
assert_type(packing.selected, list[Passage])
assert_type(packing.dropped, list[Passage])
assert_type(packing.value, int | float)
assert_type(packing.bound, Any)  # a number, or with tiers a tuple of them
assert_type(packing.gap, Any)
assert_type(packing.values_by_tier, dict[int, int | float] | None)
assert_type(packing.sections, dict[str, dict[str, int | None]])
assert_type(haversack.pack(plain, 100, sections={"a": haversack.Section(cap=0.5)}).texts, list[str | None])
assert_type(haversack.pack(plain, 100, sections={"a": {"cap": "30%"}}).forms, dict[str | int, str])
assert_type(packing.cost, int)
assert_type(packing.budget, int)
assert_type(packing.reserve, int)
assert_type(packing.frame, int)
assert_type(packing.capacity, int)
assert_type(packing.room, int)
assert_type(packing.remaining, int)
assert_type(packing.over_budget, int)
assert_type(packing.optimal, bool)
assert_type(packing.decisions[0], haversack.Decision)
assert_type(packing["0"], haversack.Decision)
assert_type(packing["0"].chosen, bool)
assert_type(packing["0"].reason, str)
assert_type(packing.to_dict(), dict[str, Any])

# What is passed comes back as its own type, whatever that is.
assert_type(haversack.pack(documents(), 100).selected, list[Document])
assert_type(
    haversack.pack(plain, 100.5, reserve=10, over_budget="raise", effort="full").selected,
    list[dict[str, int]],
)
assert_type(
    haversack.pack(
        plain, 9, values=lambda snippets, costs: [1.0 / cost for cost in costs], duplicates="once"
    ),
    haversack.Packing[dict[str, int]],
)
haversack.Packer(values="rank", overlap="merge", near_copies=0.8)
haversack.Packer(values="softmax")  # type: ignore[arg-type]
assert_type(haversack.pack(plain, 100, pinned=["0"], effort=1000), haversack.Packing[dict[str, int]])
assert_type(haversack.pack(documents(), 100, fields={"cost": "tokens"}), haversack.Packing[Document])

packer = haversack.Packer(reserve=10)
assert_type(packer.pack(passages, 100), haversack.Packing[Passage])

assert_type(haversack.max_value(passages, 100), int | float)

solution = haversack.knapsack([3, 4], [1, 2], 2)
assert_type(solution, haversack.Solution)
assert_type(solution.chosen, memoryview)
assert_type(solution.value, int | float)
assert_type(solution.cost, int)
assert_type(solution.bound, int | float)
assert_type(solution.optimal, bool)
assert_type(haversack.knapsack(np.array([0.5]), np.array([1]), 2), haversack.Solution)

conversation = haversack.pack_messages(
    [{"role": "user", "content": "Hello"}], 100, previous=None, elide=[200]
)
assert_type(conversation, haversack.chat.MessagePacking)
assert_type(conversation.messages, list[Any])
assert_type(conversation.prefix_tokens, int)
assert_type(haversack.pack(passages, 100, previous=packing, keep=0.1), haversack.Packing[Passage])

haversack.pack(passages, "100")  # type: ignore[arg-type]
haversack.pack(passages, 100, over_budget="ignore")  # type: ignore[arg-type]
haversack.pack(passages, 100, 10)  # type: ignore[call-arg]

assert_type(haversack.values.from_scores([0.5, 0.2], costs=[10, 20]), list[float])
assert_type(haversack.evaluation.evaluate([]), dict[str, Any])
