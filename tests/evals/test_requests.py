"""The committed requests are what the code asks today."""

from __future__ import annotations

from pathlib import Path

from upheld_evals.requests import write_all

MOST_BYTES = 8_000_000


def test_the_committed_requests_are_what_would_be_asked_today(root: Path, tmp_path: Path) -> None:
    """Issue, section 6.3: requests are committed for whoever can answer; write them again after changing a prompt."""
    written = write_all(root / "tests" / "conversations", tmp_path)
    committed = root / "evals" / "requests"
    assert {path.name for path in written} == {path.name for path in committed.glob("*.jsonl")}
    for path in written:
        fresh, kept = (each.read_text("utf-8").splitlines() for each in (path, committed / path.name))
        assert len(fresh) == len(kept), path.name
        for number, (ours, theirs) in enumerate(zip(fresh, kept, strict=True), start=1):
            assert ours == theirs, f"{path.name}:{number}: python -m upheld_evals.requests writes it again"


def test_the_committed_requests_are_small(root: Path) -> None:
    """Our promise: what is committed stays readable and light."""
    assert sum(path.stat().st_size for path in (root / "evals" / "requests").glob("*.jsonl")) < MOST_BYTES
