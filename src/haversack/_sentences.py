"""Numbers and decisions in words. Loaded when somebody reads a packing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._decisions import Decision, Ledger


def detail(reason: str, cost: int, value: int | float, ledger: Ledger) -> dict[str, Any]:
    """Return the numbers behind a reason."""
    if reason == "too_long":
        return {"cost": cost, "capacity": ledger.capacity, "over": cost - ledger.capacity}
    if reason == "no_room":
        return {
            "cost": cost,
            "room": ledger.room,
            "pinned_cost": ledger.pinned_cost,
            "over": cost - ledger.room,
        }
    if reason == "outvalued":
        missing = max(0, cost - ledger.remaining)
        return {"cost": cost, "value": value, "remaining": ledger.remaining, "missing": missing}
    return {"cost": cost, "value": value}


def why(decision: Decision, ledger: Ledger) -> str:
    """Return the part of a decision's sentence after the colon."""
    cost, value = tokens(decision.cost), number(decision.value)
    match decision.reason:
        case "pinned":
            return f"pinned, {cost}, value {value}"
        case "free":
            return f"free, it costs nothing and is worth {value}"
        case "chosen":
            return f"chosen, {cost}, value {value}"
        case "worthless":
            return f"worthless, as a value of {value} adds nothing"
        case "too_long":
            over = decision.cost - ledger.capacity
            return (
                f"too long, as alone it needs {cost}, {over:,} more than the capacity of {ledger.capacity:,}"
            )
        case "no_room":
            return f"no room, as it needs {cost} and the pins leave {ledger.room:,} of {ledger.capacity:,}"
    missing = max(0, decision.cost - ledger.remaining)
    proof = "no selection with it is worth more" if ledger.optimal else "nothing better with it was found"
    left = f"{ledger.remaining:,} are left ({missing:,} short)"
    return f"outvalued, as it needs {cost} where {left}, and {proof}"


def tokens(count: int) -> str:
    """Return a number of tokens in words.

    >>> tokens(1), tokens(1240)
    ('1 token', '1,240 tokens')
    """
    return f"{count:,} token{'' if count == 1 else 's'}"


def number(value: int | float) -> str:
    """Return a value for the eye: separators, six digits of a float, an exponent where it is very long.

    >>> number(1869169), number(0.30000000000000004), number(10**30), number(2.5e-9)
    ('1,869,169', '0.3', '1e+30', '2.5e-09')
    """
    if isinstance(value, float):
        return f"{value:,.6g}"
    if abs(value) < 10**15:
        return f"{value:,}"
    exponent = _digits(abs(value)) - 1
    lead = abs(value) // 10 ** (exponent - 5)
    return f"{'-' if value < 0 else ''}{lead / 10**5:g}e+{exponent}"


def _digits(value: int) -> int:
    """Return how many digits a positive integer has; str() of a huge one is refused by Python."""
    digits = int(value.bit_length() * 0.30102999566398120)
    return digits + 1 if value >= 10**digits else digits
