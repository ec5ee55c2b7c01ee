"""What was chosen, form by form, section by section, tier by tier."""

from __future__ import annotations

from haversack._solved import Solved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._model import AnyOutcome, Model
    from haversack._structured import StructuredOutcome


class Chosen(Solved):
    """The parts of a packing that structure gives more than one of."""

    __slots__ = ("_model",)

    _model: Model
    _outcome: AnyOutcome

    @property
    def texts(self) -> list[str | None]:
        """The chosen form of each selected snippet, parallel to `selected`; None where it has no text.

        Costs and values are those of the call. So are the texts of snippets that have forms or hang together,
        or are no plain dicts; those of plain dicts are read when this is asked for, so a text that you change
        after packing shows as it is then, as it does in `selected`.
        """
        return self._model.texts(self._outcome.chosen.tolist(), self._choice)

    @property
    def forms(self) -> dict[str | int, str]:
        """The chosen form of each selected snippet by id: `full` is the snippet's own text."""
        ids, choice = self._model.ids, self._choice
        if choice is None:
            return {ids[position]: "full" for position in self._outcome.chosen}
        return {ids[at]: self._model.form_name(at, choice[at]) for at in self._outcome.chosen}

    @property
    def _choice(self) -> list[int] | None:
        """The number of the chosen form by position; None where snippets have one form each."""
        return None if self._model.structure is None else self._structured.choice

    @property
    def _structured(self) -> StructuredOutcome:
        assert self._model.structure is not None
        outcome: Any = self._outcome
        found: StructuredOutcome = outcome
        return found

    @property
    def bound(self) -> Any:
        """A proven upper bound on the value of any selection; equal to `value` exactly when optimal.

        With tiers a tuple, tier by tier: no selection's values come after it in lexicographic order.
        """
        return self._outcome.bound

    @property
    def gap(self) -> Any:
        """bound - value: what a perfect selection might still gain, at most; with tiers a tuple."""
        bound: Any = self._outcome.bound
        if isinstance(bound, tuple):
            return tuple(most - got for most, got in zip(bound, self._structured.totals, strict=True))
        return bound - self._outcome.value

    @property
    def values_by_tier(self) -> dict[int, int | float] | None:
        """The value of each tier, the first tier first; None where no snippet has a tier."""
        structure = self._model.structure
        if structure is None or not structure.has_tiers:
            return None
        return dict(zip(structure.tiers, self._structured.totals, strict=True))

    @property
    def sections(self) -> dict[str, dict[str, int | None]]:
        """What each section holds, sections inside it included; labels that were not declared have no cap.

        Its tokens `used`, its `cap` in tokens, what is `over` that, its `floor` and what that lacks, the
        `shortfall`.
        """
        if self._model.structure is None:
            return {}
        from haversack._usage import usage

        return usage(self._model.structure, self._structured.choice, self._structured.caps)
