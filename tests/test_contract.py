"""The rules of the packing, each as a property, against enumeration and the readable reference."""

from __future__ import annotations

import copy
import math
import warnings
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import haversack
from haversack import reference
from tests.strategies import (
    Snippets,
    any_values,
    best_of,
    budgets,
    floats,
    rounded,
    small_costs,
    small_ints,
    snippets_of,
    wide_costs,
    wide_ints,
    worth,
)

settings.register_profile("contract", max_examples=150, deadline=None)
settings.load_profile("contract")

mixed = st.one_of(
    snippets_of(),
    snippets_of(values=floats),
    snippets_of(values=any_values),
    snippets_of(costs=wide_costs, values=wide_ints),
)


def packed(snippets: Any, budget: Any, **settings: Any) -> haversack.Packing[Any]:
    """Pack where pins over the budget are expected."""
    return haversack.pack(snippets, budget, over_budget="allow", **settings)


def positions(snippets: Snippets, chosen: Snippets) -> list[int]:
    """The positions of the caller's own objects, by identity."""
    at = {id(snippet): position for position, snippet in enumerate(snippets)}
    return [at[id(snippet)] for snippet in chosen]


class TestPinned:
    """Pinned: always in; off the capacity, on the total, never competing."""

    @given(mixed, budgets)
    def test_every_pin_is_in_whatever_the_budget(self, snippets: Snippets, budget: int) -> None:
        """Also the useless and the huge ones."""
        chosen = positions(snippets, packed(snippets, budget).selected)

        assert {p for p, snippet in enumerate(snippets) if snippet["pinned"]} <= set(chosen)

    @given(snippets_of(), budgets, small_costs, small_ints)
    def test_a_pin_is_worth_its_value_and_costs_the_rest_its_tokens(
        self, snippets: Snippets, budget: int, cost: int, value: int
    ) -> None:
        """Adding a pin equals a smaller budget and a larger total."""
        pin = {"cost": cost, "value": value, "pinned": True}

        with_pin = packed([*snippets, pin], budget + cost)

        assert packed(snippets, budget).value + value == with_pin.value

    def test_a_pin_without_a_value_is_worth_nothing(self) -> None:
        """Beside optional snippets with values."""
        packing = packed([{"cost": 3, "pinned": True}, {"cost": 2, "value": 4}], 5)

        assert packing.value == 4

    def test_a_pin_keeps_a_negative_value(self) -> None:
        """It is counted, as everything that is in."""
        assert packed([{"cost": 3, "value": -7, "pinned": True}], 5).value == -7

    def test_the_setting_pins_besides_the_field(self) -> None:
        """By ids, by one id, or by a function of the caller's object."""
        snippets = [{"id": name, "cost": 5, "value": 1, "pinned": name == "a"} for name in "abc"]

        for pinned in (["b"], "b", iter(["b"]), lambda snippet: snippet["id"] == "b"):
            packing = packed(snippets, 0, pinned=pinned)
            assert [snippet["id"] for snippet in packing.selected] == ["a", "b"]


class TestClamp:
    """The room is max(0, capacity - pinned cost); pins over it stay in and are reported."""

    @given(mixed, budgets, st.integers(0, 40))
    def test_the_numbers_of_the_budget_agree(self, snippets: Snippets, budget: int, reserve: int) -> None:
        """Each is defined by the others."""
        packing = packed(snippets, budget, reserve=reserve)
        pinned_cost = sum(snippet["cost"] for snippet in snippets if snippet["pinned"])

        assert packing.capacity == budget - reserve
        assert packing.room == max(0, packing.capacity - pinned_cost)
        assert packing.remaining == max(0, packing.capacity - packing.cost)
        assert packing.over_budget == max(0, pinned_cost - packing.capacity)
        assert packing.cost == sum(snippet["cost"] for snippet in packing.selected)
        assert packing.cost - pinned_cost <= packing.room

    def test_pins_over_the_budget_leave_nothing_to_the_rest_and_still_count(self) -> None:
        """The seed's pitfall: a negative room must not wrap around."""
        packing = packed(
            [{"cost": 7, "value": 3, "pinned": True}, {"cost": 1, "value": 9}, {"cost": 0, "value": 2}], 5
        )

        assert packing.value == 3 + 2
        assert packing.room == 0
        assert packing.over_budget == 2


