"""The words a snippet may use, and help with all others."""

from __future__ import annotations

from haversack._numbers import Place, described
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    Reading = Mapping[str, str | Callable[[Any], Any]]

# What a snippet holds. A field to come is added here, its reading to `_coerce` and its rule to `_model`.
READ = frozenset((
    "id", "text", "cost", "tokens", "value", "score", "scores", "pinned", "section", "group", "requires",
    "one_of", "variants", "form", "tier", "source", "start", "end", "meta",
))  # fmt: skip
SCORES = frozenset(("score", "scores"))
KNOWN = READ

_MANY = 2_000  # words among which likeness takes too long to look for

# Foreign names that mean one of ours, beyond what likeness finds.
_FOREIGN = {
    "page_content": "text", "content": "text", "body": "text", "document": "text", "chunk": "text",
    "n_tokens": "cost", "num_tokens": "cost", "token_count": "cost", "tok": "cost", "size": "cost",
    "length": "cost", "weight": "cost", "price": "cost",
    "utility": "value", "worth": "value", "priority": "value", "importance": "value", "profit": "value",
    "probability": "value", "p": "value",
    "relevance": "score", "similarity": "score", "cosine": "score", "relevance_score": "score",
    "similarity_score": "score", "rerank_score": "score", "bm25": "score",
    "required": "pinned", "mandatory": "pinned", "pin": "pinned", "sticky": "pinned", "always": "pinned",
    "key": "id", "name": "id", "uid": "id", "uuid": "id", "doc_id": "id",
    "metadata": "meta", "path": "source", "url": "source", "file": "source",
}  # fmt: skip


def refuse_scores(field: str, found: object, place: Place) -> None:
    """Refuse a score, and say what a value is."""
    place.refuse(
        field,
        "is a score, and scores are not values; those of a whole snippet are turned into one, but they do "
        "not say what each of its forms is worth: give every form a `value`",
        found,
    )


def refuse_unknown(key: object, present: Iterable[Any], place: Place, found: object) -> None:
    """Refuse an unknown key: suggest the nearest field and print the line to paste."""
    if not isinstance(key, str):
        place.refuse(None, f"has the key {described(key)}; the keys of a snippet are strings", key)
    nearest = nearest_field(key, present)
    advice = f"; did you mean {nearest!r}? To read it, pass:" if nearest else "; to ignore it, pass:"
    line = f"fields={{{nearest!r}: {key!r}}}" if nearest else "fields={}"
    place.refuse(key, f"is no field of a snippet{advice} {line.replace(chr(39), chr(34))}", found)


def nearest_field(key: str, present: Iterable[Any] = ()) -> str | None:
    """Return the field that a foreign key most likely means, if any.

    >>> nearest_field("page_content"), nearest_field("vale"), nearest_field("colour")
    ('text', 'value', None)
    """
    plain = key.lower().strip().replace("-", "_")
    if plain in _FOREIGN and _FOREIGN[plain] not in present:
        return _FOREIGN[plain]
    return nearest(plain, READ.difference(present))


def nearest(word: str, words: Iterable[str]) -> str | None:
    """Return the likeliest of some words for a misspelt one, if any is near; small and capital alike.

    >>> nearest("API", ["app", "api"]), nearest("docs ", ["DOCS"]), nearest("x", ["api"])
    ('api', 'DOCS', None)
    """
    from difflib import get_close_matches

    folded: dict[str, str] = {}
    for known in sorted(words):
        folded.setdefault(known.casefold(), known)
    word = word.casefold()
    likely: Iterable[str] = folded
    if len(folded) > _MANY:
        likely = [word] if word in folded else [known for known in folded if _is_one_off(word, known)]
    found = get_close_matches(word, likely, n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def _is_one_off(one: str, other: str) -> bool:
    """Tell whether one letter more, less or other makes one word of another."""
    shorter, longer = sorted((one, other), key=len)
    if len(longer) - len(shorter) > 1:
        return False
    at = next((at for at, letter in enumerate(shorter) if letter != longer[at]), len(shorter))
    return shorter[at + (len(longer) == len(shorter)) :] == longer[at + 1 :]


def checked_reading(fields: object) -> Reading:
    """Return the `fields=` setting, every name and every reader checked."""
    if not hasattr(fields, "keys"):
        raise InputTypeError(
            'fields must be a mapping of a field to a key or a function, such as {"text": "page_content"}; '
            f"found {described(fields)}",
            path="fields", field="fields", found=fields,
        )  # fmt: skip
    reading: dict[str, str | Callable[[Any], Any]] = {}
    for name, reader in dict(fields).items():  # type: ignore[call-overload]
        path = f"fields[{name!r}]"
        if name not in READ:
            raise InputError(_no_such_field(name), path=path, field="fields", found=name)
        if not isinstance(reader, str) and not callable(reader):
            raise InputTypeError(
                f"{path} must be the name of a key or a function of the snippet; found {described(reader)}",
                path=path, field="fields", found=reader,
            )  # fmt: skip
        reading[name] = reader
    for one, other, what in (("cost", "tokens", "the snippet's tokens"), ("scores", "score", "its scores")):
        if one in reading and other in reading:
            raise InputError(
                f"fields maps both {one} and {other}, which are one thing: {what}; drop one",
                path="fields", field="fields", found=fields,
            )  # fmt: skip
    return reading


def _no_such_field(name: object) -> str:
    likely = nearest_field(name) if isinstance(name, str) else None
    hint = f"; did you mean {likely!r}?" if likely else f"; the fields are {', '.join(sorted(READ))}"
    return f"fields has the key {described(name)}, which is no field of a snippet{hint}"
