"""Files of labelled questions: both forms, and every way in which they are wrong."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from haversack.evaluation import Question, evaluate, read
from haversack.exceptions import InputError
from haversack.values import Calibrator
from tests.values import synthetic

A, B = {"id": "a", "cost": 1, "score": 2}, {"id": "b", "cost": 1, "score": 1}
TWO = {"id": 1, "gold": ["a"], "snippets": ["a", "b"], "dense": [1, 2]}
SHARED = [{"id": "a", "tokens": 5}, {"id": "b", "tokens": 6}]
DEEP = "[" * 200_000


def lines(path: Path, *records: Any) -> Path:
    """Write a line for each record; a text is written as it is."""
    told = (record if isinstance(record, str) else json.dumps(record) for record in records)
    path.write_text("".join(f"{line}\n" for line in told), "utf-8")
    return path


def refused(path: Path, reading: Callable[[Path], Any] = read) -> str:
    """The message that reading a file ends with."""
    with pytest.raises(InputError) as caught:
        list(reading(path))
    return str(caught.value)


class TestBothForms:
    """Plain, and two files."""

    def test_a_plain_file_is_read_back(self, tmp_path: Path) -> None:
        """As it was written."""
        made = synthetic.questions(3)

        read_back = list(read(lines(tmp_path / "plain.jsonl", *map(synthetic.record, made))))

        for question, original in zip(read_back, made, strict=True):
            assert question.scores == dict(sorted(original.scores.items()))
            assert (question.costs, question.needed) == (original.costs, original.needed)
            assert (question.gold, question.dataset) == (sum(original.needed), "plain")

    def test_two_files_share_their_snippets(self, tmp_path: Path) -> None:
        """Scores stand beside the ids."""
        lines(tmp_path / "set.snippets.jsonl", *({"id": f"s{i}", "tokens": 10 * i} for i in range(1, 5)))
        path = lines(
            tmp_path / "set.jsonl",
            {"id": "a", "group": "g", "gold": ["s2", "lost"], "snippets": ["s1", "s2"], "dense": [0.1, None]},
        )

        (question,) = read(path)

        assert question.costs == [10, 20]
        assert question.scores == {"dense": [0.1, None]}
        assert question.needed == [False, True]
        assert (question.gold, question.group) == (2, "g")

    def test_a_counter_other_score_keys_and_own_values_are_used(self, tmp_path: Path) -> None:
        """Where the snippets have no cost, and no `scores`."""
        snippets = [
            {"id": 7, "text": "one two", "cosine": 0.4, "value": 3},
            {"id": 8, "tokens": 5, "value": 1},
        ]
        path = lines(tmp_path / "own.jsonl", {"gold": [7], "snippets": snippets})

        (question,) = read(path, scores=["cosine"], counter=lambda text: len(text.split()))

        assert question.costs == [2, 5]
        assert question.scores == {"cosine": [0.4, None]}
        assert question.values == [3, 1]
        assert question.needed == [True, False]

    def test_both_forms_of_the_same_questions_give_the_same_figures(self, tmp_path: Path) -> None:
        """And so do keys in another order, in some of them."""
        made = synthetic.questions(6)
        plain = lines(tmp_path / "plain.jsonl", *map(synthetic.record, made))
        snippets = [
            {"id": f"{k}-{i}", "tokens": cost}
            for k, question in enumerate(made)
            for i, cost in enumerate(question.costs)
        ]
        lines(tmp_path / "two.snippets.jsonl", *snippets)
        names = [("dense", "bm25"), ("bm25", "dense")]
        two = lines(tmp_path / "two.jsonl", *(_two(k, one, names[k % 2]) for k, one in enumerate(made)))

        figures = [evaluate(read(path), [300])["methods"] for path in (plain, two)]

        assert figures[0] == figures[1]

    def test_the_order_of_keys_does_not_matter_to_fitting(self, tmp_path: Path) -> None:
        """The lists are named."""
        pytest.importorskip("sklearn")
        lines(tmp_path / "set.snippets.jsonl", *SHARED)
        one = {"id": 1, "gold": ["a"], "snippets": ["a", "b"], "dense": [1, 2], "bm25": [1, 2]}
        other = {"id": 2, "gold": ["a"], "snippets": ["a", "b"], "bm25": [1, 2], "dense": [1, 2]}

        fitted = Calibrator.fit(read(lines(tmp_path / "set.jsonl", one, other)), budgets=(), report=None)

        assert fitted.names == ("bm25", "dense")

    def test_the_set_has_the_name_of_the_file_or_another(self, tmp_path: Path) -> None:
        """`set` in a question comes before both."""
        path = lines(
            tmp_path / "q.jsonl",
            {"gold": ["a"], "snippets": [A]},
            {"gold": ["a"], "snippets": [A], "set": "s"},
        )

        assert [question.dataset for question in read(path)] == ["q", "s"]
        assert [question.dataset for question in read(path, dataset="x/q")] == ["x/q", "s"]

    def test_an_open_file_is_as_good_as_its_path(self, tmp_path: Path) -> None:
        """In bytes or text; standard input is one."""
        path = lines(tmp_path / "q.jsonl", {"id": 1, "gold": ["a"], "snippets": [A, B]})
        named = io.BytesIO(path.read_bytes())
        named.name = "<stdin>"

        with path.open("rb") as in_bytes, path.open(encoding="utf-8") as in_text:
            read_back = [question for file in (in_bytes, in_text, named) for question in read(file)]

        assert [question.scores for question in read_back] == [{"score": [2, 1]}] * 3
        assert [question.dataset for question in read_back] == ["q", "q", "<stdin>"]

    def test_a_byte_order_mark_and_blank_lines_are_no_part_of_it(self, tmp_path: Path) -> None:
        """Editors leave both."""
        line = json.dumps({"id": 1, "gold": ["a"], "snippets": [A]})
        path = tmp_path / "bom.jsonl"
        path.write_bytes(b"\xef\xbb\xbf\n" + line.encode() + b"\r\n\n")

        assert len(list(read(path))) == 1


class TestMissing:
    """What a retriever did not return."""

    def test_gold_that_nobody_returned_is_missed(self, tmp_path: Path) -> None:
        """Also where there is no candidate at all."""
        path = lines(
            tmp_path / "q.jsonl", {"gold": ["a"], "snippets": [A, B]}, {"gold": ["x"], "snippets": []}
        )

        result = evaluate(read(path), [1])

        assert result["methods"]["ours"]["recall"][0]["mean"] == 0.5
        assert result["questions"] == 2

    def test_a_question_may_lack_a_list(self, tmp_path: Path) -> None:
        """Missing there, as a list of nulls would be; also where it lacks all."""
        lines(tmp_path / "set.snippets.jsonl", *SHARED)
        both = {**TWO, "bm25": [3, 1]}
        without = {key: value for key, value in TWO.items() if key != "dense"}
        for some, nulls in (
            (TWO, {**TWO, "bm25": [None, None]}),
            (without, {**without, "dense": [None, None]}),
        ):
            path = lines(tmp_path / "set.jsonl", both, some)
            same = lines(tmp_path / "nulls.jsonl", both, nulls)
            (tmp_path / "nulls.snippets.jsonl").write_bytes((tmp_path / "set.snippets.jsonl").read_bytes())

            assert evaluate(read(path), [5])["methods"] == evaluate(read(same), [5])["methods"]

    def test_a_snippet_without_an_id_is_called_by_its_place(self, tmp_path: Path) -> None:
        """A null id is none."""
        snippets = [{"cost": 1, "score": 1}, {"id": None, "cost": 1, "score": 2}]

        (question,) = read(lines(tmp_path / "q.jsonl", {"gold": [1], "snippets": snippets}))

        assert question.needed == [False, True]

    def test_lists_that_hold_no_numbers_are_no_scores(self, tmp_path: Path) -> None:
        """Titles, answers, tags."""
        lines(tmp_path / "set.snippets.jsonl", *SHARED)
        path = lines(tmp_path / "set.jsonl", {**TWO, "titles": ["x", "y"], "answers": ["x"], "tags": []})

        (question,) = read(path)

        assert list(question.scores) == ["dense"]

    def test_named_scores_are_the_only_ones_taken(self, tmp_path: Path) -> None:
        """So another list of numbers is in nobody's way."""
        lines(tmp_path / "set.snippets.jsonl", *SHARED)
        path = lines(tmp_path / "set.jsonl", {**TWO, "hops": [2, 3, 4]})

        (question,) = read(path, scores=["dense"])

        assert list(question.scores) == ["dense"]


