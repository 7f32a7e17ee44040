"""What a command opened is closed when it ends."""

from __future__ import annotations

import pytest

from upheld.faces.cli.closing import closed_at_the_end, closing


class Door:
    """Something that can be closed, and tells in which order."""

    def __init__(self, name: str, closed: list[str]) -> None:
        """Stand open."""
        self.name = name
        self._closed = closed

    def close(self) -> None:
        """Note it."""
        self._closed.append(self.name)


def test_what_was_opened_is_closed_at_the_end_the_last_first() -> None:
    """Our promise: a command leaves no store open, though it fails; a pool that was left open warned at random."""
    closed: list[str] = []
    with pytest.raises(KeyError):
        fail_with_two_open(closed)
    assert closed == ["inner", "outer"]


def test_outside_a_command_it_is_the_callers() -> None:
    """Our promise: who uses the parts of the program elsewhere decides when something is closed."""
    closed: list[str] = []
    with closing():
        pass
    closed_at_the_end(Door("own", closed))
    assert closed == []


def fail_with_two_open(closed: list[str]) -> None:
    """Be a command that opens two things and fails."""
    with closing():
        outer, inner = (closed_at_the_end(Door(name, closed)) for name in ("outer", "inner"))
        assert (outer.name, inner.name, closed) == ("outer", "inner", [])
        raise KeyError
