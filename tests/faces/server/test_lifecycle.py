"""While it runs and as it ends: keys that come and go, and a stop that loses nothing."""

from __future__ import annotations

import json
import logging
import os
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from upheld.errors import MalformedInput
from upheld.faces.server.admission.keys import NewKey, Role, new_key
from upheld.faces.server.admission.reloading import KeyFile

from .conftest import PATIENCE, Client, Running, Start, garden, observe, process

pytest.importorskip("websockets", reason="the extra 'server' is not installed")

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

SOON = 3.0
"""Seconds within which a change of the file has done its work."""


def write(path: Path, *keys: NewKey) -> None:
    """Put a file of keys in the place of the one that is there, as an editor does: whole."""
    beside = path.with_suffix(".new")
    beside.write_text("\n".join(["[keys]", *(key.line for key in keys)]), "utf-8")
    os.replace(beside, path)


def until(client: Client, status: int, path: str = "/v1/conversations") -> float:
    """Wait until an answer has this status, and give how long that took."""
    begun = time.monotonic()
    while client.get(path).status != status:
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.05)
    return time.monotonic() - begun


@pytest.fixture
def trio() -> tuple[NewKey, NewKey, NewKey]:
    """Three keys of a writer."""
    one, two, three = (new_key("default", Role.WRITER) for _ in range(3))
    return one, two, three


@pytest.fixture
def guarded(start: Start, tmp_path: Path, trio: tuple[NewKey, NewKey, NewKey]) -> tuple[Running, Path]:
    """A service with the first two keys, and their file."""
    file = tmp_path / "keys.toml"
    write(file, *trio[:2])
    return start(keys=file), file


def test_keys_are_given_and_taken_back_without_a_restart(
    guarded: tuple[Running, Path], trio: tuple[NewKey, NewKey, NewKey]
) -> None:
    """Our promise: within seconds, and whoever keeps a key notices nothing."""
    running, file = guarded
    kept, lost, new = (running.client(key.text) for key in trio)
    path = garden(kept, "guarded")
    assert (lost.get(path).status, new.get(path).status) == (200, 401)
    write(file, trio[0], trio[2])
    assert until(new, 200) < SOON
    assert (lost.get(path).status, kept.get(path).status) == (401, 200)


def test_a_key_that_is_taken_back_ends_its_streams_and_no_others(
    guarded: tuple[Running, Path], trio: tuple[NewKey, NewKey, NewKey]
) -> None:
    """Our promise: a stream that is open already does not outlive its key; a socket is told why."""
    running, file = guarded
    kept, lost = (running.client(key.text) for key in trio[:2])
    path = garden(kept, "streams")
    address = f"ws://127.0.0.1:{running.port}{path}/live?after=9"
    bearer = {"authorization": f"Bearer {trio[1].text}"}
    with (
        kept.stream(f"{path}/events?after=9") as going_on,
        lost.stream(f"{path}/events?after=9") as ended,
        connect(address, additional_headers=bearer, proxy=None) as socket,
    ):
        while running.house.audience.count < 3:
            time.sleep(0.01)
        begun = time.monotonic()
        write(file, trio[0])
        assert list(ended) == []
        with pytest.raises(ConnectionClosed) as caught:
            socket.recv(PATIENCE)
        assert time.monotonic() - begun < SOON
        assert caught.value.rcvd is not None
        assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (1008, "no-key")
        kept.tell(path, "ann", observe("o9"))
        assert next(going_on)["event"] == "words"


