"""Sizes: what one person can hold in the head (docs/architecture.md, Sizes)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

FILE_LINES, CLASS_LINES, FUNCTION_LINES = 450, 300, 60
PARAMETERS, PACKAGE_MODULES, FOLDER_DEPTH = 8, 12, 3


def oversized(files: dict[str, str]) -> dict[str, str]:
    """Offender → complaint, for every limit; Python is looked into, other text is only counted."""
    complaints: dict[str, str] = {}
    for path, text in files.items():
        lines = text.count("\n")
        if lines > FILE_LINES:
            complaints[path] = f"{lines} lines, limit {FILE_LINES}"
        if len(PurePosixPath(path).parts) - 1 > FOLDER_DEPTH:
            complaints[f"{path} (depth)"] = f"deeper than {FOLDER_DEPTH} folders"
        if path.endswith(".py"):
            complaints |= dict(large_definitions(path, ast.parse(text)))
    return complaints | crowded(files)


def large_definitions(path: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Classes and functions over their limits."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and length(node) > CLASS_LINES:
            yield f"{path}:{node.name}", f"class of {length(node)} lines, limit {CLASS_LINES}"
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if length(node) > FUNCTION_LINES:
                yield f"{path}:{node.name}", f"function of {length(node)} lines, limit {FUNCTION_LINES}"
            count = parameters(node.args)
            if count > PARAMETERS:
                yield f"{path}:{node.name}()", f"{count} parameters, limit {PARAMETERS}: it wants a type"


def length(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the first to the last, decorators apart."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def parameters(arguments: ast.arguments) -> int:
    """How many parameters a caller may give; ``self`` and ``cls`` are not given."""
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    given = [name for name in named if name.arg not in {"self", "cls"}]
    return len(given) + bool(arguments.vararg) + bool(arguments.kwarg)


def crowded(files: dict[str, str]) -> dict[str, str]:
    """Packages with too many modules."""
    folders = Counter(
        str(PurePosixPath(path).parent) for path in files if path.endswith(".py") and not path.endswith("__init__.py")
    )
    return {
        folder: f"{count} modules, limit {PACKAGE_MODULES}"
        for folder, count in folders.items()
        if count > PACKAGE_MODULES
    }


def test_nothing_in_the_package_is_larger_than_its_limit(root: Path, allowances: dict[str, dict[str, str]]) -> None:
    """Our promise (docs/architecture.md, Sizes). Both ways: an exception that is no longer needed must go."""
    package = root / "src" / "upheld"
    files = {
        path.relative_to(package).as_posix(): path.read_text("utf-8")
        for path in package.rglob("*")
        # What `make page` built is not written here.
        if path.suffix in {".py", ".js", ".css", ".html"} and "static" not in path.parts
    }
    complaints = oversized(files)
    assert {name: why for name, why in complaints.items() if name not in allowances["sizes"]} == {}
    assert sorted(set(allowances["sizes"]) - set(complaints)) == []


def test_each_limit_is_reported_when_it_is_passed() -> None:
    """The rule itself must be able to fail."""
    long_function = "def slow():\n" + "    pass\n" * 60
    wide = f"def wide(self, {', '.join('abcdefgh')}, *rest):\n    pass\n"
    samples = {
        "long.js": "\n" * 451,
        "a/b/c/d/deep.py": "",
        "slow.py": long_function,
        "wide.py": wide,
        "large.py": "class Large:\n" + "    x = 1\n" * 300,
        **{f"crowd/m{number}.py": "" for number in range(13)},
    }
    offenders = {"long.js", "a/b/c/d/deep.py (depth)", "slow.py:slow", "wide.py:wide()", "large.py:Large", "crowd"}
    assert set(oversized(samples)) == offenders
