"""A packing as people and programs read it."""

from __future__ import annotations

import copy
import json
import pickle
from html.parser import HTMLParser
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import haversack
from haversack import Packing
from tests.strategies import Snippets, any_values, budgets, snippets_of, wide_costs, wide_ints


def turn() -> list[dict[str, Any]]:
    """One snippet for every reason."""
    return [
        {"id": "rules", "cost": 120, "value": 5, "pinned": True, "text": "Be brief."},
        {"id": "api", "cost": 420, "value": 8, "text": "GET /"},
        {"id": "notes", "cost": 900, "value": 6},
        {"id": "log", "cost": 300, "value": 3},
        {"id": "mail", "cost": 350, "value": 2},
        {"id": "date", "cost": 0, "value": 1},
        {"id": "noise", "cost": 3, "value": 0},
        {"id": "book", "cost": 12_000, "value": 30},
    ]


def packing() -> Packing[dict[str, Any]]:
    """Most tests look at this one."""
    return haversack.pack(turn(), 1000)


TABLE = """\
Packing: 4 of 8 snippets, 840 of 1,000 tokens, value 17, optimal

  id     tokens  value  why
+ rules     120      5  pinned
+ api       420      8  chosen
- notes     900      6  no room: the pins leave 880
+ log       300      3  chosen
- mail      350      2  outvalued: 190 tokens short
+ date        0      1  free
- noise       3      0  worthless
- book   12,000     30  too long: 11,000 over the capacity of 1,000"""

EXPLAINED = """\
Packed 4 of 8 snippets, 840 of 1,000 tokens, value 17, optimal.
Budget 1,000 tokens; the pins take 120; 160 stay unused.
Optimal: no selection that fits is worth more.

rules is in: pinned, 120 tokens, value 5
api is in: chosen, 420 tokens, value 8
notes is out: no room, as it needs 900 tokens and the pins leave 880 of 1,000
log is in: chosen, 300 tokens, value 3
mail is out: outvalued, as it needs 350 tokens where 160 are left (190 short), and no selection with it is \
worth more
date is in: free, it costs nothing and is worth 1
noise is out: worthless, as a value of 0 adds nothing
book is out: too long, as alone it needs 12,000 tokens, 11,000 more than the capacity of 1,000"""


def put(written: dict[str, Any], path: list[Any], wrong: Any) -> None:
    """Let something else stand at a place of what was written."""
    inside: Any = written
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = wrong


