"""Each integration's example runs, without network, and prints what it is about."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def output(name: str) -> str:
    return subprocess.check_output([sys.executable, EXAMPLES / f"{name}.py"], text=True, encoding="utf-8")


def test_the_chat_window_is_cut_now_and_then_and_kept_in_between() -> None:
    """No framework needed."""
    lines = output("chat_window").splitlines()

    assert 2 <= sum(line.endswith("cut") for line in lines) <= 6
    assert "2 is out: outvalued" in lines[-2]
    assert "61 is in: pinned" in lines[-1]


@pytest.mark.parametrize(
    ("name", "package", "said"),
    [
        ("langchain_trim", "langchain_core", "haversack      ['system', 'ai', 'human']"),
        ("langchain_agent", "langchain", "Twenty pages of lines."),
        ("pydantic_ai_history", "pydantic_ai", "Ten pages of lines."),
        ("openai_agents_input", "agents", "Ten pages of lines."),
    ],
)
def test_the_example_runs(name: str, package: str, said: str) -> None:
    """Where the framework is installed."""
    pytest.importorskip(package, reason=f"{package} is not installed")

    assert said in output(name)
