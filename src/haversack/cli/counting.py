"""`haversack count`: the tokens of each file, and of all of them."""

from __future__ import annotations

from collections.abc import Iterator

from haversack._extras import MissingExtraError
from haversack.cli.failures import BAD_USAGE, CommandError
from haversack.cli.inputs import Inputs
from haversack.cli.progress import watched
from haversack.counters import CountingError, resolve
from haversack.exceptions import InputError


def count_lines(inputs: Inputs, name: str, quiet: bool) -> Iterator[str]:
    """Count the texts of *inputs* with the counter of that *name*: a line a file, and the total."""
    try:
        counter = watched(resolve(name), quiet)
        counts = counter.count_many([one["text"] for one in inputs.snippets])
    except InputError as error:
        raise CommandError(f"--counter: {error}", BAD_USAGE) from None
    except (MissingExtraError, CountingError) as error:
        raise CommandError(str(error)) from None
    total, how = sum(counts), "" if counter.exact else ", an estimate"
    width = len(f"{total:,}")
    for one, count in zip(inputs.snippets, counts, strict=True):
        yield f"{count:>{width},}  {one['id']}"
    files = f"{len(counts):,} file{'' if len(counts) == 1 else 's'}"
    yield f"{total:>{width},}  total of {files} ({name}{how})"
