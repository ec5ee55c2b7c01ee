"""What a snippet is worth: scores, ranks, probabilities and labelled examples into values.

Scores are not values. Packing maximises the *sum* of the values, so a value must be how much a snippet is
worth, best: the probability that it is needed. A similarity of 0.2 is noise, not 40 % of a similarity of
0.5.

>>> from haversack import values
>>> worth = values.from_scores({"dense": [0.61, 0.35], "bm25": [4.0, 11.5]}, costs=[200, 100])
>>> round(sum(worth), 6)
1.0
"""

from haversack.values.calibrator import Calibrator
from haversack.values.copies import identical, near_copies
from haversack.values.overlap import Merged, merge_overlaps
from haversack.values.probabilities import Expected, at_least_one, expected_evidence, from_probabilities
from haversack.values.ranks import from_ranks
from haversack.values.recency import recency
from haversack.values.scores import from_scores

__all__ = [
    "Calibrator",
    "Expected",
    "Merged",
    "at_least_one",
    "expected_evidence",
    "from_probabilities",
    "from_ranks",
    "from_scores",
    "identical",
    "merge_overlaps",
    "near_copies",
    "recency",
]
