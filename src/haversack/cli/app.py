"""The commands: what they are called, what they accept, what they say."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from rich.console import Console

import haversack
from haversack import Packing
from haversack.cli import demo as demonstration
from haversack.cli.chat_command import CHAT_EXAMPLES, CHAT_HELP, chat
from haversack.cli.inputs import read_inputs
from haversack.cli.outputs import Format, lines_of, write_lines
from haversack.cli.packing import pack_inputs
from haversack.cli.settings import parse_effort, parse_fields, parse_tokens
from haversack.cli.table import table_lines
from haversack.cli.telling import tell_about

_PACK_HELP = """\
Pack the snippets of all files into one token budget.

A snippet is an object such as {"id": "api", "text": "...", "cost": 420, "value": 0.8}: its cost in tokens, \
and best a value, how likely it is to be needed. Without any value the list is taken as best first. \
What has "pinned": true is always in.

A file is a list of snippets, an object with "snippets" and perhaps "budget" and "reserve", one snippet a \
line, or CSV with a header row. Several files are one input.
"""

_FORMAT_HELP = (
    "table (default on a terminal), json (the packing; default in a pipe), jsonl (the chosen snippets), "
    "ids or text (of the chosen)."
)

_EXAMPLES = """\
[bold]Examples[/bold]

haversack pack turn.json --budget 8000

haversack pack docs.jsonl memory.csv -b 8000 --reserve 1000 --format ids

cat hits.jsonl | haversack pack - -b 4000 -f jsonl > context.jsonl

haversack pack hits.json -b 4000 --field text=page_content --field cost=n

[bold]Exit codes[/bold]

0 packed; 1 bad input; 2 usage; 3 the pinned snippets are over the budget
"""

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
        list[str], typer.Argument(metavar="FILE", help="JSON, JSON lines or CSV; - is standard input.")
    ],
    budget: Annotated[
        str | None, typer.Option("--budget", "-b", metavar="TOKENS", help="The window; overrides the file's.")
    ] = None,
    reserve: Annotated[
        str | None, typer.Option("--reserve", "-r", metavar="TOKENS", help="Kept free for the answer.")
    ] = None,
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
    allow_over_budget: Annotated[
        bool,
        typer.Option("--allow-over-budget", metavar="", help="Pack although the pins are over the budget."),
    ] = False,
    ignore_extra: Annotated[
        bool,
        typer.Option("--ignore-extra", metavar="", help="Ignore keys and columns that are no field."),
    ] = False,
    rows: Annotated[
        int,
        typer.Option("--rows", min=0, metavar="N", help="Rows of each part of the table; 0 for all."),
    ] = 100,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", metavar="", help="No summary, no progress bar.")
    ] = False,
) -> None:
    """Read, pack, print. What the command promises its users is in `_PACK_HELP`."""
    fields = parse_fields(field or [])
    options = {
        "budget": parse_tokens("budget", budget),
        "reserve": parse_tokens("reserve", reserve),
        "effort": parse_effort(effort),
        "fields": fields if fields or ignore_extra else None,
        "over_budget": "allow" if allow_over_budget else None,
    }
    inputs = read_inputs(files, fields, quiet)
    packing = pack_inputs(inputs, options)
    _write(packing, form, rows)
    tell_about(packing, inputs.notes, quiet)


app.command("chat", help=CHAT_HELP, epilog=CHAT_EXAMPLES)(chat)


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


def _write(packing: Packing[Any], form: Format | None, rows: int) -> None:
    if form is None:
        form = Format.table if sys.stdout is not None and sys.stdout.isatty() else Format.json
    if form is Format.table:
        write_lines(table_lines(packing, Console(), rows))
    else:
        write_lines(lines_of(packing, form))
