"""The `sections=` setting: named parts with caps, parents and floors, checked and resolved to tokens."""

from __future__ import annotations

from math import isfinite

from haversack._fields import nearest
from haversack._figures import number
from haversack._numbers import described, real, whole
from haversack._record import Record
from haversack._snippet import Section
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NoReturn

_FIELDS = frozenset(Section.__slots__)
_LONGEST_SHARE = 60  # digits of a percentage: more than any sense, fewer than Python refuses to read


def checked_sections(found: Any) -> dict[str, Section]:
    """Return the setting with every cap, parent and floor checked.

    >>> checked_sections({"docs": {"cap": "30%"}})
    {'docs': Section(cap='30%')}
    """
    if not hasattr(found, "keys"):
        raise InputTypeError(
            'sections must be a mapping of a name to its cap, such as {"docs": {"cap": 2000}}; '
            f"found {described(found)}",
            path="sections", field="sections", found=found,
        )  # fmt: skip
    sections = {}
    for name in found:
        if not isinstance(name, str) or not name:
            _refuse(
                "sections", f"must be named by a str that is not empty; found {described(name)}", name, True
            )
        sections[name] = _section(found[name], f"sections[{name!r}]")
    for name, section in sections.items():
        if section.parent is not None and section.parent not in sections:
            likely = nearest(section.parent, sections)
            hint = f"did you mean {likely!r}?" if likely else f"declared are {', '.join(map(repr, sections))}"
            path = f"sections[{name!r}].parent"
            _refuse(path, f"names {section.parent!r}, which is not declared; {hint}", section.parent)
    _refuse_cycles(sections)
    return sections


def _section(found: Any, path: str) -> Section:
    if isinstance(found, Section):
        found = {name: getattr(found, name) for name in Section.__slots__}
    if found is None:
        found = {}
    if not hasattr(found, "keys"):
        shown = described(found)
        cap = f'"{found}"' if isinstance(found, str) and _percentage(found) else real(found) or 2000
        _refuse(path, f'must be a mapping such as {{"cap": {cap}}}, or a Section; found {shown}', found, True)
    for key in found:
        if key not in _FIELDS:
            likely = nearest(str(key), _FIELDS)
            hint = f"did you mean {likely!r}?" if likely else "it has cap, parent and floor"
            _refuse(f"{path}.{key}", f"is no field of a section; {hint}", found[key])
    parent = found.get("parent")
    if parent is not None and not isinstance(parent, str):
        _refuse(f"{path}.parent", f"must be the name of a section; found {described(parent)}", parent, True)
    cap, floor = found.get("cap"), found.get("floor")
    return Section(
        None if cap is None else _cap(cap, f"{path}.cap"), parent,
        None if floor is None else _floor(floor, f"{path}.floor"),
    )  # fmt: skip


def _cap(found: Any, path: str) -> int | float | str:
    """Return a cap: tokens, a share between 0 and 1, or a percentage."""
    if isinstance(found, str):
        share = _percentage(found)
        if share is None:
            hint = f": without quotes {found}" if found.isascii() and found.isdecimal() else ""
            _refuse(
                path,
                f'must be tokens{hint}, or a share such as 0.3 or "30%"; found {described(found)}',
                found,
            )
        if share[0] > share[1]:
            _refuse(path, f'must not be more than "100%"; found {described(found)}', found)
        return found
    cap = real(found)
    if cap is None:
        _refuse(
            path, "must be tokens (an int >= 0), or a share: a float between 0 and 1, or \"30%\"; "
            f"found {described(found)}", found, True,
        )  # fmt: skip
    if cap != cap or cap < 0:
        word = "negative" if cap < 0 else "NaN"
        right = "it is tokens, 0 or more, or a share between 0 and 1"
        _refuse(path, f"must not be {word}: {right}; found {described(found)}", found)
    if isinstance(cap, float) and not 0 < cap < 1:
        meant = f"is a float, so a share: strictly between 0 and 1; {_meant(cap)}"
        _refuse(path, f"{meant}; found {described(found)}", found)
    return cap


def _meant(cap: float) -> str:
    """Say how to write what a float that is no share may have been meant for."""
    if not isfinite(cap):
        return "for no cap leave it out"
    if not cap.is_integer():
        return "for tokens write a whole number"
    return f"for tokens write {int(cap)}" + ('; for all of it "100%"' if cap == 1 else "")


def _floor(found: Any, path: str) -> int:
    floor = whole(found)
    if floor is None:
        _refuse(path, f"must be a number of tokens, an int >= 0; found {described(found)}", found, True)
    if floor < 0:
        _refuse(path, f"must not be negative: it is a number of tokens; found {described(found)}", found)
    return floor


