"""Why each snippet of a structured packing is in or out. Worked out when somebody looks."""

from __future__ import annotations

from haversack._account import Account
from haversack._decision import Decision
from haversack._decisions import Decisions
from haversack._kept import Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from haversack._decision import Ledger
    from haversack._model import Model
    from haversack._structured import StructuredOutcome


class StructuredDecisions(Decisions):
    """The decisions on snippets that have forms or hang together."""

    __slots__ = ("_costs", "_reasons", "_values", "details", "forms")

    def __init__(self, model: Model, outcome: StructuredOutcome, ledger: Ledger) -> None:
        super().__init__(model, outcome.mask, ledger)
        account = Account(model, outcome, ledger)
        size = len(model.objects)
        shown = [account.shown(position) for position in range(size)]
        structure = account.structure
        self._costs = [structure.costs[position][form] for position, form in enumerate(shown)]
        self._values = [structure.values[position][form] for position, form in enumerate(shown)]
        whys = [account.why(position) for position in range(size)]
        self._reasons = [reason for reason, _ in whys]
        self.details = [detail for _, detail in whys]
        if model.copies is not None:
            model.copies.mark(self._reasons, 0, self.details)
        self.forms = [
            model.form_name(position, form) if form >= 0 else None
            for position, form in enumerate(outcome.choice)
        ]

    @property
    def costs(self) -> list[int]:
        """The tokens by position: of the chosen form, or of the cheapest where none was."""
        return self._costs

    @property
    def values(self) -> list[int | float]:
        """The values by position, of the same forms."""
        return self._values

    def _range(self, start: int, stop: int) -> Iterator[Decision]:
        return (Decision((position, self._reasons[position], self)) for position in range(start, stop))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # The account needs the structure; what it came to does not.
        columns = (self.ids, self._costs, self._values, self._model.pinned)
        return _remake, (columns, bytes(self._mask), self.ledger, self._reasons, self.details, self.forms)


def _remake(
    columns: tuple[Any, ...],
    mask: bytes,
    ledger: Ledger,
    reasons: list[str],
    details: list[dict[str, Any]],
    forms: list[str | None],
) -> StructuredDecisions:
    made = object.__new__(StructuredDecisions)
    kept = Kept(*columns)
    Decisions.__init__(made, kept, memoryview(mask), ledger)
    made._costs, made._values = kept.costs, kept.values
    made._reasons, made.details, made.forms = reasons, details, forms
    return made
