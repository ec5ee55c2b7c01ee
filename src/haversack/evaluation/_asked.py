"""What the questions of a comparison have in common: their scores, values, and who gives probabilities."""

from __future__ import annotations

from haversack.evaluation.questions import Question
from haversack.values._lists import refuse, shown
from haversack.values._names import names_of, union
from haversack.values.calibrator import Calibrator
from haversack.values.probabilities import from_probabilities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from haversack.evaluation.methods import Predict


def listed(questions: Iterable[Any]) -> list[Question]:
    """Return the questions as a list, or say what is none."""
    if isinstance(questions, (str, bytes, dict)) or not hasattr(questions, "__iter__"):
        refuse("questions", f"expected a list of Questions, found {shown(questions)}", wrong_type=True)
    asked = list(questions)
    for i, each in enumerate(asked):
        if not isinstance(each, Question):
            refuse(f"questions[{i}]", f"expected a Question, found {shown(each)}", each, wrong_type=True)
    return asked


def scores_of(asked: Sequence[Question], wanted: Sequence[str] | None) -> list[str]:
    """Return the names of the scores to use: those *wanted*, or all that any question has."""
    known = union([(f"question {question.name!r}", question.scores) for question in asked])
    if wanted is None:
        return known
    names = names_of(wanted, "scores")
    for name in names:
        if name not in known:
            refuse(
                "scores", f"no question has a score {name!r}; they have {', '.join(known) or 'none'}", name
            )
    return names


def columns_in(question: Question, names: Sequence[str]) -> dict[str, list[float | None]]:
    """Return the lists of a question by name; one that it lacks is missing."""
    return {name: question.scores.get(name) or [None] * len(question.costs) for name in names}


def values_in(asked: Sequence[Question], names: Sequence[str]) -> list[list[float] | None]:
    """Return each question's own values, None in all where none has any."""
    with_candidates = [question for question in asked if question.costs]
    having = [question for question in with_candidates if question.values is not None]
    if not having:
        if with_candidates and not names:
            refuse("questions", "found neither scores nor values for their candidates")
        return [None] * len(asked)
    for question in with_candidates:
        if question.values is None:
            problem = (
                f"has no values of its own, while {having[0].name!r} has: give all of them some, or none"
            )
            refuse(f"question {question.name!r}", problem)
    return [question.values or [] for question in asked]


def predictor(calibrator: Any, names: Sequence[str]) -> Predict:
    """Return what gives the probabilities of a question: a calibrator, or a function, checked."""
    if isinstance(calibrator, Calibrator):
        known = [name for name in calibrator.names if name in names]
        if not known:
            fitted = f"it was fitted on {', '.join(calibrator.names)}"
            refuse(
                "calibrator",
                f"{fitted}, and the questions have {', '.join(names) or 'no scores'}",
                calibrator,
            )
        return lambda question: calibrator.predict(columns_in(question, known), question.costs)
    if isinstance(calibrator, type) or not callable(calibrator):
        wanted = "a Calibrator, or a function of a question"
        refuse("calibrator", f"expected {wanted}, found {shown(calibrator)}", calibrator, wrong_type=True)

    def checked(question: Question) -> list[float]:
        found = from_probabilities(calibrator(question))
        if len(found) != len(question.costs):
            told = f"the function gave {len(found)} probabilities for {len(question.costs)} candidates"
            refuse(f"question {question.name!r}", told, found)
        return found

    return checked
