"""Whatever the caller holds -> columns of plain fields. The only lenient place, and the one that explains.

Behind it every cost is an int >= 0, every value a finite int or float, every id distinct.
"""

from __future__ import annotations

from haversack._fields import KNOWN, SCORES, checked_reading, nearest
from haversack._forms import forms_of, refuse_uncounted
from haversack._ids import default_ids, id_of, key_of, refuse_repeated, shown_id
from haversack._links import links_of
from haversack._numbers import Place, described, flag_of
from haversack._options import Options
from haversack._record import Record
from haversack._scores import scores_of
from haversack._scoring import GIVEN, Offer, valued
from haversack._shapes import plain_fields, refuse_fields_nobody_has
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._copies import Copies, Rewrite
    from haversack._forms import Form
    from haversack._links import Links
    from haversack._scores import Scores, Values
    from haversack._shapes import Fields
    from haversack._texts import Texts


class Table(Record):
    """Snippets as parallel columns: `forms` has each one's forms, `links` what binds them, if anything does.

    `valued_by` says where the values are from, `copies` what was done about copies, if that was asked for.
    """

    __slots__ = ("ids", "forms", "pinned", "valued_by", "links", "copies")

    ids: list[str | int]
    forms: list[list[Form]]
    pinned: bytes
    valued_by: str
    links: Links | None
    copies: Copies | None

    def __init__(
        self,
        ids: list[str | int],
        forms: list[list[Form]],
        pinned: bytes,
        valued_by: str = GIVEN,
        links: Links | None = None,
        copies: Copies | None = None,
    ) -> None:
        self._fill(ids, forms, pinned, valued_by, links, copies)

    @property
    def options(self) -> Options:
        """The forms as flat columns, once their costs and values are known."""
        return Options.of(self.forms)


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
    valuing: Values = None,
    rewrite: Rewrite | None = None,
    texts: Texts | None = None,
) -> Table:
    """Read snippets of any shape into columns, or raise an error that names snippet, field and way out.

    `texts` counts the forms whose cost is absent.
    """
    reading = None if fields is None else checked_reading(fields)
    places = [Place(source, position) for position in range(len(objects))]
    read = [
        one
        if type(one) is dict and reading is None and KNOWN.issuperset(one)
        else plain_fields(one, place, reading)
        for one, place in zip(objects, places, strict=True)
    ]
    if reading:
        refuse_fields_nobody_has(reading, read, objects)
    used: set[str] = set().union(*read)
    ids = _ids(read, places, source)
    for place, id in zip(places, ids, strict=True):
        place.id = id
    pins = bytearray(len(objects)) if pinned is None else pinned_by(pinned, objects, ids)
    if "pinned" in used:
        for position, (one, place) in enumerate(zip(read, places, strict=True)):
            pin = one.get("pinned")
            if pin is not None and flag_of(pin, place):
                pins[position] = 1
    forms = [forms_of(one, place) for one, place in zip(read, places, strict=True)]
    refuse_uncounted(forms, is_counted=texts is not None)
    links = links_of(read, places, ids, used)
    if texts is not None:
        texts.count(read, forms, pins, None if links is None else links.sections)
    scores: list[Scores] = [None] * len(read)
    if not SCORES.isdisjoint(used):
        scores = [scores_of(one, place) for one, place in zip(read, places, strict=True)]
    valued_by = valued(Offer(objects, places, forms, pins, scores), valuing)
    made = Table(ids, forms, bytes(pins), valued_by, links)
    return made if rewrite is None else rewrite(read, places, made)


def _ids(read: list[Fields], places: list[Place], source: str) -> list[str | int]:
    """Every snippet's id, given or made up; the commonest case first: all given, all different texts."""
    given: list[Any] = [one.get("id") for one in read]
    if len(set(map(type, given))) == 1 and type(given[0]) is str and len(set(given)) == len(given):
        return given
    checked = [id_of(id, place) for id, place in zip(given, places, strict=True)]
    refuse_repeated(checked, source)
    return default_ids(checked)


def pinned_by(setting: Any, objects: list[Any], ids: list[str | int]) -> bytearray:
    """Return a 0/1 per snippet for the `pinned=` setting: ids, or a predicate of the caller's object."""
    if callable(setting):
        return bytearray(bool(setting(one)) for one in objects)
    wanted = (setting,) if isinstance(setting, str | int) else setting
    at: dict[str | None, int] = {str(id): position for position, id in enumerate(ids)}
    pins = bytearray(len(objects))
    for id in wanted:
        key = key_of(id)
        if key not in at:
            likely = nearest(key or "", map(str, at))
            hint = f"; did you mean {likely!r}?" if likely else ""
            raise InputError(
                f"pinned names {shown_id(id)}, but no snippet has that id{hint}",
                path="pinned",
                field="pinned",
                found=id,
            )
        pins[at[key]] = 1
    return pins
