"""Whatever the caller holds -> columns of plain fields. The only lenient place, and the one that explains.

Behind it every cost is an int >= 0, every value a finite int or float, every id distinct.
"""

from __future__ import annotations

from haversack._fields import (
    LATER,
    READ,
    SCORES,
    checked_reading,
    nearest,
    refuse_later,
    refuse_scores,
)
from haversack._ids import default_ids, id_of, refuse_repeated
from haversack._numbers import Place, cost_of, described, flag_of, value_of
from haversack._record import Record
from haversack._shapes import plain_fields, refuse_fields_nobody_has
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from haversack._fields import Reading
    from haversack._shapes import Fields

    Costs: TypeAlias = list[int | None]
    Values: TypeAlias = list[int | float | None]


class Table(Record):
    """Snippets as parallel columns; `ranked` says that the values come from the order."""

    __slots__ = ("ids", "costs", "values", "pinned", "ranked", "texts")

    ids: list[str | int]
    costs: list[int]
    values: list[int | float]
    pinned: bytes
    ranked: bool
    texts: list[str | None]

    def __init__(
        self,
        ids: list[str | int],
        costs: list[int],
        values: list[int | float],
        pinned: bytes,
        ranked: bool,
        texts: list[str | None],
    ) -> None:
        self._fill(ids, costs, values, pinned, ranked, texts)


def listed(snippets: object) -> list[Any]:
    """Return the caller's snippets as a list of our own; an iterator is consumed here, once."""
    if hasattr(snippets, "iloc"):
        found, hint = type(snippets).__name__, 'pass frame.to_dict("records")'
    elif hasattr(snippets, "keys"):
        found = "a single mapping"
        hint = "pass a list of snippets, or the whole request to pack_request()"
    elif isinstance(snippets, str | bytes | bytearray) or not hasattr(snippets, "__iter__"):
        found, hint = described(snippets), "pass a list of them"
    else:
        return list(snippets)
    raise InputTypeError(
        f"snippets must be an iterable of snippets; found {found}: {hint}",
        path="snippets", field="snippets", found=snippets,
    )  # fmt: skip


def table(
    objects: list[Any],
    fields: object = None,
    pinned: Any = None,
    source: str = "snippets",
    count: Callable[[list[Fields], Costs, Values, bytearray], list[int]] | None = None,
) -> Table:
    """Read snippets of any shape into columns, or raise an error that names snippet, field and way out.

    `count` fills in the costs that are absent; it is given all fields, and the costs, values (None for a pin
    without one) and pins as read.
    """
    reading = None if fields is None else checked_reading(fields)
    places = [Place(source, position) for position in range(len(objects))]
    read = [plain_fields(one, place, reading) for one, place in zip(objects, places, strict=True)]
    if reading:
        refuse_fields_nobody_has(reading, read, objects)
    given = [id_of(one.get("id"), place) for one, place in zip(read, places, strict=True)]
    refuse_repeated(given, source)
    ids = default_ids(given)
    for place, id in zip(places, ids, strict=True):
        place.id = id
    pins = bytearray(len(objects)) if pinned is None else pinned_by(pinned, objects, ids)
    costs: Costs = []
    values: Values = []
    for one, place in zip(read, places, strict=True):
        if not READ.issuperset(one):
            _refuse_what_is_not_built(one, place, reading)
        costs.append(_cost(one, place, may_be_absent=count is not None))
        pin, value = one.get("pinned"), one.get("value")
        if pin is not None and flag_of(pin, place):
            pins[len(values)] = 1
        values.append(None if value is None else value_of(value, place))
    filled, ranked = _valued(values, pins, places)
    if count is not None:
        triples = zip(values, pins, filled, strict=True)
        heights = [None if value is None and pin else worth for value, pin, worth in triples]
        costs = list(count(read, costs, heights, pins))
    # Without a counter a cost that is absent was refused above; with one it is filled in now.
    known: list[int] = costs  # type: ignore[assignment]
    return Table(ids, known, filled, bytes(pins), ranked, [one.get("text") for one in read])


