"""`haversack chat`: what it is told, what it accepts, what it says."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from haversack.cli.chat import ChatFormat, chat_lines, pack_transcript, read_previous, role_of, warnings_of
from haversack.cli.failures import BAD_USAGE, CommandError
from haversack.cli.options import AllowOverBudget, Budget, Quiet, Reserve, Rows
from haversack.cli.outputs import write_lines
from haversack.cli.reporting import tell_about
from haversack.cli.settings import count_parser, parse_tokens, share_parser
from haversack.cli.table import table_lines
from haversack.cli.transcript import read_transcript

CHAT_HELP = """\
Pack a conversation into a token budget and print it, valid and ready to be sent.

A transcript is a list of messages, the body of a request (messages, input or contents, with system prompt, \
tools and all else kept), or a message a line; in the form of OpenAI chat, OpenAI Responses, Anthropic or \
Gemini, which is recognised. A call and its results stay together; whole turns are kept back from the \
newest. What is printed has the shape of what was read.
"""

_FORMAT_HELP = (
    "messages (default: the transcript), table, json (the packing), jsonl (a message a line), ids or text."
)

CHAT_EXAMPLES = """\
[bold]Examples[/bold]

haversack chat transcript.json --budget 32000 > short.json

haversack chat body.json -b 100000 --reserve 4000 --elide 500 | curl -d @- ...

haversack chat log.jsonl -b 8000 --format table

haversack chat now.json -b 32000 --previous last.json -f json > packing.json

[bold]Exit codes[/bold]

0 packed; 1 bad input; 2 usage; 3 the pinned messages are over the budget
"""


def chat(
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON or JSON lines; - is standard input.")],
    budget: Budget = None,
    reserve: Reserve = None,
    counter: Annotated[
        str | None,
        typer.Option("--counter", "-c", metavar="NAME", help="o200k_base, a model, or an estimate by name."),
    ] = None,
    form: Annotated[
        ChatFormat, typer.Option("--format", "-f", metavar="FORMAT", help=_FORMAT_HELP)
    ] = ChatFormat.messages,
    provider: Annotated[
        str | None,
        typer.Option(
            "--form", metavar="FORM", help="openai, responses, anthropic or gemini, if not recognised."
        ),
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", metavar="TEXT", help="A system prompt sent beside; counted.")
    ] = None,
    pin: Annotated[
        list[str] | None, typer.Option("--pin", metavar="ID", help="A message that is always in. Repeatable.")
    ] = None,
    unpin: Annotated[
        bool, typer.Option("--unpin", metavar="", help="Pin nothing by default: no system message either.")
    ] = False,
    best_set: Annotated[
        bool, typer.Option("--best-set", metavar="", help="The most valuable set, not the newest turns.")
    ] = False,
    elide: Annotated[
        list[int] | None,
        typer.Option(
            "--elide",
            parser=count_parser("elide", "tokens"),
            metavar="TOKENS",
            help="Shorten long texts to this before dropping. Repeatable.",
        ),
    ] = None,
    previous: Annotated[
        str | None,
        typer.Option("--previous", metavar="FILE", help="The last packing (--format json): kept if it fits."),
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(
            "--target",
            parser=share_parser("target"),
            metavar="SHARE",
            help="What it is cut to when it does not fit (0.6).",
        ),
    ] = None,
    allow_over_budget: AllowOverBudget = False,
    rows: Rows = 100,
    quiet: Quiet = False,
) -> None:
    """Read, pack, print. What the command promises its users is in `CHAT_HELP`."""
    if pin and unpin:
        raise CommandError("--pin and --unpin exclude each other", BAD_USAGE)
    options = {
        "budget": parse_tokens("budget", budget),
        "reserve": parse_tokens("reserve", reserve),
        "counter": counter,
        "form": provider,
        "system": system,
        "pinned": pin or (() if unpin else None),
        "contiguous": False if best_set else None,
        "elide": elide or None,
        "previous": read_previous(previous),
        "target": target,
        "over_budget": "allow" if allow_over_budget else None,
    }
    transcript = read_transcript(file, quiet)
    packing = pack_transcript(transcript, options)
    if form is ChatFormat.table:
        write_lines(table_lines(packing, Console(), rows, ("role", role_of)))
    else:
        write_lines(chat_lines(transcript, packing, form))
    tell_about(packing, warnings_of(transcript, packing), quiet)
