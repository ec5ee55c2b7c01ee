"""Every case that needs no later feature, under its own id."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import haversack

from .reading import CASES, speaks_of
from .waiting import WAITING, WAITING_PARTS

REASONS = {"alone larger than the budget": "too_long", "did not fit beside better ones": "outvalued"}
"""What a case calls a reason, and what we do."""


def _ids(snippets: Any) -> list[str]:
    return [snippet["id"] for snippet in snippets]


ELSEWHERE = {"R79"}
"""Cases with a test of their own in `test_texts`, as are all of the tier "text"."""


def _chosen(packing: haversack.Packing[Any]) -> set[str]:
    """The chosen ids, and those of chosen forms as a case writes them: `x:short`."""
    return {f"{id}:{form}" for id, form in packing.forms.items()} | set(packing.forms)


def _ready(*tiers: str) -> list[str]:
    return [
        name
        for name, case in CASES.items()
        if case["tier"] in tiers and name not in WAITING and name not in ELSEWHERE
    ]


def _with_one_budget(*tiers: str) -> list[str]:
    return [name for name in _ready(*tiers) if "budgets" not in CASES[name]["input"]]


def pack(given: dict[str, Any], over_budget: str = "allow") -> haversack.Packing[Any]:
    """Pack the input of a case, as it stands there."""
    settings = {name: given[name] for name in ("reserve", "sections") if name in given}
    return haversack.pack(given["snippets"], given["budget"], over_budget=over_budget, **settings)


PARTS: dict[str, Callable[[haversack.Packing[Any], Any], bool]] = {
    "value": lambda packing, value: packing.value == value,
    "total_cost": lambda packing, cost: packing.cost == cost,
    "total_cost_max": lambda packing, cost: packing.cost <= cost,
    "must_include": lambda packing, names: set(names) <= _chosen(packing),
    "must_exclude": lambda packing, names: not set(names) & _chosen(packing),
    "rendered_contains": lambda packing, texts: set(texts) <= set(packing.texts),
    "rendered_lacks": lambda packing, texts: not set(texts) & set(packing.texts),
    "must_exclude_from_output": lambda packing, names: set(names) <= set(_ids(packing.dropped)),
    "order": lambda packing, names: _ids(packing.selected) == names,
    "preferred": lambda packing, names: _ids(packing.selected) == names,
    "report": lambda packing, report: _reports(packing, report),
    "report_is_json_serialisable": lambda packing, wanted: bool(json.dumps(packing.to_dict())) == wanted,
    "recount_max": lambda packing, most: packing.text is None and most >= 0,  # nothing to count
    "when": lambda packing, _: True,  # says which of two defaults an outcome belongs to
}
"""How each part of an expectation is checked; those about a whole run are checked by the tests below."""

RUN_PARTS = {
    "values", "sets",
    "either", "error_about", "warning_about", "max_seconds", "max_memory_mb", "same_set_every_run",
    "input_unchanged", "second_call_equal", "exit_code", "stdout_is_not_a_pack",
}  # fmt: skip


def _reports(packing: haversack.Packing[Any], report: dict[str, Any]) -> bool:
    dropped = {decision.id: decision.reason for decision in packing.decisions if not decision.chosen}
    found = {
        "used": packing.cost,
        "budget": packing.budget,
        "remaining": packing.remaining,
        "dropped": list(dropped),
        "reasons": dropped,
    }
    reasons = {name: REASONS[reason] for name, reason in report.get("reasons", {}).items()}
    wanted = {**report, "reasons": reasons} if reasons else report
    return all(found[name] == part for name, part in wanted.items())


def unmet(packing: haversack.Packing[Any], expected: dict[str, Any]) -> list[str]:
    """Name the parts of *expected* that *packing* does not meet."""
    parts = {name: part for name, part in expected.items() if name not in RUN_PARTS | set(WAITING_PARTS)}
    return [f"{name}: {part}" for name, part in parts.items() if not PARTS[name](packing, part)]


def outcome(given: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """Run a case and name what it fails to meet; an error is expected where `error_about` stands."""
    if "error_about" in expected:
        with pytest.raises((haversack.exceptions.InputError, haversack.exceptions.OverBudgetError)) as caught:
            pack(given, over_budget="raise")
        message = str(caught.value)
        return [] if speaks_of(message, expected["error_about"]) else [f"the error says: {message}"]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        packing = pack(given, over_budget="warn")
    said = " ".join(str(each.message) for each in warned)
    missing = [] if speaks_of(said, expected.get("warning_about", [])) else [f"the warning says: {said!r}"]
    return missing + unmet(packing, expected)


@pytest.mark.parametrize("name", _with_one_budget("pack", "python"))
def test_case(name: str) -> None:
    """The case's expectation, or one of those it allows, is met, within its limits of time and memory."""
    case = CASES[name]
    given, expected = _in_python_types(case["input"]), case["expect"]
    untouched = copy.deepcopy(given)
    before, started = _restart_peak(), time.perf_counter()

    alternatives = [{**_shared(expected), **each} for each in expected.get("either", [{}])]
    failures = [_attempt(given, alternative) for alternative in alternatives]

    assert [] in failures, failures
    assert time.perf_counter() - started <= expected.get("max_seconds", 60)
    assert _kilobytes("VmHWM") - before <= 1024 * expected.get("max_memory_mb", 1024)
    # NaN is no equal of itself: compare what is written.
    assert repr(untouched) == repr(given)


