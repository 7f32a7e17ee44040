"""What the store in Postgres asks of the server. No statement names a schema; the transaction around it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from upheld.logic.language.identities import ConversationId, Epoch
from upheld.record.ledger.chain import BEGINNING, Head, KeptEntry
from upheld.record.ledger.entry import Entry, Erasure
from upheld.record.ledger.snapshot import KEPT_SNAPSHOTS, Snapshot
from upheld.record.stores.postgres.connection import Connection
from upheld.record.stores.rows import Rows

TABLES = ("contents", "entries", "heads", "erasures", "snapshots", "reviews", "bookmarks")
"""What has rows of a conversation, but for what it is searched by."""

_SELECT = (
    "SELECT conversation, epoch, turn, key, recorded_at, digest, chain, salt, body"
    " FROM entries LEFT JOIN contents USING (conversation, epoch)"
)
BETWEEN = f"{_SELECT} WHERE conversation = %s AND epoch > %s AND epoch <= %s ORDER BY epoch LIMIT %s"
BY_KEY = f"{_SELECT} WHERE conversation = %s AND key = %s AND key <> '' ORDER BY epoch"
ERASING_ACT = (
    f"{_SELECT} WHERE (conversation, epoch) ="
    " (SELECT conversation, act FROM erasures WHERE conversation = %s AND epoch = %s)"
)
HEAD = "SELECT epoch, chain FROM heads WHERE conversation = %s"
CONVERSATIONS = "SELECT conversation FROM heads ORDER BY conversation"
NEWEST_ENTRY = "SELECT coalesce(max(epoch), 0) FROM entries WHERE conversation = %s"
NEWEST_ERASURE = "SELECT coalesce(max(act), 0) FROM erasures WHERE conversation = %s"
CHAIN_AT = "SELECT chain FROM entries WHERE conversation = %s AND epoch = %s"
# Joined with the entry that it was taken after: a snapshot of another past is not found.
SNAPSHOT = (
    "SELECT epoch, chain, fingerprint, body FROM snapshots JOIN entries USING (conversation, epoch, chain)"
    " WHERE conversation = %s AND epoch <= %s ORDER BY epoch DESC LIMIT 1"
)
# One statement, so one way to the server and back, whatever the number of entries.
_WRITE = """
    WITH sent AS (
        SELECT * FROM unnest(
            %(epochs)s::bigint[], %(turns)s::text[], %(keys)s::text[], %(times)s::text[], %(digests)s::text[],
            %(chains)s::text[], %(bodies)s::bytea[], %(salts)s::text[]
        ) AS sent (epoch, turn, key, recorded_at, digest, chain, body, salt)
    ), enveloped AS (
        INSERT INTO entries (conversation, epoch, turn, key, recorded_at, digest, chain)
        SELECT %(conversation)s, epoch, turn, key, recorded_at, digest, chain FROM sent
    ), filled AS (
        INSERT INTO contents (conversation, epoch, body, salt) SELECT %(conversation)s, epoch, body, salt FROM sent
        WHERE body IS NOT NULL
    ), headed AS (
        INSERT INTO heads (conversation, epoch, chain) VALUES (%(conversation)s, %(epoch)s, %(chain)s)
        ON CONFLICT (conversation) DO UPDATE SET epoch = excluded.epoch, chain = excluded.chain
    )
    SELECT pg_notify(%(channel)s, %(notice)s)
"""


def rows_of(connection: Connection) -> Rows:
    """Give what asks a statement within the transaction of a connection."""
    return lambda query, values: connection.execute(query.encode(), values).fetchall()


def head_of(rows: Rows, conversation: ConversationId) -> Head:
    """Give where a conversation's ledger ends."""
    found = rows(HEAD, (conversation,))
    return Head(epoch=found[0][0], chain=found[0][1]) if found else BEGINNING


def write(connection: Connection, kept: Sequence[KeptEntry], *, channel: str, notice: str) -> None:
    """Write entries, their contents and the new head, and send a notice with the end of the transaction."""
    if not kept:
        return
    envelopes = [each.envelope for each in kept]
    last = kept[-1]
    connection.execute(
        _WRITE.encode(),
        {
            "conversation": last.envelope.conversation,
            "epoch": last.envelope.epoch,
            "chain": last.chain,
            "epochs": [each.epoch for each in envelopes],
            "turns": [each.turn for each in envelopes],
            "keys": [each.key for each in envelopes],
            "times": [each.recorded_at for each in envelopes],
            "digests": [each.digest for each in envelopes],
            "chains": [each.chain for each in kept],
            "bodies": [each.body for each in kept],
            "salts": [each.salt for each in kept],
            "channel": channel,
            "notice": notice,
        },
    )


def note_erasures(connection: Connection, conversation: ConversationId, acts: Mapping[Epoch, Epoch]) -> None:
    """Write which act erased each entry."""
    connection.execute(
        "INSERT INTO erasures (conversation, epoch, act) SELECT %s, epoch, act"
        " FROM unnest(%s::bigint[], %s::bigint[]) AS gone (epoch, act)"
        " ON CONFLICT (conversation, epoch) DO UPDATE SET act = excluded.act",
        (conversation, list(acts), list(acts.values())),
    )


def let_go(connection: Connection, erasure: Erasure, act: Entry) -> None:
    """Delete the contents that an act erases, and every snapshot, which may hold them too."""
    name, epochs = act.conversation, [each.epoch for each in erasure.erased]
    connection.execute("DELETE FROM contents WHERE conversation = %s AND epoch = ANY(%s)", (name, epochs))
    note_erasures(connection, name, {each.epoch: act.epoch for each in erasure.erased})
    connection.execute("DELETE FROM snapshots WHERE conversation = %s", (name,))


def drop(connection: Connection, conversation: ConversationId, *, channel: str, notice: str) -> None:
    """Delete all that is kept of a conversation, and send a notice with the end of the transaction."""
    for table in TABLES:
        connection.execute(f"DELETE FROM {table} WHERE conversation = %s".encode(), (conversation,))
    connection.execute("SELECT pg_notify(%s, %s)", (channel, notice))


def keep_snapshot(connection: Connection, rows: Rows, conversation: ConversationId, snapshot: Snapshot) -> None:
    """Write a snapshot unless an erasure came after it, and drop all but the newest few."""
    ((newest_erasure,),) = rows(NEWEST_ERASURE, (conversation,))
    if snapshot.epoch < newest_erasure:
        return
    connection.execute(
        "INSERT INTO snapshots (conversation, epoch, chain, fingerprint, body) VALUES (%s, %s, %s, %s, %s)"
        " ON CONFLICT (conversation, epoch) DO UPDATE"
        " SET chain = excluded.chain, fingerprint = excluded.fingerprint, body = excluded.body",
        (conversation, snapshot.epoch, snapshot.chain, snapshot.fingerprint, snapshot.body),
    )
    connection.execute(
        "DELETE FROM snapshots WHERE conversation = %(conversation)s AND epoch NOT IN"
        " (SELECT epoch FROM snapshots WHERE conversation = %(conversation)s ORDER BY epoch DESC LIMIT %(kept)s)",
        {"conversation": conversation, "kept": KEPT_SNAPSHOTS},
    )
