"""Pack an LLM context: the most valuable snippets that fit, with a proof."""

from haversack._decisions import Decision
from haversack._knapsack import Solution, knapsack
from haversack._packer import Packer, max_value, pack
from haversack._packing import Packing
from haversack._request import pack_request
from haversack._snippet import Section, Snippet, Variant
from haversack.exceptions import InputError, InputTypeError, OverBudgetError, OverBudgetWarning, PackingError

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
    "knapsack",
    "max_value",
    "pack",
    "pack_request",
]
