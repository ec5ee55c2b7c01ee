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


def test_a_section_in_which_nothing_lies_is_warned_of() -> None:
    """It may be misspelt, or these are files, which lie in none."""
    Path("note.txt").write_text("Something to keep.", "utf-8")

    done = run("pack", "note.txt", "-b", "99", "--section", "docs=5", "-f", "ids")
    nested = run("pack", "turn.json", "--section", "code=90", "-f", "ids")

    assert (done.code, done.out) == (0, "note.txt\n")
    assert "haversack: warning: no snippet is in section 'docs'\n" in done.err
    assert "warning" not in nested.err


def test_a_key_of_the_users_that_has_our_name_is_kept() -> None:
    """A price called cost, where the tokens are called otherwise."""
    one = {"n": 9, "cost": 0.5, "value": 3, "variants": [{"name": "s", "cost": 2, "value": 1}]}
    Path("priced.json").write_text(json.dumps([one]), "utf-8")

    assert chosen("priced.json", "-b", "5", "--field", "cost=n") == [
        {"cost": 0.5, "form": "s", "n": 2, "value": 1}
    ]


def test_a_label_that_no_option_declares_is_told_how_to_be_declared() -> None:
    """Caps declare sections, and then every label has to be one."""
    Path("labels.jsonl").write_text(
        '{"cost": 1, "section": "docs"}\n{"cost": 1, "section": "notes"}', "utf-8"
    )

    done = run("pack", "labels.jsonl", "-b", "9", "--section", "docs=5")

    assert done.code == 1
    assert done.err.startswith("haversack: labels.jsonl:2: snippets[1] (id '1'): section is 'notes', which")
    assert done.err.endswith("declared are: docs, or pass --section notes=100%, which caps nothing\n")
    assert run("pack", "labels.jsonl", "-b", "9", "--section", "docs=5", "--section", "notes=100%").code == 0


@pytest.mark.parametrize("cap", ["1_000", "\u0665", "1e999", " 5", "\u0663%", " 5%", "1e1%"])
def test_odd_caps_are_refused(cap: str) -> None:
    """As other numbers are."""
    done = run("pack", "turn.json", "--section", f"code={cap}")

    assert done.code == 2
    assert "must be tokens, or a share" in done.err


def test_the_option_changes_the_cap_of_a_section_and_nothing_else() -> None:
    """Its parent and its floor stay, and so do the other sections; a new name is one more."""
    request = {
        "budget": 200,
        "sections": {"all": {"cap": 100}, "code": {"cap": 10, "parent": "all", "floor": 5}, "notes": {}},
        "snippets": [
            {"id": "a", "cost": 60, "value": 9, "section": "code"},
            {"id": "b", "cost": 50, "value": 8, "section": "code"},
            {"id": "c", "cost": 70, "value": 7, "section": "notes"},
            {"id": "d", "cost": 30, "value": 5},
        ],
    }
    Path("nested.json").write_text(json.dumps(request), "utf-8")

    written = json.loads(
        run("pack", "nested.json", "--section", "code=150", "--section", "new=50%", "-f", "json").out
    )

    assert written["selected"] == ["a", "c", "d"]
    assert written["sections"]["all"]["cap"] == 100
    assert written["sections"]["code"] == {
        "used": 60, "cap": 150, "over": 0, "floor": 5, "shortfall": 0
    }  # fmt: skip
    assert written["sections"]["notes"]["used"] == 70
    assert written["sections"]["new"]["cap"] == 100
    assert written["structure"]["declared"]["code"]["parent"] == "all"


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"code": {"cap": True}}, "haversack: bad.json:1: sections['code'].cap must be tokens"),
        ({"code": {"floor": -1}}, "haversack: bad.json:1: sections['code'].floor must not be negative"),
        (["code"], "haversack: bad.json:1: sections must be a JSON object"),
        ({"code": 5}, "haversack: bad.json:1: sections['code'] must be a JSON object"),
        ({"code": {"floor": 60}}, "haversack: bad.json:1: sections['code'].floor is 60 tokens, but its cap"),
    ],
)
def test_what_the_file_says_of_sections_is_not_blamed_on_the_option(sections: Any, said: str) -> None:
    """The option is to blame for its own caps only."""
    Path("bad.json").write_text(json.dumps({**REQUEST, "sections": sections}), "utf-8")
    words = ["pack", "bad.json", "--section", "code=40"]
    if isinstance(sections, dict) and sections["code"] == {"cap": True}:
        words[-1] = "docs=40"

    done = run(*words)

    assert (done.code, done.err[: len(said)]) == (1, said)


def test_the_option_names_a_field_and_leaves_the_files_other_names() -> None:
    """And ignoring extra keys keeps them all."""
    request = {"budget": 9, "fields": {"cost": "n"}, "snippets": [{"n": 5, "worth": 2, "x": 1}]}
    Path("named.json").write_text(json.dumps(request), "utf-8")

    assert json.loads(run("pack", "named.json", "--field", "value=worth", "-f", "json").out)["value"] == 2
    assert run("pack", "named.json", "--ignore-extra", "-f", "json").code == 0


