"""The commands: what they are called, what they accept, what they say."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

import haversack
from haversack.cli import demo as demonstration
from haversack.cli import evaluating
from haversack.cli.chat_command import CHAT_EXAMPLES, CHAT_HELP, chat
from haversack.cli.counting import count_lines
from haversack.cli.files import MAX_BYTES
from haversack.cli.gathering import Reading
from haversack.cli.inputs import read_inputs
from haversack.cli.options import AllowOverBudget, Budget, Quiet, Reserve, Rows
from haversack.cli.outputs import Format, write_lines
from haversack.cli.packing import pack_inputs
from haversack.cli.rendering import COUNTER, Frame
from haversack.cli.reporting import read_header, report, tell_skipped, write
from haversack.cli.settings import (
    count_parser,
    parse_effort,
    parse_fields,
    parse_sections,
    parse_tokens,
    parse_values,
    share_parser,
)
from haversack.cli.valuing import value_inputs

_PACK_HELP = """\
Pack snippets, or whole files, into one token budget.

A text file is a snippet; a directory or a pattern stands for the text files in it, less what .gitignore \
leaves out. With --query they are valued by how well they answer it.

A JSON or CSV file holds snippets such as {"id": "api", "text": "...", "value": 0.8}, the value best how \
likely it is to be needed: as a list, as an object with "snippets" and perhaps "budget" and "reserve", as \
JSON lines (snippet after snippet, usually one a line), or as CSV with a header row. Instead of a value \
it may carry "score": 0.61, or "scores": {"dense": 0.61, "bm25": 4}, which are turned into values. Without \
either the list is taken as best first. What has "pinned": true is always in. A "cost" in tokens saves \
counting the text. Several files are one input.
"""

_FORMAT_HELP = (
    "table (default on a terminal), json (the packing; default in a pipe), jsonl (the chosen snippets), "
    "ids (of the chosen, one a line, control characters escaped) or text (of the chosen, as it is)."
)

_EXAMPLES = """\
[bold]Examples[/bold]

haversack pack src/ --query "where are retries counted?" --budget 8000 -o context.md

haversack pack turn.json --budget 8000

haversack pack docs.jsonl memory.csv -b 8000 --reserve 1000 --format ids

cat hits.jsonl | haversack pack - -b 4000 -f jsonl > context.jsonl

haversack pack hits.json -b 4000 --field text=page_content --field cost=n --field score=similarity

[bold]Exit codes[/bold]

0 packed; 1 bad input; 2 usage; 3 the pinned snippets, or the header, are over the budget
"""

MAX_BYTES_PARSER = count_parser("max-bytes", "bytes", least=1)

app = typer.Typer(
    name="haversack",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        write_lines([f"haversack {haversack.__version__}"])
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar="", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Pack an LLM's context: the most valuable snippets that fit the token budget, with a proof.

    New here? Run [bold]haversack demo[/bold].
    """


