"""What no forest knows, by the mixed-integer solver HiGHS: the extra `milp`.

It works in floating point, so its answers are only proposals: what is chosen is rounded, checked against
every rule and added up in exact integers, and called optimal only if a second solve finds nothing that is
better by 1. Values too wide for that (most floats) leave it at HiGHS's word: `statistics["certificate"]` is
then "highs", and the bound is that of the forest. It is not asked where its numbers do not reach.
"""

from __future__ import annotations

from math import inf

from haversack._rooms import is_allowed, weigh, without_idle
from haversack._structure import IN, OUT
from haversack._usage import fillers, shortfall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from haversack._outside import Found
    from haversack._rooms import Choice, Rooms, Totals
    from haversack._structure import Structure

    Terms = dict[int, float]  # column -> coefficient

_EXACT = 2**50  # integers up to here are exact in its arithmetic, with room for its tolerances
_LARGEST = 10**300
_STATES_PER_TERM = 100  # what a node of its search takes, for each column and row, about


def is_installed() -> bool:
    """Return whether HiGHS is there."""
    from importlib.util import find_spec

    return find_spec("highspy") is not None


def by_program(
    rooms: Rooms, effort: int, found: Found, worth: Callable[[Structure, Choice], Totals]
) -> Found:
    """Take what HiGHS finds if it is better, and its proof; what was found before stands in any case."""
    structure = rooms.structure
    program = Program(rooms, effort)
    if not program.is_in_reach:
        return found
    choice, is_proven = program.run()
    if not program.is_certified:
        found.outcome["certificate"] = "highs"
    if choice is None:
        return found
    choice = without_idle(structure, choice)
    reached, before = worth(structure, choice), worth(structure, found.choice)
    if (reached, -weigh(structure, choice)) > (before, -weigh(structure, found.choice)):
        found.choice, found.fewest_tokens = choice, False
    if reached >= before:
        found.bound = reached if is_proven else max(found.bound, reached)
    return found


