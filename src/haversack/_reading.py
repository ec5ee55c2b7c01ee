"""The caller's snippets -> their model: read natively where all is plain, else with care."""

from __future__ import annotations

from operator import or_

from haversack import _core
from haversack._ids import default_ids
from haversack._model import Model, tabled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from haversack._copies import Rewrite
    from haversack._scores import Values
    from haversack._snippet import Section
    from haversack._texts import Texts


def modelled(
    snippets: object,
    fields: object = None,
    pinned: object = None,
    sections: Mapping[str, Section] | None = None,
    valuing: Values = None,
    rewrite: Rewrite | None = None,
    texts: Texts | None = None,
) -> Model:
    """Return the model of the caller's snippets.

    With `texts` the costs that are absent are counted; `rewrite` changes what was read before it is modelled.
    """
    objects: list[Any]
    if type(snippets) is list:
        objects = snippets[:]
    else:
        from haversack._coerce import listed

        objects = listed(snippets)
    if fields is None and rewrite is None and (valuing is None or valuing == "auto"):
        if texts is None:
            model = _numbered(objects, pinned, sections)
        else:
            model = _texted(objects, pinned, texts) if sections is None else None
        if model is not None:
            return model
    from haversack._coerce import table

    return tabled(
        objects, table(objects, fields, pinned, valuing=valuing, rewrite=rewrite, texts=texts), sections
    )


def _numbered(objects: list[Any], pinned: object, sections: Mapping[str, Section] | None) -> Model | None:
    """The model of plain dicts whose tokens and values, or scores, are known."""
    if sections is None:
        columns = _core.Columns.read(objects)
        if columns is not None:
            return _pinned_too(Model(objects, columns), pinned)
    model = _structured(objects, pinned, sections)
    if model is None and pinned is None and sections is None:
        from haversack._scored import scored_columns

        columns, ids = scored_columns(objects)
        if columns is not None:
            return Model(objects, columns, ids=ids, valued_by="scores")
    return model


def _structured(objects: list[Any], pinned: object, sections: Mapping[str, Section] | None) -> Model | None:
    """The model of plain dicts that have forms or hang together, or lie in sections."""
    read = _core.read_structured(objects)
    if read is None:
        return None
    (given, pins), columns, bonds = read
    from haversack._forms import FULL
    from haversack._links import Links
    from haversack._options import Options, Plain
    from haversack._structure import Structure

    options = Options(*columns)
    if bonds is None and sections is None and columns[3].count(FULL) == len(columns[3]):
        return None
    ids = default_ids(given) if None in given else given
    if pinned is not None:
        from haversack._coerce import pinned_by

        pins = bytes(map(or_, pinned_by(pinned, objects, ids), pins))
    links = None if bonds is None else Links(*bonds)
    return Model(objects, None, ids=ids, structure=Structure(Plain(ids, pins, links, options), sections))


def _texted(objects: list[Any], pinned: object, texts: Texts) -> Model | None:
    """The model of plain texts, which are counted."""
    from haversack._plain_texts import read

    plain = read(objects)
    if plain is None:
        return None
    columns = _core.Columns.of(texts.count_plain(plain), plain.values, plain.pinned)
    valued_by = "rank" if plain.ranked else "given"
    return _pinned_too(Model(objects, columns, ids=plain.ids, valued_by=valued_by), pinned)


def _pinned_too(model: Model, pinned: object) -> Model:
    """Return a model with the pins of the `pinned=` setting, if any, besides its own."""
    if pinned is None:
        return model
    from haversack._coerce import pinned_by

    pins = pinned_by(pinned, model.objects, model.ids)
    both = bytes(map(or_, pins, model.pinned))
    columns = model.columns
    assert columns is not None
    return Model(
        model.objects,
        _core.Columns.of(columns.costs, columns.values, both),
        ids=model.ids,
        valued_by=model.valued_by,
    )
