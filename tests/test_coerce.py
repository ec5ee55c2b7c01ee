"""Every shape that is taken, and every error that explains one that is not."""

from __future__ import annotations

import math
from collections import OrderedDict, UserDict, namedtuple
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import haversack
from haversack import Snippet


def refused(snippets: Any, kind: type[haversack.InputError] = haversack.InputError, **settings: Any) -> Any:
    """The error that packing raises."""
    with pytest.raises(haversack.InputError) as caught:
        haversack.pack(snippets, 100, **settings)
    assert type(caught.value) is kind
    return caught.value


def only(snippet: Any, **settings: Any) -> haversack.Decision:
    """The decision on a single snippet."""
    return haversack.pack([snippet], 1000, **settings).decisions[0]


class TestShapes:
    """Mappings, records, objects and models are read alike."""

    @pytest.mark.parametrize(
        "snippet",
        [
            {"id": "a", "cost": 5, "value": 2},
            {"id": "a", "tokens": 5, "value": 2},
            OrderedDict(id="a", cost=5, value=2),
            UserDict(id="a", cost=5, value=2),
            MappingProxyType({"id": "a", "cost": 5, "value": 2}),
            Snippet("a", cost=5, value=2),
            SimpleNamespace(id="a", cost=5, value=2, unknown=3),
            namedtuple("Row", "id cost value")("a", 5, 2),
            SimpleNamespace(model_dump=lambda: {"id": "a", "cost": 5, "value": 2, "unknown": 3}),
        ],
        ids=lambda snippet: type(snippet).__name__,
    )
    def test_every_shape_gives_the_same_decision(self, snippet: Any) -> None:
        """And comes back as itself."""
        packing = haversack.pack([snippet], 10)

        assert packing.selected[0] is snippet
        assert (packing["a"].cost, packing["a"].value) == (5, 2)

    def test_a_pydantic_model_is_read_by_its_dump(self) -> None:
        """If pydantic is there."""
        pydantic = pytest.importorskip("pydantic")
        model = pydantic.create_model("Doc", cost=(int, 5), value=(float, 0.5), colour=(str, "red"))

        assert only(model()).value == 0.5

    def test_a_method_of_the_same_name_is_no_field(self) -> None:
        """An object's start() or text() is not its start or text."""

        class Match:
            cost, value = 3, 1

            def start(self) -> int:
                return 0

            def text(self) -> str:
                return ""

        assert only(Match()).chosen

    def test_none_counts_as_absent(self) -> None:
        """In every field."""
        assert only(dict.fromkeys(Snippet.__slots__) | {"cost": 1, "tokens": None, "value": 1}).id == "0"

    def test_known_fields_that_say_nothing_to_the_packing_pass(self) -> None:
        """Text, source, start, end and meta are handed back untouched."""
        meta = object()
        snippet = {"cost": 1, "value": 1, "source": "x.py", "start": 0, "end": 9, "meta": meta, "text": "t"}

        packing = haversack.pack([snippet], 10)

        assert packing.selected == [snippet]
        assert packing.texts == ["t"]


