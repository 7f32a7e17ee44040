"""The picture, the table and the contract say one thing, and the contract is kept."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

Layers = list[frozenset[str]]


def contracted(text: str, contract: str) -> Layers:
    """Layers of one contract of ``.importlinter``, top first; the members of one layer are siblings."""
    parser = configparser.ConfigParser()
    parser.read_string(text)
    lines = parser[f"importlinter:contract:{contract}"]["layers"].split("\n")
    return [frozenset(name.strip(" ()") for name in line.split("|")) for line in lines if line.strip()]


def tabled(page: str, heading: str) -> Layers:
    """Layers of the table under a heading: rows of one level are siblings, level 1 is the top."""
    section = page.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (\d+) \| `(\w+)`", section, re.MULTILINE)
    levels = sorted({int(level) for level, _ in rows})
    return [frozenset(name for level, name in rows if int(level) == wanted) for wanted in levels]


def drawn(page: str) -> Layers:
    """Rooms of the picture from top to bottom; rooms on one line are siblings."""
    picture = page.split("```text\n", 1)[1].split("```", 1)[0]
    rooms = ("faces", "conversation", "record", "speech", "logic")
    lines = [
        frozenset(re.findall(r"\w+", line.split("  what")[0].split("?")[0])) & set(rooms)
        for line in picture.split("\n")
    ]
    return [line for line in lines if line]


def lint(folder: Path, source: Path) -> subprocess.CompletedProcess[str]:
    """Run the contracts of a folder over the package that stands in ``source``."""
    program = "import sys; from importlinter.cli import lint_imports_command as lint; lint()"
    environment = {**os.environ, "PYTHONPATH": str(source)}
    return subprocess.run(
        [sys.executable, "-c", program, "--no-cache"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_table_of_rooms_is_the_contract_of_rooms(root: Path) -> None:
    """Docs/architecture.md: code, picture and contract are kept equal."""
    page = (root / "docs" / "architecture.md").read_text("utf-8")
    contract = (root / ".importlinter").read_text("utf-8")
    assert tabled(page, "The rooms") == contracted(contract, "rooms")
    assert tabled(page, "Inside logic") == contracted(contract, "logic")
    assert tabled(page, "Inside faces") == contracted(contract, "faces")
    assert tabled(page, "Inside speech") == contracted(contract, "speech")


def test_the_picture_is_the_contract_of_rooms(root: Path) -> None:
    """Docs/architecture.md: code, picture and contract are kept equal."""
    page = (root / "docs" / "architecture.md").read_text("utf-8")
    rooms = contracted((root / ".importlinter").read_text("utf-8"), "rooms")
    assert drawn(page) == [layer for layer in rooms if not layer & {"testing", "errors"}]


def test_every_import_of_the_package_keeps_the_contracts(root: Path) -> None:
    """Docs/architecture.md: an arrow always points down."""
    result = lint(root, root / "src")
    assert result.returncode == 0, result.stdout + result.stderr


def sample_package(root: Path, folder: Path) -> Path:
    """A package with the rooms' names and nothing in them, under the real contracts."""
    package = folder / "upheld"
    for room in ("", "faces", "faces/cli", "conversation", "record", "speech", "logic", "logic/language", "errors"):
        (package / room).mkdir(parents=True, exist_ok=True)
        (package / room / "__init__.py").write_text("", "utf-8")
    shutil.copy(root / ".importlinter", folder / ".importlinter")
    return package


def test_an_arrow_that_points_up_breaks_the_contract(root: Path, tmp_path: Path) -> None:
    """The rule itself must be able to fail, and must pass before the arrow is drawn."""
    package = sample_package(root, tmp_path)
    assert lint(tmp_path, tmp_path).returncode == 0
    (package / "logic" / "language" / "__init__.py").write_text("import upheld.faces\n", "utf-8")
    assert lint(tmp_path, tmp_path).returncode == 1


def test_siblings_that_know_each_other_break_the_contract(root: Path, tmp_path: Path) -> None:
    """Docs/architecture.md: record and speech do not know each other."""
    package = sample_package(root, tmp_path)
    (package / "speech" / "__init__.py").write_text("import upheld.record\n", "utf-8")
    assert lint(tmp_path, tmp_path).returncode == 1


def test_a_folder_that_nobody_placed_breaks_the_contract(root: Path, tmp_path: Path) -> None:
    """Docs/architecture.md: a folder that nobody placed fails the build."""
    package = sample_package(root, tmp_path)
    (package / "attic").mkdir()
    (package / "attic" / "__init__.py").write_text("", "utf-8")
    assert lint(tmp_path, tmp_path).returncode == 1


def test_a_table_that_differs_from_the_contract_is_noticed() -> None:
    """The comparison itself must be able to fail."""
    contract = "[importlinter:contract:rooms]\nlayers =\n    faces\n    (record) | (speech)\n"
    page = "## The rooms\n\n| 1 | `faces` | x |\n| 2 | `record` | x |\n| 3 | `speech` | x |\n"
    assert contracted(contract, "rooms") == [{"faces"}, {"record", "speech"}]
    assert tabled(page, "The rooms") == [{"faces"}, {"record"}, {"speech"}]
