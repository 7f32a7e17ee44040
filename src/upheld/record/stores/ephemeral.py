"""A store in the memory of the process: for tests, for what-ifs, for conversations that nobody wants kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Condition
from types import TracebackType
from typing import Self

from upheld.errors import StoreError
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.appending import asked, following, named, window
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Content, Entry
from upheld.record.ledger.store import Clock, system_clock


class EphemeralStore:
    """A :class:`~upheld.record.ledger.store.Store` that forgets everything when closed."""

    def __init__(self, *, clock: Clock = system_clock, codec: Codec | None = None) -> None:
        """Begin with no conversation."""
        self._clock = clock
        self._codec = codec or Codec()
        self._ledgers: dict[ConversationId, list[Entry]] = {}
        self._keyed: dict[tuple[ConversationId, str], tuple[Entry, ...]] = {}
        self._is_closed = False
        self._changed = Condition()

    def append(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | None = None,
        key: str = "",
    ) -> tuple[Entry, ...]:
        """Append all contents or none, at a cost of what is appended."""
        append = asked(self._codec, conversation, contents, expected=expected, key=key)
        with self._changed:
            ledger = self._ledger(append.conversation)
            first = self._keyed.get((append.conversation, key), ())
            if first:
                return append.repeats(first, self._codec)
            entries = append.entries(len(ledger), self._clock())
            if entries:
                self._ledgers[append.conversation] = ledger
                ledger.extend(entries)
                if key:
                    self._keyed[append.conversation, key] = entries
                self._changed.notify_all()
            return entries

    def read(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Give the entries with ``after`` < epoch <= ``upto`` in order."""
        with self._changed:
            ledger = self._ledger(named(conversation))
            low, high = window(after, upto, len(ledger))
            return iter(ledger[low:high])

    def version(self, conversation: ConversationId) -> int:
        """Give the number of entries; 0 for an unknown conversation."""
        with self._changed:
            return len(self._ledger(named(conversation)))

    def conversations(self) -> tuple[ConversationId, ...]:
        """Give the ids of all conversations, sorted by code point."""
        with self._changed:
            self._refuse_if_closed()
            return tuple(sorted(self._ledgers))

    def follow(self, conversation: ConversationId, *, after: int = 0, timeout: float | None = None) -> Iterator[Entry]:
        """Give the entries from ``after`` on, then each as it arrives."""
        self.version(conversation)

        def has_news(seen: int) -> bool:
            with self._changed:
                return self._changed.wait_for(lambda: len(self._ledger(conversation)) > seen, timeout)

        return following(lambda seen: self.read(conversation, after=seen), has_news, after)

    def close(self) -> None:
        """Forget everything; closing twice is no fault."""
        with self._changed:
            self._is_closed = True
            self._ledgers.clear()
            self._keyed.clear()
            self._changed.notify_all()

    def __enter__(self) -> Self:
        """Give the store itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()

    def _ledger(self, conversation: ConversationId) -> list[Entry]:
        self._refuse_if_closed()
        return self._ledgers.get(conversation, [])

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise StoreError("this store is closed")