class TestForPeople:
    """repr, print, explain, HTML."""

    def test_the_repr_is_one_line(self) -> None:
        """Snippets, tokens, value, proof."""
        assert repr(packing()) == "<Packing 4 of 8 snippets, 840 of 1,000 tokens, value 17, optimal>"

    def test_the_repr_tells_of_an_excess_and_of_a_gap(self) -> None:
        """What is not as hoped."""
        over = haversack.pack([{"cost": 120, "pinned": True}], 100, over_budget="allow")
        greedy = haversack.pack(
            [{"cost": 6, "value": 700}, {"cost": 5, "value": 500}, {"cost": 5, "value": 500}], 10, effort=0
        )

        assert repr(over) == "<Packing 1 of 1 snippet, 120 of 100 tokens (20 over), value 0, optimal>"
        assert not greedy.optimal
        assert f"at most {greedy.gap} below the best>" in repr(greedy)

    def test_print_shows_a_table(self) -> None:
        """Aligned, with separators, a row a snippet."""
        assert str(packing()) == TABLE

    def test_print_stops_at_forty_rows(self) -> None:
        """And says how many there are."""
        lines = str(haversack.pack([{"cost": 1, "value": 1}] * 1042, 5)).splitlines()

        assert lines[-1] == "... and 1,002 more"
        assert len(lines) == 1 + 1 + 1 + 40 + 1

    def test_a_long_id_of_many_lines_stays_in_its_cell(self) -> None:
        """The table keeps its shape."""
        lines = str(haversack.pack([{"id": "long\nid" * 20, "cost": 1, "value": 1}], 5)).splitlines()

        assert len(lines) == 4
        assert lines[-1].startswith("+ long\\nid")

    def test_explain_tells_the_whole_story(self) -> None:
        """The numbers, then a sentence a snippet."""
        assert packing().explain() == EXPLAINED

    def test_explain_tells_of_what_is_not_proven(self) -> None:
        """And by how much it may fall short."""
        greedy = haversack.pack(
            [{"cost": 6, "value": 700}, {"cost": 5, "value": 500}, {"cost": 5, "value": 500}], 10, effort=0
        )

        assert f"{greedy.gap} more than this" in greedy.explain()
        assert "nothing better with it was found" in greedy.explain()

    def test_numbers_of_any_length_can_be_shown(self) -> None:
        """Python refuses to print integers of more than 4,300 digits."""
        huge = 10**5000
        snippets = [
            {"id": "a", "cost": huge, "value": huge, "pinned": True},
            {"id": "b", "cost": huge, "value": 1},
        ]

        packing = haversack.pack(snippets, 5, over_budget="allow")

        assert "1e+5000 of 5 tokens (9.99999e+4999 over)" in repr(packing)
        assert "b is out: too long, as alone it needs 1e+5000 tokens" in packing.explain()
        assert "1e+5000" in packing.to_html()
        with pytest.warns(haversack.OverBudgetWarning, match=r"need 1e\+5000 tokens, but only 5"):
            haversack.pack(snippets, 5)

    def test_details_hold_the_numbers(self) -> None:
        """For programs that do not parse sentences."""
        assert packing()["notes"].detail == {"cost": 900, "room": 880, "pinned_cost": 120, "over": 20}
        assert packing()["mail"].detail == {"cost": 350, "value": 2, "remaining": 160, "missing": 190}
        assert packing()["book"].detail == {"cost": 12_000, "capacity": 1000, "over": 11_000}
        assert packing()["api"].detail == {"cost": 420, "value": 8}

    @pytest.mark.parametrize("write", [Packing._repr_html_, Packing.to_html])
    def test_html_escapes_what_is_foreign(self, write: Any) -> None:
        """An id is no markup."""
        html = write(haversack.pack([{"id": "<script>alert('&')</script>", "cost": 1, "value": 1}], 5))

        assert "<script" not in html
        assert "&lt;script&gt;" in html
        assert _unclosed(html) == []

    def test_a_notebook_shows_twenty_rows(self) -> None:
        """And the number of the others."""
        html = haversack.pack([{"cost": 1, "value": 1}] * 25, 5)._repr_html_()

        assert html.count("<tr") == 1 + 20
        assert "and 5 more" in html

    def test_the_page_stands_alone(self) -> None:
        """Nothing is loaded from elsewhere; every decision is there."""
        html = packing().to_html()

        assert html.startswith("<!doctype html>")
        assert "http" not in html
        assert html.count("<tr") == 1 + 8


