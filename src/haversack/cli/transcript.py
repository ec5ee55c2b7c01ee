"""Read a transcript, knowing where each message came from, and write it in the shape it had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from haversack.cli.failures import bad_line
from haversack.cli.inputs import read_text
from haversack.cli.json_text import JsonText
from haversack.cli.outputs import dump, list_lines, object_lines
from haversack.cli.progress import Progress

# Where a request's body holds its messages, and the form that says so: `messages` is of two providers.
_FORMS = {"messages": None, "input": "responses", "contents": "gemini"}
_SYSTEM = ("system", "instructions", "system_instruction", "systemInstruction")
SETTINGS = (
    "budget", "reserve", "counter", "pinned", "contiguous", "previous", "target", "over_budget", "elide",
    "form",
)  # fmt: skip
"""Keys of ours in a request's body: they are settings, and not sent."""


class Transcript:
    """The messages of one conversation: a list, the body of a request, or a message a line.

    `settings` are what a body says to us, `body` all else in it, in its order: `system` and `tools` are
    found there, and the body is written again with the messages that were kept.
    """

    def __init__(self, name: str, text: JsonText, is_list: bool) -> None:
        self.name = name
        self.messages: list[Any] = text.snippets
        self.settings = {key: text.settings[key] for key in SETTINGS if key in text.settings}
        self.body = {key: text.settings.get(key) for key in text.settings_lines if key not in SETTINGS}
        self.form = _FORMS[text.under] if text.under is not None else None
        self._lines = text.lines
        self._settings_lines = text.settings_lines
        self._under = text.under
        self._is_list = is_list

    @property
    def system(self) -> Any:
        """The system prompt that a body sends beside the messages."""
        return next((self.body[key] for key in _SYSTEM if self.body.get(key) is not None), None)

    @property
    def tools(self) -> Any:
        """The tool definitions of a body."""
        return self.body.get("tools")

    def at(self, position: int) -> str:
        """Where a message begins: `chat.json:12`."""
        return f"{self.name}:{self._lines[position]}"

    def place_of(self, setting: str) -> str | None:
        """Where a setting stands, if the file says it."""
        line = self._settings_lines.get(setting)
        return None if line is None else f"{self.name}:{line}"

    def lines_of(self, messages: Sequence[Any]) -> Iterator[str]:
        """The lines of the transcript with *messages* instead of its own, in the shape it had."""
        if self._under is not None:
            yield from object_lines({**self.body, self._under: list(messages)}, self._under)
        elif self._is_list:
            yield from ("[", *list_lines(messages), "]") if messages else ("[]",)
        else:
            yield from map(dump, messages)


def read_transcript(path: str, quiet: bool = False) -> Transcript:
    """Read one file, or standard input for `-`; a `CommandError` names file and line."""
    with Progress([path], quiet) as progress:
        progress.next_file()
        name, text = read_text(path)
        if not text.strip():
            raise bad_line(name, None, "the file is empty; expected a transcript")
        json_text = JsonText(text, name, progress.report, keys=tuple(_FORMS))
        json_text.read()
    return Transcript(name, json_text, text.lstrip().startswith("["))
