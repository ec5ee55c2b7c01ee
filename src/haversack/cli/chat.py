"""From a transcript and options to one packing of messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from haversack import InputError, OverBudgetError, chat
from haversack._extras import MissingExtraError
from haversack.chat import MessagePacking
from haversack.cli.failures import BAD_USAGE, PINS_OVER_BUDGET, CommandError
from haversack.cli.inputs import read_text
from haversack.cli.outputs import Format, dump, lines_of
from haversack.cli.transcript import Transcript
from haversack.counters import CountingError

_POSITION = re.compile(r"messages\[(\d+)\]")
_OPTIONS = {"over_budget": "allow-over-budget", "pinned": "pin", "contiguous": "best-set"}
_ADVICE = {
    'pass over_budget="allow"': "pass --allow-over-budget",
    "pinned=()": "--unpin",
    "(elide=)": "(--elide)",
    "Say counter=": "Say --counter ",
    "or form=": "or --form",
}


class ChatFormat(StrEnum):
    """What standard output holds."""

    messages = "messages"
    table = "table"
    json = "json"
    jsonl = "jsonl"
    ids = "ids"
    text = "text"


def pack_transcript(transcript: Transcript, options: Mapping[str, Any]) -> MessagePacking:
    """Pack what the file says, *options* before its settings; a `CommandError` names line or option."""
    overriding = {key: value for key, value in options.items() if value is not None}
    said = {key: value for key, value in transcript.settings.items() if value is not None}
    request = {"form": transcript.form, "system": transcript.system, **said, **overriding}
    if "system" in overriding and transcript.system is not None:
        raise CommandError(f"--system: {transcript.name} has a system prompt of its own", BAD_USAGE)
    if "budget" not in request:
        raise CommandError("no budget: pass --budget N, or let the file say it", BAD_USAGE)
    if request.get("over_budget") == "warn":
        request["over_budget"] = "allow"  # the command itself says it
    try:
        return chat.pack_messages(transcript.messages, tools=transcript.tools, **request)
    except OverBudgetError as error:
        raise CommandError(_with_options(str(error)), PINS_OVER_BUDGET) from None
    except InputError as error:
        raise _placed(error, transcript, overriding) from None
    except (MissingExtraError, CountingError) as error:
        raise CommandError(str(error)) from None


def chat_lines(transcript: Transcript, packing: MessagePacking, form: ChatFormat) -> Iterator[str]:
    """The lines of *packing* in one of the formats for programs."""
    if form is ChatFormat.messages:
        yield from transcript.lines_of(packing.messages)
    elif form is ChatFormat.jsonl:
        yield from map(dump, packing.messages)
    else:
        yield from lines_of(packing, Format(form.value))


def role_of(message: Any) -> str:
    """Whose message it is, for the table."""
    role = message.get("role", message.get("type", "")) if isinstance(message, dict) else ""
    return str(role)


def warnings_of(transcript: Transcript, packing: MessagePacking) -> Iterator[str]:
    """What a user should know who is about to send this."""
    orphans = packing.statistics["orphans"]
    if orphans:
        first = packing[orphans[0]]
        others = f" (and {len(orphans) - 1} more)" if len(orphans) > 1 else ""
        yield f"{transcript.at(first.position)}: {first}{others}"
    for violation in chat.validate(packing.messages, packing.statistics["form"], open_call="refused"):
        yield f"the transcript cannot be sent yet: {violation}"
    marks = packing.statistics["cache_marks_dropped"]
    if marks:
        yield f"dropped messages held a cache_control mark: {', '.join(map(str, marks))}"


def read_previous(path: str | None) -> Any:
    """Read the packing that an earlier `--format json` wrote."""
    if path is None:
        return None
    name, text = read_text(path)
    try:
        return json.loads(text)
    except ValueError as error:
        raise CommandError(f"{name}: not JSON: {error}") from None


def _placed(error: InputError, transcript: Transcript, overriding: Mapping[str, Any]) -> CommandError:
    """Say in which line the error lies, or that an option is to blame."""
    message = _with_options(str(error))
    position = _POSITION.match(error.path or "")
    if position is not None:
        return CommandError(f"{transcript.at(int(position[1]))}: {message}")
    setting = error.field or ""
    if setting in overriding:
        return CommandError(f"--{_OPTIONS.get(setting, setting)}: {message}", BAD_USAGE)
    return CommandError(f"{transcript.place_of(setting) or transcript.name}: {message}")


def _with_options(message: str) -> str:
    """Put what the library's messages advise in the words of the command line."""
    for ours, option in _ADVICE.items():
        message = message.replace(ours, option)
    return message
