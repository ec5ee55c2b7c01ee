"""`haversack eval`: labelled questions in, a comparison out; and packing by what it fitted."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from .running import run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that holds twelve questions in the plain form."""
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps(question(number)) for number in range(12)]
    Path("questions.jsonl").write_text("\n".join(lines), "utf-8")
    return tmp_path


def question(number: int) -> dict[str, Any]:
    """Twenty candidates, of which the one with the highest dense score is mostly the needed one."""
    draw = random.Random(number)
    snippets = [
        {"id": f"s{at}", "cost": draw.randint(20, 200), "value": draw.random(),
         "scores": {"dense": draw.random() + (at == 3), "bm25": draw.random()}}
        for at in range(20)
    ]  # fmt: skip
    return {"id": number, "query": "?", "gold": ["s3", "s4"], "snippets": snippets}


class TestEval:
    """The comparison."""

    def test_the_tables_compare_top_k_greedy_ones_own_values_and_ours(self) -> None:
        """A row each, a column a budget."""
        done = run("eval", "questions.jsonl", "--budgets", "256,512")

        assert done.code == 0, done.err
        lines = done.out.splitlines()
        for method in (
            "top-k until full, dense",
            "greedy with skip, bm25",
            "exact packing of your values",
            "exact packing of from_scores",
        ):
            assert any(line.startswith(method) for line in lines), method
        assert "Evidence recall (%): questions 12" in lines[0]
        assert sum(line.startswith("All the evidence") for line in lines) == 1
        assert any(line.split() == ["budget", "256", "512", "mean"] for line in lines)

    def test_json_holds_all_figures(self) -> None:
        """In a file beside the tables, or instead of them."""
        done = run("eval", "questions.jsonl", "--budgets", "512,256,256", "--json", "out.json")
        piped = run("eval", "questions.jsonl", "--budgets", "256,512", "--json", "-")

        result = json.loads(Path("out.json").read_text("utf-8"))
        assert result["budgets"] == [256, 512]
        assert result["questions"] == 12
        assert json.loads(piped.out) == result
        assert done.out

    def test_scores_may_be_chosen(self) -> None:
        """The others are as if they were not there."""
        done = run("eval", "questions.jsonl", "-b", "256", "--scores", "bm25")

        assert "dense" not in done.out

    def test_scores_may_be_keys_of_the_snippets(self) -> None:
        """As many retrievers write them."""
        snippets = [{"id": f"s{at}", "tokens": 30, "dense": at / 7, "bm25": at % 3} for at in range(9)]
        lines = json.dumps({"query": "?", "gold": ["s8"], "snippets": snippets})
        Path("flat.jsonl").write_text(lines, "utf-8")

        done = run("eval", "flat.jsonl", "-b", "60", "--scores", "dense,bm25", "--json", "-")

        assert json.loads(done.out)["methods"]["greedy:dense"]["recall"][0]["mean"] == 1

    def test_texts_are_counted_where_costs_are_absent(self) -> None:
        """By a counter of that name."""
        snippets = [{"id": f"s{at}", "text": "t" * 30 * at, "score": at / 7} for at in range(1, 9)]
        lines = json.dumps({"query": "?", "gold": ["s8"], "snippets": snippets})
        Path("texts.jsonl").write_text(lines, "utf-8")

        done = run("eval", "texts.jsonl", "-b", "79,80", "--counter", "bytes/3", "--json", "-")

        recall = json.loads(done.out)["methods"]["greedy:score"]["recall"]
        assert [cell["mean"] for cell in recall] == [0, 1]

    def test_calibrating_prints_the_quality_and_keeps_what_pack_can_use(self) -> None:
        """From labels to a packing that says what to expect."""
        pytest.importorskip("sklearn")
        done = run("eval", "questions.jsonl", "-b", "256,512", "--save", "fitted.json", "--json", "out.json")
        Path("hits.json").write_text(json.dumps(unvalued(99)), "utf-8")

        packed = run("pack", "hits.json", "-b", "300", "--values", "fitted.json")

        assert "cross-validated on 12 questions" in done.out
        assert "exact packing of calibrated p" in done.out
        assert "greedy with skip, calibrated p per token" in done.out
        assert done.err == ""
        assert json.loads(Path("out.json").read_text("utf-8"))["calibration"]["questions"]["log_loss"] > 0
        assert packed.code == 0, packed.err
        assert "expected evidence: " in packed.err
        assert json.loads(packed.out)["statistics"]["expected_evidence"] > 0

    def test_each_file_is_a_set_with_its_own_calibrator(self) -> None:
        """The quality of each is printed; what is saved is fitted on all, and says so."""
        pytest.importorskip("sklearn")
        lines = [json.dumps(question(number)) for number in range(50, 60)]
        Path("others.jsonl").write_text("\n".join(lines), "utf-8")

        both = run(
            "eval", "questions.jsonl", "others.jsonl", "-b", "256", "--json", "both.json", "--calibrate"
        )
        one = run("eval", "questions.jsonl", "-b", "256", "--json", "one.json", "--calibrate")
        saved = run("eval", "questions.jsonl", "others.jsonl", "-b", "256", "--save", "fitted.json")

        assert (both.code, one.code, both.err) == (0, 0, "")
        assert both.out.startswith("questions:\ncross-validated on 12 questions")
        assert "\nothers:\ncross-validated on 10 questions" in both.out
        told, alone = (json.loads(Path(name).read_text("utf-8")) for name in ("both.json", "one.json"))
        assert told["calibration"]["questions"] == alone["calibration"]["questions"]
        assert told["by_set"]["questions"] == alone["by_set"]["questions"]
        assert saved.err == (
            "haversack: fitted.json: fitted on all 22 questions of questions, others together; the table "
            "has a calibrator for each\n"
        )
        assert json.loads(Path("fitted.json").read_text("utf-8"))["trained_on"]["questions"] == 22

    def test_files_of_one_name_are_two_sets(self) -> None:
        """Their folders tell them apart."""
        for folder in ("a", "b"):
            Path(folder).mkdir()
            Path(folder, "questions.jsonl").write_bytes(Path("questions.jsonl").read_bytes())

        done = run(
            "eval", "a/questions.jsonl", "./b/questions.jsonl", "questions.jsonl", "-b", "256", "--json", "-"
        )

        assert json.loads(done.out)["sets"] == {"a/questions": 12, "b/questions": 12, "questions": 12}

    def test_files_of_snippets_beside_their_questions_are_no_sets(self) -> None:
        """So that a pattern will do."""
        snippets = [{"id": "a", "tokens": 5}, {"id": "b", "tokens": 6}]
        two = {"id": 1, "gold": ["a"], "snippets": ["a", "b"], "dense": [1, 2]}
        Path("two.snippets.jsonl").write_text("\n".join(map(json.dumps, snippets)), "utf-8")
        Path("two.jsonl").write_text(json.dumps(two), "utf-8")

        done = run("eval", "./two.snippets.jsonl", "two.jsonl", "-b", "6", "--json", "-")

        assert json.loads(done.out)["sets"] == {"two": 1}
        assert "two.snippets.jsonl:1: expected" in run("eval", "two.snippets.jsonl").err

    def test_standard_input_is_a_file(self) -> None:
        """With a byte order mark or not, and named in errors."""
        lines = b"\xef\xbb\xbf" + Path("questions.jsonl").read_bytes()

        done = run("eval", "-", "-b", "256", "--json", "-", stdin=lines)

        assert json.loads(done.out)["sets"] == {"<stdin>": 12}
        assert "<stdin>:2: not JSON" in run("eval", "-", stdin=b'{"gold": [], "snippets": []}\n{').err
        assert "can be read only once" in run("eval", "-", "-", stdin=lines).err

    def test_questions_without_evidence_are_told(self) -> None:
        """They are left out."""
        Path("some.jsonl").write_text(
            "\n".join(json.dumps({**question(number), "gold": ["s3"][number:]}) for number in range(2)),
            "utf-8",
        )

        assert "left out: 1 question without evidence" in run("eval", "some.jsonl", "-b", "64").out

    def test_the_calibration_is_a_picture(self) -> None:
        """Of one set or several, which need not be calibrated twice."""
        pytest.importorskip("sklearn")
        pytest.importorskip("matplotlib")

        done = run("eval", "questions.jsonl", "-b", "0,256", "--plot", "r.png", "--calibration-plot", "c.svg")

        assert done.code == 0, done.err
        assert "cross-validated on 12 questions" in done.out
        assert "<svg" in Path("c.svg").read_text("utf-8")
        assert Path("r.png").read_bytes().startswith(b"\x89PNG")

    def test_the_plot_is_a_picture(self) -> None:
        """If matplotlib is there."""
        pytest.importorskip("matplotlib")

        run("eval", "questions.jsonl", "-b", "256,512", "--plot", "out.png")

        assert Path("out.png").read_bytes().startswith(b"\x89PNG")
        wrong = run("eval", "questions.jsonl", "-b", "256", "--plot", "out.nothing")
        assert (wrong.code, "out.nothing: cannot be written" in wrong.err) == (1, True)

    @pytest.mark.parametrize(
        ("words", "code", "said"),
        [
            (["nowhere.jsonl"], 1, "nowhere.jsonl: cannot be read"),
            (["questions.jsonl", "--budgets", "many"], 2, "--budgets takes numbers"),
            (["questions.jsonl", "--budgets", "-5"], 2, "--budgets takes numbers"),
            (["questions.jsonl", "--scores", "rerank"], 2, "has a score 'rerank'; they have bm25, dense"),
            (["questions.jsonl", "--scores", "bm25,bm25"], 2, "--scores: 'bm25' is given twice"),
            (["questions.jsonl", "./questions.jsonl"], 2, "./questions.jsonl: is given twice"),
            (["broken.jsonl"], 1, "broken.jsonl:2"),
            (["./broken.jsonl"], 1, "haversack: ./broken.jsonl:2: "),
            (["bare.jsonl"], 1, "bare.jsonl: questions: found neither scores"),
            (["bare.jsonl"], 1, "--scores names the keys"),
            (["blank.jsonl"], 1, "blank.jsonl: holds no question"),
            (["questions.jsonl", "blank.jsonl"], 1, "blank.jsonl: holds no question"),
            (
                ["ids.jsonl"],
                1,
                "ids.snippets.jsonl: cannot be read: No such file or directory, of which ids.jsonl",
            ),
            (["latin.jsonl"], 1, "latin.jsonl:1: not UTF-8"),
            (
                ["valued.jsonl", "--calibrate"],
                1,
                "--calibrate: set 'valued': examples: expected scores to fit on",
            ),
            (["texts.jsonl", "--counter", "bytes/3", "--calibrate"], 1, "set 'texts': "),
            (["texts.jsonl"], 1, "--counter o200k_base counts it"),
            (["texts.jsonl", "--counter", "nobody"], 2, "--counter: "),
            (["no-gold.jsonl"], 1, "no-gold.jsonl: none of the 1 questions has evidence"),
            (["questions.jsonl", "-b", "64", "--json", "nowhere/out.json"], 1, "nowhere/out.json: cannot be"),
        ],
    )
    def test_what_is_wrong_is_said_in_one_line(self, words: list[str], code: int, said: str) -> None:
        """With the file and the line where there is one."""
        Path("broken.jsonl").write_text(f"{json.dumps(question(1))}\n{{}}", "utf-8")
        text = [{"id": "s3", "text": "Tea.", "score": 0.5}]
        Path("texts.jsonl").write_text(json.dumps({**question(1), "snippets": text}), "utf-8")
        bare = [{"id": "s3", "cost": 5, "dense": 0.5}]
        Path("bare.jsonl").write_text(json.dumps({**question(1), "snippets": bare}), "utf-8")
        Path("blank.jsonl").write_text("\n\n", "utf-8")
        Path("ids.jsonl").write_text('{"gold": ["a"], "snippets": ["a"], "dense": [1]}', "utf-8")
        Path("latin.jsonl").write_bytes(b'{"id": "caf\xe9"}')
        valued = [{"id": "s3", "cost": 5, "value": 0.5}]
        Path("valued.jsonl").write_text(json.dumps({**question(1), "snippets": valued}), "utf-8")
        Path("no-gold.jsonl").write_text(json.dumps({**question(1), "gold": []}), "utf-8")

        done = run("eval", *words)

        assert done.code == code
        assert said in done.err
        assert done.err.count("\n") == 1


