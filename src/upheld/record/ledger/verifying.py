"""Is a ledger still what was written? Every digest and link computed again, and each fault named.

What can be told apart without anything kept elsewhere: contents that do not fit their digest, envelopes that do not fit
the chain, gaps, doubles, and entries that were moved. A chain that somebody computed anew is whole in itself; it is
found only by a head that was kept out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from upheld.errors import DamagedStore, UnreadableEntry
from upheld.logic.language.identities import ConversationId, Epoch
from upheld.record.ledger.chain import BEGINNING, Head, KeptEntry, linked, salted_digest
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Envelope, Erasure
from upheld.record.ledger.store import Store

_MOST_MOVED = 24
"""Misfits among which moved entries are looked for pairwise; with more, only neighbours are tried."""

_PROGRESS_EVERY = 1000
"""Entries between two reports of progress."""

_CODEC = Codec()
_ERASURE = b'"kind":"erasure"'
"""What the canonical text of an erasure holds, and no other text: within a string the quotes are escaped."""


class FaultKind(StrEnum):
    """What is wrong with a ledger."""

    EDITED = "edited"
    """A content does not fit its digest."""
    FORGED = "forged"
    """Envelope and link do not fit: the envelope was edited, or the digest along with the content."""
    EMPTIED = "emptied"
    """A content is gone, and no erasure says why."""
    RESTORED = "restored"
    """A content is there that an erasure on record let go."""
    MISSING = "missing"
    """An entry between two others is gone."""
    TRUNCATED = "truncated"
    """Entries at the end are gone."""
    DUPLICATED = "duplicated"
    """An epoch stands there more than once."""
    REORDERED = "reordered"
    """An entry stands in another place than it was written to."""
    REWRITTEN = "rewritten"
    """The chain is another than the one that the head was taken from."""
    DAMAGED = "damaged"
    """The medium below the entries is broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong; ``epoch`` is 0 where it is no single entry's."""

    kind: FaultKind
    epoch: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What a verifier found. ``unsalted`` counts contents from before salts; ``head`` is where the chain ends."""

    entries: int
    erased: int
    unsalted: int
    head: Head
    faults: tuple[Fault, ...]


def faults(entries: Iterable[KeptEntry], head: Head | None = None) -> tuple[Fault, ...]:
    """Give what is wrong with a ledger of which ``head`` was noted; costs as :func:`audit`."""
    return audit(entries, [head] if head is not None else []).faults


def audit(entries: Iterable[KeptEntry], heads: Iterable[Head] = ()) -> Audit:
    """Verify the whole ledger of one conversation, from its first entry on, in the order in which they are kept.

    Each of ``heads`` must be met on the way; an older one may be followed by what was appended since. A head of epoch 0
    is one whose epoch nobody noted. Cost: two hashes an entry.
    """
    verifier = _Verifier(heads)
    for entry in entries:
        verifier.take(entry)
    return verifier.audit()


def verified(
    store: Store,
    conversation: ConversationId,
    *,
    expected: Head | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Verify one conversation of a store against the head that the store noted, and one that was kept elsewhere.

    Where the medium gives way, what was read until then is in the audit, with a fault that says so. ``progress`` is
    told how many entries of how many were seen.
    """
    verifier = _Verifier([expected] if expected is not None else [])
    try:
        noted = store.head(conversation)
        for count, entry in enumerate(store.kept(conversation), start=1):
            verifier.take(entry)
            if progress is not None and count % _PROGRESS_EVERY == 0:
                progress(count, noted.epoch)
        verifier.end_at(noted)
    except DamagedStore as error:
        verifier.find(FaultKind.DAMAGED, 0, str(error))
    return verifier.audit()


