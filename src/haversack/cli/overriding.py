"""What options change of what files say: most settings whole, sections by cap, fields by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from haversack import Packing
from haversack.cli.inputs import Inputs


def request_of(inputs: Inputs, overriding: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request that the files and the options make together, the options first."""
    said = {key: value for key, value in inputs.settings.items() if value is not None}
    changed = {"sections", "fields"}.intersection(said)
    inputs.check_agreement(frozenset(overriding) - changed)
    request = {"over_budget": "raise", **said, **overriding}
    for key in changed.intersection(overriding):
        # What is no object is refused by the library, as it would be without the option.
        if isinstance(said[key], Mapping):
            request[key] = (_capped if key == "sections" else _named)(said[key], overriding[key])
        else:
            request[key] = said[key]
    return request


def is_to_blame(path: str, setting: str, inputs: Inputs, overriding: Mapping[str, Any]) -> bool:
    """Return whether an option said what an error about a setting is about, and not a file."""
    if setting != "sections" or inputs.settings.get("sections") is None:
        return setting in overriding
    return any(path == f"sections[{name!r}].cap" for name in overriding.get("sections", ()))


def idle_sections(packing: Packing[Any], overriding: Mapping[str, Any]) -> list[str]:
    """Return the sections of the options in which nothing lies, so that their caps cap nothing."""
    structure = packing._model.structure
    if structure is None:
        return []
    used = {*structure.links.sections, *(section.parent for section in structure.plan.declared)}
    return [name for name in overriding.get("sections", ()) if name not in used]


def _capped(said: Mapping[str, Any], caps: Mapping[str, Any]) -> dict[str, Any]:
    """The file's sections with other caps; parents and floors stay."""
    sections = dict(said)
    for name, cap in caps.items():
        known = said.get(name)
        if known is None or isinstance(known, Mapping):
            sections[name] = {**(known or {}), **cap}
    return sections


def _named(said: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """The file's names of fields, and others instead of them or besides; cost and tokens are one field."""
    twins = {"cost": "tokens", "tokens": "cost", "score": "scores", "scores": "score"}
    replaced = {twins[field] for field in fields if field in twins}
    return {**{field: key for field, key in said.items() if field not in replaced}, **fields}