def again(lines: list[dict[str, Any]], *words: str) -> dict[str, Any]:
    """Pack what was printed once more, and return what `json` says of it."""
    done = run("pack", "-", "-b", "9999", "-f", "json", *words, stdin="\n".join(map(json.dumps, lines)))
    assert done.code == 0, done.err
    written: dict[str, Any] = json.loads(done.out)
    return written


def test_what_jsonl_prints_can_be_packed_again() -> None:
    """It is worth and costs the same, in the same forms."""
    written = json.loads(run("pack", "turn.json", "-f", "json").out)

    repacked = again(chosen("turn.json"))

    for name in ("selected", "value", "cost"):
        assert repacked[name] == written[name]
    assert [decision["form"] for decision in repacked["decisions"]] == ["outline", "full"]
    assert chosen("turn.json") == [json.loads(line) for line in run(
        "pack", "-", "-b", "999", "-f", "jsonl", stdin="\n".join(map(json.dumps, chosen("turn.json")))
    ).out.splitlines()]  # fmt: skip


def test_foreign_names_are_those_that_are_printed() -> None:
    """The chosen form stands where the fields were read, or it would be read as another."""
    request = {
        "budget": 50, "fields": {"cost": "n", "value": "worth", "text": "body", "variants": "forms"},
        "snippets": [
            {"n": 120, "worth": 9, "body": "l", "forms": [{"name": "s", "cost": 9, "value": 5, "text": "t"}]},
            {"n": 3, "worth": 1},
        ],
    }  # fmt: skip
    Path("foreign.json").write_text(json.dumps(request), "utf-8")
    fields = ("cost=n", "value=worth", "text=body")

    printed = chosen("foreign.json")

    assert printed[0] == {"n": 9, "worth": 5, "body": "t", "form": "s"}
    words = [word for field in fields for word in ("--field", field)]
    repacked = again(printed, *words)
    assert (repacked["value"], repacked["cost"]) == (6, 12)
    assert chosen("foreign.json", "--field", "variants=forms") == printed


def test_what_is_required_by_its_place_is_printed_with_its_id() -> None:
    """In a shorter list that place is another's."""
    request = {
        "budget": 10,
        "snippets": [
            {"cost": 99, "value": 1}, {"cost": 4, "value": 0}, {"cost": 5, "value": 9, "requires": ["1"]},
        ],
    }  # fmt: skip
    Path("placed.json").write_text(json.dumps(request), "utf-8")

    printed = chosen("placed.json")

    assert [one["id"] for one in printed] == ["1", "2"]
    assert again(printed)["selected"] == ["1", "2"]


def test_values_that_the_list_gave_are_not_printed_for_some() -> None:
    """Of snippets without values, none must have one afterwards."""
    lines = [{"id": "a", "variants": [{"name": "s", "cost": 5}]}, {"id": "b", "cost": 2}]
    Path("ranked.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")

    assert again(chosen("ranked.jsonl", "-b", "9"))["selected"] == ["a", "b"]


def test_bare_texts_are_printed_as_snippets() -> None:
    """Which JSON lines can hold."""
    Path("texts.json").write_text('["alpha", "beta"]', "utf-8")

    printed = chosen("texts.json", "-b", "99")

    assert printed == [{"text": "alpha"}, {"text": "beta"}]
    assert again(printed)["selected"] == ["0", "1"]


def test_nothing_is_counted_where_every_form_has_its_tokens() -> None:
    """A snippet with variants alone has no form of its own to count."""
    lines = [
        {
            "id": "a",
            "variants": [{"name": "s", "cost": 5, "value": 1}, {"name": "t", "tokens": 2, "value": 1}],
        },
        {"id": "b", "cost": 2, "value": 1, "variants": [{"name": "s", "cost": 1, "value": 1}]},
    ]
    Path("costed.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    Path("text.jsonl").write_text(json.dumps({**lines[0], "text": "x y", "value": 1}), "utf-8")

    assert "counted by" not in run("pack", "costed.jsonl", "-b", "9").err
    assert "counted by o200k_base" in run("pack", "text.jsonl", "-b", "9").err


def test_the_table_tells_sections_and_tiers() -> None:
    """What limits, what is over, what is lacking; labels that limit nothing are not listed."""
    request = {
        "budget": 100, "over_budget": "allow",
        "sections": {"in": {"cap": 30, "parent": "out"}, "out": {"cap": "50%"}, "f": {"floor": 9}, "l": {}},
        "snippets": [
            {"id": "p", "cost": 40, "value": 0, "pinned": True, "section": "in"},
            {"id": "q", "cost": 4, "value": 5, "section": "f"},
            {"id": "r", "cost": 70, "value": 5, "tier": 1},
            {"id": "s", "cost": 70, "value": 5, "section": "l"},
        ],
    }  # fmt: skip
    Path("parts.json").write_text(json.dumps(request), "utf-8")

    out = run("pack", "parts.json", "-f", "table", columns=100).out

    assert out.split("\n\n")[-1].splitlines() == [
        "Section 'in': 40 of 30 tokens, 10 over, which its pins need.",
        "Section 'out': 40 of 50 tokens.",
        "Section 'f': 4 tokens, 5 short of its floor of 9.",
        "Tier 0: value 5.",
        "Tier 1: value 0, as nothing of it fits beside the pins: raise the budget to 110 or unpin 'p'.",
    ]
