"""Cases from public threads about what a fresh install does, each under its id: the wheel of this tree, and no other.

The long ones install from an index; they run with ``UPHELD_EXAMPLES=10`` or more.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="nothing builds a wheel here")

IS_LONG = float(os.environ.get("UPHELD_EXAMPLES", "1")) >= 10
EXTRAS = ("cli", "client", "mcp", "postgres", "server", "telemetry")
"""Optional parts that are installed by the long cases; the others bring models or build a library."""

BACKEND = """
import sys
from upheld import Conversation
from upheld.conversation.wiring import opened_store
from upheld.record.ledger.search import Query

with opened_store(sys.argv[1]) as store:
    talk = Conversation({"ann": "user"}, id="first-call", store=store)
    talk.observe("ann", "o1", "The heliotrope is in bloom.")
    print(*(each.id for each in store.find(Query(words="heliotrope"))))
    print(store.drop(talk.id, reason="the end of the case").entries)
    print(len(store.find(Query(words="heliotrope"))), "first-call" in store.conversations())
"""
"""Begin, add, search and delete, as the first things that anybody does with a store."""

ENTRY_POINTS = """
from upheld.faces.cli import main
from upheld.faces.client import Client
from upheld.faces.mcp import part
from upheld.faces.server.telemetry import collecting
from upheld.faces.service.description import description
from upheld.record.stores.postgres.store import PostgresStore

assert '"/v1/conversations"' in description()
"""
"""What each optional part is entered by; the description is made of every model of the service."""


def run(python: Path, *words: str, flags: tuple[str, ...] = ("-I",)) -> str:
    """Give what a program prints; nothing of this process's own packages is in its way."""
    done = subprocess.run([python, *flags, *words], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree; nothing is fetched to build it."""
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def tables(root: Path) -> dict[str, list[str]]:
    """What ``pyproject.toml`` requires: without an extra under "", and by extra."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return {"": project["dependencies"], **project["optional-dependencies"]}


def name_of(requirement: str) -> str:
    """Give the name of what is required."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None, requirement
    return found[0]


def oldest(tables: dict[str, list[str]]) -> list[str]:
    """Give the lowest version of everything that the long cases install; whatever those require is as new as may be."""
    lowest: dict[str, str] = {}
    for each in (line for extra in ("", *EXTRAS) for line in tables[extra]):
        found = re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?>=([^,;\s]+)", each)
        assert found is not None, f"{each} has no lower bound"
        assert lowest.setdefault(found[1], found[2]) == found[2], f"{found[1]} has two lower bounds"
    return [f"{name}=={version}" for name, version in lowest.items()]


def first_program(root: Path) -> tuple[str, str]:
    """Give the first program of the README, and what it says that this prints."""
    text = (root / "README.md").read_text("utf-8")
    found = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1], found[2]


def test_the_wheel_alone_runs_the_first_program_of_the_readme(
    root: Path, wheel: Path, tables: dict[str, list[str]], tmp_path: Path
) -> None:
    """C-53 (graphiti #1893, pygarg): nothing but the wheel and what it requires, and every file that it needs is in."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "wheel")
    required = tmp_path / "required"
    required.mkdir()
    # six: python-sat requires it, and whoever asks pip for the wheel gets it.
    for found in map(distribution, (*map(name_of, tables[""]), "six")):
        tops = {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}
        for top in tops:
            (required / top).symlink_to(Path(str(found.locate_file(top))))
    begin = f"import sys; sys.path[:0] = {[str(tmp_path / 'wheel'), str(required)]!r}\n"
    program, printed = first_program(root)
    alone = ("-I", "-S", "-W", "error")
    assert run(Path(sys.executable), "-c", begin + program, flags=alone) == printed
    for address in ("ephemeral:", f"sqlite:///{tmp_path}/t.db"):
        assert run(Path(sys.executable), "-c", begin + BACKEND, address, flags=alone) == "o1\n3\n0 False\n"
    assert not {"rich", "typer", "fastapi", "numpy"} & {each.name for each in required.iterdir()}


@pytest.mark.parametrize("backend", ["ephemeral", "sqlite", "postgres"])
def test_every_backend_that_the_pages_name_works_from_the_first_call_on(
    request: pytest.FixtureRequest, backend: str, root: Path, tmp_path: Path
) -> None:
    """C-54 (graphiti #1258, #1112): begin, add, search, delete, in a process of its own."""
    address = {"ephemeral": "ephemeral:", "sqlite": f"sqlite:///{tmp_path}/t.db"}.get(backend)
    begin = f"import sys; sys.path.insert(0, {str(root / 'src')!r})\n"
    told = run(Path(sys.executable), "-c", begin + BACKEND, address or request.getfixturevalue("postgres"))
    assert told == "o1\n3\n0 False\n"


@pytest.mark.skipif(not IS_LONG, reason="installs from an index: UPHELD_EXAMPLES=10")
@pytest.mark.parametrize("age", ["newest", "oldest"])
def test_a_fresh_install_works_with_the_newest_and_the_oldest_that_is_allowed(
    age: str, root: Path, wheel: Path, tables: dict[str, list[str]], tmp_path: Path, postgres: str
) -> None:
    """C-53 and C-54: install, import, run the README's first program, and each backend from the first call on."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    bounds = tmp_path / "bounds.txt"
    bounds.write_text("\n".join(oldest(tables) if age == "oldest" else ()), "utf-8")
    run(python, "-m", "pip", "install", "-q", "-c", str(bounds), f"{wheel}[{','.join(EXTRAS)}]")
    program, printed = first_program(root)
    assert run(python, "-c", program) == printed
    run(python, "-c", ENTRY_POINTS)
    assert run(python, "-m", "upheld.faces.cli", "--version").startswith("upheld ")
    for address in ("ephemeral:", f"sqlite:///{tmp_path}/t.db", postgres):
        assert run(python, "-c", BACKEND, address) == "o1\n3\n0 False\n"
    if age == "oldest":
        listed = run(python, "-m", "pip", "list", "--format", "freeze").lower().splitlines()
        assert any(each.startswith("pyyaml==6.0.1") for each in listed)