class TestOverBudget:
    """What happens when the pins alone are over."""

    pin = {"id": "rules", "cost": 1900, "value": 1, "pinned": True}  # noqa: RUF012

    def test_a_warning_names_both_numbers_and_the_costliest_pins_at_the_callers_line(self) -> None:
        """The default of `pack`."""
        with pytest.warns(haversack.OverBudgetWarning, match=r"1,900.*1,596.*'rules' 1,900") as caught:
            haversack.pack([self.pin], 4096, reserve=2500)

        assert caught[0].filename == __file__

    @pytest.mark.parametrize(
        "call",
        [
            lambda pin: haversack.pack([pin], 100),
            lambda pin: haversack.Packer().pack([pin], 100),
            lambda pin: haversack.pack_request({"budget": 100, "snippets": [pin]}),
        ],
    )
    def test_every_door_warns_at_the_callers_line(self, call: Any) -> None:
        """However deep the warning arises."""
        with pytest.warns(haversack.OverBudgetWarning) as caught:
            call(self.pin)

        assert caught[0].filename == __file__

    def test_raising_tells_the_same_numbers(self) -> None:
        """In the message and as attributes."""
        with pytest.raises(haversack.OverBudgetError, match="1900") as caught:
            haversack.pack([self.pin], 4096, reserve=2500, over_budget="raise")

        assert (caught.value.needed, caught.value.available) == (1900, 1596)
        assert (caught.value.budget, caught.value.reserve, caught.value.excess) == (4096, 2500, 304)
        assert caught.value.pins == [("rules", 1900)]

    def test_allowing_is_silent_and_reports(self) -> None:
        """Warnings are errors here: none comes."""
        assert packed([self.pin], 100).over_budget == 1800

    @pytest.mark.parametrize("reserve", [6000, 7000])
    def test_a_reserve_that_takes_the_budget_falls_under_the_same_policy(self, reserve: int) -> None:
        """With nothing pinned at all."""
        snippets = [{"id": "a", "cost": 50, "value": 1}]

        with pytest.raises(haversack.OverBudgetError, match=f"reserve of {reserve:,}.*{reserve}"):
            haversack.pack(snippets, 6000, reserve=reserve, over_budget="raise")
        with pytest.warns(haversack.OverBudgetWarning, match="reserve"):
            assert haversack.pack(snippets, 6000, reserve=reserve).selected == []

    def test_pins_that_fill_the_budget_to_the_last_token_are_not_over(self) -> None:
        """Equal is not over."""
        assert haversack.pack([self.pin], 1900, over_budget="raise").over_budget == 0

    def test_a_budget_of_nothing_without_a_reserve_is_no_excess(self) -> None:
        """0 means nothing fits; it is neither an error nor no limit."""
        assert haversack.pack([{"cost": 5, "value": 1}], 0).selected == []


class TestFreeAndWorthless:
    """What costs nothing and is worth something is in; what is worth nothing is not chosen."""

    @given(mixed, budgets)
    def test_free_snippets_are_in_and_worthless_ones_out(self, snippets: Snippets, budget: int) -> None:
        """At any budget."""
        chosen = positions(snippets, packed(snippets, budget).selected)
        optional = {p for p, snippet in enumerate(snippets) if not snippet["pinned"]}
        free = {p for p in optional if snippets[p]["cost"] == 0 and snippets[p]["value"] > 0}
        worthless = {p for p in optional if snippets[p]["value"] <= 0}

        assert free <= set(chosen)
        assert not worthless & set(chosen)


