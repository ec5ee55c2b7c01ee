"""The commands as their users see them: what goes where, and the exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .running import COMMAND, environment, run, run_alone

RULES = {"id": "rules", "text": "Be brief.", "cost": 120, "value": 5, "pinned": True}
API = {"id": "api", "text": "GET /orders", "cost": 420, "value": 8}
NOTES = {"id": "notes", "text": "Überall.", "cost": 900, "value": 6}
LOG = {"id": "log", "text": "19:02 ✓", "cost": 300, "value": 3}
SNIPPETS = [RULES, API, NOTES, LOG]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that holds the four snippets as a list and with a budget."""
    monkeypatch.chdir(tmp_path)
    Path("list.json").write_text(json.dumps(SNIPPETS), "utf-8")
    Path("turn.json").write_text(json.dumps({"budget": 1000, "snippets": SNIPPETS}), "utf-8")
    return tmp_path


class TestFormats:
    """Standard output holds what was asked for and nothing else."""

    def test_json_is_the_default_in_a_pipe_and_holds_the_packing(self) -> None:
        """The same as `to_dict`."""
        done = run("pack", "turn.json")
        packing = json.loads(done.out)

        assert (packing["value"], packing["cost"], packing["optimal"]) == (16, 840, True)
        assert packing["selected"] == ["rules", "api", "log"]
        assert [decision["reason"] for decision in packing["decisions"]] == [
            "pinned",
            "chosen",
            "no_room",
            "chosen",
        ]

    def test_json_has_a_line_for_each_decision(self) -> None:
        """So that it can be read and grepped."""
        lines = run("pack", "turn.json").out.splitlines()

        assert [json.loads(line.strip().rstrip(","))["id"] for line in lines if '"position"' in line] == [
            "rules", "api", "notes", "log",
        ]  # fmt: skip

    def test_jsonl_hands_the_chosen_snippets_on_as_they_came(self) -> None:
        """The next program in the pipe finds every key."""
        done = run("pack", "turn.json", "--format", "jsonl")

        assert [json.loads(line) for line in done.out.splitlines()] == [RULES, API, LOG]
        assert "✓" in done.out

    def test_jsonl_can_be_packed_again(self) -> None:
        """Two packings in a row are a pipe."""
        first = run("pack", "turn.json", "--format", "jsonl").out

        assert run("pack", "-", "--budget", "420", "--format", "ids", stdin=first).out == "rules\nlog\n"

    def test_ids_are_one_a_line_whatever_they_hold(self) -> None:
        """A line break in an id makes no second line."""
        snippets = [
            {"id": "a\nb", "cost": 1, "value": 1},
            {"id": 7, "cost": 1, "value": 1},
            {"cost": 1, "value": 1},
        ]
        done = run("pack", "-", "--budget", "9", "--format", "ids", stdin=json.dumps(snippets))

        assert done.out == "a\\nb\n7\n2\n"

    def test_text_is_the_chosen_texts_in_order(self) -> None:
        """A blank line between two, nothing around them."""
        assert run("pack", "turn.json", "--format", "text").out == "Be brief.\n\nGET /orders\n\n19:02 ✓\n"

    def test_half_a_surrogate_pair_is_written_as_json_can(self) -> None:
        """JSON can hold what UTF-8 cannot."""
        stdin = '{"id": "a\\ud800", "cost": 1, "value": 1}'
        done = run("pack", "-", "--budget", "9", "--format", "jsonl", stdin=stdin)

        assert json.loads(done.out)["id"] == "a\ud800"

    @pytest.mark.parametrize("form", ["json", "jsonl", "ids", "text", "table"])
    def test_every_format_of_nothing_is_fine(self, form: str) -> None:
        """No snippets are no error; that there were none is said on standard error."""
        done = run("pack", "-", "--budget", "9", "--format", form)

        assert done.code == 0
        assert "no snippets" in done.err

    def test_output_is_utf8_whatever_the_locale(self) -> None:
        """A pipe between two programs has no locale."""
        done = run_alone(
            "pack", "turn.json", "-f", "text", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0"
        )

        assert done.out.endswith("19:02 ✓\n")
        table = run_alone(
            "pack", "turn.json", "-f", "table", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0"
        )
        assert "✓" in table.out