def _restart_peak() -> int:
    """Set the kernel's count of this process's peak back to the present; return that, in kilobytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return _kilobytes("VmRSS")


def _kilobytes(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def _shared(expected: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in expected.items() if name != "either"}


def _attempt(given: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    try:
        return outcome(given, expected)
    except (Exception, pytest.fail.Exception) as error:
        return [f"{type(error).__name__}: {error}"]


def _in_python_types(given: dict[str, Any]) -> dict[str, Any]:
    """Turn costs, values and the budget into the types the case names."""
    if "python_types" not in given:
        return given
    import numpy as np

    kinds = {field: getattr(np, kind.removeprefix("numpy.")) for field, kind in given["python_types"].items()}
    snippets = [
        {field: kinds[field](part) if field in kinds else part for field, part in snippet.items()}
        for snippet in given["snippets"]
    ]
    return {**given, "snippets": snippets, "budget": kinds["budget"](given["budget"])}


def test_the_second_call_gives_the_same_and_the_input_is_unchanged() -> None:
    """R80, twice on the same list."""
    given = CASES["R80"]["input"]
    before = copy.deepcopy(given["snippets"])

    first, second = pack(given), pack(given)

    assert first.to_dict() == second.to_dict()
    assert before == given["snippets"]


def test_short_forms_give_way_as_the_budget_grows() -> None:
    """R65, at each of its budgets; the value never falls."""
    case = CASES["R65"]
    packings = [haversack.pack(case["input"]["snippets"], budget) for budget in case["input"]["budgets"]]

    assert case["expect"]["values"] == [packing.value for packing in packings]
    assert case["expect"]["sets"] == [sorted(_chosen(one) - set(one.forms)) for one in packings]


def test_equal_snippets_give_the_same_set_in_every_process() -> None:
    """R60, in as many processes as it asks for."""
    given = CASES["R60"]["input"]
    code = (
        "import haversack, json, sys; given = json.load(sys.stdin); "
        "print([s['id'] for s in haversack.pack(given['snippets'], given['budget']).selected])"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            input=json.dumps(given),
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(given["runs"]["processes"])
    ]

    assert {str(CASES["R60"]["expect"]["preferred"])} == {run.strip() for run in runs}


def _command_line(*arguments: str, stdin: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "haversack", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False)


def _stdin(given: dict[str, Any]) -> bytes:
    content = given.get("stdin_or_file")
    return content if content is not None else json.dumps(given).encode()


@pytest.mark.parametrize("name", _ready("cli"))
def test_case_on_the_command_line(name: str) -> None:
    """Read from standard input, print JSON; errors go to standard error with a code that is not 0."""
    expected = CASES[name]["expect"]

    run = _command_line("pack", "-", "--format", "json", stdin=_stdin(CASES[name]["input"]))

    if "error_about" in expected:
        assert run.returncode != 0
        assert speaks_of(run.stderr.decode(), expected["error_about"])
        assert run.stdout == b""
        return
    assert run.returncode == expected["exit_code"]
    printed = json.loads(run.stdout)
    assert expected["value"] == printed["value"]
    assert expected["must_include"] == printed["selected"]


def test_every_case_is_run_or_waits_for_a_named_feature() -> None:
    """No case is forgotten, and the table of those that wait holds nothing else.

    Those of messages are run by the tests of the chat.
    """
    tested = set(_ready("pack", "python", "cli", "text", "chat", "chat-text")) | ELSEWHERE

    assert set(CASES) == tested | set(WAITING)
    assert not tested & set(WAITING)


def test_every_part_of_an_expectation_is_checked() -> None:
    """A part that no check knows would pass silently."""
    parts = set()
    for name in _ready("pack", "python"):
        expected = CASES[name]["expect"]
        parts |= set(expected).union(*expected.get("either", []))

    assert parts <= set(PARTS) | RUN_PARTS | set(WAITING_PARTS)