class TestOnceAndOrder:
    """Selected and dropped together are the input, each once, in order, the caller's own objects."""

    @given(mixed, budgets)
    def test_selected_and_dropped_share_out_the_input(self, snippets: Snippets, budget: int) -> None:
        """By identity."""
        packing = packed(snippets, budget)
        selected, dropped = positions(snippets, packing.selected), positions(snippets, packing.dropped)

        assert selected == sorted(selected)
        assert dropped == sorted(dropped)
        assert sorted([*selected, *dropped]) == list(range(len(snippets)))

    def test_one_object_given_twice_is_two_snippets(self) -> None:
        """Positions tell them apart."""
        snippet = {"cost": 5, "value": 1}

        assert packed([snippet, snippet], 10).selected == [snippet, snippet]
        assert packed([snippet, snippet], 5).selected == [snippet]


class TestBest:
    """Ties: greatest value, then fewest tokens, then input order among equals."""

    @given(mixed, budgets)
    def test_no_selection_is_worth_more(self, snippets: Snippets, budget: int) -> None:
        """Enumerated; with numbers of every kind and size."""
        packing = packed(snippets, budget)
        best = best_of(snippets, budget)

        assert packing.optimal
        assert worth(packing.selected) == best.value
        assert packing.value == rounded(best.value, snippets)

    @given(mixed, budgets)
    def test_of_equal_values_the_fewest_tokens_are_taken(self, snippets: Snippets, budget: int) -> None:
        """Where the statistics say so; small inputs are always proven."""
        packing = packed(snippets, budget)

        assert packing.statistics["fewest_tokens"]
        assert packing.cost == best_of(snippets, budget).cost

    @given(snippets_of(costs=st.integers(0, 3), values=st.integers(0, 3)), budgets)
    def test_equal_snippets_are_taken_in_input_order(self, snippets: Snippets, budget: int) -> None:
        """A later one is in only if all its equals before it are."""
        chosen = set(positions(snippets, packed(snippets, budget).selected))

        for later in chosen:
            equals = [p for p in range(later) if snippets[p] == snippets[later]]
            assert set(equals) <= chosen

    @given(snippets_of(), budgets)
    def test_the_reference_finds_the_same_value_and_cost(self, snippets: Snippets, budget: int) -> None:
        """The seed's table."""
        value, chosen = reference.choose(snippets, budget)
        packing = packed(snippets, budget)

        assert packing.value == value
        assert packing.cost == sum(snippets[p]["cost"] for p in chosen)

    @given(mixed, budgets, st.randoms(use_true_random=False))
    def test_the_order_of_the_input_changes_no_value(
        self, snippets: Snippets, budget: int, random: Any
    ) -> None:
        """A permutation is the same problem."""
        shuffled = random.sample(snippets, len(snippets))

        assert packed(snippets, budget).value == packed(shuffled, budget).value

    @given(mixed, budgets)
    def test_the_same_input_gives_the_same_packing(self, snippets: Snippets, budget: int) -> None:
        """Twice in one process; other processes are the judges' business."""
        assert packed(snippets, budget) == packed(snippets, budget)

    @given(mixed, budgets)
    def test_max_value_is_the_packings_value(self, snippets: Snippets, budget: int) -> None:
        """And never warns: warnings are errors here."""
        assert haversack.max_value(snippets, budget) == packed(snippets, budget).value


class TestMonotone:
    """A larger budget never lowers the value."""

    @given(mixed, budgets, st.integers(1, 30))
    def test_a_larger_budget_never_lowers_the_value(self, snippets: Snippets, budget: int, more: int) -> None:
        """It only adds selections."""
        assert packed(snippets, budget).value <= packed(snippets, budget + more).value

    @given(mixed, budgets)
    def test_one_more_snippet_never_lowers_the_value(self, snippets: Snippets, budget: int) -> None:
        """It may be left out."""
        more = [{**snippet, "pinned": False} for snippet in snippets[:1]] + snippets[1:]

        assert worth(packed(snippets[1:], budget).selected) <= worth(packed(more, budget).selected)


