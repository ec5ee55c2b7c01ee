"""Token counters: exact and offline for OpenAI's encodings and your own tokenizer files, estimates by name.

A counter is any function from a text to an int. The ones made here also have `count_many`, `name` and
`exact`. Nothing is loaded before the first count, and nothing is ever downloaded.
"""

from __future__ import annotations

from haversack.counters._anchored import Anchored, anchored
from haversack.counters._cached import Cached, cached
from haversack.counters._counter import Counter, CountingError, wrap
from haversack.counters._names import encoding_of, resolve
from haversack.counters._tokenizers import huggingface, tiktoken

__all__ = [
    "Anchored",
    "Cached",
    "Counter",
    "CountingError",
    "anchored",
    "cached",
    "encoding_of",
    "huggingface",
    "resolve",
    "tiktoken",
    "wrap",
]
