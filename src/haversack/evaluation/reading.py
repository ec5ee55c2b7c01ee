"""Read labelled questions from JSON lines, in either of two forms; errors name file and line."""

from __future__ import annotations

from haversack.evaluation._lines import Source
from haversack.evaluation.questions import Question
from haversack.exceptions import InputError
from haversack.values._lists import gather, refuse, shown
from haversack.values._names import clash, names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from os import PathLike
    from typing import IO, Any

    Record = dict[str, Any]
    Count = Callable[[str], int] | None

#: Keys of a question that are no scores, even if they hold a list as long as the candidates.
RESERVED = ("gold", "snippets", "id", "query", "group", "set")


def read(
    path: str | PathLike[str] | IO[Any],
    *,
    scores: Sequence[str] = (),
    counter: Callable[[str], int] | None = None,
    dataset: str | None = None,
) -> Iterator[Question]:
    """Yield the questions of a file of JSON lines, one question a line, in either of two forms.

    Plain: `{"id", "query", "gold": [ids], "snippets": [{"id", "text", "cost", "scores", "value"},
        ...]}`. `tokens` stands for `cost`; without both, *counter* counts the text. `scores` is a mapping
        from name to number, or a number (`score` is the same); *scores* names other keys of the snippets
        that are scores. `value` is the user's own.

    Two files: `NAME.jsonl` with `"snippets": [ids]` and scores as lists of numbers beside them (those of
        *scores* alone, if any are named), and `NAME.snippets.jsonl` with one snippet a line, shared by all
        questions.

    Gold that is not among the snippets counts as missed; a score that is absent, or null, is missing. `group`
    is optional in both. The set has the name of the file unless *dataset*, or `set` in a question, names
    it. Instead of a path an open file may be given. Errors name file and line.
    """
    names = names_of(scores, "scores")
    if counter is not None and not callable(counter):
        refuse("counter", f"expected a function of a text, found {shown(counter)}", counter, wrong_type=True)
    return _questions(Source(path), names, counter, dataset)


def _questions(source: Source, names: list[str], counter: Count, dataset: str | None) -> Iterator[Question]:
    shared: dict[str, Record] | None = None
    for where, record in source.records():
        snippets = record.get("snippets")
        if not isinstance(snippets, list) or not isinstance(record.get("gold"), list):
            refuse(where, 'expected "snippets" and "gold", two lists', record)
        are_ids = _are_ids(snippets, where)
        if are_ids and shared is None:
            shared = _shared(source.companion())
        try:
            lists = _score_lists(record, names) if are_ids else None
            if are_ids:
                snippets = _looked_up(snippets, shared or {})
            question = _question(record, snippets, lists, names, counter, where, dataset or source.stem)
        except InputError as error:
            raise type(error)(f"{where}: {error}", path=where, field=error.field, found=record) from None
        yield question


def _are_ids(snippets: list[Any], where: str) -> bool:
    """Tell which form the candidates have: all ids, or all objects."""
    are_ids = bool(snippets) and not isinstance(snippets[0], dict)
    for i, each in enumerate(snippets):
        if isinstance(each, dict) is are_ids:
            wanted = "an id" if are_ids else "a JSON object"
            refuse(f"{where}: snippets[{i}]", f"expected {wanted} like the first, found {shown(each)}", each)
    return are_ids


def _question(
    record: Record,
    snippets: list[Record],
    lists: dict[str, list[Any]] | None,
    named: Sequence[str],
    counter: Count,
    where: str,
    dataset: str,
) -> Question:
    gold = {_id(each, f"gold[{i}]") for i, each in enumerate(record["gold"])}
    ids = _ids(snippets)
    if lists is None:
        lists = _gathered(snippets, named)
    own = [snippet.get("value") for snippet in snippets]
    return Question(
        str(where if record.get("id") is None else record["id"]),
        lists,
        [_cost(snippet, counter, f"snippets[{i}]") for i, snippet in enumerate(snippets)],
        [each in gold for each in ids],
        gold=len(gold),
        values=None if all(value is None for value in own) else own,
        group=None if record.get("group") is None else str(record["group"]),
        dataset=dataset if record.get("set") is None else str(record["set"]),
    )


