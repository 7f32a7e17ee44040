"""``serve`` and ``keys new``: what is told before anybody listens."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from upheld.faces.server.admission.keys import Keyring, Role

from .conftest import Program


def test_a_key_is_printed_once_with_the_line_that_the_service_reads(upheld: Program, tmp_path: Path) -> None:
    """Our promise (docs/how-to/run-the-service.md): two lines, and the second opens for the first."""
    made = upheld("keys", "new", "--tenant", "acme", "--role", "writer")
    assert made.status == 0
    key, line = made.out.splitlines()
    (tmp_path / "keys.toml").write_text(f"[keys]\n{line}\n", "utf-8")
    found = Keyring.read(tmp_path / "keys.toml").find(key)
    assert found is not None
    assert (found.tenant, found.role) == ("acme", Role.WRITER)
    assert key not in made.err
    wrong = upheld("keys", "new", "--tenant", "../acme")
    assert (wrong.status, "names no tenant" in wrong.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--host", "0.0.0.0"), "without keys anybody who reaches 0.0.0.0"),
        (("--store", "nothing"), "no address of a store"),
        (("--interpreter", "oracle"), "interpreter: Input should be"),
        (("--settings", "nowhere.toml"), "the settings cannot be read"),
        (("--tenants",), "a tenant is told from its key"),
        (("--keys", "nowhere.toml"), "the keys cannot be read"),
    ],
)
def test_what_cannot_be_served_is_told_on_one_line(
    upheld: Program, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    """Our promise: status 2, and nothing was opened to anybody."""
    pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
    for name in ("UPHELD_HOST", "UPHELD_STORE", "UPHELD_KEYS"):
        monkeypatch.delenv(name, raising=False)
    told = upheld("serve", "--port", "0", *arguments)
    assert (told.status, told.err.count("upheld: "), "listening" in told.err) == (2, 1, False)
    assert message in told.err


def test_without_the_extra_the_line_that_installs_it_is_told(upheld: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: no trace of an import, but what to type."""
    for name in [name for name in sys.modules if name.startswith(("upheld.faces.server.", "upheld.faces.service."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    told = upheld("serve", "--store", "nowhere://")
    assert (told.status, "pip install 'upheld[server]'" in told.err) == (2, True)