class TestNumbers:
    """What is a cost and what is a value."""

    @pytest.mark.parametrize("cost", [np.int64(5), np.uint8(5), np.int32(5), np.array(5), 5])
    def test_whole_numbers_of_every_kind_are_costs(self, cost: Any) -> None:
        """And come out as plain ints."""
        decision = only({"cost": cost, "value": 1})

        assert decision.cost == 5
        assert type(decision.cost) is int

    @pytest.mark.parametrize(
        "value", [np.float64(0.5), np.float32(0.5), np.float16(0.5), np.array(0.5), np.longdouble(0.5), 0.5]
    )
    def test_floats_of_every_kind_are_values(self, value: Any) -> None:
        """And come out as plain floats."""
        decision = only({"cost": 1, "value": value})

        assert decision.value == 0.5
        assert type(decision.value) is float

    @pytest.mark.parametrize("value", [np.int64(7), np.array(7), np.uint64(7), 7])
    def test_whole_values_stay_ints(self, value: Any) -> None:
        """So the sum is an int."""
        assert type(haversack.pack([{"cost": 1, "value": value}], 5).value) is int

    def test_a_32_bit_float_is_the_number_it_holds(self) -> None:
        """Not the decimal it was written as."""
        assert only({"cost": 1, "value": np.float32(0.1)}).value == 0.10000000149011612

    @pytest.mark.parametrize(
        "value",
        [True, np.True_, "5", b"5", Decimal(1), Fraction(1), 1j, [1], np.array([1.0]), np.longdouble(1) / 3,
         np.timedelta64(1), object()],
        ids=repr,
    )  # fmt: skip
    def test_what_is_no_number_is_no_value(self, value: Any) -> None:
        """The error names the field and what was found."""
        error = refused([{"id": "x", "cost": 1, "value": value}], haversack.InputTypeError)

        assert (error.path, error.id, error.field) == ("snippets[0].value", "x", "value")
        assert error.found is value
        assert "'x'" in str(error)

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float64("nan")])
    def test_what_is_not_finite_is_no_value(self, value: Any) -> None:
        """It would upset the order."""
        error = refused([{"id": "x", "cost": 1, "value": value}])

        assert "finite" in str(error)
        assert error.path == "snippets[0].value"

    @pytest.mark.parametrize(
        "cost", [1.5, 2.0, np.float64(2), math.nan, True, "5", Decimal(2), [5]], ids=repr
    )
    def test_a_cost_is_a_whole_number(self, cost: Any) -> None:
        """A float is refused even when it is whole, with the number to use."""
        error = refused([{"cost": cost, "value": 1}], haversack.InputTypeError)

        assert error.path == "snippets[0].cost"
        if isinstance(cost, float) and cost == cost:
            assert "round it up: 2" in str(error)

    def test_a_negative_cost_is_refused_by_name(self) -> None:
        """It would enlarge the budget."""
        error = refused([{"id": "bad", "cost": -5, "value": 1}, {"cost": 10, "value": 5}])

        assert "'bad'" in str(error)
        assert "cost must not be negative" in str(error)

    @pytest.mark.parametrize("pinned", [1, 0, "true", "false", "yes", []])
    def test_pinned_is_true_or_false(self, pinned: Any) -> None:
        """The string 'false' is true in Python: refused, not guessed."""
        assert (
            refused([{"cost": 1, "value": 1, "pinned": pinned}], haversack.InputTypeError).field == "pinned"
        )

    def test_a_bool_of_numpy_pins(self) -> None:
        """It comes out of every comparison of arrays."""
        assert only({"cost": 1, "value": 1, "pinned": np.True_}).reason == "pinned"

    def test_a_missing_cost_is_named(self) -> None:
        """Beside a text, with those who could count it: exact and estimating ones."""
        assert "cost is missing" in str(refused([{"value": 1}]))
        said = str(refused([{"text": "hello", "value": 1}]))
        assert all(word in said for word in ("cost is missing", "counter=", "o200k_base", "bytes/3"))

    def test_cost_and_tokens_are_one_thing(self) -> None:
        """Both: which one?"""
        assert "drop one" in str(refused([{"cost": 1, "tokens": 1, "value": 1}]))

    def test_a_text_is_a_str(self) -> None:
        """On the careful path as on the fast one."""
        error = refused([Snippet("a", text=5, cost=1, value=1)], haversack.InputTypeError)  # type: ignore[arg-type]

        assert error.path == "snippets[0].text"


