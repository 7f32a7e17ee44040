"""What stores over SQL have in common: what a row means, and how entries are read without passing any over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from upheld.logic.language.identities import ConversationId, Epoch, TurnId
from upheld.record.ledger.chain import KeptEntry, salted_digest
from upheld.record.ledger.codec import Codec, unreadable
from upheld.record.ledger.entry import Entry, Envelope
from upheld.record.ledger.erasing import in_place

PAGE = 100
"""Entries read at once: a reader holds no lock and no snapshot between pages, so it never stands in a writer's way."""

Row = tuple[str, int, str | None, str, str, str, str, str | None, bytes | None]

Rows = Callable[[str, tuple[object, ...]], list[Any]]
"""Asks a statement with its values, and gives all rows."""


def kept_of(row: Row) -> KeptEntry:
    """Give the entry that a row holds: envelope, chain, and salt and body where there are any."""
    conversation, epoch, turn, key, recorded_at, digest, chain, salt, body = row
    envelope = Envelope(
        conversation=ConversationId(conversation),
        epoch=Epoch(epoch),
        turn=None if turn is None else TurnId(turn),
        key=key,
        recorded_at=recorded_at,
        digest=digest,
    )
    return KeptEntry(envelope=envelope, chain=chain, salt=salt or "", body=body)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReader:
    """Reads entries with two statements of a store, whose rows are of the form :data:`Row`.

    ``between`` takes a conversation, the epoch before the first, the last one, and how many rows at most;
    ``erasing_act`` takes a conversation and an epoch, and gives the act that erased it.
    """

    codec: Codec
    between: str
    erasing_act: str

    def pages(
        self, rows: Rows, conversation: ConversationId, after: int, upto: int, *, first: Sequence[Row] | None = None
    ) -> Iterator[KeptEntry]:
        """Give the entries with ``after`` < epoch <= ``upto`` as they are kept, a page at a time.

        ``first`` is the first page, for who has it already.
        """
        seen = after
        while seen < upto:
            found = rows(self.between, (conversation, seen, upto, PAGE)) if first is None else first
            first = None
            if not found:
                return
            for row in found:
                yield kept_of(row)
            seen = found[-1][1]

    def whole(
        self, rows: Rows, conversation: ConversationId, after: int, upto: int, *, first: Sequence[Row] | None = None
    ) -> Iterator[Entry]:
        """Give the entries, and refuse at the first that is missing: a fold that leaves one out is another fold.

        Raises:
            UnreadableEntry: when its turn comes, an entry that is missing, damaged or of a newer schema.
        """
        expected = after + 1
        for kept in self.pages(rows, conversation, after, upto, first=first):
            if kept.envelope.epoch != expected:
                break
            yield self.entry(rows, kept)
            expected += 1
        if expected <= upto:
            raise unreadable(conversation, expected, "the entry is missing")

    def entry_at(self, rows: Rows, conversation: ConversationId, epoch: Epoch) -> Entry:
        """Give one entry.

        Raises:
            UnreadableEntry: missing, damaged or of a newer schema.
        """
        found = rows(self.between, (conversation, epoch - 1, epoch, 1))
        if not found:
            raise unreadable(conversation, epoch, "the entry is missing")
        return self.entry(rows, kept_of(found[0]))

    def entry(self, rows: Rows, kept: KeptEntry) -> Entry:
        """Give an entry with its content read, or with what stands in the place of an erased one.

        Raises:
            UnreadableEntry: damaged, of a newer schema, or empty without an act on record.
        """
        envelope = kept.envelope
        name, epoch = envelope.conversation, envelope.epoch
        if kept.body is None:
            return self._erased(rows, kept)
        if salted_digest(kept.body, kept.salt) != envelope.digest:
            raise unreadable(name, epoch, "its content was damaged")
        return kept.holding(self.codec.decode(kept.body.decode(), conversation=name, epoch=epoch))

    def _erased(self, rows: Rows, kept: KeptEntry) -> Entry:
        envelope = kept.envelope
        found = rows(self.erasing_act, (envelope.conversation, envelope.epoch))
        acts = [kept_of(row) for row in found]
        if acts and acts[0].body is not None:
            content = in_place(envelope.epoch, envelope.turn, self.entry(rows, acts[0]))
            if content is not None:
                return kept.holding(content)
        raise unreadable(envelope.conversation, envelope.epoch, "its content is missing")
