"""Requests in the wire format: what is read, and where an error points."""

from __future__ import annotations

import json
from typing import Any

import pytest

import haversack
from haversack import pack_request

REQUEST: dict[str, Any] = {
    "version": 1,
    "budget": 20,
    "reserve": 5,
    "snippets": [{"id": "a", "cost": 6, "value": 7}, {"id": "b", "cost": 10, "value": 9, "pinned": True}],
}


def refused(request: Any) -> haversack.InputError:
    """The error of a request."""
    with pytest.raises(haversack.InputError) as caught:
        pack_request(request)
    return caught.value


@pytest.mark.parametrize(
    "written",
    [
        REQUEST,
        json.dumps(REQUEST),
        json.dumps(REQUEST).encode(),
        b"\xef\xbb\xbf" + json.dumps(REQUEST).encode(),
        "\ufeff" + json.dumps(REQUEST),
        bytearray(json.dumps(REQUEST).encode()),
    ],
    ids=["dict", "str", "bytes", "bytes with a mark", "str with a mark", "bytearray"],
)
def test_a_request_packs_as_the_call_does(written: Any) -> None:
    """As a dict, a str, or bytes with or without a byte order mark."""
    assert pack_request(written) == haversack.pack(REQUEST["snippets"], 20, reserve=5)


def test_a_request_names_settings() -> None:
    """Those that are data."""
    request = {
        "budget": 100,
        "snippets": [{"name": "a", "n": 6, "p": 0.5}, {"name": "b", "n": 60, "p": 0}],
        "fields": {"id": "name", "cost": "n", "value": "p"},
        "pinned": ["b"],
        "over_budget": "raise",
        "effort": "full",
        "order": "input",
        "sections": {},
    }

    assert pack_request(json.dumps(request)).forms == {"a": "full", "b": "full"}


def test_a_request_is_not_mutated() -> None:
    """Packed twice, it gives the same."""
    before = json.dumps(REQUEST)

    pack_request(REQUEST)

    assert json.dumps(REQUEST) == before


@pytest.mark.parametrize(
    ("text", "path", "said"),
    [
        ('{"budget": 9, "snippets": [{"cost": 1}, {"cost": NaN}]}', "snippets[1].cost", "NaN"),
        ('{"budget": 9, "snippets": [{"cost": 1, "meta": [1, -Infinity]}]}', "snippets[0].meta[1]", "-Inf"),
        ('{"budget": Infinity, "snippets": []}', "budget", "Infinity"),
        ('{"budget": 9, "snippets": [{"cost": 1, "cost": 2}]}', "snippets[0].cost", "given twice"),
        ('{"budget": 9, "budget": 10, "snippets": []}', "budget", "given twice"),
        ('{"budget": 9, "snippets": [{"cost": 1, "value": 1e999}]}', "snippets[0].value", "finite"),
        ('{"budget": 9, "snippets": [{"cost": 1}, {"cost": -1}]}', "snippets[1].cost", "negative"),
        ('{"budget": 9, "snippets": [{"cost": 1.5}]}', "snippets[0].cost", "round it up: 2"),
        ('{"budget": 9, "snippets": [{"cost": 1, "vale": 2}]}', "snippets[0].vale", "did you mean 'value'"),
        ('{"budget": 9, "snippets": ["text"]}', "snippets[0].cost", "counter="),
        ('{"budget": 9, "counter": "hf:a.json", "snippets": ["text"]}', "counter", "not the path of a file"),
        ('{"budget": 9, "counter": 4, "snippets": ["text"]}', "counter", "must be data"),
        ('{"budget": "9", "snippets": []}', "budget", "'9' (str)"),
        ('{"budget": 9}', "snippets", "missing"),
        ('{"snippets": []}', "budget", "missing"),
        ('{"budget": 9, "snippets": {}}', "snippets", "a list of snippets"),
        ('{"budget": 9, "snipets": []}', "snipets", "did you mean 'snippets'"),
        ('{"budget": 9, "snippets": [], "render": "xml"}', "render", "needs a counter"),
        ('{"budget": 9, "snippets": [], "rendr": "xml"}', "rendr", "did you mean 'render'"),
        ('{"budget": 9, "snippets": [], "version": 2}', "version", "version must be 1"),
        ('{"budget": 9, "snippets": [], "version": true}', "version", "version must be 1"),
        ('{"budget": 9, "snippets": [], "sections": {"a": {"cap": 1.0}}}', "sections['a'].cap", "a share"),
        ("[]", "", "JSON object"),
        ("{", "", "no valid JSON"),
        ("", "", "no valid JSON"),
        ("[" * 100_000, "", "no valid JSON"),
        (b"\xff\xfe", "", "UTF-8"),
        (None, "", "JSON object"),
    ],
)  # fmt: skip
def test_the_error_points_to_the_place(text: Any, path: str, said: str) -> None:
    """By its path."""
    error = refused(text)

    assert error.path == path
    assert said in str(error)


def test_an_integer_of_any_length_is_read() -> None:
    """Up to what Python's parser takes; beyond it an error of ours."""
    huge = "9" * 4000
    packing = pack_request(f'{{"budget": 9, "snippets": [{{"cost": 1, "value": {huge}}}]}}')

    assert packing.value == 10**4000 - 1
    assert packing["0"].value == packing.value
    assert "e+3999" in repr(packing)
    assert "4,300" in str(refused(f'{{"budget": 9, "snippets": [{{"cost": {"9" * 5000}}}]}}'))


@pytest.mark.parametrize("settings", [{"pinned": len}, {"fields": {"cost": len}}])
def test_a_request_holds_no_functions(settings: dict[str, Any]) -> None:
    """It is data, whoever sent it."""
    assert "not a function" in str(refused({**REQUEST, **settings}))


