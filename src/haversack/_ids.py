"""Ids: kept as given, compared as str, made up from the position where there is none."""

from __future__ import annotations

from operator import index

from haversack._numbers import Place, described
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def id_of(found: object, place: Place) -> str | int | None:
    """Return an id, or refuse what is none."""
    if found is None or type(found) is str:
        return found
    if isinstance(found, int) and not _is_printable(found):
        place.refuse("id", f"is too long to be read as str; use a str; found {described(found)}", found)
    if type(found) is int:
        return found
    kind = getattr(getattr(found, "dtype", None), "kind", None)
    if isinstance(found, str) or (isinstance(found, int) and not isinstance(found, bool)):
        return found
    if kind is not None and kind in "iu" and getattr(found, "shape", None) == ():
        return index(found)  # type: ignore[arg-type]
    place.refuse_type("id", f"must be a str or an int: use str(...); found {described(found)}", found)


def _is_printable(number: int) -> bool:
    """Return whether Python prints an integer: it has a limit, which is never below 640 digits."""
    if number.bit_length() < 2_000:
        return True
    try:
        str(number)
    except ValueError:
        return False
    return True


def key_of(id: object) -> str | None:
    """Return what an id is compared by, its str; None for an integer that is too long to be any id."""
    return str(id) if not isinstance(id, int) or _is_printable(id) else None


def shown_id(id: object) -> str:
    """Return an id as a message shows it."""
    return repr(id) if not isinstance(id, int) or _is_printable(id) else described(id)


def default_ids(given: Sequence[str | int | None]) -> list[str | int]:
    """Return every id: the given one, else the position as a str, with '#' before it while that is taken.

    >>> default_ids([None, "0", None])
    ['#0', '0', '2']
    """
    taken = {str(id) for id in given if id is not None}
    ids: list[str | int] = []
    for position, id in enumerate(given):
        if id is None:
            name = str(position)
            while name in taken:
                name = f"#{name}"
            id = name
            taken.add(name)
        ids.append(id)
    return ids


def refuse_repeated(given: Sequence[str | int | None], source: str) -> None:
    """Raise an error that names both positions where an id is given twice."""
    first: dict[str, int] = {}
    for position, id in enumerate(given):
        if id is None:
            continue
        before = first.setdefault(str(id), position)
        if before != position:
            raise InputError(
                f"{source}[{position}]: id {id!r} is taken by {source}[{before}] (ids are compared as str); "
                "give each snippet an id of its own, or none",
                path=f"{source}[{position}].id", id=id, field="id", found=id,
            )  # fmt: skip
