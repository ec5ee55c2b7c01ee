"""`haversack eval`: what packing would do on labelled questions of one's own, before adopting it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from haversack import InputError
from haversack.cli.failures import BAD_USAGE, CommandError, bad_line
from haversack.cli.outputs import write_lines
from haversack.cli.progress import Steps
from haversack.cli.questions import read_questions
from haversack.cli.reporting import tell
from haversack.cli.settings import plain_number
from haversack.counters import Counter, CountingError, resolve
from haversack.evaluation import (
    BUDGETS,
    Question,
    evaluate,
    evaluate_calibrated,
    plot_calibration,
    plot_recall,
    table,
)
from haversack.values import Calibrator
from haversack.values._names import names_of

HELP = """\
Measure on labelled questions what packing would find: top-k, greedy, your values and ours.

A line of a file is one question with its candidates and which of them are needed: \
{"query": "...", "gold": ["a"], "snippets": [{"id": "a", "cost": 120, "scores": {"dense": 0.61, "bm25": 4}}, \
...]}. "value" beside the scores is your own. Each file is one set: they count alike, and each has its own \
calibrator.

Printed are the share of the needed snippets that gets into each budget, how often all of them do, and the \
differences with 95 % intervals.
"""

EXAMPLES = """\
[bold]Examples[/bold]

haversack eval questions.jsonl --budgets 512,1024,2048

haversack eval questions.jsonl --calibrate --save calibrator.json --calibration-plot calibration.png

haversack pack hits.jsonl -b 4000 --values calibrator.json
"""


def run(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="JSON lines, a question a line; - is standard input.")
    ],
    budgets: Annotated[
        str, typer.Option("--budgets", "-b", metavar="N,N,...", help="Budgets to compare at, in tokens.")
    ] = ",".join(map(str, BUDGETS)),
    scores: Annotated[
        str | None,
        typer.Option("--scores", metavar="NAME,...", help="Which scores to use; all if not named."),
    ] = None,
    counter: Annotated[
        str | None,
        typer.Option("--counter", metavar="NAME", help="Counts the texts of snippets without a cost."),
    ] = None,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            metavar="",
            help="Fit probabilities on each file, cross-validated. Needs scikit-learn.",
        ),
    ] = False,
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Keep a calibrator, fitted on all files, for pack --values.",
        ),
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Plot the recall: .png, .svg or .pdf.")
    ] = None,
    calibration_plot: Annotated[
        str | None,
        typer.Option(
            "--calibration-plot", metavar="FILE", help="Plot the share needed over its probability."
        ),
    ] = None,
    as_json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write all figures; - instead of the tables.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", metavar="", help="No progress bar.")] = False,
) -> None:
    """Read, compare, print. What the command promises its users is in `HELP`."""
    at = parse_budgets(budgets)
    names = None if scores is None else _names(scores)
    questions = read_questions(files, names, counter_named(counter))
    calibrators: dict[str, Calibrator] = {}
    with Steps("comparing", len(questions), quiet) as steps:
        if calibrate or save is not None or calibration_plot is not None:
            result, calibrators = _calibrated(questions, at, steps.step)
        else:
            result = _compared(files, questions, at, steps.step)
    if as_json == "-":
        write_lines([json.dumps(result)])
    else:
        write_lines([*_qualities(calibrators), table(result), "", table(result, "all")])
    if as_json is not None and as_json != "-":
        _written(as_json, lambda: Path(as_json).write_text(json.dumps(result, indent=1) + "\n", "utf-8"))
    if plot is not None:
        _written(plot, lambda: plot_recall(result, plot), "--plot")
    if calibration_plot is not None:
        bins = {
            name if len(calibrators) > 1 else "": each["bins"] for name, each in result["calibration"].items()
        }
        _written(calibration_plot, lambda: plot_calibration(bins, calibration_plot), "--calibration-plot")
    if save is not None:
        _save(save, questions, calibrators)


def parse_budgets(words: str) -> list[int]:
    """Read "256,512" into numbers of tokens, in rising order."""
    budgets = set()
    for word in words.split(","):
        number = plain_number(word.strip())
        if not isinstance(number, int) or number < 0:
            raise CommandError(
                f"--budgets takes numbers of tokens, as in 256,512; found {words!r}", BAD_USAGE
            )
        budgets.add(number)
    return sorted(budgets)


def _names(words: str) -> list[str]:
    try:
        return names_of([word.strip() for word in words.split(",")], "--scores")
    except InputError as error:
        raise CommandError(str(error), BAD_USAGE) from None


def counter_named(name: str | None) -> Counter | None:
    """Return the counter of a name, as in pack."""
    try:
        return None if name is None else resolve(name)
    except (CountingError, InputError) as error:
        raise CommandError(f"--counter: {error}", BAD_USAGE) from None


def _compared(
    files: Sequence[str],
    questions: Sequence[Question],
    budgets: Sequence[int],
    progress: Callable[[object], object],
) -> dict[str, Any]:
    try:
        return evaluate(questions, budgets, progress=progress)
    except InputError as error:
        hint = "; --scores names the keys that hold them" if "neither scores" in str(error) else ""
        raise CommandError(f"{', '.join(files)}: {error}{hint}") from None


def _calibrated(
    questions: Sequence[Question], budgets: Sequence[int], progress: Callable[[object], object]
) -> tuple[dict[str, Any], dict[str, Calibrator]]:
    """Fit on each set; return the cross-validated comparison, and the calibrators."""
    try:
        return evaluate_calibrated(questions, budgets, progress=progress)
    except ImportError as error:
        raise CommandError(f"--calibrate: {error}", BAD_USAGE) from None
    except InputError as error:
        raise CommandError(f"--calibrate: {error}") from None


def _qualities(calibrators: dict[str, Calibrator]) -> list[str]:
    """Return the lines on each set's calibrator, which the tables follow."""
    lines = []
    for name, calibrator in calibrators.items():
        lines += [f"{name}:"] if len(calibrators) > 1 else []
        lines += [str(calibrator.quality), ""]
    return lines


def _save(path: str, questions: Sequence[Question], calibrators: dict[str, Calibrator]) -> None:
    """Keep the calibrator of the one set; of several one more, fitted on all of them."""
    if len(calibrators) == 1:
        (calibrator,) = calibrators.values()
    else:
        calibrator = Calibrator.fit(questions, budgets=(), report=None)
        tell(
            f"{path}: fitted on all {len(questions):,} questions of {', '.join(calibrators)} together; "
            "the table has a calibrator for each"
        )
    _written(path, lambda: calibrator.save(path))


def _written(name: str, write: Callable[[], object], option: str = "") -> None:
    """Write a file, and say which one could not be."""
    try:
        write()
    except ImportError:
        raise CommandError(f"{option} needs matplotlib: pip install 'haversack[plot]'", BAD_USAGE) from None
    except OSError as error:
        raise bad_line(name, None, f"cannot be written: {error.strerror or error}") from None
    except ValueError as error:
        raise bad_line(name, None, f"cannot be written: {error}") from None
