"""Counters: exact where they say so, estimates only by name, and never a wrong number in silence."""

from __future__ import annotations

import pickle
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack import counters
from haversack._extras import MissingExtraError
from haversack.counters import _exact
from haversack.exceptions import InputError, InputTypeError, PackingError
from tests import ranks
from tests.texts import HOSTILE, texts, unhurried

ENCODINGS = ["o200k_base", "cl100k_base"]
ESTIMATES = ["regex", "bytes/3", "chars/4", "estimate:claude", "estimate:claude-4.6", "estimate:gemini"]
toktok = pytest.importorskip("toktok", reason="needs toktok-rs: pip install 'haversack[tokens]'")


def sources():
    """The package's own files, where they were installed."""
    files = [path.read_text("utf-8") for path in Path(counters.__file__).parents[1].rglob("*.py")]
    assert len(files) > 50
    return files


class Recorder:
    """A counter that remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def __call__(self, text: str) -> int:
        self.calls.append(text)
        return len(text)


@pytest.fixture
def rank_files(monkeypatch):
    folder = ranks.folder()
    if folder is None:
        pytest.skip(ranks.REASON)
    pytest.importorskip("tiktoken", reason="needs tiktoken as the judge")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))


@pytest.fixture
def no_toktok(monkeypatch):
    monkeypatch.setattr(_exact, "_has", lambda package: package != "toktok")


@pytest.fixture
def no_ranks(monkeypatch, tmp_path):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))


class TestExact:
    @pytest.mark.parametrize("encoding", ENCODINGS)
    def test_counts_are_those_of_tiktoken(self, encoding, rank_files):
        import tiktoken

        judge = tiktoken.get_encoding(encoding)
        counter = counters.resolve(encoding)

        @unhurried
        @given(texts)
        def agree(text):
            assert len(judge.encode_ordinary(text)) == counter(text)

        agree()

    @pytest.mark.parametrize("encoding", ENCODINGS)
    def test_counts_of_this_repository_are_those_of_tiktoken(self, encoding, rank_files):
        import tiktoken

        files = sources()
        judge = tiktoken.get_encoding(encoding)

        assert [len(judge.encode_ordinary(text)) for text in files] == counters.resolve(encoding).count_many(
            files
        )

    @pytest.mark.parametrize(
        ("text", "cl100k", "o200k"),
        [
            ("", 0, 0),
            ("The marker <|endoftext|> ends a document.", 12, 13),
            ("report \ud8aa page 3", 5, 5),
            ("\ud83d\ude00", 2, 1),
            ("Blue kettles on the north shelf need a recount before Friday noon", 14, 13),
            ("NullPointerException while reading getElementById('root')", 8, 12),
            ("q" * 120_000, 60_000, 60_000),
        ],
    )
    def test_known_counts(self, text, cl100k, o200k):
        assert (cl100k, o200k) == (
            counters.resolve("cl100k_base")(text),
            counters.resolve("o200k_base")(text),
        )

    @pytest.mark.parametrize("character", ["a", " ", "^", "\n", "1", "中", "🙂", "\u0301", "\ud800"])
    @pytest.mark.parametrize("name", ["o200k_base", "cl100k_base", "regex"])
    def test_a_million_repeated_characters_take_linear_time(self, name, character):
        counter = counters.resolve(name)
        counter("load")
        start = time.perf_counter()

        assert counter(character * 1_000_000) > 0
        assert time.perf_counter() - start < 8

    def test_the_vocabulary_is_loaded_by_the_first_count_and_once_for_all_threads(self, monkeypatch):
        loads = []

        def load(name):
            loads.append(name)
            time.sleep(0.02)
            return _exact.load_toktok(name)

        encoding = _exact.Encoding("o200k_base", "toktok", load)
        assert loads == []

        with ThreadPoolExecutor(8) as pool:
            found = set(pool.map(lambda _: encoding(["hello world"])[0], range(16)))

        assert (["o200k_base"], {2}) == (loads, found)

    def test_a_vocabulary_that_counts_wrongly_is_found_at_its_first_use(self):
        bytes_only = _exact.Encoding("o200k_base", "odd", lambda name: lambda texts: [len(t) for t in texts])

        with pytest.raises(counters.CountingError, match="odd counts o200k_base wrongly"):
            bytes_only(["x"])

    def test_names_share_one_counter(self):
        assert counters.resolve("gpt-4o") is counters.resolve("o200k_base")

    def test_a_counter_can_be_pickled(self):
        for name in ["o200k_base", *ESTIMATES]:
            copy = pickle.loads(pickle.dumps(counters.resolve(name)))
            assert counters.resolve(name)("def f(x): pass") == copy("def f(x): pass")


class TestFallback:
    @pytest.mark.parametrize("encoding", [*ENCODINGS, "o200k_harmony"])
    def test_tiktoken_counts_where_its_ranks_are_on_disk(self, encoding, no_toktok, rank_files):
        counter = _exact.exact(encoding)

        assert counter._count_many.backend == "tiktoken"
        assert counters.resolve(encoding).count_many(HOSTILE) == counter.count_many(HOSTILE)

    def test_without_ranks_the_error_names_the_extra_and_nothing_is_fetched(
        self, no_toktok, no_ranks, tmp_path
    ):
        with pytest.raises(MissingExtraError, match=r"pip install 'haversack\[tokens\]'"):
            _exact.exact("o200k_base")
        assert list(tmp_path.iterdir()) == []

    def test_a_damaged_rank_file_is_not_used_and_not_deleted(self, no_toktok, no_ranks, tmp_path):
        damaged = tmp_path / ranks.FILES[0]
        damaged.write_bytes(b"IQ== 0\n")

        with pytest.raises(MissingExtraError):
            _exact.exact("o200k_base")
        with pytest.raises(InputError, match="not on disk"):
            counters.tiktoken("o200k_base")
        assert damaged.read_bytes() == b"IQ== 0\n"

    def test_a_missing_extra_is_an_import_error_and_can_be_pickled(self):
        error = MissingExtraError("counting", "tokens", " (why)")

        assert isinstance(error, ImportError)
        assert isinstance(error, PackingError)
        assert str(error) == str(pickle.loads(pickle.dumps(error)))

    def test_tiktokens_panic_becomes_an_error(self, rank_files):
        import tiktoken

        counter = counters.tiktoken(tiktoken.get_encoding("o200k_base"))

        with pytest.raises(counters.CountingError, match="1,000,000 characters"):
            counter(" " * 1_000_000)

    def test_an_interrupt_is_not_taken_for_a_panic(self):
        def interrupted(texts):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            _exact.guarded(interrupted, ["x"], "o200k_base", "toktok")

    def test_an_encoding_of_the_callers_is_taken_as_it_is(self, rank_files):
        import tiktoken

        encoding = tiktoken.get_encoding("cl100k_base")

        assert (
            counters.resolve(encoding)("The marker <|endoftext|> ends a document."),
            counters.resolve(encoding).name,
            counters.resolve(encoding).exact,
        ) == (12, "cl100k_base", True)


class TestNames:
    @pytest.mark.parametrize(
        ("encoding", "models"),
        [
            (
                "o200k_base",
                "gpt-4o gpt-4o-2024-05-13 gpt-4.1-nano o1 o1-preview o3 o3-mini o4-mini gpt-5 gpt-5-mini",
            ),
            ("o200k_base", "gpt-5.1 GPT-4o openai/gpt-4o azure/gpt-4o ft:gpt-4o:acme::x chatgpt-4o-latest"),
            (
                "cl100k_base",
                "gpt-4 gpt-4-turbo gpt-4-0613 gpt-3.5-turbo-16k text-embedding-3-small gpt-35-turbo",
            ),
            ("o200k_harmony", "gpt-oss-120b openai/gpt-oss-20b"),
        ],
    )
    def test_models_have_the_encoding_that_openai_gave_them(self, encoding, models):
        assert {encoding} == {counters.encoding_of(model) for model in models.split()}

    @pytest.mark.parametrize(
        "model", ["gpt-6", "gpt-4.7", "gpt", "o2", "o30", "gpt-4ou", "", "text", "davinci"]
    )
    def test_an_unknown_name_is_an_error_that_lists_all_names(self, model):
        with pytest.raises(
            InputError, match=r"Exact: cl100k_base.*gpt-4o.*Estimates: regex, bytes/3"
        ) as caught:
            counters.resolve(model)
        assert ("counter", model) == (caught.value.field, caught.value.found)

    @pytest.mark.parametrize(
        ("model", "estimate"),
        [
            ("claude-3-5-sonnet-20241022", "estimate:claude-4.6"),
            ("anthropic/claude-opus-4-6", "estimate:claude-4.6"),
            ("claude-sonnet-4-20250514", "estimate:claude-4.6"),
            ("claude-opus-4-7", "estimate:claude"),
            ("claude-sonnet-5", "estimate:claude"),
            ("claude", "estimate:claude"),
            ("models/gemini-2.5-pro", "estimate:gemini"),
        ],
    )
    def test_a_model_without_a_public_tokenizer_names_the_estimate_but_does_not_use_it(self, model, estimate):
        with pytest.raises(InputError, match=f'counter="{estimate}"'):
            counters.resolve(model)
        assert counters.resolve(estimate).exact is False

    def test_other_vendors_models_are_pointed_to_their_own_file(self):
        with pytest.raises(InputError, match=r"hf:PATH/tokenizer\.json"):
            counters.resolve("meta-llama/Llama-3-8b")

    @pytest.mark.parametrize("spec", [None, 4, ["o200k_base"], b"o200k_base"])
    def test_what_is_neither_a_name_nor_a_function_is_refused(self, spec):
        with pytest.raises(InputTypeError, match="a counter is a name or a function"):
            counters.resolve(spec)


class TestCallables:
    def test_any_function_counts(self):
        counter = counters.wrap(lambda text: len(text.split()), name="words")

        assert (
            counter.name,
            counter.exact,
            counter("a b"),
            counter.count_many(["a", ""]),
        ) == ("words", True, 2, [1, 0])

    @pytest.mark.parametrize("count", [True, 1.0, "3", None, -1])
    def test_a_result_that_is_no_count_is_an_error_naming_the_counter(self, count):
        with pytest.raises(InputError, match=r"counter 'mine' gave .*; a count is an int >= 0"):
            counters.wrap(lambda text: count, name="mine")("x")

    def test_numpy_integers_are_counts(self):
        numpy = pytest.importorskip("numpy")

        assert type(counters.wrap(lambda text: numpy.int64(3))("x")) is int

    def test_bytes_are_not_text(self):
        with pytest.raises(InputTypeError, match="counts text"):
            counters.resolve("regex").count_many(["x", b"y"])

    def test_a_short_answer_of_count_many_is_an_error(self):
        recorder = Recorder()
        recorder.count_many = lambda texts: [1]

        with pytest.raises(InputError, match="1 counts for 2 texts"):
            counters.wrap(recorder).count_many(["a", "b"])

    def test_lone_surrogates_reach_the_function_replaced(self):
        recorder = Recorder()
        counters.wrap(recorder).count_many(["a\ud800", "\ud83d\ude00"])

        assert recorder.calls == ["a\ufffd", "😀"]


class TestEstimates:
    @pytest.mark.parametrize("name", ESTIMATES)
    @unhurried
    @given(text=texts)
    def test_an_estimate_is_a_count_and_says_that_it_is_no_more(self, name, text):
        counter = counters.resolve(name)

        assert counter.exact is False
        assert counter(text) >= (text != "")
        assert counter("") == 0

    @unhurried
    @given(texts)
    def test_the_margins_are_over_o200k(self, text):
        base = counters.resolve("o200k_base")(text)

        assert -(-base * 19 // 10) == counters.resolve("estimate:claude")(text)
        assert -(-base * 14 // 10) == counters.resolve("estimate:claude-4.6")(text)

    def test_the_regex_estimate_is_near_on_this_repository(self):
        files = sources()
        truth = sum(counters.resolve("o200k_base").count_many(files))

        assert 0.95 < sum(counters.resolve("regex").count_many(files)) / truth < 1.3


class TestCached:
    def test_each_text_is_counted_once_across_calls_and_within_one(self):
        recorder = Recorder()
        counter = counters.cached(recorder)

        assert counter.count_many(["one", "three", "one"]) == [3, 5, 3]
        assert counter.count_many(["three", "one", "four"]) == [5, 3, 4]
        assert recorder.calls == ["one", "three", "four"]

    @unhurried
    @given(st.lists(texts, max_size=8), st.integers(0, 2000))
    def test_a_cache_of_any_size_changes_no_count(self, some, max_bytes):
        counter = counters.cached("regex", max_bytes=max_bytes)

        for _ in range(2):
            assert counters.resolve("regex").count_many(some) == counter.count_many(some)
            assert counter.size <= max_bytes

    def test_memory_stays_within_the_bound(self):
        import tracemalloc

        counter = counters.cached(len, max_bytes=1_000_000)
        counter("warm up")
        tracemalloc.start()
        try:
            for start in range(0, 40_000, 1000):
                counter.count_many([f"text {number} " + "x" * 100 for number in range(start, start + 1000)])
            used, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

        assert used < 1_000_000

    def test_the_least_recently_used_is_forgotten_first(self):
        recorder = Recorder()
        counter = counters.cached(recorder, max_bytes=2 * 192)
        for text in ["a", "b", "a", "c", "a", "b"]:
            counter(text)

        assert recorder.calls == ["a", "b", "c", "b"]

    def test_threads_may_share_it(self):
        counter = counters.cached("regex", max_bytes=192 * 50)
        some = [f"text {number % 80}" for number in range(400)]

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: counter.count_many(some), range(16)))

        assert [counters.resolve("regex").count_many(some)] * 16 == found

    def test_pickling_keeps_the_settings_and_drops_the_memory(self):
        counter = counters.cached("o200k_base", max_bytes=4000)
        counter("hello world")
        copy = pickle.loads(pickle.dumps(counter))

        assert (copy.max_bytes, copy.size, copy.exact, copy("hello world")) == (4000, 0, True, 2)


class TestAnchored:
    def test_it_charges_as_its_base_until_it_has_seen_a_report(self):
        counter = counters.anchored(len)

        assert (counter("abcde"), counter.ratio, counter.spread, counter.exact) == (5, 1.0, 0.0, False)

    def test_it_learns_the_ratio_and_its_spread(self):
        counter = counters.anchored(len, margin=1.0)
        for reported in (110, 130, 120):
            counter.observe("x" * 100, reported)

        assert pytest.approx(1.2) == counter.ratio
        assert pytest.approx(0.1) == counter.spread  # of 1.1, 1.3, 1.2
        assert counter("x" * 100) == 130

    def test_one_report_leaves_a_tenth_for_what_is_not_known(self):
        counter = counters.anchored(len, margin=1.0)
        counter.observe(1000, 1000)

        assert counter("x" * 100) == 110

    @unhurried
    @given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)), min_size=1, max_size=6))
    def test_reports_never_make_it_charge_below_the_ratio_they_show(self, reports):
        counter = counters.anchored(len)
        for counted, reported in reports:
            counter.observe(counted, reported)

        assert counter("x" * 1000) >= 1000 * sum(r for _, r in reports) / sum(c for c, _ in reports) - 1e-6

    def test_a_packing_is_observed_by_its_text(self):
        class Packed:
            text = "abcd"

        counter = counters.anchored(len)
        counter.observe(Packed(), 8)

        assert (counter.counted, counter.ratio) == (4, 2.0)

    @pytest.mark.parametrize(
        ("what", "reported"), [("abc", 0), ("abc", -1), ("", 5), ("abc", True), ("abc", 1.5)]
    )
    def test_a_report_of_nothing_is_refused(self, what, reported):
        with pytest.raises(InputError, match=r"observe\(\) needs"):
            counters.anchored(len).observe(what, reported)

    def test_a_packing_without_text_is_refused(self):
        with pytest.raises(InputTypeError, match="takes a packing"):
            counters.anchored(len).observe(object(), 5)

    def test_what_is_frozen_no_longer_learns(self):
        counter = counters.anchored(len)
        counter.observe(100, 200)
        frozen = counter.freeze()
        before = frozen("x" * 100)
        counter.observe(100, 900)

        assert before == frozen("x" * 100) < counter("x" * 100)

    def test_what_was_learnt_is_pickled(self):
        counter = counters.anchored("regex")
        counter.observe(100, 200)

        assert counter.ratio == pickle.loads(pickle.dumps(counter)).ratio


class TestHuggingFace:
    @pytest.fixture
    def tokenizer(self):
        tokenizers = pytest.importorskip("tokenizers", reason="needs tokenizers: pip install 'haversack[hf]'")
        made = tokenizers.Tokenizer(tokenizers.models.BPE())
        made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=300,
            special_tokens=["<s>", "</s>"],
            initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        made.train_from_iterator(["the cat sat on the mat " * 5], trainer)
        made.post_processor = tokenizers.processors.TemplateProcessing(
            single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
        )
        return made

    def test_it_counts_the_text_and_nothing_else(self, tokenizer):
        plain = len(tokenizer.encode("the cat", add_special_tokens=False))

        assert plain == counters.huggingface(tokenizer)("the cat") == len(tokenizer.encode("the cat")) - 2

    def test_truncation_and_padding_of_the_file_do_not_hide_tokens(self, tokenizer, tmp_path):
        text = "the cat sat on the mat " * 50
        whole = counters.huggingface(tokenizer)(text)
        tokenizer.enable_truncation(8)
        tokenizer.enable_padding(length=64)
        tokenizer.save(str(tmp_path / "tokenizer.json"))
        counter = counters.resolve(f"hf:{tmp_path}")

        assert [whole, 0] == counter.count_many([text, ""])
        assert tokenizer.truncation is not None  # the caller's object is as it was

    def test_special_token_text_is_ordinary_text(self, tokenizer):
        assert counters.resolve(tokenizer)("</s>") > 1

    def test_it_can_be_pickled(self, tokenizer):
        counter = counters.huggingface(tokenizer)

        assert counter("the mat") == pickle.loads(pickle.dumps(counter))("the mat")

    def test_lone_surrogates_do_not_end_it(self, tokenizer):
        assert counters.huggingface(tokenizer)("a\ud800") == counters.huggingface(tokenizer)("a\ufffd")

    def test_a_hub_name_is_refused_without_asking_the_network(self):
        with pytest.raises(InputError, match="no tokenizer file at 'bert-base-uncased'"):
            counters.huggingface("bert-base-uncased")

    def test_a_file_that_is_no_tokenizer_is_named(self, tmp_path):
        pytest.importorskip("tokenizers", reason="needs tokenizers: pip install 'haversack[hf]'")
        (tmp_path / "tokenizer.json").write_text("{}")

        with pytest.raises(InputError, match="is no tokenizer"):
            counters.huggingface(tmp_path)("x")

    def test_an_object_that_is_no_tokenizer_is_refused(self):
        with pytest.raises(InputTypeError, match="takes a path or a tokenizers"):
            counters.huggingface(object())

    def test_without_the_extra_the_error_names_it(self, tmp_path, monkeypatch):
        (tmp_path / "tokenizer.json").write_text("{}")
        monkeypatch.setitem(sys.modules, "tokenizers", None)

        with pytest.raises(MissingExtraError, match=r"haversack\[hf\]"):
            counters.huggingface(tmp_path)("x")
