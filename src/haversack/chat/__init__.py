"""Chat messages that fit and stay valid, in the forms of OpenAI, Anthropic and Google."""

from haversack.chat._elide import elided
from haversack.chat._forms import FORMS, recognise
from haversack.chat._result import MessagePacking
from haversack.chat._rules import Violation, validate
from haversack.chat._table import RULES, Rule
from haversack.chat.counting import FRAMINGS, NO_FRAMING, Framing, Meter
from haversack.chat.pack import pack_messages

__all__ = [
    "FORMS",
    "FRAMINGS",
    "NO_FRAMING",
    "RULES",
    "Framing",
    "MessagePacking",
    "Meter",
    "Rule",
    "Violation",
    "elided",
    "pack_messages",
    "recognise",
    "validate",
]
