"""A query's worth of values: BM25 over words and parts of identifiers, sharpened, never used raw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.cli.search import bm25, values, words
from haversack.values import from_scores
from tests.texts import texts

scored = st.lists(st.tuples(st.floats(0, 50), st.integers(0, 10**6)), min_size=1, max_size=30)


class TestWords:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("max_size", ["max_size", "max", "size"]),
            ("camelCase", ["camelcase", "camel", "case"]),
            ("HTTPServer2", ["httpserver2", "http", "server", "2"]),
            ("__init__", ["__init__", "init"]),
            ("Straße, naïve", ["straße", "naïve"]),
            ("plain words", ["plain", "words"]),
            ("中文 текст", ["中文", "текст"]),
            ("今天天气", ["今天天气", "今天", "天天", "天气"]),
            ("имя_файла", ["имя_файла", "имя", "файла"]),
            ("", []),
        ],
    )
    def test_identifiers_give_themselves_and_their_parts(self, text, found):
        assert found == words(text)

    @given(texts)
    def test_any_text_gives_words_in_lower_case(self, text):
        assert all(word == word.lower() and word for word in words(text))


class TestBm25:
    pytest.importorskip("bm25s", reason="needs bm25s: pip install 'haversack[search]'")

    def test_the_text_that_answers_scores_highest(self):
        some = ["def pack(): pass", "class RecountLoop:\n    rounds = 8", "nothing here"]
        scores = bm25("how many rounds does the recount take", some)

        assert [scores[0], scores[2]] == [0.0, 0.0]
        assert scores[1] > 0

    @pytest.mark.parametrize(
        ("query", "some"), [("", ["a"]), ("x", ["a"]), ("a", []), ("a", ["", "..."]), ("?", ["?"])]
    )
    def test_a_query_that_meets_nothing_scores_nothing(self, query, some):
        assert [0.0] * len(some) == bm25(query, some)


class TestValues:
    @given(scored)
    def test_they_are_those_of_the_scores_where_there_is_text(self, rows):
        some = [row for row in rows if row[1]]
        found = iter(values([row[0] for row in rows], [row[1] for row in rows]))
        expected = iter(from_scores([row[0] for row in some], [row[1] for row in some]))

        assert all(next(found) == (next(expected) if row[1] else 0.0) for row in rows)

    @given(scored)
    def test_a_higher_score_is_never_worth_less_at_the_same_length(self, rows):
        scores = [row[0] for row in rows]
        found = values(scores, [100] * len(rows))

        assert sorted(range(len(rows)), key=lambda i: (scores[i], i)) == sorted(
            range(len(rows)), key=lambda i: (found[i], scores[i], i)
        )

    def test_one_hit_among_a_million_does_not_overflow(self):
        found = values([0.0] * 999_999 + [9.0], [100] * 1_000_000)

        assert pytest.approx(1.0) == found[-1]

    def test_nothing_is_worth_nothing(self):
        assert values([], []) == []
        assert values([3.0], [0]) == [0.0]
