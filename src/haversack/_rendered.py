"""The text of a packing, as it was counted."""

from __future__ import annotations

from haversack._record import Record


class Rendered(Record):
    """The context as it is sent.

    `tokens` is the count of `text`; `used` is that and the cost of what is in without a text; `exact` says
    whether a real tokenizer counted, `counter` which one. `capacity` is what the blocks could cost by their
    charges when they were chosen: the recount has corrected it by what the joints between blocks add or save.
    `rounds` is how many texts were counted, `joins` the recount less the sum of what was charged.
    """

    __slots__ = ("text", "tokens", "counter", "exact", "used", "capacity", "rounds", "joins")

    text: str
    tokens: int
    counter: str
    exact: bool
    used: int
    capacity: int
    rounds: int
    joins: int

    def __init__(
        self,
        text: str,
        tokens: int,
        counter: str,
        exact: bool,
        used: int,
        capacity: int,
        rounds: int,
        joins: int,
    ) -> None:
        self._fill(text, tokens, counter, exact, used, capacity, rounds, joins)
