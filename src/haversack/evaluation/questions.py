"""Labelled questions: what they hold, and how they are read from files of JSON lines."""

from __future__ import annotations

from haversack.values._lists import columns_of, costs_of, gather, numbers, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any

    Record = dict[str, Any]

#: Keys of a question that are no scores, even if they hold a list as long as the candidates.
RESERVED = ("gold", "snippets", "id", "query", "group", "set")


class Question:
    """One question with all its candidates, and which of them are needed.

    Args:
        name: what errors call the question.
        scores: name -> one score for each candidate (None: missing); may be empty if there are *values*.
        costs: tokens of each candidate.
        needed: true where the candidate is evidence.
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
        self.costs = costs_of(costs)
        self.scores = columns_of(scores, len(self.costs)) if scores else {}
        self.needed = [bool(need) for need in needed]
        self.gold = sum(self.needed) if gold is None else gold
        self.values = None if values is None else [_worth(value, name) for value in numbers(values, "values")]
        self.group = name if group is None else group
        self.dataset = dataset
        if len(self.needed) != len(self.costs):
            refuse(f"question {name!r}", f"found {len(self.needed)} labels for {len(self.costs)} costs")
        if not self.scores and self.values is None:
            refuse(f"question {name!r}", "found neither scores nor values for its candidates")

    def __repr__(self) -> str:
        needed = f"{sum(self.needed)} of {self.gold} needed"
        return f"<Question {self.name!r}: {len(self.costs)} candidates, {needed}>"


def read(
    path: str | PathLike[str],
    *,
    scores: Sequence[str] = (),
    counter: Callable[[str], int] | None = None,
) -> Iterator[Question]:
    """Yield the questions of a file of JSON lines, one question a line, in either of two forms.

    Plain: `{"id", "query", "gold": [ids], "snippets": [{"id", "text", "cost", "scores", "value"},
        ...]}`. `tokens` stands for `cost`; without both, *counter* counts the text. `scores` is a mapping
        from name to number, or a number (`score` is the same); *scores* names other keys of the snippets
        that are scores. `value` is the user's own.

    Two files: `NAME.jsonl` with `"snippets": [ids]` and scores as lists beside them, and
    `NAME.snippets.jsonl` with one snippet a line, shared by all questions.

    Gold that is not among the snippets counts as missed. `group` is optional in both. Errors name file and
    line.
    """
    from pathlib import Path

    file = Path(path)
    shared: dict[str, Record] | None = None
    for where, record in _lines(file):
        snippets = record.get("snippets")
        if not isinstance(snippets, list) or not isinstance(record.get("gold"), list):
            refuse(where, 'expected "snippets" and "gold", two lists', record)
        lists: dict[str, list[Any]] = {}
        if snippets and not isinstance(snippets[0], dict):
            if shared is None:
                shared = {str(s["id"]): s for _, s in _lines(file.with_name(f"{file.stem}.snippets.jsonl"))}
            lists = _score_lists(record)
            snippets = _looked_up(snippets, shared, where)
        yield _question(record, snippets, lists, scores, counter, where, file.stem)


def _question(
    record: Record,
    snippets: list[Record],
    lists: dict[str, list[Any]],
    named: Sequence[str],
    counter: Callable[[str], int] | None,
    where: str,
    dataset: str,
) -> Question:
    ids = [str(snippet.get("id", i)) for i, snippet in enumerate(snippets)]
    gold = {str(each) for each in record["gold"]}
    if not lists:
        lists = gather(_scores_of(snippet, named) for snippet in snippets)
    own = [snippet.get("value") for snippet in snippets]
    try:
        return Question(
            str(record.get("id", where)),
            lists,
            [_cost(snippet, counter, f"snippets[{i}]") for i, snippet in enumerate(snippets)],
            [each in gold for each in ids],
            gold=len(gold),
            values=None if all(value is None for value in own) else own,
            group=None if record.get("group") is None else str(record["group"]),
            dataset=str(record.get("set", dataset)),
        )
    except ValueError as error:
        refuse(where, str(error), record)


def _lines(file: Any) -> Iterator[tuple[str, Record]]:
    """Yield (where, record) for each line that is not blank."""
    import json

    with open(file, encoding="utf-8") as lines:
        for n, line in enumerate(lines, 1):
            if not line.strip():
                continue
            where = f"{file.name}:{n}"
            try:
                record = json.loads(line)
            except ValueError as error:
                refuse(where, f"expected a JSON object, found {error}", line)
            if not isinstance(record, dict):
                refuse(where, f"expected a JSON object, found {type(record).__name__}", record)
            yield where, record


def _score_lists(record: Record) -> dict[str, list[Any]]:
    count = len(record["snippets"])
    lists = {key: value for key, value in record.items() if key not in RESERVED and isinstance(value, list)}
    return {key: value for key, value in lists.items() if len(value) == count}


def _looked_up(ids: list[Any], shared: dict[str, Record], where: str) -> list[Record]:
    for each in ids:
        if str(each) not in shared:
            refuse(where, f"snippet {each!r} is not in the file of snippets", each)
    return [shared[str(each)] for each in ids]


def _scores_of(snippet: Record, named: Sequence[str]) -> Any:
    """Return the scores of a snippet of the plain form, as `gather` takes them."""
    given = snippet.get("scores", snippet.get("score"))
    extra = {key: snippet[key] for key in named if key in snippet}
    if not extra:
        return given
    return extra | (given if isinstance(given, dict) else {} if given is None else {"score": given})


def _cost(snippet: Record, counter: Callable[[str], int] | None, where: str) -> Any:
    cost = snippet.get("cost", snippet.get("tokens"))
    if cost is not None:
        return cost
    if counter is None or not isinstance(snippet.get("text"), str):
        refuse(where, 'expected "cost" or "tokens", or a text and a counter', snippet)
    return counter(snippet["text"])


def _worth(value: float | None, question: str) -> float:
    if value is None:
        refuse(f"question {question!r}", "some candidates have a value and some have none")
    return value
