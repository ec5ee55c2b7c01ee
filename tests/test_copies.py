"""The same words are not paid for twice: duplicates, overlaps, near-copies."""

from __future__ import annotations

import json
import pickle
import random
import time
from collections.abc import Sequence
from itertools import accumulate, combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import haversack
from haversack import Packing, pack
from haversack.values import at_least_one


def texts(*rows: tuple[str, int, float], **more: Any) -> list[dict[str, Any]]:
    """Snippets a, b, ... of (text, cost, value)."""
    return [
        {"id": chr(97 + at), "text": text, "cost": cost, "value": value, **more}
        for at, (text, cost, value) in enumerate(rows)
    ]


def ids(packing: Packing[Any]) -> list[str]:
    """The chosen."""
    return [str(snippet["id"]) for snippet in packing.selected]


def test_duplicates_are_kept_unless_asked_but_counted() -> None:
    """Somebody may want them."""
    packing = pack(texts(("x", 4, 0.5), ("x", 4, 0.4), ("y", 4, 0.1), ("x", 4, 0.3)), 12)

    assert ids(packing) == ["a", "b", "d"]
    assert packing.statistics["duplicates"] == 2
    assert "2 snippets repeat" in packing.explain()


def test_once_lets_the_most_valuable_stand_for_the_others() -> None:
    """Its cost is paid once, its value counted once."""
    packing = pack(texts(("x", 4, 0.4), ("x", 4, 0.5), ("y", 4, 0.1)), 12, duplicates="once")

    assert ids(packing) == ["b", "c"]
    assert (packing.cost, packing.value) == (8, pytest.approx(0.6))
    assert packing.statistics["duplicates"] == 1
    assert packing.optimal


def test_a_duplicate_has_its_reason() -> None:
    """And names what stands for it."""
    decision = pack(texts(("x", 4, 0.4), ("x", 4, 0.5)), 12, duplicates="once")["a"]

    assert (decision.reason, decision.chosen, decision.form) == ("duplicate", False, None)
    assert decision.detail == {"cost": 4, "value": 0.0, "copy_of": "b", "value_alone": 0.4}
    assert str(decision) == "a is out: duplicate, the same text as 'b', which stands for it"
    assert pickle.loads(pickle.dumps(decision)) == decision
    assert pickle.loads(pickle.dumps(decision)).detail == decision.detail


def test_a_pin_stands_for_its_duplicates_and_survives_other_pins() -> None:
    """Pins survive, even if they repeat each other."""
    snippets = texts(("x", 4, 9), ("x", 4, 0), ("x", 4, 0))
    snippets[1]["pinned"] = snippets[2]["pinned"] = True

    packing = pack(snippets, 20, duplicates="once")

    assert ids(packing) == ["b", "c"]
    assert packing["a"].detail["copy_of"] == "b"


def test_snippets_without_text_are_no_duplicates() -> None:
    """Nothing is known of them."""
    packing = pack([{"cost": 1, "value": 1}, {"cost": 1, "value": 1}], 9, duplicates="once")

    assert len(packing.selected) == 2
    assert packing.statistics["duplicates"] == 0


def test_what_the_caller_has_bound_is_left_as_it_is() -> None:
    """Dropping one of a group, or what another requires, would drop them all."""
    snippets = texts(("x", 4, 0.5), ("x", 4, 0.4), ("y", 4, 0.3), ("x", 4, 0.2))
    snippets[1]["group"] = snippets[2]["group"] = "g"
    snippets[3]["one_of"] = "o"

    packing = pack(snippets, 20, duplicates="once", overlap="merge", near_copies=0.5)

    assert ids(packing) == ["a", "b", "c", "d"]


def test_the_standing_copy_may_be_left_out() -> None:
    """Then all are."""
    packing = pack(texts(("x", 40, 0.4), ("x", 40, 0.5)), 12, duplicates="once")

    assert [decision.reason for decision in packing.decisions] == ["duplicate", "too_long"]


