"""Structure on the command line: forms, sections, requirements in every kind of file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from haversack import _structured

from .running import run

FILE = {
    "id": "app.py", "text": "def app(): ...", "cost": 120, "value": 10, "section": "code",
    "variants": [{"name": "outline", "text": "app()", "cost": 30, "value": 6}],
}  # fmt: skip
TEST = {
    "id": "test.py",
    "text": "assert app()",
    "cost": 60,
    "value": 5,
    "requires": ["app.py"],
    "section": "code",
}
REQUEST = {"budget": 200, "sections": {"code": {"cap": "50%"}}, "snippets": [FILE, TEST]}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder that holds the request."""
    monkeypatch.chdir(tmp_path)
    Path("turn.json").write_text(json.dumps(REQUEST), "utf-8")


def chosen(*words: str) -> list[dict[str, Any]]:
    """What `jsonl` prints."""
    done = run("pack", *words, "--format", "jsonl")
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


def test_jsonl_holds_the_chosen_form_not_the_bundle() -> None:
    """Its text, cost and value, and its name."""
    assert chosen("turn.json") == [
        {"id": "app.py", "section": "code", "form": "outline", "text": "app()", "cost": 30, "value": 6},
        TEST,
    ]


def test_text_holds_the_text_of_the_chosen_form() -> None:
    """What was costed is what is printed."""
    assert run("pack", "turn.json", "-f", "text").out == "app()\n\nassert app()\n"


def test_json_tells_forms_sections_and_reasons() -> None:
    """Of every snippet."""
    written = json.loads(run("pack", "turn.json", "-f", "json", "-b", "50").out)

    assert written["sections"] == {
        "code": {"used": 0, "cap": 25, "over": 0, "floor": None, "shortfall": 0}
    }  # fmt: skip
    assert [decision["reason"] for decision in written["decisions"]] == ["too_long", "requires"]
    assert written["decisions"][1]["detail"]["missing"] == ["app.py"]


def test_the_table_names_forms_and_sections() -> None:
    """For people."""
    out = run("pack", "turn.json", "-f", "table", columns=120).out

    assert "chosen as outline" in out


def test_the_option_caps_sections() -> None:
    """In tokens or in shares; before what the file says."""
    assert [one["id"] for one in chosen("turn.json", "--section", "code=40")] == ["app.py"]
    assert chosen("turn.json", "--section", "code=90%")[0]["form"] == "full"
    assert run("pack", "turn.json", "--section", "code=1.5").err.startswith("haversack: --section: ")
    assert run("pack", "turn.json", "--section", "code").code == 2
    assert run("pack", "turn.json", "--section", "a=1", "--section", "a=2").code == 2


def test_csv_holds_lists_of_requirements_and_numbers_of_tiers() -> None:
    """Commas, semicolons or spaces between ids."""
    Path("t.csv").write_text(
        'id,cost,value,requires,tier\na,5,0,,1\nb,3,4,"a; c",0\nc,1,0,,0\nd,9,99,,1\n', "utf-8"
    )

    assert [one["id"] for one in chosen("t.csv", "-b", "9")] == ["a", "b", "c"]


def test_bad_structure_names_file_and_line() -> None:
    """As any other field."""
    Path("bad.jsonl").write_text(
        '{"id": "a", "cost": 1}\n{"id": "b", "cost": 1, "requires": ["aa"]}\n', "utf-8"
    )

    done = run("pack", "bad.jsonl", "-b", "9")

    assert done.code == 1
    assert done.err.startswith("haversack: bad.jsonl:2: snippets[1] (id 'b'): requires names 'aa'")


def test_a_floor_that_costs_value_needs_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is filled, and proven."""
    monkeypatch.setattr(_structured, "is_installed", lambda: False)
    request = {
        "budget": 10, "sections": {"s": {"floor": 5}},
        "snippets": [{"cost": 9, "value": 9}, {"id": "rule", "cost": 5, "value": 1, "section": "s"}],
    }  # fmt: skip
    Path("floor.json").write_text(json.dumps(request), "utf-8")

    done = run("pack", "floor.json")

    assert done.code == 0
    assert "value 1, optimal" in done.err


def test_names_keep_their_digits_where_pins_are_over_a_cap() -> None:
    """Separators are for numbers alone."""
    request = {
        "budget": 9000, "sections": {"docs2024": {"cap": 1000}},
        "snippets": [{"id": "a20240101", "cost": 1200, "pinned": True, "section": "docs2024"}],
    }  # fmt: skip
    Path("over.json").write_text(json.dumps(request), "utf-8")

    done = run("pack", "over.json")

    assert done.code == 3
    assert "section 'docs2024' need 1,200 tokens, but its cap is 1,000" in done.err
    assert "'a20240101'" in done.err


@pytest.mark.parametrize("cap", ["1_000", "\u0665", "1e999", " 5"])
def test_odd_caps_are_refused(cap: str) -> None:
    """As other numbers are."""
    done = run("pack", "turn.json", "--section", f"code={cap}")

    assert done.code == 2
    assert "must be tokens, or a share" in done.err
