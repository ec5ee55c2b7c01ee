"""A frozen record by hand: `dataclasses` alone would cost a third of the import time."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


class Record:
    """Base of the frozen records: equality, hash, repr and pickling over `__slots__`.

    A subclass lists its fields in `__slots__` and gives them to `_fill` in that order.
    """

    __slots__: tuple[str, ...] = ()

    def _fill(self, *values: object) -> None:
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set; build a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self).__name__, *self._values()))

    def __repr__(self) -> str:
        told = (
            f"{name}={getattr(self, name)!r}" for name in self.__slots__ if getattr(self, name) is not None
        )
        return f"{type(self).__name__}({', '.join(told)})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _remake, (type(self), self._values())


def copied(found: Any) -> Any:
    """Return dicts and lists of our own, however deep, that hold the same."""
    if isinstance(found, dict):
        return {key: copied(value) for key, value in found.items()}
    return [copied(one) for one in found] if isinstance(found, list) else found


def _remake(kind: type[Record], values: tuple[Any, ...]) -> Record:
    record = object.__new__(kind)
    record._fill(*values)
    return record
