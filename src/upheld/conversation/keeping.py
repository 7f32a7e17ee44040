"""A conversation read from its record: from the newest snapshot that fits, or else from the beginning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from threading import Thread

from rpds import HashTrieSet

from upheld.conversation.earlier import Earlier, Kept, Recalled
from upheld.conversation.events import Event, FirstTold, beginning_of, events_after, events_of, keyed_acts, keyed_turns
from upheld.conversation.folding import applied
from upheld.conversation.timeline import Timeline
from upheld.errors import DroppedConversation, MalformedInput, StoreError
from upheld.logic.language.identities import ConversationId
from upheld.logic.reasoning.policy import SourcePolicy
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import Finding, opened
from upheld.record.ledger.chain import BEGINNING, Head, linked
from upheld.record.ledger.entry import Entry, envelope_of
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.store import Store
from upheld.record.snapshots.codec import Body, SnapshotCodec

SNAPSHOT_EVERY = 1000
"""Entries that a first snapshot waits for. Replaying as many takes tenths of a second, writing it a third of that."""

ASIDE = 5000
"""Entries from which on a snapshot that nobody asked for is written on a thread of its own: a third of a second."""

MOST_SLICES = 8
"""Slices of a snapshot after which it is written anew: what was replaced in earlier ones is carried along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A conversation as its record has it, up to ``head``.

    ``keyed`` are turns that were told under an idempotency key, and ``acts`` the keys of what else was done under one,
    but for those in ``earlier``; ``snapshot`` is the epoch of the snapshot that this began from, 0 for none.
    """

    timeline: Timeline
    head: Head
    keyed: Mapping[str, FirstTold]
    acts: frozenset[str]
    earlier: Earlier | None = None
    snapshot: int = 0


class Keeper:
    """Reads one conversation from its store, and keeps snapshots of it there.

    The ledger is the truth: a snapshot that is damaged, of another engine, policy or past, or from before something was
    amended or erased, is passed over, and what it would have spared is replayed.
    """

    def __init__(self, store: Store, id: ConversationId, policy: SourcePolicy, *, every: int = SNAPSHOT_EVERY) -> None:
        """``policy`` decides what the entries fold to, so a snapshot under another one does not fit.

        ``every`` is how many entries there must be since the last snapshot before another is kept unasked; 0: never.
        """
        self._store = store
        self._id = id
        self._policy = policy
        self._every = every
        self._written = 0
        self._is_outdated = False
        self._read: Body[Kept] | None = None
        self._writing: Thread | None = None
        self.failures = 0
        sources = ",".join(sorted(policy.sources))
        self._codec = SnapshotCodec(Kept, context=f"{policy.name}\0{sources}")

    def folded(self) -> Folded:
        """Read the record. Cost: what came after the newest snapshot that fits, and reading that."""
        # What was read before may hold what was erased since: nothing is written upon it any more.
        self._read = None
        snapshot = self._newest(None)
        while snapshot is not None:
            found = self._from_snapshot(snapshot)
            if found is not None:
                self._written = found.snapshot
                return found
            snapshot = self._newest(snapshot.epoch - 1)
        return self._from_beginning()

    def refuse_another(self, head: Head) -> None:
        """Refuse a record that is not the one of which ``head`` was seen. Cost: a look at one entry.

        Raises:
            DroppedConversation: that one is gone.
        """
        seen = next(self._store.kept(self._id, after=head.epoch - 1, upto=head.epoch), None)
        if head.epoch and (seen is None or seen.chain != head.chain):
            raise DroppedConversation(self._id)

    def caught_up(self, timeline: Timeline, head: Head) -> Folded | None:
        """Let a timeline take on what was appended after ``head``; it is untouched when that fails.

        ``None``: something that it has folded already was amended or erased.

        Raises:
            DroppedConversation: the record that it folds is gone.
        """
        # The last one that was seen comes first: it is there still if this is the same record, and the rest follow it.
        seen, *entries = self._of_one_record(head)
        if seen.chain != head.chain:
            raise DroppedConversation(self._id)
        events = events_after(entries)
        if events is None:
            return None
        state, steps = timeline.now, list[tuple[Event, State, tuple[Finding, ...]]]()
        for event in events:
            state, findings = applied(state, event, is_lenient=True)
            steps.append((event, state, findings))
        for event, after, findings in steps:
            timeline.accept(event, after, findings)
        return Folded(
            timeline=timeline,
            head=_end_of(entries, head),
            keyed=keyed_turns(entries),
            acts=keyed_acts(entries),
        )

    def keep(self, timeline: Timeline, version: int, keys: HashTrieSet[str]) -> None:
        """Write a snapshot of a fold. Cost: linear in the state; in what is new of it, where it began from a snapshot.

        Raises:
            StoreError: it cannot be written.
            MalformedInput: the fold is not that of the record at this version.
        """
        self.wait()
        self._write(timeline.kept(keys), version)
        self._written, self._is_outdated = version, False

    def keep_if_due(
        self, timeline: Timeline, version: int, keys: Callable[[], HashTrieSet[str]], *, is_last: bool = False
    ) -> None:
        """Write a snapshot if it is time; that it cannot be written is counted, and no fault of whoever speaks.

        Each waits until the record has doubled since the one before, so that all of them together cost less than twice
        the last. A large one is written on a thread of its own, one at a time: the fold is a value, so whoever goes on
        speaking changes nothing of it. ``is_last``: nothing more will come, and a quarter more than what the last one
        holds is enough; this one is waited for.
        """
        news = version - self._written
        if self._every <= 0 or self._store.is_read_only or (self.is_writing and not is_last):
            return
        is_due = news >= max(self._every, self._written)
        is_due_at_the_end = news >= self._every // 4 and (self._is_outdated or 4 * news >= self._written)
        if not (is_due or (is_last and is_due_at_the_end)):
            return
        self.wait()
        # Whether or not it succeeds: a full disk must not make every turn try again.
        self._written, self._is_outdated = version, False
        kept = timeline.kept(keys())
        if is_last or version < ASIDE:
            self._try_to_write(kept, version)
        else:
            self._writing = Thread(target=self._try_to_write, args=(kept, version), name=f"snapshot {version}")
            self._writing.start()

    @property
    def is_writing(self) -> bool:
        """Tell whether a snapshot is being written at this moment."""
        return self._writing is not None and self._writing.is_alive()

    def wait(self) -> None:
        """Wait for the snapshot that is being written, if one is."""
        if self._writing is not None:
            self._writing.join()
            self._writing = None

    def forget(self) -> None:
        """Note that contents were erased, with every snapshot: none is written upon what was read of them."""
        self.wait()
        self._read, self._written = None, 0

    def outdate(self) -> None:
        """Note that something was amended which the snapshot on file has folded already."""
        self._is_outdated = True

    def _try_to_write(self, kept: Kept, version: int) -> None:
        try:
            self._write(kept, version)
        except (StoreError, MalformedInput):
            self.failures += 1

    def _write(self, kept: Kept, version: int) -> None:
        # Where there is no such entry the store refuses it, as it does another chain.
        entries = self._store.read(self._id, after=version - 1, upto=version)
        upon = self._read if self._read is not None and self._read.slices < MOST_SLICES else None
        snapshot = Snapshot(
            epoch=version,
            chain=next((entry.chain for entry in entries), ""),
            fingerprint=self._codec.fingerprint,
            body=self._codec.encode(kept, upon=upon),
        )
        self._store.save_snapshot(self._id, snapshot)

    def _of_one_record(self, head: Head) -> list[Entry]:
        """Give the entry at a head and all after it, each of which follows the one before."""
        entries = list(self._store.read(self._id, after=head.epoch - 1))
        if not entries or any(each.chain != linked(last.chain, envelope_of(each)) for last, each in pairwise(entries)):
            raise DroppedConversation(self._id)
        return entries

    def _newest(self, upto: int | None) -> Snapshot | None:
        # What is wrong with a snapshot is no fault of the record; a store that cannot be read says so at the entries.
        with suppress(StoreError):
            return self._store.snapshot(self._id, upto=upto)
        return None

    def _from_snapshot(self, snapshot: Snapshot) -> Folded | None:
        if snapshot.fingerprint != self._codec.fingerprint or snapshot.epoch < 1:
            return None
        entries = list(self._store.read(self._id, after=snapshot.epoch - 1))
        events = events_after(entries[1:])
        if not entries or entries[0].chain != snapshot.chain or events is None:
            return None
        try:
            body = self._codec.opened(snapshot.body)
        except MalformedInput:
            return None
        self._read, kept = body, body.value
        earlier = Earlier(kept, lambda: self._recalled(snapshot.epoch))
        timeline = Timeline(kept.state, earlier=earlier)
        for event in events:
            timeline.add(event)
        return Folded(
            timeline=timeline,
            head=_end_of(entries),
            keyed=keyed_turns(entries[1:]),
            acts=keyed_acts(entries[1:]),
            earlier=earlier,
            snapshot=snapshot.epoch,
        )

    def _from_beginning(self) -> Folded:
        entries = list(self._store.read(self._id))
        beginning = beginning_of(entries)
        timeline = Timeline(opened(beginning.agents, initial=beginning.initial, policy=self._policy))
        for event in events_of(entries):
            timeline.add(event)
        return Folded(timeline=timeline, head=_end_of(entries), keyed=keyed_turns(entries), acts=keyed_acts(entries))

    def _recalled(self, epoch: int) -> Recalled:
        entries = list(self._store.read(self._id, upto=epoch))
        beginning = beginning_of(entries)
        return Recalled(
            opening=opened(beginning.agents, initial=beginning.initial, policy=self._policy),
            events=tuple(events_of(entries)),
            keyed=keyed_turns(entries),
        )


def _end_of(entries: Sequence[Entry], otherwise: Head = BEGINNING) -> Head:
    return Head(epoch=entries[-1].epoch, chain=entries[-1].chain) if entries else otherwise
