"""Reading files: every shape that is promised, and errors that name the place."""

from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from haversack.cli.failures import BAD_INPUT, BAD_USAGE, CommandError
from haversack.cli.inputs import Inputs, read_inputs

A = {"id": "a", "cost": 5, "value": 1}
B = {"id": "b", "cost": 7, "value": 2.5, "pinned": True}


def write(path: Path, content: str | bytes) -> str:
    """Write a file and return its name, as a command line would hold it."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def read(path: Path, content: str | bytes, **fields: str) -> Inputs:
    """Read one file that holds *content*."""
    return read_inputs([write(path, content)], fields)


def failure(path: Path, content: str | bytes) -> str:
    """The message about a file that cannot be read, its folder left out."""
    with pytest.raises(CommandError) as caught:
        read(path, content)
    assert caught.value.code == BAD_INPUT
    return caught.value.message.replace(f"{path.parent}/", "")


class TestShapes:
    """What a file may look like."""

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(json.dumps([A, B]), id="a list"),
            pytest.param(json.dumps([A, B], indent=4), id="a list over several lines"),
            pytest.param(json.dumps({"budget": 9, "snippets": [A, B]}), id="the wire format"),
            pytest.param(json.dumps({"snippets": [A, B], "budget": 9}), id="the wire format, snippets first"),
            pytest.param(f"{json.dumps(A)}\n{json.dumps(B)}\n", id="JSON lines"),
            pytest.param(f"{json.dumps(A)}\r\n\r\n{json.dumps(B)}", id="JSON lines from elsewhere"),
            pytest.param(
                f"{json.dumps(A, indent=2)}\n{json.dumps(B, indent=2)}", id="objects one after another"
            ),
        ],
    )
    @pytest.mark.parametrize("suffix", [".json", ".jsonl", ""])
    def test_json_is_known_by_its_content(self, tmp_path: Path, content: str, suffix: str) -> None:
        """A list, the wire format and JSON lines need no option, whatever the file is called."""
        assert read(tmp_path / f"file{suffix}", content).snippets == [A, B]

    def test_the_wire_formats_settings_are_kept_with_their_place(self, tmp_path: Path) -> None:
        """An error about a budget can name the line that says it."""
        inputs = read(tmp_path / "turn.json", '{"version": 1,\n "budget": 9,\n "snippets": []}')

        assert inputs.settings == {"version": 1, "budget": 9}
        assert inputs.where["budget"].endswith("turn.json:2")

    def test_csv_has_numbers_truth_and_absent_cells(self, tmp_path: Path) -> None:
        """Integral text is an int, other numbers are floats, an empty cell is an absent field."""
        inputs = read(
            tmp_path / "t.csv",
            'id,cost,value,pinned,text\n007,5,1,yes,"two\nlines, quoted ""so"""\nb,7,2.5,0,\nc,1,,,x\n',
        )

        assert inputs.snippets == [
            {"id": "007", "cost": 5, "value": 1, "pinned": True, "text": 'two\nlines, quoted "so"'},
            {"id": "b", "cost": 7, "value": 2.5, "pinned": False},
            {"id": "c", "cost": 1, "text": "x"},
        ]
        assert type(inputs.snippets[0]["value"]) is int

    @pytest.mark.parametrize("word", ["true", "TRUE", "1", "yes", "false", "False", "0", "no"])
    def test_a_pin_may_be_written_as_people_write_it(self, tmp_path: Path, word: str) -> None:
        """Spreadsheets write TRUE, databases 1, people yes."""
        pinned = read(tmp_path / "t.csv", f"cost,pinned\n5,{word}\n").snippets[0]["pinned"]

        assert pinned is (word.lower() in ("true", "1", "yes"))

    def test_fields_tell_which_columns_of_a_csv_are_numbers(self, tmp_path: Path) -> None:
        """With --field cost=n_tokens that column is read as a number, others stay text."""
        inputs = read(
            tmp_path / "t.csv",
            "n_tokens,p,other,keep\n5,0.5,6,no\n",
            cost="n_tokens",
            value="p",
            pinned="keep",
        )

        assert inputs.snippets == [{"n_tokens": 5, "p": 0.5, "other": "6", "keep": False}]

    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    def test_the_delimiter_of_a_csv_is_read_from_its_header(self, tmp_path: Path, delimiter: str) -> None:
        """Spreadsheets in half of Europe write semicolons."""
        content = "id,cost,value\na,5,1\n".replace(",", delimiter)

        assert read(tmp_path / "t.csv", content).snippets == [A]

    def test_csv_on_standard_input_is_known_by_its_header(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """There is no suffix to go by."""
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"id,cost,value\na,5,1\n")))

        assert read_inputs(["-"], {}).snippets == [A]

    @pytest.mark.parametrize("content", [f"[{json.dumps(A)}]", json.dumps(A), "id,cost,value\na,5,1\n"])
    def test_a_byte_order_mark_is_no_part_of_the_content(self, tmp_path: Path, content: str) -> None:
        """Windows editors write it."""
        name = "t.csv" if content.startswith("id") else "t.json"

        assert read(tmp_path / name, b"\xef\xbb\xbf" + content.encode()).snippets == [A]

    def test_numbers_of_json_keep_their_kind_and_size(self, tmp_path: Path) -> None:
        """An integer of any size is exact; 1.0 is a float."""
        snippets = read(
            tmp_path / "t.json", '[{"value": 123456789012345678901234567890}, {"value": 1.0}]'
        ).snippets

        assert snippets[0]["value"] == 123456789012345678901234567890
        assert type(snippets[1]["value"]) is float

    def test_line_separators_inside_a_text_do_not_end_a_json_line(self, tmp_path: Path) -> None:
        """U+2028 is a character like others in JSON."""
        content = json.dumps({"text": "a\u2028b\x85c", "cost": 1}, ensure_ascii=False)

        assert len(read(tmp_path / "t.jsonl", content).snippets) == 1


