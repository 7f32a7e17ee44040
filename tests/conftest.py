"""What every test can rely on: no network but loopback, and laws whose examples do not depend on the day."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Deadlines judge the machine, not the code. Without a multiplier the examples are the same on every run, so that a
# change that fails is the change's doing; with one, chance is let in to look for what the fixed examples miss.
MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
settings.register_profile(
    "upheld",
    max_examples=max(1, round(100 * MULTIPLIER)),
    deadline=None,
    derandomize=MULTIPLIER <= 1,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("upheld")

LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine, whatever library opens it."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: tuple[str, int] | str | bytes) -> None:
        if isinstance(address, tuple) and not address[0].startswith(LOOPBACK):
            raise AssertionError(f"a test tried to reach {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return Path(__file__).resolve().parents[1]