class TestIds:
    """Optional, str or int, kept as given, compared as str."""

    def test_the_default_is_the_position_as_str(self) -> None:
        """With '#' before it if that is taken."""
        snippets = [{"cost": 1, "value": 1}, {"id": "0", "cost": 1, "value": 1}, {"cost": 1, "value": 1}]

        assert [decision.id for decision in haversack.pack(snippets, 9).decisions] == ["#0", "0", "2"]

    def test_ids_are_kept_as_given_and_found_as_str(self) -> None:
        """An int stays an int."""
        packing = haversack.pack([{"id": 7, "cost": 1, "value": 1}], 9)

        assert packing.decisions[0].id == 7
        assert packing["7"] == packing[7]

    @pytest.mark.parametrize("ids", [("a", "a"), (1, "1"), (np.int64(1), 1)])
    def test_an_id_given_twice_names_both_places(self, ids: tuple[Any, Any]) -> None:
        """1 and '1' are the same."""
        first, second = ids

        error = refused([{"id": first, "cost": 1}, {"id": "other", "cost": 1}, {"id": second, "cost": 1}])

        assert "snippets[2]" in str(error)
        assert "snippets[0]" in str(error)
        assert error.path == "snippets[2].id"

    @pytest.mark.parametrize("id", [1.5, True, ("a",), b"a"])
    def test_what_is_neither_str_nor_int_is_no_id(self, id: Any) -> None:
        """str(...) is the caller's to choose."""
        assert refused([{"id": id, "cost": 1, "value": 1}], haversack.InputTypeError).field == "id"


class TestUnknownKeys:
    """A typo is an error with the nearest field and a line to paste."""

    @pytest.mark.parametrize(
        ("key", "line"),
        [
            ("page_content", 'fields={"text": "page_content"}'),
            ("vale", 'fields={"value": "vale"}'),
            ("n_tokens", 'fields={"cost": "n_tokens"}'),
            ("colour", "fields={}"),
        ],
    )
    def test_the_error_prints_the_line_to_paste(self, key: str, line: str) -> None:
        """A key that resembles nothing is ignored with fields={}."""
        fields = {"value": 1} if line.startswith('fields={"cost') else {"cost": 1}

        error = refused([{**fields, key: 1}])

        assert line in str(error)
        assert error.path == f"snippets[0].{key}"

    def test_the_pasted_line_works(self) -> None:
        """Without copying anything."""
        document = {"page_content": "hello", "n": 5, "p": 0.5, "colour": "red"}

        packing = haversack.pack(
            [document], 10, fields={"text": "page_content", "cost": "n", "value": lambda one: one["p"] * 2}
        )

        assert packing.selected[0] is document
        assert packing.texts == ["hello"]
        assert (packing.cost, packing.value) == (5, 1.0)

    def test_fields_read_attributes_of_objects(self) -> None:
        """By name, as keys of mappings."""
        assert only(SimpleNamespace(n=5, p=2), fields={"cost": "n", "value": "p"}).cost == 5

    def test_a_mapped_field_is_read_from_nowhere_else(self) -> None:
        """Not from the field's own name, nor from `tokens`."""
        snippet = {"cost": 1, "value": 1, "n": 5}

        assert only(snippet, fields={"cost": "n"}).cost == 5
        assert only({"tokens": 1, "value": 1, "n": 5}, fields={"cost": "n"}).cost == 5

    def test_a_mapped_key_that_no_snippet_has_is_an_error(self) -> None:
        """Silently absent values would be ranks."""
        error = refused([{"cost": 1, "relevance": 1}], fields={"value": "relevanse"})

        assert "'relevanse'" in str(error)
        assert "relevance" in str(error)

    @pytest.mark.parametrize(
        "fields",
        [
            {"vale": "x"},
            {"value": 5},
            5,
            "value",
            {"group": "x"},
            {"score": "x"},
            {"score": "x", "scores": "y"},
        ],
    )
    def test_a_wrong_mapping_is_refused(self, fields: Any) -> None:
        """Before any snippet is read."""
        with pytest.raises(haversack.InputError) as caught:
            haversack.pack([{"cost": 1, "value": 1}], 10, fields=fields)
        assert caught.value.field == "fields"


