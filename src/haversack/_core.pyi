"""The native module: columns in, outcome out. Private; `_model` and `_knapsack` are its only callers."""

from collections.abc import Sequence
from typing import Any, TypeAlias

# (ids, pinned), (begin, costs, values, names, texts),
# (sections, groups, requires, choices, tiers, whether there are tiers)
Structured: TypeAlias = tuple[
    tuple[list[Any], bytes],
    tuple[list[int], list[int], list[int | float], list[str], list[str | None] | None],
    tuple[list[str | None], list[str | None], list[list[int]], list[str | None], list[int], bool] | None,
]

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
    *,
    clamp: bool = True,
    effort: int = -1,
) -> ForestOutcome | None:
    """Solve a forest (see forest.hpp), or return None where its numbers are too wide."""

def solve_floors(
    sections: tuple[Any, Any, Any],
    nodes: tuple[Any, Any, Any],
    options: tuple[Any, Any, Any],
    worth: bytes,
    penalty: bytes,
    grain: int,
    effort: int,
    /,
) -> tuple[bytes, bytes, bool, int, int, int] | None:
    """Solve a forest with floors (see floors.hpp), or return None where its numbers are too wide.

    What is found are the choice as int32, the bound as words, whether it is proven, states, passes, bits.
    """

def solve_linked(
    capacity: int,
    section_parent: Any,
    section_cap: Any,
    item_section: Any,
    item_unit: Any,
    option_begin: Any,
    option_weight: Any,
    option_profit: Any,
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

def read_structured(snippets: list[Any], /) -> Structured | None:
    """Read plain dicts with forms or links, or return None where anything needs `_coerce`."""

def units_of(
    required: list[list[int]], groups: list[list[int]], /
) -> tuple[list[list[int]], list[int], list[list[int]], list[list[int]]]:
    """Return (members, unit_of, needs, users): what goes in or out together, what is needed before it."""

def extremes(begin: list[int], numbers: list[int], /) -> tuple[list[int], list[int]]:
    """Return the least and the greatest of the numbers from each offset to the next."""

def scaled(numbers: list[int | float], /) -> tuple[list[int], int] | None:
    """Return the numbers times a power of two, as integers, and its exponent; None where all are integers."""

def sum_chosen(begin: list[int], numbers: list[int], choice: list[int], /) -> int:
    """Add up `numbers[begin[i] + choice[i]]` for every i whose choice is not below 0."""

def set_dispatch(enabled: bool, /) -> bool:
    """Use the widest vectors of this machine, or only baseline ones; return what was. For tests."""
