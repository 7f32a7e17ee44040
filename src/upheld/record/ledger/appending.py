"""The rules of an append and a read that are the same wherever the entries are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from upheld.errors import MalformedInput, RepeatedIdentity, VersionConflict
from upheld.logic.language.identities import ConversationId, Epoch, TurnId
from upheld.record.ledger.codec import Codec, Sealed
from upheld.record.ledger.entry import Content, Entry, turn_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """One append as asked for, its contents sealed and its names checked before any lock is taken."""

    conversation: ConversationId
    sealed: tuple[Sealed, ...]
    expected: int | None
    key: str

    def entries(self, version: int, recorded_at: str) -> tuple[Entry, ...]:
        """Give the entries that follow ``version``.

        Raises:
            VersionConflict: the writer saw another version.
        """
        if self.expected is not None and self.expected != version:
            raise VersionConflict(self.conversation, expected=self.expected, found=version)
        return tuple(
            Entry(
                conversation=self.conversation,
                epoch=Epoch(epoch),
                turn=turn_of(item.content),
                content=item.content,
                key=self.key,
                recorded_at=recorded_at,
                digest=item.digest,
            )
            for epoch, item in enumerate(self.sealed, start=version + 1)
        )

    def repeats(self, first: Sequence[Entry], codec: Codec) -> tuple[Entry, ...]:
        """Give the entries of the first append with this key.

        Texts are compared, not digests: what was written in an older schema is the same content still.

        Raises:
            RepeatedIdentity: the contents are different.
        """
        if [codec.encode(entry.content) for entry in first] != [item.text for item in self.sealed]:
            raise RepeatedIdentity(
                f"key {self.key!r} of conversation {self.conversation!r} was used before, for different contents"
            )
        return tuple(first)


def asked(
    codec: Codec, conversation: ConversationId, contents: Sequence[Content], *, expected: int | None, key: str
) -> Append:
    """Give the append that is asked for.

    Raises:
        MalformedInput: a content, id or key that could not be read back.
    """
    sealed = tuple(codec.sealed(content) for content in contents)
    for item in sealed:
        _storable(turn_of(item.content) or TurnId(""), "turn")
    return Append(conversation=named(conversation), sealed=sealed, expected=expected, key=_storable(key, "key"))


def named(conversation: object) -> ConversationId:
    """Give the conversation id when it names a partition.

    Raises:
        MalformedInput: missing, empty or blank, or no text that every database can carry.
    """
    if not isinstance(conversation, str) or not conversation.strip():
        raise MalformedInput(f"{conversation!r} names no conversation", key="conversation")
    return ConversationId(_storable(conversation, "conversation"))


def window(after: int, upto: int | None, version: int) -> tuple[int, int]:
    """Give (after, upto) within 0 and ``version``."""
    low = min(max(after, 0), version)
    return low, (version if upto is None else max(low, min(upto, version)))


def following(read: Callable[[int], Iterator[Entry]], has_news: Callable[[int], bool], after: int) -> Iterator[Entry]:
    """Give what ``read`` finds after an epoch, and again for as long as ``has_news`` waits with success."""
    seen = after
    while True:
        for entry in read(seen):
            seen = entry.epoch
            yield entry
        if not has_news(seen):
            return


def _storable(name: str, what: str) -> str:
    if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in name):
        raise MalformedInput(f"{name!r} holds a null character or a lone surrogate", key=what)
    return name
