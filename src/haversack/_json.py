"""JSON in, strictly: what most parsers let through and a packing must not."""

from __future__ import annotations

from haversack.exceptions import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

TOO_LONG = (
    "an integer of more digits than are read from text (4,300, unless the interpreter is set otherwise); "
    "divide all numbers of its kind by one number"
)


class _Repeated(dict[str, "Any"]):
    """An object of which a key was given twice."""

    key = ""


class _NotANumber:
    """A NaN or Infinity token."""

    def __init__(self, token: str) -> None:
        self.token = token


def loads(text: str | bytes | bytearray) -> Any:
    """Parse JSON; refuse NaN and Infinity tokens and repeated keys, naming the path.

    Bytes are UTF-8, with or without a byte order mark.

    >>> loads(b'{"budget": 10}')
    {'budget': 10}
    """
    import json

    wrong: list[object] = []

    def paired(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            made = _Repeated(made)
            keys = [key for key, _ in pairs]
            made.key = next(key for key in keys if keys.count(key) > 1)
            wrong.append(made)
        return made

    def constant(token: str) -> _NotANumber:
        wrong.append(_NotANumber(token))
        return wrong[-1]  # type: ignore[return-value]

    try:
        if not isinstance(text, str):
            text = bytes(text).decode("utf-8-sig")
        data = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=paired, parse_constant=constant)
    except UnicodeDecodeError as error:
        raise InputError(
            f"the JSON is not UTF-8 at byte {error.start} ({error.object[error.start]:#04x}); encode it so",
            path="", found=text,
        ) from error  # fmt: skip
    except (ValueError, RecursionError) as error:
        # What the parser itself cannot decode, or the one thing else that it refuses.
        is_too_long = type(error) is ValueError
        message = f"this JSON holds {TOO_LONG}" if is_too_long else f"this is no valid JSON: {error}"
        raise InputError(message, path="", found=text) from error
    for path, found in _walk(data, "") if wrong else ():
        _refuse(path, found)
    return data


def _refuse(path: str, found: object) -> None:
    where = path or "the top"
    if isinstance(found, _Repeated):
        raise InputError(
            f"{where}: the key {found.key!r} is given twice, and only one could count; drop one",
            path=f"{path}.{found.key}".lstrip("."), field=found.key, found=dict(found),
        )  # fmt: skip
    if isinstance(found, _NotANumber):
        raise InputError(
            f"{where} must be a finite number; found the token {found.token}, which is no JSON; "
            "write a number or leave the field out",
            path=path, field=path.rpartition(".")[2], found=found.token,
        )  # fmt: skip


def _walk(data: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield every object and value of a document with its path, in order."""
    todo = [(path, data)]
    while todo:
        path, found = todo.pop()
        yield path, found
        if isinstance(found, dict):
            inside = [(f"{path}.{key}".lstrip("."), value) for key, value in found.items()]
            todo += reversed(inside)
        elif isinstance(found, list):
            todo += reversed([(f"{path}[{at}]", value) for at, value in enumerate(found)])
