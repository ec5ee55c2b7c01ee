"""Files as snippets: what is taken for what, how they are valued, counted, rendered and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from haversack import counters

from .running import run

pytest.importorskip("toktok", reason="needs toktok-rs: pip install 'haversack[tokens]'")

TEA = "# Tea\n\nTea is brewed from leaves, and hot.\n"
ICE = "# Ice\n\nIce is frozen water.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of notes."""
    monkeypatch.chdir(tmp_path)
    files = {
        "docs/tea.md": TEA.encode(),
        "docs/ice.md": ICE.encode(),
        "docs/data.json": b'{"kettles": 4}\n',
        "docs/sub/rain.txt": "Rain is wet.\n".encode("utf-16"),
        "docs/.gitignore": b"*.log\n",
        "docs/noise.log": b"noise\n",
        "docs/image.png": b"\x89PNG\0\0",
        "docs/latin.txt": "caf\xe9".encode("latin-1"),
        "hits.json": json.dumps([{"id": "a", "text": "Tea is hot.", "value": 2}, "b"][:1]).encode(),
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path


def packed(*words: str, stdin: str = "") -> dict:
    """Run `pack` and read the packing it prints."""
    done = run("pack", *words, "--format", "json", stdin=stdin)
    assert done.code == 0, done.err
    return json.loads(done.out)


class TestWhatIsASnippet:
    def test_every_text_file_of_a_directory_and_the_others_are_listed(self) -> None:
        """JSON too: what is found is text. What .gitignore leaves out is not there."""
        done = run("pack", "docs", "-b", "500", "--format", "ids")

        assert done.out.split() == [
            "docs/.gitignore",
            "docs/data.json",
            "docs/ice.md",
            "docs/sub/rain.txt",
            "docs/tea.md",
        ]
        assert "skipped 2 files:" in done.err
        assert "docs/image.png: binary" in done.err
        assert "docs/latin.txt: not UTF-8: byte 0xe9 at offset 3" in done.err

    def test_a_pattern_stands_for_the_files_it_matches(self) -> None:
        """Quoted, so that the shell leaves it alone."""
        assert packed("docs/**/*.txt", "-b", "500")["selected"] == ["docs/sub/rain.txt"]

    def test_a_named_file_goes_by_its_suffix_unless_told(self) -> None:
        """JSON holds snippets, Markdown is one."""
        assert packed("hits.json", "-b", "500")["selected"] == ["a"]
        assert packed("hits.json", "--as", "text", "-b", "500")["selected"] == ["hits.json"]
        assert packed("docs/tea.md", "docs/ice.md", "-b", "500")["selected"] == ["docs/tea.md", "docs/ice.md"]

    def test_standard_input_may_be_a_text(self) -> None:
        """With --as text; else it holds snippets, strings among them."""
        assert (
            packed("-", "--as", "text", "-b", "50", stdin="Tea.")["text"] == "### <stdin>\n```\nTea.\n```\n"
        )
        assert packed("-", "-b", "50", stdin='["Tea.", "Ice."]')["text"] == "Tea.\n\nIce."

    def test_a_mark_of_the_encoding_is_no_part_of_the_text(self, folder: Path) -> None:
        """UTF-8 or UTF-16."""
        (folder / "bom.txt").write_bytes(b"\xef\xbb\xbfTea.")

        text = packed("bom.txt", "docs/sub/rain.txt", "-b", "50")["text"]

        assert text == "### bom.txt\n```\nTea.\n```\n### docs/sub/rain.txt\n```\nRain is wet.\n```\n"

    def test_a_larger_file_than_allowed_is_listed(self) -> None:
        """With both numbers."""
        done = run("pack", "docs/tea.md", "docs/ice.md", "--max-bytes", "30", "-b", "99", "--format", "ids")

        assert done.out == "docs/ice.md\n"
        assert "docs/tea.md: too large: 43 bytes, the limit is 30" in done.err

    def test_nothing_to_pack_is_an_error(self) -> None:
        """With the reasons."""
        done = run("pack", "docs/image.png", "-b", "50")

        assert done.code == 1
        assert "no text to pack in docs/image.png (docs/image.png: binary)" in done.err


class TestValues:
    def test_a_query_values_the_files(self) -> None:
        """The one that answers is worth most."""
        packing = packed("docs", "-Q", "how is tea brewed?", "-b", "500")

        worth = {decision["id"]: decision["value"] for decision in packing["decisions"]}
        assert max(worth, key=worth.__getitem__) == "docs/tea.md"
        assert abs(sum(worth.values()) - 1) < 1e-9

    def test_without_one_what_was_found_is_not_best_first(self) -> None:
        """Its order says nothing, and the summary says so; files that are named stand in their own order."""
        found = run("pack", "docs", "-b", "500")
        named = run("pack", "docs/tea.md", "docs/ice.md", "-b", "500")

        assert "no --query: files are valued by the root of their length" in found.err
        assert json.loads(found.out)["valued_by"] == "given"
        assert json.loads(named.out)["valued_by"] == "rank"

    def test_a_query_beside_values_is_refused_with_the_place(self) -> None:
        """One of the two would be ignored."""
        done = run("pack", "hits.json", "-Q", "tea", "-b", "50")

        assert done.code == 2
        assert "hits.json:1: has a value already" in done.err

    def test_a_query_that_no_text_knows_is_said(self) -> None:
        """The values are then of the lengths alone."""
        assert "no word of the query is in any of" in run("pack", "docs", "-Q", "xylophone", "-b", "50").err

    def test_a_query_values_snippets_of_text_too(self, folder: Path) -> None:
        """Under the key that holds it."""
        lines = [json.dumps({"page_content": text}) for text in (ICE, TEA)]
        (folder / "t.jsonl").write_text("\n".join(lines))

        packing = packed("t.jsonl", "-Q", "brewed", "--field", "text=page_content", "-b", "20")

        assert packing["selected"] == ["1"]


class TestCounting:
    def test_the_summary_names_the_default_counter(self) -> None:
        """It is a choice that was made for the user."""
        done = run("pack", "docs/tea.md", "-b", "50", "--format", "text")

        assert done.out == "### docs/tea.md\n```\n" + TEA.rstrip() + "\n```\n"
        tokens = counters.resolve("o200k_base")(done.out)
        assert f"{tokens} of 50 tokens" in done.err
        assert done.err.rstrip().endswith("counted by o200k_base")

    def test_an_estimate_is_called_one(self) -> None:
        """Twice."""
        done = run("pack", "docs/tea.md", "-b", "50", "--counter", "bytes/3")

        assert "tokens (estimated)" in done.err
        assert "estimated by bytes/3" in done.err

    def test_costs_that_are_given_need_no_counter(self, folder: Path) -> None:
        """As before: nothing is loaded, nothing counted."""
        (folder / "costs.json").write_text('[{"id": "a", "text": "Tea", "cost": 2, "value": 1}]')

        packing = packed("costs.json", "-b", "5")

        assert packing["text"] is None
        assert packed("costs.json", "-b", "5", "--counter", "o200k_base")["text"] == "Tea"

    def test_a_cost_that_is_too_low_is_said(self, folder: Path) -> None:
        """With the numbers."""
        (folder / "low.json").write_text('[{"id": "a", "text": "Tea is hot.", "cost": 2, "value": 1}]')

        done = run("pack", "low.json", "-b", "9", "--counter", "o200k_base")

        assert (
            "warning: costs below the tokens of their blocks as rendered: 'a': 2 given, 4 counted" in done.err
        )

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--counter", "gpt-9"], "--counter: no counter is named 'gpt-9'"),
            (["--counter", "claude-opus-4-5"], 'counter="estimate:claude-4.6"'),
            (["--render", "html"], "--render: no renderer is named 'html'"),
            (["--order", "best"], "--order: order must be one of input, value, edges, section"),
            (["--as", "prose"], "--as"),
        ],
    )
    def test_a_word_that_is_none_is_named_with_its_option(self, words: list[str], said: str) -> None:
        """Exit code 2: how it was called is wrong."""
        done = run("pack", "docs", "-b", "50", *words, columns=200)

        assert done.code == 2
        assert said in done.err

    def test_count_prints_a_line_a_file_and_the_total(self) -> None:
        """In columns."""
        done = run("count", "docs/tea.md", "docs/ice.md", "docs/data.json")

        count = counters.resolve("o200k_base")
        tokens = [count(TEA), count(ICE), count('{"kettles": 4}\n')]
        assert [int(line.split()[0]) for line in done.out.splitlines()] == [*tokens, sum(tokens)]
        assert done.out.splitlines()[-1].endswith("total of 3 files (o200k_base)")

    def test_count_lists_what_it_skipped(self) -> None:
        """And says when it estimates."""
        done = run("count", "docs", "--counter", "chars/4")

        assert "docs/image.png: binary" in done.err
        assert done.out.splitlines()[-1].endswith("total of 5 files (chars/4, an estimate)")

    def test_count_knows_no_such_counter(self) -> None:
        """Nor does it guess."""
        assert run("count", "docs", "--counter", "gpt-9").code == 2


