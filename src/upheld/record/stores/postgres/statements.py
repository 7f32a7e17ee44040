"""What the store in Postgres asks of the server. No statement names a schema; the transaction around it does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from upheld.logic.language.identities import ConversationId, Epoch
from upheld.record.ledger.chain import BEGINNING, Head, KeptEntry
from upheld.record.ledger.entry import Entry, Erasure
from upheld.record.ledger.snapshot import KEPT_SNAPSHOTS, Snapshot
from upheld.record.stores.postgres.transaction import Transaction, listed
from upheld.record.stores.rows import Row, Rows

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
HEADS = "SELECT conversation, epoch, chain FROM heads WHERE conversation = ANY(%s)"
CONVERSATIONS = "SELECT conversation FROM heads ORDER BY conversation"
NEWEST_ENTRY = "SELECT coalesce(max(epoch), 0) FROM entries WHERE conversation = %s"
NEWEST_ERASURE = "SELECT coalesce(max(act), 0) FROM erasures WHERE conversation = %s"
CHAIN_AT = "SELECT chain FROM entries WHERE conversation = %s AND epoch = %s"
# Joined with the entry that it was taken after: a snapshot of another past is not found.
SNAPSHOT = (
    "SELECT epoch, chain, fingerprint, body FROM snapshots JOIN entries USING (conversation, epoch, chain)"
    " WHERE conversation = %s AND epoch <= %s ORDER BY epoch DESC LIMIT 1"
)
# Plain statements: they go in one message whatever their number, and the server plans them in no time.
_ENTRIES = "INSERT INTO entries (conversation, epoch, turn, key, recorded_at, digest, chain) VALUES "
_CONTENTS = "INSERT INTO contents (conversation, epoch, body, salt) VALUES "
_MOVE_HEAD = (
    "INSERT INTO heads (conversation, epoch, chain) VALUES (%s, %s, %s)"
    " ON CONFLICT (conversation) DO UPDATE SET epoch = excluded.epoch, chain = excluded.chain"
)


def head_of(rows: Rows, conversation: ConversationId) -> Head:
    """Give where a conversation's ledger ends."""
    return head_in(rows(HEAD, (conversation,)))


def first_and_head(transaction: Transaction, conversation: ConversationId, key: str) -> tuple[Sequence[Row], Head]:
    """Give the entries that were appended under a key before, and where the ledger ends; without a key, none."""
    if not key:
        return (), head_of(transaction.rows, conversation)
    first, head = transaction.rows_of_both((BY_KEY, (conversation, key)), (HEAD, (conversation,)))
    return first, head_in(head)


def heads_of(rows: Iterable[Any]) -> dict[ConversationId, Head]:
    """Give where ledgers end, of rows of :data:`HEADS`."""
    return {ConversationId(name): Head(epoch=epoch, chain=chain) for name, epoch, chain in rows}


def head_in(rows: Sequence[Any]) -> Head:
    """Give where a ledger ends, of rows of :data:`HEAD`."""
    return Head(epoch=rows[0][0], chain=rows[0][1]) if rows else BEGINNING


def write(transaction: Transaction, kept: Sequence[KeptEntry], *, channel: str, notice: str) -> None:
    """Write entries, their contents and the new head, and send a notice with the end of the transaction."""
    if not kept:
        return
    for places, values in listed([_row(each) for each in kept]):
        transaction.tell(_ENTRIES + places, values)
    filled = [each for each in kept if each.body is not None]
    for places, values in listed([(*_place(each), each.body, each.salt) for each in filled]):
        transaction.tell(_CONTENTS + places, values)
    last = kept[-1]
    transaction.tell(_MOVE_HEAD, (*_place(last), last.chain))
    transaction.tell("SELECT pg_notify(%s, %s)", (channel, notice))


def _place(kept: KeptEntry) -> tuple[object, ...]:
    return kept.envelope.conversation, kept.envelope.epoch


def _row(kept: KeptEntry) -> tuple[object, ...]:
    each = kept.envelope
    return (*_place(kept), each.turn, each.key, each.recorded_at, each.digest, kept.chain)


def note_erasures(transaction: Transaction, conversation: ConversationId, acts: Mapping[Epoch, Epoch]) -> None:
    """Write which act erased each entry."""
    transaction.tell(
        "INSERT INTO erasures (conversation, epoch, act) SELECT %s, epoch, act"
        " FROM unnest(%s::bigint[], %s::bigint[]) AS gone (epoch, act)"
        " ON CONFLICT (conversation, epoch) DO UPDATE SET act = excluded.act",
        (conversation, list(acts), list(acts.values())),
    )


def let_go(transaction: Transaction, erasure: Erasure, act: Entry) -> None:
    """Delete the contents that an act erases, and every snapshot, which may hold them too."""
    name, epochs = act.conversation, [each.epoch for each in erasure.erased]
    transaction.tell("DELETE FROM contents WHERE conversation = %s AND epoch = ANY(%s)", (name, epochs))
    note_erasures(transaction, name, {each.epoch: act.epoch for each in erasure.erased})
    transaction.tell("DELETE FROM snapshots WHERE conversation = %s", (name,))


def drop(transaction: Transaction, conversation: ConversationId, *, channel: str, notice: str) -> None:
    """Delete all that is kept of a conversation, and send a notice with the end of the transaction."""
    for table in TABLES:
        transaction.tell(f"DELETE FROM {table} WHERE conversation = %s", (conversation,))
    transaction.tell("SELECT pg_notify(%s, %s)", (channel, notice))


def keep_snapshot(transaction: Transaction, conversation: ConversationId, snapshot: Snapshot) -> None:
    """Write a snapshot unless an erasure came after it, and drop all but the newest few."""
    ((newest_erasure,),) = transaction.rows(NEWEST_ERASURE, (conversation,))
    if snapshot.epoch < newest_erasure:
        return
    transaction.tell(
        "INSERT INTO snapshots (conversation, epoch, chain, fingerprint, body) VALUES (%s, %s, %s, %s, %s)"
        " ON CONFLICT (conversation, epoch) DO UPDATE"
        " SET chain = excluded.chain, fingerprint = excluded.fingerprint, body = excluded.body",
        (conversation, snapshot.epoch, snapshot.chain, snapshot.fingerprint, snapshot.body),
    )
    transaction.tell(
        "DELETE FROM snapshots WHERE conversation = %(conversation)s AND epoch NOT IN"
        " (SELECT epoch FROM snapshots WHERE conversation = %(conversation)s ORDER BY epoch DESC LIMIT %(kept)s)",
        {"conversation": conversation, "kept": KEPT_SNAPSHOTS},
    )
