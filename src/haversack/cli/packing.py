"""From files and options to one packing: the command line's only call into the library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import haversack
from haversack import InputError, OverBudgetError, Packing
from haversack.cli.failures import BAD_USAGE, PINS_OVER_BUDGET, CommandError
from haversack.cli.inputs import Inputs

_POSITION = re.compile(r"snippets\[(\d+)\]")
_WORDS = (
    ('pass over_budget="allow"', "pass --allow-over-budget"),
    ("must be a mapping, a haversack.Snippet, or an object with attributes such as cost and value",
     'must be a JSON object such as {"id": "api", "cost": 420, "value": 0.8}'),
    ("must be True or False", "must be true or false"),
    ("an int or a float", "a number"),
    ("an int >= 0", ">= 0"),
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
)  # fmt: skip
# Keys that hold how alike a text is to a question, in the words of the usual search engines.
_SCORE = re.compile(r"score|similarity|cosine|distance|bm25|(^|_)sim($|_)", re.IGNORECASE)
_FOUND = re.compile(r"(?<=found )(None|True \(bool\)|False \(bool\))$")
_FOUND_WORDS = {"None": "null", "True (bool)": "true", "False (bool)": "false"}
_OPTIONS = {"fields": "field", "over_budget": "allow-over-budget"}


def pack_inputs(inputs: Inputs, options: Mapping[str, Any]) -> Packing[Any]:
    """Pack what the files say, *options* before *settings*; a `CommandError` names file, line and field."""
    overriding = {key: value for key, value in options.items() if value is not None}
    said = {key: value for key, value in inputs.settings.items() if value is not None}
    inputs.check_agreement(frozenset(overriding))
    request = {"over_budget": "raise", **said, **overriding}
    if "budget" not in request:
        raise CommandError("no budget: pass --budget N, or let a file say it", BAD_USAGE)
    try:
        packing = haversack.pack_request({**request, "snippets": inputs.snippets})
    except OverBudgetError as error:
        raise CommandError(over_budget_message(error), PINS_OVER_BUDGET) from None
    except InputError as error:
        raise _placed(error, inputs, overriding) from None
    key = (request.get("fields") or {}).get("value", "")
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
    if position is not None:
        return CommandError(f"{_at(inputs, position[1])}: {message}{_others(message, position[1], inputs)}")
    setting = path.partition("[")[0].partition(".")[0]
    if setting in overriding:
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
    numbers, costliest, rest = in_its_words(str(error)).partition("; the costliest")
    return re.sub(r"\d{4,}", lambda found: f"{int(found[0]):,}", numbers) + costliest + rest


def in_its_words(message: str) -> str:
    """Put what the library's messages say of Python in the words of files and options."""
    for said, meant in _WORDS:
        message = message.replace(said, meant)
    message = re.sub(r"pass:? +fields=\{\}", "pass --ignore-extra", message)
    message = re.sub(r'pass:? +fields=\{"(\w+)": "(.*?)"\}', r"pass --field \1=\2", message)
    return _FOUND.sub(lambda found: _FOUND_WORDS[found[1]], message)