class TestAccess:
    """Attributes, ids, decisions."""

    def test_every_attribute_is_there(self) -> None:
        """None until the feature that fills it is built."""
        empty = ("text", "messages", "values_by_tier", "text_tokens", "exact")

        assert [getattr(packing(), name) for name in empty] == [None] * 5
        assert packing().sections == {}
        assert (packing().frame, packing().reserve, packing().budget) == (0, 0, 1000)

    def test_texts_are_parallel_to_selected(self) -> None:
        """None where a snippet has none."""
        assert packing().texts == ["Be brief.", "GET /", None, None]

    def test_forms_name_the_chosen_form_by_id(self) -> None:
        """The snippet's own text is the form `full`."""
        assert packing().forms == {"rules": "full", "api": "full", "log": "full", "date": "full"}
        assert (packing()["api"].form, packing()["mail"].form) == ("full", None)

    def test_an_unknown_id_is_a_key_error_with_the_nearest(self) -> None:
        """As of a dict."""
        with pytest.raises(KeyError, match="did you mean 'rules'"):
            packing()["rule"]

    def test_a_packing_is_no_sequence(self) -> None:
        """Of what? Selected, dropped and decisions are."""
        with pytest.raises(TypeError):
            iter(packing())  # type: ignore[call-overload]

    def test_what_a_caller_does_to_a_list_stays_with_the_caller(self) -> None:
        """Each access gives a new one."""
        once = packing()

        once.selected.clear()
        once.dropped.clear()

        assert (len(once.selected), len(once.dropped)) == (4, 4)

    def test_decisions_are_a_sequence(self) -> None:
        """Indexed from both ends, sliced, counted, compared."""
        decisions = packing().decisions

        assert len(decisions) == 8
        assert decisions[-1].id == "book"
        assert [decision.id for decision in decisions[1:3]] == ["api", "notes"]
        assert [decision.id for decision in decisions[::-4]] == ["book", "log"]
        assert decisions == packing().decisions
        assert decisions.index(decisions[3]) == 3
        assert repr(decisions) == "<Decisions on 8 snippets: 4 in, 4 out>"
        with pytest.raises(IndexError):
            decisions[8]

    def test_a_decision_shows_its_fields(self) -> None:
        """All of them."""
        assert repr(packing()["api"]) == (
            "Decision(position=1, id='api', chosen=True, reason='chosen', form='full', cost=420, value=8, "
            "detail={'cost': 420, 'value': 8})"
        )

    def test_statistics_tell_what_the_search_did(self) -> None:
        """And whether the fewest tokens are proven."""
        assert packing().statistics["fewest_tokens"] is True
        assert packing().statistics["states"] >= 0


class TestEquality:
    """Two packings are equal if they chose the same among the same."""

    def test_equal_inputs_give_equal_packings(self) -> None:
        """Whatever objects they came in."""
        assert packing() == packing()
        assert packing() == haversack.pack([haversack.Snippet(**one) for one in turn()], 1000)

    @pytest.mark.parametrize("change", [{"budget": 1001}, {"reserve": 1}, {"effort": 0}])
    def test_other_settings_or_numbers_make_another_packing(self, change: dict[str, Any]) -> None:
        """The effort alone does not, if the result is the same."""
        other = haversack.pack(turn(), **{"budget": 1000, **change})

        assert (other == packing()) == ("effort" in change and other.optimal)

    def test_another_id_makes_another_packing(self) -> None:
        """Ids belong to it."""
        renamed = [{**one, "id": f"{one['id']}!"} for one in turn()]

        assert haversack.pack(renamed, 1000) != packing()