def _mixed() -> haversack.Packing[Any]:
    """A packing with everything that structure, sections and decisions can hold."""
    return haversack.pack(
        [
            {"id": "p", "cost": 10, "value": 0, "pinned": True, "section": "s", "meta": {"tags": ["x"]}},
            {"id": "v", "cost": 90, "value": 9, "variants": [{"name": "short", "cost": 10, "value": 6.5}]},
            {"id": "g", "cost": 50, "value": 1, "group": "g", "tier": 1},
            {"id": "h", "cost": 60, "value": 1, "group": "g", "tier": 1, "requires": ["v", "p"]},
            {"id": "o", "cost": 1, "value": 5, "one_of": "o"},
            {"id": "q", "cost": 1, "value": 4, "one_of": "o"},
            {"id": "r", "cost": 200, "value": 9, "requires": ["g"], "section": "s"},
            {"id": "m", "cost": 1, "value": 1, "requires": ["n"]},
            {"id": "n", "cost": 1, "value": 1, "requires": ["m"]},
        ],
        100, sections={"s": {"cap": 20, "parent": "all"}, "all": {"floor": 3}}, over_budget="allow",
    )  # fmt: skip


def _messages() -> haversack.Packing[Any]:
    return haversack.pack_messages(
        [{"role": "user", "content": "h"}, {"role": "assistant", "content": [{"type": "text", "text": ""}]}],
        500,
    )  # fmt: skip


def _copied() -> haversack.Packing[Any]:
    texts = [
        {"id": "a", "text": "one two three", "value": 1},
        {"id": "b", "text": "one two three", "value": 2},
    ]
    return haversack.pack(texts, 50, counter="o200k_base", duplicates="once")


def _scrambled(found: Any) -> None:
    """Change everything that can be changed."""
    if isinstance(found, dict):
        for value in list(found.values()):
            _scrambled(value)
        found.clear()
        found["scrambled"] = True
    elif isinstance(found, list):
        for value in found:
            _scrambled(value)
        found.append("scrambled")


@pytest.mark.parametrize("inputs", [False, True])
@pytest.mark.parametrize("packed", [_mixed, _messages, _copied])
def test_what_was_written_is_no_part_of_the_packing(packed: Any, inputs: bool) -> None:
    """Whatever is done to the dict, the packing and the caller's snippets stay as they were."""
    packing = packed()
    before = repr(packing.to_dict(inputs=inputs))
    said, objects = packing.explain(), repr(packing.selected)

    _scrambled(packing.to_dict(inputs=inputs))

    assert repr(packing.to_dict(inputs=inputs)) == before
    assert (packing.explain(), repr(packing.selected)) == (said, objects)


@pytest.mark.parametrize("packed", [_mixed, _messages, _copied])
def test_what_was_read_stands_by_itself(packed: Any) -> None:
    """The dict that a packing was read from may be changed afterwards."""
    written = packed().to_dict(inputs=True)
    again = haversack.Packing.from_dict(written)
    before = repr(again.to_dict())

    for name in written:
        if name != "snippets":  # those are the packing's own objects from now on
            _scrambled(written[name])

    assert repr(again.to_dict()) == before


@pytest.mark.parametrize("packed", [_mixed, _messages, _copied])
def test_what_a_packing_shows_is_no_part_of_it(packed: Any) -> None:
    """Neither its numbers nor the details of its decisions."""
    packing = packed()
    before = repr(packing.to_dict())

    for name in ("statistics", "sections", "forms", "texts", "values_by_tier", "selected", "dropped"):
        found = getattr(packing, name)
        if name in ("selected", "dropped"):  # lists of ours with the caller's objects in them
            found.append(None)
        else:
            _scrambled(found)
    for decision in packing.decisions:
        _scrambled(decision.detail)

    assert repr(packing.to_dict()) == before


@pytest.mark.parametrize("packed", [_mixed, _copied])
@pytest.mark.parametrize(
    ("name", "wrong"),
    [("optimal", False), ("optimal", 1), ("effort", -2), ("effort", True), ("effort", 0.5), ("effort", "x"),
     ("bound", -1), ("bound", [0, 0]), ("bound", None), ("structure", {}), ("structure", []),
     ("snippets", "x" * 9), ("snippets", {}), ("texts", "xyz")],
)  # fmt: skip
def test_what_contradicts_itself_is_no_packing(packed: Any, name: str, wrong: Any) -> None:
    """A proof without its bound, an effort that is none."""
    written = packed().to_dict()

    with pytest.raises(haversack.InputError, match="no packing that to_dict"):
        haversack.Packing.from_dict({**written, name: wrong})


def test_an_effort_beyond_all_measure_is_none() -> None:
    """As in the call."""
    again = haversack.Packing.from_dict({**_mixed().to_dict(), "effort": 10**30})

    assert [point[1] for point in again.curve([50, 100])] == [point[1] for point in _mixed().curve([50, 100])]


def test_what_merged_is_read_from_the_links() -> None:
    """Whatever the statistics say."""
    written = _mixed().to_dict()
    written["statistics"]["merged"] = 5

    assert haversack.Packing.from_dict(written).explain() == _mixed().explain()


def test_copies_are_remembered_where_their_texts_are_gone() -> None:
    """Of what was left out no text is written."""
    twins = [{"id": id, "text": "the same", "cost": 6, "value": 1, "group": id} for id in "ab"]
    packing = haversack.pack([*twins, {"id": "c", "cost": 3, "value": 9}], 9)

    again = haversack.Packing.from_dict(json.loads(json.dumps(packing.to_dict(inputs=True))))

    assert "1 snippet repeats the text of another." in packing.explain()
    assert again.explain() == packing.explain()
    assert again.to_dict(inputs=True) == packing.to_dict(inputs=True)
