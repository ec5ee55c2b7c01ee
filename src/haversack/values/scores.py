"""Values from scores, without labels: sharp, length-aware, in shares of 1.

The formula, for one snippet whose scores stand at h_1 .. h_k and have weights w_1 .. w_k (1 unless given):

    value  ~  exp(s * sum(w_i h_i) / sum(|w_i|)) * sqrt(tokens),      s = max(2, sum(|w_i|)^2 / sum(w_i^2))

so exp(2 h) * sqrt(tokens) for one score, exp(h_1 + h_2) * sqrt(tokens) for two, exp(h_1 + h_2 + h_3) *
sqrt(tokens) for three. A score stands at h = max(z, 3/4 g), with z its distance from the mean in deviations
and g that of its rank, were the scores logistic: log((n - rank - 1/2) / (rank + 1/2)) * sqrt(3) / pi, of n
candidates, rank 0 the best. For scores without a long tail that is z, where it matters.

Why. Packing maximises a *sum*, so a value should be in proportion to the chance that the snippet is needed.
*exp*: each score multiplies the odds, as in a logistic regression or naive Bayes, where log-odds add up.
*Sharp* (s >= 2): with raw similarities ten short snippets of noise outweigh one long hit; on questions with
labelled evidence exact packing of raw scores found 17 points less of it than a plain greedy, exp(z) was
unreliable, exp(2 z) never much below. Too sharp errs on the safe side: it becomes "in order of score, skip
what does not fit". *h, not z*: one outlier, or a long tail on either side, shrinks all other
differences of z, and what is sharp at that end is flat everywhere else. *sqrt(tokens)*: longer snippets hold
evidence more often, and without a length term every packer that divides by cost prefers short noise.
sum(|w|)^2 / sum(w^2) is the effective number of scores (Kish 1965): k for equal weights, and it falls
smoothly to what it is without a score as that score's weight goes to 0. docs/what-is-a-snippet-worth.md has
the figures.
"""

from __future__ import annotations

import math

from haversack.values._lists import columns_of, costs_of, places_of, refuse, weights_of
from haversack.values._standard import standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

#: Least factor on the (mean) standing: below it, short noise outweighs long hits.
SHARPNESS = 2.0
#: Largest difference of two exponents kept: e^650 still fits a float after division by any number of
#: snippets.
SPAN = 650.0


def from_scores(
    scores: Iterable[Any] | Mapping[str, Iterable[Any]],
    costs: Iterable[Any],
    *,
    weights: Mapping[str, float] | Sequence[float] | None = None,
    sections: Iterable[Any] | None = None,
    missing: str = "lowest",
) -> list[float]:
    """Return the value of each snippet, from one or several score lists: as a share of 1.

    Higher scores are better; their unit does not matter: multiplying a list by a positive number or adding
    a constant changes nothing. The values are positive and sum to 1. They are relative worth, not
    probabilities: for those, fit a `Calibrator`.

    Args:
        scores: one list, a list of lists (one for each retriever), or a mapping from name to list.
        costs: the tokens of each snippet; a cost of 0 counts as 1.
        weights: of each list, as a mapping or a list; only their ratios matter. 0 leaves a list out; a
            negative weight is for distances, where lower is better.
        sections: a label for each snippet; scores are then compared within their section only, for
            sections filled by different retrievers.
        missing: what None or NaN counts as: "lowest" of its list and last in order (not retrieved), or
            "neutral", the mean and the middle (unknown).

    A list without two different scores, and without missing ones, says nothing and counts as not given; if
    no list says anything, the values follow sqrt(tokens). Infinity is an error.

    >>> [round(value, 3) for value in from_scores([0.61, 0.35, 0.32], costs=[200, 100, 100])]
    [0.949, 0.04, 0.011]
    >>> hybrid = {"dense": [0.61, 0.35, 0.32], "bm25": [4.0, 11.5, None]}
    >>> [round(value, 3) for value in from_scores(hybrid, costs=[200, 100, 100])]
    [0.569, 0.405, 0.026]
    """
    tokens = costs_of(costs)
    columns = columns_of(scores, len(tokens))
    weight = weights_of(weights, list(columns))
    if not any(weight.values()):
        refuse("weights", "all are 0, so no score would count")
    exponents = [0.5 * math.log(max(cost, 1)) for cost in tokens]
    for place in places_of(sections, len(tokens)):
        within = [([column[i] for i in place], weight[name]) for name, column in columns.items()]
        for i, worth in zip(place, _log_worth(within, len(place), missing), strict=True):
            exponents[i] += worth
    return shares(exponents)


def shares(exponents: Sequence[float]) -> list[float]:
    """Return exp of each exponent, scaled to sum to 1: positive whatever the exponents are.

    Exponents more than 650 above the lowest count as that, so nothing underflows to a value of 0.

    >>> shares([0.0, 0.0])
    [0.5, 0.5]
    >>> min(shares([0.0, 1e9])) > 0
    True
    """
    if not exponents:
        return []
    lowest = min(exponents)
    highest = min(max(exponents), lowest + SPAN)
    worths = [math.exp(min(exponent, highest) - highest) for exponent in exponents]
    total = math.fsum(worths)
    return [worth / total for worth in worths]


def _log_worth(columns: Sequence[tuple[list[float | None], float]], count: int, missing: str) -> list[float]:
    """Return s * (weighted mean of the standings) for the snippets of one section."""
    heaviest = max(abs(weight) for _, weight in columns)
    sums = [0.0] * count
    total = squares = 0.0
    for column, weight in columns:
        share = weight / heaviest
        # A distance is turned round before standardising, so that its missing entries count as the farthest.
        turned = column if weight >= 0 else [None if score is None else -score for score in column]
        heights = standing(turned, missing)
        if heights is None or share == 0.0:
            continue
        sums = [old + abs(share) * height for old, height in zip(sums, heights, strict=True)]
        total += abs(share)
        squares += share * share
    if total == 0.0:
        return sums
    factor = max(SHARPNESS, total * total / squares) / total
    return [factor * score for score in sums]
