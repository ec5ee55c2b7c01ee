"""The sentence for a package that is not installed."""

from __future__ import annotations


def missing(package: str, extra: str) -> ImportError:
    """The error for an integration whose framework is not installed."""
    return ImportError(
        f"haversack.integrations needs {package}: pip install 'haversack[{extra}]'", name=package
    )