def _shared(companion: Source) -> dict[str, Record]:
    """Return the snippets of the second file by id."""
    snippets: dict[str, Record] = {}
    lines: dict[str, str] = {}
    for where, record in companion.records():
        if record.get("id") is None:
            refuse(where, 'expected an "id", by which the questions name this snippet', record)
        id = _id(record["id"], f"{where}: id")
        if id in snippets:
            refuse(
                where, f"the id {id!r} is given twice, first on line {lines[id].rpartition(':')[2]}", record
            )
        snippets[id], lines[id] = record, where
    return snippets


def _looked_up(ids: list[Any], shared: dict[str, Record]) -> list[Record]:
    found = []
    for i, each in enumerate(ids):
        id = _id(each, f"snippets[{i}]")
        if id not in shared:
            refuse(f"snippets[{i}]", f"snippet {each!r} is not in the file of snippets", each)
        found.append(shared[id])
    return found


def _ids(snippets: list[Record]) -> list[str]:
    """Return the candidates' ids, each once; one without is called by its place in the list."""
    first: dict[str, int] = {}
    for i, snippet in enumerate(snippets):
        given = snippet.get("id")
        id = str(i) if given is None else _id(given, f"snippets[{i}].id")
        if id in first:
            refuse(f"snippets[{i}]", f"has the id {id!r}, which snippets[{first[id]}] has, too", snippet)
        first[id] = i
    return list(first)


def _id(given: Any, where: str) -> str:
    if isinstance(given, bool) or not isinstance(given, (str, int)):
        refuse(where, f"expected text or a whole number, found {shown(given)}", given, wrong_type=True)
    return str(given)


def _score_lists(record: Record, named: Sequence[str]) -> dict[str, list[Any]]:
    """Return the lists of numbers beside the ids: of those names, or all; in alphabetical order."""
    count = len(record["snippets"])
    lists = {}
    for key in sorted(record):
        found = record[key]
        is_wanted = key in named if named else key not in RESERVED and isinstance(found, list)
        if not is_wanted or found is None:
            continue
        if not isinstance(found, list):
            refuse(repr(key), f"expected a list of numbers, found {shown(found)}", found)
        if key not in named and not any(each is None or _is_number(each) for each in found):
            continue  # titles, answers, tags
        if len(found) != count:
            told = f"found {len(found)} number{'' if len(found) == 1 else 's'} for {count} candidates"
            refuse(repr(key), f"{told}; name the scores to use if it is none of them", found)
        strange = [i for i, each in enumerate(found) if each is not None and not _is_number(each)]
        if strange:
            problem = f"entry {strange[0]} is no number: found {shown(found[strange[0]])}"
            refuse(repr(key), problem, found)
        lists[key] = found
    return lists


def _is_number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool)


def _gathered(snippets: Iterable[Record], named: Sequence[str]) -> dict[str, list[Any]]:
    """Return the scores of snippets of the plain form, by name."""
    rows = [_scores_of(snippet, named, f"snippets[{i}]") for i, snippet in enumerate(snippets)]
    found = clash(rows)
    if found is not None:
        problem = f"its scores {found.problem}, as in snippets[{found.first}]: {found.way_out}"
        refuse(f"snippets[{found.second}]", problem, rows)
    return gather(rows)


def _scores_of(snippet: Record, named: Sequence[str], where: str) -> Any:
    """Return the scores of a snippet of the plain form, as `gather` takes them."""
    given, single = snippet.get("scores"), snippet.get("score")
    if given is not None and single is not None:
        refuse(where, "score and scores are one thing: drop one", snippet)
    if isinstance(single, dict):
        refuse(f"{where}.score", f"expected a number, found {shown(single)}; several are `scores`", single)
    given = single if given is None else given
    extra = {key: snippet[key] for key in named if key in snippet}
    if not extra:
        return given
    return extra | (given if isinstance(given, dict) else {} if given is None else {"score": given})


def _cost(snippet: Record, counter: Count, where: str) -> Any:
    cost, tokens = snippet.get("cost"), snippet.get("tokens")
    if cost is not None and tokens is not None:
        refuse(where, "cost and tokens are one thing: drop one", snippet)
    cost = tokens if cost is None else cost
    if cost is not None:
        return cost
    if counter is None or not isinstance(snippet.get("text"), str):
        refuse(where, 'expected "cost" or "tokens", or a text and a counter', snippet)
    return counter(snippet["text"])