class TestBound:
    """The bound is true at every effort and met exactly when optimal."""

    @given(mixed, budgets, st.sampled_from([0, 1, 5, 50, None, math.inf, "greedy", "normal", "full"]))
    def test_value_bound_gap_and_proof_agree(self, snippets: Snippets, budget: int, effort: Any) -> None:
        """Whatever the effort, the bound holds the optimum."""
        packing = packed(snippets, budget, effort=effort)

        assert worth(packing.selected) <= best_of(snippets, budget).value
        assert Fraction(packing.bound) >= rounded(best_of(snippets, budget).value, snippets)
        assert packing.optimal == (packing.bound == packing.value) == (packing.gap == 0)
        assert type(packing.bound) is type(packing.value)

    @given(mixed, budgets)
    def test_no_effort_at_all_still_packs_what_greedy_packs(self, snippets: Snippets, budget: int) -> None:
        """By value per token, the lighter first of equals, skipping what does not fit."""
        order = sorted(
            (snippet for snippet in snippets if not snippet["pinned"] and snippet["value"] > 0),
            key=lambda snippet: (
                -Fraction(snippet["value"]) / snippet["cost"] if snippet["cost"] else -math.inf,
                snippet["cost"],
            ),
        )
        pins = [snippet for snippet in snippets if snippet["pinned"]]
        room, greedy = max(0, budget - sum(pin["cost"] for pin in pins)), worth(pins)
        for snippet in order:
            if snippet["cost"] <= room:
                room -= snippet["cost"]
                greedy += Fraction(snippet["value"])

        assert worth(packed(snippets, budget, effort=0).selected) >= greedy


class TestNumbers:
    """Integers of any size are exact; floats are the binary numbers they hold, summed exactly."""

    @given(mixed, budgets)
    def test_the_value_is_an_int_exactly_if_every_value_is_one(self, snippets: Snippets, budget: int) -> None:
        """Chosen or not."""
        value = packed(snippets, budget).value

        assert isinstance(value, int) == all(isinstance(snippet["value"], int) for snippet in snippets)

    def test_three_of_the_largest_64_bit_integers_do_not_wrap(self) -> None:
        """Their sum is beyond 64 bits."""
        largest = 2**63 - 1

        assert packed([{"cost": 1, "value": largest}] * 3, 3).value == 3 * largest
        assert packed([{"cost": largest, "value": 1}] * 3, 3 * largest).cost == 3 * largest

    def test_integers_far_beyond_64_bits_are_told_apart_by_one(self) -> None:
        """10^30 against 10^30 + 1, and a float beside them."""
        packing = packed([{"cost": 1, "value": 10**30}, {"cost": 1, "value": 10**30 + 1}], 1)
        assert packing.value == 10**30 + 1

        mixed = packed(
            [{"cost": 1, "value": 10**30}, {"cost": 1, "value": 10**30 + 1}, {"cost": 9, "value": 0.5}], 1
        )
        assert positions_of_ids(mixed) == ["1"]
        assert mixed.value == 1e30

    def test_floats_are_summed_exactly_and_rounded_once(self) -> None:
        """1e16 + 1 + 1 is 1e16 + 2; added one by one it would be 1e16."""
        values = [1e16, 1.0, 1.0]

        assert packed([{"cost": 1, "value": value} for value in values], 3).value == 1e16 + 2
        assert packed([{"cost": 1, "value": 0.1}] * 10, 10).value == 1.0

    def test_a_difference_below_the_rounding_of_the_sum_decides(self) -> None:
        """Selections compare by exact sums: 1e16 + 0.75 beats 1e16 + 0.5, though both round to 1e16."""
        snippets = [
            {"cost": 1, "value": 1e16, "pinned": True},
            {"cost": 1, "value": 0.5},
            {"cost": 1, "value": 0.75},
        ]

        assert positions_of_ids(packed(snippets, 2)) == ["0", "2"]

    @pytest.mark.parametrize("value", [5e-324, 1e-310, 2.0**-1074 * 3])
    def test_denormals_count(self, value: float) -> None:
        """They are more than nothing."""
        assert packed([{"cost": 1, "value": value}], 1).value == value

    def test_the_smallest_denormal_beside_others_is_packed(self) -> None:
        """Prices per token below the smallest normal number must not lead astray."""
        for value in (1e-300, 1e-308, 1e-320):
            snippets = [{"cost": 8, "value": value}, {"cost": 10, "value": 5e-324}]

            assert packed(snippets, 12).value == value
            assert packed(snippets, 18).value == value + 5e-324

    def test_minus_zero_is_worthless(self) -> None:
        """And harms nobody."""
        packing = packed([{"cost": 0, "value": -0.0}, {"cost": 1, "value": 1.5}], 1)

        assert packing["0"].reason == "worthless"
        assert packing.value == 1.5

    def test_a_sum_beyond_the_floats_is_an_error_that_names_the_snippet(self) -> None:
        """By `pack` and by `max_value`."""
        snippets = [{"id": name, "cost": 1, "value": 1.5e308} for name in "ab"]

        for call in (haversack.pack, haversack.max_value):
            with pytest.raises(haversack.InputError, match="beyond the range of floats") as caught:
                call(snippets, 2)
            assert (caught.value.path, caught.value.id) == ("snippets[1].value", "b")

    def test_large_floats_that_are_not_chosen_together_are_fine(self) -> None:
        """Only sums that arise matter."""
        assert packed([{"cost": 1, "value": 1.5e308}] * 2, 1).value == 1.5e308


