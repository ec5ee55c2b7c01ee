"""The same words are not paid for twice: duplicates stand back before anything is solved.

Off unless asked for. The columns that are shown stay the caller's; those that are solved differ.
"""

from __future__ import annotations

from haversack._model import Model, tabled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def count_duplicates(model: Model) -> int:
    """Return how many snippets repeat the text of an earlier one, whether they were packed or not."""
    texts = [text for text in model.texts(range(len(model.objects))) if text is not None]
    return len(texts) - len(set(texts))


def settled(model: Model, duplicates: str | None) -> Model:
    """Return the model in which identical texts compete once: the pinned, the most valuable, the first."""
    if duplicates is None:
        return model
    from haversack.values.copies import identical

    standing = identical(model.texts(range(len(model.objects))), model.values, model.pinned)
    return without(model, {at: held for at, held in enumerate(standing) if held != at})


def without(model: Model, stands: dict[int, int]) -> Model:
    """Return the model in which no key of *stands* is ever chosen: the text at its value stands for it."""
    if not stands:
        return model
    from haversack._coerce import Table

    def table(values: list[int | float]) -> Table:
        texts = model.texts(range(len(model.objects)))
        return Table(model.ids, model.costs, values, model.pinned, model.valued_by, texts)

    # What is worth nothing is never chosen; 0 times a value keeps its type, and that of the sum.
    solved = [0 * value if at in stands else value for at, value in enumerate(model.values)]
    made = tabled(model.objects, table(model.values))
    made.stands, made.solved = stands, tabled(model.objects, table(solved))
    return made


def copy_of(model: Any, position: int) -> str | int | None:
    """Return the id of the snippet that stands for a duplicate, None for any other."""
    stands = model.stands
    return model.ids[stands[position]] if stands and position in stands else None
