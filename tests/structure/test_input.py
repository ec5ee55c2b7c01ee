"""What the fields of structure accept, and how they refuse the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import haversack
from haversack import Section, Snippet, Variant

NAN = float("nan")
PLAIN = {"id": "a", "cost": 5, "value": 3}


def refused(snippets: Any, **settings: Any) -> haversack.InputError:
    """The error of a call."""
    with pytest.raises(haversack.InputError) as caught:
        haversack.pack(snippets, 100, **settings)
    return caught.value


@pytest.mark.parametrize(
    ("one", "path", "said"),
    [
        ({"variants": "short"}, "snippets[1].variants", "a list of forms"),
        ({"variants": {"name": "short"}}, "snippets[1].variants", "a list of forms"),
        ({"variants": [5]}, "snippets[1].variants[0]", "a mapping or a haversack.Variant"),
        ({"variants": [{"cost": 1, "value": 1}]}, "snippets[1].variants[0].name", "is missing"),
        ({"variants": [{"name": 5, "cost": 1, "value": 1}]}, "snippets[1].variants[0].name", "5 (int)"),
        ({"variants": [{"name": "x", "value": 1}]}, "snippets[1].variants[0].cost", "tokens of the form 'x'"),
        ({"variants": [{"name": "x", "cost": 1}]}, "snippets[1].variants[0].value", "a value of its own"),
        ({"variants": [{"name": "x", "cost": -1, "value": 1}]}, "snippets[1].variants[0].cost", "negative"),
        ({"variants": [{"name": "x", "cost": 1, "value": NAN}]}, "snippets[1].variants[0].value", "NaN"),
        ({"variants": [{"name": "x", "cost": 1, "score": 1}]}, "snippets[1].variants[0].score", "not values"),
        ({"variants": [{"name": "x", "cst": 1}]}, "snippets[1].variants[0].cst", "did you mean 'cost'"),
        ({"variants": [{"name": "x", "cost": 1, "value": 1}] * 2}, "snippets[1].variants", "'x' twice"),
        ({"variants": [{"name": "full", "cost": 1, "value": 1}]}, "snippets[1].variants", "'full' twice"),
        ({"form": 5}, "snippets[1].form", "the name of the form"),
        ({"form": "x", "variants": [{"name": "x", "cost": 1}]}, "snippets[1].variants", "own text, cost"),
        ({"group": 1.5}, "snippets[1].group", "a name"),
        ({"group": ""}, "snippets[1].group", "an empty one"),
        ({"group": 10**5000}, "snippets[1].group", "too long to be read"),
        ({"section": 10**5000}, "snippets[1].section", "too long to be read"),
        ({"one_of": True}, "snippets[1].one_of", "a name"),
        ({"section": ["docs"]}, "snippets[1].section", "a name"),
        ({"requires": ["c"]}, "snippets[1].requires", "no snippet has that id"),
        ({"requires": "aa"}, "snippets[1].requires", "did you mean 'a'"),
        ({"requires": "A"}, "snippets[1].requires", "did you mean 'a'"),
        ({"One_Of": "x"}, "snippets[1].One_Of", "did you mean 'one_of'"),
        ({"variants": [{"Name": "x"}]}, "snippets[1].variants[0].Name", "did you mean 'name'"),
        ({"requires": 7.0}, "snippets[1].requires", "a list of ids"),
        ({"requires": [None]}, "snippets[1].requires[0]", "id must be a str or an int; found None"),
        ({"requires": ["a", 1.5]}, "snippets[1].requires[1]", "found 1.5 (float)"),
        ({"tier": -1}, "snippets[1].tier", "0 comes first"),
        ({"tier": 0.5}, "snippets[1].tier", "int >= 0"),
        ({"tier": True}, "snippets[1].tier", "int >= 0"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_refused_where_it_stands(one: dict[str, Any], path: str, said: str) -> None:
    """With its path, the snippet's id, and what would be right."""
    error = refused([PLAIN, {"id": "b", "cost": 2, "value": 1, **one}])

    assert error.path == path
    assert said in str(error)
    assert error.id == "b"


