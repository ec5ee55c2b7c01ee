"""From files and options to one packing: the command line's only call into the library."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import Any

from haversack import InputError, OverBudgetError, Packing, PackingError
from haversack._request import pack_data
from haversack.cli.failures import BAD_USAGE, PINS_OVER_BUDGET, CommandError
from haversack.cli.inputs import Inputs
from haversack.cli.overriding import idle_sections, is_to_blame, request_of
from haversack.cli.rendering import Frame, code_for, is_counted

_POSITION = re.compile(r"snippets\[(\d+)\]")
_WORDS = (
    ('pass over_budget="allow"', "pass --allow-over-budget"),
    ("must be a mapping, a haversack.Snippet, a str, or an object with attributes such as cost and value",
     'must be a JSON object such as {"id": "api", "text": "...", "value": 0.8}'),
    ("must be True or False", "must be true or false"),
    ("an int or a float", "a number"),
    ("must be an int >= 0", "must be a whole number, >= 0"),
    ("an int >= 0", ">= 0"),
    ("must be the name of the form, a str", "must be the name of the form"),
    ("must be a str or an int: use str(...)", "must be text or a whole number: put it in quotes"),
    ("must be a str;", "must be text;"),
    ("effort must be None, a number of states (>= 0), math.inf, or", "effort must be a number of states, or"),
    ("None is no 'no limit'", "null is no 'no limit'"),
    ("; map value to a function that gives one", ""),
    ("must be ids, or a function of a snippet", "must be a list of ids"),
    ("must be the name of a key or a function of the snippet", "must be the name of a key"),
    ("must be a mapping of a field to a key or a function, such as", "must be a JSON object such as"),
    ("or give ints, which have no limit", "or give whole numbers, which have no limit"),
    ("= is not built", " is not built"),
    ("must be a name, a str or an int;", "must be a name, text or a whole number;"),
    ("a share: a float between", "a share: a number between"),
    ("is a float, so a share:", "is no whole number, so a share:"),
    ("must be a mapping of a name to its cap, such as", "must be a JSON object of names and caps, such as"),
    ("must be a mapping such as {", "must be a JSON object such as {"),
    ("}, or a Section;", "};"),
    ("which sections= does not declare", "which sections does not declare"),
    ("must be a mapping or a haversack.Variant, with", "must be a JSON object with"),
    ("a str that is not empty", "text that is not empty"),
)  # fmt: skip
# Keys that hold how alike a text is to a question, in the words of the usual search engines.
_SCORE = re.compile(r"score|similarity|cosine|distance|bm25|(^|_)sim($|_)", re.IGNORECASE)
_FOUND = re.compile(r"(?<=found )(None|True \(bool\)|False \(bool\))$")
_FOUND_WORDS = {"None": "null", "True (bool)": "true", "False (bool)": "false"}
# Of a message on what does not fit: the part where digits may belong to an id, and before it numbers, or
# names of sections in quotes.
_NAMES = re.compile("; (the costliest|raise |unpin )")
_ARITHMETIC = re.compile(r"""('[^']*'|"[^"]*")|\d{4,}""")
_OPTIONS = {
    "fields": "field",
    "over_budget": "allow-over-budget",
    "sections": "section",
    "near_copies": "near-copies",
}


def pack_inputs(
    inputs: Inputs, options: Mapping[str, Any], frame: Frame | None = None, quiet: bool = True
) -> Packing[Any]:
    """Pack what the files say, *options* before *settings*; a `CommandError` names file, line and field.

    What the library warns of is added to the notes of *inputs*.
    """
    overriding = {key: value for key, value in options.items() if value is not None}
    request = request_of(inputs, overriding)
    if "budget" not in request:
        raise CommandError("no budget: pass --budget N, or let a file say it", BAD_USAGE)
    request["snippets"] = inputs.snippets
    frame = frame or Frame()
    try:
        code = code_for(request, frame, bool(inputs.texts), quiet) if is_counted(request, frame) else {}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            packing = pack_data(request, **code)
        inputs.notes += [str(each.message) for each in caught]
    except OverBudgetError as error:
        raise CommandError(over_budget_message(error), PINS_OVER_BUDGET) from None
    except InputError as error:
        raise _placed(error, inputs, overriding) from None
    except PackingError as error:  # an extra that is missing, a counter that gave up
        raise CommandError(str(error)) from None
    inputs.notes += [f"no snippet is in section {name!r}" for name in idle_sections(packing, overriding)]
    inputs.fields = dict(request.get("fields") or {})
    key = inputs.fields.get("value", "")
    if _SCORE.search(key):
        inputs.notes.append(
            f"value is read from {key!r}: scores are not values; ten short snippets of noise outweigh one "
            "long hit. A value is what a snippet is worth, best the probability that it is needed"
        )
    return packing


def _placed(error: InputError, inputs: Inputs, overriding: Mapping[str, Any]) -> CommandError:
    """Say in which file and line the error lies, or that an option is to blame."""
    message, path = in_its_words(str(error)), error.path or ""
    position = _POSITION.match(path)
    if error.field == "section" and "sections" in overriding:
        message += f", or pass --section {error.found}=100%, which caps nothing"
    if position is not None:
        return CommandError(f"{_at(inputs, position[1])}: {message}{_others(message, position[1], inputs)}")
    setting = path.partition("[")[0].partition(".")[0]
    if is_to_blame(path, setting, inputs, overriding):
        return CommandError(f"--{_OPTIONS.get(setting, setting)}: {message}", BAD_USAGE)
    place = inputs.where.get(setting)
    return CommandError(f"{place}: {message}" if place else message)


def _at(inputs: Inputs, position: str) -> str:
    name, line = inputs.place(int(position))
    return f"{name}:{line}"


def _others(message: str, blamed: str, inputs: Inputs) -> str:
    """Say where the other snippets of a message are: an id taken by one of another file, say."""
    others = dict.fromkeys(found for found in _POSITION.findall(message) if found != blamed)
    places = [f"snippets[{position}] is {_at(inputs, position)}" for position in others]
    return f" ({', '.join(places)})" if places else ""


def over_budget_message(error: OverBudgetError) -> str:
    """Say what the library says, all numbers with separators: its arithmetic comes without."""
    said = in_its_words(str(error))
    end = _NAMES.search(said)
    numbers, names = (said[: end.start()], said[end.start() :]) if end else (said, "")
    return _ARITHMETIC.sub(lambda found: found[0] if found[1] else f"{int(found[0]):,}", numbers) + names


def in_its_words(message: str) -> str:
    """Put what the library's messages say of Python in the words of files and options."""
    for said, meant in _WORDS:
        message = message.replace(said, meant)
    message = re.sub(r"pass:? +fields=\{\}", "pass --ignore-extra", message)
    message = re.sub(r'pass:? +fields=\{"(\w+)": "(.*?)"\}', r"pass --field \1=\2", message)
    return _FOUND.sub(lambda found: _FOUND_WORDS[found[1]], message)
