"""The notebooks run from top to bottom, without a key, and are committed without what they printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NAMES = ("incident", "your-own-chat")


def read(root: Path, name: str) -> Any:
    """A notebook as it is committed."""
    whole: Any = nbformat
    return whole.read(root / "notebooks" / f"{name}.ipynb", as_version=4)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_without_a_key(root: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 4, section 5: two notebooks, executed with everything else."""
    for variable in ("UPHELD_MODEL", "UPHELD_BASE_URL", "UPHELD_API_KEY", "CHAT"):
        monkeypatch.delenv(variable, raising=False)
    notebook = read(root, name)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(root / "notebooks")}}).execute()
    printed = [output.get("text", "") for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("ungrounded" in text for text in printed)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_committed_without_output(root: Path, name: str) -> None:
    """Our promise: what is printed comes from running it, and no path of a machine is in it."""
    cells = [cell for cell in read(root, name).cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


def test_every_notebook_is_run(root: Path) -> None:
    """Our promise: none lies beside the tests."""
    assert {path.stem for path in (root / "notebooks").glob("*.ipynb")} == set(NAMES)
