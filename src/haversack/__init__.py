"""Pack an LLM context: the most valuable snippets that fit, with a proof."""

from haversack import exceptions
from haversack._decision import Decision
from haversack._knapsack import Solution, knapsack
from haversack._packer import Packer, max_value, pack
from haversack._packing import Packing
from haversack._request import pack_request
from haversack._snippet import Section, Snippet, Variant
from haversack.exceptions import InputError, InputTypeError, OverBudgetError, OverBudgetWarning, PackingError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack import chat, counters, evaluation, renderers, values
    from haversack.chat import pack_messages

__version__ = "0.1.0"

__all__ = [
    "Decision",
    "InputError",
    "InputTypeError",
    "OverBudgetError",
    "OverBudgetWarning",
    "Packer",
    "Packing",
    "PackingError",
    "Section",
    "Snippet",
    "Solution",
    "Variant",
    "chat",
    "counters",
    "evaluation",
    "exceptions",
    "knapsack",
    "max_value",
    "pack",
    "pack_messages",
    "pack_request",
    "renderers",
    "values",
]

_LOADED_WHEN_ASKED_FOR = ("chat", "counters", "evaluation", "renderers", "values")


def __getattr__(name: str) -> object:
    """Load a part of the library when it is first asked for: most programs need few of them."""
    if name == "pack_messages":
        from haversack.chat import pack_messages

        globals()[name] = pack_messages
        return pack_messages
    if name in _LOADED_WHEN_ASKED_FOR:
        from importlib import import_module

        return import_module(f"haversack.{name}")  # which binds the name, too
    raise AttributeError(f"module 'haversack' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List what there is, loaded or not."""
    return sorted({*globals(), *__all__})