class TestToAndFrom:
    """Plain JSON and back; pickles."""

    @settings(max_examples=60, deadline=None)
    @given(snippets_of(values=any_values) | snippets_of(costs=wide_costs, values=wide_ints), budgets)
    def test_a_packing_survives_json(self, snippets: Snippets, budget: int) -> None:
        """Equal, and written the same again."""
        packing = haversack.pack(snippets, budget, over_budget="allow")

        again = Packing.from_dict(json.loads(json.dumps(packing.to_dict(), allow_nan=False)))

        assert again == packing
        assert again.to_dict() == packing.to_dict()
        assert [decision.reason for decision in again.decisions] == [d.reason for d in packing.decisions]
        assert again.curve([budget]) == packing.curve([budget])

    def test_without_inputs_the_snippets_come_back_as_bare_records(self) -> None:
        """Id, cost, value, pinned."""
        again = Packing.from_dict(packing().to_dict())

        assert again.selected[0] == haversack.Snippet("rules", cost=120, value=5, pinned=True)
        assert again.texts == [None] * 4

    def test_with_inputs_snippets_and_texts_come_back(self) -> None:
        """As plain dicts."""
        again = Packing.from_dict(json.loads(json.dumps(packing().to_dict(inputs=True))))

        assert again.selected == packing().selected
        assert again.texts == packing().texts

    def test_numbers_of_numpy_become_plain(self) -> None:
        """Also in ids and meta."""
        snippets = [
            {"id": np.int64(3), "cost": np.int32(4), "value": np.float32(0.5), "meta": {"at": np.arange(2)}}
        ]

        written = haversack.pack(snippets, np.int64(9)).to_dict(inputs=True)

        assert json.loads(json.dumps(written)) == written
        assert written["selected"] == [3]
        assert written["snippets"] == [{"id": 3, "cost": 4, "value": 0.5, "meta": {"at": [0, 1]}}]

    def test_what_json_cannot_hold_becomes_text(self) -> None:
        """A meta of any kind, NaN included."""
        snippet = {"cost": 1, "value": 1, "meta": {1: {2}, "nan": float("nan"), "kind": int, "none": None}}

        (written,) = haversack.pack([snippet], 5).to_dict(inputs=True)["snippets"]

        assert written["meta"] == {"1": [2], "nan": "nan", "kind": "<class 'int'>", "none": None}

    @pytest.mark.parametrize("data", [{}, {"version": 2}, {"version": 1}, [], None])
    def test_what_to_dict_did_not_write_is_refused(self, data: Any) -> None:
        """With an error of ours."""
        with pytest.raises(haversack.InputError, match="no packing that to_dict"):
            Packing.from_dict(data)

    @pytest.mark.parametrize("again", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy, copy.copy])
    def test_a_packing_can_be_pickled_and_copied(self, again: Any) -> None:
        """With the caller's objects and the texts."""
        other = again(packing())

        assert other == packing()
        assert other.selected == packing().selected
        assert other.texts == packing().texts
        assert other.statistics == packing().statistics

    def test_a_decision_can_be_pickled_alone(self) -> None:
        """Without the packing."""
        decision = packing()["mail"]

        again = pickle.loads(pickle.dumps(decision))

        assert again == decision
        assert str(again) == str(decision)
        assert hash(again) == hash(decision)


class TestBeside:
    """curve() and diff()."""

    def test_a_curve_is_what_packing_anew_would_give(self) -> None:
        """With the same reserve."""
        packing = haversack.pack(turn(), 1000, reserve=50)

        for budget, value, cost in packing.curve([200, 600, 2000]):
            again = haversack.pack(turn(), budget, reserve=50, over_budget="allow")
            assert (again.value, again.cost) == (value, cost)

    def test_the_default_curve_rises_in_tenths_and_beyond(self) -> None:
        """Up to twice the budget, which is among them."""
        points = packing().curve()

        assert [point.budget for point in points] == [*range(100, 1001, 100), 1250, 1500, 2000]
        assert [point.value for point in points] == sorted(point.value for point in points)
        assert points[9].value == packing().value

    def test_a_diff_is_of_ids_from_the_earlier_packing_to_this_one(self) -> None:
        """Whatever else their inputs were."""
        before = haversack.pack(
            [{"id": "api", "cost": 5, "value": 1}, {"id": "old", "cost": 5, "value": 1}], 10
        )

        diff = packing().diff(before)

        assert (diff.entered, diff.left, diff.kept) == (["rules", "log", "date"], ["old"], ["api"])


def _unclosed(html: str) -> list[str]:
    """Tags that were opened and not closed, or the other way round."""
    stack: list[str] = []
    wrong: list[str] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: Any) -> None:
            if tag != "meta":
                stack.append(tag)

        def handle_endtag(self, tag: str) -> None:
            if not stack or stack.pop() != tag:
                wrong.append(tag)

    Parser().feed(html)
    return stack + wrong