class Program:
    """The whole problem as one mixed-integer program, to be solved goal by goal."""

    def __init__(self, rooms: Rooms, effort: int) -> None:
        self.structure = rooms.structure
        self.rooms = rooms
        self.effort = effort
        structure = self.structure
        self.columns: list[tuple[int, int]] = []  # (position, form)
        self.of: list[list[int]] = []  # columns by position
        for position, unit in enumerate(structure.unit_of):
            forms = range(len(structure.costs[position])) if structure.root[unit] != OUT else ()
            self.of.append(list(range(len(self.columns), len(self.columns) + len(forms))))
            self.columns += [(position, form) for form in forms]
        self.rows: list[tuple[Terms, float, float]] = []
        self.lacks: list[int] = []  # the columns of what floors lack
        self.beyond = 0  # what floors lack whatever is chosen
        self.is_in_reach = True
        self._add_units()
        self._add_caps()
        self._add_floors()
        # Profits are integers, whatever the values were; where they are too wide, the values have to do.
        self.is_certified = self._sum_of_magnitudes() < _EXACT
        self.is_in_reach = self.is_in_reach and self._largest_value() < _LARGEST

    def _sum_of_magnitudes(self) -> int:
        structure = self.structure
        return sum(max(map(abs, profits)) for profits in structure.profits) + sum(
            max(costs) for costs in structure.costs
        )

    def _largest_value(self) -> int | float:
        return max((abs(value) for values in self.structure.values for value in values), default=0)

    def _add_units(self) -> None:
        structure, of = self.structure, self.of
        for position, columns in enumerate(of):
            if columns:
                exactly = structure.pinned[position]
                self.rows.append((dict.fromkeys(columns, 1.0), 1.0 if exactly else -inf, 1.0))
        for unit, members in enumerate(structure.members):
            if structure.root[unit] == OUT:
                continue
            first = dict.fromkeys(of[members[0]], 1.0)
            for other in members[1:]:
                self.rows.append((first | dict.fromkeys(of[other], -1.0), 0.0, 0.0))
            for needed in structure.needs[unit]:
                if structure.root[needed] != IN:
                    above = dict.fromkeys(of[structure.members[needed][0]], -1.0)
                    self.rows.append((first | above, -inf, 0.0))
        for positions in structure.choices:
            self.rows.append((dict.fromkeys((c for p in positions for c in of[p]), 1.0), -inf, 1.0))

    def _weights(self, section: int, fill_only: bool) -> dict[int, int]:
        """The tokens of what lies in a section: for a cap, of pins those beyond their cheapest form."""
        structure = self.structure
        inside = {section}
        for other in reversed(structure.plan.inner_first):
            if structure.plan.parents[other] in inside:
                inside.add(other)
        terms: dict[int, int] = {}
        fill = fillers(structure) if fill_only else []
        for column, (position, form) in enumerate(self.columns):
            if section >= 0 and structure.homes[position] not in inside:
                continue
            cost = structure.costs[position][form]
            if fill_only:
                if not fill[position][form]:
                    continue
            elif structure.pinned[position]:
                cost -= min(structure.costs[position])
            terms[column] = cost
        return terms

    def _most(self, terms: dict[int, int]) -> int:
        """What terms come to at most: one form of each snippet."""
        most: dict[int, int] = {}
        for column, tokens in terms.items():
            position = self.columns[column][0]
            most[position] = max(most.get(position, 0), tokens)
        return sum(most.values())

    def _add_caps(self) -> None:
        left = self.rooms.left
        for section, room in enumerate(left):
            terms = self._weights(section if section < len(left) - 1 else -1, False)
            most = self._most(terms)
            if room is not None and room < most:
                self.is_in_reach = self.is_in_reach and most < _EXACT
                self.rows.append((_floats(terms), -inf, float(min(room, _EXACT))))

    def _add_floors(self) -> None:
        for section, declared in enumerate(self.structure.plan.declared):
            if not declared.floor:
                continue
            terms = self._weights(section, True)
            most = self._most(terms)
            self.is_in_reach = self.is_in_reach and most < _EXACT
            # What nothing can fill lacks whatever is chosen.
            floor = min(declared.floor, most, _EXACT)
            lack = len(self.columns) + len(self.lacks)
            self.lacks.append(lack)
            self.beyond += declared.floor - floor
            self.rows.append((_floats(terms) | {lack: 1.0}, float(floor), inf))

    def run(self) -> tuple[Choice | None, bool]:
        """Return the best choice found, if any, and whether all goals but the last were proven.

        Goals are floors, then tiers, then tokens.
        """
        structure = self.structure
        proven = True
        choice: Choice | None = None
        kept: list[tuple[Terms, float]] = []
        goals: list[Terms] = [dict.fromkeys(self.lacks, -1.0)] if self.lacks else []
        goals += map(self._worth, range(len(structure.tiers)))
        goals.append(_tokens(structure, self.columns))
        for step, goal in enumerate(goals):
            found, is_proven = self._solve(goal)
            is_last = step == len(goals) - 1
            if found is None:
                proven = proven and is_last and choice is not None
                break
            if any(self._reached(held, found) < least for held, least in kept):
                # At its limit HiGHS may hand back what gives up an earlier goal: keep what was found before.
                proven = proven and is_last
                break
            choice = found
            reached = self._reached(goal, choice)
            if not is_last:
                proven = proven and self.is_certified and is_proven and self._is_best(goal, reached)
            slack = 0.5 if self.is_certified or (step == 0 and self.lacks) else 1e-9
            self.rows.append((goal, reached - slack, inf))
            kept.append((goal, reached - slack))
        return choice, proven

    def _worth(self, tier: int) -> Terms:
        structure = self.structure
        values = structure.profits if self.is_certified else structure.values
        terms = {
            column: float(values[position][form])
            for column, (position, form) in enumerate(self.columns)
            if structure.tier_of[position] == tier
        }
        if self.is_certified:
            return terms
        # Its tolerances are absolute: let the greatest value be 1.
        greatest = max(map(abs, terms.values()), default=0.0) or 1.0
        return {column: value / greatest for column, value in terms.items()}

    def _reached(self, goal: Terms, choice: Choice) -> float:
        """What a choice is worth to a goal: exact where it is certified."""
        counts = sum(-goal.get(column, 0.0) for column in self.lacks[:1])
        lacking = counts * (shortfall(self.structure, choice) - self.beyond) if counts else 0.0
        return -lacking + sum(
            goal.get(column, 0.0) for column, (one, form) in enumerate(self.columns) if choice[one] == form
        )

    def _is_best(self, goal: Terms, reached: float) -> bool:
        """Ask for anything better by 1: integers allow nothing in between."""
        self.rows.append((goal, reached + 0.9, inf))
        found, is_settled = self._solve(goal)
        self.rows.pop()
        return found is None and is_settled

    def _solve(self, goal: Mapping[int, float]) -> tuple[Choice | None, bool]:
        """Return the best choice for one goal, checked, and whether HiGHS settled the question."""
        import highspy

        solver = _solver(highspy, self.effort, len(self.columns) + len(self.rows))
        solver.passModel(self._model(highspy, goal))
        solver.run()
        status = solver.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None, True
        values = solver.getSolution().col_value
        if not values:
            return None, False
        choice = [-1] * len(self.structure.ids)
        for column, (position, form) in enumerate(self.columns):
            if values[column] > 0.5:
                choice[position] = form
        if not is_allowed(self.rooms, choice):
            return None, False
        return choice, status == highspy.HighsModelStatus.kOptimal

    def _model(self, highspy: Any, goal: Mapping[int, float]) -> Any:
        model = highspy.HighsLp()
        size = len(self.columns) + len(self.lacks)
        model.num_col_, model.num_row_ = size, len(self.rows)
        model.sense_ = highspy.ObjSense.kMaximize
        model.col_cost_ = [goal.get(column, 0.0) for column in range(size)]
        model.col_lower_ = [0.0] * size
        model.col_upper_ = [1.0] * len(self.columns) + [inf] * len(self.lacks)
        whole, real = highspy.HighsVarType.kInteger, highspy.HighsVarType.kContinuous
        model.integrality_ = [whole] * len(self.columns) + [real] * len(self.lacks)
        model.row_lower_ = [low for _, low, _ in self.rows]
        model.row_upper_ = [high for _, _, high in self.rows]
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        starts = [0]
        for terms, _, _ in self.rows:
            starts.append(starts[-1] + len(terms))
        model.a_matrix_.start_ = starts
        model.a_matrix_.index_ = [column for terms, _, _ in self.rows for column in terms]
        model.a_matrix_.value_ = [factor for terms, _, _ in self.rows for factor in terms.values()]
        return model


