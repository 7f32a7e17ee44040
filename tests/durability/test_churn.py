"""W4: what comes and goes leaves room for what comes next, in the file and in its log."""

from __future__ import annotations

import random
from pathlib import Path

from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Words
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.verifying import verified
from upheld.record.stores.sqlite.store import SqliteStore

from .conftest import EXAMPLES

TALK = ConversationId("talk")
ROUNDS = max(50, round(200 * EXAMPLES))
LOG_LIMIT = 5 * 1024 * 1024
"""Bytes: the log is copied into the file every 1000 pages of 4 KiB, and a transaction may be under way then."""


def said(text: str) -> Words:
    """Give words."""
    return Words(turn=TurnId("T1"), speaker=AgentId("ann"), text=text)


def size_of(path: Path) -> int:
    """Give the bytes of the file and its log."""
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*") if not file.name.endswith("-shm"))


def test_a_ledger_of_what_came_and_went_is_no_larger_than_one_of_the_acts(tmp_path: Path) -> None:
    """W4: after as many rounds of append and erase the file is at most half as large again as one of short entries."""
    churned, plain = tmp_path / "churned.db", tmp_path / "plain.db"
    text = "word " * 2000
    with SqliteStore(churned) as store:
        for number in range(ROUNDS):
            (entry,) = store.append(TALK, [said(f"{number} {text}")])
            store.erase(TALK, [entry.epoch], reason="asked for")
        assert store.damage() == ()
        audit = verified(store, TALK)
        assert (audit.faults, audit.erased, audit.entries) == ((), ROUNDS, 2 * ROUNDS)
    with SqliteStore(plain) as store:
        store.append(TALK, [said("")] * (2 * ROUNDS))
    assert size_of(churned) < 1.5 * size_of(plain)
    assert text.encode()[:100] not in churned.read_bytes()


def test_short_words_that_were_erased_are_nowhere_in_the_file(tmp_path: Path) -> None:
    """Our promise: also where they shared a page with others that stay, moved between pages, and were never large."""
    path = tmp_path / "ledger.db"
    chance = random.Random(7)
    secrets: list[str] = []
    with SqliteStore(path) as store:
        for part in range(12):
            texts = [f"<{part}-{number}>" * chance.randrange(1, 60) for number in range(60)]
            entries = store.append(TALK, [said(text) for text in texts])
            going = chance.sample(range(60), 30)
            store.erase(TALK, [entries[place].epoch for place in going], reason="asked for")
            secrets += [f"<{part}-{place}>" for place in going]
        assert verified(store, TALK).erased == len(secrets)
        content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [secret for secret in secrets if secret.encode() in content] == []


def test_a_file_gives_back_what_an_erasure_frees(tmp_path: Path) -> None:
    """Our promise: erasing most of a large file makes it small, without a copy of it."""
    path = tmp_path / "ledger.db"
    with SqliteStore(path) as store:
        store.append(TALK, [said("word " * 20_000) for _ in range(100)])
        store.erase(TALK, [], reason="of nothing")
        before = size_of(path)
        store.erase(TALK, range(1, 96), reason="asked for")
        assert size_of(path) < before / 5
        assert store.damage() == ()
        assert verified(store, TALK).faults == ()


def test_the_log_stays_small(tmp_path: Path) -> None:
    """Our promise: it is copied into the file as it grows, also while somebody reads, and cut back then."""
    path = tmp_path / "ledger.db"
    log = path.with_name("ledger.db-wal")
    largest = 0
    with SqliteStore(path) as store:
        reading = store.read(TALK)
        for number in range(60):
            entries = store.append(TALK, [said("word " * 10_000) for _ in range(4)])
            largest = max(largest, log.stat().st_size)
            if number % 10 == 0:
                next(reading, None)
                reading = store.read(TALK)
            body = bytes(100_000)
            store.save_snapshot(
                TALK, Snapshot(epoch=entries[-1].epoch, chain=entries[-1].chain, fingerprint="f", body=body)
            )
    assert path.stat().st_size > 2 * LOG_LIMIT
    assert largest < LOG_LIMIT


def test_snapshots_take_the_place_of_older_ones(tmp_path: Path) -> None:
    """Our promise: a cache that is renewed a hundred times takes the room of three."""
    path = tmp_path / "ledger.db"
    with SqliteStore(path) as store:
        for number in range(100):
            (entry,) = store.append(TALK, [said(str(number))])
            store.save_snapshot(
                TALK, Snapshot(epoch=entry.epoch, chain=entry.chain, fingerprint="f", body=bytes(200_000))
            )
    assert path.stat().st_size < 4 * 200_000
