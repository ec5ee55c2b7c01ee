"""What a token costs in each section, and what it earns where it fills a floor (Lagrangian dual).

A section's net price is that around it, but no less than the price at which its demand meets its cap, and no
more than that at which its demand reaches its floor. Below the price around, the difference is a bonus for
each token that fills the floor; it is never more than what a token lacking takes off. Any such prices prove a
bound: the better they are, the less is left to search.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack._floor_numbers import Numbers

_SCALE = 16


class Prices:
    """Price and bonus by section; `best` of each node, being in: the most its subtree comes to at these."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers: Numbers = numbers
        # Prices are integers. A unit of profit is many of worth, so that rounding them loses little.
        self.scale = _SCALE
        self.worth = [worth * self.scale for worth in numbers.worth]
        self.penalty = numbers.penalty * self.scale
        sections = len(numbers.cap)
        self.roots: list[list[int]] = [[] for _ in range(sections)]
        self.inner: list[list[int]] = [[] for _ in range(sections)]
        self.end = list(range(1, len(numbers.row) + 1))  # nodes [node, end) are its subtree
        for node in range(len(numbers.row) - 1, -1, -1):
            parent = numbers.parent[node]
            if parent < 0:
                self.roots[numbers.section[node]].append(node)
            else:
                self.end[parent] = max(self.end[parent], self.end[node])
        for section, around in enumerate(numbers.around[:-1]):
            self.inner[around].append(section)
        for roots in self.roots:
            roots.reverse()
        self._find_turns()
        self._spread()
        self.best = [0] * len(numbers.row)
        self.of_section = [0] * sections  # the bound of what lies in it, on leaving it
        self._evaluate()

    def _find_turns(self) -> None:
        """By section: net prices at which its demand meets its cap (`low`) and reaches its floor (`high`)."""
        numbers = self.numbers
        sections = len(numbers.cap)
        ceiling = sum(map(abs, self.worth)) + 1
        bottom = -ceiling - self.penalty * (sections + 1)
        self.low, self.high = [bottom] * sections, [ceiling] * sections
        self._at_low, self._at_high = [0] * sections, [0] * sections
        for section in range(sections):
            cap, floor = numbers.cap[section], numbers.floor[section]
            least = 0 if section == sections - 1 else bottom
            if self._demand(section, least, False)[0] > cap:
                below, meets = least, ceiling
                while below + 1 < meets:
                    middle = (below + meets) // 2
                    if self._demand(section, middle, False)[0] > cap:
                        below = middle
                    else:
                        meets = middle
                self.low[section] = meets
                tokens, filled = self._demand(section, meets, False)
                self._at_low[section] = filled + cap - tokens
            if floor and self._demand(section, ceiling, True)[1] < floor:
                reaches, above = bottom, ceiling
                while reaches + 1 < above:
                    middle = (reaches + above) // 2
                    if self._demand(section, middle, True)[1] < floor:
                        above = middle
                    else:
                        reaches = middle
                self.high[section] = max(reaches, self.low[section])
                tokens, filled = self._demand(section, self.high[section], True)
                self._at_high[section] = tokens + min(0, floor - filled)

    def _demand(self, section: int, price: int, is_greedy: bool) -> tuple[int, int]:
        """Tokens wanted at a net price, and those of them that fill; of equals the most if `is_greedy`."""
        tokens = filled = 0
        numbers = self.numbers
        for root in self.roots[section]:
            if self.end[root] == root + 1:
                more, filling = self._leaf(root, price, is_greedy)
            else:
                more, filling = self._tree(root, price, is_greedy)
            tokens += more
            filled += filling
        for inner in self.inner[section]:
            if price < self.low[inner]:
                tokens += numbers.cap[inner]
                filled += self._at_low[inner]
            elif price > self.high[inner]:
                tokens += self._at_high[inner]
                filled += numbers.floor[inner]
            else:
                more, filling = self._demand(inner, price, is_greedy)
                tokens += more
                filled += filling
        return tokens, filled

    def _option(self, node: int, price: int, is_greedy: bool) -> tuple[int, int, int]:
        """The best option at a net price: what it comes to, its tokens, and those that fill."""
        numbers = self.numbers
        begin = numbers.begin
        best: tuple[int, int, int] | None = None
        for option in range(begin[node], begin[node + 1]):
            tokens = numbers.weight[option]
            filling = numbers.fill[option]
            worth = self.worth[option] - (price if filling or price > 0 else 0) * tokens
            if best is None or worth > best[0] or (worth == best[0] and (tokens > best[1]) == is_greedy):
                best = worth, tokens, filling
        assert best is not None
        return best

    def _leaf(self, node: int, price: int, is_greedy: bool) -> tuple[int, int]:
        worth, tokens, filling = self._option(node, price, is_greedy)
        if self.numbers.forced[node] or worth > 0 or (worth == 0 and is_greedy):
            return tokens, filling
        return 0, 0

    def _tree(self, root: int, price: int, is_greedy: bool) -> tuple[int, int]:
        numbers = self.numbers
        sums = [[0, 0, 0] for _ in range(root, self.end[root])]
        for node in range(self.end[root] - 1, root - 1, -1):
            own = self._option(node, price, is_greedy)
            worth, tokens, filling = (a + b for a, b in zip(sums[node - root], own, strict=True))
            stays = numbers.forced[node] or worth > 0 or (worth == 0 and is_greedy)
            if node == root:
                return (tokens, filling) if stays else (0, 0)
            if stays:
                above = sums[numbers.parent[node] - root]
                above[0] += worth
                above[1] += tokens
                above[2] += filling
        raise AssertionError

    def _spread(self) -> None:
        """From the whole inwards: what is above the price around is price, what is below is bonus."""
        numbers = self.numbers
        sections = len(numbers.cap)
        self.price, self.bonus = [0] * sections, [0] * sections
        self.price[-1] = max(0, self.low[-1])
        for section in range(sections - 2, -1, -1):
            around = numbers.around[section]
            price, bonus = self.price[around], self.bonus[around]
            net = min(max(price - bonus, self.low[section]), self.high[section])
            more = net - (price - bonus)
            if more >= 0 or not numbers.floor[section]:
                self.price[section], self.bonus[section] = price + max(0, more), bonus
            else:
                self.price[section], self.bonus[section] = price, bonus + min(-more, self.penalty)

    def reduced(self, section: int, tokens: int, filling: int, worth: int) -> int:
        """What tokens used and filled, and a worth, come to at the prices of a section."""
        return worth - self.price[section] * tokens + self.bonus[section] * filling

    def _evaluate(self) -> None:
        numbers = self.numbers
        for node in range(len(numbers.row) - 1, -1, -1):
            section = numbers.section[node]
            self.best[node] += max(
                self.reduced(section, numbers.weight[at], numbers.fill[at], self.worth[at])
                for at in range(numbers.begin[node], numbers.begin[node + 1])
            )
            if numbers.parent[node] >= 0:
                self.best[numbers.parent[node]] += self.standing(node)
        for section, around in enumerate(numbers.around):
            inside = self.of_section[section] + sum(map(self.standing, self.roots[section]))
            self.of_section[section] = self.left(section, inside)
            if around >= 0:
                self.of_section[around] += self.of_section[section]

    def standing(self, node: int) -> int:
        """What its subtree comes to at best, in or out."""
        best = self.best[node]
        return best if self.numbers.forced[node] else max(0, best)

    def left(self, section: int, inside: int) -> int:
        """The bound of a section on leaving it, from that inside: at the prices around it."""
        around = self.numbers.around[section]
        price = self.price[section] - (self.price[around] if around >= 0 else 0)
        bonus = self.bonus[section] - (self.bonus[around] if around >= 0 else 0)
        return inside + price * self.numbers.cap[section] - bonus * self.numbers.floor[section]
