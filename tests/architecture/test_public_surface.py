"""What the package promises to keep."""

from __future__ import annotations

import ast
from pathlib import Path

MOST_NAMES = 20


def exported(text: str) -> list[str]:
    """The names in ``__all__`` of a module's text."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def pinned(text: str) -> list[str]:
    """The names in a list with comments."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def crowded(modules: dict[str, str]) -> list[str]:
    """Packages that export more names than a reader takes in."""
    return [path for path, text in modules.items() if len(exported(text)) > MOST_NAMES]


def test_the_public_names_are_the_pinned_ones(root: Path) -> None:
    """Our promise (docs/architecture.md): adding or removing a public name is a decision, not a side effect."""
    names = exported((root / "src" / "upheld" / "__init__.py").read_text("utf-8"))
    assert sorted(names) == sorted(pinned((Path(__file__).parent / "public_surface.txt").read_text("utf-8")))
    assert len(names) == len(set(names))


def test_no_package_exports_more_than_twenty_names(modules: dict[str, str]) -> None:
    """Docs/architecture.md, Sizes."""
    assert crowded(modules) == []


def test_a_new_name_and_a_crowded_package_are_reported() -> None:
    """The rules must be able to fail."""
    assert exported("__all__ = ['a', 'b']") != pinned("# only one\na\n")
    assert crowded({"m/__init__.py": f"__all__ = {[f'n{number}' for number in range(21)]}"}) == ["m/__init__.py"]
