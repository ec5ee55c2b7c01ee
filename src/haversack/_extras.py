"""The error for a feature whose package is not installed."""

from __future__ import annotations

from haversack.exceptions import PackingError


class MissingExtraError(PackingError, ImportError):
    """A feature needs a package that is not installed; the message says which command installs it.

    >>> str(MissingExtraError("exact counting", "tokens"))
    "exact counting needs an optional package: pip install 'haversack[tokens]'"
    """

    def __init__(self, feature: str, extra: str, more: str = "") -> None:
        self.feature = feature
        self.extra = extra
        self.more = more
        super().__init__(f"{feature} needs an optional package: pip install 'haversack[{extra}]'{more}")

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str, str]]:
        return type(self), (self.feature, self.extra, self.more)
