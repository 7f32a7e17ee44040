"""A disk that is full, a file that may not be written, a lock that is held: said, survived, and nothing half there."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from upheld.errors import StoreError
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Words
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.verifying import verified
from upheld.record.stores.sqlite.store import SqliteStore

Older = Callable[[Path, list[str]], None]
TALK = ConversationId("talk")
NOBODY = 65534

FILLING = """
import resource, sys
from upheld.errors import StoreError
from upheld.record.ledger.entry import Words
from upheld.record.stores.sqlite.store import SqliteStore

path, most = sys.argv[1], int(sys.argv[2])
turn = [Words(turn="T1", speaker="ann", text="word " * 20000)] * 2
with SqliteStore(path) as store:
    store.append("talk", turn)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    refusals = []
    for attempt in ("append", "append", "erase", "append"):
        try:
            while True:
                if attempt == "append":
                    store.append("talk", turn)
                else:
                    store.erase("talk", range(1, store.version("talk"), 2), reason="x" * 300000)
                    break
        except StoreError as error:
            refusals.append(str(error))
    print(len(list(store.read("talk"))), store.version("talk"), len(refusals))
    print(refusals[0])
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(store.append("talk", turn)[-1].epoch)
"""
"""Writes until no file may grow any more, which is how a quota looks, and on when there is room again."""


def said(number: int, words: int = 3) -> Words:
    """Give the words of turn ``number``."""
    return Words(turn=TurnId(f"T{number}"), speaker=AgentId("ann"), text="word " * words)


def is_whole(store: SqliteStore) -> bool:
    """Tell whether there is nothing wrong with the file and its ledger."""
    return store.damage() == () and verified(store, TALK).faults == ()


@contextmanager
def most_pages(store: SqliteStore, free: int) -> Generator[None]:
    """Leave room for so many pages only, as on a disk that is nearly full."""
    writer = store._writer  # pyright: ignore[reportPrivateUsage]
    assert writer is not None
    (pages,) = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {pages + free}")
    yield
    writer.execute("PRAGMA max_page_count = 1000000")


def test_a_full_disk_is_said_and_nothing_is_half_written(tmp_path: Path) -> None:
    """Our promise: what to do is in the message; the store is usable meanwhile, and when there is room again."""
    with SqliteStore(tmp_path / "ledger.db") as store:
        (first,) = store.append(TALK, [said(1)])
        large = Snapshot(epoch=1, chain=first.chain, fingerprint="f", body=bytes(10**6))
        with most_pages(store, 4):
            for call in (
                lambda: store.append(TALK, [said(2), said(3, 50_000)], key="k"),
                lambda: store.append(TALK, [said(2), said(3, 50_000)], key="k"),
                lambda: store.erase(TALK, [1], reason="x" * 10**6),
                lambda: store.save_snapshot(TALK, large),
            ):
                with pytest.raises(StoreError, match=r"disk is full; nothing was written: make room and try again"):
                    call()
            assert list(store.read(TALK)) == [first]
            assert store.snapshot(TALK) is None
            store.append(TALK, [said(2)])
        assert [entry.epoch for entry in store.append(TALK, [said(3), said(4, 50_000)], key="k")] == [3, 4]
        assert is_whole(store)


def test_a_snapshot_that_finds_no_room_leaves_the_older_one(tmp_path: Path) -> None:
    """Our promise: a cache that cannot be renewed is the cache that it was."""
    with SqliteStore(tmp_path / "ledger.db") as store:
        (first,) = store.append(TALK, [said(1)])
        small = Snapshot(epoch=1, chain=first.chain, fingerprint="f", body=b"small")
        store.save_snapshot(TALK, small)
        with most_pages(store, 0), pytest.raises(StoreError, match="full"):
            store.save_snapshot(TALK, Snapshot(epoch=1, chain=first.chain, fingerprint="f", body=bytes(10**6)))
        assert store.snapshot(TALK) == small


@pytest.mark.parametrize("most", [200_000, 1_000_000, 6_000_000])
def test_a_file_that_may_not_grow_is_as_a_full_disk(tmp_path: Path, root: Path, most: int) -> None:
    """Our promise, on the system's own terms: the kernel refuses to write, into the log or into the file."""
    path = tmp_path / "ledger.db"
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-c", FILLING, str(path), str(most)]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr
    counts, refusal, epoch = ended.stdout.splitlines()
    read, version, refusals = map(int, counts.split())
    assert read == version
    assert refusals >= 3
    assert "nothing was written: make room and try again" in refusal
    assert int(epoch) == version + 2
    with SqliteStore(path) as store:
        assert is_whole(store)
        assert store.version(TALK) == int(epoch)


