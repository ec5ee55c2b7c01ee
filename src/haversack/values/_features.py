"""What a calibrator sees of a snippet: for each score z, log rank and square of z; the log of its cost."""

from __future__ import annotations

import math

from haversack.values._standard import mid_ranks, standardised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: The features of one score, in order.
OF_A_SCORE = ("z", "log_rank", "z_squared")


def feature_names(names: Sequence[str]) -> list[str]:
    """Return the name of each feature, as it stands in a saved calibrator.

    >>> feature_names(["dense"])
    ['dense.z', 'dense.log_rank', 'dense.z_squared', 'log_cost']
    """
    return [f"{name}.{feature}" for name in names for feature in OF_A_SCORE] + ["log_cost"]


def features(
    columns: Sequence[Sequence[float | None]], costs: Sequence[int], places: Sequence[Sequence[int]]
) -> list[list[float]]:
    """Return the features of each snippet; scores are compared within each of *places*, a section each.

    log_rank is log(1 + rank), rank 0 the best. A list that says nothing gives z = 0 and the middle rank to
    all.
    """
    rows: list[list[float]] = [[] for _ in costs]
    for column in columns:
        for place in places:
            within = [column[i] for i in place]
            z_scores = standardised(within) or [0.0] * len(within)
            for i, z, rank in zip(place, z_scores, mid_ranks(within), strict=True):
                rows[i] += (z, math.log1p(rank), z * z)
    for row, cost in zip(rows, costs, strict=True):
        row.append(math.log(max(cost, 1)))
    return rows
