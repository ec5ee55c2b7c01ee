"""Names of scores: two that nobody can have meant as two are refused, not compared as two retrievers."""

from __future__ import annotations

from haversack.values._lists import refuse, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

#: What a score that is given as a bare number is called.
BARE = "score"


def names_of(given: Any, what: str) -> list[str]:
    """Return a list of names, each once; refuse a single text, which is a list of its letters.

    >>> names_of(["dense", "bm25"], "scores")
    ['dense', 'bm25']
    """
    if isinstance(given, (str, bytes, dict, set, frozenset)) or not hasattr(given, "__iter__"):
        refuse(what, f"expected a list of names, found {shown(given)}", given, wrong_type=True)
    names = list(given)
    for i, name in enumerate(names):
        if not isinstance(name, str) or not name:
            refuse(f"{what}[{i}]", f"expected a name, found {shown(name)}", name, wrong_type=True)
    refuse_alike(names, what)
    return names


def refuse_alike(names: Sequence[str], what: str) -> None:
    """Refuse names that are equal, or that differ only by case."""
    pair = alike(names)
    if pair is not None and pair[0] == pair[1]:
        refuse(what, f"{pair[0]!r} is given twice", names)
    if pair is not None:
        refuse(what, f"{pair[0]!r} and {pair[1]!r} differ only by case: give one score one name", names)


def alike(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the first two names that are equal but for their case.

    >>> alike(["dense", "bm25", "Dense"])
    ('dense', 'Dense')
    """
    known: dict[str, str] = {}
    for name in names:
        folded = name.casefold()
        if folded in known:
            return known[folded], name
        known[folded] = name
    return None


class Clash:
    """Two snippets whose scores cannot be meant as they are named: where, why, and what to do."""

    __slots__ = ("first", "problem", "second", "way_out")

    def __init__(self, first: int, second: int, problem: str, way_out: str) -> None:
        self.first = first
        self.second = second
        self.problem = problem
        self.way_out = way_out


def clash(rows: Sequence[Any]) -> Clash | None:
    """Find a bare number beside named scores, or names that differ only by case.

    *rows* has the scores of each snippet: a number, a mapping from name to number, or None.

    >>> clash([{"dense": 0.6}, 0.3]).problem
    "hold a bare number, while others are named ('dense')"
    >>> clash([{"dense": 0.6}, {"Dense": 0.3}]).problem
    "are named 'Dense' here and 'dense' elsewhere"
    """
    known: dict[str, tuple[str, int]] = {}
    bare = named = None
    for i, row in enumerate(rows):
        if not hasattr(row, "items"):
            bare = i if bare is None and row is not None else bare
        for name in map(str, row) if hasattr(row, "items") else ():
            named = (name, i) if named is None and (name != BARE or row[name] is not None) else named
            other, first = known.setdefault(name.casefold(), (name, i))
            if other != name:
                both = (
                    f"{name!r} and {other!r} at once"
                    if first == i
                    else f"{name!r} here and {other!r} elsewhere"
                )
                problem = f"are named {both}"
                return Clash(first, i, problem, "two names are two retrievers; give one score one name")
    if bare is None or named is None:
        return None
    problem = f"hold a bare number, while others are named ({named[0]!r})"
    return Clash(named[1], bare, problem, f"name it, too, as in {{{named[0]!r}: 0.5}}")


def union(held: Sequence[tuple[str, Collection[str]]]) -> list[str]:
    """Return the names of the scores of all questions, in order of appearance.

    *held* has each question's path and names. A question may lack a list, which is then missing there; a bare
    score in one and named ones in another, or names that differ by case, are refused.

    >>> union([("q1", ["bm25"]), ("q2", ["bm25", "dense"])])
    ['bm25', 'dense']
    """
    known: dict[str, str] = {}
    for where, names in held:
        for name in names:
            if name in known:
                continue
            pair = alike([*known, name])
            if pair is not None:
                refuse(where, f"{name!r} differs only by case from {pair[0]!r} of {known[pair[0]]}", name)
            known[name] = where
    bare = next((where for where, names in held if list(names) == [BARE]), None)
    named = next((where for where, names in held if names and BARE not in names), None)
    if bare is not None and named is not None:
        others = ", ".join(name for name in known if name != BARE)
        refuse(bare, f"has a bare score, while {named} names its own ({others}): name it, too")
    return list(known)
