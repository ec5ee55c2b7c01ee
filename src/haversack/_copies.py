"""The same words are not paid for twice: duplicates stand back, overlaps merge, of near-copies one is in.

Off unless asked for. What was read is rewritten before it is modelled, in the words that a caller could have
used as well: a merged span is a group whose first member bears the joined text and all of the cost,
near-copies are a `one_of`, and a dropped duplicate is worth nothing more. So whatever solves that is exact.
Snippets that the caller has bound (`group`, `requires`, `one_of`, `variants`) are left as they are.
"""

from __future__ import annotations

from haversack._numbers import described, real
from haversack._record import Record
from haversack._settings import refuse_unknown_choice
from haversack.exceptions import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from haversack._coerce import Table
    from haversack._links import Links
    from haversack._numbers import Place
    from haversack._shapes import Fields
    from haversack._spans import Overlapping

    Notes = dict[int, dict[str, Any]]
    Rewrite = Callable[[Sequence[Fields], Sequence[Place], Table], Table]


class Copies(Record):
    """What was found: notes by position, which decisions tell, and counts for the statistics.

    `most` is the bound on all ways to join spans, where the one that was made is not proven the best.
    """

    __slots__ = ("notes", "counts", "most")

    notes: Notes
    counts: dict[str, int]
    most: Any

    def __init__(self, notes: Notes, counts: dict[str, int], most: Any = None) -> None:
        self._fill(notes, counts, most)

    def mark(self, reasons: list[str], start: int, details: list[dict[str, Any]] | None = None) -> None:
        """Put in the reasons of copies and merged spans, of positions from `start` on."""
        for at, noted in self.notes.items():
            if not start <= at < start + len(reasons):
                continue
            if details is not None:
                details[at - start].update(noted)
            if "copy_of" in noted:
                reasons[at - start] = "duplicate"
            elif "copies" in noted and reasons[at - start] == "one_of" and details is not None:
                winner = details[at - start].get("winner")
                if winner in noted["copies"]:
                    reasons[at - start], details[at - start]["copy_of"] = "duplicate", winner
            elif details is not None and reasons[at - start] == "group":
                # A merged span is one snippet: not that its parts hang together, but why it is out counts.
                reasons[at - start] = details[at - start].pop("because")


class Draft:
    """The columns while they are rewritten."""

    def __init__(self, read: Sequence[Fields], places: Sequence[Place], table: Table) -> None:
        from haversack._links import no_links

        self.read = read
        self.places = places
        self.ids = table.ids
        self.forms = table.forms
        self.pinned = table.pinned
        self.valued_by = table.valued_by
        links = table.links or no_links(len(table.ids))
        self.links = links
        self.groups = list(links.groups)
        self.choices = list(links.choices)
        self.bound = _bound(table, links)
        self.excluded: set[int] = set()
        self.most: Any = None
        self.notes: Notes = {}
        self.counts: dict[str, int] = {}

    def text(self, position: int) -> str | None:
        """Return the text of a snippet that has one form."""
        forms = self.forms[position]
        return forms[0].text if len(forms) == 1 else None

    def note(self, position: int, **told: Any) -> None:
        """Tell more of a snippet."""
        self.notes.setdefault(position, {}).update(told)

    def free_name(self, name: str, taken: Sequence[str | None]) -> str:
        """Return a name that no snippet uses yet."""
        while name in taken:
            name += "'"
        return name

    def table(self) -> Table:
        """Return the columns as they are now."""
        from haversack._coerce import Table
        from haversack._links import Links

        old, links = self.links, None
        is_bound = any(old.sections) or any(self.groups) or any(old.requires) or any(self.choices)
        if is_bound or old.has_tiers or self.excluded:
            links = Links(
                old.sections, self.groups, old.requires, self.choices, old.tiers, old.has_tiers,
                frozenset(self.excluded),
            )  # fmt: skip
        copies = Copies(self.notes, self.counts, self.most)
        return Table(self.ids, self.forms, self.pinned, self.valued_by, links, copies)


def checked_copies(duplicates: object, near_copies: object, overlap: object) -> float | None:
    """Check the settings about copies; return the similarity of near-copies."""
    if duplicates is not None and duplicates != "once":
        refuse_unknown_choice("duplicates", duplicates, ("once",))
    if overlap is not None and overlap != "merge":
        refuse_unknown_choice("overlap", overlap, ("merge",))
    if near_copies is None:
        return None
    similarity = real(near_copies)
    if similarity is None or not 0 < similarity <= 1:
        kind = InputTypeError if similarity is None else InputError
        raise kind(
            "near_copies must be a similarity above 0, at most 1 (0.8 or more is sound): texts as alike as "
            f"that are alternatives; found {described(near_copies)}",
            path="near_copies", field="near_copies", found=near_copies,
        )  # fmt: skip
    return float(similarity)


