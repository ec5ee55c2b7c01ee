"""Structure read natively is what reading with care makes of it: the same model, or the same error."""

from __future__ import annotations

import gc
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import haversack
from haversack import _core
from haversack._coerce import table
from haversack._model import Model, tabled
from haversack._reading import modelled
from haversack._sections import checked_sections
from tests.strategies import any_values, wide_costs

from .drawing import draw

Snippets = list[dict[str, Any]]

NAMES = st.sampled_from(["a", "b", "ab", "Ä"])
SECTIONS = checked_sections({"a": {"cap": 9}, "b": {"parent": "a"}, "ab": {"cap": "50%"}, "Ä": {}})
IDS = st.one_of(st.sampled_from(["0", "1", "2", "x", "y", "é", "7"]), st.integers(3, 8))
TEXTS = st.one_of(st.none(), st.sampled_from(["", "text", "\ud800"]))
TOKENS = st.sampled_from(["cost", "tokens"])


@st.composite
def numbered(draw: st.DrawFn) -> dict[str, Any]:
    """What a form holds, under either name of its tokens."""
    return {draw(TOKENS): draw(wide_costs), "value": draw(any_values), "text": draw(TEXTS)}


@st.composite
def plain_snippets(draw: st.DrawFn) -> Snippets:
    """Snippets with every field, as plain as they come; each has an id."""
    ids = draw(st.lists(IDS, unique_by=str, max_size=6))
    field = {
        "section": NAMES, "group": NAMES, "one_of": NAMES, "tier": st.integers(0, 2**70),
        "pinned": st.booleans(), "meta": st.just({"any": 1}), "score": st.none(),
        "requires": st.one_of(st.sampled_from(ids or ["x"]), st.lists(st.sampled_from(ids or ["x"]))),
    }  # fmt: skip
    snippets = []
    for id in ids:
        some = draw(st.sets(st.sampled_from(sorted(field))))
        names = draw(st.lists(st.sampled_from(["brief", "short", "title"]), unique=True))
        own = {} if names and draw(st.booleans()) else draw(numbered())
        one = {"id": id, **own, **{name: draw(st.one_of(st.none(), field[name])) for name in some}}
        if names or draw(st.booleans()):
            one["variants"] = [{"name": name, **draw(numbered())} for name in names]
        if not own and not one.get("variants"):
            one |= draw(numbered())
        snippets.append(dict(draw(st.permutations(list(one.items())))))
    return snippets


