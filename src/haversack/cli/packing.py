"""From files and options to one packing: the command line's only call into the library."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import Any

from haversack import InputError, OverBudgetError, Packing
from haversack._extras import MissingExtraError
from haversack._request import pack_data
from haversack.cli.failures import BAD_USAGE, PINS_OVER_BUDGET, CommandError
from haversack.cli.inputs import Inputs
from haversack.cli.rendering import Frame, code_for, is_counted
from haversack.counters import CountingError

_POSITION = re.compile(r"snippets\[(\d+)\]")
_OPTIONS = {"fields": "field", "over_budget": "allow-over-budget"}


def pack_inputs(
    inputs: Inputs, options: Mapping[str, Any], frame: Frame | None = None, quiet: bool = True
) -> Packing[Any]:
    """Pack what the files say, *options* before *settings*; a `CommandError` names file, line and field.

    What the library warns of is added to the notes of *inputs*.
    """
    overriding = {key: value for key, value in options.items() if value is not None}
    said = {key: value for key, value in inputs.settings.items() if value is not None}
    inputs.check_agreement(frozenset(overriding))
    request = {"over_budget": "raise", **said, **overriding}
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
        return packing
    except (MissingExtraError, CountingError) as error:
        raise CommandError(str(error)) from None
    except OverBudgetError as error:
        raise CommandError(_with_options(str(error)), PINS_OVER_BUDGET) from None
    except InputError as error:
        raise _placed(error, inputs, overriding) from None


def _placed(error: InputError, inputs: Inputs, overriding: Mapping[str, Any]) -> CommandError:
    """Say in which file and line the error lies, or that an option is to blame."""
    message, path = _with_options(str(error)), error.path or ""
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


def _with_options(message: str) -> str:
    """Put what the library's messages advise in the words of the command line."""
    message = message.replace('pass over_budget="allow"', "pass --allow-over-budget")
    message = re.sub(r"pass:? +fields=\{\}", "pass --ignore-extra", message)
    return re.sub(r'pass:? +fields=\{"(\w+)": "(.*?)"\}', r"pass --field \1=\2", message)
