"""Names: a term of the field keeps its meaning, and empty words are not names (CONTRIBUTING, Names)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

CLASS_ENDINGS = ("Manager", "Handler", "Helper", "Service", "Processor", "Data", "Info", "Base", "Impl")
CLASS_BEGINNINGS = re.compile(r"Abstract|I[A-Z][a-z]")
TERMS_OF_THE_FIELD = {"OrderedBase"}
MODULES = {"utils", "util", "helpers", "helper", "common", "misc", "base", "core"}
FUNCTIONS = re.compile(r"_*(process|handle|manage|do|run_all)(_\w+)?$")
VARIABLES = {"model"}
QUESTION_WORDS = {"can", "may", "must", "should", "are", "was", "were", "did"}


def badly_named(path: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Offender and complaint for each name that says nothing, or says something else than the field does."""
    for part in PurePosixPath(path).with_suffix("").parts:
        if part in MODULES:
            yield path, f"module or folder {part!r}"
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) if is_empty_class_name(name):
                yield f"{path}:{name}", "class name that fits anything"
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield from badly_named_function(path, node)
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) if name in VARIABLES:
                yield f"{path}:{name}", "say which: EpistemicModel, or llm"
            case _:
                pass


def is_empty_class_name(name: str) -> bool:
    """Tell whether a class name would fit any class."""
    bare = name.lstrip("_")
    return bare not in TERMS_OF_THE_FIELD and bool(bare.endswith(CLASS_ENDINGS) or CLASS_BEGINNINGS.match(bare))


def badly_named_function(path: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, str]]:
    """Verbs that fit anything, and public truth values whose name is no question."""
    if FUNCTIONS.match(node.name):
        yield f"{path}:{node.name}", "function name that fits anything"
    gives_bool = isinstance(node.returns, ast.Name) and node.returns.id == "bool"
    word = node.name.split("_")[0]
    if gives_bool and not (node.name.startswith("_") or word.endswith("s") or word in QUESTION_WORDS):
        yield f"{path}:{node.name}", "a truth value reads as a question: is_, has_, knows_"


def test_every_name_in_the_package_says_what_it_is(
    modules: dict[str, str], allowances: dict[str, dict[str, str]]
) -> None:
    """Our promise (CONTRIBUTING, Names). Both ways: an exception that is no longer needed must go."""
    complaints = {name: why for path, text in modules.items() for name, why in badly_named(path, ast.parse(text))}
    assert {name: why for name, why in complaints.items() if name not in allowances["names"]} == {}
    assert sorted(set(allowances["names"]) - set(complaints)) == []


def test_names_without_meaning_are_reported() -> None:
    """The rule itself must be able to fail, and terms of the field must pass."""
    sample = """
class TurnManager: pass
class AbstractStore: pass
class OrderedBase: pass
class ISOClock: pass
def process_turn(model): pass
def domain(): pass
def grounded(x) -> bool: pass
def knows(x) -> bool: pass
"""
    offenders = [name for name, _ in badly_named("utils/turns.py", ast.parse(sample))]
    assert sorted(offenders) == [
        "utils/turns.py",
        "utils/turns.py:AbstractStore",
        "utils/turns.py:TurnManager",
        "utils/turns.py:grounded",
        "utils/turns.py:model",
        "utils/turns.py:process_turn",
    ]
