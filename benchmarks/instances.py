"""Draw the instance families that the benchmarks and the judges in the tests share.

The same arguments give the same arrays on every machine: the draws come from NumPy's frozen MT19937 stream,
seeded from a checksum of everything that shapes them.

Two families imitate snippets (costs in tokens). Thirteen are the classes of Pisinger, "Where are the hard
knapsack problems?", Computers & Operations Research 32, 2005. One is that of Jooken, Leyman and De
Causmaecker, "A new class of hard problem instances for the 0-1 knapsack problem", European Journal of
Operational Research 301, 2022.
"""
# ruff: noqa: N803  (R, h and H are the papers' own letters)

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Draw: TypeAlias = np.random.RandomState
Columns: TypeAlias = tuple[Array, Array]


class Instance(NamedTuple):
    """Costs, values and a budget, in that order, under a name that says how they were drawn."""

    name: str
    costs: Array
    values: Array
    budget: int

    @property
    def checksum(self) -> str:
        """CRC-32 of both arrays, to check that two machines measure the same thing."""
        return f"{zlib.crc32(self.values.tobytes(), zlib.crc32(self.costs.tobytes())):08x}"


def _stream(*key: object) -> Draw:
    return np.random.RandomState(zlib.crc32(repr(key).encode()))


def _integers(draw: Draw, least: int, most: int, n: int) -> Array:
    """Uniform integers, both ends included."""
    return draw.randint(least, most + 1, size=n, dtype=np.int64)