@app.command("pack", help=_PACK_HELP, epilog=_EXAMPLES)
def pack(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", help="Text, JSON or CSV, a directory or a pattern; - is standard input."
        ),
    ],
    budget: Budget = None,
    reserve: Reserve = None,
    query: Annotated[
        str | None,
        typer.Option("--query", "-Q", metavar="TEXT", help="Value the texts by how well they answer."),
    ] = None,
    counter: Annotated[
        str | None,
        typer.Option("--counter", metavar="NAME", help=f"Counts the texts; {COUNTER} unless named."),
    ] = None,
    render: Annotated[
        str | None,
        typer.Option(
            "--render", metavar="FORMAT", help="markdown (default for files), xml, numbered or plain."
        ),
    ] = None,
    order: Annotated[
        str | None, typer.Option("--order", metavar="ORDER", help="input, value, edges or section.")
    ] = None,
    header_file: Annotated[
        str | None, typer.Option("--header-file", metavar="FILE", help="A text to stand before everything.")
    ] = None,
    headings: Annotated[
        bool, typer.Option("--headings", metavar="", help="Put the snippets of a section under its name.")
    ] = False,
    note: Annotated[
        bool, typer.Option("--note", metavar="", help="Say at the end how many snippets were left out.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write there: .json, .jsonl, or else the text."),
    ] = None,
    reading: Annotated[
        Reading, typer.Option("--as", metavar="KIND", help="Take named files for text or for snippets.")
    ] = Reading.auto,
    max_bytes: Annotated[
        int,
        typer.Option("--max-bytes", parser=MAX_BYTES_PARSER, metavar="N", help="Skip larger text files."),
    ] = MAX_BYTES,
    form: Annotated[
        Format | None,
        typer.Option("--format", "-f", metavar="FORMAT", help=_FORMAT_HELP),
    ] = None,
    effort: Annotated[
        str | None,
        typer.Option("--effort", metavar="EFFORT", help="greedy, normal, full or a number of states."),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            "--field", metavar="FIELD=KEY", help="Where a field is found: text=page_content. Repeatable."
        ),
    ] = None,
    section: Annotated[
        list[str] | None,
        typer.Option(
            "--section", metavar="NAME=CAP", help="Cap a section: docs=2000 tokens, docs=30%. Repeatable."
        ),
    ] = None,
    values: Annotated[
        str | None,
        typer.Option(
            "--values", metavar="HOW", help="auto (of the scores), rank, equal, or a calibrator's file."
        ),
    ] = None,
    duplicates: Annotated[
        str | None,
        typer.Option("--duplicates", metavar="once", help="once: identical texts are packed once."),
    ] = None,
    near_copies: Annotated[
        float | None,
        typer.Option(
            "--near-copies",
            parser=share_parser("near-copies"),
            metavar="0.8",
            help="Pack at most one of texts as similar as that.",
        ),
    ] = None,
    overlap: Annotated[
        str | None,
        typer.Option("--overlap", metavar="merge", help="merge: overlapping spans of a source are one."),
    ] = None,
    allow_over_budget: AllowOverBudget = False,
    ignore_extra: Annotated[
        bool,
        typer.Option("--ignore-extra", metavar="", help="Ignore keys and columns that are no field."),
    ] = False,
    rows: Rows = 100,
    quiet: Quiet = False,
) -> None:
    """Read, pack, print. What the command promises its users is in `_PACK_HELP`."""
    fields = parse_fields(field or [])
    options = {
        "budget": parse_tokens("budget", budget),
        "reserve": parse_tokens("reserve", reserve),
        "effort": parse_effort(effort),
        "sections": parse_sections(section) if section else None,
        "fields": fields if fields or ignore_extra else None,
        "counter": counter,
        "render": render,
        "order": order,
        "values": parse_values(values),
        "duplicates": duplicates,
        "near_copies": near_copies,
        "overlap": overlap,
        "over_budget": "allow" if allow_over_budget else None,
    }
    inputs = read_inputs(files, fields, quiet, reading, max_bytes)
    value_inputs(inputs, query, fields)
    frame = Frame(read_header(header_file), headings, note)
    packing = pack_inputs(inputs, options, frame, quiet)
    write(packing, form, output, rows, inputs.fields)
    report(inputs, packing, quiet)


app.command("chat", help=CHAT_HELP, epilog=CHAT_EXAMPLES)(chat)


@app.command("count")
def count(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files, directories, patterns; - is standard input.")
    ],
    counter: Annotated[
        str, typer.Option("--counter", metavar="NAME", help="An encoding, a model, hf:PATH or an estimate.")
    ] = COUNTER,
    max_bytes: Annotated[
        int,
        typer.Option("--max-bytes", parser=MAX_BYTES_PARSER, metavar="N", help="Skip larger files."),
    ] = MAX_BYTES,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", metavar="", help="No progress bar.")] = False,
) -> None:
    """Count the tokens of files, each and in total."""
    inputs = read_inputs(files, {}, quiet, Reading.text, max_bytes)
    write_lines(count_lines(inputs, counter, quiet))
    tell_skipped(inputs)


app.command("eval", help=evaluating.HELP, epilog=evaluating.EXAMPLES)(evaluating.run)


@app.command("demo")
def demo(
    budget: Annotated[
        str | None,
        typer.Option("--budget", "-b", metavar="TOKENS", help="Another window than the turn's own."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print the turn itself: a file for haversack pack.")
    ] = False,
) -> None:
    """Pack a coding agent's turn and explain what happened."""
    if as_json:
        write_lines([demonstration.turn_text().rstrip("\n")])
        return
    write_lines(demonstration.story(parse_tokens("budget", budget), Console()))