class TestBudget:
    """An int or a float, finite, at least 0; a fraction is floored."""

    @given(st.floats(1, 60))
    def test_a_fraction_of_a_token_holds_nothing(self, budget: float) -> None:
        """10.75 tokens are 10."""
        snippets = [{"cost": cost, "value": cost} for cost in range(1, 12)]

        packing = packed(snippets, budget)

        assert packing.budget == math.floor(budget)
        assert packing == packed(snippets, math.floor(budget))

    @given(st.floats(1, 60))
    def test_a_fraction_of_a_token_is_kept_free_by_a_reserve(self, reserve: float) -> None:
        """At least the reserve stays free."""
        assert packed([], 100, reserve=reserve).reserve == math.ceil(reserve)

    @pytest.mark.parametrize("budget", [True, None, "100", [100], 1j])
    def test_what_is_no_number_is_refused(self, budget: Any) -> None:
        """None is not 'no limit'."""
        with pytest.raises(haversack.InputTypeError, match="budget must be a number of tokens") as caught:
            haversack.pack([], budget)

        assert (caught.value.path, caught.value.field, caught.value.found) == ("budget", "budget", budget)

    @pytest.mark.parametrize(
        ("budget", "said"), [(-1, "negative"), (math.nan, "finite"), (math.inf, "finite"), (0.5, "a share")]
    )
    def test_a_number_that_is_no_budget_is_refused(self, budget: float, said: str) -> None:
        """A share of the window is not a number of tokens."""
        for call in (haversack.pack, haversack.max_value):
            with pytest.raises(haversack.InputError, match=said):
                call([], budget)


class TestReasons:
    """The first reason that applies, with its numbers."""

    @given(mixed, budgets, st.integers(0, 20))
    def test_every_snippet_has_the_first_reason_that_applies(
        self, snippets: Snippets, budget: int, reserve: int
    ) -> None:
        """Checked by the definitions, one by one."""
        packing = packed(snippets, budget, reserve=reserve)

        for snippet, decision in zip(snippets, packing.decisions, strict=True):
            assert decision.reason == _reason(snippet, decision.chosen, packing)
            assert str(decision).startswith(f"{decision.id} is {'in' if decision.chosen else 'out'}: ")

    @given(mixed, budgets)
    def test_decisions_tell_of_the_input_in_order(self, snippets: Snippets, budget: int) -> None:
        """Position, id, cost and value of each snippet; together they are the packing."""
        packing = packed(snippets, budget)
        decisions = list(packing.decisions)

        assert [decision.position for decision in decisions] == list(range(len(snippets)))
        assert [decision.cost for decision in decisions] == [snippet["cost"] for snippet in snippets]
        assert [decision.value for decision in decisions] == [snippet["value"] for snippet in snippets]
        assert [snippets[d.position] for d in decisions if d.chosen] == packing.selected
        assert all(packing[decision.id] == decision for decision in decisions)


