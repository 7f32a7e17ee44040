"""The rules of an append and a read that are the same wherever the entries are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain as joined

from upheld.errors import DroppedConversation, MalformedInput, RepeatedIdentity, VersionConflict
from upheld.logic.language.identities import ConversationId, Epoch, TurnId
from upheld.record.ledger.chain import Head, KeptEntry, Salts, linked
from upheld.record.ledger.codec import Codec, Sealed
from upheld.record.ledger.entry import Content, Entry, Envelope, Erased, Erasure, step_of, turn_of
from upheld.record.ledger.review.contents import Assigned

LAST_EPOCH = 2**63 - 1
"""The last that every database can count to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """One append as asked for, its contents sealed and its names checked before any lock is taken.

    ``keys`` has the key of each content; ``key`` is the one that may have been used before, by a first try.
    """

    conversation: ConversationId
    sealed: tuple[Sealed, ...]
    expected: int | Head | None
    keys: tuple[str, ...]
    key: str = ""

    def kept(self, head: Head, recorded_at: str) -> tuple[KeptEntry, ...]:
        """Give the entries that follow ``head``, as they are to be kept.

        Raises:
            VersionConflict: the writer saw another version.
            DroppedConversation: the writer saw another record.
        """
        refuse_outdated(self.conversation, self.expected, head)
        kept: list[KeptEntry] = []
        chain = head.chain
        for epoch, (item, key) in enumerate(zip(self.sealed, self.keys, strict=True), start=head.epoch + 1):
            envelope = Envelope(
                conversation=self.conversation,
                epoch=Epoch(epoch),
                turn=turn_of(item.content),
                key=key,
                recorded_at=recorded_at,
                digest=item.digest,
            )
            chain = linked(chain, envelope)
            kept.append(KeptEntry(envelope=envelope, chain=chain, salt=item.salt, body=item.text.encode()))
        return tuple(kept)

    def held(self, kept: Sequence[KeptEntry]) -> tuple[Entry, ...]:
        """Give the entries that were kept, with what they hold."""
        return tuple(each.holding(item.content) for each, item in zip(kept, self.sealed, strict=True))

    def repeats(self, first: Sequence[Entry], codec: Codec) -> tuple[Entry, ...]:
        """Give the entries of the first append with this key.

        Texts are compared, not digests: what was written in an older schema is the same content still. What was erased
        since cannot be compared, and a retry must not bring it back: it is taken for the same.

        Raises:
            RepeatedIdentity: the contents are different.
        """
        if len(first) != len(self.sealed) or any(
            not isinstance(entry.content, Erased) and codec.encode(entry.content) != item.text
            for entry, item in zip(first, self.sealed, strict=True)
        ):
            raise RepeatedIdentity(
                f"key {self.key!r} of conversation {self.conversation!r} was used before, for different contents"
            )
        return tuple(first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealing:
    """How a store makes contents ready to be kept: its codec, and where its salts come from."""

    codec: Codec
    salts: Salts

    def asked(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | Head | None,
        key: str | Sequence[str],
    ) -> Append:
        """Give the append that is asked for.

        Raises:
            MalformedInput: a content, id or key that could not be read back, or an act that ``append`` does not do.
        """
        keys = (key,) * len(contents) if isinstance(key, str) else tuple(key)
        if not isinstance(key, str) and (expected != 0 or len(keys) != len(contents)):
            raise MalformedInput("a key for each content is for copying a whole record", key="key")
        if any(isinstance(content, Erasure | Erased) for content in contents):
            raise MalformedInput("an erasure is not appended: ask the store to erase")
        sealed = tuple(self.codec.sealed(content, salt=self.salts()) for content in contents)
        for item in sealed:
            storable(turn_of(item.content) or TurnId(""), "turn")
            _refuse_unlisted(item.content)
        shared = key if isinstance(key, str) else ""
        for each in {*keys, shared}:
            storable(each, "key")
        return Append(conversation=named(conversation), sealed=sealed, expected=expected, keys=keys, key=shared)

    def act(self, conversation: ConversationId, erasure: Erasure, *, key: str = "") -> Append:
        """Give the append of an act of erasing."""
        sealed = self.codec.sealed(erasure, salt=self.salts())
        return Append(conversation=conversation, sealed=(sealed,), expected=None, keys=(key,))


def named(conversation: object) -> ConversationId:
    """Give the conversation id when it names a partition.

    Raises:
        MalformedInput: missing, empty or blank, or no text that every database can carry.
    """
    if not isinstance(conversation, str) or not conversation.strip():
        raise MalformedInput(f"{conversation!r} names no conversation", key="conversation")
    return ConversationId(storable(conversation, "conversation"))


def window(after: int, upto: int | None, version: int) -> tuple[int, int]:
    """Give (after, upto) within 0 and ``version``."""
    low = min(max(after, 0), version)
    return low, (version if upto is None else max(low, min(upto, version)))


def refuse_outdated(conversation: ConversationId, expected: int | Head | None, head: Head) -> None:
    """Refuse somebody who saw a record end otherwise than it does. Of a version alone it is not known which record.

    Raises:
        VersionConflict: it ends at another version.
        DroppedConversation: it is not the record that was seen, whose end is at ``expected``.
    """
    seen = expected.epoch if isinstance(expected, Head) else expected
    if isinstance(expected, Head) and head.epoch <= expected.epoch and head != expected:
        raise DroppedConversation(conversation)
    if seen is not None and seen != head.epoch:
        raise VersionConflict(conversation, expected=seen, found=head.epoch)


def following(
    conversation: ConversationId,
    read: Callable[[int], Iterator[Entry]],
    chain_at: Callable[[int], str],
    has_news: Callable[[Head], bool],
    seen: Head,
) -> Iterator[Entry]:
    """Give what ``read`` finds after what was seen, and again for as long as ``has_news`` waits with success.

    ``chain_at`` gives the link of an entry, none for one that is not there.

    Raises:
        DroppedConversation: the record whose entries were given is gone.
    """
    while True:
        entries = read(seen.epoch)
        first = next(entries, None)
        # Asked after the entries: a record that is there now was there when they were read.
        if seen.chain and chain_at(seen.epoch) != seen.chain:
            raise DroppedConversation(conversation)
        for entry in joined((first,) if first is not None else (), entries):
            seen = Head(epoch=entry.epoch, chain=entry.chain)
            yield entry
        if not has_news(seen):
            return


def _refuse_unlisted(content: Content) -> None:
    """Refuse a step of a review that no database could list."""
    step = step_of(content)
    if step is not None:
        storable(step.flag, "flag")
    if isinstance(step, Assigned) and step.to is not None:
        storable(step.to, "to")


def marking(name: str) -> str:
    """Give the name of a bookmark; raises :class:`~upheld.errors.MalformedInput` where it is none."""
    if not name.strip():
        raise MalformedInput(f"{name!r} names no place", key="name")
    return storable(name, "name")


def storable(name: str, what: str) -> str:
    """Give a name that every database can carry; raises :class:`~upheld.errors.MalformedInput` for another."""
    if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in name):
        raise MalformedInput(f"{name!r} holds a null character or a lone surrogate", key=what)
    return name
