"""Packing with scores: what they become, which settings make values, what is refused."""

from __future__ import annotations

import json
import pickle
import time
from collections import UserDict
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import haversack
from haversack import Packer, Snippet, pack, pack_request
from haversack.values import Calibrator, from_scores

CALIBRATOR = Calibrator(["dense"], -1.0, [1.5, -0.5, 0.0, 0.2], [(-3, 3), (0, 5), (0, 9), (0, 7)])


def scored(*scores: Any, cost: int = 10) -> list[dict[str, Any]]:
    """Snippets a, b, ... that carry scores, with rising costs."""
    return [{"id": chr(97 + at), "cost": cost + at, "scores": score} for at, score in enumerate(scores)]


def values_of(packing: haversack.Packing[Any]) -> list[int | float]:
    """Every snippet's value, in input order."""
    return [decision.value for decision in packing.decisions]


def refused(snippets: Any, kind: type[haversack.InputError] = haversack.InputError, **settings: Any) -> Any:
    """The error that packing raises."""
    with pytest.raises(haversack.InputError) as caught:
        pack(snippets, 100, **settings)
    assert type(caught.value) is kind
    return caught.value


class TestScores:
    """The fields `score` and `scores`."""

    def test_one_number_becomes_a_share(self) -> None:
        """As `from_scores` makes it of the whole list, with the costs."""
        packing = pack(scored(0.9, 0.2, 0.5), 100)

        assert values_of(packing) == from_scores([0.9, 0.2, 0.5], [10, 11, 12])
        assert packing.value == pytest.approx(1)

    def test_score_is_scores_with_one_number(self) -> None:
        """Two spellings of one thing."""
        single = [{"id": s["id"], "cost": s["cost"], "score": s["scores"]} for s in scored(0.9, 0.2, 0.5)]

        assert pack(single, 20) == pack(scored(0.9, 0.2, 0.5), 20)

    def test_several_retrievers_are_named(self) -> None:
        """A snippet that one of them did not return misses its score."""
        snippets = scored({"dense": 0.9, "bm25": 3}, {"dense": 0.2}, {"bm25": 9, "dense": None})

        found = values_of(pack(snippets, 100))

        assert found == from_scores({"bm25": [3, None, 9], "dense": [0.9, 0.2, None]}, [10, 11, 12])

    @pytest.mark.parametrize("missing", [float("nan"), np.float32("nan")])
    def test_nan_is_a_missing_score(self, missing: float) -> None:
        """It counts as the lowest, as in `from_scores`."""
        assert values_of(pack(scored(0.9, missing, 0.5), 100)) == from_scores([0.9, None, 0.5], [10, 11, 12])

    def test_pins_are_not_compared(self) -> None:
        """Neither are they worth anything unless they say so."""
        pin = {"id": "rules", "cost": 5, "pinned": True, "score": 99}

        packing = pack([pin, *scored(0.9, 0.2)], 100)

        assert values_of(packing) == [0, *from_scores([0.9, 0.2], [10, 11])]
        assert packing["rules"].reason == "pinned"

    @pytest.mark.parametrize(
        "snippet",
        [
            Snippet("a", cost=5, scores={"dense": 0.5}),
            SimpleNamespace(id="a", cost=5, score=0.5),
            {"id": "a", "cost": 5, "score": np.float32(0.5)},
        ],
        ids=lambda snippet: type(snippet).__name__,
    )
    def test_every_shape_may_carry_them(self, snippet: Any) -> None:
        """One candidate is all there is: worth 1."""
        assert pack([snippet], 10).value == 1.0

    def test_fields_say_where_scores_are(self) -> None:
        """By a name, or by a function that names them."""
        hits = [{"n": 10, "cos": 0.9, "lex": 1.0}, {"n": 10, "cos": 0.1, "lex": 2.0}]
        fields: Any = {"cost": "n", "scores": lambda hit: {"dense": hit["cos"], "bm25": hit["lex"]}}

        assert pack(hits, 30, fields={"cost": "n", "score": "cos"}).decisions[0].value > 0.9
        assert values_of(pack(hits, 30, fields=fields)) == pytest.approx([0.5, 0.5])

    def test_the_repr_and_the_account_say_where_the_values_are_from(self) -> None:
        """They are shares, not what the caller wrote."""
        packing = pack(scored(0.9, 0.2), 100)

        assert "value 1 by scores" in repr(packing)
        assert "made from the scores" in packing.explain()

    def test_max_value_takes_scores_too(self) -> None:
        """The same rules."""
        assert haversack.max_value(scored(0.9, 0.2, 0.5), 12) == pack(scored(0.9, 0.2, 0.5), 12).value

    @given(
        # Where a factor makes a score subnormal, it loses bits.
        st.lists(
            st.just(0.0) | st.floats(1e-200, 1e6) | st.floats(-1e6, -1e-200) | st.none(),
            min_size=2,
            max_size=8,
        ),
        st.floats(2**-10, 2**10),
        st.integers(0, 60),
    )
    def test_the_unit_of_a_score_does_not_matter(
        self, scores: list[float | None], factor: float, budget: int
    ) -> None:
        """Powers of two are exact: the packing is the same to the last bit."""
        factor = 2.0 ** round(np.log2(factor))
        one = scored(*({"s": score} for score in scores))
        other = scored(*({"s": None if score is None else score * factor} for score in scores))

        assert pack(one, budget) == pack(other, budget)

    @given(st.permutations(range(6)), st.integers(10, 70))
    def test_the_order_of_the_input_does_not_matter(self, order: list[int], budget: int) -> None:
        """Scores say it all; the value is the same up to rounding."""
        snippets = scored(0.9, 0.1, 0.5, 0.55, 0.2, 0.3)

        assert pack([snippets[at] for at in order], budget).value == pytest.approx(
            pack(snippets, budget).value
        )

    @given(
        st.lists(
            st.tuples(
                st.integers(0, 50),
                st.floats(allow_infinity=False) | st.integers() | st.none() | st.just(10**400),
                st.sampled_from(["score", "scores", "named"]),
                st.sampled_from([None, "a", "b", 3]),
            ),
            max_size=6,
        ),
        st.integers(0, 120),
    )
    def test_plain_dicts_are_read_like_any_other_shape(
        self, rows: list[tuple[int, Any, str, Any]], budget: int
    ) -> None:
        """The quick way and the careful one agree, also on what they refuse."""
        snippets: list[dict[str, Any]] = [
            {"id": id, "cost": cost, **({"scores": {"x": score}} if kind == "named" else {kind: score})}
            for cost, score, kind, id in rows
        ]
        outcomes = []
        for shape in (dict, UserDict):
            try:
                packing = pack([shape(one) for one in snippets], budget)
                outcomes.append((repr(packing), values_of(packing), [d.id for d in packing.decisions]))
            except haversack.InputError as error:
                outcomes.append((str(error), [], []))

        assert outcomes[0] == outcomes[1]