class TestRendering:
    def test_the_format_and_the_order_can_be_chosen(self) -> None:
        """By name."""
        done = run(
            "pack", "docs/tea.md", "docs/ice.md", "-Q", "ice", "--render", "xml", "--order", "value",
            "-b", "99", "-f", "text",
        )  # fmt: skip

        assert done.out.startswith('<snippet id="docs/ice.md">')

    def test_header_and_note_are_inside_the_budget(self, folder: Path) -> None:
        """The text as counted."""
        (folder / "header.txt").write_text("Known facts:")

        done = run(
            "pack", "docs", "--header-file", "header.txt", "--note", "-b", "50", "-f", "text",
        )  # fmt: skip

        assert done.out.startswith("Known facts:\n### docs/")
        assert "*(left out for length: " in done.out
        assert counters.resolve("o200k_base")(done.out) <= 50

    def test_sections_may_have_headings(self, folder: Path) -> None:
        """Inside the budget."""
        some = [{"id": "a", "text": "Tea", "value": 1, "section": "drinks"}]
        (folder / "s.json").write_text(json.dumps(some))

        done = run("pack", "s.json", "--headings", "--render", "markdown", "-b", "20", "-f", "text")

        assert done.out == "## drinks\n### a\n```\nTea\n```\n"

    def test_a_header_larger_than_the_budget_is_an_error(self, folder: Path) -> None:
        """As are pins."""
        (folder / "header.txt").write_text("word " * 60)

        done = run("pack", "docs", "--header-file", "header.txt", "-b", "50")

        assert done.code == 3
        assert "the frame (header and footer)" in done.err
        assert "--allow-over-budget" in done.err
        assert run("pack", "docs", "--header-file", "header.txt", "-b", "50", "--allow-over-budget").code == 0

    def test_a_header_that_is_not_there_is_named(self) -> None:
        """As any file."""
        assert "none.txt: cannot be read" in run("pack", "docs", "--header-file", "none.txt", "-b", "9").err


class TestOutput:
    def test_a_file_gets_the_text_to_the_last_byte(self, folder: Path) -> None:
        """No line break of ours, none of Windows'."""
        done = run(
            "pack", "-", "-b", "50", "-o", "out.txt", "--counter", "o200k_base", stdin='["Tea.\\r\\nIce."]'
        )

        assert done.out == ""
        assert (folder / "out.txt").read_bytes() == b"Tea.\r\nIce."
        assert "packed 1 of 1 snippet" in done.err

    def test_the_suffix_says_what_is_written(self, folder: Path) -> None:
        """JSON and JSON lines; anything else is the text."""
        run("pack", "docs", "-b", "50", "-o", "out.json")
        run("pack", "docs", "-b", "50", "-o", "out.jsonl")

        packing = json.loads((folder / "out.json").read_text())
        lines = (folder / "out.jsonl").read_text().splitlines()
        assert [json.loads(line)["id"] for line in lines] == packing["selected"]

    def test_a_place_that_cannot_be_written_is_named(self) -> None:
        """With the reason."""
        done = run("pack", "docs", "-b", "50", "-o", "none/out.md")

        assert done.code == 1
        assert "none/out.md: cannot be written" in done.err
