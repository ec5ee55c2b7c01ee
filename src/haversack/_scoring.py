"""What each snippet is worth: values as given, or made from scores, the order, a calibrator, a function.

Loaded where a list is not all plain values. Over the optional snippets only: a pin without a value is worth
0.
"""

from __future__ import annotations

from haversack._numbers import Place, described, value_of
from haversack._record import Record
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from haversack._forms import Form
    from haversack._scores import Scores, Values
    from haversack.values import Calibrator

    Number = int | float

#: Where the values of a packing are from.
GIVEN, RANK, SCORES, EQUAL, CALIBRATOR, FUNCTION = (
    "given",
    "rank",
    "scores",
    "equal",
    "calibrator",
    "function",
)
AGE = "age"  # of messages: the newer the better
SOURCES = (GIVEN, RANK, SCORES, EQUAL, CALIBRATOR, FUNCTION, AGE)


class Offer(Record):
    """What the snippets of one call say about their worth, by position; absent is None."""

    __slots__ = ("objects", "places", "forms", "pins", "scores")

    objects: list[Any]
    places: list[Place]
    forms: list[list[Form]]
    pins: bytearray
    scores: list[Scores]

    def __init__(
        self,
        objects: list[Any],
        places: list[Place],
        forms: list[list[Form]],
        pins: bytearray,
        scores: list[Scores],
    ) -> None:
        self._fill(objects, places, forms, pins, scores)

    def optional(self) -> list[int]:
        """Return the positions of the snippets that are not pinned."""
        return [position for position, pin in enumerate(self.pins) if not pin]

    def given(self, position: int) -> Number | None:
        """Return the value of a snippet's first form that has one."""
        forms = self.forms[position]
        if forms[0].value is not None or len(forms) == 1:
            return forms[0].value
        return next((form.value for form in forms if form.value is not None), None)

    def costs(self, positions: list[int]) -> list[int]:
        """Return the tokens of some snippets, of their first forms."""
        return [self.forms[position][0].cost for position in positions]  # type: ignore[misc]


def valued(offer: Offer, setting: Values) -> str:
    """Give every form a value; return where the values are from, or refuse what cannot be compared."""
    from haversack._unvalued import refuse_given

    optional = offer.optional()
    made: Iterable[Number]
    if isinstance(setting, str) and setting != "auto":
        refuse_given(offer, optional, f'values="{setting}"')
        made = (
            [ranked_value(rank) for rank in range(len(optional))]
            if setting == "rank"
            else [1] * len(optional)
        )
        return _filled(offer, optional, made, setting)
    if setting is None or setting == "auto":
        return _automatic(offer, optional)
    if callable(setting):
        refuse_given(offer, optional, "a function for values")
        return _filled(offer, optional, _called(setting, offer, optional), FUNCTION)
    return _calibrated(setting, offer, optional)


def _automatic(offer: Offer, optional: list[int]) -> str:
    """Values as given; else from scores; else by rank."""
    from haversack._unvalued import refuse_mixed, refuse_some_without

    absent = [position for position in optional if offer.given(position) is None]
    scored = [position for position in optional if offer.scores[position] is not None]
    if scored and len(absent) < len(optional):
        refuse_mixed(offer, optional, scored)
    if not absent:
        return _filled(offer, [], (), GIVEN)
    if not scored:
        if len(absent) < len(optional):
            refuse_some_without(offer, optional, absent, "value")
        return _filled(offer, absent, map(ranked_value, range(len(absent))), RANK)
    if len(scored) < len(optional):
        refuse_some_without(offer, optional, [p for p in optional if offer.scores[p] is None], "scores")
    from haversack.values.scores import from_scores

    columns = _columns(offer, optional)
    if not columns:
        message = "holds no score, here and in all others: give a number, or name -> number"
        offer.places[optional[0]].refuse("scores", message, {})
    return _filled(offer, optional, from_scores(columns, offer.costs(optional)), SCORES)


def _calibrated(calibrator: Calibrator, offer: Offer, optional: list[int]) -> str:
    """Probabilities: those given, checked, and those that the calibrator makes of scores."""
    absent = [position for position in optional if offer.given(position) is None]
    for position in optional:
        given = offer.given(position)
        if given is not None and not 0 <= given <= 1:
            offer.places[position].refuse(
                "value",
                f"must be a probability beside those of a Calibrator, from 0 to 1; found {given!r}",
                given,
            )
    scoreless = [position for position in absent if offer.scores[position] is None]
    if scoreless:
        from haversack._unvalued import refuse_some_without

        refuse_some_without(offer, optional, scoreless, "scores")
    made = []
    if absent:
        columns = _columns(offer, absent)
        # A bare number has no name to compare: it stands for the one score of the calibrator.
        bare = list(columns) == ["score"] and len(calibrator.names) == 1
        scores = list(columns.values()) if bare else columns
        made = calibrator.predict(scores, offer.costs(absent))
    return _filled(offer, absent, made, CALIBRATOR)


def _columns(offer: Offer, positions: list[int]) -> dict[str, list[Any]]:
    """Return the scores of some snippets by name; a name that only some have is missing in the others."""
    from haversack.values._lists import gather
    from haversack.values._names import clash

    rows = [offer.scores[position] for position in positions]
    found = clash(rows)
    if found is not None:
        from haversack._unvalued import refuse_clash

        refuse_clash(offer, positions[found.first], positions[found.second], found)
    columns = gather(rows)
    # A missing bare number, beside named scores, is no score of that name.
    if len(columns) > 1 and not any(score is not None for score in columns.get("score", [0])):
        del columns["score"]
    return columns


def _called(function: Callable[..., Any], offer: Offer, optional: list[int]) -> list[Number]:
    """Call the caller's function once, and check what it gives."""
    if not optional:
        return []
    found = function([offer.objects[p] for p in optional], offer.costs(optional))
    if isinstance(found, str | bytes) or not hasattr(found, "__iter__") or hasattr(found, "keys"):
        raise InputTypeError(
            "values: the function must return a list of numbers, one for each of the snippets it was called "
            f"with; found {described(found)}",
            path="values", field="values", found=found,
        )  # fmt: skip
    made = list(found)
    if len(made) != len(optional):
        raise InputError(
            f"values: the function returned {len(made):,} numbers for {len(optional):,} optional snippets; "
            "it is called with these snippets and their costs, and returns one value for each",
            path="values", field="values", found=found,
        )  # fmt: skip
    return [value_of(value, offer.places[p]) for value, p in zip(made, optional, strict=True)]


def _filled(offer: Offer, positions: list[int], made: Iterable[Number], source: str) -> str:
    """Set the values made for some positions, and 0 for pins without one; every form then has a value."""
    for position, value in zip(positions, made, strict=True):
        if len(offer.forms[position]) == 1:
            offer.forms[position][0].value = value
    for position, forms in enumerate(offer.forms):
        if len(forms) == 1 or (offer.pins[position] and offer.given(position) is None):
            for form in forms:
                form.value = 0 if form.value is None else form.value
            continue
        for form in forms:
            if form.value is None:
                from haversack._unvalued import refuse_form

                refuse_form(offer, position, form, source)
    return source


def ranked_value(rank: int) -> int:
    """Return the value of a snippet in a list that is best first: max(1, floor(2^40 * 0.7^rank)), exactly.

    >>> ranked_value(0) == 2**40, ranked_value(1), ranked_value(500)
    (True, 769658139443, 1)
    """
    # 2^40 * 0.7^80 is below 1; capping the rank keeps the powers small.
    rank = min(rank, 80)
    worth: int = 2**40 * 7**rank // 10**rank
    return max(1, worth)