class TestReadOnly:
    """A packing is a record of what happened."""

    @pytest.mark.parametrize(
        "name",
        [name for name in dir(Packing) if not name.startswith("_") and not callable(getattr(Packing, name))],
    )
    def test_no_public_attribute_can_be_set(self, name: str) -> None:
        """Whichever it is."""
        one = packing()
        before = getattr(one, name)

        with pytest.raises(AttributeError):
            setattr(one, name, 5)
        assert getattr(one, name) == before

    def test_the_decisions_travel_alone(self) -> None:
        """By pickle and by copy, on both paths of the reader."""
        for one in (
            packing(),
            haversack.pack([*turn(), {"id": "wide", "cost": 2**70, "value": 2**80}], 1000),
        ):
            for other in (pickle.loads(pickle.dumps(one.decisions)), copy.deepcopy(one.decisions)):
                assert other == one.decisions
                assert list(map(str, other)) == list(map(str, one.decisions))
                assert other[2].detail == one.decisions[2].detail

    def test_decisions_on_what_hangs_together_travel_alone(self) -> None:
        """With the forms taken and the numbers behind the reasons."""
        one = structured()
        for other in (pickle.loads(pickle.dumps(one.decisions)), copy.deepcopy(one.decisions)):
            assert other == one.decisions
            assert list(map(str, other)) == list(map(str, one.decisions))
            assert [decision.form for decision in other] == ["outline", None, "full", None]
            assert other[1].detail == one.decisions[1].detail
            assert pickle.loads(pickle.dumps(other)) == other


def structured() -> Packing[Any]:
    """Forms, a section, a requirement, tiers."""
    return haversack.pack(
        [
            {"id": "app", "text": "def app(): ...", "cost": 120, "value": 10, "section": "code",
             "variants": [{"name": "outline", "text": "app()", "cost": 30, "value": 6}]},
            {"id": "test", "cost": 60, "value": 5, "requires": ["app"], "section": "code", "tier": 1},
            {"id": "rules", "cost": 10, "value": 1, "pinned": True},
            {"id": "log", "cost": 900, "value": 1, "tier": 1},
        ],
        200,
        sections={"code": {"cap": 80}},
    )  # fmt: skip


class TestWrongArguments:
    """Of the methods: named as those of `pack` are."""

    @pytest.mark.parametrize(
        ("path", "wrong"),
        [
            (["budget"], "x"),
            (["budget"], -5),
            (["reserve"], 1.5),
            (["frame"], None),
            (["value"], "x"),
            (["value"], float("nan")),
            (["bound"], True),
            (["cost"], "x"),
            (["optimal"], "yes"),
            (["valued_by"], "luck"),
            (["copies"], {"notes": {"x": {}}, "counts": {}}),
            (["copies"], {"notes": {}, "counts": {"duplicates": "2"}}),
            (["copies"], 5),
            (["effort"], "much"),
            (["statistics"], 5),
            (["decisions"], [5]),
            (["decisions", 0, "chosen"], 7),
            (["decisions", 0, "pinned"], "no"),
            (["decisions", 0, "cost"], -1),
            (["decisions", 0, "value"], "8"),
            (["decisions", 0, "id"], None),
            (["decisions", 0, "id"], [1]),
            (["snippets"], []),
            (["texts"], ["one"]),
        ],
        ids=repr,
    )
    def test_from_dict_takes_only_what_to_dict_wrote(self, path: list[Any], wrong: Any) -> None:
        """Refused at once, not when somebody prints it."""
        written = packing().to_dict(inputs=True)
        put(written, path, wrong)

        with pytest.raises(haversack.InputError):
            Packing.from_dict(written)

    @pytest.mark.parametrize(
        ("path", "wrong"),
        [
            (["budget"], "x"),
            (["bound"], 16),
            (["bound"], [16]),
            (["bound", 0], "x"),
            (["value"], [7, 0]),
            (["decisions", 0, "chosen"], False),
            (["decisions", 0, "id"], None),
            (["decisions"], []),
            (["snippets"], []),
            (["texts"], ["one"]),
            (["structure"], 5),
            (["structure", "forms", 0], []),
            (["structure", "forms", 0, 0, "name"], 5),
            (["structure", "forms", 0, 1, "cost"], -1),
            (["structure", "forms", 0, 1, "value"], "6"),
            (["structure", "choice", 0], 2),
            (["structure", "choice", 0], 0.5),
            (["structure", "choice", 1], 0),
            (["structure", "choice"], [1]),
            (["structure", "pinned", 0], "no"),
            (["structure", "pinned"], []),
            (["structure", "sections", 0], 5),
            (["structure", "sections", 0], "elsewhere"),
            (["structure", "groups", 0], ""),
            (["structure", "requires", 1], [9]),
            (["structure", "requires", 1], [-1]),
            (["structure", "requires", 1], "app"),
            (["structure", "one_of", 0], [1]),
            (["structure", "tiers", 0], -1),
            (["structure", "tiers", 0], "1"),
            (["structure", "has_tiers"], 1),
            (["structure", "has_tiers"], False),
            (["structure", "declared"], {"code": {"cap": "much"}}),
            (["structure", "declared"], {"code": {"parent": "none"}}),
            (["structure", "caps"], []),
            (["structure", "caps", 0], "80"),
        ],
        ids=repr,
    )
    def test_nor_does_it_take_another_structure(self, path: list[Any], wrong: Any) -> None:
        """Each part of it is checked."""
        written = json.loads(json.dumps(structured().to_dict(inputs=True)))
        assert Packing.from_dict(written) == structured()
        put(written, path, wrong)

        with pytest.raises(haversack.InputError):
            Packing.from_dict(written)

    @pytest.mark.parametrize("budgets", [5, "57", None.__class__, 2.5], ids=repr)
    def test_a_curve_needs_budgets(self, budgets: Any) -> None:
        """Not one."""
        with pytest.raises(haversack.InputTypeError, match=r"^budgets must be an iterable"):
            packing().curve(budgets)

    def test_a_diff_needs_a_packing(self) -> None:
        """Not anything."""
        other: Any = {"selected": []}
        with pytest.raises(haversack.InputTypeError, match=r"another Packing; found \{"):
            packing().diff(other)


