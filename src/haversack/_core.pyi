"""The native module: columns in, outcome out. Private; `_model` and `_knapsack` are its only callers."""

from collections.abc import Sequence
from typing import Any

class Columns:
    """An immutable struct of arrays: costs, values, pins."""

    @staticmethod
    def read(snippets: list[Any], /) -> Columns | None:
        """Read plain dicts, or return None where anything needs `_coerce` (to accept it, or to explain)."""

    @staticmethod
    def of(costs: Any, values: Any, pinned: Any = None, /) -> Columns:
        """Read two sequences or buffers; OverflowError where a number does not fit 64 bits."""

    def __len__(self) -> int: ...
    @property
    def costs(self) -> memoryview: ...
    @property
    def values(self) -> memoryview[int | float] | list[int | float]: ...
    @property
    def pinned(self) -> Sequence[int]: ...
    @property
    def integral(self) -> bool: ...
    @property
    def ids(self) -> list[Any] | None: ...

class Outcome:
    """What a solve found and what it proved."""

    @property
    def chosen(self) -> memoryview: ...
    @property
    def mask(self) -> memoryview: ...
    @property
    def value(self) -> int | float: ...
    @property
    def cost(self) -> int: ...
    @property
    def pinned_cost(self) -> int: ...
    @property
    def bound(self) -> int | float: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def fewest_tokens(self) -> bool: ...
    @property
    def states(self) -> int: ...
    @property
    def statistics(self) -> dict[str, int]: ...

def solve(columns: Columns, capacity: int, effort: int, /) -> Outcome | None:
    """Solve, or return None where the numbers are too wide for the native arithmetic."""

def pick(objects: list[Any], mask: Any, wanted: int, /) -> list[Any]:
    """Return `objects[i]` for every i where `mask[i] == wanted`."""

class ForestOutcome:
    """What the forest engine found; profits by tier in use."""

    @property
    def choice(self) -> memoryview: ...
    @property
    def chosen(self) -> memoryview: ...
    @property
    def exponent(self) -> int: ...
    @property
    def tiers(self) -> list[int]: ...
    @property
    def value(self) -> list[int]: ...
    @property
    def bound(self) -> list[int]: ...
    @property
    def cost(self) -> int: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def fewest_tokens(self) -> bool: ...
    @property
    def states(self) -> int: ...
    @property
    def statistics(self) -> dict[str, int]: ...

def solve_forest(
    capacity: int,
    section_parent: Any,
    section_cap: Any,
    unit_section: Any,
    unit_parent: Any,
    unit_mandatory: Any,
    unit_with_parent: Any,
    option_begin: Any,
    option_weight: Any,
    option_profit: Any,
    option_tier: Any,
    option_limbs: bytes | None,
    *,
    clamp: bool = True,
    effort: int = -1,
) -> ForestOutcome | None:
    """Solve a forest (see forest.hpp), or return None where its numbers are too wide."""

def solve_linked(
    capacity: int,
    section_parent: Any,
    section_cap: Any,
    item_section: Any,
    item_unit: Any,
    option_begin: Any,
    option_weight: Any,
    option_profit: Any,
    option_words: bytes | None,
    unit_side: Any,
    need_begin: Any,
    need: Any,
    choice_begin: Any,
    choice_item: Any,
    *,
    known: list[int] | None = None,
    effort: int = -1,
) -> tuple[list[int], int, bool, int, int] | None:
    """Solve what no forest knows (see linked.hpp); None where the numbers are too wide.

    The choice, the bound, whether it has the fewest tokens, states and nodes.
    """

def solve_classes(
    columns: Columns, capacity: int, classes: Any, sections: Any, caps: Any, effort: int
) -> ForestOutcome | None:
    """Choose at most one item a class within the caps of sections; None where the numbers are too wide."""

def set_dispatch(enabled: bool, /) -> bool:
    """Use the widest vectors of this machine, or only baseline ones; return what was. For tests."""
