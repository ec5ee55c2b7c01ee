"""OpenAI's encodings, counted offline: toktok, else tiktoken where its ranks are on disk.

Nothing here downloads. toktok carries its vocabularies; tiktoken fetches them on first use, so it is asked
only when the file it would read is there and has the right hash (a wrong one it deletes and fetches again).
"""

from __future__ import annotations

from haversack._extras import MissingExtraError
from haversack.counters._counter import Counter, CountingError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Count: TypeAlias = Callable[[list[str]], list[int]]

# encoding -> (file name in tiktoken's cache: SHA-1 of the URL; SHA-256 of the ranks)
_RANKS = {
    "o200k_base": (
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    "cl100k_base": (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
}
# Harmony adds special tokens only; special-token text counts as ordinary text, so the ranks are o200k's.
_RANKS["o200k_harmony"] = _RANKS["o200k_base"]

ENCODINGS = tuple(sorted(_RANKS))

# A loader that found no vocabulary may still count, byte by byte: two facts tell it from a working one.
_PROBE = "Naïve café: 12345 don't\r\n\n  ### <|endoftext|> ¿中文? 🙂 /usr/bin"
_FACTS = {
    "o200k_base": {"hello world": 2, _PROBE: 26},
    "cl100k_base": {"hello world": 2, _PROBE: 27},
    "o200k_harmony": {"hello world": 2, _PROBE: 26},
}


class Encoding:
    """Counts with one encoding: a list of texts in, a list of counts out. Loads on the first count.

    `load` gives the counting function; it runs once, whichever thread comes first, and is then tested.
    """

    __slots__ = ("_count", "_lock", "backend", "load", "name")

    def __init__(self, name: str, backend: str, load: Callable[[str], Count]) -> None:
        from threading import Lock

        self.name = name
        self.backend = backend
        self.load = load
        self._lock = Lock()
        self._count: Count | None = None

    def __call__(self, texts: list[str]) -> list[int]:
        count = self._count
        if count is None:
            with self._lock:
                count = self._count = self._count or self._tested()
        return guarded(count, texts, self.name, self.backend)

    def _tested(self) -> Count:
        count = self.load(self.name)
        facts = _FACTS[self.name]
        found = guarded(count, list(facts), self.name, self.backend)
        if found != list(facts.values()):
            raise CountingError(
                f"{self.backend} counts {self.name} wrongly: {found} tokens for two known texts "
                f"instead of {list(facts.values())}; reinstall it"
            )
        return count

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return Encoding, (self.name, self.backend, self.load)


def exact(encoding: str) -> Counter:
    """Make the exact counter of an OpenAI encoding, or say what is missing."""
    if _has("toktok"):
        return Counter(encoding, Encoding(encoding, "toktok", load_toktok), exact=True)
    if _has("tiktoken") and ranks_on_disk(encoding):
        return Counter(encoding, Encoding(encoding, "tiktoken", load_tiktoken), exact=True)
    raise MissingExtraError(
        f"counting {encoding} exactly",
        "tokens",
        " (tiktoken alone is used only when its ranks are on disk: haversack never downloads them)",
    )


def load_toktok(encoding: str) -> Count:
    """Count with toktok. Special-token text is ordinary text there unless asked otherwise."""
    import toktok  # type: ignore[import-untyped, unused-ignore]

    def count(texts: list[str]) -> list[int]:
        # More threads gave nothing in our measurements, and would take cores from the caller's pool.
        counts: list[int] = toktok.batch_count(texts, encoding, threads=1)
        return counts

    return count


def load_tiktoken(encoding: str) -> Count:
    """Count with tiktoken's own encoding of that name, whose ranks must be on disk."""
    import tiktoken

    return ordinary(tiktoken.get_encoding(encoding))


def ordinary(encoding: Any) -> Count:
    """Count with a `tiktoken.Encoding`, special-token text as ordinary text."""

    def count(texts: list[str]) -> list[int]:
        return [len(encoding.encode_ordinary(text)) for text in texts]

    return count


def guarded(count: Count, texts: list[str], name: str, backend: str) -> list[int]:
    """Count, and turn a panic of a Rust tokenizer, which is no `Exception`, into an error that is one."""
    try:
        return count(texts)
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        longest = max(map(len, texts), default=0)
        way_out = "" if backend == "toktok" else "; pip install 'haversack[tokens]' counts any text"
        raise CountingError(
            f"{backend} gave up counting {name} (longest text: {longest:,} characters): {error}{way_out}"
        ) from error


def ranks_on_disk(encoding: str) -> str | None:
    """Find the file that tiktoken would read for an encoding, if it is there and whole; else None."""
    import os
    import tempfile
    from hashlib import sha256

    # tiktoken's own rule for where its cache is.
    default = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR", default))
    if not folder or encoding not in _RANKS:
        return None
    file_name, digest = _RANKS[encoding]
    path = os.path.join(folder, file_name)
    try:
        with open(path, "rb") as ranks:
            return path if sha256(ranks.read()).hexdigest() == digest else None
    except OSError:
        return None


def _has(package: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # a half-installed package, or one blocked in sys.modules
        return False
