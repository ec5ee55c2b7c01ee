"""From what a caller names to a counter. Never a silent estimate, never the network."""

from __future__ import annotations

from haversack.counters import _estimates, _exact, _tokenizers
from haversack.counters._counter import Counter, wrap
from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# A model is one of these names, or one of them followed by "-" and anything (dates, sizes, "preview").
_MODELS = {
    "o200k_base": ("gpt-4o", "chatgpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "o1", "o3", "o4-mini"),
    "cl100k_base": (
        "gpt-4",
        "gpt-3.5",
        "gpt-3.5-turbo",
        "gpt-35-turbo",
        "text-embedding-3-small",
        "text-embedding-3-large",
        "text-embedding-ada-002",
    ),
    "o200k_harmony": ("gpt-oss",),
}
# Families whose point releases keep the encoding: "gpt-5.1" is read as "gpt-5".
_POINT_RELEASES = ("gpt-5",)
_OWN_FILES = (
    "llama",
    "mistral",
    "mixtral",
    "codestral",
    "qwen",
    "deepseek",
    "gemma",
    "phi",
    "command",
    "grok",
)

_shared: dict[str, Counter] = {}


def resolve(spec: str | Callable[[str], int] | Any) -> Counter:
    """Find the counter for a name, or make one of a tokenizer or a function.

    - an encoding, exact and offline: `"o200k_base"`, `"cl100k_base"`, `"o200k_harmony"`;
    - an OpenAI model: `"gpt-4o"`, `"openai/gpt-5-mini"`, `"o3"`, `"text-embedding-3-small"`;
    - an estimate, by its own name only: `"regex"`, `"bytes/3"`, `"chars/4"`, `"estimate:claude"`, ...;
    - `"hf:PATH"`, a `tokenizer.json` on disk;
    - a `tiktoken.Encoding`, a `tokenizers.Tokenizer`, or any function from a text to an int.

    Counters of one name are one object: its vocabulary is loaded once, at the first count.

    >>> resolve("bytes/3").exact, resolve(len).exact
    (False, True)
    """
    if isinstance(spec, str):
        known = _shared.get(spec)
        return known if known is not None else _shared.setdefault(spec, _from_name(spec))
    library = type(spec).__module__.partition(".")[0]
    if library == "tiktoken":
        return _tokenizers.tiktoken(spec)
    if library in ("tokenizers", "transformers"):
        return _tokenizers.huggingface(spec)
    return wrap(spec)


def encoding_of(model: str) -> str | None:
    """Name the encoding of an OpenAI model; None if it is not known to be one.

    >>> encoding_of("gpt-4o-2024-08-06"), encoding_of("gpt-4-turbo"), encoding_of("gpt-9")
    ('o200k_base', 'cl100k_base', None)
    """
    name = model.lower().rpartition("/")[2]
    if name.startswith("ft:"):
        name = name.split(":")[1]
    for family in _POINT_RELEASES:
        if name.startswith(family + "."):
            name = family
    for encoding, families in _MODELS.items():
        if any(name == family or name.startswith(family + "-") for family in families):
            return encoding
    return None


def _from_name(name: str) -> Counter:
    if name in _exact.ENCODINGS:
        # A model's counter and its encoding's are the same object, with one vocabulary between them.
        return _exact.exact(name)
    if name in _estimates.ESTIMATES:
        return _estimates.make(name)
    if name.startswith("hf:"):
        return _tokenizers.huggingface(name[3:])
    encoding = encoding_of(name)
    if encoding is not None:
        counter: Counter = resolve(encoding)
        return counter
    raise InputError(_unknown(name), path="counter", field="counter", found=name)


def _unknown(name: str) -> str:
    plain = name.lower().rpartition("/")[2]
    if "claude" in plain or "gemini" in plain:
        estimate = _claude_estimate(plain) if "claude" in plain else "estimate:gemini"
        return (
            f"{name!r} has no public tokenizer: its tokens can only be estimated, and never silently. "
            f'Say counter="{estimate}" (o200k_base times a margin), or pass a function that asks the provider'
        )
    if plain.startswith(_OWN_FILES):
        return (
            f"{name!r} is counted by its own tokenizer file: "
            f'counter="hf:PATH/tokenizer.json"; nothing is downloaded. {listing()}'
        )
    return f"no counter is named {name!r}. {listing()}"


def listing() -> str:
    models = ", ".join(dict.fromkeys(family for families in _MODELS.values() for family in families))
    return (
        f"Exact: {', '.join(_exact.ENCODINGS)}, or a model ({models}), or hf:PATH. "
        f"Estimates: {', '.join(_estimates.ESTIMATES)}. Or pass a function from a text to an int"
    )


def _claude_estimate(model: str) -> str:
    # Versions are numbers of one or two digits in either order of words: claude-3-5-sonnet-20241022,
    # claude-opus-4-1. Dates have more digits. The wider margin is for what is newer or not said.
    import re

    version = [int(number) for number in re.findall(r"(?<!\d)\d{1,2}(?!\d)", model.partition(":")[0])][:2]
    if "bedrock" in model or not version:
        return "estimate:claude"
    return "estimate:claude-4.6" if [version[0], *version[1:], 0][:2] <= [4, 6] else "estimate:claude"
