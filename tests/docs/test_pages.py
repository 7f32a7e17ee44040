"""Pages keep their form: linked, complete, and in step with the code that they name."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

INCLUDE = re.compile(r'^--8<-- "([^"]+)"$', re.MULTILINE)
MODULE = re.compile(r"`(upheld(?:\.\w+)+)`")
DECISION = ["What", "Why", "What was refused", "What would change our mind"]


def pages(root: Path) -> dict[str, str]:
    """Text of every page, by its path below ``docs``."""
    docs = root / "docs"
    return {path.relative_to(docs).as_posix(): path.read_text("utf-8") for path in sorted(docs.rglob("*.md"))}


def headings(text: str) -> list[str]:
    """Second-level headings of a page."""
    return re.findall(r"^## (.+)$", text, re.MULTILINE)


def unknown_modules(text: str) -> list[str]:
    """Modules that a page names and that are not there."""
    return [name for name in MODULE.findall(text) if not exists(name)]


def exists(name: str) -> bool:
    """Tell whether a dotted name is a module."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def fenced(text: str, language: str) -> list[str]:
    """Contents of the fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_every_page_is_in_the_navigation_and_nothing_else(root: Path) -> None:
    """Our promise (CONTRIBUTING): a page that nobody can reach is not documentation."""
    listed = re.findall(r": ([\w/-]+\.md)$", (root / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(pages(root))


def test_every_program_and_output_is_shown_on_a_page(root: Path) -> None:
    """Our promise (docs/architecture.md): docs_src holds the programs shown on the pages, and no others."""
    shown = {name for text in pages(root).values() for name in INCLUDE.findall(text)}
    kept = {path.relative_to(root).as_posix() for path in (root / "docs_src").rglob("tutorial*.*")}
    assert {name for name in kept if not name.endswith(".pyc")} == shown


def test_the_readme_shows_the_first_program_and_its_output(root: Path) -> None:
    """Our promise (README): its program is the one that the tests run, of fifteen lines at most."""
    readme = (root / "README.md").read_text("utf-8")
    program = (root / "docs_src" / "index" / "tutorial001.py").read_text("utf-8")
    assert program in fenced(readme, "python")
    assert (root / "docs_src" / "index" / "tutorial001.txt").read_text("utf-8") in fenced(readme, "text")
    assert len(program.splitlines()) <= 15


def test_a_decision_says_what_was_refused_and_what_would_change_it(root: Path) -> None:
    """Our promise (CONTRIBUTING): a decision page has four parts."""
    decisions = {name: text for name, text in pages(root).items() if name.startswith("decisions/")}
    assert len(decisions) >= 4
    assert {name: headings(text) for name, text in decisions.items() if headings(text) != DECISION} == {}


def test_an_idea_gives_its_definition_its_source_and_its_place_in_the_code(root: Path) -> None:
    """Our promise (CONTRIBUTING): a term of the field is defined, attributed and findable."""
    ideas = {name: text for name, text in pages(root).items() if name.startswith("ideas/")}
    assert len(ideas) >= 7
    parts = ("**Definition.**", "**Source.**", "**In the code.**")
    assert {name for name, text in ideas.items() if not all(part in text for part in parts)} == set()


def test_every_module_that_a_page_names_exists(root: Path) -> None:
    """Our promise (CONTRIBUTING): pages and code are kept equal."""
    missing = {name: unknown_modules(text) for name, text in pages(root).items()}
    assert {name: modules for name, modules in missing.items() if modules} == {}


def test_a_page_out_of_step_is_reported() -> None:
    """The rules must be able to fail."""
    assert unknown_modules("see `upheld.attic.things` and `upheld.errors`") == ["upheld.attic.things"]
    assert headings("## What\n\n### Why\n") == ["What"]
    assert INCLUDE.findall('--8 < --"a.py"\n') == []
