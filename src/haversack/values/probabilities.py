"""Values that are probabilities: the sum that packing maximises is then the evidence to expect."""

from __future__ import annotations

import math

from haversack.values._lists import as_list, numbers, refuse, whole_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

#: How far outside [0, 1] a probability may lie by rounding.
SLACK = 1e-9


class Expected(tuple[float, float]):
    """How much needed evidence a packing is expected to hold: (chosen, total), in snippets."""

    __slots__ = ()

    @property
    def chosen(self) -> float:
        """Sum of the probabilities of the chosen snippets."""
        return self[0]

    @property
    def total(self) -> float:
        """Sum of the probabilities of all candidates."""
        return self[1]

    def __repr__(self) -> str:
        return f"expected evidence: {self[0]:.1f} of {self[1]:.1f}"


def from_probabilities(probabilities: Iterable[Any]) -> list[float]:
    """Return the probabilities that each snippet is needed, checked, as values: they are used as they are.

    The sum of the chosen values is then the number of needed snippets to expect in the context. Each must lie
    between 0 and 1 (rounding errors up to 1e-9 are cut off); a missing one is an error, since 0 would
    say that the snippet is worthless.

    >>> from_probabilities([0.9, 0.25, 0])
    [0.9, 0.25, 0.0]
    """
    read = []
    for i, probability in enumerate(numbers(probabilities, "probabilities")):
        if probability is None:
            refuse(f"probabilities[{i}]", "expected a number between 0 and 1, found none")
        if not -SLACK <= probability <= 1.0 + SLACK:
            advice = "scores are turned into values by from_scores"
            problem = f"expected a number between 0 and 1, found {probability!r}; {advice}"
            refuse(f"probabilities[{i}]", problem, probability)
        read.append(min(1.0, max(0.0, probability)))
    return read


def at_least_one(probabilities: Iterable[Any]) -> float:
    """Return the probability that at least one of several snippets is needed, if they are independent.

    1 - (1 - p_1) (1 - p_2) ..., computed through logarithms, so that many tiny probabilities do not vanish.

    >>> at_least_one([0.5, 0.5])
    0.75
    >>> at_least_one([1e-20, 1e-20])
    2e-20
    """
    read = from_probabilities(probabilities)
    if 1.0 in read:
        return 1.0
    # 0.0 is added since of nothing needed it would else be -0.0.
    return 0.0 - math.expm1(math.fsum(math.log1p(-probability) for probability in read))


def expected_evidence(probabilities: Iterable[Any], chosen: Iterable[int]) -> Expected:
    """Return the expected number of needed snippets among the *chosen* positions, and among all candidates.

    What retrieval did not bring among the candidates is in neither number.

    >>> expected_evidence([0.9, 0.5, 0.2], chosen=[0, 2])
    expected evidence: 1.1 of 1.6
    """
    read = from_probabilities(probabilities)
    listed = list(chosen) if isinstance(chosen, (set, frozenset)) else as_list(chosen, "chosen")
    wanted = "a position, a whole number"
    positions = {whole_of(each, f"chosen[{i}]", wanted) for i, each in enumerate(listed)}
    strange = sorted(positions - set(range(len(read))))
    if strange:
        refuse("chosen", f"{strange[0]} is no position of {len(read)} snippets", strange[0])
    return Expected((math.fsum(read[i] for i in positions), math.fsum(read)))
