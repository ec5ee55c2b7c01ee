"""Counters from tokenizers that the caller has: Hugging Face files and objects, tiktoken encodings."""

from __future__ import annotations

from haversack._extras import MissingExtraError
from haversack.counters._counter import Counter
from haversack.counters._exact import Encoding, guarded, load_tiktoken, ordinary, ranks_on_disk
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from typing import Any


def huggingface(tokenizer: str | PathLike[str] | Any) -> Counter:
    """Count exactly with a `tokenizer.json`: its path, its folder, or a `tokenizers` / `transformers` object.

    The text itself is counted: no special tokens are added, special-token text is ordinary text, and the
    truncation and padding set in the file are off (they would hide the length of long texts). The object
    passed is not changed. A name of a model hub is refused: nothing is downloaded.
    """
    if isinstance(tokenizer, str) or hasattr(tokenizer, "__fspath__"):
        path = _file(tokenizer)
        return Counter(f"hf:{path}", _HuggingFace(path, None), exact=True)
    # transformers' fast tokenizers wrap the one we want.
    backend: Any = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if not hasattr(backend, "encode_batch") or not hasattr(backend, "to_str"):
        raise InputTypeError(
            f"huggingface() takes a path or a tokenizers.Tokenizer, found {type(tokenizer).__name__} "
            f"(a slow transformers tokenizer goes in as a function: lambda text: len(t.tokenize(text)))",
            path="counter",
            field="counter",
            found=tokenizer,
        )
    name = getattr(tokenizer, "name_or_path", "") or type(backend.model).__name__
    return Counter(f"hf:{name}", _HuggingFace(None, backend.to_str()), exact=True)


def tiktoken(encoding: str | Any) -> Counter:
    """Count exactly with tiktoken: a `tiktoken.Encoding`, or the name of one whose ranks are on disk.

    tiktoken would fetch missing ranks; haversack never lets it, and says where the file belongs.
    """
    if not isinstance(encoding, str):
        if not hasattr(encoding, "encode_ordinary"):
            raise InputTypeError(
                f"tiktoken() takes an encoding or the name of one, found {type(encoding).__name__}",
                path="counter",
                field="counter",
                found=encoding,
            )
        return Counter(str(encoding.name), _Tiktoken(encoding), exact=True)
    try:
        import tiktoken as library  # noqa: F401
    except ImportError:
        raise MissingExtraError(f"tiktoken({encoding!r})", "tokens", " or pip install tiktoken") from None
    if ranks_on_disk(encoding) is None:
        raise InputError(
            f"tiktoken's ranks for {encoding!r} are not on disk, and haversack does not download them; run "
            f"tiktoken.get_encoding({encoding!r}) once with a network, or set TIKTOKEN_CACHE_DIR to a folder "
            f"that has them. counter={encoding!r} needs neither with pip install 'haversack[tokens]'",
            path="counter",
            field="counter",
            found=encoding,
        )
    return Counter(encoding, Encoding(encoding, "tiktoken", load_tiktoken), exact=True)


def _file(path: str | PathLike[str]) -> str:
    import os

    place = os.fspath(path)
    if os.path.isdir(place):
        place = os.path.join(place, "tokenizer.json")
    if not os.path.isfile(place):
        raise InputError(
            f"no tokenizer file at {place!r}; give the path of a tokenizer.json (nothing is downloaded)",
            path="counter",
            field="counter",
            found=path,
        )
    return place


class _HuggingFace:
    """Counts with a private copy of a tokenizer, made from its file or its JSON at the first count."""

    __slots__ = ("_lock", "_tokenizer", "json", "path")

    def __init__(self, path: str | None, json: str | None) -> None:
        from threading import Lock

        self.path = path
        self.json = json
        self._lock = Lock()
        self._tokenizer: Any = None

    def __call__(self, texts: list[str]) -> list[int]:
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = self._load()
            tokenizer = self._tokenizer
        return guarded(lambda batch: _lengths(tokenizer, batch), texts, self.path or "a text", "tokenizers")

    def _load(self) -> Any:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtraError("counting with a tokenizer.json", "hf") from None
        try:
            tokenizer = Tokenizer.from_file(self.path) if self.path else Tokenizer.from_str(self.json or "")
        except Exception as error:  # tokenizers raises a bare Exception
            message = f"{self.path} is no tokenizer: {error}"
            raise InputError(message, path="counter", field="counter", found=self.path) from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True
        return tokenizer

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _HuggingFace, (self.path, self.json)


def _lengths(tokenizer: Any, texts: list[str]) -> list[int]:
    return [len(encoding) for encoding in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]


class _Tiktoken:
    """Counts with a caller's `tiktoken.Encoding`, which pickles itself by its name or its ranks."""

    __slots__ = ("encoding",)

    def __init__(self, encoding: Any) -> None:
        self.encoding = encoding

    def __call__(self, texts: list[str]) -> list[int]:
        return guarded(ordinary(self.encoding), texts, str(self.encoding.name), "tiktoken")
