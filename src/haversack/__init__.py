"""Pack an LLM context: the most valuable snippets that fit, with a proof."""

from haversack._decision import Decision
from haversack._knapsack import Solution, knapsack
from haversack._packer import Packer, max_value, pack
from haversack._packing import Packing
from haversack._request import pack_request
from haversack._snippet import Section, Snippet, Variant
from haversack.exceptions import InputError, InputTypeError, OverBudgetError, OverBudgetWarning, PackingError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from haversack import chat
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
    "knapsack",
    "max_value",
    "pack",
    "pack_messages",
    "pack_request",
]


def __getattr__(name: str) -> object:
    """Load what packs conversations when it is first asked for: most programs never do."""
    if name in ("chat", "pack_messages"):
        from haversack.chat import pack_messages

        globals()["pack_messages"] = pack_messages  # `chat` is bound by the import itself
        return globals()[name]
    raise AttributeError(f"module 'haversack' has no attribute {name!r}")