class TestRefusals:
    """What does not add up is refused, and says what would."""

    def test_values_and_scores_in_one_call(self) -> None:
        """Different units."""
        error = refused([{"cost": 1, "value": 0.5}, {"id": "x", "cost": 1, "score": 0.5}])

        assert (error.path, error.id, error.field) == ("snippets[1].scores", "x", "scores")
        assert "scores are not values" in str(error)
        assert "snippets[0]" in str(error)
        assert "Calibrator" in str(error)

    def test_values_and_scores_in_one_snippet(self) -> None:
        """Which one?"""
        assert "beside a value" in str(refused([{"cost": 1, "value": 0.5, "score": 0.5}]))

    def test_some_without_scores(self) -> None:
        """Not retrieved and forgotten look alike: `{"score": None}` would say the first."""
        error = refused([{"cost": 1, "score": 0.5}, {"cost": 1}, {"cost": 1}])

        assert error.path == "snippets[1].scores"
        assert "2 of 3" in str(error)

    def test_score_and_scores(self) -> None:
        """One thing."""
        assert "drop one" in str(refused([{"cost": 1, "score": 1, "scores": {"a": 1}}]))

    @pytest.mark.parametrize("score", ["0.5", True, [0.5], 1j, object()], ids=repr)
    def test_what_is_no_number(self, score: Any) -> None:
        """By place and name."""
        error = refused([{"cost": 1, "scores": {"dense": score}}], haversack.InputTypeError)

        assert error.path == "snippets[0].scores['dense']"
        assert error.found is score

    @pytest.mark.parametrize("score", [float("inf"), -float("inf"), 10**400])
    def test_what_is_infinite(self, score: Any) -> None:
        """Nothing compares with it."""
        assert "infinity" in str(refused([{"cost": 1, "score": score}]))

    def test_no_score_at_all(self) -> None:
        """An empty mapping everywhere."""
        assert "holds no score" in str(refused([{"cost": 1, "scores": {}}]))

    @pytest.mark.parametrize("settings", [{}, {"values": CALIBRATOR}], ids=["auto", "calibrator"])
    @pytest.mark.parametrize("shape", [dict, UserDict])
    def test_names_that_differ_by_case(self, settings: Any, shape: Any) -> None:
        """A slip of the pen, not a second retriever."""
        snippets = [shape(one) for one in scored({"dense": 0.5}, {"dense": 0.2}, {"Dense": 0.9})]

        error = refused(snippets, **settings)

        assert (error.path, error.id) == ("snippets[2].scores", "c")
        assert "named 'Dense' here and 'dense' elsewhere, as in snippets[0]" in str(error)

    @pytest.mark.parametrize("settings", [{}, {"values": CALIBRATOR}], ids=["auto", "calibrator"])
    @pytest.mark.parametrize("kind", ["score", "scores"])
    @pytest.mark.parametrize("shape", [dict, UserDict])
    def test_a_bare_score_beside_named_ones(self, settings: Any, kind: str, shape: Any) -> None:
        """Which of them is it?"""
        snippets = [*scored({"dense": 0.5}), {"id": "b", "cost": 9, kind: 0.2}]

        error = refused([shape(one) for one in snippets], **settings)

        assert (error.path, error.id) == ("snippets[1].scores", "b")
        assert "name it, too, as in {'dense': 0.5}" in str(error)

    def test_a_missing_bare_score_beside_named_ones_is_none(self) -> None:
        """Nothing is not to be named."""
        snippets = scored({"dense": 0.5}, None, {"dense": 0.2})
        snippets[1]["score"] = float("nan")

        assert values_of(pack(snippets, 99)) == from_scores([0.5, None, 0.2], [10, 11, 12])
        assert values_of(pack(snippets, 99, values=CALIBRATOR)) == CALIBRATOR.predict(
            [0.5, None, 0.2], [10, 11, 12]
        )

    def test_names_that_differ_by_case_in_one_snippet(self) -> None:
        """Both cannot be meant."""
        error = refused([{"cost": 1, "scores": {"dense": 0.5, "Dense": 0.6}}])

        assert "named 'Dense' and 'dense' at once" in str(error)

    def test_one_name_in_two_types(self) -> None:
        """Both are the text "1"."""
        assert "name '1' twice" in str(refused([{"cost": 1, "scores": {1: 0.5, "1": 0.6}}]))

    def test_scores_make_no_values_of_forms(self) -> None:
        """Each form needs its own: the error names the way out, with and without values in the forms."""
        bare = {"id": "a", "cost": 50, "scores": 0.9, "variants": [{"name": "o", "cost": 5}]}
        valued = {**bare, "variants": [{"name": "o", "cost": 5, "value": 0.3}]}
        other = {"id": "b", "cost": 50, "scores": 0.2}

        for snippet in (bare, valued):
            told = str(refused([snippet, other]))
            assert "haversack.values.from_scores(scores, costs)" in told
            assert "leave the scores out" in told

    @pytest.mark.parametrize(
        ("values", "told"),
        [
            ("rank", "the order gives a snippet one value, and this one has 2 forms"),
            ("equal", 'values="equal" gives a snippet one value'),
            (lambda snippets, costs: [1] * len(costs), "a function gives a snippet one value"),
            (CALIBRATOR, "a Calibrator gives a snippet one value"),
        ],
    )
    def test_neither_does_any_setting(self, values: Any, told: str) -> None:
        """Nothing knows what a form is worth but whoever wrote it."""
        snippet = {"id": "a", "cost": 50, "variants": [{"name": "o", "cost": 5}]}
        if values is CALIBRATOR:
            snippet["scores"] = {"dense": 0.5}

        assert told in str(refused([snippet], values=values))

    @pytest.mark.parametrize("values", ["rank", "equal", lambda snippets, costs: [1] * len(costs)])
    def test_given_values_are_never_replaced(self, values: Any) -> None:
        """By no setting."""
        error = refused([{"cost": 1, "value": 7}], values=values)

        assert error.path == "snippets[0].value"
        assert "never replaced" in str(error)

    def test_the_way_out_that_it_names_works(self) -> None:
        """Values that are not read are not there."""
        fields = {"value": lambda one: None}

        assert pack([{"cost": 1, "value": 7}], 9, values="equal", fields=fields).value == 1


