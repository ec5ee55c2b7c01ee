"""LangChain: the same keywords, always valid, and the packing at hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="the extra 'langchain' is not installed")

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages import trim_messages as theirs
from langchain_core.messages.utils import count_tokens_approximately

from haversack import InputError
from haversack.chat import validate
from haversack.integrations.langchain import PackingCompressor, read_message, trim_messages

SETTINGS = [
    {},
    {"start_on": "human"},
    {"include_system": True},
    {"include_system": True, "start_on": HumanMessage},
    {"strategy": "first"},
    {"strategy": "first", "end_on": ("human", "tool")},
    {"end_on": ("human", "tool"), "start_on": "human", "include_system": True},
]


def conversation(seed: int, turns: int = 4) -> list[BaseMessage]:
    random.seed(seed)
    history: list[BaseMessage] = [SystemMessage("Be brief. " * 3)]
    for turn in range(turns):
        history.append(HumanMessage("question " * random.randint(1, 20)))
        for step in range(random.randint(0, 3)):
            ids = [f"c{turn}_{step}_{number}" for number in range(random.randint(1, 3))]
            calls = [
                {"id": id, "name": "look", "args": {"at": "there " * random.randint(1, 9)}} for id in ids
            ]
            history.append(AIMessage("", tool_calls=calls))
            history += [ToolMessage("seen " * random.randint(1, 50), tool_call_id=id) for id in ids]
        history.append(AIMessage("answer " * random.randint(1, 30)))
    return [*history, HumanMessage("And now?")]


def problems(messages: list[BaseMessage]) -> list[str]:
    read = [{key: value for key, value in read_message(m).items() if key != "id"} for m in messages]
    return [str(violation) for violation in validate(read, "openai")]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", range(8))
def test_trimmed_messages_are_valid_and_fit(settings: dict[str, Any], seed: int) -> None:
    """For every combination of keywords: whole calls, within the tokens, the caller's own messages."""
    history = conversation(seed)
    budget = 40 + 60 * seed

    trimmed = trim_messages(history, max_tokens=budget, token_counter=count_tokens_approximately, **settings)

    assert problems(trimmed) == []
    assert count_tokens_approximately(trimmed) <= budget
    assert all(any(one is other for other in history) for one in trimmed)
    assert trimmed.packing.messages == trimmed


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", range(8))
def test_where_langchains_own_result_is_valid_ours_is_the_same(settings: dict[str, Any], seed: int) -> None:
    """Nobody loses messages by switching: only broken calls make a difference."""
    history = conversation(seed)
    given: dict[str, Any] = {
        "max_tokens": 40 + 60 * seed,
        "token_counter": count_tokens_approximately,
        **settings,
    }

    other = theirs(history, **given)

    read = [{key: value for key, value in read_message(m).items() if key != "id"} for m in other]
    if not validate(read, "openai", open_call="refused"):
        assert list(trim_messages(history, **given)) == other


def test_a_counter_may_count_messages_or_one_message() -> None:
    """`len`, a function of a list, a function of one message, "approximate", a model."""
    history = conversation(1)

    def one(message: BaseMessage) -> int:
        return len(str(message.content)) // 4 + 3

    class Model:
        def get_num_tokens_from_messages(self, messages: list[BaseMessage]) -> int:
            return 3 + sum(map(one, messages))

    assert len(trim_messages(history, max_tokens=3, token_counter=len)) <= 3
    assert trim_messages(history, max_tokens=60, token_counter="approximate")[-1] is history[-1]
    assert sum(map(one, trim_messages(history, max_tokens=60, token_counter=one))) <= 60
    model = Model()
    assert (
        model.get_num_tokens_from_messages(trim_messages(history, max_tokens=60, token_counter=model)) <= 60
    )


def test_a_counter_that_does_not_add_up_is_still_kept_to() -> None:
    """The list is counted as a whole at the end; over means: once more with less room."""
    history: list[BaseMessage] = [HumanMessage(f"question {number}") for number in range(20)]

    def quadratic(messages: list[BaseMessage]) -> int:
        return len(messages) ** 2

    trimmed = trim_messages(history, max_tokens=17, token_counter=quadratic)

    assert 0 < len(trimmed) <= 4


@pytest.mark.parametrize("setting", [{"allow_partial": True}, {"text_splitter": str.split}])
def test_what_cannot_be_honoured_raises(setting: dict[str, Any]) -> None:
    """Half a message is never sent, and never silently kept whole."""
    with pytest.raises(InputError, match="allow_partial"):
        trim_messages(conversation(1), max_tokens=50, token_counter=len, **setting)


@pytest.mark.parametrize("setting", [{"start_on": "human"}, {"include_system": True}])
def test_keywords_that_exclude_each_other_raise_as_in_langchain(setting: dict[str, Any]) -> None:
    """`start_on` and `include_system` go with the strategy "last"."""
    for function in (trim_messages, theirs):
        with pytest.raises(ValueError, match="strategy"):
            function(conversation(1), max_tokens=50, token_counter=len, strategy="first", **setting)


def test_every_dropped_message_has_a_reason() -> None:
    """`.packing` is a packing of the input."""
    history = conversation(3)

    packing = trim_messages(history, max_tokens=100, token_counter="approximate").packing

    assert len(packing.decisions) == len(history)
    assert {decision.reason for decision in packing.decisions if not decision.chosen} <= {
        "outvalued",
        "too_long",
    }


def test_the_compressor_keeps_the_best_set_within_the_budget() -> None:
    """Documents come back in the retriever's order, the caller's own objects."""
    documents = [
        Document(page_content="word " * size, metadata={"need": need})
        for size, need in ((9, 5), (4, 4), (3, 4))
    ]
    compressor = PackingCompressor(
        budget=9, counter=lambda text: len(text.split()), value=lambda document: document.metadata["need"]
    )

    kept = compressor.compress_documents(documents, "query")

    assert kept == documents[1:]
    assert kept[0] is documents[1]
    assert compressor.packing.value == 8
