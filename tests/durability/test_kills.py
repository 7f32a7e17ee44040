"""A writer is killed at any moment: what it was told is kept is there and whole, and nothing is half there.

A kill is not a power cut: what the operating system has taken is written by it later. That the store asks for the disk
itself (fsync) is looked at in ``tests/unit/record/stores/test_sqlite_connection.py``.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Entry, Erased, Interpretation, Words
from upheld.record.ledger.store import Store
from upheld.record.ledger.verifying import verified
from upheld.record.stores.sqlite.store import SqliteStore

from .conftest import Place

TALK = ConversationId("talk")
Start = Callable[..., Any]
Kills = Callable[[int], int]
Older = Callable[[Path, list[str]], None]


def whole(opened: Callable[[], Store]) -> list[Entry]:
    """Open the ledger as the next process would, append, find nothing wrong, and give what was there before.

    The append comes first: a server may be writing down what a writer sent it right before it was killed.
    """
    with opened() as store:
        (after,) = store.append(TALK, [Words(turn=TurnId("T"), speaker=AgentId("next"))])
        assert store.version(TALK) == after.epoch
        assert store.damage() == ()
        assert verified(store, TALK).faults == ()
        return list(store.read(TALK, upto=after.epoch - 1))


def acknowledged(entries: list[Entry], lines: list[str]) -> int:
    """Tell that all that was acknowledged is there as it was, and give the newest epoch of it."""
    said = [line.split() for line in lines]
    for epoch, chain in said:
        assert entries[int(epoch) - 1].chain == chain
    return int(said[-1][0]) if said else 0


def halves(entries: list[Entry]) -> list[Entry]:
    """Entries of turns that are not there in full."""
    turns = [entry for entry in entries if entry.turn != "T"]
    words, meanings = turns[::2], turns[1::2]
    assert all(isinstance(entry.content, Words) for entry in words)
    assert all(isinstance(entry.content, Interpretation) for entry in meanings)
    odd = [one for one, other in zip(words, meanings, strict=False) if one.turn != other.turn]
    return odd + words[len(meanings) :]


def test_what_was_acknowledged_outlives_its_writer(place: Place, start: Start, kills: Kills) -> None:
    """Our promise, and W4: one ledger, a writer killed again and again, also while it opens the ledger."""
    chance = random.Random(0)
    there = 0
    for number in range(kills(12)):
        lines = start("append_turns", place.name, "ann", number).killed_after(chance.choice((1, 2, 5, 20)), chance)
        entries = whole(place.opened)
        newest = acknowledged(entries, lines) or there
        assert halves(entries) == []
        assert len(entries) - newest in {0, 2}, "at most the turn that was under way"
        there = len(entries) + 1


def test_of_two_writers_the_killed_one_takes_nothing_with_it(place: Place, start: Start, kills: Kills) -> None:
    """Our promise: a writer that is killed with the lock in its hand does not hold up the other, nor lose its turns."""
    chance = random.Random(1)
    for number in range(kills(4)):
        ann, ben = start("append_turns", place.name, "ann", number), start("append_turns", place.name, "ben", number)
        ben.listen(2)
        of_ann = ann.killed_after(chance.choice((1, 4, 10)), chance)
        ben.listen(len(ben.lines) + 3)
        of_ben = ben.killed_after(0, chance)
        entries = whole(place.opened)
        assert len(of_ben) > 3, "he went on"
        newest = max(acknowledged(entries, of_ann), acknowledged(entries, of_ben))
        assert halves(entries) == []
        assert len(entries) - newest in {0, 2, 4}


def test_an_erasure_is_whole_or_has_not_begun(place: Place, start: Start, kills: Kills) -> None:
    """Our promise: act, body, salt and snapshots go together; what was acknowledged as gone is nowhere in the file."""
    chance = random.Random(2)
    gone: list[str] = []
    for number in range(kills(6)):
        said = start("erase_words", place.name, "", number).killed_after(chance.choice((1, 2, 6)), chance)
        gone += [line.split()[1] for line in said]
        entries = whole(place.opened)
        assert all(isinstance(entries[int(line.split()[0]) - 1].content, Erased) for line in said)
        erased = {entry.epoch for entry in entries if isinstance(entry.content, Erased)}
        with place.opened() as store:
            snapshot = store.snapshot(TALK)
        assert snapshot is None or snapshot.epoch > max(erased, default=0)
    bytes_left = b"".join(file.read_bytes() for file in sorted(place.folder.iterdir())) if place.folder else b""
    assert [secret for secret in gone if secret.encode() in bytes_left] == []


def test_a_migration_is_whole_or_has_not_begun(tmp_path: Path, start: Start, kills: Kills, older: Older) -> None:
    """Our promise: a file of the first schema, killed while it is brought up to date, is brought up to date later."""
    chance = random.Random(3)
    before, path = tmp_path / "before.db", tmp_path / "ledger.db"
    older(before, texts := [f"words {number}" for number in range(2000)])
    for _ in range(kills(3)):
        shutil.copy(before, path)
        start("bring_up_to_date", str(path), "", 0).killed_after(1, chance)
        assert [e.content.text for e in whole(partial(SqliteStore, path)) if isinstance(e.content, Words)] == texts
        for file in tmp_path.glob("ledger.db*"):
            file.unlink()