def unvalued(number: int) -> list[dict[str, Any]]:
    """The candidates of a question with scores alone."""
    return [
        {key: held for key, held in snippet.items() if key != "value"}
        for snippet in question(number)["snippets"]
    ]


class TestPackingScores:
    """`haversack pack` on files with scores."""

    def test_scores_in_json_and_csv_are_the_same(self) -> None:
        """Columns scores.NAME; an empty cell is a missing score."""
        hits = [
            {"id": "a", "cost": 10, "scores": {"dense": 0.5, "bm25": 3}},
            {"id": "b", "cost": 20, "scores": {"dense": 0.9}},
        ]
        Path("hits.json").write_text(json.dumps(hits), "utf-8")
        Path("hits.csv").write_text("id,cost,scores.dense,scores.bm25\na,10,0.5,3\nb,20,0.9,\n", "utf-8")

        one, other = run("pack", "hits.json", "-b", "25"), run("pack", "hits.csv", "-b", "25")

        assert one.code == 0, one.err
        assert one.out == other.out
        assert "by scores" in one.err

    def test_a_score_under_another_name_is_a_field(self) -> None:
        """Also in CSV."""
        Path("hits.csv").write_text("id,cost,similarity\na,10,0.5\nb,20,0.9\n", "utf-8")

        done = run("pack", "hits.csv", "-b", "25", "--field", "score=similarity", "-f", "ids")

        assert done.out == "b\n"

    def test_values_names_how_they_are_made(self) -> None:
        """The option before the file's word."""
        request = {"budget": 25, "values": "equal", "snippets": [{"cost": 9}, {"cost": 20}]}
        Path("turn.json").write_text(json.dumps(request), "utf-8")

        assert "by number" in run("pack", "turn.json").err
        assert "by rank" in run("pack", "turn.json", "--values", "rank").err

    def test_duplicates_once(self) -> None:
        """In the option, or in the file."""
        hits = [{"id": "a", "text": "x", "cost": 9}, {"id": "b", "text": "x", "cost": 9}]
        Path("turn.json").write_text(json.dumps({"budget": 25, "snippets": hits}), "utf-8")

        assert run("pack", "turn.json", "-f", "ids").out == "a\nb\n"
        assert run("pack", "turn.json", "--duplicates", "once", "-f", "ids").out == "a\n"

    def test_overlaps_and_near_copies(self) -> None:
        """As in `pack`."""
        text = "one two three four five six seven eight nine ten"
        hits = [
            {"id": "a", "source": "x", "start": 0, "end": 39, "text": text[:39], "cost": 39, "value": 0.5},
            {"id": "b", "source": "x", "start": 19, "end": 48, "text": text[19:], "cost": 28, "value": 0.5},
        ]
        Path("turn.json").write_text(json.dumps({"budget": 60, "snippets": hits}), "utf-8")

        assert json.loads(run("pack", "turn.json", "--overlap", "merge").out)["cost"] == 48
        assert run("pack", "turn.json", "--near-copies", "0.3", "-f", "ids").out == "b\n"

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--near-copies", "2"], "--near-copies: near_copies must be a similarity"),
            (["--overlap", "cut"], "--overlap: overlap must be 'merge'"),
            (["--values", "softmax"], "--values takes auto, rank, equal or a file"),
            (["--values", "questions.jsonl"], "haversack: --values: questions.jsonl: this is no valid JSON"),
            (["--values", "turn.json"], "haversack: --values: turn.json: calibrator.format: expected"),
            (["--duplicates", "merge"], "--duplicates: duplicates must be 'once'"),
        ],
    )
    def test_a_wrong_word_is_named(self, words: list[str], said: str) -> None:
        """As usage."""
        Path("turn.json").write_text('{"budget": 9, "snippets": [{"cost": 1}]}', "utf-8")

        done = run("pack", "turn.json", *words)

        assert done.code == 2
        assert said in done.err