class TestTable:
    """The table for people."""

    def test_it_marks_what_is_in_and_what_is_out_and_ends_in_totals(self) -> None:
        """Chosen first, in input order; then the rest by value."""
        lines = run("pack", "turn.json", "--format", "table").out.splitlines()
        marked = [line.split() for line in lines if line.startswith(("✓", "✗"))]

        assert [words[:5] for words in marked] == [
            ["✓", "rules", "120", "5", "pinned"],
            ["✓", "api", "420", "8", "chosen"],
            ["✓", "log", "300", "3", "chosen"],
            ["✗", "notes", "900", "6", "no"],
        ]
        assert lines[-1].split() == ["3", "of", "4", "in", "840", "16", "of", "1,000", "tokens"]

    @pytest.mark.parametrize("columns", [44, 80, 200])
    def test_no_line_is_wider_than_the_terminal(self, columns: int) -> None:
        """Long ids are cut, numbers and marks are not."""
        long = [{**API, "id": "long-" * 60, "source": "path/" * 60}, RULES, {**NOTES, "cost": 1_234_567}]
        done = run("pack", "-", "-b", "1000", "-f", "table", stdin=json.dumps(long), columns=columns)

        assert max(map(len, done.out.splitlines())) <= columns
        assert "1,234,567" in done.out
        assert ("path/" in done.out) == (columns == 200)

    def test_a_text_from_a_file_cannot_steer_the_terminal(self) -> None:
        """Escape sequences and markup are shown, not obeyed."""
        done = run(
            "pack", "-", "-b", "9", "-f", "table", stdin='{"id": "\\u001b[31m[red]x", "cost": 1, "value": 1}'
        )

        assert "\x1b" not in done.out
        assert "[red]x" in done.out

    def test_rows_limits_both_parts_and_says_what_is_hidden(self) -> None:
        """The best of what is out is shown."""
        snippets = [{"id": f"s{i}", "cost": 1, "value": i + 1} for i in range(20)]
        out = run("pack", "-", "-b", "8", "-f", "table", "--rows", "2", stdin=json.dumps(snippets)).out

        shown = [line.split()[1] for line in out.splitlines() if line.startswith(("✓", "✗"))]

        assert shown == ["s12", "s13", "s11", "s10"]
        assert "... 6 more" in out
        assert "... 10 more" in out


class TestStandardError:
    """What is not output goes to standard error."""

    def test_the_summary_is_there_and_quiet_takes_it_away(self) -> None:
        """One line."""
        assert run("pack", "turn.json").err == (
            "haversack: packed 3 of 4 snippets, 840 of 1,000 tokens, value 16, optimal\n"
        )
        assert run("pack", "turn.json", "--quiet").err == ""

    def test_a_list_without_values_is_said_to_be_ranked(self) -> None:
        """Nobody should think that values were found."""
        assert "by rank" in run("pack", "-", "-b", "9", stdin='[{"cost": 1}, {"cost": 2}]').err


