"""Decisions in words. Loaded when somebody reads a packing."""

from __future__ import annotations

from haversack._figures import number as number
from haversack._figures import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._decisions import Decision, Ledger


def detail(decision: Decision, ledger: Ledger) -> dict[str, Any]:
    """Return the numbers behind a reason."""
    reason, cost, value = decision.reason, decision.cost, decision.value
    if reason == "too_long":
        return {"cost": cost, "capacity": ledger.capacity, "over": cost - ledger.capacity}
    if reason == "no_room":
        return {
            "cost": cost,
            "room": ledger.room,
            "pinned_cost": ledger.pinned_cost,
            "over": cost - ledger.room,
        }
    if reason == "outvalued" and decision.position < ledger.prefix_end:
        return {"cost": cost, "value": value, "prefix_end": ledger.prefix_end}
    if reason == "outvalued":
        missing = max(0, cost - ledger.remaining)
        return {"cost": cost, "value": value, "remaining": ledger.remaining, "missing": missing}
    return {"cost": cost, "value": value}


def why(decision: Decision, ledger: Ledger) -> str:
    """Return the part of a decision's sentence after the colon."""
    cost, value, capacity = tokens(decision.cost), number(decision.value), number(ledger.capacity)
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
            over = number(decision.cost - ledger.capacity)
            return f"too long, as alone it needs {cost}, {over} more than the capacity of {capacity}"
        case "no_room":
            return f"no room, as it needs {cost} and the pins leave {number(ledger.room)} of {capacity}"
    if decision.position < ledger.prefix_end:
        return "outvalued, as it would stand within the beginning that is kept from the previous packing"
    missing = max(0, decision.cost - ledger.remaining)
    proof = "no selection with it is worth more" if ledger.optimal else "nothing better with it was found"
    left = f"{number(ledger.remaining)} are left ({number(missing)} short)"
    return f"outvalued, as it needs {cost} where {left}, and {proof}"
