"""The structure of a packing as plain JSON types, and back: forms, links, sections, what was chosen."""

from __future__ import annotations

from haversack._coerce import Table
from haversack._forms import Form
from haversack._links import Links
from haversack._model import tabled
from haversack._numbers import Place
from haversack._snippet import Section, Snippet, Variant
from haversack._structured import StructuredOutcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
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
        "sections": links.sections,
        "groups": links.groups,
        "requires": links.requires,
        "one_of": links.choices,
        "tiers": links.tiers,
        "has_tiers": links.has_tiers,
        "declared": None if declared is None else {
            name: {"cap": one.cap, "parent": one.parent, "floor": one.floor} for name, one in declared.items()
        },
        "caps": outcome.caps,
        "choice": outcome.choice,
    }  # fmt: skip


def read_structure(
    data: Mapping[str, Any], objects: list[Any] | None, texts: list[str | None] | None
) -> tuple[Model, StructuredOutcome]:
    """Read what `write_structure` wrote, and the packing's numbers beside it."""
    written = data["structure"]
    ids = [decision["id"] for decision in data["decisions"]]
    choice: list[int] = list(written["choice"])
    forms = [
        [Form(one["name"], None, one["cost"], one["value"], Place("snippets", at, id)) for one in row]
        for at, (id, row) in enumerate(zip(ids, written["forms"], strict=True))
    ]
    chosen = [forms[position][form] for position, form in enumerate(choice) if form >= 0]
    for form, text in zip(chosen, texts or [None] * len(chosen), strict=True):
        form.text = text
    links = Links(
        list(written["sections"]), list(written["groups"]), [list(one) for one in written["requires"]],
        list(written["one_of"]), list(written["tiers"]), written["has_tiers"],
    )  # fmt: skip
    pinned = bytes(written["pinned"])
    declared = written["declared"]
    sections = None if declared is None else {name: Section(**one) for name, one in declared.items()}
    if objects is None:
        objects = [_snippet(ids, at, forms[at], links, bool(pin)) for at, pin in enumerate(pinned)]
    model = tabled(objects, Table(ids, forms, pinned, data["ranked"], links), sections)
    assert model.structure is not None
    bound = data["bound"]
    outcome = StructuredOutcome.known(
        model.structure, choice, list(written["caps"]), tuple(bound) if isinstance(bound, list) else bound,
        data["optimal"], dict(data["statistics"]),
    )  # fmt: skip
    return model, outcome


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