class TestSeveralFiles:
    """Several files are one input."""

    def test_positions_run_on_and_every_snippet_knows_its_file_and_line(self, tmp_path: Path) -> None:
        """The third snippet of the input is the first of the second file."""
        first = write(tmp_path / "a.jsonl", f"{json.dumps(A)}\n\n{json.dumps(A)}\n")
        empty = write(tmp_path / "b.jsonl", "")
        third = write(tmp_path / "c.csv", 'text,cost\n"x\ny",1\nz,2\n')
        inputs = read_inputs([first, empty, third], {})

        assert len(inputs.snippets) == 4
        assert [inputs.place(position) for position in range(4)] == [
            (first, 1),
            (first, 3),
            (third, 2),
            (third, 4),
        ]

    def test_files_that_disagree_are_a_usage_error_naming_both_places(self, tmp_path: Path) -> None:
        """Neither budget is silently the right one."""
        one = write(tmp_path / "a.json", '{"budget": 9, "snippets": []}')
        two = write(tmp_path / "b.json", '{\n"budget": 10, "snippets": []}')
        inputs = read_inputs([one, two], {})

        with pytest.raises(
            CommandError, match=r"a.json:1 and .*b.json:2 disagree about 'budget'.*--budget"
        ) as caught:
            inputs.check_agreement(frozenset())
        assert caught.value.code == BAD_USAGE

    def test_an_option_settles_what_files_disagree_about(self, tmp_path: Path) -> None:
        """Flags override files, so there is nothing left to disagree about."""
        one = write(tmp_path / "a.json", '{"budget": 9, "snippets": []}')
        two = write(tmp_path / "b.json", '{"budget": 10, "snippets": []}')

        read_inputs([one, two], {}).check_agreement(frozenset({"budget"}))

    def test_files_that_agree_are_fine(self, tmp_path: Path) -> None:
        """The same budget twice is one budget."""
        names = [write(tmp_path / name, '{"budget": 9, "snippets": []}') for name in ("a.json", "b.json")]
        inputs = read_inputs(names, {})
        inputs.check_agreement(frozenset())

        assert inputs.settings == {"budget": 9}

    def test_standard_input_is_read_once(self) -> None:
        """A second - would read nothing."""
        with pytest.raises(CommandError, match="only once") as caught:
            read_inputs(["-", "-"], {})
        assert caught.value.code == BAD_USAGE