def _ceiling_share(numbers: Array, parts: int) -> Array:
    return -(-numbers // parts)


def _similarity(draw: Draw, n: int) -> Array:
    """What cosine similarities look like: normal around 0.45, cut to [0, 1]."""
    return np.clip(0.45 + 0.15 * draw.standard_normal(n), 0.0, 1.0)


def _near_cost(draw: Draw, costs: Array) -> Array:
    """Within a tenth of the cost: every snippet is worth nearly the same per token."""
    return np.maximum(1, np.rint(costs * (0.9 + 0.2 * draw.random_sample(len(costs))))).astype(np.int64)


VALUE_KINDS: dict[str, Callable[[Draw, Array], Array]] = {
    "int1000": lambda draw, costs: _integers(draw, 1, 1000, len(costs)),
    "int1e6": lambda draw, costs: _integers(draw, 1, 10**6, len(costs)),
    "prio10": lambda draw, costs: _integers(draw, 1, 10, len(costs)),
    "float": lambda draw, costs: draw.random_sample(len(costs)),
    "sim": lambda draw, costs: _similarity(draw, len(costs)),
    "simcost": lambda draw, costs: _similarity(draw, len(costs)) * costs,
    "dens": _near_cost,
}


def _tokens(draw: Draw, n: int) -> Array:
    """Lognormal lengths: median 150 tokens, at most 8,192."""
    return np.clip(np.floor(150.0 * np.exp(0.9 * draw.standard_normal(n))), 1, 8192).astype(np.int64)


COST_KINDS: dict[str, Callable[[Draw, int], Array]] = {
    "tokens": _tokens,
    "uniform": lambda draw, n: _integers(draw, 1, 1000, n),
}


def snippets(
    costs: str = "tokens",
    values: str = "int1000",
    *,
    n: int,
    budget: float,
    seed: int = 1,
    free: float = 0.0,
) -> Instance:
    """Draw *n* snippets.

    *budget*: tokens if an int, a share of the total cost if a float.
    *free*: the share of snippets that cost nothing.
    """
    draw = _stream(costs, n, seed, values, float(free))
    cost_column = COST_KINDS[costs](draw, n)
    value_column = VALUE_KINDS[values](draw, cost_column)
    if free:
        cost_column[draw.random_sample(n) < free] = 0
    total = int(cost_column.sum())
    capacity = int(budget * total) if isinstance(budget, float) else int(budget)
    return Instance(f"{costs}-{values}-n{n}-B{budget}", cost_column, value_column, capacity)


def _uncorrelated(draw: Draw, R: int, n: int) -> Columns:
    return _integers(draw, 1, R, n), _integers(draw, 1, R, n)


def _weakly(draw: Draw, R: int, n: int) -> Columns:
    costs, spread = _integers(draw, 1, R, n), max(1, R // 10)
    return costs, np.maximum(1, costs + _integers(draw, -spread, spread, n))


def _strongly(draw: Draw, R: int, n: int) -> Columns:
    costs = _integers(draw, 1, R, n)
    return costs, costs + R // 10


def _inverse(draw: Draw, R: int, n: int) -> Columns:
    values = _integers(draw, 1, R, n)
    return values + R // 10, values


def _almost(draw: Draw, R: int, n: int) -> Columns:
    costs, spread = _integers(draw, 1, R, n), max(1, R // 500)
    return costs, np.maximum(1, costs + R // 10 + _integers(draw, -spread, spread, n))


def _subset_sum(draw: Draw, R: int, n: int) -> Columns:
    costs = _integers(draw, 1, R, n)
    return costs, costs.copy()


def _similar_weights(draw: Draw, R: int, n: int) -> Columns:
    return _integers(draw, 100 * R, 100 * R + R // 10, n), _integers(draw, 1, R, n)


def _spanner(base: Callable[[Draw, int, int], Columns]) -> Callable[[Draw, int, int], Columns]:
    """span(2, 10): every item is 1 to 10 times one of two items, themselves drawn and scaled down."""

    def columns(draw: Draw, R: int, n: int) -> Columns:
        costs, values = (_ceiling_share(2 * column, 10) for column in base(draw, R, 2))
        which, times = _integers(draw, 0, 1, n), _integers(draw, 1, 10, n)
        return times * costs[which], times * values[which]

    return columns


def _multiple_strongly(draw: Draw, R: int, n: int) -> Columns:
    """mstr(3R/10, 2R/10, 6)."""
    costs = _integers(draw, 1, R, n)
    return costs, costs + np.where(costs % 6 == 0, 3 * R // 10, 2 * R // 10)


def _profit_ceiling(draw: Draw, R: int, n: int) -> Columns:
    """pceil(3): values are the costs rounded up to a multiple of three."""
    costs = _integers(draw, 1, R, n)
    return costs, 3 * _ceiling_share(costs, 3)


def _circle(draw: Draw, R: int, n: int) -> Columns:
    """circle(2/3): values lie on an arc over the costs."""
    costs = _integers(draw, 1, R, n)
    arc = np.floor(2.0 / 3.0 * np.sqrt(4.0 * R * R - (costs - 2.0 * R) ** 2))
    return costs, np.maximum(1, arc).astype(np.int64)


PISINGER: dict[str, Callable[[Draw, int, int], Columns]] = {
    "uncorrelated": _uncorrelated,
    "weakly": _weakly,
    "strongly": _strongly,
    "inverse": _inverse,
    "almost": _almost,
    "subsetsum": _subset_sum,
    "similar": _similar_weights,
    "span_unc": _spanner(_uncorrelated),
    "span_weak": _spanner(_weakly),
    "span_strong": _spanner(_strongly),
    "mstr": _multiple_strongly,
    "pceil": _profit_ceiling,
    "circle": _circle,
}


def pisinger(kind: str, *, n: int, R: int = 1000, seed: int = 1, h: int = 50, H: int = 100) -> Instance:
    """Draw *n* items of one of Pisinger's classes; the budget is h/(H+1) of their total cost."""
    costs, values = PISINGER[kind](_stream(kind, n, seed, R), R, n)
    budget = max(int(costs.sum()) * h // (H + 1), int(costs.max()))
    return Instance(f"{kind}-R{R}-n{n}", costs, values, budget)


def jooken(
    *, n: int, c: int, g: int, f: float = 0.2, eps: float = 0.0, s: int = 300, seed: int = 1
) -> Instance:
    """Draw *g* groups: costs near (1/2 + eps) c, (1/4 + eps) c, ..., and a share *f* of tiny items."""
    draw = _stream("jooken", n, seed, c, g, f, eps, s)
    size = (n - int(n * f)) // (g - 1)
    base = np.zeros(n, dtype=np.int64)
    for group in range(g - 1):
        base[group * size : (group + 1) * size] = int((0.5 ** (group + 1) + eps) * c)
    costs, values = base + _integers(draw, 1, s, n), base + _integers(draw, 1, s, n)
    return Instance(f"jooken-n{n}-c{c}-g{g}-eps{eps:g}", costs, values, c)


def jooken_family() -> Iterator[Instance]:
    """The 54 instances measured: three sizes, three capacities, three numbers of groups, two offsets."""
    for n in (400, 800, 1200):
        for c in (10**6, 10**8, 10**10):
            for g in (2, 6, 14):
                for eps in (0.0, 1e-3):
                    yield jooken(n=n, c=c, g=g, eps=eps)
