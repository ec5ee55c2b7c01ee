"""The best selection of units in a sequence that a provider constrains, units having one form or several.

Which unit may follow which is a small automaton: it remembers what the last unit ended with. So the units are
taken in order, and for every place and state the undominated (cost, value) pairs are kept. What keeps them
few is the Lagrangian bound: at a price per token the best completion of every state follows from one pass
backwards, and a pair whose value with its best completion does not reach the incumbent goes. First a narrow
beam finds a strong incumbent, then wider ones, until nothing had to be cut. This is the method of the core
(prices, losses, frontier) on a line instead of a forest.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from haversack.chat._selection import Choice, Chosen, Order

    Trace = tuple[int, int, "Trace"] | None
    State = tuple[int, int | float, Trace]
    """cost, value, and (unit, form, trace before) of the last unit chosen."""

# States of the automaton: nothing yet; the user's side last; the model's, which may not, or may, end it all.
NOTHING, USER, MODEL, MODEL_LAST = range(4)
NEVER = float("-inf")
# Pairs kept at one place, run by run; beyond it those of the best bound are, and nothing is proven.
WIDTHS = (32, 256, 2_000)


class Line:
    """Units in order, their undominated forms (cost, value, form), and the automaton that runs over them."""

    def __init__(self, choices: Sequence[Choice], order: Order) -> None:
        self.indices = [index for index, choice in enumerate(choices) if choice.allowed]
        self.pinned = [choices[index].pinned for index in self.indices]
        self.forms = [_undominated(choices[index]) for index in self.indices]
        self.steps: list[list[int | None]] = []
        user_follows = False
        for index in reversed(self.indices):
            choice = choices[index]
            self.steps.append([_step(choice, state, order, user_follows) for state in range(4)])
            user_follows = user_follows or choice.ends == "user"
        self.steps.reverse()
        self.step = all(isinstance(value, int) for forms in self.forms for _, value, _ in forms)
        self.may_end = [True, True, not order.last_user, True]

    def completions(self, price: float) -> list[list[float]]:
        """The greatest value less price x cost that can follow each place, by state."""
        after = [0.0 if may else NEVER for may in self.may_end]
        table = [after]
        for pinned, forms, steps in zip(
            reversed(self.pinned), reversed(self.forms), reversed(self.steps), strict=True
        ):
            net = max((value - price * cost for cost, value, _ in forms), default=NEVER)
            here = []
            for state in range(4):
                best = NEVER if pinned else after[state]
                step = steps[state]
                if step is not None and net + after[step] > best:
                    best = net + after[step]
                here.append(best)
            after = here
            table.append(here)
        table.reverse()
        return table

    def follow(self, price: float, table: list[list[float]]) -> State:
        """The selection that attains the first entry of the table; of two equal ones the cheaper."""
        cost, value, trace, state = 0, 0, None, NOTHING
        found: State = (cost, value, trace)
        for place, (pinned, forms, steps) in enumerate(zip(self.pinned, self.forms, self.steps, strict=True)):
            step = steps[state]
            if step is None or not forms:
                continue
            form = max(forms, key=lambda form: (form[1] - price * form[0], -form[0]))
            if pinned or form[1] - price * form[0] + table[place + 1][step] > table[place + 1][state]:
                found = (found[0] + form[0], found[1] + form[1], (self.indices[place], form[2], found[2]))
                state = step
        return found


def _undominated(choice: Choice) -> list[tuple[int, int | float, int]]:
    forms = sorted(
        zip(choice.costs, choice.values, range(len(choice.costs)), strict=True), key=lambda f: (f[0], -f[1])
    )
    kept: list[tuple[int, int | float, int]] = []
    for form in forms:
        if not kept or form[1] > kept[-1][1]:
            kept.append(form)
    return kept


def _step(choice: Choice, state: int, order: Order, user_follows: bool) -> int | None:
    """The state after a unit, None if it may not stand there."""
    if choice.starts == "system" and choice.ends == "system":
        return state
    if state == NOTHING:
        if order.first_user and choice.starts != "user":
            return None
    elif order.call_behind_user and choice.calls and choice.starts == "model" and state != USER:
        return None
    if choice.ends == "user":
        return USER
    return MODEL if user_follows and not choice.calls else MODEL_LAST


def best_in_order(
    choices: Sequence[Choice], capacity: int, order: Order, widths: Sequence[int] = WIDTHS
) -> tuple[Chosen | None, int | float, bool]:
    """The best selection within *capacity*, a proven bound on any, and whether it attains it.

    None if what is pinned does not fit, or cannot stand in this order.
    """
    line = Line(choices, order)
    price, table = _price(line, capacity)
    bound = table[0][NOTHING] + price * capacity
    if bound == NEVER:
        return None, 0, False
    found = line.follow(price, table)
    best = found if found[0] <= capacity else None
    for width in widths:
        better, proven = _run(line, capacity, price, table, best, width)
        best = better or best
        if proven:
            return (_chosen(best[2]), best[1], True) if best is not None else (None, 0, False)
    return (
        (_chosen(best[2]), max(bound, best[1]), best[1] >= bound)
        if best is not None
        else (None, bound, False)
    )


def _run(
    line: Line, capacity: int, price: float, table: list[list[float]], incumbent: State | None, width: int
) -> tuple[State | None, bool]:
    """The best selection that is better than the incumbent, and whether nothing was cut for its width."""
    # Rounding must never cut an optimum off, so the floor is a little lower; whole values step by one.
    scale = abs(table[0][NOTHING] + price * capacity)
    least = NEVER if incumbent is None else incumbent[1] + line.step - 1e-11 * scale - 1e-11
    fronts: list[list[State]] = [[(0, 0, None)], [], [], []]
    proven = True
    for place in range(len(line.indices)):
        fronts = _advance(line, place, fronts, capacity)
        after = table[place + 1]
        for state in range(4):
            fronts[state] = _pruned(fronts[state], price, after[state] + price * capacity, least)
        proven = _narrow(fronts, price, after, width) and proven
    ends = [state for at, front in enumerate(fronts) if line.may_end[at] for state in front]
    best = max(ends, key=lambda state: (state[1], -state[0]), default=None)
    if incumbent is not None and best is not None and best[1] <= incumbent[1]:
        best = None
    return best, proven


def _advance(line: Line, place: int, fronts: list[list[State]], capacity: int) -> list[list[State]]:
    """Take or leave the unit at a place, from every pair."""
    grown: list[list[State]] = [[] if line.pinned[place] else list(front) for front in fronts]
    for state, front in enumerate(fronts):
        step = line.steps[place][state]
        if step is None:
            continue
        for more, worth, form in line.forms[place]:
            grown[step] += [
                (cost + more, value + worth, (line.indices[place], form, trace))
                for cost, value, trace in front
                if cost + more <= capacity
            ]
    return grown


def _pruned(front: list[State], price: float, completion: float, floor: float) -> list[State]:
    """Without pairs that are dominated, or cannot reach the floor even with the best completion."""
    front = [state for state in front if state[1] - price * state[0] + completion >= floor]
    front.sort(key=lambda state: (state[0], -state[1]))
    kept: list[State] = []
    for state in front:
        if not kept or state[1] > kept[-1][1]:
            kept.append(state)
    return kept


def _narrow(fronts: list[list[State]], price: float, completions: list[float], width: int) -> bool:
    """Keep the pairs of the best bound if there are more than *width*; says whether all were kept."""
    if sum(map(len, fronts)) <= width:
        return True
    reach = sorted(
        (state[1] - price * state[0] + completions[at] for at, front in enumerate(fronts) for state in front),
        reverse=True,
    )
    for at, front in enumerate(fronts):
        fronts[at] = [s for s in front if s[1] - price * s[0] + completions[at] >= reach[width - 1]]
    return False


def _price(line: Line, capacity: int) -> tuple[float, list[list[float]]]:
    """The price per token at which the bound is (nearly) least; any price gives a valid one."""
    table = line.completions(0.0)
    if table[0][NOTHING] == NEVER or line.follow(0.0, table)[0] <= capacity:
        return 0.0, table
    low, high = (
        0.0,
        1.0 + max((value / cost for forms in line.forms for cost, value, _ in forms if cost), default=0.0),
    )
    for _ in range(20):  # dear enough that only what is pinned, or needed by a pin, is bought
        if line.follow(high, line.completions(high))[0] <= capacity:
            break
        high *= 8
    for _ in range(40):
        middle = (low + high) / 2
        if line.follow(middle, line.completions(middle))[0] > capacity:
            low = middle
        else:
            high = middle
    return high, line.completions(high)


def _chosen(trace: Trace) -> Chosen:
    chosen: Chosen = {}
    while trace is not None:
        chosen[trace[0]] = trace[1]
        trace = trace[2]
    return chosen
