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

def set_dispatch(enabled: bool, /) -> bool:
    """Use the widest vectors of this machine, or only baseline ones; return what was. For tests."""
