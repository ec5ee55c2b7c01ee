"""What is said about the worth of a packing: where its values are from, what evidence to expect, copies."""

from __future__ import annotations

from math import fsum

from haversack._copies import count_duplicates
from haversack._scoring import CALIBRATOR, EQUAL, FUNCTION, RANK, SCORES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._packing import Packing

_HOW = {RANK: " by rank", SCORES: " by scores", EQUAL: " by number"}

_ACCOUNTS = {
    RANK: "No value was given: the snippets were taken as best first (2^40 x 0.7^rank).",
    SCORES: "The values were made from the scores: shares of 1, by standardised score and length.",
    EQUAL: "Every optional snippet was taken to be worth 1.",
    FUNCTION: "The values were made by the caller's function.",
}


def tallied(packing: Packing[Any]) -> dict[str, int | float]:
    """Return what `statistics` says about the input and its worth."""
    told: dict[str, int | float] = {"duplicates": count_duplicates(packing._model)}
    expected = expected_evidence(packing)
    if expected is not None:
        told["expected_evidence"], told["expected_evidence_total"] = expected
    return told


def expected_evidence(packing: Packing[Any]) -> tuple[float, float] | None:
    """Return the needed snippets to expect among the chosen and among all, where values are probabilities.

    Of the optional snippets; a duplicate that was dropped counts in neither.
    """
    model = packing._model
    if model.valued_by != CALIBRATOR:
        return None
    rows = zip(model.values, packing._outcome.mask, model.pinned, strict=True)
    stands = model.stands or {}
    offered = [row[:2] for at, row in enumerate(rows) if not row[2] and at not in stands]
    return fsum(value for value, chosen in offered if chosen), fsum(value for value, _ in offered)


def valued(packing: Packing[Any]) -> str:
    """Return what the headline says after the value."""
    expected = expected_evidence(packing)
    if expected is not None:
        return f" ({_expected(expected)})"
    return _HOW.get(packing._model.valued_by, "")


def accounts(packing: Packing[Any]) -> list[str]:
    """Return the sentences of the account: where the values are from, which copies there are."""
    lines = []
    expected = expected_evidence(packing)
    if expected is not None:
        lines.append(
            f"{_expected(expected).capitalize()} needed snippets, by the calibrator's probabilities."
        )
    elif packing._model.valued_by in _ACCOUNTS:
        lines.append(_ACCOUNTS[packing._model.valued_by])
    duplicates = count_duplicates(packing._model)
    if duplicates:
        told = "were paid for like all others" if packing._model.stands is None else "stood back"
        what = "1 snippet repeats" if duplicates == 1 else f"{duplicates:,} snippets repeat"
        lines.append(f"{what} the text of another; {told} (duplicates=).")
    return lines


def _expected(expected: tuple[float, float]) -> str:
    return f"expected evidence: {expected[0]:.1f} of {expected[1]:.1f}"