class TestBudget:
    """Where the budget comes from."""

    def test_an_option_overrides_the_file(self) -> None:
        """420 tokens hold the rules and the log."""
        assert run("pack", "turn.json", "--budget", "420", "--format", "ids").out == "rules\nlog\n"

    def test_a_reserve_is_kept_free(self) -> None:
        """1000 less 580 is 420."""
        assert run("pack", "turn.json", "--reserve", "580", "--format", "ids").out == "rules\nlog\n"

    def test_settings_of_the_file_count(self) -> None:
        """A file may say that going over is fine; null is the same as absent."""
        request = {"budget": 100, "reserve": None, "over_budget": "allow", "snippets": SNIPPETS}
        done = run("pack", "-", "--format", "ids", stdin=json.dumps(request))

        assert (done.code, done.out) == (0, "rules\n")
        assert "over the budget by 20 tokens" in done.err

    def test_an_effort_of_greedy_may_miss_the_best_and_says_so(self) -> None:
        """Value per token takes the first; the two others are worth more."""
        stdin = json.dumps([{"cost": 6, "value": 7}, {"cost": 5, "value": 5}, {"cost": 5, "value": 5}])
        packing = json.loads(run("pack", "-", "-b", "10", "--effort", "greedy", stdin=stdin).out)

        assert packing["value"] <= 10 <= packing["bound"]
        assert json.loads(run("pack", "-", "-b", "10", "--effort", "1000", stdin=stdin).out)["value"] == 10

    def test_several_files_are_one_input(self) -> None:
        """One budget for all of them, in the order of the command line."""
        Path("more.csv").write_text("id,cost,value\nextra,40,9\n", "utf-8")

        assert run("pack", "more.csv", "turn.json", "-f", "ids").out == "extra\nrules\napi\nlog\n"


class TestFields:
    """Foreign shapes."""

    FOREIGN = json.dumps([{"key": "a", "page_content": "x", "n": 5, "p": 0.5, "other": None}])

    def test_fields_are_read_from_their_keys(self) -> None:
        """The snippets are handed on as they came."""
        words = (
            "--field",
            "text=page_content",
            "--field",
            "cost=n",
            "--field",
            "value=p",
            "--field",
            "id=key",
        )
        done = run("pack", "-", "-b", "9", *words, "-f", "jsonl", stdin=self.FOREIGN)

        assert json.loads(done.out) == json.loads(self.FOREIGN)[0]

    def test_text_comes_from_the_mapped_key(self) -> None:
        """Not from a key that happens to be called text."""
        done = run(
            "pack",
            "-",
            "-b",
            "9",
            "--field",
            "text=body",
            "-f",
            "text",
            stdin='{"cost": 1, "body": "b", "text": "t"}',
        )

        assert done.out == "b\n"

    def test_an_unknown_key_is_refused_with_the_option_to_paste(self) -> None:
        """In the words of the command line."""
        done = run("pack", "-", "-b", "9", stdin='{"cost": 5, "page_content": "x"}')

        assert done.code == 1
        assert "did you mean 'text'? To read it, pass --field text=page_content" in done.err

    def test_an_unknown_column_is_refused_in_the_same_way(self) -> None:
        """A CSV column is a key."""
        Path("t.csv").write_text("cost,page_content\n5,x\n", "utf-8")

        assert "pass --field text=page_content" in run("pack", "t.csv", "-b", "9").err

    def test_extra_keys_can_be_ignored(self) -> None:
        """The message names the option, and it works."""
        stdin = '{"cost": 5, "colour": "red"}'

        assert "pass --ignore-extra" in run("pack", "-", "-b", "9", stdin=stdin).err
        assert run("pack", "-", "-b", "9", "--ignore-extra", "-f", "ids", stdin=stdin).out == "0\n"


