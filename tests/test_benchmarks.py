"""A smoke run of every benchmark: small instances, two rounds, all answers compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import haversack
from benchmarks import chat, checks, evidence, instances, rivals, timing
from benchmarks.__main__ import DETAILS, ROWS, main
from benchmarks.report import Line, table


@pytest.mark.parametrize("row", [row for row in ROWS if row != "evidence"])
def test_every_row_runs(row: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for it is printed, and the answers were found to agree."""
    assert main(["--quick", "--only", row]) == 0

    printed = capsys.readouterr().out
    assert f"| {row}" in printed
    assert "All answers agree." in printed


@pytest.mark.parametrize("family", DETAILS)
def test_every_table_of_instances_runs(family: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A line an instance."""
    assert main([family, "--quick"]) == 0

    assert "| proven |" in capsys.readouterr().out


def test_an_agent_that_keeps_its_window_pays_a_fraction_of_one_that_slides_it() -> None:
    """The simulated agent of the benchmark of chats; every request of both is valid."""
    sliding, broken = chat.billed(chat.sliding)
    keeping, invalid = chat.billed(chat.packing())

    assert (broken, invalid) == (0, 0)
    assert keeping < sliding / 4


def test_trimming_a_long_transcript_is_valid_where_it_is_compared() -> None:
    """The rows of the benchmark of chats: all within the budget, ours without a violation."""
    pytest.importorskip("langchain_core", reason="needs langchain-core: pip install 'haversack[langchain]'")

    rows = chat.trim_times(chat.counting("characters"), rounds=1)

    assert all(used <= chat.TRIMMED_TO for _, _, _, used, _ in rows)
    assert {name: violations for name, _, _, _, violations in rows if violations}.keys() == {rows[0][0]}


def test_real_input_is_skipped_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """Never silently."""
    assert main(["--quick", "--only", "evidence"]) == 0

    assert "no folder given: --data FOLDER" in capsys.readouterr().out


def test_real_input_is_packed_and_judged(evidence_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every set of the folder has its lines."""
    assert main(["--quick", "--only", "evidence", "--data", str(evidence_folder)]) == 0

    printed = capsys.readouterr().out
    assert all(f"{name}: 5 questions" in printed for name in evidence.sets(evidence_folder))


def test_every_question_packs_to_its_proof(evidence_folder: Path) -> None:
    """All questions, three budgets: proven, within the budget, the number equal to that of `max_value`."""
    for name in evidence.sets(evidence_folder):
        for question in evidence.questions(evidence_folder, name):
            for budget in (500, 2000, 8000):
                packing = haversack.pack(question, budget)

                assert packing.optimal
                assert packing.cost <= budget
                assert packing.value == haversack.max_value(question, budget)


def test_a_disagreement_stops_the_run() -> None:
    """A figure is worth nothing if the answers differ."""
    with pytest.raises(checks.DisagreementError, match="HiGHS found 7"):
        checks.same_value("a job", {"haversack": 8, "HiGHS": 7}, exact=True)


def test_an_unsound_solution_stops_the_run() -> None:
    """The answer of one instance does not pass for that of another."""
    instance = instances.snippets(n=20, budget=0.5)
    solution = haversack.knapsack(instance.values, instance.costs, instance.budget)

    with pytest.raises(checks.DisagreementError, match="fits"):
        checks.sound(instance._replace(budget=instance.budget // 2), solution)


def test_ratios_are_taken_round_by_round() -> None:
    """A round in which the machine was twice as slow changes no ratio."""
    timings = timing.Timings({"ours": [1.0, 2.0, 1.0], "yardstick": [2.0, 4.0, 2.0]}, {})

    assert timings.ratio("ours", "yardstick") == 0.5
    assert timings.median("ours") == 1.0


def test_a_line_says_whether_its_limit_was_kept() -> None:
    """In words that can be searched for."""
    kept, missed = (Line("row", "job", "us", "1 ms", ratio, "x argsort", 1.0) for ratio in (0.9, 1.1))

    assert "reached" in table([kept])
    assert "MISSED" in table([missed])


def test_dantzig_s_bound_by_hand() -> None:
    """Costs 6, 5, 5, values 7, 5, 5, budget 10: the first and four fifths of the second."""
    instance = instances.Instance("by hand", np.array([6, 5, 5]), np.array([7, 5, 5]), 10)

    assert rivals.fractional_bound(instance) == 11.0
