"""What may be imported, where, and at what price."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# Third parties each room may import; a room that is not named may import what the package's extras bring.
THIRD_PARTIES = {"logic": {"rpds", "pysat"}, "record": {"rpds", "psycopg", "psycopg_pool"}}
HEAVY = ("typer", "rich", "pydantic", "numpy", "psycopg", "sqlalchemy", "onnxruntime", "fastapi", "mcp")


def foreign(path: str, tree: ast.Module) -> Iterator[str]:
    """Third parties that a room may not import."""
    room = path.split("/")[0].removesuffix(".py")
    if room not in THIRD_PARTIES and room != "errors":
        return
    for name in imported(tree):
        top = name.split(".")[0]
        if top not in sys.stdlib_module_names and top not in {"upheld", *THIRD_PARTIES.get(room, set())}:
            yield f"{path}: {top}"


def imported(tree: ast.AST) -> Iterator[str]:
    """Dotted names of the modules that a tree imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "." * node.level


def hidden(path: str, tree: ast.Module) -> Iterator[str]:
    """Imports inside functions, and relative ones: both hide an arrow from a reader."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (f"{path}:{node.name} imports {name}" for name in imported(node))
        if isinstance(node, ast.ImportFrom) and node.level:
            yield f"{path} imports relatively"


def loaded_by(statement: str, folder: Path) -> set[str]:
    """Modules that a fresh interpreter holds after a statement."""
    program = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    return set(run.stdout.split())


def test_logic_and_record_import_only_what_they_are_allowed(modules: dict[str, str]) -> None:
    """Docs/architecture.md, What may be imported."""
    assert [line for path, text in modules.items() for line in foreign(path, ast.parse(text))] == []


def test_no_import_hides_inside_a_function(modules: dict[str, str], allowances: dict[str, dict[str, str]]) -> None:
    """Our promise (CONTRIBUTING): a ring of imports is broken by moving code down, never by importing late."""
    found = {line for path, text in modules.items() for line in hidden(path, ast.parse(text))}
    assert sorted(found - set(allowances["imports"])) == []
    assert sorted(set(allowances["imports"]) - found) == []


def test_importing_upheld_loads_nothing_heavy(root: Path) -> None:
    """Our promise (README): the bare install imports no screen, no arrays and no schema library."""
    loaded = loaded_by("import upheld", root / "src")
    assert "upheld" in loaded
    assert sorted(loaded & set(HEAVY)) == []


def test_a_heavy_import_is_noticed(tmp_path: Path) -> None:
    """The rule itself must be able to fail."""
    (tmp_path / "numpy.py").write_text("", "utf-8")
    (tmp_path / "weighty.py").write_text("import numpy\n", "utf-8")
    assert "numpy" in loaded_by("import weighty", tmp_path) & set(HEAVY)


def test_foreign_and_hidden_imports_are_reported() -> None:
    """Both rules must be able to fail, and must let pass what is allowed."""
    sample = ast.parse("import json, yaml\nimport pysat.solvers\nfrom upheld import errors\n")
    assert list(foreign("logic/a.py", sample)) == ["logic/a.py: yaml"]
    assert list(foreign("speech/a.py", sample)) == []
    late = ast.parse("def f():\n    import json\n\nfrom . import g\n")
    assert sorted(hidden("a.py", late)) == ["a.py imports relatively", "a.py:f imports json"]