def test_a_copy_that_fits_where_the_better_one_does_not_stands_for_it() -> None:
    """Cheaper, or in a section with room: the same words are not lost."""
    cheaper = pack(texts(("x", 90, 0.9), ("x", 5, 0.8)), 50, duplicates="once")
    roomier = texts(("x", 20, 0.9), ("x", 20, 0.8))
    roomier[0]["section"], roomier[1]["section"] = "small", "large"
    elsewhere = pack(roomier, 150, duplicates="once", sections={"small": {"cap": 10}, "large": {"cap": 40}})

    assert (ids(cheaper), ids(elsewhere)) == (["b"], ["b"])
    assert str(cheaper["a"]) == "a is out: duplicate, the same text as 'b', which stands for it"
    assert ids(pack(texts(("x", 90, 0.9), ("x", 5, 0.8)), 150, duplicates="once")) == ["a"]


def test_a_written_packing_keeps_its_duplicates() -> None:
    """Reasons, statistics, and what another budget would choose."""
    packing = pack(texts(("x", 4, 0.4), ("x", 4, 0.5), ("y", 4, 0.1)), 12, duplicates="once")

    for again in (
        Packing.from_dict(json.loads(json.dumps(packing.to_dict()))),
        pickle.loads(pickle.dumps(packing)),
    ):
        assert again == packing
        assert list(again.decisions) == list(packing.decisions)
        assert again.statistics == packing.statistics
        assert again.curve() == packing.curve()


def test_requests_and_scores_know_it_too() -> None:
    """By name only."""
    snippets = [{"id": id, "text": "x", "cost": 4, "score": score} for id, score in (("a", 1), ("b", 2))]

    packing = haversack.pack_request({"budget": 20, "snippets": snippets, "duplicates": "once"})

    assert ids(packing) == ["b"]


@given(
    st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 5), st.integers(-1, 9)), max_size=9),
    st.integers(0, 20),
)
def test_once_is_the_best_packing_of_one_copy_each(rows: list[tuple[str, int, float]], budget: int) -> None:
    """Whichever copy stands for the others."""
    snippets = texts(*rows)
    by_text: dict[str, list[dict[str, Any]]] = {}
    for one in snippets:
        by_text.setdefault(one["text"], []).append(one)

    packing = pack(snippets, budget, duplicates="once")

    assert packing.value == max(pack(list(some), budget).value for some in product(*by_text.values()))
    assert packing.optimal
    assert len({one["text"] for one in packing.selected}) == len(packing.selected)


WORDS = "one two three four five six seven eight nine ten eleven twelve"


def spans(*rows: tuple[int, int, float], source: str = "a.md", **more: Any) -> list[dict[str, Any]]:
    """Snippets a, b, ... of (start, end, value): characters of WORDS, a token each."""
    return [
        {"id": chr(97 + at), "source": source, "start": start, "end": end, "text": WORDS[start:end],
         "cost": end - start, "value": value, **more}
        for at, (start, end, value) in enumerate(rows)
    ]  # fmt: skip


