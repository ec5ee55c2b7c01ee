"""The structure of a packing as plain JSON types, and back: forms, links, sections, what was chosen."""

from __future__ import annotations

from haversack._coerce import Table
from haversack._copies import read_copies
from haversack._forms import Form
from haversack._links import Links
from haversack._model import tabled
from haversack._numbers import Place, cost_of, flag_of, value_of, whole
from haversack._record import copied
from haversack._sections import checked_sections
from haversack._snippet import Snippet, Variant
from haversack._structured import StructuredOutcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from haversack._model import Model


def write_structure(model: Model, outcome: StructuredOutcome) -> dict[str, Any]:
    """Write what a structured packing was made from, and the choice."""
    structure = model.structure
    assert structure is not None
    links, declared = structure.links, structure.declared
    return {
        "forms": [
            [{"name": form.name, "cost": form.cost, "value": form.value} for form in forms]
            for forms in model.forms
        ],
        "pinned": list(structure.explicit),
        "sections": copied(links.sections),
        "groups": copied(links.groups),
        "requires": copied(links.requires),
        "one_of": copied(links.choices),
        "tiers": copied(links.tiers),
        "has_tiers": links.has_tiers,
        "excluded": sorted(links.excluded),
        "declared": None if declared is None else {
            name: {"cap": one.cap, "parent": one.parent, "floor": one.floor} for name, one in declared.items()
        },
        "caps": copied(outcome.caps),
        "choice": copied(outcome.choice),
    }  # fmt: skip


def read_structure(
    data: Mapping[str, Any],
    ids: list[str | int],
    mask: bytes,
    objects: list[Any] | None,
    texts: list[str | None] | None,
) -> tuple[Model, StructuredOutcome]:
    """Read what `write_structure` wrote, and the packing's numbers beside it; check all as a request is.

    `ids` and `mask` are those of the decisions.
    """
    written = data["structure"]
    forms = [
        _forms(row, Place("snippets", at, id))
        for at, (id, row) in enumerate(zip(ids, written["forms"], strict=True))
    ]
    choice = _choice(written["choice"], forms, mask)
    chosen = [forms[position][form] for position, form in enumerate(choice) if form >= 0]
    for form, text in zip(chosen, texts or [None] * len(chosen), strict=True):
        form.text = text
    links = _links(written, len(ids))
    pinned = _column(written, "pinned", len(ids), lambda found: found in (0, 1))
    sections = None if written["declared"] is None else checked_sections(written["declared"])
    if objects is None:
        objects = [_snippet(ids, at, forms[at], links, bool(pin)) for at, pin in enumerate(pinned)]
    copies = read_copies(data.get("copies"), data["statistics"])
    if len(objects) != len(ids):
        raise ValueError(f"{len(ids)} decisions, but {len(objects)} snippets")
    model = tabled(objects, Table(ids, forms, bytes(pinned), data["valued_by"], links, copies), sections)
    structure = model.structure
    assert structure is not None
    caps = _column(written, "caps", len(structure.plan.names), _or_none(_is_count))
    bound = data["bound"]
    if links.has_tiers != isinstance(bound, list) or (links.has_tiers and len(bound) != len(structure.tiers)):
        raise ValueError(f"the bound of {len(structure.tiers)} tiers is {bound!r}")
    # What merged, the links tell.
    statistics = {name: found for name, found in data["statistics"].items() if name != "merged"}
    outcome = StructuredOutcome.known(
        structure, choice, caps, tuple(bound) if links.has_tiers else bound,
        data["optimal"], statistics,
    )  # fmt: skip
    worth: Any = outcome.totals if links.has_tiers else outcome.totals[0]
    if outcome.optimal != (outcome.bound == worth) or outcome.bound < worth:
        raise ValueError(f"optimal is {outcome.optimal}, but value {worth}, bound {outcome.bound}")
    return model, outcome


def _forms(row: list[Any], owner: Place) -> list[Form]:
    """Return a snippet's forms; each has a name, a cost and a value."""
    forms = []
    for one in row:
        if not _is_name(one["name"]):
            raise TypeError(f"{owner.path('variants')} holds a form without a name")
        forms.append(
            Form(one["name"], None, cost_of(one["cost"], owner), value_of(one["value"], owner), owner)
        )
    if not forms:
        raise ValueError(f"{owner.path('variants')} holds no form")
    return forms


def _choice(found: Any, forms: list[list[Form]], mask: bytes) -> list[int]:
    """Return the number of the chosen form by position, -1 for none, as the decisions have it too."""
    choice = list(found)
    for form, row, chosen in zip(choice, forms, mask, strict=True):
        if whole(form) is None or not -1 <= form < len(row) or (form >= 0) != chosen:
            raise ValueError(f"choice: {form!r} is none of {len(row)} forms, or contradicts its decision")
    return choice


def _links(written: Mapping[str, Any], size: int) -> Links:
    """Return what binds the snippets together."""

    def is_list_of_positions(found: Any) -> bool:
        return isinstance(found, list) and all(_is_count(one) and one < size for one in found)

    names = [_column(written, name, size, _or_none(_is_name)) for name in ("sections", "groups", "one_of")]
    requires = _column(written, "requires", size, is_list_of_positions)
    tiers = _column(written, "tiers", size, _is_count)
    has_tiers = flag_of(written["has_tiers"], Place("structure"), "has_tiers")
    excluded = written.get("excluded", [])
    if not is_list_of_positions(excluded):
        raise ValueError(f"structure.excluded must hold positions; found {excluded!r:.60}")
    needs = [list(one) for one in requires]
    return Links(names[0], names[1], needs, names[2], tiers, has_tiers, frozenset(excluded))


def _column(written: Mapping[str, Any], name: str, size: int, is_right: Callable[[Any], bool]) -> list[Any]:
    """Return a list of the structure as one of our own, or refuse what it should not hold."""
    column = list(written[name])
    wrong = [found for found in column if not is_right(found)]
    if wrong or len(column) != size:
        raise ValueError(
            f"structure.{name} must hold {size} entries; found {len(column)}, wrong: {wrong!r:.60}"
        )
    return column


def _or_none(is_right: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda found: found is None or is_right(found)


def _is_name(found: Any) -> bool:
    return isinstance(found, str) and found != ""


def _is_count(found: Any) -> bool:
    return whole(found) is not None and found >= 0


def _snippet(ids: list[str | int], at: int, forms: list[Form], links: Links, pinned: bool) -> Snippet:
    """A bare record of a snippet whose object was not written."""
    own = next((form for form in forms if form.name == "full"), None)
    variants = [Variant(form.name, cost=form.cost, value=form.value) for form in forms if form is not own]
    return Snippet(
        ids[at], None, own.cost if own else None, own.value if own else None, pinned=pinned,
        section=links.sections[at], group=links.groups[at],
        requires=[ids[one] for one in links.requires[at]] or None, one_of=links.choices[at],
        variants=variants or None, tier=links.tiers[at] if links.has_tiers else None,
    )  # fmt: skip