def test_a_migration_that_finds_no_room_leaves_the_older_file(tmp_path: Path, older: Older) -> None:
    """Our promise: a file that cannot be brought up to date is the file that it was."""
    path = tmp_path / "ledger.db"
    older(path, [f"words {number}" for number in range(2000)])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(StoreError, match="make room"):
            SqliteStore(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT max(number) FROM migrations").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (2000,)
    with SqliteStore(path) as store:
        assert len(list(store.read(TALK))) == 2000
        assert is_whole(store)


def test_who_waits_for_a_lock_is_told(tmp_path: Path) -> None:
    """Our promise: a clean error after the busy timeout, whatever was asked, and reading goes on."""
    path = tmp_path / "ledger.db"
    with SqliteStore(path, busy_timeout=0.01) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        (first,) = store.append(TALK, [said(1)])
        other.execute("BEGIN IMMEDIATE")
        snapshot = Snapshot(epoch=1, chain=first.chain, fingerprint="f", body=b"")
        for call in (
            lambda: store.append(TALK, [said(2)]),
            lambda: store.erase(TALK, [1], reason="asked for"),
            lambda: store.save_snapshot(TALK, snapshot),
        ):
            with pytest.raises(StoreError, match="another process is writing"):
                call()
        assert list(store.read(TALK)) == [first]
        other.execute("ROLLBACK")
        assert store.erase(TALK, [1], reason="asked for") is not None


def test_an_erasure_does_not_wait_for_a_reader_and_the_next_one_empties_the_log(tmp_path: Path) -> None:
    """Our promise: the act is done at once; what stands in the log goes when nobody reads it any more."""
    path = tmp_path / "ledger.db"
    log = path.with_name("ledger.db-wal")
    with SqliteStore(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as reader:
        store.append(TALK, [Words(turn=TurnId("T1"), speaker=AgentId("ann"), text="a secret")])
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)
        assert store.erase(TALK, [1], reason="asked for") is not None
        assert b"a secret" in log.read_bytes()
        reader.execute("COMMIT")
        store.append(TALK, [said(2)])
        assert store.erase(TALK, [3], reason="asked for") is not None
        assert log.stat().st_size == 0
    assert b"a secret" not in path.read_bytes()


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a folder that everybody may enter; nobody but its owner may write there."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def as_nobody(folder: Path) -> Generator[None]:
    """Go on as somebody who may not write to a folder; root may write anywhere, so root turns into nobody."""
    folder.chmod(0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
        folder.chmod(0o755)


def test_what_may_not_be_written_can_be_read(place: Path) -> None:
    """Our promise: a ledger on a medium that is read-only is read and verified; nothing is left beside it."""
    path = place / "ledger.db"
    with SqliteStore(path) as store:
        written = store.append(TALK, [said(number) for number in range(5)])
    path.chmod(0o444)
    with as_nobody(place):
        with SqliteStore(path, is_read_only=True) as store:
            assert tuple(store.read(TALK)) == written
            assert is_whole(store)
            assert list(store.follow(TALK, after=4, timeout=0)) == [written[4]]
            writes: list[Callable[[], object]] = [
                lambda: store.append(TALK, [said(1)]),
                lambda: store.erase(TALK, [1], reason="asked for"),
                lambda: store.save_snapshot(TALK, Snapshot(epoch=5, chain="", fingerprint="", body=b"")),
            ]
            for write in writes:
                with pytest.raises(StoreError, match="opened for reading only"):
                    write()
        with pytest.raises(StoreError, match=r"read-only; open it for reading only|cannot be opened"):
            SqliteStore(path)
        assert list(place.iterdir()) == [path]


def test_a_reader_that_may_not_write_sees_what_a_writer_appends(place: Path) -> None:
    """Our promise: the log of a writer that is at work is read too."""
    path = place / "ledger.db"
    with SqliteStore(path) as writer:
        writer.append(TALK, [said(1)])
        with as_nobody(place), SqliteStore(path, is_read_only=True) as reader:
            assert reader.version(TALK) == 1
            os.seteuid(0 if os.getuid() == 0 else os.geteuid())
            writer.append(TALK, [said(2)])
            assert reader.version(TALK) == 2
            assert is_whole(reader)


def test_reading_only_makes_and_changes_nothing(tmp_path: Path) -> None:
    """Our promise: no file where there was none, no migration, no table in what is no ledger."""
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(tmp_path / "absent.db", is_read_only=True)
    assert list(tmp_path.iterdir()) == []
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(StoreError, match="holds no ledger"):
        SqliteStore(empty, is_read_only=True)
    assert empty.read_bytes() == b""
    older = tmp_path / "older.db"
    SqliteStore(older).close()
    for number, why in ((1, "open it for writing once"), (9, "upgrade upheld")):
        with closing(sqlite3.connect(older)) as connection, connection:
            connection.execute("DELETE FROM migrations")
            connection.execute("INSERT INTO migrations VALUES (?, '', '')", (number,))
        before = older.read_bytes()
        with pytest.raises(StoreError, match=why):
            SqliteStore(older, is_read_only=True)
        assert older.read_bytes() == before


def test_a_name_that_looks_like_an_address_is_a_name(tmp_path: Path) -> None:
    """Our promise: SQLite reads parameters out of the names of files; a question mark is none."""
    path = tmp_path / "a?mode=rwc#b%20.db"
    with SqliteStore(path) as store:
        store.append(TALK, [said(1)])
    with SqliteStore(path, is_read_only=True) as store:
        assert store.version(TALK) == 1