class TestInputs:
    """Nothing of the caller's is changed; any iterable will do, once."""

    @given(mixed, budgets)
    def test_inputs_are_never_mutated(self, snippets: Snippets, budget: int) -> None:
        """Nor is the list."""
        before = copy.deepcopy(snippets)

        packing = packed(snippets, budget)
        list(packing.decisions)

        assert snippets == before

    @given(mixed, budgets)
    def test_an_iterator_is_consumed_once_and_packs_the_same(self, snippets: Snippets, budget: int) -> None:
        """A generator, a tuple, a dict's values."""
        expected = packed(snippets, budget)

        assert packed(iter(snippets), budget) == expected
        assert packed(tuple(snippets), budget) == expected
        assert packed(dict(enumerate(snippets)).values(), budget) == expected

    @given(mixed, budgets)
    def test_other_shapes_of_the_same_snippets_pack_the_same(self, snippets: Snippets, budget: int) -> None:
        """Records and objects take the careful path, plain dicts the fast one."""
        expected = packed(snippets, budget)

        assert packed([haversack.Snippet(**snippet) for snippet in snippets], budget) == expected
        assert packed([_Thing(snippet) for snippet in snippets], budget) == expected
        assert packed([{**snippet, "id": None, "meta": None} for snippet in snippets], budget) == expected
        assert packed(snippets, budget, fields={}) == expected

    def test_adding_to_the_callers_list_later_changes_no_packing(self) -> None:
        """The packing holds a list of its own."""
        snippets = [{"cost": 1, "value": 1}]
        packing = packed(snippets, 5)

        snippets.append({"cost": 1, "value": 1})

        assert len(packing.selected) + len(packing.dropped) == 1


class TestRank:
    """Without any value the list is taken as best first."""

    def test_values_fall_by_rank_exactly(self) -> None:
        """max(1, floor(2^40 x 0.7^rank)), said in the repr."""
        packing = packed([{"cost": 1}] * 100, 100)

        expected = [max(1, math.floor(2**40 * Fraction(7, 10) ** rank)) for rank in range(100)]
        assert [decision.value for decision in packing.decisions] == expected
        assert packing.value == sum(expected)
        assert "by rank" in repr(packing)

    def test_pins_take_no_rank_and_are_worth_nothing(self) -> None:
        """They do not compete."""
        packing = packed([{"cost": 1, "pinned": True}, {"cost": 1}], 2)

        assert [decision.value for decision in packing.decisions] == [0, 2**40]

    def test_some_with_a_value_and_some_without_is_an_error(self) -> None:
        """That names one of each."""
        with pytest.raises(haversack.InputError, match=r"snippets\[1\].*snippets\[0\].*has one") as caught:
            packed([{"cost": 1, "value": 1}, {"cost": 1}], 2)

        assert (caught.value.path, caught.value.field) == ("snippets[1].value", "value")


class _Thing:
    """Somebody's own class."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)


def _reason(snippet: dict[str, Any], chosen: bool, packing: haversack.Packing[Any]) -> str:
    if snippet["pinned"]:
        return "pinned"
    if chosen:
        return "free" if snippet["cost"] == 0 else "chosen"
    if snippet["value"] <= 0:
        return "worthless"
    if snippet["cost"] > packing.capacity:
        return "too_long"
    return "no_room" if snippet["cost"] > packing.room else "outvalued"


def positions_of_ids(packing: haversack.Packing[Any]) -> list[str]:
    """The ids of the chosen, which here are positions."""
    return [str(decision.id) for decision in packing.decisions if decision.chosen]


def test_the_seeds_corner_cases() -> None:
    """Zero cost, pins over the budget, an empty list, a budget of nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", haversack.OverBudgetWarning)
        assert haversack.max_value([], 100) == 0
        assert haversack.max_value([{"cost": 0, "value": 3}, {"cost": 10, "value": 1}], 0) == 3
        assert haversack.max_value([{"cost": 9, "value": 4, "pinned": True}, {"cost": 1, "value": 2}], 5) == 4
        assert haversack.pack([], 0).value == 0
