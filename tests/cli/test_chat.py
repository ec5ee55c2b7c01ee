"""`haversack chat`: a transcript in, a transcript out that can be sent."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from haversack.chat import validate

from .running import run, run_alone

CALL = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
TALK: list[dict[str, Any]] = [
    {"role": "system", "content": "Sei kurz. ✓", "cost": 10},
    {"role": "user", "content": "Read it.", "cost": 10},
    {"role": "assistant", "content": None, "tool_calls": [CALL], "cost": 10},
    {"role": "tool", "tool_call_id": "c1", "content": "line " * 9, "cost": 60},
    {"role": "assistant", "content": "Nine lines.", "cost": 10},
    {"role": "user", "content": "Thanks. And?", "cost": 10},
]
WHOLE = 6  # messages; the costs and nothing else are counted, as all of them are given


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that holds the conversation as a list and a message a line."""
    monkeypatch.chdir(tmp_path)
    Path("talk.json").write_text(json.dumps(TALK), "utf-8")
    Path("talk.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in TALK), "utf-8")
    return tmp_path


def bare(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages without our keys, as a provider takes them."""
    return [{key: value for key, value in one.items() if key != "cost"} for one in messages]


class TestTranscript:
    """What is printed has the shape of what was read."""

    def test_a_list_gives_a_list_that_is_valid_and_has_no_keys_of_ours(self) -> None:
        """The turn of the call does not fit; what is left is as it came, one message a line."""
        done = run("chat", "talk.json", "--budget", "40")
        messages = json.loads(done.out)

        assert done.code == 0
        assert messages == bare([TALK[0], TALK[5]])
        assert validate(messages, "openai", open_call="refused") == ()
        assert len(done.out.splitlines()) == 2 + len(messages)
        assert "packed 2 of 6 messages, 20 of 40 tokens" in done.err

    def test_what_fits_whole_stays_whole(self) -> None:
        """Nothing but our keys is gone."""
        assert json.loads(run("chat", "talk.json", "-b", "200").out) == bare(TALK)

    @pytest.mark.parametrize("source", ["talk.jsonl", "-"])
    def test_a_message_a_line_gives_a_message_a_line(self, source: str) -> None:
        """From a file or standard input."""
        done = run("chat", source, "-b", "200", stdin=Path("talk.jsonl").read_text("utf-8"))

        assert [json.loads(line) for line in done.out.splitlines()] == bare(TALK)

    def test_the_body_of_a_request_comes_back_whole(self) -> None:
        """Its other keys stay, in their order; settings of ours are used and taken out."""
        body = {"model": "any", "budget": 40, "messages": TALK, "temperature": 0, "reserve": 5}
        done = run("chat", "-", stdin=json.dumps(body))

        assert json.loads(done.out) == {
            "model": "any",
            "messages": bare([TALK[0], TALK[5]]),
            "temperature": 0,
        }
        assert list(json.loads(done.out)) == ["model", "messages", "temperature"]
        assert "20 of 35 tokens" in done.err

    def test_an_option_overrides_the_file(self) -> None:
        """As in pack."""
        body = {"budget": 1, "messages": TALK}

        assert len(json.loads(run("chat", "-", "-b", "200", stdin=json.dumps(body)).out)["messages"]) == WHOLE

    @pytest.mark.parametrize(
        ("form", "body"),
        [
            (
                "anthropic",
                {
                    "system": "Be brief.",
                    "messages": [
                        {"role": "user", "content": "Hello"},
                        {"role": "assistant", "content": [{"type": "text", "text": "Hi."}]},
                        {"role": "user", "content": [{"type": "text", "text": "And?"}]},
                    ],
                },
            ),
            (
                "responses",
                {
                    "instructions": "Be brief.",
                    "input": [
                        {"role": "user", "content": "Hello"},
                        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
                        {"type": "function_call_output", "call_id": "c", "output": "done"},
                        {"role": "user", "content": "And?"},
                    ],
                },
            ),
            (
                "gemini",
                {
                    "contents": [
                        {"role": "user", "parts": [{"text": "Hello"}]},
                        {"role": "model", "parts": [{"text": "Hi."}]},
                        {"role": "user", "parts": [{"text": "And?"}]},
                    ],
                    "systemInstruction": {"parts": [{"text": "Be brief."}]},
                },
            ),
        ],
    )
    def test_bodies_of_every_form_are_read(self, form: str, body: dict[str, Any]) -> None:
        """The system prompt beside the messages is counted, and the form said in the packing."""
        whole = run("chat", "-", "-b", "500", "-c", "bytes/3", stdin=json.dumps(body))
        packing = json.loads(
            run("chat", "-", "-b", "500", "-c", "bytes/3", "-f", "json", stdin=json.dumps(body)).out
        )

        assert json.loads(whole.out) == body
        assert packing["statistics"]["form"] == form
        assert packing["frame"] >= len("Be brief.") // 3

    def test_items_with_an_input_of_their_own_are_no_body(self) -> None:
        """A custom call has a key `input`, which holds a text."""
        items = [
            {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "x"},
            {"type": "custom_tool_call_output", "call_id": "c", "output": "y"},
        ]
        done = run("chat", "-", "-b", "500", "-c", "bytes/3", stdin="\n".join(map(json.dumps, items)))

        assert [json.loads(line) for line in done.out.splitlines()] == items


class TestFormats:
    """The same outputs as `haversack pack`."""

    def test_json_is_the_packing(self) -> None:
        """With a decision for each message, and what the next call's `--previous` needs."""
        packing = json.loads(run("chat", "talk.json", "-b", "40", "-f", "json").out)

        assert packing["selected"] == ["0", "5"]
        assert packing["decisions"][3]["reason"] == "too_long"
        assert packing["messages"] == bare([TALK[0], TALK[5]])

    def test_jsonl_ids_and_text(self) -> None:
        """A message a line; an id a line; the prose."""
        arguments = ("chat", "talk.json", "-b", "40", "-f")

        assert [json.loads(line) for line in run(*arguments, "jsonl").out.splitlines()] == bare(
            [TALK[0], TALK[5]]
        )
        assert run(*arguments, "ids").out == "0\n5\n"
        assert run(*arguments, "text").out == "Sei kurz. ✓\n\nThanks. And?\n"

    def test_the_table_shows_whose_message_it_is(self) -> None:
        """Chosen first; the last column is the role."""
        lines = run("chat", "talk.json", "-b", "40", "-f", "table", columns=100).out.splitlines()

        assert lines[0].split() == ["id", "tokens", "value", "why", "role"]
        assert [line.split()[1] for line in lines if line.startswith("✓")] == ["0", "5"]
        assert any(line.startswith("✗") and line.endswith("tool") for line in lines)

    def test_quiet_says_nothing_besides(self) -> None:
        """Not even the summary."""
        assert run("chat", "talk.json", "-b", "40", "--quiet").err == ""


class TestOptions:
    """The settings of `pack_messages`."""

    def test_pins(self) -> None:
        """By id, and none at all."""
        pinned = run("chat", "talk.json", "-b", "100", "--pin", "1", "-f", "ids")
        unpinned = run("chat", "talk.json", "-b", "5", "--unpin", "-f", "ids")

        assert "1" in pinned.out.splitlines()
        assert (unpinned.code, unpinned.out) == (0, "")

    def test_the_best_set_by_values(self) -> None:
        """An old answer that is worth more than all else comes in alone."""
        talk = [{**one, "value": 9 if at == 4 else 1} for at, one in enumerate(TALK)]

        done = run("chat", "-", "-b", "30", "--best-set", "-f", "ids", stdin=json.dumps(talk))

        assert done.out.split() == ["0", "4", "5"]

    def test_long_texts_are_shortened(self) -> None:
        """Before their turn is dropped."""
        pytest.importorskip("toktok", reason="needs toktok-rs: pip install 'haversack[tokens]'")
        talk = [{**one, "content": "line " * 900} if at == 3 else one for at, one in enumerate(bare(TALK))]

        done = run("chat", "-", "-b", "200", "--elide", "40", stdin=json.dumps(talk))

        assert len(json.loads(done.out)) == WHOLE
        assert "tokens left out" in json.loads(done.out)[3]["content"]

    def test_previous_keeps_the_beginning(self) -> None:
        """What an earlier --format json wrote."""
        Path("last.json").write_text(run("chat", "talk.json", "-b", "115", "-f", "json").out, "utf-8")
        more = [
            *TALK,
            {"role": "assistant", "content": "Well.", "cost": 3},
            {"role": "user", "content": "?", "cost": 2},
        ]

        done = run("chat", "-", "-b", "115", "--previous", "last.json", "-f", "json", stdin=json.dumps(more))

        assert json.loads(done.out)["prefix_tokens"] == 110
        assert json.loads(done.out)["statistics"]["kept"]

    def test_form_and_system(self) -> None:
        """A plain list beside a system prompt, in the form that is named."""
        stdin = json.dumps([{"role": "user", "content": "Hello"}])
        arguments = ("chat", "-", "-b", "500", "-c", "bytes/3", "-f", "json", "--system", "Be brief.")

        recognised = json.loads(run(*arguments, stdin=stdin).out)
        named = json.loads(run(*arguments, "--form", "responses", stdin=stdin).out)

        assert recognised["statistics"]["form"] == "anthropic"
        assert named["statistics"]["form"] == "responses"


class TestFailures:
    """The same exit codes as `haversack pack`; standard output stays empty."""

    @pytest.mark.parametrize(
        ("arguments", "stdin", "code", "said"),
        [
            (["-b", "15"], TALK, 3, "pinned messages need 20 tokens"),
            ([], TALK, 2, "no budget: pass --budget N"),
            (["-b", "ten"], TALK, 2, "--budget takes a number of tokens"),
            (["-b", "0.5"], TALK, 2, "--budget: budget is below one token"),
            (["-b", "9", "--pin", "x"], TALK, 2, "--pin: pinned='x' is the id of no message"),
            (["-b", "9", "--pin", "1", "--unpin"], TALK, 2, "exclude each other"),
            (["-b", "9", "--target", "7"], TALK, 2, "--target: target=7 is no share"),
            (["-b", "9", "--form", "latin"], TALK, 2, "--form: form='latin'"),
            (["-b", "9", "--elide", "0"], TALK, 2, "--elide: "),
            (["-b", "9", "-c", "nobody"], bare(TALK), 2, "--counter: no counter is named 'nobody'"),
            (
                ["-b", "9", "--system", "x"],
                {"system": "y", "messages": TALK},
                2,
                "a system prompt of its own",
            ),
            (["-b", "9"], [TALK[0], {**TALK[1], "cost": -1}], 1, "<stdin>:1: messages[1]"),
            (["-b", "9"], [{"role": "wizard"}], 1, "<stdin>:1: messages[0] is in no known form"),
            (["-b", "9"], [*TALK, {"role": "model", "parts": []}], 1, "mix forms"),
            (["-b", "9"], {"budget": 7, "model": "x"}, 1, "the object has no 'messages'"),
            (["-b", "9"], {"messages": 7}, 1, "'messages' must be a list"),
            (["-b", "9"], {"messages": [], "contents": []}, 1, "both hold a list of messages"),
            (["-b", "9"], [7], 1, "messages[0] is a int"),
        ],
    )
    def test_code_and_message(self, arguments: list[str], stdin: Any, code: int, said: str) -> None:
        """One line, in the words of the command line."""
        done = run("chat", "-", *arguments, stdin=json.dumps(stdin))

        assert (done.code, done.out) == (code, "")
        assert said in done.err
        assert "over_budget=" not in done.err
        assert len(done.err.splitlines()) == 1

    def test_a_place_is_file_and_line(self) -> None:
        """Where the message begins."""
        lines = [json.dumps(one) for one in TALK]
        lines[3] = '{"role": "tool", "content": "x", "cost": 1.5, "tool_call_id": "c1"}'
        Path("bad.jsonl").write_text("\n".join(lines), "utf-8")

        assert run("chat", "bad.jsonl", "-b", "99").err.startswith("haversack: bad.jsonl:4: messages[3]")

    @pytest.mark.parametrize(
        ("stdin", "said"),
        [
            ("", "the file is empty"),
            ("hello", "expected a list of messages"),
            ('[{"role": "user"', "not JSON"),
            ('[{"role": "user", "role": "tool"}]', "given twice"),
            ('{"messages": []}\n{"messages": []}', "nothing may follow the object"),
        ],
    )
    def test_what_is_no_transcript(self, stdin: str, said: str) -> None:
        """Bad input, with the place."""
        done = run("chat", "-", "-b", "9", stdin=stdin)

        assert (done.code, done.out) == (1, "")
        assert "<stdin>" in done.err
        assert said in done.err

    def test_a_missing_file_and_a_bad_previous(self) -> None:
        """Named."""
        Path("last.json").write_text("{", "utf-8")

        assert "nowhere.json" in run("chat", "nowhere.json", "-b", "9").err
        assert "last.json: not JSON" in run("chat", "talk.json", "-b", "99", "--previous", "last.json").err

    def test_what_cannot_be_sent_is_said(self) -> None:
        """Orphans are left out, with the line they stand on; an open call at the end is warned of."""
        orphaned = run("chat", "-", "-b", "99", stdin="\n".join(json.dumps(one) for one in TALK[3:]))
        waiting = run("chat", "-", "-b", "99", stdin=json.dumps(TALK[:3]))

        assert [json.loads(line) for line in orphaned.out.splitlines()] == bare(TALK[4:])
        assert "warning: <stdin>:1: 0 is out: it cannot be sent" in orphaned.err
        assert (waiting.code, len(json.loads(waiting.out))) == (0, 3)
        assert "warning: the transcript cannot be sent yet: messages[2]: its call 'c1'" in waiting.err

    def test_over_budget_on_request(self) -> None:
        """Packed, and said."""
        done = run("chat", "talk.json", "-b", "15", "--allow-over-budget")

        assert done.code == 0
        assert "warning: over the budget by 5 tokens: the pinned messages do not fit" in done.err

    def test_without_the_counter_s_package_it_says_what_to_install(self) -> None:
        """No estimate in its place."""
        code = "import sys; sys.modules['toktok'] = None; from haversack.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, "chat", "-", "-b", "99"],
            input=json.dumps(bare(TALK)), capture_output=True, text=True, check=False,
        )  # fmt: skip

        assert (done.returncode, done.stdout) == (1, "")
        assert "haversack[tokens]" in done.stderr


def test_in_a_process_of_its_own_whatever_the_locale() -> None:
    """UTF-8 out."""
    done = run_alone("chat", "talk.json", "-b", "40", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert json.loads(done.out)[0]["content"] == "Sei kurz. ✓"
