"""The source text that the rules are applied to."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def modules(root: Path) -> dict[str, str]:
    """Text of every Python module of the package, by its path from the package's folder."""
    package = root / "src" / "upheld"
    return {path.relative_to(package).as_posix(): path.read_text("utf-8") for path in sorted(package.rglob("*.py"))}


@pytest.fixture(scope="session")
def allowances(root: Path) -> dict[str, dict[str, str]]:
    """Exceptions to the rules, by rule, then by offender, with the reason."""
    text = (root / "tests" / "architecture" / "allowances.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    tables.pop("ceiling")
    return tables
