"""`haversack eval`: what packing would do on labelled questions of one's own, before adopting it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from haversack import InputError
from haversack.cli.failures import BAD_USAGE, CommandError, bad_line
from haversack.cli.outputs import write_lines
from haversack.cli.progress import Steps
from haversack.cli.settings import plain_number
from haversack.counters import Counter, CountingError, resolve
from haversack.evaluation import BUDGETS, Question, evaluate, plot_recall, read, table
from haversack.values import Calibrator

HELP = """\
Measure on labelled questions what packing would find: top-k, greedy, your values and ours.

A line of a file is one question with its candidates and which of them are needed: \
{"query": "...", "gold": ["a"], "snippets": [{"id": "a", "cost": 120, "scores": {"dense": 0.61, "bm25": 4}}, \
...]}. "value" beside the scores is your own. Each file is one set; they are fitted together and count alike.

Printed are the share of the needed snippets that gets into each budget, how often all of them do, and the \
differences with 95 % intervals.
"""

EXAMPLES = """\
[bold]Examples[/bold]

haversack eval questions.jsonl --budgets 512,1024,2048

haversack eval questions.jsonl --calibrate --save calibrator.json

haversack pack hits.jsonl -b 4000 --values calibrator.json
"""


def run(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="JSON lines, a question a line.")],
    budgets: Annotated[
        str, typer.Option("--budgets", "-b", metavar="N,N,...", help="Budgets to compare at, in tokens.")
    ] = ",".join(map(str, BUDGETS)),
    scores: Annotated[
        str | None,
        typer.Option("--scores", metavar="NAME,...", help="Which scores to use; the first is shown raw."),
    ] = None,
    counter: Annotated[
        str | None,
        typer.Option("--counter", metavar="NAME", help="Counts the texts of snippets without a cost."),
    ] = None,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate", metavar="", help="Fit probabilities, cross-validated. Needs scikit-learn."
        ),
    ] = False,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE", help="Keep the calibrator, fitted on all, for pack --values."),
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Plot the recall: .png, .svg or .pdf.")
    ] = None,
    as_json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write all figures; - instead of the tables.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", metavar="", help="No progress bar.")] = False,
) -> None:
    """Read, compare, print. What the command promises its users is in `HELP`."""
    at = parse_budgets(budgets)
    names = None if scores is None else [name.strip() for name in scores.split(",")]
    questions = list(_questions(files, names, counter_named(counter)))
    with Steps("comparing", len(questions), quiet) as steps:
        try:
            if calibrate or save is not None:
                result, report = _calibrated(questions, at, save, steps.step)
            else:
                result, report = evaluate(questions, at, progress=steps.step), ""
        except InputError as error:
            raise CommandError(str(error)) from None
    if as_json != "-":
        write_lines([report or table(result), "", table(result, "all")])
    else:
        write_lines([json.dumps(result)])
    if as_json is not None and as_json != "-":
        _written(as_json, lambda: Path(as_json).write_text(json.dumps(result, indent=1) + "\n", "utf-8"))
    if plot is not None:
        _written(plot, lambda: plot_recall(result, plot))


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


def counter_named(name: str | None) -> Counter | None:
    """Return the counter of a name, as in pack."""
    try:
        return None if name is None else resolve(name)
    except (CountingError, InputError) as error:
        raise CommandError(f"--counter: {error}", BAD_USAGE) from None


def _questions(
    files: Sequence[str], names: Sequence[str] | None, counter: Counter | None
) -> Iterator[Question]:
    """Yield the questions of all files; with *names*, their other scores are left out."""
    for file in files:
        try:
            for question in read(file, scores=names or (), counter=counter):
                yield question if names is None else _narrowed(question, names)
        except InputError as error:
            raise CommandError(f"{error}{_hint(str(error))}") from None
        except UnicodeDecodeError:
            raise bad_line(file, None, "is not UTF-8; save it so") from None
        except OSError as error:
            raise bad_line(file, None, f"cannot be read: {error.strerror or error}") from None


def _hint(message: str) -> str:
    if "neither scores" in message:
        return "; --scores names the keys that hold them"
    return "; --counter o200k_base counts it" if "a text and a counter" in message else ""


def _narrowed(question: Question, names: Sequence[str]) -> Question:
    for name in names:
        if name not in question.scores:
            known = ", ".join(question.scores) or "none"
            problem = f"question {question.name!r} has no score {name!r}; it has {known}"
            raise CommandError(f"--scores: {problem}", BAD_USAGE)
    kept = {name: question.scores[name] for name in names}
    return Question(
        question.name, kept, question.costs, question.needed, gold=question.gold, values=question.values,
        group=question.group, dataset=question.dataset,
    )  # fmt: skip


def _calibrated(
    questions: Sequence[Question],
    budgets: Sequence[int],
    save: str | None,
    progress: Callable[[object], object],
) -> tuple[dict[str, Any], str]:
    """Fit on the questions; return the cross-validated comparison, and the text that describes both."""
    try:
        calibrator = Calibrator.fit(questions, budgets=budgets, report=None, progress=progress)
    except ImportError as error:
        raise CommandError(f"--calibrate: {error}", BAD_USAGE) from None
    if calibrator.quality is None or calibrator.quality.recall is None:
        raise CommandError("--calibrate needs two groups of questions: one to fit on, one to judge by")
    if save is not None:
        _written(save, lambda: calibrator.save(save))
    quality = calibrator.quality
    told = {
        name: getattr(quality, name) for name in ("log_loss", "base_log_loss", "expected", "found", "bins")
    }
    return {**calibrator.quality.recall, "calibration": told}, str(quality)


def _written(name: str, write: Callable[[], object]) -> None:
    """Write a file, and say which one could not be."""
    try:
        write()
    except ImportError:
        raise CommandError("--plot needs matplotlib: pip install 'haversack[plot]'", BAD_USAGE) from None
    except OSError as error:
        raise bad_line(name, None, f"cannot be written: {error.strerror or error}") from None
    except ValueError as error:
        raise bad_line(name, None, f"cannot be written: {error}") from None
