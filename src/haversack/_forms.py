"""The forms of a snippet: its own text, called `full` unless `form` names it, and its variants."""

from __future__ import annotations

from math import isfinite

from haversack._fields import SCORES, nearest, refuse_scores
from haversack._numbers import Place, cost_of, described, value_of
from haversack._snippet import Variant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from haversack._shapes import Fields

FULL = "full"
_OWN = ("text", "tokens", "value")
_VARIANT = frozenset(("name", "text", "cost", "tokens", "value"))


class Form:
    """One way to put a snippet. What is None is filled in before the packing is modelled."""

    __slots__ = ("at", "cost", "name", "owner", "text", "value")

    def __init__(
        self,
        name: str,
        text: str | None,
        cost: int | None,
        value: int | float | None,
        owner: Place,
        at: int = -1,
    ) -> None:
        self.name = name
        self.text = text
        self.cost = cost
        self.value = value
        self.owner = owner
        self.at = at

    @property
    def place(self) -> Place:
        """Where it stands: the snippet itself, or one of its variants."""
        return self.owner if self.at < 0 else _place(self.owner, self.at)


def _place(owner: Place, at: int) -> Place:
    return Place(owner.path("variants"), at, owner.id)


def forms_of(one: Fields, place: Place) -> list[Form]:
    """Return a snippet's forms: its own first, if it says anything about it, then the variants as given.

    >>> place = Place("snippets", 0)
    >>> [form.name for form in forms_of({"cost": 9, "variants": [{"name": "title", "cost": 1}]}, place)]
    ['full', 'title']
    """
    variants = one.get("variants")
    if variants is None:
        return [_own(one, place)]
    if isinstance(variants, str | bytes) or hasattr(variants, "keys") or not hasattr(variants, "__iter__"):
        place.refuse_type(
            "variants", f'must be a list of forms such as {{"name": "summary", "cost": 40, "value": 2}}; '
            f"found {described(variants)}", variants,
        )  # fmt: skip
    forms = []
    listed = list(variants)
    if one.get("cost") is not None or not listed or any(one.get(field) is not None for field in _OWN):
        forms.append(_own(one, place))
    for at, variant in enumerate(listed):
        plain = type(variant) is dict and _VARIANT.issuperset(variant)
        forms.append(
            (plain and _plain(variant.get("name"), variant, place, at)) or _variant(variant, place, at)
        )
    if len(forms) > 1 and len({form.name for form in forms}) < len(forms):
        _refuse_repeated(forms, place)
    return forms


def _own(one: Fields, place: Place) -> Form:
    name = one.get("form") or FULL
    if not isinstance(name, str):
        place.refuse_type("form", f"must be the name of the form, a str; found {described(name)}", name)
    return _plain(name, one, place, -1) or _form(name, one, place, -1)


def _plain(name: Any, fields: Fields, owner: Place, at: int) -> Form | None:
    """Read the commonest kind of fields at once; None where anything is out of the ordinary."""
    get = fields.get
    text, cost, value = get("text"), get("cost"), get("value")
    if type(name) is not str or not name or type(cost) is not int or cost < 0 or "tokens" in fields:
        return None
    if type(value) is not int and not (type(value) is float and isfinite(value)):
        return None
    return Form(name, text, cost, value, owner, at) if text is None or type(text) is str else None


def _variant(variant: Any, owner: Place, at: int) -> Form:
    place = _place(owner, at)
    fields = _variant_fields(variant, place)
    name = fields.get("name")
    if not isinstance(name, str) or not name:
        word = "is missing" if name is None else f"must be a str that is not empty; found {described(name)}"
        message = f'{word}: a form is chosen by name, as in "summary"'
        if name is None or isinstance(name, str):
            place.refuse("name", message, name)
        place.refuse_type("name", message, name)
    return _form(name, fields, owner, at)


def _variant_fields(variant: Any, place: Place) -> Fields:
    if isinstance(variant, Variant):
        return {name: getattr(variant, name) for name in Variant.__slots__}
    if hasattr(variant, "model_dump") and not isinstance(variant, type):
        variant = variant.model_dump()
    if not hasattr(variant, "keys"):
        named = {name: getattr(variant, name, None) for name in _VARIANT}
        if named["name"] is None or callable(named["name"]):
            place.refuse_type(
                None, "must be a mapping or a haversack.Variant, with name, text, cost, value; "
                f"found {described(variant)}", variant,
            )  # fmt: skip
        return named
    if not _VARIANT.issuperset(variant):
        key = next(key for key in variant if key not in _VARIANT)
        if key in SCORES:
            refuse_scores(key, variant[key], place)
        likely = nearest(str(key), _VARIANT)
        hint = f"did you mean {likely!r}?" if likely else f"its fields are {', '.join(sorted(_VARIANT))}"
        place.refuse(str(key), f"is no field of a variant; {hint}", variant[key])
    return variant if type(variant) is dict else dict(variant)


def _form(name: str, fields: Fields, owner: Place, at: int) -> Form:
    place = owner if at < 0 else _place(owner, at)
    text = fields.get("text")
    if text is not None and not isinstance(text, str):
        place.refuse_type("text", f"must be a str; found {described(text)}", text)
    cost, tokens = fields.get("cost"), fields.get("tokens")
    if cost is not None and tokens is not None:
        place.refuse(
            "tokens",
            "is given beside cost, and they are one thing: drop one; "
            f"found cost {described(cost)}, tokens {described(tokens)}",
            tokens,
        )
    if cost is not None:
        cost = cost_of(cost, place)
    elif tokens is not None:
        cost = cost_of(tokens, place, "tokens")
    value = fields.get("value")
    return Form(name, text, cost, None if value is None else value_of(value, place), owner, at)


def _refuse_repeated(forms: list[Form], place: Place) -> None:
    names = [form.name for form in forms]
    twice = next(name for name in names if names.count(name) > 1)
    why = (
        "; the snippet's own text, cost or value is that form"
        if twice == names[0] and forms[0].at < 0
        else ""
    )
    place.refuse("variants", f"holds the form {twice!r} twice{why}: give each a name of its own", twice)


def refuse_uncounted(rows: list[list[Form]], is_counted: bool) -> None:
    """Refuse forms whose tokens nobody has said, and nobody will count."""
    for forms in rows:
        for form in forms:
            if form.cost is None and not (is_counted and form.text is not None):
                _refuse_uncounted(form, "snippet" if len(forms) == 1 else f"form {form.name!r}", is_counted)


def _refuse_uncounted(form: Form, kind: str, is_counted: bool) -> None:
    if form.text is None:
        lacking = ", and so is the text to count" if is_counted else ""
        message = f"is missing{lacking}: give the tokens of the {kind} as it will be rendered"
    else:
        from haversack.counters._names import listing

        message = (
            f"is missing: give the tokens of the {kind} as it will be rendered, or a counter for its text, "
            f'counter="o200k_base". {listing()}'
        )
    form.place.refuse("cost", message, None)
