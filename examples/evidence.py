"""Measure on labelled questions what a snippet is worth: the figures of docs/what-is-a-snippet-worth.md.

    python examples/evidence.py FOLDER
    python examples/evidence.py FOLDER --sets musique hotpotqa --output figures

FOLDER holds NAME.jsonl (questions, with the needed snippets and the retrieval scores of their candidates) and
NAME.snippets.jsonl (the snippets) for each set; `haversack.evaluation.read` says what is in them. Calibration
needs scikit-learn, and --output, a folder for the figures as JSON and as plots, matplotlib.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from haversack import evaluation
from haversack.evaluation import Question
from haversack.values import Calibrator

Sets = dict[str, list[Question]]
Results = dict[str, dict[str, Any]]


def load(folder: Path, names: list[str]) -> Sets:
    """Read the sets named, all of the folder if none is."""
    found = sorted(path.name.removesuffix(".snippets.jsonl") for path in folder.glob("*.snippets.jsonl"))
    return {name: list(evaluation.read(folder / f"{name}.jsonl")) for name in names or found}


def label_free(sets: Sets) -> Results:
    """Compare without labels: each score alone, then all of them."""
    questions = [question for each in sets.values() for question in each]
    scores = list(questions[0].scores)
    results = {f"one score, {name}": evaluation.evaluate(questions, scores=[name]) for name in scores}
    if len(scores) > 1:
        results["all scores"] = evaluation.evaluate(questions)
    return results


def calibrated(sets: Sets) -> Results:
    """Fit on each set; return recall on its own questions (cross-validated), and on the others."""
    means: Results = {}
    for name, questions in sets.items():
        calibrator = Calibrator.fit(questions, report=None)
        quality = calibrator.quality
        if quality is None or quality.recall is None:
            raise SystemExit(f"{name}: too few groups of questions to cross-validate")
        means[name] = {
            "log_loss": [quality.log_loss, quality.base_log_loss],
            "expected_and_found": [quality.expected, quality.found],
            name: mean_recall(quality.recall["by_set"][name]),
        }
        others = [question for other, each in sets.items() if other != name for question in each]
        if others:
            by_set = evaluation.evaluate(others, calibrator=calibrator)["by_set"]
            means[name] |= {other: mean_recall(figures) for other, figures in by_set.items()}
    return means


def mean_recall(figures: dict[str, Any]) -> dict[str, float]:
    """Return each method's recall, averaged over budgets."""
    return {method: sum(each["recall"]) / len(each["recall"]) for method, each in figures.items()}


def show_calibrated(means: Results) -> None:
    """Print a row for each pair of set fitted on and set used on."""
    print("Calibrated: mean recall over budgets (%); on its own set cross-validated\n")
    methods = ["greedy:dense", "greedy:calibrated p", "ours", "calibrated"]
    print("fitted on   used on     " + "".join(method.rjust(21) for method in methods))
    for fitted_on in means:
        for used_on in means:
            cells = [means[fitted_on][used_on].get(method) for method in methods]
            shown = "".join("-".rjust(21) if cell is None else f"{100 * cell:21.1f}" for cell in cells)
            print(f"{fitted_on:12}{used_on:12}{shown}")
    print("\nneeded snippets among the candidates of a question: expected, found")
    for name, each in means.items():
        print(f"{name:12}{each['expected_and_found'][0]:8.2f}{each['expected_and_found'][1]:8.2f}")


def write(folder: Path, results: Results, means: Results) -> None:
    """Write all figures as JSON, and a plot of each comparison."""
    folder.mkdir(parents=True, exist_ok=True)
    everything = json.dumps({"label_free": results, "calibrated": means}, indent=1)
    (folder / "evidence.json").write_text(everything + "\n", "utf-8")
    for title, result in results.items():
        evaluation.plot_recall(result, folder / f"{title.replace(', ', '-').replace(' ', '-')}.svg")


def main() -> None:
    """Print the tables, and write them if asked to."""
    parser = argparse.ArgumentParser(description="Measure on labelled questions what a snippet is worth.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--output", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    sets = load(arguments.folder, arguments.sets)
    if not sets:
        parser.error(f"no sets in {arguments.folder}")
    results = label_free(sets)
    for title, result in results.items():
        print(f"== {title}\n\n{evaluation.table(result)}\n\n{evaluation.table(result, 'all')}\n")
    means = calibrated(sets)
    show_calibrated(means)
    if arguments.output is not None:
        write(arguments.output, results, means)


if __name__ == "__main__":
    main()