class TestSettings:
    """values="auto" | "rank" | "equal" | Calibrator | function."""

    @pytest.mark.parametrize("values", [None, "auto"])
    def test_auto_takes_values_then_scores_then_the_order(self, values: Any) -> None:
        """The default by name."""
        assert pack([{"cost": 1, "value": 7}], 9, values=values).value == 7
        assert pack([{"cost": 1, "score": 7}], 9, values=values).value == 1.0
        assert pack([{"cost": 1}], 9, values=values).value == 2**40

    def test_rank_goes_by_the_order_whatever_the_scores(self) -> None:
        """Best first; pins have no rank."""
        pin = {"id": "pin", "cost": 1, "pinned": True}

        packing = pack([pin, *scored(0.1, 0.9)], 100, values="rank")

        assert values_of(packing) == [0, 2**40, 2**40 * 7 // 10]
        assert "by rank" in repr(packing)

    def test_equal_counts_snippets(self) -> None:
        """As many as fit."""
        packing = pack([{"cost": 9}, {"cost": 5}, {"cost": 4}], 10, values="equal")

        assert packing.value == 2
        assert "by number" in repr(packing)

    def test_a_function_is_called_once_with_the_callers_objects_and_their_costs(self) -> None:
        """Of the optional snippets."""
        calls = []

        def longest(snippets: list[Any], costs: list[int]) -> Any:
            calls.append((snippets, costs))
            return np.array([len(snippet["text"]) for snippet in snippets], float)

        snippets = [{"cost": 1, "pinned": True}, {"cost": 2, "text": "abc"}, {"cost": 3, "text": "ab"}]

        packing = pack(snippets, 10, values=longest)
        packing.curve()

        assert values_of(packing) == [0, 3.0, 2.0]
        assert calls == [(snippets[1:], [2, 3])]
        assert calls[0][0][0] is snippets[1]

    @pytest.mark.parametrize("returned", [None, "ab", 5, {"a": 1, "b": 2}, {1: 1}])
    def test_a_function_returns_a_list(self, returned: Any) -> None:
        """Of numbers."""
        error = refused(scored(1, 2), haversack.InputTypeError, values=lambda snippets, costs: returned)

        assert error.field == "values"

    def test_a_function_returns_one_value_for_each(self) -> None:
        """Not for each snippet of the call."""
        error = refused(scored(1, 2), values=lambda snippets, costs: [1])

        assert "1 numbers for 2 optional snippets" in str(error)

    def test_what_a_function_returns_is_checked(self) -> None:
        """Like a value in the snippet."""
        error = refused(scored(1, 2), values=lambda snippets, costs: [1, float("nan")])

        assert error.path == "snippets[1].value"

    def test_an_error_of_the_function_comes_through(self) -> None:
        """Untouched."""
        with pytest.raises(ZeroDivisionError):
            pack(scored(1), 10, values=lambda snippets, costs: [1 / 0])

    def test_the_setting_is_kept_by_a_packer(self) -> None:
        """Also over a pickle."""
        packer = Packer(values=CALIBRATOR)

        assert pickle.loads(pickle.dumps(packer)) == packer
        assert packer.pack(scored(0.5, 0.1), 20) == pack(scored(0.5, 0.1), 20, values=CALIBRATOR)


class TestCalibrator:
    """values=Calibrator: probabilities, and what to expect of them."""

    def test_the_values_are_its_probabilities(self) -> None:
        """Of the named score, or of a bare number if it was fitted on one score."""
        wanted = CALIBRATOR.predict([0.9, 0.1], [10, 11])

        assert values_of(pack(scored({"dense": 0.9}, {"dense": 0.1}), 99, values=CALIBRATOR)) == wanted
        assert values_of(pack(scored(0.9, 0.1), 99, values=CALIBRATOR)) == wanted

    def test_the_packing_says_how_much_evidence_to_expect(self) -> None:
        """In statistics, repr and account; pins are no part of it."""
        snippets = [{"cost": 1, "value": 5, "pinned": True}, *scored(0.9, 0.1, 0.5)]

        packing = pack(snippets, 15, values=CALIBRATOR)

        optional = values_of(packing)[1:]
        chosen = [d.value for d in packing.decisions if d.reason == "chosen"]
        assert packing.statistics["expected_evidence"] == pytest.approx(sum(chosen))
        assert packing.statistics["expected_evidence_total"] == pytest.approx(sum(optional))
        told = f"xpected evidence: {sum(chosen):.1f} of {sum(optional):.1f}"
        assert told in repr(packing)
        assert told in packing.explain()

    def test_other_packings_say_nothing_of_it(self) -> None:
        """Shares are no probabilities."""
        assert "expected_evidence" not in pack(scored(0.9, 0.1), 99).statistics

    def test_probabilities_given_as_values_stand_beside_its_own(self) -> None:
        """And are never touched."""
        snippets = [{"cost": 3, "value": 0.25}, *scored(0.9, 0.1)]

        packing = pack(snippets, 99, values=CALIBRATOR)

        assert values_of(packing) == [0.25, *CALIBRATOR.predict([0.9, 0.1], [10, 11])]

    @pytest.mark.parametrize("value", [1.5, -0.1, 7])
    def test_a_value_that_is_no_probability_is_refused(self, value: float) -> None:
        """It would outweigh them all."""
        error = refused([{"cost": 3, "value": value}, *scored(0.9)], values=CALIBRATOR)

        assert error.path == "snippets[0].value"
        assert "probability" in str(error)

    def test_it_needs_scores(self) -> None:
        """Of every snippet without a value."""
        assert "Calibrator" in str(refused([{"cost": 3}], values=CALIBRATOR))
        assert refused([{"cost": 3}, *scored(0.9)], values=CALIBRATOR).path == "snippets[0].scores"

    def test_other_scores_than_it_was_fitted_on_are_refused(self) -> None:
        """By name."""
        assert "'dense'" in str(refused(scored({"bm25": 1}, {"bm25": 2}), values=CALIBRATOR))

    def test_a_score_that_no_snippet_carries_is_missing(self) -> None:
        """A retriever that is down, or found nothing: as a list of Nones."""
        both = Calibrator(
            ["dense", "bm25"], -1.0, [1.5, -0.5, 0.0, 1.5, -0.5, 0.0, 0.2],
            [(-3, 3), (0, 5), (0, 9), (-3, 3), (0, 5), (0, 9), (0, 7)],
        )  # fmt: skip
        nones = [{"dense": 0.1, "bm25": None}, {"dense": 0.4, "bm25": None}]

        found = values_of(pack(scored({"dense": 0.1}, {"dense": 0.4}), 99, values=both))

        assert found == values_of(pack(scored(*nones), 99, values=both))
        assert found == both.predict({"dense": [0.1, 0.4], "bm25": [None, None]}, [10, 11])
        nothing = values_of(pack(scored({}, {}), 99, values=both))
        assert nothing == both.predict([[None, None], [None, None]], [10, 11])

    def test_a_bare_number_is_none_of_several(self) -> None:
        """It has to be named."""
        both = Calibrator(["a", "b"], 0, [0] * 7, [(0, 1)] * 7)

        assert "name the score that a bare number is" in str(refused(scored(0.5, 0.1), values=both))

    def test_the_class_is_no_calibrator(self) -> None:
        """It has not been fitted."""
        error = refused(scored(0.5, 0.1), haversack.InputTypeError, values=Calibrator)

        assert "values is the class Calibrator" in str(error)

    def test_a_request_carries_it_as_data(self) -> None:
        """What `to_dict` gave."""
        request = {"budget": 99, "snippets": scored(0.9, 0.1), "values": CALIBRATOR.to_dict()}

        packing = pack_request(json.dumps(request))

        assert packing == pack(scored(0.9, 0.1), 99, values=CALIBRATOR)
        assert packing.statistics["expected_evidence"] > 0


class TestWire:
    """Scores and the settings in requests and written packings."""

    def test_a_request_may_carry_scores_and_name_the_setting(self) -> None:
        """Words only, or a calibrator."""
        request: dict[str, Any] = {"budget": 99, "snippets": scored({"x": 0.9}, {"x": 1.0})}

        assert pack_request(json.dumps(request)).value == pytest.approx(1)
        assert pack_request({**request, "values": "rank"}).value > 2**40

    def test_a_request_may_not_carry_a_function(self) -> None:
        """It is data."""
        with pytest.raises(haversack.InputTypeError, match="not a function"):
            pack_request({"budget": 9, "snippets": [{"cost": 1}], "values": lambda snippets, costs: []})

    def test_a_mapping_that_is_no_calibrator_is_named(self) -> None:
        """With what it should be."""
        with pytest.raises(haversack.InputError, match="no saved calibrator"):
            pack_request({"budget": 9, "snippets": [{"cost": 1}], "values": {"dense": 1}})

    @pytest.mark.parametrize("values", [None, "rank", "equal", CALIBRATOR])
    def test_a_written_packing_is_read_back_with_what_it_says_of_its_values(self, values: Any) -> None:
        """Repr, statistics and account."""
        packing = pack(scored(0.9, 0.1, 0.4), 25, values=values)

        again = haversack.Packing.from_dict(json.loads(json.dumps(packing.to_dict())))

        assert again == packing
        assert repr(again) == repr(packing)
        assert again.statistics == packing.statistics
        assert again.explain() == packing.explain()


def test_making_values_is_quick() -> None:
    """A thousand snippets with a score each: less than 5 ms in all, at best."""
    snippets = [{"id": f"s{at}", "cost": 20 + at * 37 % 280, "score": at * 0.7 % 1} for at in range(1000)]

    def timed() -> float:
        before = time.perf_counter()
        pack(snippets, 10_000)
        return time.perf_counter() - before

    assert min(timed() for _ in range(30)) < 0.005
