"""Floors: what they lack comes before all value, whatever the numbers, with a proof and without the extra."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import haversack
from haversack import _core, _floors, _milp, _outside, _rooms, _structured
from haversack._floor_numbers import Numbers
from haversack._reading import modelled
from haversack._sections import checked_sections
from haversack._structure import Structure

from .drawing import FIELDS, Drawn, draw
from .oracle import Problem, Sections, Snippets
from .test_brute_force import check, choice_of
from .test_highs import solve as solve_by_highs

HUGE = 10**17


@pytest.fixture
def without_highs(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were not installed."""
    for module in (_milp, _structured):
        monkeypatch.setattr(module, "is_installed", lambda: False)


@pytest.fixture(params=["native", "python"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the core, and in Python integers of any size."""
    if request.param == "python":
        monkeypatch.setattr(Numbers, "solve_natively", lambda numbers, effort: None)


in_both = pytest.mark.usefixtures("engine", "without_highs")


def forms(snippets: Snippets, budget: int, sections: Sections, **settings: Any) -> dict[Any, str]:
    """The forms of the packing, which must be proven."""
    packing = haversack.pack(snippets, budget, sections=sections, **settings)
    assert packing.optimal
    return packing.forms


def floored(random: Random, size: int, largest: int = 12) -> Drawn:
    """A request in which floors may bind: by tokens, out of reach, or in numbers of any size."""
    while True:
        fields = frozenset(["section", "floor", *random.sample(FIELDS, random.randint(0, len(FIELDS)))])
        drawn = draw(random, size, fields, largest)
        if drawn.sections is not None:
            break
    for section in drawn.sections.values():
        if random.random() < 0.7:
            section["floor"] = random.randint(0, min(section.get("cap", largest * 2), largest * 2))
    what = random.random()
    if what < 0.15:
        enlarge(drawn, 10 ** random.choice([9, 15, 17, 25]))
    elif what < 0.3:
        for section in drawn.sections.values():
            if "cap" not in section:
                section["floor"] = HUGE
    return drawn


def enlarge(drawn: Drawn, factor: int) -> None:
    """Multiply every number of tokens."""
    for snippet in drawn.snippets:
        for form in (snippet, *snippet.get("variants", ())):
            if "cost" in form:
                form["cost"] *= factor
    for section in (drawn.sections or {}).values():
        section.update((key, section[key] * factor) for key in ("cap", "floor") if key in section)
    drawn.budget *= factor


@in_both
class TestAnyNumbers:
    """No number is too large, and none makes a proof false."""

    def test_a_cost_beyond_any_budget(self) -> None:
        """What cannot fit leaves the floor lacking, whatever its size."""
        snippets = [
            {"id": 0, "cost": 10**15, "value": 1, "section": "A"},
            {"id": 1, "cost": 1, "value": 5},
        ]

        assert forms(snippets, 3, {"A": {"floor": 1}}) == {1: "full"}

    def test_a_floor_beyond_everything_is_filled_as_far_as_it_goes(self) -> None:
        """One token less lacking counts for more than any value."""
        snippets = [{"id": 0, "cost": 3, "value": 1, "section": "A"}, {"id": 1, "cost": 1, "value": 5}]

        assert forms(snippets, 3, {"A": {"floor": HUGE}}) == {0: "full"}

    def test_free_snippets_stay_beside_a_floor(self) -> None:
        """However small their value against the others."""
        snippets = [
            {"id": "s1", "cost": 1, "value": 2**53, "section": "B"},
            {"id": "s2", "cost": 0, "value": 1},
        ]

        assert forms(snippets, 0, {"B": {"floor": 1}}) == {"s2": "full"}

    def test_floats_are_proven(self) -> None:
        """Exactly: the sums differ in the last bit."""
        snippets = [
            {"id": "a", "cost": 1, "value": 0.1, "section": "A"},
            {"id": "b", "cost": 1, "value": 0.2, "section": "A"},
            {"id": "c", "cost": 2, "value": 0.3, "section": "A"},
            {"id": "d", "cost": 2, "value": 9.0},
        ]

        assert forms(snippets, 2, {"A": {"floor": 2}}) == {"a": "full", "b": "full"}

    def test_a_floor_that_the_budget_keeps_out_of_reach(self) -> None:
        """The nearest to it is taken."""
        snippets = [
            {"id": "long", "cost": 9, "value": 9, "section": "A"},
            {"id": "short", "cost": 5, "value": 1, "section": "A"},
            {"id": "other", "cost": 4, "value": 5},
            {"id": "best", "cost": 6, "value": 7},
        ]

        assert forms(snippets, 7, {"A": {"floor": 8}}) == {"short": "full"}


class TestNothingIdle:
    """A floor is no reason to keep what adds nothing."""

    def test_worthless_snippets_are_out(self) -> None:
        """Beside a floor that costs value too."""
        snippets = [
            {"id": "news", "cost": 80, "value": 9},
            {"id": "rule", "cost": 40, "value": 1, "section": "rules"},
            {"id": "blank", "cost": 0, "value": 0},
            {"id": "dull", "cost": 3, "value": 0, "section": "rules"},
        ]

        assert forms(snippets, 100, {"rules": {"floor": 30}}) == {"rule": "full"}

    def test_what_highs_leaves_in_is_taken_out(self) -> None:
        """Unless it fills a floor: a group that is worth something at its best does."""
        snippets = [
            {"id": "blank", "cost": 0, "value": 0},
            {"id": "dull", "cost": 3, "value": 0, "section": "A"},
            {"id": "call", "cost": 2, "value": 0, "section": "A", "group": "g"},
            {"id": "result", "section": "A", "group": "g",
             "variants": [{"name": "all", "cost": 9, "value": 1}, {"name": "gist", "cost": 1, "value": 0}]},
        ]  # fmt: skip
        structure = structure_of(snippets, {"A": {"floor": 3}})

        assert _rooms.without_idle(structure, [0, 0, 0, 1]) == [-1, -1, 0, 1]
        assert _rooms.without_idle(structure_of(snippets, {"A": {}}), [0, 0, 0, 1]) == [-1, -1, -1, -1]


class TestBruteForce:
    """Thousands of small structures in which floors bind, every rule mixed in."""

    @in_both
    @pytest.mark.parametrize("seed", range(4))
    def test_by_our_own_search(self, seed: int) -> None:
        """Exact, proven, and with the fewest tokens."""
        random = Random(seed)
        for _ in range(300):
            check(floored(random, 6))

    @in_both
    def test_in_numbers_of_many_words(self) -> None:
        """Profits and tokens that fit no machine word."""
        random = Random(7)
        for _ in range(200):
            drawn = floored(random, 6)
            enlarge(drawn, 10**30)
            for snippet in drawn.snippets:
                for form in (snippet, *snippet.get("variants", ())):
                    if isinstance(form.get("value"), int):
                        form["value"] *= 3**200
            check(drawn)


class TestAgainstHighs:
    """Middle-sized ones, against a program of its own."""

    @pytest.mark.parametrize("seed", range(4))
    def test_up_to_eighty(self, seed: int) -> None:
        """Floors as the worst sections have them."""
        random = Random(seed)
        for _ in range(30):
            drawn = floored_widely(random)
            wanted = solve_by_highs(Problem(drawn.snippets, drawn.budget, drawn.sections))
            if wanted is None:
                continue

            packing = haversack.pack(
                drawn.snippets, drawn.budget, sections=drawn.sections, over_budget="allow"
            )

            assert packing.value == wanted
            assert packing.optimal


def floored_widely(random: Random) -> Drawn:
    """A request of 30 to 80 snippets."""
    fields = frozenset(["section", "floor", "variants", "group", "requires", "one_of", "pinned"])
    while True:
        drawn = draw(random, random.choice([30, 50, 80]), fields, largest=60)
        if drawn.sections is not None:
            break
    drawn.budget *= 4
    for section in drawn.sections.values():
        if "cap" in section:
            section["cap"] *= random.choice([1, 3])
        section["floor"] = random.randint(0, min(section.get("cap", 200), 200))
    return drawn


class TestLimits:
    """Past the effort the best found, and a bound that holds."""

    @in_both
    @pytest.mark.parametrize("effort", [0, 1, 500])
    def test_the_bound_holds_at_any_effort(self, effort: int) -> None:
        """And a claim of proof is true."""
        random = Random(effort)
        for _ in range(200):
            drawn = floored(random, 7)
            problem = Problem(drawn.snippets, drawn.budget, drawn.sections)
            best = problem.best()
            if best is None:
                continue
            packing = haversack.pack(
                drawn.snippets, drawn.budget, sections=drawn.sections, over_budget="allow", effort=effort
            )
            choice = choice_of(packing, drawn)
            assert problem.allows(choice)
            assert problem.fits(choice)
            found = problem.judged(choice)
            bound = packing.bound if isinstance(packing.bound, tuple) else (packing.bound,)
            assert bound >= tuple(map(float, best.values)) or bound >= best.values
            if packing.optimal:
                assert (best.shortfall, best.values) == (found.shortfall, found.values)

    @in_both
    def test_what_is_spent_leaves_a_gap(self) -> None:
        """And full effort goes on to the proof."""
        snippets, budget, sections = alike(60)
        packing = haversack.pack(snippets, budget, sections=sections, effort=100)
        assert not packing.optimal
        assert packing.gap > 0
        assert packing.sections["A"]["shortfall"] == 0

        proven = haversack.pack(snippets, budget, sections=sections, effort="full")

        assert proven.optimal
        assert packing.value <= proven.value <= packing.bound

    def test_highs_takes_over_where_forests_are_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """And finds the same."""
        snippets, budget, sections = alike(30)
        monkeypatch.setattr(_structured, "_NODES", 1)
        monkeypatch.setattr(_floors.FloorForest, "solve", at_once)
        assert not haversack.pack(snippets, budget, sections=sections, effort=0).optimal

        packing = haversack.pack(snippets, budget, sections=sections)

        assert packing.optimal
        assert packing.value == solve_by_highs(Problem(snippets, budget, sections))

    def test_the_effort_is_for_all_phases(self) -> None:
        """The search without floors leaves most of it to them."""
        snippets, budget, sections = alike(150)
        for effort in (10_000, 100_000):
            packing = haversack.pack(snippets, budget, sections=sections, effort=effort)

            assert effort / 2 < packing.statistics["states"] < effort * 1.1

    @in_both
    def test_equal_snippets_in_input_order(self) -> None:
        """Whatever the search has taken."""
        snippets = [{"id": at, "cost": 3, "value": 2, "section": "A"} for at in range(5)]
        snippets.append({"id": "other", "cost": 1, "value": 99})

        assert list(forms(snippets, 9, {"A": {"floor": 8}})) == [0, 1, 2]


def at_once(forest: _floors.FloorForest, effort: int) -> Any:
    """As far as a search comes that is not to search."""
    return SOLVE(forest, 0)


SOLVE = _floors.FloorForest.solve


def alike(size: int) -> tuple[Snippets, int, Sections]:
    """Values that hang on the tokens, and a floor that takes the worse ones: hard to tell apart."""
    random = Random(size)
    snippets: Snippets = [
        {
            "id": f"i{at}",
            "cost": (cost := random.randint(200, 999)),
            "value": cost + 100,
            "section": "AB"[at % 2],
        }
        for at in range(size)
    ]
    total = sum(one["cost"] for one in snippets)
    return snippets, total // 2, {"A": {"floor": total * 2 // 5}, "B": {"cap": total // 5}}


class TestCore:
    """What the core is given is looked at before it is used."""

    WORD = bytes(64)

    def test_a_node_that_hangs_on_itself(self) -> None:
        """No forest."""
        with pytest.raises(ValueError, match="no forest with floors"):
            _core.solve_floors(
                ([-1], [5], [0]), ([0], [0], [0]), ([0, 1], [1], [1]), self.WORD, self.WORD, 1, -1
            )

    def test_what_is_no_number_or_too_wide(self) -> None:
        """Told, not taken."""
        nodes = ([0], [-1], [0])
        for weight, error in ((None, TypeError), (2**63, OverflowError), (-1, ValueError)):
            with pytest.raises(error):
                _core.solve_floors(
                    ([-1], [5], [0]), nodes, ([0, 1], [weight], [1]), self.WORD, self.WORD, 1, -1
                )

    def test_words_as_wide_as_the_widest_arithmetic(self) -> None:
        """Profits of some hundred bits, still in the core."""
        snippets = [{"id": at, "cost": 3 + at, "value": 7**150 + at, "section": "A"} for at in range(4)]
        snippets.append({"id": "other", "cost": 9, "value": 7**152})

        packing = haversack.pack(snippets, 10, sections={"A": {"floor": 10}})

        assert list(packing.forms) == [1, 3]
        assert packing.statistics["bits"] == 512


class TestProgram:
    """HiGHS by itself: its answers are checked, its silence is no answer."""

    @pytest.mark.parametrize("effort", [-1, 1])
    def test_it_is_right_or_claims_nothing(self, effort: int) -> None:
        """With a limit of a single node too."""
        random = Random(effort)
        proven = 0
        for _ in range(150):
            drawn = floored(random, 7)
            problem = Problem(drawn.snippets, drawn.budget, drawn.sections)
            best = problem.best()
            if best is None:
                continue
            structure = structure_of(drawn.snippets, drawn.sections)
            rooms = _rooms.Rooms(structure, structure.plan.caps(drawn.budget), drawn.budget)
            found = unaware(rooms)
            before = problem.judged(tuple(found.choice))

            found = _milp.by_program(rooms, effort, found, _floors.ranked)

            choice = tuple(found.choice)
            assert problem.allows(choice)
            assert problem.fits(choice)
            here = problem.judged(choice)
            assert (here.shortfall, [-value for value in here.values]) <= (
                before.shortfall, [-value for value in before.values]
            )  # fmt: skip
            if found.bound == _floors.ranked(structure, found.choice):
                proven += 1
                assert (best.shortfall, best.values) == (here.shortfall, here.values)
        assert proven > 40

    def test_at_its_limit_it_may_not_give_up_an_earlier_goal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What it hands back without an answer for the values is not taken where floors lack more."""
        snippets = [{"id": 0, "cost": 3, "value": 1, "section": "A"}, {"id": 1, "cost": 3, "value": 9}]
        structure = structure_of(snippets, {"A": {"floor": 3}})
        rooms = _rooms.Rooms(structure, [None], 3)
        answers = iter([([0, -1], True), (None, True), *[([-1, 0], False)] * 3])
        monkeypatch.setattr(_milp.Program, "_solve", lambda program, goal: next(answers))

        choice, is_proven = _milp.Program(rooms, -1).run()

        assert (choice, is_proven) == ([0, -1], False)

    def test_at_its_limit_it_may_find_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Then what was found before stands."""
        snippets = [{"id": 0, "cost": 3, "value": 1, "section": "A"}, {"id": 1, "cost": 3, "value": 9}]
        rooms = _rooms.Rooms(structure_of(snippets, {"A": {"floor": 3}}), [None], 3)
        monkeypatch.setattr(_milp.Program, "_solve", lambda program, goal: (None, False))
        found = unaware(rooms)
        bound = found.bound

        found = _milp.by_program(rooms, -1, found, _floors.ranked)

        assert (found.choice, found.bound) == ([-1, 0], bound)

    def test_it_is_not_asked_where_its_numbers_do_not_reach(self) -> None:
        """What was found before stands."""
        snippets = [
            {"id": at, "cost": HUGE + at, "value": 1, "section": "A"} for at in range(3)
        ]  # fmt: skip
        structure = structure_of(snippets, {"A": {"floor": HUGE}})
        rooms = _rooms.Rooms(structure, [None], HUGE + 1)
        found = unaware(rooms)
        choice, bound = list(found.choice), found.bound

        found = _milp.by_program(rooms, -1, found, _floors.ranked)

        assert (found.choice, found.bound) == (choice, bound)


def structure_of(snippets: Snippets, sections: Sections | None) -> Structure:
    """What binds snippets together."""
    structure = modelled(snippets, sections=checked_sections(sections or {})).structure
    assert structure is not None
    return structure


def unaware(rooms: _rooms.Rooms) -> _outside.Found:
    """The best without floors, with a bound that says nothing."""
    found = _outside.Branching(rooms, -1, lambda _: False).run()
    found.bound = (0, *(10**9 for _ in found.bound))
    return found
