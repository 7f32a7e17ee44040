"""A store in the memory of the process: for tests, for what-ifs, for conversations that nobody wants kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from threading import Condition
from types import TracebackType
from typing import Self

from upheld.errors import StoreError, VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId, FlagId
from upheld.record.ledger.adopting import adopted
from upheld.record.ledger.appending import Append, Sealing, following, marking, named, refuse_outdated, window
from upheld.record.ledger.chain import BEGINNING, Head, KeptEntry, Salts, random_salt
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Content, Entry, Erased, Erasure, envelope_of
from upheld.record.ledger.erasing import Receipt, in_place, requested, to_drop
from upheld.record.ledger.review.queue import FlagPlace, FlagQuery, scanned, stepping
from upheld.record.ledger.search import Filing, Found, Moment, Query, Vector, refuse_misfiled
from upheld.record.ledger.snapshot import KEPT_SNAPSHOTS, Snapshot, refuse_misfit
from upheld.record.ledger.store import Bookmark, Clock, system_clock
from upheld.record.stores.shelf import ClaimShelf


@dataclass(slots=True)
class _Ledger:
    """One conversation. ``read[n]`` and ``salts[n]`` are of epoch n + 1; ``keyed`` gives first epoch and count."""

    read: list[Entry] = field(default_factory=list[Entry])
    salts: list[str] = field(default_factory=list[str])
    keyed: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    snapshots: tuple[Snapshot, ...] = ()
    newest_erasure: int = 0

    @property
    def head(self) -> Head:
        return Head(epoch=len(self.read), chain=self.read[-1].chain) if self.read else BEGINNING

    def note_key(self, entry: Entry, place: int) -> None:
        if entry.key:
            first, count = self.keyed.get(entry.key, (place, 0))
            self.keyed[entry.key] = (first, count + 1)

    def written(self, append: Append, recorded_at: str) -> tuple[Entry, ...]:
        kept = append.kept(self.head, recorded_at)
        entries = append.held(kept)
        for place, entry in enumerate(entries, start=len(self.read) + 1):
            self.note_key(entry, place)
        self.read.extend(entries)
        self.salts.extend(each.salt for each in kept)
        return entries


class EphemeralStore:
    """A :class:`~upheld.record.ledger.search.SearchableStore` that forgets everything when closed."""

    def __init__(self, *, clock: Clock = system_clock, codec: Codec | None = None, salts: Salts = random_salt) -> None:
        """Begin with no conversation."""
        self._clock = clock
        self._codec = codec or Codec()
        self._sealing = Sealing(codec=self._codec, salts=salts)
        self._ledgers: dict[ConversationId, _Ledger] = {}
        self._shelf = ClaimShelf()
        self._bookmarks: dict[str, Bookmark] = {}
        self._is_closed = False
        self._changed = Condition()
        self._mark = 1

    @property
    def is_read_only(self) -> bool:
        """Tell whether everything that would write is refused: never."""
        return False

    def append(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | Head | None = None,
        key: str | Sequence[str] = "",
        filings: Sequence[Filing] | None = None,
    ) -> tuple[Entry, ...]:
        """Append all contents or none, and file how claims stand, at a cost of what is appended and filed."""
        refuse_misfiled(filings or ())
        append = self._sealing.asked(conversation, contents, expected=expected, key=key)
        with self._changed:
            ledger = self._ledger(append.conversation)
            first, count = ledger.keyed.get(append.key, (0, 0))
            if first:
                return append.repeats(ledger.read[first - 1 : first - 1 + count], self._codec)
            entries = ledger.written(append, self._clock())
            if entries:
                self._ledgers[append.conversation] = ledger
                if filings is not None:
                    last = entries[-1]
                    self._shelf.file(append.conversation, filings, since=last.epoch, recorded_at=last.recorded_at)
                self._stir()
            return entries

    def erase(
        self,
        conversation: ConversationId,
        epochs: Iterable[int],
        *,
        reason: str,
        by: AgentId | None = None,
        key: str = "",
    ) -> Entry | None:
        """Let go of the contents, and put the act on record."""
        request = requested(conversation, epochs, reason=reason, by=by, key=key)
        with self._changed:
            ledger = self._ledger(request.conversation)
            erasure = request.act(len(ledger.read), lambda epoch: ledger.read[epoch - 1])
            if erasure is None:
                return None
            (act,) = ledger.written(self._sealing.act(request.conversation, erasure, key=request.key), self._clock())
            _let_go(ledger, erasure, act)
            # What was filed may be the very words: whoever knows what is left files it anew.
            self._shelf.unfile(request.conversation)
            self._stir()
            return act

    def drop(
        self,
        conversation: ConversationId,
        *,
        reason: str,
        by: AgentId | None = None,
        expected: int | Head | None = None,
    ) -> Receipt:
        """Let go of a conversation whole."""
        dropping = to_drop(conversation, reason=reason, by=by, expected=expected)
        with self._changed:
            receipt = dropping.receipt(self._ledger(dropping.conversation).head, self._clock())
            del self._ledgers[dropping.conversation]
            gone = [name for name, place in self._bookmarks.items() if place.conversation == dropping.conversation]
            for name in gone:
                del self._bookmarks[name]
            self._shelf.unfile(dropping.conversation)
            self._stir()
            return receipt

    def adopt(self, conversation: ConversationId, kept: Iterable[KeptEntry]) -> None:
        """Take over a whole record."""
        record = adopted(conversation, kept, self._codec)
        with self._changed:
            found = self._ledger(record.conversation).head.epoch
            if found:
                raise VersionConflict(record.conversation, expected=0, found=found)
            ledger = _Ledger(read=list(record.entries), salts=[each.salt for each in record.kept])
            for place, entry in enumerate(record.entries, start=1):
                ledger.note_key(entry, place)
            ledger.newest_erasure = max(record.acts.values(), default=0)
            self._ledgers[record.conversation] = ledger
            self._stir()

    def read(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Give the entries with ``after`` < epoch <= ``upto`` in order."""
        with self._changed:
            read = self._ledger(named(conversation)).read
            low, high = window(after, upto, len(read))
            return iter(read[low:high])

    def kept(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[KeptEntry]:
        """Give the entries with ``after`` < epoch <= ``upto`` as they are kept."""
        with self._changed:
            ledger = self._ledger(named(conversation))
            low, high = window(after, upto, len(ledger.read))
            return map(self._kept, ledger.read[low:high], ledger.salts[low:high])

    def head(self, conversation: ConversationId) -> Head:
        """Give where the ledger ends."""
        with self._changed:
            return self._ledger(named(conversation)).head

    def heads(self, conversations: Sequence[ConversationId]) -> tuple[Head, ...]:
        """Give where each of these ledgers ends."""
        return tuple(map(self.head, conversations))

    def damage(self) -> tuple[str, ...]:
        """Give nothing: memory has no faults that a program could find."""
        with self._changed:
            self._refuse_if_closed()
            return ()

    def save_snapshot(self, conversation: ConversationId, snapshot: Snapshot) -> None:
        """Keep a snapshot beside the ledger."""
        with self._changed:
            ledger = self._ledger(named(conversation))
            known = ledger.read[snapshot.epoch - 1].chain if 1 <= snapshot.epoch <= len(ledger.read) else None
            refuse_misfit(snapshot, known)
            if snapshot.epoch >= ledger.newest_erasure:
                others = [each for each in ledger.snapshots if each.epoch != snapshot.epoch]
                newest = sorted([*others, snapshot], key=lambda each: each.epoch, reverse=True)
                ledger.snapshots = tuple(newest[:KEPT_SNAPSHOTS])

    def snapshot(self, conversation: ConversationId, *, upto: int | None = None) -> Snapshot | None:
        """Give the newest snapshot with epoch <= ``upto``."""
        with self._changed:
            kept = self._ledger(named(conversation)).snapshots
            return next((each for each in kept if upto is None or each.epoch <= upto), None)

    def bookmark(self, name: str, place: Bookmark, /) -> None:
        """Keep a place under a name."""
        with self._changed:
            if self._ledger(named(place.conversation)).read:
                self._bookmarks[marking(name)] = place

    def bookmarked(self, name: str, /) -> Bookmark | None:
        """Give the place that is kept under a name."""
        with self._changed:
            self._refuse_if_closed()
            return self._bookmarks.get(marking(name))

    def find(self, query: Query, /) -> tuple[Found, ...]:
        """Give the claims that match best. Cost: all that were filed."""
        with self._changed:
            self._refuse_if_closed()
            return self._shelf.find(query, {name for name in self._ledgers if self._is_in_step(name)})

    def filed(self, conversation: ConversationId) -> int:
        """Give the epoch up to which claims were filed."""
        with self._changed:
            self._refuse_if_closed()
            return self._shelf.filed.get(named(conversation), 0)

    def unfiled(self) -> tuple[ConversationId, ...]:
        """Give the conversations that no search looks into."""
        with self._changed:
            self._refuse_if_closed()
            return tuple(sorted(name for name in self._ledgers if not self._is_in_step(name)))

    def unembedded(self, embedder: str, limit: int) -> tuple[tuple[int, str], ...]:
        """Give claims that have no vector of an embedder yet. Cost: all that were filed."""
        with self._changed:
            self._refuse_if_closed()
            return self._shelf.unembedded(embedder, limit)

    def embed(self, embedder: str, vectors: Iterable[Vector]) -> None:
        """Keep vectors of claims."""
        with self._changed:
            self._refuse_if_closed()
            self._shelf.embed(embedder, vectors)

    def refile(self, conversation: ConversationId, moments: Iterable[Moment], *, expected: int | Head) -> None:
        """Put these in the place of all that was filed of a conversation."""
        filed = tuple(moments)
        for each in filed:
            refuse_misfiled(each.filings)
        with self._changed:
            ledger = self._ledger(named(conversation))
            refuse_outdated(conversation, expected, ledger.head)
            self._shelf.unfile(conversation)
            for each in filed:
                recorded_at = ledger.read[each.epoch - 1].recorded_at
                self._shelf.file(conversation, each.filings, since=each.epoch, recorded_at=recorded_at)
            self._shelf.filed[conversation] = ledger.head.epoch

    def flags(self, query: FlagQuery, /) -> tuple[FlagPlace, ...]:
        """Give the flags that are wanted, in the order of the queue. Cost: all entries."""
        with self._changed:
            self._refuse_if_closed()
            return scanned((entry for ledger in self._ledgers.values() for entry in ledger.read), query)

    def steps(self, conversation: ConversationId, flag: FlagId | None = None) -> tuple[Entry, ...]:
        """Give the entries of one flag, or of all flags of a conversation. Cost: its entries."""
        with self._changed:
            return stepping(self._ledger(named(conversation)).read, flag)

    def version(self, conversation: ConversationId) -> int:
        """Give the number of entries; 0 for an unknown conversation."""
        return self.head(conversation).epoch

    def conversations(self) -> tuple[ConversationId, ...]:
        """Give the ids of all conversations, sorted by code point."""
        with self._changed:
            self._refuse_if_closed()
            return tuple(sorted(self._ledgers))

    def follow(self, conversation: ConversationId, *, after: int = 0, timeout: float | None = None) -> Iterator[Entry]:
        """Give the entries from ``after`` on, then each as it arrives."""

        def chain_at(epoch: int) -> str:
            with self._changed:
                read = self._ledger(named(conversation)).read
                return read[epoch - 1].chain if 1 <= epoch <= len(read) else ""

        def has_news(seen: Head) -> bool:
            with self._changed:
                return self._changed.wait_for(lambda: self._ledger(conversation).head.is_after(seen), timeout)

        seen = Head(epoch=after, chain=chain_at(after))
        return following(conversation, lambda epoch: self.read(conversation, after=epoch), chain_at, has_news, seen)

    def stirred(self, seen: int = 0, *, timeout: float) -> int:
        """Wait until something was appended to any conversation."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._mark != seen, timeout)
            self._refuse_if_closed()
            return self._mark

    def close(self) -> None:
        """Forget everything; closing twice is no fault."""
        with self._changed:
            self._is_closed = True
            self._ledgers.clear()
            self._bookmarks.clear()
            self._shelf = ClaimShelf()
            self._changed.notify_all()

    def __enter__(self) -> Self:
        """Give the store itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()

    def _stir(self) -> None:
        self._mark += 1
        self._changed.notify_all()

    def _is_in_step(self, conversation: ConversationId) -> bool:
        return self._shelf.filed.get(conversation, 0) == len(self._ledgers[conversation].read)

    def _ledger(self, conversation: ConversationId) -> _Ledger:
        self._refuse_if_closed()
        return self._ledgers.get(conversation) or _Ledger()

    def _kept(self, entry: Entry, salt: str) -> KeptEntry:
        is_erased = isinstance(entry.content, Erased)
        body = None if is_erased else self._codec.encode(entry.content).encode()
        return KeptEntry(envelope=envelope_of(entry), chain=entry.chain, salt=salt, body=body)

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise StoreError("this store is closed")


def _let_go(ledger: _Ledger, erasure: Erasure, act: Entry) -> None:
    for each in erasure.erased:
        place = each.epoch - 1
        entry = ledger.read[place]
        erased: Erased | None = in_place(entry.epoch, entry.turn, act)
        if erased is not None:
            ledger.read[place] = replace(entry, content=erased)
        ledger.salts[place] = ""
    ledger.snapshots = ()
    ledger.newest_erasure = act.epoch