class TestOverlap:
    """overlap="merge": spans of one source that overlap are one snippet."""

    def test_it_is_off_unless_asked_for(self) -> None:
        """Each snippet by itself."""
        packing = pack(spans((0, 20, 0.5), (10, 30, 0.5)), 40)

        assert (packing.cost, packing.value) == (40, 1.0)

    def test_the_shared_part_is_paid_once_and_the_value_is_that_of_needing_either(self) -> None:
        """The caller's objects come back; the first bears the joined text."""
        snippets = spans((0, 20, 0.5), (10, 30, 0.5))

        packing = pack(snippets, 40, overlap="merge")

        assert packing.selected == snippets
        assert packing.selected[1] is snippets[1]
        assert packing.texts == [WORDS[:30], None]
        assert (packing.cost, packing.value, packing.optimal) == (30, 0.75, True)
        assert packing.statistics["overlaps"] == 1
        assert "1 snippet was merged" in packing.explain()

    def test_each_part_tells_with_whom_it_was_merged(self) -> None:
        """And what it cost and was worth alone."""
        packing = pack(spans((0, 20, 0.5), (10, 30, 0.5)), 40, overlap="merge")

        first, second = packing.decisions
        assert (first.reason, first.cost, first.value) == ("chosen", 30, 0.75)
        assert (second.reason, second.cost, second.value) == ("chosen", 0, 0)
        for decision in (first, second):
            assert decision.detail["merged"] == ["a", "b"]
            assert decision.detail["cost_alone"] == 20
            assert decision.detail["value_alone"] == 0.5

    def test_a_merged_span_is_chosen_as_one(self) -> None:
        """It competes with its whole cost, and one that is left out says why, not that it hangs together."""
        snippets = [*spans((0, 20, 0.3), (10, 30, 0.3)), {"id": "z", "cost": 25, "value": 0.9}]

        packing = pack(snippets, 32, overlap="merge")

        assert ids(packing) == ["z"]
        assert [decision.reason for decision in packing.decisions] == ["outvalued", "outvalued", "chosen"]

    def test_a_span_that_would_not_fit_is_not_made(self) -> None:
        """A chain of overlaps must not become too long for the room."""
        packing = pack(spans((0, 20, 0.5), (10, 30, 0.4), (20, 40, 0.3)), 30, overlap="merge")

        assert ids(packing) == ["a", "b"]
        assert packing.cost == 30

    def test_pins_take_in_what_lies_within_them(self) -> None:
        """For nothing; an optional snippet never makes a pin costlier."""
        snippets = spans((0, 30, 0), (5, 20, 0.5), (20, 40, 0.4))
        snippets[0]["pinned"] = True

        packing = pack(snippets, 35, overlap="merge")

        assert ids(packing) == ["a", "b"]
        assert packing.cost == 30
        assert packing["c"].reason == "no_room"

    @pytest.mark.parametrize("key", ["source", "section", "tier"])
    def test_other_sources_sections_and_tiers_are_apart(self, key: str) -> None:
        """They are not the same text, or not the same place."""
        snippets = spans((0, 20, 0.5), (10, 30, 0.5))
        snippets[1][key] = 1 if key == "tier" else "other"

        assert pack(snippets, 40, overlap="merge").cost == 40

    def test_ranked_and_equal_lists_may_be_merged(self) -> None:
        """Ranks by their shares of all; equal ones count on."""
        snippets = [{key: held for key, held in one.items() if key != "value"}
                    for one in spans((0, 20, 0), (10, 30, 0), (50, 60, 0))]  # fmt: skip

        ranked = pack(snippets, 60, overlap="merge")
        shares = [decision.value / 2**40 / (1 + 0.7 + 0.49) for decision in ranked.decisions]

        assert isinstance(ranked.value, int)
        assert shares[0] == pytest.approx(1 - (1 - 1 / 2.19) * (1 - 0.7 / 2.19))
        assert pack(snippets, 60, overlap="merge", values="equal").value == 3

    @pytest.mark.parametrize("values", ["rank", "equal", "auto"])
    def test_pins_that_overlap_add_up_what_they_are_worth(self, values: Any) -> None:
        """They may be worth anything, or nothing."""
        worthless = spans((0, 20, 0), (10, 30, 0), pinned=True)
        worthy = spans((0, 20, 5), (10, 30, 2), pinned=True)

        assert pack(worthless, 40, overlap="merge", values=values).value == 0
        assert pack(worthy, 40, overlap="merge", values=values).value == 7
        assert pack(worthy, 40, overlap="merge", values=values).cost == 30

    def test_scores_are_turned_into_values_before_they_are_merged(self) -> None:
        """Of all candidates, so that merging changes no z-score."""
        snippets = [
            {**one, "value": None, "score": one["value"]} for one in spans((0, 20, 0.9), (10, 30, 0.1))
        ]

        apart, merged = pack(snippets, 60), pack(snippets, 60, overlap="merge")

        assert merged.value == pytest.approx(at_least_one([d.value for d in apart.decisions]))

    @pytest.mark.parametrize("render", ["plain", "markdown", "xml", "numbered"])
    def test_what_is_rendered_holds_the_joined_text_once(self, render: str) -> None:
        """Counted as it is rendered, under the whole span."""
        snippets = [{**one, "cost": None} for one in spans((0, 20, 0.5), (10, 30, 0.5), (40, 50, 0.1))]

        packing = pack(snippets, 200, overlap="merge", counter=len, render=render)

        assert packing.selected == snippets
        assert packing.text is not None
        assert packing.text.count(WORDS[:30]) == 1
        assert packing.text.count(WORDS[10:20]) == 1
        assert packing.text_tokens == len(packing.text) <= 200
        assert packing.texts == [WORDS[:30], None, WORDS[40:50]]
        assert render == "plain" or "a.md:0-30" in packing.text

    def test_a_pin_bears_what_lies_within_it(self) -> None:
        """Whatever comes first."""
        snippets = [{**one, "cost": None} for one in spans((5, 20, 0.5), (0, 30, 0))]
        snippets[1]["pinned"] = True

        packing = pack(snippets, 100, overlap="merge", counter=len, render="xml")

        assert packing.texts == [None, WORDS[:30]]
        assert packing["b"].cost == packing.cost
        assert 'id="b" source="a.md:0-30"' in (packing.text or "")

    @given(
        st.lists(st.tuples(st.integers(0, 40), st.integers(1, 15), st.integers(0, 8)), max_size=6),
        st.integers(0, 120),
        st.sampled_from(["plain", "xml", "markdown"]),
    )
    def test_a_merged_text_fits_as_it_is_counted(
        self, rows: list[tuple[int, int, int]], budget: int, render: str
    ) -> None:
        """The recount of the finished text keeps within the budget, and every chosen text is in it."""
        made = spans(*((start, start + size, worth / 8) for start, size, worth in rows))
        snippets = [{**one, "cost": None} for one in made]

        packing = pack(snippets, budget, overlap="merge", counter=len, render=render)

        text = packing.text or ""
        assert len(text) <= budget
        assert all(one["text"].strip() in text for one in packing.selected)

    def test_a_value_that_is_no_probability_is_refused(self) -> None:
        """There is nothing to combine."""
        with pytest.raises(haversack.InputError, match="must be a probability") as caught:
            pack(spans((0, 20, 7), (10, 30, 0.5)), 40, overlap="merge")
        assert caught.value.path == "snippets[0].value"

    def test_a_value_that_is_no_probability_is_fine_where_nothing_overlaps(self) -> None:
        """There is nothing to combine."""
        assert pack(spans((0, 20, 7), (20, 30, 0.5)), 40, overlap="merge").value == 7.5

    @pytest.mark.parametrize(
        ("fields", "path"),
        [
            ({"start": 9, "end": 2}, "snippets[0].end"),
            ({"end": 10**400}, "snippets[0].end"),
            ({"start": "x"}, "snippets[0].start"),
            ({"end": float("nan")}, "snippets[0].end"),
        ],
    )
    def test_a_span_that_is_none_is_refused(self, fields: dict[str, Any], path: str) -> None:
        """By its place."""
        snippet = {**spans((0, 20, 0.5))[0], **fields}

        with pytest.raises(haversack.InputError) as caught:
            pack([snippet], 40, overlap="merge")
        assert caught.value.path == path

    @given(
        st.lists(st.tuples(st.integers(0, 40), st.integers(1, 15), st.integers(0, 8)), max_size=8),
        st.integers(0, 70),
    )
    def test_no_character_is_paid_twice_within_what_is_merged(
        self, rows: list[tuple[int, int, int]], budget: int
    ) -> None:
        """What is chosen costs its joined texts, fits, and holds every chosen snippet's text."""
        snippets = spans(*((start, start + size, worth / 8) for start, size, worth in rows))

        packing = pack(snippets, budget, overlap="merge")

        joined = [text for text in packing.texts if text is not None]
        assert packing.cost == sum(map(len, joined)) <= budget
        assert all(any(one["text"] in text for text in joined) for one in packing.selected)
        assert packing.value == packing.bound

    @given(
        st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20), st.integers(0, 8)), max_size=7),
        st.integers(0, 40),
        st.integers(0, 80),
    )
    def test_what_is_joined_and_what_is_left_out_is_the_best_there_is(
        self, rows: list[tuple[int, int, int]], other: int, budget: int
    ) -> None:
        """Every subset of spans, nested ones too, and another snippet, tried."""
        snippets = spans(*((start, start + size, worth / 8) for start, size, worth in rows))
        beside = {"id": "other", "cost": other, "value": 0.6}

        packing = pack([*snippets, beside], budget, overlap="merge")

        best = max(
            value + 0.6 * is_beside
            for size in range(len(snippets) + 1)
            for subset in combinations([one for one in snippets if one["value"] > 0], size)
            for cost, value in [taken(subset)]
            for is_beside in (False, True)
            if cost + other * is_beside <= budget
        )
        assert packing.value == pytest.approx(best)
        assert packing.optimal
        assert packing.cost <= budget

    @given(
        st.lists(st.tuples(st.integers(0, 40), st.integers(1, 15), st.integers(0, 8)), max_size=8),
        st.lists(st.integers(0, 90), min_size=2, max_size=2),
    )
    def test_a_larger_budget_is_never_worth_less(
        self, rows: list[tuple[int, int, int]], budgets: list[int]
    ) -> None:
        """Whatever is joined at either."""
        snippets = spans(*((start, start + size, worth / 8) for start, size, worth in rows))

        less, more = (pack(snippets, budget, overlap="merge").value for budget in sorted(budgets))

        assert less <= more + 1e-9

    def test_a_chain_of_noise_does_not_drown_the_hit(self) -> None:
        """Of twenty windows a document, one is needed: what is joined with it must be worth its tokens."""
        snippets = [
            {"id": f"{source}{at}", "source": source, "start": 50 * at, "end": 50 * at + 100, "cost": 100,
             "value": 0.9 if at == 5 else 0.01}
            for source in "ABC" for at in range(20)
        ]  # fmt: skip

        packing = pack(snippets, 300, overlap="merge")

        assert ids(packing) == ["A5", "B5", "C5"]
        assert packing.value == pytest.approx(2.7)
        assert packing["A4"].detail["overlaps"] == ["A5"]

    @pytest.mark.parametrize(("length", "sources"), [(300, 1), (3_000, 1), (1_000, 10)])
    def test_too_many_ways_are_thinned_and_the_bound_says_so(self, length: int, sources: int) -> None:
        """Long chains of windows of many costs, in about a second."""
        chance = random.Random(4)
        snippets = [
            {"source": at % sources, "start": 10 * at, "end": 10 * at + 25 * sources,
             "cost": chance.randint(20, 400), "score": chance.gauss(0, 1)}
            for at in range(length)
        ]  # fmt: skip
        begun = time.process_time()

        packing = pack(snippets, 4_000, overlap="merge")

        assert packing.value >= 0.5 * packing.bound
        assert packing.optimal == (packing.gap == 0)
        assert time.process_time() - begun < 4

    def test_what_was_joined_or_left_out_is_told_in_words(self) -> None:
        """With whom, where it is paid, and what was in its way."""
        snippets = spans((0, 20, 0.5), (10, 30, 0.4), (25, 45, 0.1))

        packing = pack(snippets, 30, overlap="merge")

        assert [str(decision) for decision in packing.decisions] == [
            "a is in: chosen, joined with 'b', 30 tokens, value 0.7",
            "b is in: chosen, joined with 'a', where it is paid, 0 tokens, value 0",
            "c is out: outvalued, as it overlaps 'a', 'b', and no selection with it is worth more",
        ]

    def test_a_curve_would_need_other_joins(self) -> None:
        """So there is none."""
        packing = pack(spans((0, 20, 0.5), (10, 30, 0.5)), 30, overlap="merge")

        with pytest.raises(haversack.InputError, match="pack at each"):
            packing.curve([20, 30])

    @given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 10)), min_size=2, max_size=9))
    def test_everything_of_worth_that_fits_is_in(self, rows: list[tuple[int, int]]) -> None:
        """Joined, no part is worth less for its neighbour's being there, short of certainty."""
        starts = list(accumulate(step for step, _ in rows))
        snippets = spans(
            *((start, start + 10, worth / 11) for start, (_, worth) in zip(starts, rows, strict=True))
        )

        packing = pack(snippets, 1_000, overlap="merge")

        assert ids(packing) == [one["id"] for one in snippets if one["value"] > 0]

    def test_a_chain_is_worth_more_than_its_ends(self) -> None:
        """Each counts unless what the one before it adds covers it."""
        packing = pack(spans((0, 20, 0.9), (15, 35, 0.9), (30, 50, 0.9)), 100, overlap="merge")

        assert (ids(packing), packing.cost) == (["a", "b", "c"], 50)
        assert packing.value == pytest.approx(0.9 + 0.9 * 0.1 + 0.9 * (1 - 0.09))

    def test_spans_whose_texts_disagree_stay_apart(self) -> None:
        """Headers in the texts, or spans that say what is not so: each is a snippet of its own."""
        snippets = spans((0, 20, 0.5), (10, 30, 0.5))
        snippets[1]["text"] = "quite another text"

        packing = pack(snippets, 40, overlap="merge")

        assert (packing.cost, packing.value, packing.statistics["overlaps"]) == (40, 1.0, 0)

    def test_a_wide_worthless_span_hides_nothing(self) -> None:
        """Neighbours that overlap below it are joined without it."""
        wide = [("A", 0, 100, 0.9), ("B", 50, 400, 0.0), ("C", 90, 200, 0.9)]
        snippets = [
            {"id": id, "source": "s", "start": start, "end": end, "cost": end - start, "value": value}
            for id, start, end, value in wide
        ]

        packing = pack(snippets, 200, overlap="merge")

        assert (ids(packing), packing.cost) == (["A", "C"], 200)

    @pytest.mark.parametrize("setting", [{"sections": {"s": {"cap": 45}}}, {"pinned": ["z"]}])
    def test_caps_and_pins_are_in_the_balance(self, setting: dict[str, Any]) -> None:
        """What is joined must fit them, too."""
        snippets = [
            *({**one, "section": "s"} for one in spans((0, 20, 0.5), (10, 30, 0.4), (20, 40, 0.5))),
            {"id": "z", "cost": 15, "value": 0.1, "section": "s"},
        ]

        packing = pack(snippets, 45, overlap="merge", **setting)

        assert ids(packing) == (["a", "b", "z"] if "pinned" in setting else ["a", "b", "c"])