def _percentage(found: str) -> tuple[int, int] | None:
    """Return a percentage, written as numbers are written elsewhere, as a fraction, or None."""
    from fractions import Fraction

    digits = found.removesuffix("%").removesuffix(" ")
    whole_part, point, rest = digits.partition(".")
    parts = [whole_part, rest] if point else [whole_part]
    if not found.endswith("%") or not all(part.isascii() and part.isdecimal() for part in parts):
        return None
    return (Fraction(digits) / 100).as_integer_ratio() if len(digits) <= _LONGEST_SHARE else None


def _refuse_cycles(sections: Mapping[str, Section]) -> None:
    seen: set[str] = set()
    for start in sections:
        way: dict[str, None] = {}
        name: str | None = start
        while name is not None and name not in seen:
            seen.add(name)
            way[name] = None
            name = sections[name].parent
        if name is not None and name in way:
            _refuse_circle(sections, name)


def _refuse_circle(sections: Mapping[str, Section], start: str) -> NoReturn:
    circle, parent = [start], sections[start].parent
    while parent is not None and parent != start:
        circle.append(parent)
        parent = sections[parent].parent
    chain = " in ".join(map(repr, [*circle, start]))
    _refuse(
        f"sections[{start!r}].parent",
        f"closes a circle: {chain}; one of them must have no parent",
        sections[start].parent,
    )


def _refuse(path: str, message: str, found: object, is_type: bool = False) -> NoReturn:
    kind = InputTypeError if is_type else InputError
    raise kind(f"{path} {message}", path=path, field="sections", found=found)


class Plan(Record):
    """Sections by number: names, parents (-1: the whole) and what they were declared with."""

    __slots__ = ("names", "parents", "declared", "inner_first")

    names: list[str]
    parents: list[int]
    declared: list[Section]
    inner_first: list[int]

    def __init__(self, sections: Mapping[str, Section]) -> None:
        names = list(sections)
        number = {name: at for at, name in enumerate(names)}
        parents = [-1 if one.parent is None else number[one.parent] for one in sections.values()]
        inner_first = _outer_first(parents)[::-1]
        self._fill(names, parents, list(sections.values()), inner_first)

    def caps(self, window: int) -> list[int | None]:
        """Return the caps in tokens; shares are of `window`, budget - reserve, and rounded down."""
        return [tokens_of(section.cap, window) for section in self.declared]

    def limits(self, own: Sequence[int | None]) -> list[int]:
        """Return the tokens that each section's own limit and those around it allow, and the whole's last."""
        whole = own[-1]
        assert whole is not None
        # The last entry is the whole: a parent of -1 finds it.
        limits = [whole] * len(own)
        for section in reversed(self.inner_first):
            one, around = own[section], limits[self.parents[section]]
            limits[section] = around if one is None else min(one, around)
        return limits

    def refuse_floors_above(self, caps: list[int | None]) -> None:
        """Refuse a floor that its own section's cap makes unreachable."""
        for name, section, cap in zip(self.names, self.declared, caps, strict=True):
            if cap is not None and section.floor is not None and section.floor > cap:
                share = f" ({section.cap} of the window)" if section.cap != cap else ""
                floor, most = number(section.floor), number(cap)
                error = InputError(
                    f"sections[{name!r}].floor is {floor} tokens, but its cap is {most}{share}: "
                    f"lower the floor to {most} or raise the cap to {floor}",
                    path=f"sections[{name!r}].floor", field="sections", found=section.floor,
                )  # fmt: skip
                error.conflict = {"section": name, "floor": section.floor, "cap": cap}
                raise error


def _outer_first(parents: list[int]) -> list[int]:
    """Return all sections, each after the one around it."""
    inside: list[list[int]] = [[] for _ in range(len(parents) + 1)]
    for at in range(len(parents) - 1, -1, -1):
        inside[parents[at]].append(at)
    order, level = [], inside[-1][::-1]
    while level:
        order += level
        level = [inner for at in level for inner in inside[at]]
    return order


def tokens_of(cap: int | float | str | None, window: int) -> int | None:
    """Return a cap in tokens: a share is the decimal number it is written as, so that 0.3 of 10 is 3.

    >>> tokens_of(0.3, 10), tokens_of("12.5%", 1000), tokens_of(7, 10)
    (3, 125, 7)
    """
    if cap is None or isinstance(cap, int):
        return cap
    from fractions import Fraction

    if isinstance(cap, str):
        share = _percentage(cap)
        assert share is not None
    else:
        share = Fraction(repr(cap)).as_integer_ratio()
    return share[0] * max(0, window) // share[1]