class Text(str):
    """A str that may do anything when it is compared."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared while it is read")

    def __hash__(self) -> int:
        raise AssertionError("hashed while it is read")


ODD: list[Any] = [
    None, True, -1, 0, 1.5, float("nan"), float("inf"), 2**80, "", "nobody", b"bytes", [], ["nobody"], [None],
    [True], (), ("0",), {"a": 1}, {"name": "short"}, [{"name": "full", "cost": 1, "value": 1}], [{"cost": 1}],
    [{"name": "s", "cost": 1, "value": 1, "extra": 1}], [{"name": "s", "cost": 1, "tokens": 1, "value": 1}],
    [{"name": "full", "cost": 1, "value": 1}, {"name": "s", "cost": 1, "value": 1}],
    [haversack.Variant("short", cost=2, value=3)], [{"name": "", "cost": 1, "value": 1}],
]  # fmt: skip


@st.composite
def odd_snippets(draw: st.DrawFn) -> Snippets:
    """The same with something out of the ordinary in one place."""
    snippets = draw(plain_snippets().filter(bool))
    one = draw(st.sampled_from(snippets))
    places = [one, *(one.get("variants") or ())]
    target = draw(st.sampled_from(places))
    keys = ["id", "cost", "tokens", "value", "pinned", "text", "section", "group", "one_of", "requires"]
    key = draw(st.sampled_from([*keys, "tier", "variants", "name", "score", "scores", "colour"]))
    if draw(st.booleans()):
        target.pop(key, None)
    else:
        target[key] = draw(st.sampled_from(ODD))
    return snippets


def told(read: Callable[[], Model]) -> Any:
    """All that a model knows, or the error that there was."""
    try:
        model = read()
    except haversack.InputError as error:
        return type(error), str(error), error.path, error.id, error.field
    if model.structure is None:
        return model.ids, model.costs, model.values, model.pinned
    places = range(len(model.objects))
    structure, numbers = model.structure, model.structure.options
    forms = [
        [(form.name, form.text, form.cost, form.value, str(form.place.path())) for form in row]
        for row in model.forms
    ]
    names = [[model.form_name(at, form) for form in range(len(row))] for at, row in enumerate(forms)]
    firsts = (model.ids, model.costs, model.values, model.pinned, model.texts(list(places), None))
    last = [len(row) - 1 for row in forms]
    columns = (
        numbers.begin,
        list(map(repr, numbers.values)),
        numbers.profits,
        structure.least,
        structure.most,
    )
    return *firsts, model.texts(list(places), last), forms, names, columns, structure.key()


def both(snippets: Snippets, pinned: object, sections: Any) -> tuple[Any, Any]:
    """What is read the quick way, and with care."""
    return (
        told(lambda: modelled(snippets, pinned=pinned, sections=sections)),
        told(lambda: tabled(snippets, table(snippets, None, pinned), sections)),
    )


PINS = st.sampled_from([None, None, "0", ["x"], lambda one: one["id"] == "1"])
DECLARED = st.sampled_from([None, SECTIONS])


@settings(max_examples=200, deadline=None)
@given(plain_snippets(), PINS, DECLARED)
def test_plain_structure_is_read_alike(snippets: Snippets, pinned: object, sections: Any) -> None:
    """Nothing of it needs care; what is pinned besides may."""
    assert _core.read_structured(snippets) is not None

    quick, careful = both(snippets, pinned, sections)

    assert quick == careful


@settings(max_examples=200, deadline=None)
@given(odd_snippets(), DECLARED)
@example([{"id": "a", "cost": 1, "value": 1}, {"id": "a", "cost": 1, "value": 1, "group": "b"}], None)
@example([{"id": "1", "cost": 1, "value": 1}, {"id": 1, "cost": 1, "value": 1, "group": "b"}], None)
@example([{"cost": 1, "value": 1}, {"cost": 1, "value": 1, "requires": "0"}], None)
@example([{"cost": 1, "value": 1, "id": "1"}, {"cost": 1, "value": 1, "group": "b"}], None)
@example([{"id": "a", "cost": 1, "value": 1, "section": "c"}], SECTIONS)
@example([{"id": 10**5000, "cost": 1, "value": 1, "group": "b"}], None)
def test_odd_structure_is_read_or_refused_alike(snippets: Snippets, sections: Any) -> None:
    """An error names the same place in the same words, whichever way found it."""
    quick, careful = both(snippets, None, sections)

    assert quick == careful


def test_packings_are_equal_whichever_way_they_were_read() -> None:
    """`Variant` records are read with care, the same as dicts natively."""
    random = Random(7)
    for _ in range(150):
        drawn = draw(random, 7)
        careful = [dict(one) for one in drawn.snippets]
        for one in careful:
            if "variants" in one:
                one["variants"] = [haversack.Variant(**variant) for variant in one["variants"]]
        last = {"id": "last", "cost": 0, "value": 0}
        careful.append({**last, "variants": [haversack.Variant("v", None, 0, 0)]})
        quick = [*drawn.snippets, {**last, "variants": [{"name": "v", "cost": 0, "value": 0}]}]
        assert _core.read_structured(quick) is not None
        assert _core.read_structured(careful) is None

        try:
            packings = [
                haversack.pack(one, drawn.budget, sections=drawn.sections, over_budget="allow")
                for one in (quick, careful)
            ]
        except haversack.InputError:
            continue

        assert packings[0] == packings[1]
        assert list(packings[0].decisions) == list(packings[1].decisions)
        assert packings[0].to_dict() == packings[1].to_dict()


@pytest.mark.parametrize("field", ["id", "section", "group", "one_of", "requires", "text"])
def test_nothing_of_the_caller_runs_while_it_is_read(field: str) -> None:
    """A str of another type is left to the careful way, unseen: it might change the list under our hands."""
    snippets = [{"id": "a", "cost": 1, "value": 1, "group": "g", field: Text("a")}]

    assert _core.read_structured(snippets) is None


def test_a_key_that_is_no_plain_str_is_not_compared() -> None:
    """Not even with the fields it might be."""

    class Key(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            raise AssertionError("compared while it is read")

    assert _core.read_structured([{Key("id"): "a", "cost": 1, "value": 1}]) is None


@pytest.mark.parametrize(
    ("read", "found"),
    [
        pytest.param(_core.read_structured, lambda read: read, id="structured"),
        pytest.param(_core.Columns.read, lambda read: read.ids, id="flat"),
    ],
)
def test_a_finaliser_that_runs_meanwhile_changes_nothing(
    read: Callable[[Snippets], Any], found: Callable[[Any], Any]
) -> None:
    """The collector may run one whenever a list is made; what was read is held by then."""
    snippets: Snippets = [
        {"id": f"number {at}", "cost": 10**6 + at, "value": at / 7, "text": f"text {at}"} for at in range(50)
    ]
    if read is _core.read_structured:
        snippets[-1] |= {"requires": ["number 1"], "section": f"section {len(snippets)}"}
        snippets[0]["variants"] = [{"name": f"form {len(snippets)}", "cost": 10**7, "value": 0.1}]
    known = deepcopy(found(read(deepcopy(snippets))))

    class Meddler:
        def __del__(self) -> None:
            for one in snippets:
                one.clear()
            snippets.clear()

    gc.collect()
    before = gc.get_threshold()
    gc.disable()
    try:
        meddler: Any = Meddler()
        meddler.itself = meddler
        del meddler
        gc.set_threshold(1)
        gc.enable()
        told = found(read(snippets))
    finally:
        gc.set_threshold(*before)
        gc.enable()

    assert told == known
    assert snippets == []


def test_texts_and_names_are_those_of_the_call() -> None:
    """What happens to the dicts later does not change a packing."""
    snippets: Snippets = [
        {"id": "a", "cost": 9, "value": 9, "text": "long", "group": "g",
         "variants": [{"name": "short", "cost": 2, "value": 5, "text": "brief"}]},
        {"id": "b", "cost": 1, "value": 1, "text": "one", "group": "g"},
    ]  # fmt: skip
    packing = haversack.pack(snippets, 5)
    for one in snippets:
        one["text"] = "changed"
    snippets[0]["variants"][0] |= {"name": "changed", "text": "changed"}

    assert packing.texts == ["brief", "one"]
    assert packing.forms == {"a": "short", "b": "full"}


def test_long_lists_within_a_snippet_are_read_too() -> None:
    """With care, where comparing each with each would take long."""
    variants = [{"name": f"v{at}", "cost": at, "value": at} for at in range(300)]
    many = [{"id": at, "cost": 1, "value": 1} for at in range(300)]
    snippets: Snippets = [{"id": "a", "variants": variants, "requires": list(range(300))}, *many]

    quick, careful = both(snippets, None, None)

    assert quick == careful


def test_links_that_are_none_are_absent() -> None:
    """Records written out as dicts have every key: where nothing is bound, they are read as flat ones."""
    absent = dict.fromkeys(("section", "group", "one_of", "requires", "tier", "variants", "score", "text"))
    snippets: Snippets = [{"id": at, "cost": at, "value": 1, **absent} for at in range(5)]

    assert _core.Columns.read(snippets) is not None
    assert modelled(snippets).structure is None
    quick, careful = both(snippets, None, None)
    assert quick == careful
    assert _core.Columns.read([{"cost": 1, "value": 1, "name": None}]) is None