class TestExitCodes:
    """0 packed, 1 bad input, 2 usage, 3 pins over the budget; 130 interrupted."""

    @pytest.mark.parametrize(
        ("name", "content", "words"),
        [
            ("t.jsonl", '{"cost": 1}\n{"id": "api", "cost": -5}', ["t.jsonl:2: ", "'api'", "cost", "-5"]),
            (
                "t.json",
                '[{"cost": 1},\n{"id": "b", "cost": 2.5}]',
                ["t.json:2: ", "snippets[1]", "'b'", "cost", "2.5"],
            ),
            ("t.csv", "id,cost\na,1\nb,many\n", ["t.csv:3: ", "'b'", "cost", "'many'"]),
            ("t.csv", "id,cost,pinned\na,1,perhaps\n", ["t.csv:2: ", "'a'", "pinned", "'perhaps'"]),
            ("t.jsonl", '{"cost": 1, "score": "high"}', ["t.jsonl:1: ", "score", "number", "'high'"]),
            ("t.jsonl", '{"cost": 1, "score": 1}\n{"cost": 1}', ["t.jsonl:2: ", "scores are missing"]),
            ("t.jsonl", '{"cost": 1, "group": 1.5}', ["t.jsonl:1: ", "group", "a name"]),
            ("t.jsonl", '{"cost": 1, "value": 1}\n{"cost": 1}', ["t.jsonl:2: ", "value is missing"]),
            ("t.jsonl", '"text alone"', ["t.jsonl:1:1: ", "expected"]),
            ("t.json", '{"budget": 0.5, "snippets": []}', ["t.json:1: ", "share"]),
            ("t.json", '{"budget": 5,\n"reserve": -1, "snippets": []}', ["t.json:2: ", "reserve", "-1"]),
            ("t.json", '{"budgt": 5, "snippets": []}', ["t.json:1: ", "did you mean 'budget'"]),
        ],
    )
    def test_bad_input_is_1_and_names_file_line_snippet_and_field(
        self, name: str, content: str, words: list[str]
    ) -> None:
        """On standard error; standard output stays empty."""
        Path(name).write_text(content, "utf-8")
        budget = () if "budget" in content else ("--budget", "9")
        done = run("pack", name, *budget)

        assert (done.code, done.out) == (1, "")
        assert all(word in done.err for word in words), done.err
        assert done.err.count("\n") == 1

    def test_an_id_given_in_two_files_names_both_places(self) -> None:
        """Whoever merges results of two searches needs both."""
        Path("a.jsonl").write_text('{"cost": 1}\n{"id": "x", "cost": 1}\n', "utf-8")
        Path("b.jsonl").write_text('\n{"id": "x", "cost": 1}\n', "utf-8")
        done = run("pack", "a.jsonl", "b.jsonl", "-b", "9")

        assert done.code == 1
        assert "b.jsonl:2: " in done.err
        assert "snippets[1] is a.jsonl:2" in done.err

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["pack", "list.json"], "--budget"),
            (["pack", "list.json", "--budget", "many"], "'many'"),
            (["pack", "list.json", "--budget", "-5"], "-5"),
            (["pack", "list.json", "--budget", "0.5"], "share"),
            (["pack", "list.json", "--budget", "nan"], "finite"),
            (["pack", "turn.json", "--reserve", "-5"], "-5"),
            (["pack", "turn.json", "--effort", "fast"], "greedy, normal, full"),
            (["pack", "turn.json", "--effort=-1"], "-1"),
            (["pack", "turn.json", "--format", "xml"], "table"),
            (["pack", "turn.json", "--field", "text"], "FIELD=KEY"),
            (["pack", "turn.json", "--field", "text=a", "--field", "text=b"], "twice"),
            (["pack", "turn.json", "--field", "txt=a"], "did you mean 'text'"),
            (["pack", "turn.json", "--nonsense"], "--nonsense"),
            (["pack", "-", "-", "--budget", "5"], "only once"),
            (["pack"], "FILE"),
            (["unpack"], "unpack"),
            (["demo", "--budget", "many"], "'many'"),
            (["demo", "--budget", "0.5"], "share"),
        ],
    )
    def test_wrong_usage_is_2_and_names_the_option(self, words: list[str], said: str) -> None:
        """On standard error; standard output stays empty."""
        done = run(*words)

        assert (done.code, done.out) == (2, "")
        assert said in done.err

    def test_two_budgets_are_a_usage_error(self) -> None:
        """Naming both files."""
        Path("other.json").write_text('{"budget": 5, "snippets": []}', "utf-8")
        done = run("pack", "turn.json", "other.json")

        assert (done.code, done.out) == (2, "")
        assert "turn.json:1 and other.json:1 disagree about 'budget'" in done.err
        assert run("pack", "turn.json", "other.json", "-b", "1000").code == 0

    def test_pins_over_the_budget_are_3_and_leave_standard_output_empty(self) -> None:
        """A job sees it from the exit code, a person from both numbers and the way out."""
        done = run("pack", "turn.json", "--budget", "100")

        assert (done.code, done.out) == (3, "")
        for word in ("pinned", "120", "100", "'rules'", "--allow-over-budget"):
            assert word in done.err
        assert "over_budget=" not in done.err

    def test_going_over_can_be_allowed_and_is_warned_of(self) -> None:
        """Even if quiet: a warning is no summary."""
        done = run("pack", "turn.json", "-b", "100", "--allow-over-budget", "-q", "-f", "ids")

        assert (done.code, done.out) == (0, "rules\n")
        assert (
            done.err == "haversack: warning: over the budget by 20 tokens: the pinned snippets do not fit\n"
        )

    def test_a_pack_that_leaves_something_out_is_0(self) -> None:
        """Leaving out is the job."""
        assert run("pack", "turn.json").code == 0

    def test_a_missing_file_and_an_empty_folder_are_1(self, folder: Path) -> None:
        """With their names."""
        (folder / "empty").mkdir()

        assert (run("pack", "none.json", "-b", "5").code, run("pack", "empty", "-b", "5").code) == (1, 1)

    def test_the_version_is_0(self) -> None:
        """The name and the number."""
        done = run("--version")

        assert done.code == 0
        assert re.fullmatch(r"haversack \d+\.\d+\.\d+\S*\n", done.out)

    def test_help_shows_examples(self) -> None:
        """With commands that can be pasted."""
        done = run("pack", "--help")

        assert done.code == 0
        assert "haversack pack turn.json --budget 8000" in done.out

    def test_the_shell_can_complete_options(self) -> None:
        """The script that `--install-completion` writes asks like this."""
        done = run_alone(
            _HAVERSACK_COMPLETE="complete_bash", COMP_WORDS="haversack pack --bud", COMP_CWORD="2"
        )

        assert done.out.split() == ["--budget"]


