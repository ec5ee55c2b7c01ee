"""Labelled questions: their candidates, what these score and cost, and which of them are needed."""

from __future__ import annotations

from haversack.values._labels import gold_of, labels_of
from haversack.values._lists import columns_if_any, costs_of, numbers, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


class Question:
    """One question with all its candidates, and which of them are needed.

    Args:
        name: what errors call the question.
        scores: name -> one score for each candidate (None: missing). A list that other questions have and
            this one lacks is missing here; it may be empty if there are *values*, too.
        costs: tokens of each candidate.
        needed: true (or 1) where the candidate is evidence, else false (or 0).
        gold: how much evidence there is in all, the candidates' and what retrieval missed; that of the
            candidates if not given.
        values: the user's own value of each candidate, if there are any.
        group: questions of one group are drawn, and kept in one fold, together; default: each for itself.
        dataset: where it is from; means are taken over data sets, each counting the same.
    """

    __slots__ = ("costs", "dataset", "gold", "group", "name", "needed", "scores", "values")

    def __init__(
        self,
        name: str,
        scores: Mapping[str, Iterable[Any]],
        costs: Iterable[Any],
        needed: Iterable[Any],
        *,
        gold: int | None = None,
        values: Iterable[Any] | None = None,
        group: str | None = None,
        dataset: str = "",
    ) -> None:
        self.name = name
        where = f"question {name!r}"
        self.costs = costs_of(costs)
        self.scores = columns_if_any(scores, len(self.costs))
        self.needed = labels_of(needed, f"{where}: needed")
        if len(self.needed) != len(self.costs):
            refuse(where, f"found {len(self.needed)} labels for {len(self.costs)} costs")
        self.gold = gold_of(gold, self.needed, f"{where}: gold")
        self.values = None if values is None else _worths(values, len(self.costs), where)
        self.group = name if group is None else group
        self.dataset = dataset

    def __repr__(self) -> str:
        needed = f"{sum(self.needed)} of {self.gold} needed"
        return f"<Question {self.name!r}: {len(self.costs)} candidates, {needed}>"

    def with_scores(self, names: Sequence[str]) -> Question:
        """Return the question with these scores, in this order; those that it lacks are missing."""
        absent: list[float | None] = [None] * len(self.costs)
        kept = {name: self.scores.get(name, absent) for name in names}
        return Question(
            self.name, kept, self.costs, self.needed, gold=self.gold, values=self.values,
            group=self.group, dataset=self.dataset,
        )  # fmt: skip


def _worths(values: Iterable[Any], count: int, where: str) -> list[float]:
    read = numbers(values, f"{where}: values")
    if len(read) != count:
        refuse(where, f"found {len(read)} values for {count} costs")
    if None in read:
        refuse(where, "some candidates have a value and some have none")
    return [value for value in read if value is not None]
