"""What git would leave out: .gitignore files from the repository's root down, the deepest rule deciding."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from haversack._extras import MissingExtraError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Ignored:
    """The rules in force inside one folder; `inside` adds those of a folder below."""

    __slots__ = ("_rules",)

    def __init__(self, rules: tuple[tuple[str, GitIgnoreSpec], ...] = ()) -> None:
        self._rules = rules

    @classmethod
    def above(cls, folder: str) -> Ignored:
        """Gather the rules of all folders from the repository's root to the parent of `folder`."""
        here = os.path.abspath(folder)
        parents = [here]
        while not os.path.exists(os.path.join(parents[-1], ".git")):
            parent = os.path.dirname(parents[-1])
            if parent == parents[-1]:
                return cls()  # no repository: only what .gitignore files inside the folder say
            parents.append(parent)
        root = parents[-1]
        rules = cls()._with(root, os.path.join(root, ".git", "info", "exclude"))
        for parent in reversed(parents[1:]):
            rules = rules.inside(parent)
        return rules

    def inside(self, folder: str) -> Ignored:
        """Add the rules of the folder's own .gitignore, if it has one."""
        return self._with(os.path.abspath(folder), os.path.join(folder, ".gitignore"))

    def covers(self, path: str, is_folder: bool = False) -> bool:
        """Whether git would leave this path out. Folders above it are taken to have been asked before."""
        place = os.path.abspath(path)
        for base, spec in reversed(self._rules):
            relative = os.path.relpath(place, base) + ("/" if is_folder else "")
            include = spec.check_file(relative).include
            if include is not None:
                return include
        return False

    def _with(self, base: str, file: str) -> Ignored:
        try:
            with open(file, encoding="utf-8", errors="replace") as lines:
                patterns = lines.read().splitlines()
        except OSError:
            return self
        try:
            from pathspec import GitIgnoreSpec
        except ImportError:
            raise MissingExtraError("reading .gitignore", "cli") from None
        return Ignored((*self._rules, (base, GitIgnoreSpec.from_lines(patterns))))