class TestNotYet:
    """What later versions pack by is refused, and says so."""

    def test_a_score_passes_beside_a_value_made_from_it(self) -> None:
        """The caller has answered for it."""
        snippet = {"cost": 1, "score": 0.5}

        assert only(snippet, fields={"value": lambda one: one["score"] ** 4}).value == 0.0625

    @pytest.mark.parametrize("snippet", [b"bytes", 5, None, ["a", 5], (1, 2), object()])
    def test_what_is_no_snippet_is_refused_by_position(self, snippet: Any) -> None:
        """With what would be one."""
        error = refused([{"cost": 1, "value": 1}, snippet], haversack.InputTypeError)

        assert error.path == "snippets[1]"

    @pytest.mark.parametrize("snippets", [None, 5, "text", b"text", {"cost": 1}, {"snippets": []}])
    def test_what_is_no_list_of_snippets_is_refused(self, snippets: Any) -> None:
        """A single mapping is likely a request."""
        assert refused(snippets, haversack.InputTypeError).path == "snippets"

    def test_a_table_of_columns_is_told_apart(self) -> None:
        """Iterating it would give column names."""

        class DataFrame:
            iloc = None

            def keys(self) -> list[str]:
                return ["cost"]

        assert 'to_dict("records")' in str(refused(DataFrame(), haversack.InputTypeError))


class TestPins:
    """The pinned= setting."""

    def test_an_id_that_no_snippet_has_is_an_error(self) -> None:
        """With the nearest one."""
        assert "did you mean 'rules'" in str(refused([{"id": "rules", "cost": 1}], pinned=["rule"]))

    def test_a_default_id_may_be_pinned(self) -> None:
        """By position, so to say."""
        assert haversack.pack([{"cost": 1, "value": 0}], 10, pinned=[0])["0"].reason == "pinned"

    @pytest.mark.parametrize("pinned", [1.5, object()])
    def test_what_is_neither_ids_nor_function_is_refused(self, pinned: Any) -> None:
        """As a setting."""
        assert refused([{"cost": 1}], haversack.InputTypeError, pinned=pinned).field == "pinned"


class TestAdvice:
    """What an error says to do works."""

    @pytest.mark.parametrize(
        "found",
        [
            b"1", "1", np.bytes_(b"1"), np.str_("1"), np.datetime64("2020-01-01"), np.timedelta64(1),
            np.void(b"1"), np.complex128(1), 1j, np.ma.masked, object(), [1],
        ],
        ids=lambda found: type(found).__name__,
    )  # fmt: skip
    def test_float_is_advised_only_where_it_helps(self, found: Any) -> None:
        """Text, dates, complex numbers: float() would fail, or lie."""
        error = refused([{"cost": 1, "value": found}], haversack.InputTypeError)

        assert "float()" not in str(error)
        assert error.path == "snippets[0].value"
        refused([{"cost": found, "value": 1}], haversack.InputTypeError)

    @pytest.mark.parametrize("found", [Decimal("0.1"), Fraction(1, 3), np.longdouble("0.1")], ids=repr)
    def test_float_is_advised_for_numbers_it_would_round(self, found: Any) -> None:
        """And then it does."""
        error = refused([{"cost": 1, "value": found}], haversack.InputTypeError)

        assert "convert it with float()" in str(error)
        assert only({"cost": 1, "value": float(found)}).value == float(found)


class TestVeryLongIntegers:
    """Python refuses to print them; messages say how long they are."""

    HUGE = 10**4999

    def test_a_negative_cost_is_shown(self) -> None:
        """By its length and its first digits."""
        assert "found -1e+4999, an integer of 5,000 digits (int)" in str(refused([{"cost": -self.HUGE}]))

    @pytest.mark.parametrize("id", [HUGE, -HUGE], ids=["above", "below"])
    def test_an_id_is_refused(self, id: int) -> None:
        """As it could not be compared as str."""
        error = refused([{"id": id, "cost": 1}])

        assert (error.path, error.found) == ("snippets[0].id", id)
        assert "use a str; found" in str(error)

    def test_looking_one_up_finds_nothing(self) -> None:
        """Without a bare ValueError."""
        with pytest.raises(KeyError, match="5,000 digits"):
            haversack.pack([{"cost": 1}], 1)[self.HUGE]
        assert "5,000 digits" in str(refused([{"cost": 1}], pinned=[self.HUGE]))
        assert "5,000 digits" in str(refused([{"cost": self.HUGE, "tokens": 1}]))
