"""Every public name says what it is, and every test says who demands it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def undocumented(path: str, tree: ast.Module) -> Iterator[str]:
    """Public module, classes, functions and methods without a docstring; what is nested in a function is private."""
    if not ast.get_docstring(tree):
        yield path
    pending: list[tuple[str, ast.Module | ast.ClassDef]] = [(path, tree)]
    while pending:
        prefix, parent = pending.pop()
        for node in parent.body:
            if not isinstance(node, Documented) or node.name.startswith("_"):
                continue
            name = f"{prefix}:{node.name}"
            if not ast.get_docstring(node) and not is_overload(node):
                yield name
            if isinstance(node, ast.ClassDef):
                pending.append((name, node))


def is_overload(node: Documented) -> bool:
    """Tell whether a definition only types another one."""
    return any(isinstance(mark, ast.Name) and mark.id in {"overload", "override"} for mark in node.decorator_list)


def weak_tests(path: str, tree: ast.Module) -> Iterator[str]:
    """Tests that do not say who demands them, or whose name is no sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            if not ast.get_docstring(node):
                yield f"{path}:{node.name} has no docstring"
            if node.name.count("_") < 3:
                yield f"{path}:{node.name} is no sentence"


def test_every_public_name_of_the_package_is_documented(
    modules: dict[str, str], allowances: dict[str, dict[str, str]]
) -> None:
    """Our promise (CONTRIBUTING): one sentence at least, on everything that does not begin with an underscore."""
    bare = {name for path, text in modules.items() for name in undocumented(path, ast.parse(text))}
    assert sorted(bare - set(allowances["docstrings"])) == []
    assert sorted(set(allowances["docstrings"]) - bare) == []


def test_every_test_is_a_sentence_and_says_who_demands_it(root: Path) -> None:
    """Our promise (CONTRIBUTING, Tests): a source with its section, a promise of ours, or a pinned gap."""
    tests = root / "tests"
    weak = [
        complaint
        for path in sorted(tests.rglob("test_*.py"))
        for complaint in weak_tests(path.relative_to(tests).as_posix(), ast.parse(path.read_text("utf-8")))
    ]
    assert weak == []


def test_no_folder_of_tests_is_a_package(root: Path) -> None:
    """Tests are imported by path, so that two files may have one name; a package would bind them to a folder again."""
    assert [path.as_posix() for path in (root / "tests").rglob("__init__.py")] == []


def test_what_has_no_docstring_is_reported() -> None:
    """Both rules must be able to fail."""
    sample = "class Public:\n    def method(self): pass\n    def _private(self): pass\n"
    assert sorted(undocumented("m.py", ast.parse(sample))) == ["m.py", "m.py:Public", "m.py:Public:method"]
    weak = list(weak_tests("t.py", ast.parse("def test_it(): pass\n")))
    assert weak == ["t.py:test_it has no docstring", "t.py:test_it is no sentence"]
