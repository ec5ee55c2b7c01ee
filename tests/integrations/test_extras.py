"""Integrations are imported by nobody but their users, and say which extra they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

PACKAGES = {
    "langchain": ("langchain_core", "haversack[langchain]"),
    "langchain_agents": ("langchain", "haversack[langchain]"),
    "openai_agents": ("agents", "haversack[openai-agents]"),
    "pydantic_ai": ("pydantic_ai", "haversack[pydantic-ai]"),
}


@pytest.mark.parametrize("module", PACKAGES)
def test_a_missing_package_is_said_with_the_extra_to_install(module: str) -> None:
    """The error is an ImportError with the line to type."""
    package, extra = PACKAGES[module]
    program = f"""
import sys
sys.modules[{package!r}] = None
try:
    import haversack.integrations.{module}
except ImportError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert extra in result.stdout


def test_importing_the_package_loads_neither_chat_nor_integrations() -> None:
    """`import haversack` stays small."""
    program = (
        "import sys, haversack; print([m for m in sys.modules if 'integrations' in m or 'langchain' in m])"
    )

    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert result.stdout.strip() == "[]"