def taken(subset: Sequence[dict[str, Any]]) -> tuple[int, float]:
    """The characters of some spans, each once, and their value.

    A span counts, less as much as it is likely that what the one before it in its run adds is needed.
    """
    covered = {at for one in subset for at in range(one["start"], one["end"])}
    total = last = 0.0
    reach = -1
    for one in sorted(subset, key=lambda one: (one["start"], -one["end"])):
        gain = one["value"] if one["start"] >= reach else one["value"] * (1 - last)
        total += gain
        if one["end"] > reach:
            reach, last = one["end"], gain
    return len(covered), total


class TestNearCopies:
    """near_copies=similarity: at most one of them."""

    def test_a_cheaper_copy_of_one_is_a_near_copy_of_the_others_too(self) -> None:
        """Duplicates and near-copies are settled together."""
        snippets = texts(
            (self.COPY, 10, 0.5), (self.COPY, 9, 0.4), (self.COPY.replace("bank", "bend"), 10, 0.5)
        )

        packing = pack(snippets, 30, duplicates="once", near_copies=0.5)

        assert (ids(packing), packing.value) == (["a"], 0.5)

    def test_a_copy_elsewhere_keeps_no_span_from_being_joined(self) -> None:
        """What overlaps is joined; the copy stands back."""
        snippets = spans((0, 20, 0.5), (10, 30, 0.5))
        snippets.append({"id": "copy", "text": snippets[0]["text"], "cost": 5, "value": 0.1})

        packing = pack(snippets, 40, duplicates="once", overlap="merge")

        assert (ids(packing), packing.cost, packing.value) == (["a", "b"], 30, 0.75)
        assert packing["copy"].reason == "duplicate"

    COPY = "the quick brown fox jumps over the lazy dog near the river bank"

    def pair(self, **more: Any) -> list[dict[str, Any]]:
        """Two texts that differ in one word of thirteen, and one that is unlike them."""
        return texts(
            (self.COPY, 10, 0.5),
            (self.COPY.replace("bank", "bend"), 8, 0.45),
            ("something else", 10, 0.1),
            **more,
        )

    def test_at_most_one_is_chosen(self) -> None:
        """Which, is settled with all else: here the lighter one leaves room for more."""
        assert ids(pack(self.pair(), 30)) == ["a", "b", "c"]
        assert ids(pack(self.pair(), 20, near_copies=0.8)) == ["a", "c"]
        assert ids(pack(self.pair(), 18, near_copies=0.8)) == ["b", "c"]

    def test_the_other_says_which(self) -> None:
        """As any alternative."""
        packing = pack(self.pair(), 20, near_copies=0.8)

        assert packing["b"].reason == "one_of"
        assert packing["b"].detail["winner"] == "a"
        assert packing.statistics["near_copies"] == 2
        assert "2 snippets are near-copies" in packing.explain()

    def test_less_alike_is_no_copy(self) -> None:
        """The user sets what is."""
        assert ids(pack(self.pair(), 30, near_copies=1.0)) == ["a", "b", "c"]

    def test_a_pin_wins_and_all_pins_stay(self) -> None:
        """Pins survive, even if they are alike."""
        snippets = self.pair()
        snippets[1]["pinned"] = True
        assert ids(pack(snippets, 30, near_copies=0.8)) == ["b", "c"]

        snippets[0]["pinned"] = True
        assert ids(pack(snippets, 30, near_copies=0.8)) == ["a", "b", "c"]

    def test_duplicates_are_near_copies_too(self) -> None:
        """Similarity 1."""
        assert ids(pack(texts(("x y z", 4, 0.4), ("x y z", 4, 0.5)), 12, near_copies=1)) == ["b"]

    @pytest.mark.parametrize("found", [0, 1.5, -1, "0.8", True, float("nan")])
    def test_a_similarity_lies_above_0_and_is_at_most_1(self, found: Any) -> None:
        """Named in the error."""
        with pytest.raises(haversack.InputError, match=r"^near_copies must be a similarity") as caught:
            haversack.Packer(near_copies=found)
        assert caught.value.field == "near_copies"

    @given(
        st.lists(st.tuples(st.sampled_from("pqr"), st.integers(0, 6), st.integers(0, 9)), max_size=7),
        st.integers(0, 20),
    )
    def test_it_is_the_best_selection_without_two_copies(
        self, rows: list[tuple[str, int, float]], budget: int
    ) -> None:
        """Found by trying them all."""
        best = max(
            sum(rows[at][2] for at in chosen)
            for size in range(len(rows) + 1)
            for chosen in combinations(range(len(rows)), size)
            if sum(rows[at][1] for at in chosen) <= budget and len({rows[at][0] for at in chosen}) == size
        )

        packing = pack(texts(*rows), budget, near_copies=0.9)

        assert (packing.value, packing.optimal) == (best, True)


@pytest.mark.parametrize("setting", [{"overlap": "merge"}, {"near_copies": 0.5}, {"duplicates": "once"}])
def test_a_written_packing_keeps_what_was_found(setting: dict[str, Any]) -> None:
    """Also over a pickle, and decisions on their own."""
    packing = pack(spans((0, 20, 0.5), (10, 30, 0.5), (0, 20, 0.4), (0, 19, 0.4)), 40, **setting)

    for again in (
        Packing.from_dict(json.loads(json.dumps(packing.to_dict(inputs=True)))),
        pickle.loads(pickle.dumps(packing)),
    ):
        assert again == packing
        assert list(again.decisions) == list(packing.decisions)
        assert again.statistics == packing.statistics
        assert again.explain() == packing.explain()
        assert again.texts == packing.texts
    assert pickle.loads(pickle.dumps(packing.decisions[1])) == packing.decisions[1]


def test_a_request_names_them_all() -> None:
    """They are words and a number."""
    request = {
        "budget": 40, "snippets": spans((0, 20, 0.5), (10, 30, 0.5)),
        "duplicates": "once", "overlap": "merge", "near_copies": 0.9,
    }  # fmt: skip

    assert haversack.pack_request(json.dumps(request)).cost == 30