WRONG: list[tuple[Any, str]] = [
    ({"gold": []}, 'expected "snippets" and "gold"'),
    ([1], "expected a JSON object, found list"),
    ('{"id": broken', "not JSON"),
    (DEEP, "nested too deeply"),
    ('{"gold": [], "gold": ["a"], "snippets": []}', "the key 'gold' is given twice"),
    ('{"gold": [], "snippets": [{"id": "a", "cost": 1, "cost": 2}]}', "the key 'cost' is given twice"),
    ('{"gold": [], "snippets": [], "n": ' + "9" * 5000 + "}", "more digits"),
    ({"gold": ["a"], "snippets": [{"id": "a", "score": 1}]}, '"cost" or "tokens"'),
    ({"gold": ["a"], "snippets": [{"id": "a", "cost": -1, "score": 1}]}, "costs[0]"),
    ({"gold": ["a"], "snippets": [{"cost": 1, "value": 1}, {"cost": 1}]}, "some candidates have a value"),
    ({"gold": ["a"], "snippets": [A, B, A]}, "snippets[2]: has the id 'a', which snippets[0] has, too"),
    ({"gold": [1], "snippets": [{**A, "id": 1}, {**B, "id": "1"}]}, "has the id '1', which snippets[0]"),
    ({"gold": ["a"], "snippets": [A, "b"]}, "snippets[1]: expected a JSON object like the first"),
    ({"gold": ["a"], "snippets": ["a", B]}, "snippets[1]: expected an id like the first"),
    ({"gold": ["a"], "snippets": [{**A, "id": 1.5}]}, "snippets[0].id: expected text or a whole number"),
    ({"gold": [None], "snippets": [A]}, "gold[0]: expected text or a whole number"),
    ({"gold": [True], "snippets": [A]}, "gold[0]: expected text or a whole number"),
    ({"gold": ["a"], "snippets": [{**A, "scores": 5}]}, "snippets[0]: score and scores are one thing"),
    ({"gold": ["a"], "snippets": [{**A, "score": "high"}]}, "expected a number"),
    ({"gold": ["a"], "snippets": [{**A, "score": [1]}]}, "expected a number"),
    ({"gold": ["a"], "snippets": [{**A, "cost": 2, "tokens": 3}]}, "cost and tokens are one thing"),
]  # fmt: skip