def pinned_by(setting: Any, objects: list[Any], ids: list[str | int]) -> bytearray:
    """Return a 0/1 per snippet for the `pinned=` setting: ids, or a predicate of the caller's object."""
    if callable(setting):
        return bytearray(bool(setting(one)) for one in objects)
    wanted = (setting,) if isinstance(setting, str | int) else setting
    at = {str(id): position for position, id in enumerate(ids)}
    pins = bytearray(len(objects))
    for id in wanted:
        if str(id) not in at:
            likely = nearest(str(id), at)
            hint = f"; did you mean {likely!r}?" if likely else ""
            raise InputError(
                f"pinned names {id!r}, but no snippet has that id{hint}",
                path="pinned",
                field="pinned",
                found=id,
            )
        pins[at[str(id)]] = 1
    return pins


def _refuse_what_is_not_built(one: Fields, place: Place, reading: Reading | None) -> None:
    for field in LATER:
        if one.get(field) is not None:
            refuse_later(field, one[field], place)
    for field in SCORES:
        # Where `fields=` says how a value is made, a score beside it has been answered for.
        if one.get(field) is not None and not (reading and "value" in reading):
            refuse_scores(field, one[field], place)


def _cost(one: Fields, place: Place, may_be_absent: bool) -> int | None:
    text = one.get("text")
    if text is not None and not isinstance(text, str):
        place.refuse_type("text", f"must be a str; found {described(text)}", text)
    cost, tokens = one.get("cost"), one.get("tokens")
    if cost is not None and tokens is not None:
        place.refuse(
            "tokens",
            f"is given beside cost, and they are one thing: drop one; found cost {cost!r}, tokens {tokens!r}",
            tokens,
        )
    if cost is None and tokens is None:
        if text is not None and may_be_absent:
            return None
        if text is not None:
            from haversack._texts import refuse_uncounted

            refuse_uncounted(place)
        lacking = ", and so is the text to count" if may_be_absent else ""
        place.refuse(
            "cost", f"is missing{lacking}: give the tokens of the snippet as it will be rendered", None
        )
    return cost_of(cost, place) if tokens is None else cost_of(tokens, place, "tokens")


def _valued(
    values: list[int | float | None], pins: bytearray, places: list[Place]
) -> tuple[list[int | float], bool]:
    """Fill in absent values: 0 for a pin; by rank where no optional snippet has one; else an error."""
    optional = [position for position, pin in enumerate(pins) if not pin]
    absent = [position for position in optional if values[position] is None]
    if absent and len(absent) < len(optional):
        _refuse_some_without(values, optional, absent, places)
    rank = {position: rank for rank, position in enumerate(absent)}
    filled: list[int | float] = []
    for position, value in enumerate(values):
        default = ranked_value(rank[position]) if position in rank else 0
        filled.append(default if value is None else value)
    return filled, bool(absent)


def _refuse_some_without(
    values: list[int | float | None], optional: list[int], absent: list[int], places: list[Place]
) -> None:
    """Refuse a list where some optional snippets have a value and some have none."""
    with_one = next(position for position in optional if values[position] is not None)
    places[absent[0]].refuse(
        "value",
        f"is missing, while {places[with_one].path()} (id {places[with_one].id!r}) has one; {len(absent)} of "
        f"{len(optional)} optional snippets have none: give all of them a value, or none (best first)",
        None,
    )


def ranked_value(rank: int) -> int:
    """Return the value of a snippet in a list that is best first: max(1, floor(2^40 * 0.7^rank)), exactly.

    >>> ranked_value(0) == 2**40, ranked_value(1), ranked_value(500)
    (True, 769658139443, 1)
    """
    # 2^40 * 0.7^80 is below 1; capping the rank keeps the powers small.
    rank = min(rank, 80)
    worth: int = 2**40 * 7**rank // 10**rank
    return max(1, worth)