class TestBeyondTheFloats:
    """No number of an answer is infinite: JSON has no infinity, and a bound of it proves nothing."""

    LARGEST = 1.7976931348623157e308

    @pytest.mark.parametrize("second", [1e290, 1e-300, 5.0])
    def test_a_bound_beyond_them_is_an_error(self, second: float) -> None:
        """A greedy value at the edge of the floats, its bound beyond."""
        snippets = [{"cost": 6, "value": self.LARGEST}, {"cost": 5, "value": second}]
        with pytest.raises(haversack.InputError, match="beyond the range of floats"):
            haversack.pack(snippets, 10, effort="greedy")

        assert haversack.pack(snippets, 10).bound == self.LARGEST

    def test_a_proven_value_at_the_edge_is_written(self) -> None:
        """Finite, so JSON."""
        written = haversack.pack([{"cost": 6, "value": self.LARGEST}], 10, effort="greedy").to_dict()

        assert json.loads(json.dumps(written, allow_nan=False))["bound"] == self.LARGEST


def test_what_people_read_obeys_no_control_character() -> None:
    """Printed, explained, or a decision alone: an id cannot steer the terminal, nor start a line."""
    one = haversack.pack([{"id": "a\n\x1b[31m\u202e", "cost": 1, "value": 1}], 5)

    for shown in (str(one), one.explain(), str(one.decisions[0])):
        assert "a\\n\\x1b[31m\\u202e" in shown
        assert "\x1b" not in shown


def test_a_missing_id_among_many_is_told_at_once() -> None:
    """With the likely one, if one letter alone is wrong."""
    packing = haversack.pack([{"id": f"Document-{at}", "cost": 1, "value": 1} for at in range(20_000)], 9)

    start = process_time()
    for asked, meant in (
        ("document-77", "Document-77"), ("documnt-4711", "Document-4711"), ("docXment-4711", "Document-4711"),
        ("docuument-4711", "Document-4711"), ("ocument-3", "Document-3"),
        ("memo", None), ("dokumeny-4711", None),
    ):  # fmt: skip
        with pytest.raises(KeyError) as caught:
            packing[asked]
        assert ("did you mean" in str(caught.value)) == (meant is not None), asked
        assert meant is None or f"did you mean '{meant}'" in str(caught.value)
    assert process_time() - start < 3
