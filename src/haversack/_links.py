"""How snippets hang together: section, group, requires, one_of, tier, read and checked."""

from __future__ import annotations

from haversack._fields import nearest
from haversack._ids import id_of, key_of
from haversack._numbers import Place, described, whole
from haversack._record import Record
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from haversack._shapes import Fields

LINKS = ("section", "group", "requires", "one_of", "tier")


class Links(Record):
    """The links by position, None where a snippet has none; `requires` holds positions, the others names.

    `excluded` are positions that no packing holds: spans of which better use is made in others.
    """

    __slots__ = ("sections", "groups", "requires", "choices", "tiers", "has_tiers", "excluded")

    sections: list[str | None]
    groups: list[str | None]
    requires: list[list[int]]
    choices: list[str | None]
    tiers: list[int]
    has_tiers: bool
    excluded: frozenset[int]

    def __init__(
        self,
        sections: list[str | None],
        groups: list[str | None],
        requires: list[list[int]],
        choices: list[str | None],
        tiers: list[int],
        has_tiers: bool,
        excluded: frozenset[int] = frozenset(),
    ) -> None:
        self._fill(sections, groups, requires, choices, tiers, has_tiers, excluded)


def links_of(read: list[Fields], places: list[Place], ids: list[str | int], used: set[str]) -> Links | None:
    """Return the links of all snippets, or None where nobody has one; `used` are the keys that occur."""
    size = len(read)
    given = {field: [one.get(field) for one in read] for field in LINKS if field in used}
    columns = {field: column for field, column in given.items() if column.count(None) < size}
    if not columns:
        return None
    nothing: list[Any] = [None] * size
    requires: list[list[int]] = [[] for _ in read]
    if "requires" in columns:
        at = {str(id): position for position, id in enumerate(ids)}
        for position, found in enumerate(columns["requires"]):
            if found is not None:
                requires[position] = _required(found, places[position], at, position)
    tiers = [0] * size
    for position, found in enumerate(columns.get("tier", ())):
        if found is not None:
            tiers[position] = _tier(found, places[position])
    names = [
        [name if type(name) is str and name else _name(name, field, place)
         for name, place in zip(columns[field], places, strict=True)]
        if field in columns else nothing
        for field in ("section", "group", "one_of")
    ]  # fmt: skip
    return Links(names[0], names[1], requires, names[2], tiers, "tier" in columns)


def no_links(size: int) -> Links:
    """Return the links of snippets that have none: forms and sections alone are structure too."""
    return Links([None] * size, [None] * size, [[] for _ in range(size)], [None] * size, [0] * size, False)


def _name(found: Any, field: str, place: Place) -> str | None:
    """Return a name as str; like ids, names are compared as str."""
    if found is None:
        return None
    if isinstance(found, bool) or not (isinstance(found, str) or whole(found) is not None):
        place.refuse_type(field, f"must be a name, a str or an int; found {described(found)}", found)
    name = key_of(found)
    if name is None:
        place.refuse(field, f"is too long to be read as str; use a str; found {described(found)}", found)
    if not name:
        place.refuse(field, "must be a name; found an empty one: leave it out instead", found)
    return name


def _tier(found: Any, place: Place) -> int:
    tier = whole(found)
    if tier is None:
        place.refuse_type(
            "tier", f"must be an int >= 0, where 0 comes first; found {described(found)}", found
        )
    if tier < 0:
        place.refuse(
            "tier",
            f"must not be negative: 0 comes first, so number from there; found {described(found)}",
            found,
        )
    return tier


def _required(found: Any, place: Place, at: dict[str, int], position: int) -> list[int]:
    """Return the positions of the ids that a snippet requires, each once; itself is no requirement."""
    wanted = [found] if isinstance(found, str | int) and not isinstance(found, bool) else found
    if isinstance(wanted, bytes | bool) or hasattr(wanted, "keys") or not hasattr(wanted, "__iter__"):
        place.refuse_type("requires", f"must be an id or a list of ids; found {described(found)}", found)
    positions: dict[int, None] = {}
    for index, id in enumerate(wanted):
        name = _key(id, Place(place.path("requires"), index, place.id))
        if name not in at:
            _refuse_unknown(id, nearest(name, at), place)
        if at[name] != position:
            positions[at[name]] = None
    return list(positions)


def _key(id: object, place: Place) -> str:
    """Return an id as it is compared; an error about it is one about `requires`."""
    try:
        if id is None:
            place.refuse_type("id", "must be a str or an int; found None", None)
        return str(id_of(id, place))
    except InputError as error:
        error.path, error.field = place.path(), "requires"
        raise


def _refuse_unknown(id: object, likely: str | None, place: Place) -> NoReturn:
    hint = f"did you mean {likely!r}?" if likely else "add that snippet, or drop the requirement"
    try:
        place.refuse("requires", f"names {id!r}, but no snippet has that id; {hint}", id)
    except InputError as error:
        error.conflict = {"requires": id, "nearest": likely}
        raise