class _Verifier:
    """What was seen so far; entries are not kept but those that do not fit."""

    def __init__(self, heads: Iterable[Head]) -> None:
        self._heads = tuple(heads)
        self._wanted = {head.chain for head in self._heads}
        self._met = {BEGINNING.chain: BEGINNING.epoch}
        self._faults: list[Fault] = []
        self._misfits: list[_Misfit] = []
        self._gaps: list[range] = []
        self._late: set[int] = set()
        self._empty: set[int] = set()
        self._let_go: set[int] = set()
        self._entries = self._unsalted = 0
        # What the next entry may be linked to: the link as it is kept, and as it should have been.
        self._previous: tuple[str, ...] = (BEGINNING.chain,)
        self._newest = BEGINNING

    def take(self, entry: KeptEntry) -> None:
        self._entries += 1
        self._read_content(entry)
        if self._is_in_line(entry.envelope.epoch):
            self._follow_link(entry)

    def find(self, kind: FaultKind, epoch: int, message: str) -> None:
        self._faults.append(Fault(kind=kind, epoch=epoch, message=message))

    def end_at(self, noted: Head) -> None:
        """Compare the end with the head that the store itself noted there."""
        if noted.epoch > self._newest.epoch:
            self._truncated(noted)
        elif noted != self._newest:
            self.find(FaultKind.REWRITTEN, noted.epoch, "the store noted another head than the chain ends in")

    def audit(self) -> Audit:
        self._judge_misfits()
        for gap in self._gaps:
            if not all(epoch in self._late for epoch in gap):
                gone = f"entries {gap[0]} to {gap[-1]} are" if len(gap) > 1 else f"entry {gap[0]} is"
                self.find(FaultKind.MISSING, gap[0], f"{gone} gone")
        for epoch in self._empty - self._let_go:
            self.find(FaultKind.EMPTIED, epoch, "its content is gone, and no erasure says why")
        for epoch in self._let_go - self._empty:
            if epoch <= self._newest.epoch and not any(epoch in gap for gap in self._gaps):
                self.find(FaultKind.RESTORED, epoch, "its content was erased, and is there again")
        self._look_for_heads()
        return Audit(
            entries=self._entries,
            erased=len(self._empty & self._let_go),
            unsalted=self._unsalted,
            head=self._newest,
            faults=tuple(sorted(dict.fromkeys(self._faults), key=lambda fault: fault.epoch)),
        )

    def _is_in_line(self, epoch: int) -> bool:
        expected = self._newest.epoch + 1
        if epoch > expected:
            self._gaps.append(range(expected, epoch))
            # The link that this entry continues is gone with them, so that its own cannot be checked.
            self._previous = ()
        elif epoch < expected and any(epoch in gap for gap in self._gaps) and epoch not in self._late:
            self._late.add(epoch)
            self.find(FaultKind.REORDERED, epoch, f"it stands after entry {self._newest.epoch}")
        elif epoch < expected:
            self.find(FaultKind.DUPLICATED, epoch, "there is another entry of this epoch")
        return epoch >= expected

    def _follow_link(self, entry: KeptEntry) -> None:
        envelope = entry.envelope
        right = [linked(previous, envelope) for previous in self._previous]
        if right and entry.chain not in right:
            self._misfits.append(_Misfit(envelope=envelope, chain=entry.chain, previous=self._previous[0]))
        if entry.chain in self._wanted:
            self._met[entry.chain] = envelope.epoch
        self._previous = (entry.chain, *(link for link in right[:1] if link != entry.chain))
        self._newest = Head(epoch=envelope.epoch, chain=entry.chain)

    def _read_content(self, entry: KeptEntry) -> None:
        envelope = entry.envelope
        if entry.body is None:
            self._empty.add(envelope.epoch)
            return
        self._unsalted += not entry.salt
        if salted_digest(entry.body, entry.salt) != envelope.digest:
            self.find(FaultKind.EDITED, envelope.epoch, "its content does not fit its digest")
        elif _ERASURE in entry.body:
            self._let_go.update(epoch for epoch in _let_go_by(entry) if epoch < envelope.epoch)

    def _judge_misfits(self) -> None:
        """Tell entries that were moved, and those that follow them, from such as were changed."""
        is_few = len(self._misfits) <= _MOST_MOVED
        links = {link for each in self._misfits for link in (each.previous, each.chain)} if is_few else set[str]()
        epochs = {each.envelope.epoch for each in self._misfits} if is_few else set[int]()
        for misfit in self._misfits:
            epoch = misfit.envelope.epoch
            if misfit.has_followed(links, epoch):
                continue
            near = {epoch - 1, epoch + 1} | epochs
            written = next((each for each in sorted(near) if misfit.has_followed({misfit.previous} | links, each)), 0)
            if written:
                self.find(FaultKind.REORDERED, epoch, f"it was written as entry {written}")
            else:
                self.find(FaultKind.FORGED, epoch, "what it says of itself is not what was chained")

    def _look_for_heads(self) -> None:
        for head in self._heads:
            epoch = self._met.get(head.chain)
            # A head without its epoch is met by its link alone.
            if epoch is not None and head.epoch in (0, epoch):
                continue
            if head.epoch > self._newest.epoch:
                self._truncated(head)
            elif head.epoch:
                self.find(FaultKind.REWRITTEN, head.epoch, "its link is another than in the head that was kept")
            else:
                self.find(FaultKind.REWRITTEN, 0, "no entry has the link that was kept: cut off or written anew")

    def _truncated(self, head: Head) -> None:
        first = self._newest.epoch + 1
        gone = f"entries {first} to {head.epoch} are" if head.epoch > first else f"entry {first} is"
        self.find(FaultKind.TRUNCATED, first, f"{gone} gone from the end")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Misfit:
    """An entry whose link does not continue the one before it, which is ``previous``."""

    envelope: Envelope
    chain: str
    previous: str

    def has_followed(self, links: Iterable[str], epoch: int) -> bool:
        """Tell whether it was written as this epoch, after one of these links."""
        envelope = replace(self.envelope, epoch=Epoch(epoch))
        return any(linked(link, envelope) == self.chain for link in links)


def _let_go_by(act: KeptEntry) -> Iterator[int]:
    try:
        content = _CODEC.decode(
            (act.body or b"").decode(), conversation=act.envelope.conversation, epoch=act.envelope.epoch
        )
    except (UnreadableEntry, UnicodeDecodeError):
        return
    if isinstance(content, Erasure):
        yield from (each.epoch for each in content.erased)
