"""Corpora that the repository holds itself: three conversations of the paper and a few of ours."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("upheld_evals", reason="the harness is not installed: pip install -e evals")

from upheld_evals.harness.corpus import Corpus, read_corpus


@pytest.fixture(scope="session")
def paper(root: Path) -> Corpus:
    """The paper's three conversations."""
    return read_corpus([root / "tests" / "conversations" / "paper"])


@pytest.fixture(scope="session")
def dev(root: Path) -> Corpus:
    """Two of our conversations: enough to see every part of a suite run."""
    whole = read_corpus([root / "tests" / "conversations" / "dev"])
    return replace(whole, files=whole.files[:2])


@pytest.fixture
def shared(root: Path) -> Path:
    """The shared corpora, where they are."""
    folder = Path(os.environ.get("UPHELD_SHARED", root.parent / "shared"))
    if not (folder / "corpus").exists():
        pytest.skip("the shared corpora are not here (UPHELD_SHARED)")
    return folder
