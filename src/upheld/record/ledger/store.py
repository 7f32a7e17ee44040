"""What every store of ledgers promises."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Protocol, Self

from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.entry import Content, Entry

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

    def append(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | None = None,
        key: str = "",
    ) -> tuple[Entry, ...]:
        """Append all contents or none, in one transaction, and give their entries.

        ``expected`` is the version that the writer saw. A ``key`` that is not empty makes a retry safe: with the key of
        an earlier append of this conversation nothing is written, ``expected`` is not looked at, and the entries of
        that first time are given.

        Raises:
            VersionConflict: somebody appended since ``expected``; read again and retry.
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

    def version(self, conversation: ConversationId) -> int:
        """Give the number of entries, which is the newest epoch; 0 for an unknown conversation."""
        ...

    def conversations(self) -> tuple[ConversationId, ...]:
        """Give the ids of all conversations, sorted by code point."""
        ...

    def follow(self, conversation: ConversationId, *, after: int = 0, timeout: float | None = None) -> Iterator[Entry]:
        """Give the entries from ``after`` on, then each as it arrives.

        Ends after ``timeout`` seconds without news (0: as soon as there is nothing more), never when ``None``. Closing
        the store ends a wait with ``StoreError``.
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
