"""What is said about the worth of a packing: where its values are from, what evidence to expect, copies."""

from __future__ import annotations

from math import fsum

from haversack._copies import count_duplicates
from haversack._scoring import AGE, CALIBRATOR, EQUAL, FUNCTION, RANK, SCORES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._model import Model
    from haversack._packing import Packing

_HOW = {RANK: " by rank", SCORES: " by scores", EQUAL: " by number", AGE: " by age"}

# Told of one, and of several.
_COPIES = {
    "duplicates": ("repeats the text of another", "repeat the text of another"),
    "overlaps": ("was merged into one that it overlaps", "were merged into one that they overlap"),
    "near_copies": (
        "has a near-copy, of which one at most is in",
        "are near-copies, of which one at most is in",
    ),
}

_ACCOUNTS = {
    RANK: "No value was given: the snippets were taken as best first (2^40 x 0.7^rank).",
    SCORES: "The values were made from the scores: shares of 1, by standardised score and length.",
    EQUAL: "Every optional snippet was taken to be worth 1.",
    AGE: "No value was given: the newer messages were taken to be worth more (2^40 x 0.7^age).",
    FUNCTION: "The values were made by the caller's function.",
}


def tallied(packing: Packing[Any]) -> dict[str, int | float]:
    """Return what `statistics` says about the input and its worth."""
    told: dict[str, int | float] = dict(_counts(packing._model))
    expected = expected_evidence(packing)
    if expected is not None:
        told["expected_evidence"], told["expected_evidence_total"] = expected
    return told


def expected_evidence(packing: Packing[Any]) -> tuple[float, float] | None:
    """Return the needed snippets to expect among the chosen and among all, where values are probabilities.

    Of the optional snippets; of merged spans and duplicates what remains of them.
    """
    model = packing._model
    if model.valued_by != CALIBRATOR:
        return None
    optional = [at for at, pin in enumerate(model.pinned) if not pin]
    most = [max(form.value or 0 for form in model.forms[at]) for at in optional]
    taken = [
        decision.value
        for decision in packing.decisions
        if decision.chosen and not model.pinned[decision.position]
    ]
    return fsum(taken), fsum(most)


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
    lines += [
        f"{counted:,} snippet{'' if counted == 1 else 's'} {_COPIES[name][counted != 1]}."
        for name, counted in _counts(packing._model).items()
        if counted
    ]
    return lines


def _counts(model: Model) -> dict[str, int]:
    if model.copies is not None:
        return model.copies.counts
    return {"duplicates": count_duplicates(model.texts(list(range(len(model.objects))), None))}


def _expected(expected: tuple[float, float]) -> str:
    return f"expected evidence: {expected[0]:.1f} of {expected[1]:.1f}"
