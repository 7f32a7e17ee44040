"""The rules of erasing and dropping that are the same wherever the entries are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from upheld.errors import MalformedInput, UnknownConversation, UnknownReference, UnreadableEntry
from upheld.logic.language.identities import AgentId, ConversationId, Epoch, TurnId
from upheld.record.ledger.appending import named, refuse_outdated, storable
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import Content, Entry, Erased, Erasing, Erasure, Interpretation, remaining


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be erased, by whom and why, checked before any lock is taken."""

    conversation: ConversationId
    epochs: tuple[Epoch, ...]
    by: AgentId | None
    reason: str
    key: str = ""

    def act(self, version: int, read: Callable[[Epoch], Entry]) -> Erasure | None:
        """Give the act that goes on record; ``None`` when all was erased before.

        ``read`` gives an entry as it is now. One that is damaged can be erased like any other.

        Raises:
            UnknownReference: an epoch that the conversation does not have.
            MalformedInput: an epoch whose entry is an erasure.
        """
        erased: list[Erasing] = []
        for epoch in self.epochs:
            if not 1 <= epoch <= version:
                raise UnknownReference(str(epoch), where=f"entries of {self.conversation!r}")
            try:
                content = read(epoch).content
            except UnreadableEntry:
                erased.append(Erasing(epoch=epoch))
                continue
            if isinstance(content, Erasure):
                raise MalformedInput(f"entry {epoch} is an erasure, which stays on record", key="epochs")
            if not isinstance(content, Erased):
                erased.append(Erasing(epoch=epoch, remains=remaining(content)))
        return Erasure(erased=tuple(erased), by=self.by, reason=self.reason) if erased else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What is left of a conversation that was dropped, and kept by nobody but whoever asked for it.

    ``entries`` and ``chain`` are its last head: a copy that ends so is one of this very record.
    """

    conversation: ConversationId
    entries: int
    chain: str
    by: AgentId | None
    reason: str
    dropped_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropping:
    """Which conversation is to go, by whose wish and why, checked before any lock is taken."""

    conversation: ConversationId
    by: AgentId | None
    reason: str
    expected: int | Head | None = None

    def receipt(self, head: Head, dropped_at: str) -> Receipt:
        """Give the receipt for a conversation that ends at ``head``.

        Raises:
            UnknownConversation: there is none.
            VersionConflict: somebody appended since it was looked at.
            DroppedConversation: it is another one by now.
        """
        if not head.epoch:
            raise UnknownConversation(f"there is no conversation {self.conversation!r}")
        refuse_outdated(self.conversation, self.expected, head)
        return Receipt(
            conversation=self.conversation,
            entries=head.epoch,
            chain=head.chain,
            by=self.by,
            reason=self.reason,
            dropped_at=dropped_at,
        )


def to_drop(
    conversation: ConversationId, *, reason: str, by: AgentId | None, expected: int | Head | None = None
) -> Dropping:
    """Give what is asked for.

    Raises:
        MalformedInput: no conversation is named, or no reason.
    """
    if not reason.strip():
        raise MalformedInput("who drops a conversation says why", key="reason")
    return Dropping(conversation=named(conversation), by=by, reason=reason, expected=expected)


def requested(
    conversation: ConversationId, epochs: Iterable[int], *, reason: str, by: AgentId | None, key: str = ""
) -> Request:
    """Give the request; epochs once each, in order.

    Raises:
        MalformedInput: no conversation is named, no reason, or a key that no database can carry.
    """
    if not reason.strip():
        raise MalformedInput("an erasure says why", key="reason")
    ordered = tuple(Epoch(epoch) for epoch in sorted(set(epochs)))
    return Request(conversation=named(conversation), epochs=ordered, by=by, reason=reason, key=storable(key, "key"))


def in_place(epoch: Epoch, turn: TurnId | None, act: Entry) -> Erased | None:
    """Give what is read in place of an entry's content after an act; ``None`` when the act did not erase it."""
    erasure = act.content
    if not isinstance(erasure, Erasure):
        return None
    for each in erasure.erased:
        if each.epoch == epoch:
            return Erased(turn=turn, reason=erasure.reason, by=erasure.by, at=act.recorded_at, remains=each.remains)
    return None


def left_of(content: Content) -> Content | None:
    """Give what can be appended elsewhere in the place of a content: itself, unless it was erased.

    Of erased words that is who spoke, of an erased step of a review what was done, of an erased interpretation one
    without operations. ``None`` for what leaves nothing behind, and for acts of erasing.
    """
    match content:
        case Erasure():
            return None
        case Erased(remains=None, turn=turn):
            return None if turn is None else Interpretation(turn=turn)
        case Erased(remains=remains):
            return remains
        case _:
            return content
