"""An in-memory cache of counts, shared by every call that uses the counter, with a bound on its size."""

from __future__ import annotations

from haversack._text import well_formed
from haversack.counters._counter import Counter
from haversack.counters._names import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

# One entry: 16 bytes of digest in a bytes object (49), its count (28), its place in the dict (up to 100).
_ENTRY_BYTES = 192


class Cached(Counter):
    """Remembers the counts of another counter; made by `cached`.

    Texts are remembered by a 128-bit digest, not kept: an entry costs the same for a word and for a book.
    The least recently used are forgotten first. Safe to share among threads.
    """

    __slots__ = ("_lock", "_seen", "base", "max_bytes")

    def __init__(self, base: Counter, max_bytes: int) -> None:
        from threading import Lock

        super().__init__(base.name, self._recall, exact=base.exact)
        self.base = base
        self.max_bytes = max_bytes
        self._seen: dict[bytes, int] = {}
        self._lock = Lock()

    @property
    def size(self) -> int:
        """Bytes that the remembered counts take, at most; never above `max_bytes`."""
        return len(self._seen) * _ENTRY_BYTES

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._seen.clear()

    def _recall(self, texts: list[str]) -> list[int]:
        keys = [_digest(text) for text in texts]
        found: dict[bytes, int] = {}
        with self._lock:
            for key in keys:
                count = self._seen.pop(key, None)
                if count is not None:
                    found[key] = self._seen[key] = count  # now the most recent
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        # Counted outside the lock: another thread may count the same text, and will find the same number.
        found.update(zip(fresh, self.base.count_many(fresh.values()), strict=True))
        self._remember(found, fresh)
        return [found[key] for key in keys]

    def _remember(self, found: dict[bytes, int], fresh: Iterable[bytes]) -> None:
        room = self.max_bytes // _ENTRY_BYTES
        with self._lock:
            for key in fresh:
                self._seen[key] = found[key]
            while len(self._seen) > room:
                del self._seen[next(iter(self._seen))]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Cached, (self.base, self.max_bytes)


def cached(counter: str | Callable[[str], int], *, max_bytes: int = 64 * 2**20) -> Cached:
    """Count each text once: the same counter with a memory of at most `max_bytes`.

    Worth it where the same texts come back call after call (an agent's turns) or where a counter is slow.
    Pickling keeps the settings and drops what was remembered.

    >>> calls = []
    >>> counter = cached(lambda text: calls.append(text) or len(text))
    >>> counter.count_many(["one", "three", "one"]), counter("one"), calls
    ([3, 5, 3], 3, ['one', 'three'])
    """
    return Cached(resolve(counter), max_bytes)


def _digest(text: str) -> bytes:
    from hashlib import blake2b

    return blake2b(well_formed(text).encode(), digest_size=16).digest()