class TestWrong:
    """File and line are named as they were given."""

    @pytest.mark.parametrize(("record", "message"), WRONG, ids=[message for _, message in WRONG])
    def test_a_wrong_line_is_named(self, tmp_path: Path, record: Any, message: str) -> None:
        """The second one here."""
        path = lines(tmp_path / "q.jsonl", synthetic.record(synthetic.questions(1)[0]), record)

        told = refused(path)

        assert told.startswith(f"{path}:2: ")
        assert message in told

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"bm25": [1]}, "'bm25': found 1 number for 2 candidates"),
            ({"bm25": [1, 2, 3]}, "'bm25': found 3 numbers for 2 candidates"),
            ({"bm25": [1, "2"]}, "'bm25': entry 1 is no number"),
            ({"snippets": ["a", "a"]}, "snippets[1]: has the id 'a', which snippets[0] has, too"),
            ({"snippets": ["a", "zz"]}, "'zz' is not in"),
            ({"snippets": ["a", None]}, "snippets[1]: expected text or a whole number"),
        ],
    )
    def test_a_wrong_line_of_ids_is_named(self, tmp_path: Path, change: Any, message: str) -> None:
        """Lists of scores are never dropped in silence."""
        lines(tmp_path / "set.snippets.jsonl", *SHARED)
        path = lines(tmp_path / "set.jsonl", TWO, {**TWO, **change})

        told = refused(path)

        assert told.startswith(f"{path}:2: ")
        assert message in told

    @pytest.mark.parametrize(
        ("record", "message"),
        [
            ({"tokens": 5}, 'expected an "id"'),
            ({"id": "a", "tokens": 50}, "the id 'a' is given twice, first on line 1"),
            ("{", "not JSON"),
            (DEEP, "nested too deeply"),
        ],
    )
    def test_a_wrong_line_of_the_file_of_snippets_is_named(
        self, tmp_path: Path, record: Any, message: str
    ) -> None:
        """It is another file."""
        companion = lines(tmp_path / "set.snippets.jsonl", *SHARED, record)

        told = refused(lines(tmp_path / "set.jsonl", TWO))

        assert told.startswith(f"{companion}:3: ")
        assert message in told

    def test_the_file_of_snippets_is_the_one_that_is_missing(self, tmp_path: Path) -> None:
        """The questions are there."""
        path = lines(tmp_path / "set.jsonl", TWO)

        with pytest.raises(FileNotFoundError) as caught:
            list(read(path))

        assert caught.value.filename == str(tmp_path / "set.snippets.jsonl")

    def test_an_open_file_has_no_second_one_beside_it(self) -> None:
        """So its questions hold their snippets."""
        with pytest.raises(InputError, match="has no file of snippets beside it"):
            list(read(io.BytesIO(json.dumps(TWO).encode())))

    @pytest.mark.parametrize(
        ("data", "line", "message"),
        [(b"\xff\xfe\x00", 1, "UTF-16"), (b'\n{"id": "caf\xe9"}', 2, "byte 0xe9")],
    )
    def test_another_encoding_is_named(self, tmp_path: Path, data: bytes, line: int, message: str) -> None:
        """With file and line."""
        path = tmp_path / "q.jsonl"
        path.write_bytes(data)

        told = refused(path)

        assert told.startswith(f"{path}:{line}: ")
        assert message in told

    @pytest.mark.parametrize(
        "call",
        [
            lambda path: read(path, scores="dense"),
            lambda path: read(path, scores=[5]),
            lambda path: read(path, counter=5),
            lambda path: read(5),
        ],
    )
    def test_settings_of_the_wrong_kind_are_refused(self, tmp_path: Path, call: Any) -> None:
        """Before a line is read."""
        refused(lines(tmp_path / "q.jsonl", {"gold": ["a"], "snippets": [A]}), call)


def _two(k: int, question: Question, names: tuple[str, str]) -> dict[str, Any]:
    """A question in the form of two files, its lists in the order of *names*."""
    ids = [f"{k}-{i}" for i in range(len(question.costs))]
    gold = [id for id, need in zip(ids, question.needed, strict=True) if need]
    return {"id": k, "gold": gold, "snippets": ids, **{name: question.scores[name] for name in names}}
