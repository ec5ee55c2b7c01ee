"""So many tiers that no integer of the core holds them: some at a time, the best first.

What the first tiers take stays; the later ones share what is left. That is exact for the first tiers, and
never worse than taking tier after tier; of the later ones only the trivial bound is known.
"""

from __future__ import annotations

from haversack import _core
from haversack._wide_forest import WideOutcome, most_by_tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from haversack._forest import Forest

_WIDEST = 400  # bits of some tiers together, as the core's widest integers hold them


def solve(forest: Forest, effort: int) -> WideOutcome | None:
    """Solve some tiers after the other; None where not even one of them is narrow enough."""
    taken = [-1] * len(forest.parent)
    tiers, most = most_by_tier(forest)
    states = 0
    for first, end in _chunks(forest):
        found = _solve_some(forest, taken, first, end, max(0, effort - states))
        if found is None:
            return None
        states += found.states
        if first == 0:
            for tier, bound in zip(found.tiers, found.bound, strict=True):
                most[tier] = bound
        for node, one in enumerate(found.choice):
            if one >= 0 and taken[node] < 0 and _tier(forest, forest.begin[node] + one) < end:
                taken[node] = one
    return WideOutcome(taken, tiers, most, False, states)


def _tier(forest: Forest, option: int) -> int:
    return forest.tier[option] if forest.tier else 0


def _chunks(forest: Forest) -> Iterator[tuple[int, int]]:
    """Ranges of tiers whose sums fit into one integer together."""
    sums = [0] * len(forest.structure.tiers)
    for option, profit in enumerate(forest.profits):
        sums[_tier(forest, option)] += abs(profit)
    first, width = 0, 0
    for tier, total in enumerate(sums):
        bits = total.bit_length() + 2
        if width + bits > _WIDEST and tier > first:
            yield first, tier
            first, width = tier, 0
        width += bits
    yield first, len(sums)


def _solve_some(
    forest: Forest, taken: list[int], first: int, end: int, effort: int
) -> _core.ForestOutcome | None:
    """The forest with the profits of some tiers only, and what is taken already for certain."""
    begin, weights, profits, tiers = [0], list[int](), list[int](), list[int]()
    mandatory = bytearray(forest.mandatory)
    for node, one in enumerate(taken):
        options = range(forest.begin[node], forest.begin[node + 1])
        if one >= 0:
            options = options[one : one + 1]  # of members of a group, their head is certain
            mandatory[node] = not forest.together[node]
        weights += [forest.weights[option] for option in options]
        for option in options:
            tier = _tier(forest, option)
            is_in = first <= tier < end
            profits.append(forest.profits[option] if is_in else 0)
            tiers.append(tier if is_in else first)
        begin.append(len(weights))
    return _core.solve_forest(
        forest.capacity, forest.structure.plan.parents, forest.caps, forest.section, forest.parent,
        bytes(mandatory), bytes(forest.together), begin, weights, profits, tiers, effort=effort,
    )  # fmt: skip
