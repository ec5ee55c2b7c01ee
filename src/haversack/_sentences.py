"""Decisions in words. Loaded when somebody reads a packing."""

from __future__ import annotations

from haversack._figures import digits, number, tokens
from haversack._sums import LISTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._decision import Decision, Ledger


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
    cost, value = tokens(decision.cost), number(decision.value)
    facts = decision.detail
    match decision.reason:
        case "pinned":
            by = f" by what needs it ({listed(facts['pinned_by'])})" if "pinned_by" in facts else ""
            return f"pinned{by}{_form(decision)}, {cost}, value {value}"
        case "free":
            return f"free{_form(decision)}, it costs nothing and is worth {value}"
        case "chosen":
            return f"chosen{_form(decision)}{_joined(decision)}, {cost}, value {value}{_instead(facts)}"
        case "duplicate":
            return f"duplicate, the same text as {facts['copy_of']!r}, which stands for it"
        case "requires":
            told = _by_numbers(facts["because"], facts, ledger)
            return f"requires {_missing(facts)}; with all it needs it would be {told}"
        case "group":
            told = _by_numbers(facts["because"], facts, ledger)
            return f"group {facts['group']!r} is all or none ({listed(facts['members'])}), and is {told}"
        case "one_of" if "rivals" in facts:
            return f"one of {facts['one_of']!r}, but never in, as {_exclusive(facts)}"
        case "one_of":
            form = "" if facts["form"] == "full" else f" as {facts['form']!r}"
            won = f"{facts['winner']!r} is in{form}, worth {number(facts['winner_value'])}"
            return f"one of {facts['one_of']!r}, of which {won}"
    return _by_numbers(decision.reason, {**facts, "cost": facts.get("cost", decision.cost)}, ledger)


def _by_numbers(reason: str, facts: dict[str, Any], ledger: Ledger) -> str:
    """The reasons that a snippet shares with its group, or with what it needs."""
    cost = tokens(facts["cost"])
    section = f"section {facts['section']!r}" if "section" in facts else ""
    match reason:
        case "worthless":
            return f"worthless, as a value of {number(facts['value'])} adds nothing"
        case "too_long":
            limit = facts["cap"] if section else ledger.capacity
            over = number(facts["cost"] - limit if not section else facts["over"])
            what = f"the cap of {section}, {number(limit)}" if section else f"the capacity of {number(limit)}"
            return f"too long, as alone it needs {cost}, {over} more than {what}{way_out(facts)}"
        case "no_room":
            room, of = number(facts["room"]), section or number(ledger.capacity)
            return f"no room, as it needs {cost} and the pins leave {room} of {of}{way_out(facts)}"
        case "section_full":
            used = f"{number(facts['used'])} of its {number(facts['cap'])} tokens are taken"
            return f"{section} is full, as {used} and {number(facts['over'])} are lacking"
        case "tier":
            left = f"better tiers take {number(facts['better'])} and leave {number(facts['left'])}"
            return f"in tier {digits(facts['tier'])}, as {left}, while it needs {cost}"
        case "one_of" if "rivals" in facts:
            return f"impossible, as {_exclusive(facts)} (one of {facts['one_of']!r})"
        case "one_of":
            return f"against {facts['winner']!r}, which is in"
    if "prefix_end" in facts:
        return "outvalued, as it would stand within the beginning that is kept from the previous packing"
    proof = "no selection with it is worth more" if ledger.optimal else "nothing better with it was found"
    if facts.get("floors") and ledger.optimal:
        proof = "no selection with it fills the floors as well and is worth more"
    if "overlaps" in facts:
        return f"outvalued, as it overlaps {listed(facts['overlaps'])}, and {proof}"
    short = facts.get("short", facts["missing"])
    left = f"{number(ledger.remaining)} are left" + (f" ({number(short)} short)" if short else "")
    return f"outvalued, as it needs {cost} where {left}, and {proof}"


def _joined(decision: Decision) -> str:
    """With what a span is joined, one of which bears the tokens of all."""
    others = [id for id in decision.detail.get("merged", ()) if str(id) != str(decision.id)]
    if not others:
        return ""
    return f", joined with {listed(others)}" + ("" if decision.cost else ", where it is paid")


def _missing(facts: dict[str, Any]) -> str:
    """What is required and out, and which of it can never be in."""
    missing, never = facts["missing"], facts.get("never_fits", [])
    if sorted(map(str, never)) == sorted(map(str, missing)):
        return f"{listed(missing)}, which {_is(missing)} too long ever to fit"
    because = f", as {listed(never)} {_is(never)} too long ever to fit" if never else ""
    return f"{listed(missing)}, which {_is(missing)} out{because}"


def _is(ids: list[Any]) -> str:
    return "is" if len(ids) == 1 else "are"


def _exclusive(facts: dict[str, Any]) -> str:
    return f"{listed(facts['rivals'])} come together and exclude each other"


def way_out(facts: dict[str, Any]) -> str:
    """What could be raised to what, all of it, or unpinned."""
    raised = facts.get("raise", {})
    what = [f"the budget to {number(raised['budget'])}"] if "budget" in raised else []
    what += [f"the cap of {name!r} to {number(cap)}" for name, cap in raised.get("sections", {}).items()]
    most = ", ".join(what[:-1])
    ways = [f"raise {most} and {what[-1]}" if most else f"raise {what[0]}"] if what else []
    ways += [f"unpin {listed(facts['unpin'])}"] if facts.get("unpin") else []
    return f": {' or '.join(ways)}" if ways else ""


def listed(ids: list[Any]) -> str:
    """Return the first ids, and how many more there are."""
    rest = f"{len(ids) - 5} more" if len(ids) < LISTED else "many more"
    return ", ".join([repr(id) for id in ids[:5]] + ([rest] if len(ids) > 5 else []))


def _form(decision: Decision) -> str:
    return f" as {decision.form!r}" if decision.form not in (None, "full") else ""


def _instead(facts: dict[str, Any]) -> str:
    return f", instead of {listed(facts['instead_of'])}" if facts.get("instead_of") else ""
