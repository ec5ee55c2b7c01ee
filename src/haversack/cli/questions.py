"""The files of `haversack eval`: which of them are sets, what these are called, and their questions."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence

from haversack import InputError
from haversack.cli.failures import BAD_USAGE, CommandError, bad_line
from haversack.cli.gathering import STDIN
from haversack.counters import Counter
from haversack.evaluation import Question, read

_COMPANION = ".snippets.jsonl"


def read_questions(
    files: Sequence[str], names: Sequence[str] | None, counter: Counter | None
) -> list[Question]:
    """Return the questions of all files, a set each; with *names*, their other scores are left out."""
    sets = named_sets(files)
    questions: list[Question] = []
    for file, dataset in sets.items():
        before = len(questions)
        questions += _read(file, dataset, names or (), counter)
        if len(questions) == before:
            raise bad_line(_shown(file), None, "holds no question; a line of it is one")
    if not any(question.gold for question in questions):
        told = f'none of the {len(questions):,} questions has evidence, which "gold" names'
        raise bad_line(", ".join(map(_shown, sets)), None, told)
    if names is None:
        return questions
    _refuse_unknown(questions, names)
    return [question.with_scores(names) for question in questions]


def named_sets(files: Sequence[str]) -> dict[str, str]:
    """Return the name of each file's set: the file's, with as much of its path as tells it from others.

    A file of snippets beside the file of questions that needs it is none, so that `data/*.jsonl` will do.
    """
    once: dict[str, str] = {}
    for file in files:
        key = STDIN if file == STDIN else os.path.realpath(file)
        if key in once:
            twice = "standard input (-) can be read only once" if file == STDIN else f"{file}: is given twice"
            raise CommandError(twice, BAD_USAGE)
        once[key] = file
    sets = [file for key, file in once.items() if not _is_companion(key, once)]
    stems = [_stem(os.path.basename(file)) for file in sets]
    paths = [_stem(os.path.normpath(file)) for file in sets]
    return {
        file: stem if stems.count(stem) == 1 else path if paths.count(path) == 1 else file
        for file, stem, path in zip(sets, stems, paths, strict=True)
    }


def _is_companion(key: str, once: dict[str, str]) -> bool:
    return key.endswith(_COMPANION) and f"{key.removesuffix(_COMPANION)}.jsonl" in once


def _stem(path: str) -> str:
    return "<stdin>" if path == STDIN else os.path.splitext(path)[0]


def _shown(file: str) -> str:
    return "<stdin>" if file == STDIN else file


def _read(file: str, dataset: str, names: Sequence[str], counter: Counter | None) -> Iterator[Question]:
    try:
        source = _stdin() if file == STDIN else file
        yield from read(source, scores=names, counter=counter, dataset=dataset)
    except InputError as error:
        raise CommandError(f"{error}{_hint(str(error))}") from None
    except OSError as error:
        # The file of snippets may be the one that is missing.
        name = file if error.filename is None else str(error.filename)
        whose = f", of which {file} names snippets" if name != file else ""
        raise bad_line(name, None, f"cannot be read: {error.strerror or error}{whose}") from None


def _stdin() -> io.BytesIO:
    if sys.stdin is None:
        raise bad_line("<stdin>", None, "standard input is closed")
    held = io.BytesIO(sys.stdin.buffer.read())
    held.name = "<stdin>"
    return held


def _hint(message: str) -> str:
    return "; --counter o200k_base counts it" if "a text and a counter" in message else ""


def _refuse_unknown(questions: Sequence[Question], names: Sequence[str]) -> None:
    known = list(dict.fromkeys(name for question in questions for name in question.scores))
    for name in names:
        if name not in known:
            there_are = ", ".join(known) or "none"
            raise CommandError(
                f"--scores: no question has a score {name!r}; they have {there_are}", BAD_USAGE
            )