def rewriting(duplicates: str | None, near_copies: float | None, overlap: Overlapping | None) -> Rewrite:
    """Return the function that rewrites what was read."""

    def rewrite(read: Sequence[Fields], places: Sequence[Place], table: Table) -> Table:
        draft = Draft(read, places, table)
        draft.counts["duplicates"] = count_duplicates([draft.text(at) for at in range(len(read))])
        rivals = [] if duplicates is None else _let_one_stand(draft, overlap is not None)
        _exclude(draft, rivals, near_copies)
        if overlap is not None:
            overlap.merge(draft)
        return draft.table()

    return rewrite


def count_duplicates(texts: Sequence[str | None]) -> int:
    """Return how many texts repeat an earlier one.

    >>> count_duplicates(["a", "b", "a", None, None, "a"])
    2
    """
    known = [text for text in texts if text is not None]
    return len(known) - len(set(known))


def _bound(table: Table, links: Links) -> list[bool]:
    """Tell which snippets hang together with others, by the caller's word, or have several forms."""
    needed = {position for positions in links.requires for position in positions}
    return [
        len(table.forms[at]) > 1
        or at in needed
        or bool(links.requires[at])
        or links.groups[at] is not None
        or links.choices[at] is not None
        for at in range(len(table.ids))
    ]


def _let_one_stand(draft: Draft, may_join: bool) -> list[list[int]]:
    """Of identical texts the pinned, else the most valuable one stands; the others add nothing to it.

    A copy that might fit where that one does not, cheaper or in another section or tier, is its alternative:
    return such. But not of a span that may be joined with others.
    """
    from haversack.values.copies import identical

    size = range(len(draft.forms))
    texts = [None if draft.bound[at] and not draft.pinned[at] else draft.text(at) for at in size]
    values = [forms[0].value for forms in draft.forms]
    rivals: dict[int, list[int]] = {}
    for at, stands in enumerate(identical(texts, values, draft.pinned)):
        if stands == at:
            continue
        form = draft.forms[at][0]
        draft.bound[at] = True
        is_span = may_join and draft.read[stands].get("source") is not None
        if draft.pinned[stands] or is_span or _serves_as_well(draft, stands, at):
            draft.note(at, copy_of=draft.ids[stands], value_alone=form.value)
            form.value = 0.0 if isinstance(form.value, float) else 0
        else:
            rivals.setdefault(stands, [stands]).append(at)
    for alike in rivals.values():
        for at in alike:
            draft.note(at, copies=[draft.ids[one] for one in alike])
    return list(rivals.values())


def _serves_as_well(draft: Draft, one: int, other: int) -> bool:
    """Return whether what is worth no less also fits wherever the other does."""
    links, costs = draft.links, [draft.forms[at][0].cost or 0 for at in (one, other)]
    return (
        costs[0] <= costs[1]
        and links.sections[one] == links.sections[other]
        and links.tiers[one] == links.tiers[other]
    )


def _exclude(draft: Draft, rivals: list[list[int]], similarity: float | None) -> None:
    """Make rival copies and near-copies a `one_of`; of several pins all stay, so only the first is in it."""
    from haversack.values.copies import near_copies

    beside = {alike[0]: alike for alike in rivals}
    if similarity is not None:
        draft.counts["near_copies"] = 0
        texts = [None if draft.bound[at] else draft.text(at) for at in range(len(draft.forms))]
        for alike in near_copies(texts, similarity):
            pins = [at for at in alike if draft.pinned[at]]
            some = [at for at in alike if not draft.pinned[at] or at == pins[0]]
            if len(some) > 1:
                draft.counts["near_copies"] += len(some)
                everything = {one for at in some for one in beside.pop(at, [at])}
                _bind_as(draft, "near-copies of", sorted(everything))
    for alike in beside.values():
        _bind_as(draft, "copies of", alike)


def _bind_as(draft: Draft, what: str, alike: list[int]) -> None:
    name = draft.free_name(f"{what} {draft.ids[alike[0]]}", draft.choices)
    for at in alike:
        draft.choices[at] = name
        draft.bound[at] = True


def write_copies(copies: Copies) -> dict[str, Any]:
    """Return what was found as plain JSON types."""
    from haversack._plain import plain

    notes = {str(at): plain(noted) for at, noted in copies.notes.items()}
    return {"notes": notes, "counts": dict(copies.counts), "most": plain(copies.most)}


def read_copies(written: Any, statistics: Mapping[str, Any]) -> Copies:
    """Read what `write_copies` wrote, or where nothing was done about copies, how many there were."""
    if written is None:
        # Of what was left out the texts are gone, so nobody can count again.
        written = {"notes": {}, "counts": {"duplicates": statistics.get("duplicates", 0)}}
    notes = {int(at): dict(noted) for at, noted in written["notes"].items()}
    counts = {str(name): counted for name, counted in written["counts"].items()}
    if not all(type(counted) is int for counted in counts.values()):
        raise TypeError("the counts of copies are whole numbers")
    most = written.get("most")
    return Copies(notes, counts, tuple(most) if isinstance(most, list) else most)
