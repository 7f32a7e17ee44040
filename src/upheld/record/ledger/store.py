"""What every store of ledgers promises."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.chain import Head, KeptEntry
from upheld.record.ledger.entry import Content, Entry
from upheld.record.ledger.erasing import Receipt
from upheld.record.ledger.snapshot import Snapshot

Clock = Callable[[], str]
"""Gives the present time in ISO 8601; it is written into entries for people, and orders nothing."""


def system_clock() -> str:
    """Give the computer's time in UTC, to the millisecond."""
    seconds, rest = divmod(time.time_ns(), 1_000_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 1_000_000:03d}+00:00"


class Store(Protocol):
    """An append-only ledger for each conversation; the conversation id is a partition that nothing crosses.

    Safe to share between threads, inside and outside an event loop. Every method refuses an empty conversation id
    with ``MalformedInput``, and any use after :meth:`close` with ``StoreError``; a failed call changes nothing. A
    conversation begins with its first entry: one that nobody wrote to has version 0 and reads as empty. The suite
    ``upheld.testing.store_contract`` tells whether a store keeps these promises.
    """

    @property
    def is_read_only(self) -> bool:
        """Tell whether everything that would write is refused."""
        ...

    def append(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | Head | None = None,
        key: str | Sequence[str] = "",
    ) -> tuple[Entry, ...]:
        """Append all contents or none, in one transaction, and give their entries.

        ``expected`` is the version that the writer saw, or the head, which also says of which record. A ``key`` that is
        not empty makes a retry safe: with the key of an earlier append of this conversation nothing is written,
        ``expected`` is not looked at, and the entries of that first time are given. A key for each content, with
        ``expected`` 0, copies a record with its keys.

        Raises:
            VersionConflict: somebody appended since ``expected``; read again and retry.
            DroppedConversation: the record that ends at the head ``expected`` is gone.
            RepeatedIdentity: the key was used before for different contents.
            MalformedInput: a content, id or key that could not be read back.
        """
        ...

    def read(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Give the entries with ``after`` < epoch <= ``upto`` in order, up to the version at the time of the call.

        Raises:
            UnreadableEntry: when its turn comes, an entry that is damaged or of a newer schema.
        """
        ...

    def erase(
        self,
        conversation: ConversationId,
        epochs: Iterable[int],
        *,
        reason: str,
        by: AgentId | None = None,
        key: str = "",
    ) -> Entry | None:
        """Erase the contents of entries, body and salt, and put the act on record, in one transaction.

        Envelope, digest and chain stay, and reading gives :class:`~upheld.record.ledger.entry.Erased` in the content's
        place. The interpretation of a turn is an entry of its own: it stays unless it is named too. Every snapshot of
        the conversation goes, since it may hold what was erased. Gives the entry of the act; ``None``, and nothing is
        written, when all was erased before. A retry of the append that wrote it gives what is left, and writes nothing.
        ``key`` is noted with the act: who is about to repeat it finds it there.

        Raises:
            UnknownReference: an epoch that the conversation does not have.
            MalformedInput: no reason, or an epoch whose entry is itself an erasure.
        """
        ...

    def drop(
        self,
        conversation: ConversationId,
        *,
        reason: str,
        by: AgentId | None = None,
        expected: int | Head | None = None,
    ) -> Receipt:
        """Delete a conversation whole, in one transaction: entries, keys, snapshots, and all that it is found by.

        Nothing of it can be read any more, and its name is free: a conversation that begins under it is another one.
        Whoever had this one open is told so, with :class:`~upheld.errors.DroppedConversation`, when they give the head
        that they saw to :meth:`append`, or go on following. With ``expected`` it is dropped as it was looked at.

        Raises:
            UnknownConversation: there is none of that name.
            VersionConflict: somebody appended since ``expected``; nothing was dropped.
            DroppedConversation: the record that ends at the head ``expected`` is gone already.
            MalformedInput: no reason.
        """
        ...

    def adopt(self, conversation: ConversationId, kept: Iterable[KeptEntry]) -> None:
        """Take over a whole record, as :meth:`kept` of another store gave it: chain, salts, times and keys as they are.

        Raises:
            VersionConflict: this store has a conversation of that name already; nothing was changed.
            MalformedInput: the record has no entry, is not whole, or is another conversation's.
        """
        ...

    def kept(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[KeptEntry]:
        """Give the entries with ``after`` < epoch <= ``upto`` as they are kept, in order, whatever is wrong with them.

        What is missing is missing here too; :func:`upheld.record.ledger.verifying.audit` finds it.
        """
        ...

    def head(self, conversation: ConversationId) -> Head:
        """Give where the ledger ends, as was noted at the last append; epoch 0 for an unknown conversation."""
        ...

    def heads(self, conversations: Sequence[ConversationId]) -> tuple[Head, ...]:
        """Give where each of these ledgers ends, in their order. Cost: one way to where they are kept, and no more."""
        ...

    def damage(self) -> tuple[str, ...]:
        """Give what is wrong with the medium below the entries, a line a fault; empty when nothing is. Cost: all."""
        ...

    def save_snapshot(self, conversation: ConversationId, snapshot: Snapshot) -> None:
        """Keep a snapshot beside the ledger; the newest :data:`~upheld.record.ledger.snapshot.KEPT_SNAPSHOTS` stay.

        One from before the newest erasure is not kept, for it may hold what was erased.

        Raises:
            MalformedInput: the entry at that epoch has another chain, or there is none.
        """
        ...

    def snapshot(self, conversation: ConversationId, *, upto: int | None = None) -> Snapshot | None:
        """Give the newest snapshot with epoch <= ``upto``, of this very past; ``None`` when there is none."""
        ...

    def version(self, conversation: ConversationId) -> int:
        """Give the number of entries, which is the newest epoch; 0 for an unknown conversation."""
        ...

    def conversations(self) -> tuple[ConversationId, ...]:
        """Give the ids of all conversations, sorted by code point."""
        ...

    def follow(self, conversation: ConversationId, *, after: int = 0, timeout: float | None = None) -> Iterator[Entry]:
        """Give the entries from ``after`` on, then each as it arrives.

        Ends after ``timeout`` seconds without news (0: as soon as there is nothing more), never when ``None``. Closing
        the store ends a wait with ``StoreError``, and dropping the conversation with ``DroppedConversation``.
        """
        ...

    def stirred(self, seen: int = 0, *, timeout: float) -> int:
        """Wait until any conversation was appended to or dropped since the mark ``seen``, and give the mark of now.

        Marks are this object's own, and only whether two are the same means anything; 0 is none of them, so that a
        first call does not wait. After ``timeout`` seconds the mark comes back as it was. Where a store cannot be sure
        that it heard of everything it gives another mark: whoever waits looks once too often, and never too seldom.

        Raises:
            StoreError: the store is closed.
        """
        ...

    def close(self) -> None:
        """Let go of everything held; closing twice is no fault."""
        ...

    def __enter__(self) -> Self:
        """Give the store itself."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """A place in a record: right after a turn of a conversation."""

    conversation: ConversationId
    turn: TurnId


@runtime_checkable
class BookmarkingStore(Protocol):
    """What a store offers that finds places by names which somebody outside gave them; a store need not.

    A bookmark is kept beside the record, like a snapshot: no reader rests on it, and a copy of a record has none. The
    suite ``upheld.testing.dropping_contract`` tells whether these promises are kept.
    """

    def bookmark(self, name: str, place: Bookmark, /) -> None:
        """Keep a place under a name; of two the later counts. It goes with its conversation.

        Nothing is kept of a conversation that is not there. Whether the turn is there is the caller's to know.

        Raises:
            MalformedInput: no name, or one that could not be read back.
        """
        ...

    def bookmarked(self, name: str, /) -> Bookmark | None:
        """Give the place that is kept under a name. Cost: one look, however many conversations there are."""
        ...
