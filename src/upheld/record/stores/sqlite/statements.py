"""What the store in a file asks of SQLite, and what the rows of an answer mean."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from upheld.logic.language.identities import ConversationId, Epoch
from upheld.record.ledger.chain import BEGINNING, Head, KeptEntry
from upheld.record.ledger.entry import Entry, Erasure
from upheld.record.ledger.snapshot import KEPT_SNAPSHOTS, Snapshot

TABLES = ("contents", "entries", "heads", "erasures", "snapshots", "reviews", "bookmarks")
"""What has rows of a conversation, but for what it is searched by."""

# The body as bytes: whatever was done to it, it can be fetched, and its digest tells.
_SELECT = (
    "SELECT conversation, epoch, turn, key, recorded_at, digest, chain, salt, CAST(body AS BLOB)"
    " FROM entries LEFT JOIN contents USING (conversation, epoch)"
)
BETWEEN = f"{_SELECT} WHERE conversation = ? AND epoch > ? AND epoch <= ? ORDER BY epoch LIMIT ?"
BY_KEY = f"{_SELECT} WHERE conversation = ? AND key = ? AND key <> '' ORDER BY epoch"
ERASING_ACT = (
    f"{_SELECT} WHERE (conversation, epoch) ="
    " (SELECT conversation, act FROM erasures WHERE conversation = ? AND epoch = ?)"
)
HEAD = "SELECT epoch, chain FROM heads WHERE conversation = ?"
CONVERSATIONS = "SELECT conversation FROM heads ORDER BY conversation"
NEWEST_ENTRY = "SELECT coalesce(max(epoch), 0) FROM entries WHERE conversation = ?"
HIDDEN = (
    "SELECT DISTINCT conversation FROM entries WHERE epoch < 1 OR conversation NOT IN (SELECT conversation FROM heads)"
)
NEWEST_ERASURE = "SELECT coalesce(max(act), 0) FROM erasures WHERE conversation = ?"
CHAIN_AT = "SELECT chain FROM entries WHERE conversation = ? AND epoch = ?"
# Joined with the entry that it was taken after: a snapshot of another past is not found.
SNAPSHOT = (
    "SELECT epoch, chain, fingerprint, body FROM snapshots JOIN entries USING (conversation, epoch, chain)"
    " WHERE conversation = ? AND epoch <= ? ORDER BY epoch DESC LIMIT 1"
)


def head_of(connection: sqlite3.Connection, conversation: ConversationId) -> Head:
    """Give where a conversation's ledger ends."""
    row = connection.execute(HEAD, (conversation,)).fetchone()
    return BEGINNING if row is None else Head(epoch=row[0], chain=row[1])


def write(connection: sqlite3.Connection, kept: Sequence[KeptEntry]) -> None:
    """Write entries, their contents, and the new head."""
    if not kept:
        return
    envelopes = [(each.envelope, each.chain) for each in kept]
    connection.executemany(
        "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(e.conversation, e.epoch, e.turn, e.key, e.recorded_at, e.digest, chain) for e, chain in envelopes],
    )
    connection.executemany(
        "INSERT INTO contents VALUES (?, ?, CAST(? AS TEXT), ?)",
        [
            (each.envelope.conversation, each.envelope.epoch, each.body, each.salt)
            for each in kept
            if each.body is not None
        ],
    )
    last, chain = envelopes[-1]
    connection.execute(
        "INSERT INTO heads VALUES (?, ?, ?)"
        " ON CONFLICT (conversation) DO UPDATE SET epoch = excluded.epoch, chain = excluded.chain",
        (last.conversation, last.epoch, chain),
    )


def note_erasures(connection: sqlite3.Connection, conversation: ConversationId, acts: Mapping[Epoch, Epoch]) -> None:
    """Write which act erased each entry."""
    connection.executemany(
        "INSERT OR REPLACE INTO erasures VALUES (?, ?, ?)", [(conversation, *each) for each in acts.items()]
    )


def let_go(connection: sqlite3.Connection, erasure: Erasure, act: Entry) -> None:
    """Delete the contents that an act erases, and every snapshot, which may hold them too."""
    places = [(act.conversation, each.epoch) for each in erasure.erased]
    connection.executemany("DELETE FROM contents WHERE conversation = ? AND epoch = ?", places)
    note_erasures(connection, act.conversation, {each.epoch: act.epoch for each in erasure.erased})
    connection.execute("DELETE FROM snapshots WHERE conversation = ?", (act.conversation,))


def drop(connection: sqlite3.Connection, conversation: ConversationId) -> None:
    """Delete all that is kept of a conversation, but for what it is searched by."""
    for table in TABLES:
        connection.execute(f"DELETE FROM {table} WHERE conversation = ?", (conversation,))


def keep_snapshot(connection: sqlite3.Connection, conversation: ConversationId, snapshot: Snapshot) -> None:
    """Write a snapshot unless an erasure came after it, and drop all but the newest few."""
    (newest_erasure,) = connection.execute(NEWEST_ERASURE, (conversation,)).fetchone()
    if snapshot.epoch < newest_erasure:
        return
    connection.execute(
        "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)",
        (conversation, snapshot.epoch, snapshot.chain, snapshot.fingerprint, snapshot.body),
    )
    connection.execute(
        "DELETE FROM snapshots WHERE conversation = ?1 AND epoch NOT IN"
        " (SELECT epoch FROM snapshots WHERE conversation = ?1 ORDER BY epoch DESC LIMIT ?2)",
        (conversation, KEPT_SNAPSHOTS),
    )
