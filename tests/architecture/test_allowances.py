"""The list of exceptions only shrinks."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def growth(text: str) -> list[str]:
    """Complaints about an allow-list: more entries than its ceiling, fewer than it, or an entry without a reason."""
    tables: dict[str, Any] = tomllib.loads(text)
    ceiling = int(tables.pop("ceiling"))
    entries = [(rule, name, reason) for rule, table in tables.items() for name, reason in table.items()]
    complaints = [f"{rule}: {name} has no reason" for rule, name, reason in entries if len(str(reason).split()) < 4]
    if len(entries) != ceiling:
        complaints.append(f"{len(entries)} exceptions, and the ceiling says {ceiling}")
    return complaints


def test_the_list_of_exceptions_is_as_long_as_its_ceiling_says(root: Path) -> None:
    """Our promise (CONTRIBUTING): an exception needs a reason, and one that goes lowers the ceiling."""
    assert growth((root / "tests" / "architecture" / "allowances.toml").read_text("utf-8")) == []


def test_an_exception_too_many_or_without_a_reason_is_reported() -> None:
    """The rule itself must be able to fail."""
    assert growth('ceiling = 0\n[sizes]\n"a.py" = "long"\n') == [
        "sizes: a.py has no reason",
        "1 exceptions, and the ceiling says 0",
    ]
