"""Options that several commands take, said once: their names, what they hold, what the help says."""

from __future__ import annotations

from typing import Annotated

import typer

from haversack.cli.settings import count_parser

Budget = Annotated[
    str | None, typer.Option("--budget", "-b", metavar="TOKENS", help="The window; overrides the file's.")
]
Reserve = Annotated[
    str | None, typer.Option("--reserve", "-r", metavar="TOKENS", help="Kept free for the answer.")
]
AllowOverBudget = Annotated[
    bool,
    typer.Option("--allow-over-budget", metavar="", help="Pack although the pins are over the budget."),
]
Rows = Annotated[
    int,
    typer.Option(
        "--rows",
        parser=count_parser("rows", "rows"),
        metavar="N",
        help="Rows of each part of the table; 0 for all.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", metavar="", help="No summary, no progress bar.")]