@pytest.mark.parametrize(
    ("sections", "path", "said"),
    [
        (["docs"], "sections", "a mapping"),
        ({5: {}}, "sections", "named by a str"),
        ({"docs": 500}, "sections['docs']", 'a mapping such as {"cap": 500}'),
        ({"docs": "30%"}, "sections['docs']", 'a mapping such as {"cap": "30%"}'),
        ({"docs": True}, "sections['docs']", 'a mapping such as {"cap": 2000}'),
        ({"docs": {"cap": 10**5000, "floor": 10**5001}}, "sections['docs'].floor", "its cap is 1e+5000"),
        ({"docs": {"max": 5}}, "sections['docs'].max", "cap, parent and floor"),
        ({"docs": {"cap": True}}, "sections['docs'].cap", "True (bool)"),
        ({"docs": {"cap": -1}}, "sections['docs'].cap", "negative"),
        ({"docs": {"cap": float("nan")}}, "sections['docs'].cap", "NaN"),
        ({"docs": {"cap": float("inf")}}, "sections['docs'].cap", "for no cap leave it out"),
        ({"docs": {"cap": 1.5}}, "sections['docs'].cap", "for tokens write a whole number"),
        ({"docs": {"cap": 1.0}}, "sections['docs'].cap", 'all of it "100%"'),
        ({"docs": {"cap": 300.0}}, "sections['docs'].cap", "for tokens write 300"),
        ({"docs": {"cap": "30"}}, "sections['docs'].cap", "30%"),
        ({"docs": {"cap": "30"}}, "sections['docs'].cap", "must be tokens: without quotes 30"),
        ({"docs": {"cap": "130%"}}, "sections['docs'].cap", 'not be more than "100%"'),
        ({"docs": {"cap": "\u0663%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "\u0663"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "1_0%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "1e1%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": " 30%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "30\u00a0%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": ".5%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "-5%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "30%%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "9" * 5000 + "%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "0." + "9" * 5000 + "%"}}, "sections['docs'].cap", "must be tokens, or a share"),
        ({"docs": {"cap": "a lot"}}, "sections['docs'].cap", "30%"),
        ({"docs": {"CAP": 5}}, "sections['docs'].CAP", "did you mean 'cap'"),
        ({"docs": {"parent": "ALL"}, "all": {}}, "sections['docs'].parent", "did you mean 'all'"),
        ({"docs": {"floor": 0.2}}, "sections['docs'].floor", "a number of tokens"),
        ({"docs": {"floor": -2}}, "sections['docs'].floor", "negative"),
        ({"docs": {"parent": "al"}, "all": {}}, "sections['docs'].parent", "did you mean 'all'"),
        ({"a": {"parent": "b"}, "b": {"parent": "a"}}, "sections['a'].parent", "'a' in 'b' in 'a'"),
        ({"a": {"parent": "a"}}, "sections['a'].parent", "circle"),
        ({"docs": {"cap": 5, "floor": 6}}, "sections['docs'].floor", "lower the floor to 5"),
        ({"docs": {"cap": "10%", "floor": 60}}, "sections['docs'].floor", "10% of the window"),
    ],
)  # fmt: skip
def test_a_wrong_section_is_refused(sections: Any, path: str, said: str) -> None:
    """By its path, too."""
    error = refused([PLAIN], sections=sections)

    assert error.path == path
    assert said in str(error)


@pytest.mark.parametrize(
    "wrong", [None, 1.5, True, ["a"], {}, 10**5000], ids=lambda wrong: type(wrong).__name__
)
def test_what_is_no_id_among_those_required_is_what_was_found(wrong: Any) -> None:
    """The field is `requires`, not an `id`."""
    error = refused([PLAIN, {"id": "b", "cost": 2, "value": 1, "requires": ["a", wrong]}])

    assert (error.path, error.id, error.field) == ("snippets[1].requires[1]", "b", "requires")
    assert error.found == wrong


def test_a_requirement_nobody_meets_is_told_as_data() -> None:
    """With the id that was likely meant."""
    error = refused([PLAIN, {"id": "b", "cost": 2, "value": 1, "requires": ["A"]}])

    assert (error.found, error.conflict) == ("A", {"requires": "A", "nearest": "a"})
    assert refused([{**PLAIN, "requires": "zz"}]).conflict == {"requires": "zz", "nearest": None}


def test_a_label_that_is_not_declared_is_refused() -> None:
    """Where sections are declared; else it is a label and no more."""
    labelled = [{**PLAIN, "section": "doc"}]

    assert "did you mean 'docs'" in str(refused(labelled, sections={"docs": {"cap": 9}}))
    assert "did you mean 'DOC'" in str(refused(labelled, sections={"docs": {"cap": 9}, "DOC": {}}))
    assert "did you mean 'D'" in str(refused([{**PLAIN, "section": "d"}], sections={"docs": {}, "D": {}}))
    assert "declared are: none" in str(refused(labelled, sections={}))
    assert haversack.pack(labelled, 9).sections["doc"]["used"] == 5


def test_two_pinned_alternatives_contradict_each_other() -> None:
    """Also where one is pinned by what requires it; the error names all and holds them as data."""
    snippets = [
        {"id": "a", "cost": 1, "value": 1, "one_of": "x", "pinned": True},
        {"id": "b", "cost": 1, "value": 1, "one_of": "x"},
        {"id": "c", "cost": 1, "value": 1, "requires": ["b"], "pinned": True},
    ]

    error = refused(snippets)

    assert "'a', 'b' ('b' by what needs it)" in str(error)
    assert error.conflict == {"one_of": "x", "pinned": ["a", "b"], "unpin": ["c"]}
    assert "unpin 'c', or take all but one of them out of 'x'" in str(error)


def test_a_floor_above_its_cap_is_a_conflict_as_data() -> None:
    """With both numbers."""
    error = refused([PLAIN], sections={"docs": {"cap": 5, "floor": 6}})

    assert error.conflict == {"section": "docs", "floor": 6, "cap": 5}


@pytest.mark.parametrize(
    ("cap", "tokens"),
    [
        (7, 7),
        (0.3, 3),
        ("30%", 3),
        ("12.5%", 1),
        ("30 %", 3),
        ("030%", 3),
        ("0%", 0),
        ("100%", 10),
        (0.29, 2),
        (np.int64(4), 4),
        (0, 0),
    ],
)
def test_a_cap_is_tokens_or_a_share_of_budget_less_reserve(cap: Any, tokens: int) -> None:
    """Of budget - reserve, rounded down; as a decimal, so that 0.3 of 10 is 3."""
    packing = haversack.pack([{**PLAIN, "section": "s"}], 15, reserve=5, sections={"s": {"cap": cap}})

    assert packing.sections["s"]["cap"] == tokens


def test_records_objects_and_dicts_say_the_same() -> None:
    """Whatever shape variants and sections come in."""

    class Form:
        name, cost, value, text = "short", 2, 4, None

    as_dict = {"id": "a", "cost": 9, "value": 6, "variants": [{"name": "short", "tokens": 2, "value": 4}]}
    as_record = Snippet("a", cost=9, value=6, variants=[Variant("short", cost=2, value=4)])
    as_object = {"id": "a", "cost": 9, "value": 6, "variants": (Form(),)}

    for one in (as_dict, as_record, as_object):
        packing = haversack.pack([one], 5, sections={"s": Section(cap=3)})
        assert packing.forms == {"a": "short"}
        assert packing.selected[0] is one


def test_a_snippet_names_its_own_form() -> None:
    """As what was chosen elsewhere does; else it is the full one."""
    one = {**PLAIN, "form": "outline"}
    packing = haversack.pack([one, {"id": "b", "cost": 1, "value": 1, "form": None}], 9)

    assert packing.forms == {"a": "outline", "b": "full"}
    assert str(packing["a"]).startswith("a is in: chosen as 'outline'")
    assert haversack.Packing.from_dict(packing.to_dict()).forms == packing.forms


def test_ids_and_names_are_compared_as_str() -> None:
    """An int and its digits are one name."""
    snippets = [
        {"id": 1, "cost": 1, "value": 1},
        {"id": "2", "cost": 1, "value": 1, "requires": 1, "group": 7},
        {"id": 3, "cost": 1, "value": -5, "group": "7"},
    ]

    assert list(haversack.pack(snippets, 10).forms) == [1]


def test_fields_map_the_words_of_structure() -> None:
    """As they do the others."""
    packing = haversack.pack(
        [{"n": 3, "v": 2, "part": "s"}, {"n": 4, "v": 3, "part": "s"}], 10,
        fields={"cost": "n", "value": "v", "section": "part"}, sections={"s": {"cap": 5}},
    )  # fmt: skip

    assert packing.forms == {"1": "full"}


def test_nothing_is_mutated() -> None:
    """Neither snippets nor settings."""
    variants = [{"name": "x", "cost": 1, "value": 1}]
    snippets = [
        {**PLAIN, "variants": variants, "requires": ["b"], "section": "s"},
        {"id": "b", "cost": 1, "value": 0, "section": "s"},
    ]
    sections = {"s": {"cap": 0.5}}
    before = repr((snippets, sections))

    haversack.pack(snippets, 10, sections=sections)

    assert repr((snippets, sections)) == before


def test_a_packer_keeps_its_sections() -> None:
    """Checked once, picklable, unaffected by what happens to the caller's dict."""
    import pickle

    sections = {"s": {"cap": 5}}
    packer = haversack.Packer(sections=sections)
    sections["s"]["cap"] = 1

    again = pickle.loads(pickle.dumps(packer))

    assert again == packer
    assert again.pack([{**PLAIN, "section": "s"}], 10).value == 3


def test_without_values_the_order_counts_and_forms_need_their_own() -> None:
    """A ranked list may have structure, but a form's worth cannot be guessed."""
    assert haversack.pack([{"cost": 5, "group": "g"}, {"cost": 5, "group": "g"}], 10)._model.ranked
    unvalued = [{"id": "b", "cost": 5, "variants": [{"name": "short", "cost": 1}]}]
    assert "a value of its own" in str(refused(unvalued))