class TestErrors:
    """Messages name file, line and what is wrong."""

    @pytest.mark.parametrize(
        ("name", "content", "start", "words"),
        [
            ("t.json", '[{"id": "a"},\n {"id": }]', "t.json:2:9: snippets[1]: ", "not JSON"),
            ("t.json", '[{"id": "a"}\n {"id": "b"}]', "t.json:2:2: ", "expected ','"),
            ("t.json", '[{"id": "a"}', "t.json:1:13: ", "the end of the file"),
            ("t.json", '[{"id": "a"}] x', "t.json:1:15: ", "nothing may follow"),
            ("t.json", '{"budget": 5}', "t.json:1:1: ", "no 'snippets'"),
            ("t.json", '{"snippets": 5}', "t.json:1:14: ", "must be a list"),
            (
                "t.json",
                '{"snippets": [],\n"budget": 5, "budget": 6}',
                "t.json:2:14: ",
                "'budget' is given twice",
            ),
            ("t.json", "", "t.json: ", "empty"),
            ("t.json", "cost,value\n1,2", "t.json:1:1: ", "expected a list"),
            ("t.jsonl", '{"id": "a"}\n{"id": "b", "cost"}\n', "t.jsonl:2:19: snippets[1]: ", "not JSON"),
            ("t.jsonl", '{"id": "a"},\n{"id": "b"}\n', "t.jsonl:1:12: ", "on each line"),
            (
                "t.jsonl",
                '{"id":"a"}\n{"id":"b","cost":1,"cost":2}',
                "t.jsonl:2:1: snippets[1]: ",
                "'cost' of 'b'",
            ),
            ("t.jsonl", '{"id": "a"}\n{"value": NaN}', "t.jsonl:2:1: snippets[1]: ", "NaN"),
            ("t.jsonl", '{"id": "a"}\n{"value": -Infinity}', "t.jsonl:2:1: snippets[1]: ", "-Infinity"),
            (
                "t.jsonl",
                '{"id": "a"}\n{"meta": %s}' % ("[" * 100_000),
                "t.jsonl:2:1: snippets[1]: ",
                "deeply",
            ),
            ("t.jsonl", '{"id": "a"}\n{"value": %s}' % ("9" * 5_000), "t.jsonl:2:1: snippets[1]: ", "digits"),
            ("t.csv", "", "t.csv: ", "header"),
            ("t.csv", "id,id\n", "t.csv:1: ", "'id' twice"),
            ("t.csv", "id,,cost\n", "t.csv:1: ", "no name"),
            ("t.csv", 'id,cost\n"a\nb",1\nc,1,2\n', "t.csv:4: ", "3 cells"),
            ("t.csv", "id,cost\na\n", "t.csv:2: ", "1 cell"),
            ("t.csv", 'id,cost\na,1\n"b,1\n', "t.csv:3: ", "never ends"),
            ("t.json", b'[{"id": "a"},\n{"id": "\xff"}]', "t.json:2: ", "not UTF-8"),
            ("t.json", "[]".encode("utf-16"), "t.json: ", "UTF-16"),
        ],
    )
    def test_what_is_wrong_is_said_with_its_place(
        self, tmp_path: Path, name: str, content: str | bytes, start: str, words: str
    ) -> None:
        """As compilers do, so that an editor can jump there."""
        message = failure(tmp_path / name, content)

        assert message.startswith(start)
        assert words in message

    def test_positions_in_messages_run_on_from_file_to_file(self, tmp_path: Path) -> None:
        """The name of the file says which, the number counts through the whole input."""
        one = write(tmp_path / "a.json", json.dumps([A, B]))
        two = write(tmp_path / "b.json", '[{"id": "c"}, {"id": NaN}]')

        with pytest.raises(CommandError, match=r"b.json:1:15: snippets\[3\]: "):
            read_inputs([one, two], {})

    def test_a_missing_file_and_a_folder_without_texts_are_named(self, tmp_path: Path) -> None:
        """Two of the commonest slips get plain words."""
        with pytest.raises(CommandError, match=r"none\.json: cannot be read: No such file") as missing:
            read_inputs([str(tmp_path / "none.json")], {})
        with pytest.raises(CommandError, match="no text to pack in") as folder:
            read_inputs([str(tmp_path)], {})
        assert (missing.value.code, folder.value.code) == (BAD_INPUT, BAD_INPUT)

    def test_an_empty_list_of_lines_is_a_note_not_an_error(self, tmp_path: Path) -> None:
        """The program before us in the pipe may have found nothing; but somebody should know."""
        inputs = read(tmp_path / "none.jsonl", " \n")

        assert inputs.snippets == []
        assert "no snippets" in inputs.notes[0]


def _large(count: int) -> list[dict[str, Any]]:
    return [
        {"id": f"s{i}", "text": "word " * 30, "cost": 40 + i % 90, "value": i % 997 / 10}
        for i in range(count)
    ]


def test_twenty_megabytes_are_read_at_a_sane_speed(tmp_path: Path) -> None:
    """Not more than a few times what the standard decoder needs for the same lines."""
    content = "\n".join(json.dumps(snippet) for snippet in _large(100_000))
    assert len(content) > 20_000_000
    start = time.perf_counter()
    expected = [json.loads(line) for line in content.splitlines()]
    plain = time.perf_counter() - start

    start = time.perf_counter()
    inputs = read(tmp_path / "large.jsonl", content)
    seconds = time.perf_counter() - start

    assert inputs.snippets == expected
    assert inputs.place(99_999)[1] == 100_000
    assert seconds < 5 * plain + 0.5


def test_progress_is_reported_in_order_and_ends_at_the_whole(tmp_path: Path) -> None:
    """The bar is true: it moves while members are read, forwards only, and arrives."""
    from haversack.cli.csv_text import read_csv
    from haversack.cli.json_text import JsonText

    for_json: list[float] = []
    JsonText(json.dumps(_large(3_000)), "t.json", for_json.append).read()
    for_csv: list[float] = []
    read_csv("id,cost\n" + "a,1\n" * 3_000, "t.csv", for_csv.append, ("cost",), ())

    for shares in (for_json, for_csv):
        assert len(shares) > 3
        assert shares == sorted(shares)
        assert 0 < shares[0] < 0.5
        assert shares[-1] == 1.0