@pytest.mark.parametrize("broken", ["", "[keys", "[keys]\nabc = 1", None])
def test_a_file_that_cannot_be_read_leaves_the_keys_as_they_are(
    tmp_path: Path, trio: tuple[NewKey, NewKey, NewKey], broken: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """Our promise: a slip of the pen locks nobody out and lets nobody in; it is written down once, and not quoted."""
    file = tmp_path / "keys.toml"
    write(file, trio[0])
    keys = KeyFile(file, has_tenants=False)
    assert keys.read().find(trio[0].text) is not None
    assert keys.changed() is None, "nothing was changed"
    if broken is None:
        file.unlink()
    else:
        file.write_text(broken, "utf-8")
    with caplog.at_level(logging.WARNING, logger="upheld.server"):
        assert (keys.changed(), keys.changed()) == (None, None)
    (line,) = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert line.startswith("the keys stay as they are: ")
    assert "abc" not in line
    write(file, trio[1])
    found = keys.changed()
    assert found is not None
    assert (found.find(trio[0].text), found.find(trio[1].text) is None) == (None, False)


def test_a_key_of_another_tenant_does_not_come_in_later_either(
    tmp_path: Path, trio: tuple[NewKey, NewKey, NewKey]
) -> None:
    """Our promise: what is refused at the start is refused while it runs."""
    file = tmp_path / "keys.toml"
    write(file, trio[0])
    keys = KeyFile(file, has_tenants=False)
    keys.read()
    write(file, trio[0], new_key("acme", Role.READER))
    assert keys.changed() is None
    with pytest.raises(MalformedInput, match="there are keys of acme, and no tenants"):
        keys.read()
    keys.ask()
    write(file, trio[0], trio[1])
    found = keys.changed()
    assert found is not None
    assert len(found.keys) == 2
    assert keys.changed() is None
    keys.ask()
    assert keys.changed() == found, "asked for, it is read however it looks"


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
def test_a_hangup_lets_the_file_be_read_and_ends_nothing(
    tmp_path: Path, root: Path, trio: tuple[NewKey, NewKey, NewKey]
) -> None:
    """Our promise: also where a file was changed so that its time and size did not."""
    file = tmp_path / "keys.toml"
    write(file, trio[0])
    seen = file.stat()
    with process(root, "--store", f"sqlite:///{tmp_path}/t.db", "--keys", str(file)) as running:
        first, second = (running.client(key.text) for key in trio[:2])
        assert first.get("/v1/conversations").status == 200
        with file.open("r+", encoding="utf-8") as same:
            same.write(f"[keys]\n{trio[1].line}")
        os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))
        assert (file.stat().st_mtime_ns, file.stat().st_size) == (seen.st_mtime_ns, seen.st_size)
        running.process.send_signal(signal.SIGHUP)
        assert until(second, 200) < SOON
        assert first.get("/v1/conversations").status == 401
        assert running.process.poll() is None


def test_a_service_that_is_about_to_end_says_so_and_still_answers(tmp_path: Path, root: Path) -> None:
    """Our promise: whoever shares out requests hears of it before a connection is refused; nothing told is lost."""
    store = f"sqlite:///{tmp_path}/t.db"
    with process(root, "--store", store, UPHELD_DRAIN="1.5") as running:
        client = running.client()
        path = client.begin("draining")
        assert client.get("/health/ready").status == 200
        running.process.send_signal(signal.SIGTERM)
        until(client, 503, "/health/ready")
        told = client.get("/health/ready")
        assert (told.problem, told.headers["retry-after"]) == ("stopping", "1")
        assert client.get("/health/live").status == 200
        acknowledged = client.tell(path, "ann", observe("o1")).tree["turn"]
        running.ended()
        with pytest.raises(ConnectionRefusedError):
            client.get("/health/live")
    with process(root, "--store", store) as running:
        turns: list[Mapping[str, str]] = running.client().get(f"{path}/turns").tree["turns"]
        assert [each["id"] for each in turns] == [acknowledged]


def test_a_request_that_is_under_way_is_answered_before_the_end(start: Start) -> None:
    """Our promise: a turn that waits for its conversation is told, answered, and on record."""
    running = start()
    client = running.client()
    path = client.begin("under-way")
    answers: list[int] = []
    with running.house.tenancy.host("default").entered("under-way"):
        waiting = threading.Thread(target=lambda: answers.append(client.tell(path, "ann", observe("o1")).status))
        waiting.start()
        time.sleep(0.3)
        stopping = threading.Thread(target=running.stop)
        stopping.start()
        time.sleep(0.3)
        assert answers == []
    waiting.join(PATIENCE)
    stopping.join(PATIENCE)
    assert answers == [201]


def test_the_keys_of_json_lines_do_not_hold_a_key(
    guarded: tuple[Running, Path], trio: tuple[NewKey, NewKey, NewKey], caplog: pytest.LogCaptureFixture
) -> None:
    """Our promise: that the file was read anew is written down, and neither a key nor a digest of one."""
    running, file = guarded
    with caplog.at_level(logging.INFO, logger="upheld.server"):
        write(file, *trio)
        until(running.client(trio[2].text), 200)
    written = json.dumps([record.getMessage() for record in caplog.records])
    assert "the file of keys was read anew: 3 keys" in written
    assert not any(key.text in written or key.line[:64] in written for key in trio)