class TestProcess:
    """How the process behaves towards its surroundings."""

    def _many(self) -> None:
        Path("many.jsonl").write_text(
            "".join(f'{{"id": "s{i}", "cost": 1, "value": 1}}\n' for i in range(50_000))
        )

    @pytest.mark.parametrize("form", ["ids", "json", "jsonl", "table"])
    def test_a_reader_that_stops_early_is_no_error(self, form: str) -> None:
        """`| head -1` ends in silence."""
        self._many()
        command = [*COMMAND, "pack", "many.jsonl", "-b", "50000", "-f", form, "--rows", "1500"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read().decode()
        process.stderr.close()

        assert process.wait(60) == 0
        assert told.count("\n") == 1
        assert told.startswith("haversack: packed 50,000")

    @pytest.mark.parametrize(
        ("words", "code"),
        [
            ("--help", 0), ("pack --help", 0), ("chat --help", 0), ("count --help", 0), ("eval --help", 0),
            ("demo --help", 0), ("--version", 0), ("demo", 0), ("demo --json", 0), ("", 0),
            ("pack --nope", 2), ("nosuch", 2), ("pack turn.json -b", 2),
        ],
    )  # fmt: skip
    def test_a_reader_that_never_began_is_no_error_either(self, words: str, code: int) -> None:
        """Whatever prints: help, version, stories, and errors that were piped along."""
        reading, writing = os.pipe()
        os.close(reading)

        done = subprocess.run(
            [*COMMAND, *words.split()], stdout=writing, stderr=writing, timeout=60,
            env={**os.environ, **environment()},
        )  # fmt: skip
        os.close(writing)

        assert done.returncode == code

    @pytest.mark.parametrize(
        "words",
        [
            "pack turn.json",
            "pack turn.json -f table",
            "demo",
            "demo --json",
            "--help",
            "pack --help",
            "--version",
        ],
    )
    def test_a_full_disk_is_an_error(self, words: str) -> None:
        """Output that is not written is not packed."""
        if not Path("/dev/full").exists():
            pytest.skip("no /dev/full here")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([*COMMAND, *words.split()], stdout=full, stderr=subprocess.PIPE)

        assert done.returncode == 1
        assert b"cannot be written" in done.stderr
        assert b"Traceback" not in done.stderr

    def test_an_interrupt_is_130_without_a_traceback(self) -> None:
        """While it waits for its input."""
        process = subprocess.Popen(
            [*COMMAND, "pack", "-", "-b", "5"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        _wait_until_it_reads(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

        assert process.returncode == 130
        assert out == b""
        assert b"Traceback" not in err

    def test_on_a_terminal_the_table_is_the_default_and_a_bar_shows_the_reading(self) -> None:
        """The bar goes to standard error, moves, and is gone in the end."""
        with open("large.jsonl", "w", encoding="utf-8") as file:
            for i in range(60_000):
                file.write(json.dumps({"id": f"s{i}", "text": "word " * 30, "cost": 9, "value": i}) + "\n")
        shown = _on_a_terminal("pack", "large.jsonl", "-b", "90", "--rows", "3")

        assert "reading" in shown
        assert "10 of 60,000 in" in shown
        assert shown.rindex("reading") < shown.index("s59990")
        assert "reading" not in _on_a_terminal("pack", "large.jsonl", "-b", "90", "--rows", "3", "--quiet")

    def test_without_the_extra_it_says_what_to_install(self) -> None:
        """And exits with 2, without a traceback."""
        code = "import sys; sys.modules['typer'] = None; from haversack.__main__ import main; main()"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

        assert done.returncode == 2
        assert "pip install 'haversack[cli]'" in done.stderr
        assert "Traceback" not in done.stderr

    def test_another_missing_module_is_not_blamed_on_the_extra(self) -> None:
        """A broken installation shows itself."""
        code = "import sys; sys.modules['csv'] = None; from haversack.__main__ import main; main()"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

        assert done.returncode == 1
        assert "ModuleNotFoundError" in done.stderr

    def test_only_the_command_line_imports_typer(self) -> None:
        """`import haversack` pays for nothing of it."""
        code = "import sys, haversack, haversack.__main__; print({'typer', 'rich'} & set(sys.modules))"

        assert subprocess.check_output([sys.executable, "-c", code]) == b"set()\n"


def _wait_until_it_reads(pid: int) -> None:
    """Wait until a process sleeps in a read of its standard input, as far as the system tells."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            where = Path(f"/proc/{pid}/wchan").read_text()
        except OSError:
            break
        if "pipe" in where:
            return
        time.sleep(0.05)
    time.sleep(1.5)


def _on_a_terminal(*words: str) -> str:
    """Run a command whose three streams are a terminal; return what is shown."""
    pid, terminal = pty.fork()
    if pid == 0:
        variables = {**os.environ, **environment(), "TERM": "xterm"}
        os.execvpe(COMMAND[0], [*COMMAND, *words], variables)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # how Linux says that the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return shown.decode()


def _refused(snippets: str, *words: str) -> str:
    done = run("pack", "-", "-b", "9", *words, stdin=snippets)
    assert (done.code, done.out) in ((1, ""), (2, ""))
    return done.err


class TestWords:
    """It speaks of files and options, not of Python."""

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("[5]", "must be a JSON object such as"),
            ('[{"cost": 1, "pinned": "no"}]', "must be true or false; found 'no'"),
            ('[{"cost": 1, "id": true}]', "put it in quotes; found true"),
            ('[{"cost": true}]', "a number of tokens, >= 0; found true"),
            ('[{"cost": 1, "value": "8"}]', "must be a number, not text: a number without quotes"),
            ('[{"cost": 1, "text": 5}]', "text must be text; found 5"),
            ('{"budget": 9, "effort": "fast", "snippets": []}', "effort must be a number of states, or"),
            ('{"budget": 9, "pinned": 2.5, "snippets": []}', "must be a list of ids; found"),
            ('{"budget": 9, "fields": 5, "snippets": []}', "fields must be a JSON object"),
            ('{"budget": 9, "sections": 5, "snippets": []}', "sections must be a JSON object of names"),
            ('{"budget": 9, "sections": {"a": 5}, "snippets": []}', "must be a JSON object such as"),
            ('{"budget": 9, "sections": {"a": {"cap": true}}, "snippets": []}', "a share: a number between"),
            ('{"budget": 9, "sections": {"a": {"cap": 1.5}}, "snippets": []}', "is no whole number, so"),
            ('{"budget": 9, "sections": {"": {}}, "snippets": []}', "text that is not empty"),
            ('{"budget": 9, "sections": {"a": {}}, "snippets": [{"cost": 1, "section": "b"}]}', "not decl"),
            ('[{"cost": 1, "group": 1.5}]', "must be a name, text or a whole number; found 1.5"),
            ('[{"cost": 1, "tier": true}]', "must be a whole number, >= 0, where 0 comes first; found true"),
            ('[{"cost": 1, "variants": [5]}]', "must be a JSON object with name"),
            ('[{"cost": 1, "variants": [{"name": 5}]}]', "must be text that is not empty"),
            (f'[{{"cost": 1, "value": {"9" * 5000}}}]', "an integer of more digits than are read"),
        ],
    )  # fmt: skip
    def test_no_message_speaks_python(self, content: str, said: str) -> None:
        """Neither types nor names of the library."""
        told = _refused(content)

        assert said in told
        python = (
            r"haversack\.\w|True|False|None|math\.inf|an int\b|attribute|function|use str|set_int_max|[a-z]= "
        )
        assert re.search(python, told) is None, told

    def test_a_field_read_from_a_score_is_warned_of(self) -> None:
        """Even if quiet; a probability is not."""
        stdin = '[{"cost": 1, "score": 0.7, "p": 0.5}]'
        words = ("pack", "-", "-b", "9", "-q", "-f", "ids")

        done = run(*words, "--field", "value=score", stdin=stdin)
        assert (done.code, done.out) == (0, "0\n")
        assert "warning: value is read from 'score': scores are not values" in done.err
        assert run(*words, "--field", "value=p", stdin=stdin).err == ""

    def test_a_file_that_says_so_is_warned_of_too(self) -> None:
        """Its fields count as the option does."""
        request = {
            "budget": 9,
            "fields": {"value": "similarity"},
            "snippets": [{"cost": 1, "similarity": 0.7}],
        }

        assert "scores are not values" in run("pack", "-", stdin=json.dumps(request)).err

    def test_the_demo_advises_only_what_it_can_do(self) -> None:
        """It has no reserve to lower; and its numbers are all written alike."""
        done = run("demo", "--budget", "100")

        assert done.code == 3
        assert "reserve of 1,200" in done.err
        assert "1200" not in done.err
        assert done.err.endswith("; raise the budget\n")

    def test_a_sum_too_long_to_be_written_is_an_error(self) -> None:
        """Of one more digit than Python prints."""
        snippet = f'{{"cost": 1, "value": {"9" * 4300}}}'
        assert "cannot be written as JSON" in _refused(f"[{snippet}, {snippet}]", "-f", "json")


class TestNumbers:
    """Only what other programs write too."""

    @pytest.mark.parametrize("word", [" 5 ", "1_000", "\u0665", "5 ", "0x5", "", "9" * 5000, "1e999"])
    @pytest.mark.parametrize("option", ["--budget", "--reserve", "--effort", "--rows"])
    def test_odd_numbers_are_refused(self, option: str, word: str) -> None:
        """Spaces, underscores, digits of other scripts."""
        done = run("pack", "turn.json", f"{option}={word}")

        assert (done.code, done.out) == (2, "")
        assert f"{option} takes" in done.err

    @pytest.mark.parametrize("cell", ["1_000", "\u0665", "9" * 5000])
    def test_odd_cells_are_no_numbers(self, cell: str) -> None:
        """Text, as which the library refuses them; spaces around a cell are usual."""
        Path("t.csv").write_text(f"id,cost,value\na,1,{cell}\n", "utf-8")
        done = run("pack", "t.csv", "-b", "9")

        assert done.code == 1
        assert "must be a number, not text" in done.err
        Path("t.csv").write_text("id, cost, value\na, 1, 5\n", "utf-8")
        assert json.loads(run("pack", "t.csv", "-b", "9").out)["value"] == 5

    def test_snippets_may_share_a_line(self) -> None:
        """One after another, as jq has it."""
        assert (
            run("pack", "-", "-b", "9", "-f", "ids", stdin='{"cost": 1}{"cost": 2} {"cost": 3}').out
            == "0\n1\n2\n"
        )

    def test_an_empty_object_is_no_snippet(self) -> None:
        """It is a request that says nothing."""
        assert "<stdin>:1:1: the object is empty" in _refused("{}")


class TestHarmless:
    """What a file holds cannot steer the terminal, nor start a line."""

    ID = "a\n\x1b[31m\a\u202e\x9b"
    SHOWN = "a\\n\\x1b[31m\\x07\\u202e\\x9b"

    @pytest.mark.parametrize("form", ["ids", "table"])
    def test_ids_are_escaped(self, form: str) -> None:
        """In both forms that hold them raw; JSON escapes by itself."""
        done = run("pack", "-", "-b", "9", "-f", form, stdin=json.dumps([{"id": self.ID, "cost": 1}]))

        assert self.SHOWN in done.out
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", done.out)

    def test_messages_are_escaped(self) -> None:
        """A key stands raw in the library's message."""
        told = _refused(json.dumps([{"cost": 1, self.ID: 5}]))

        assert told.count("\n") == 1
        assert "\x1b" not in told


class TestNarrow:
    """Nothing vanishes from the table."""

    WIDE = json.dumps(
        [{"id": "long", "cost": 10**30, "value": 1}, {"id": "short", "cost": 5, "value": 0.123456789}]
    )

    @pytest.mark.parametrize("columns", [20, 30, 40, 80])
    def test_marks_ids_numbers_and_reasons_stay(self, columns: int) -> None:
        """Gaps narrow first; in the end lines are wider than the terminal."""
        lines = run("pack", "-", "-b", "9", "-f", "table", stdin=self.WIDE, columns=columns).out.splitlines()
        rows = [line.split() for line in lines if line.startswith(("✓", "✗"))]

        assert [row[:4] for row in rows] == [["✓", "short", "5", "0.123457"], ["✗", "long", "1e+30", "1"]]
        assert rows[0][4] == "chosen"
        assert rows[1][4] == "too"
        assert columns < 40 or max(map(len, lines)) <= columns


@pytest.mark.parametrize("number", ["1_0", "\u0665", " 9", "9 ", "nine", "", "0x9", "1e999"])
@pytest.mark.parametrize(
    "words",
    [
        ("pack", "-", "-b"), ("pack", "-", "-b", "9", "-r"), ("pack", "-", "-b", "9", "--rows"),
        ("pack", "-", "-b", "9", "--max-bytes"), ("pack", "-", "-b", "9", "--near-copies"),
        ("pack", "-", "-b", "9", "--effort"), ("count", "-", "--max-bytes"),
        ("chat", "-", "-b"), ("chat", "-", "-b", "9", "--rows"), ("chat", "-", "-b", "9", "--elide"),
        ("chat", "-", "-b", "9", "--target"), ("eval", "-", "--budgets"), ("demo", "-b"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_numbers_are_written_as_everywhere(words: tuple[str, ...], number: str) -> None:
    """What Python alone would take for a number is none: no underscores, no foreign digits, no spaces."""
    if words[0] == "eval" and number in (" 9", "9 "):
        return  # a list of numbers with commas between them may have spaces

    done = run(*words, number, stdin="[]")

    assert done.code == 2
    assert done.err.startswith(f"haversack: {words[-1] if words[-1].startswith('--') else '--'}")