def _tokens(structure: Structure, columns: list[tuple[int, int]]) -> Terms:
    """The last goal: fewer tokens."""
    costs = {column: structure.costs[position][form] for column, (position, form) in enumerate(columns)}
    return {column: -tokens for column, tokens in _floats(costs).items()}


def _floats(terms: Mapping[int, int]) -> Terms:
    """Numbers as HiGHS takes them; those beyond its reach are never given to it."""
    return {column: float(min(tokens, _EXACT)) for column, tokens in terms.items()}


def _solver(highspy: Any, effort: int, size: int) -> Any:
    # The class above this one enables callbacks at once, which prints a banner before it can be told not to.
    solver = highspy.Highs.__base__()
    # Without its presolve, which can cut off the best (seen in 1.16), it is right, and hardly slower.
    for option, setting in (
        ("output_flag", False), ("presolve", "off"), ("threads", 1), ("random_seed", 0), ("mip_rel_gap", 0.0),
        ("mip_abs_gap", 0.0), ("mip_feasibility_tolerance", 1e-9), ("primal_feasibility_tolerance", 1e-9),
    ):  # fmt: skip
        solver.setOptionValue(option, setting)
    if effort >= 0:
        solver.setOptionValue("mip_max_nodes", max(1, effort // (_STATES_PER_TERM * size)))
    return solver
