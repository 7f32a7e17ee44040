"""What a store keeps of claims so that they can be found: their words, how they stand, and since when.

An index, and derived: losing it loses nothing, and the record alone can tell what stands. But it is written with the
entries, in one transaction, so that what was taken back is not found a moment longer. A conversation whose index is not
in step with its entries is left out of every search, and is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol, runtime_checkable

from upheld.errors import MalformedInput
from upheld.logic.language.identities import ConversationId, PropositionId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import Content, Entry
from upheld.record.ledger.store import Store

MOST_FOUND = 1000
"""Most claims that one search gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """How one claim stands from an append on; a claim whose standing did not change needs none."""

    id: PropositionId
    text: str
    kind: Kind
    label: Label
    lifecycle: Lifecycle

    @property
    def stands(self) -> bool:
        """Tell whether it is in, and nobody gave it up."""
        return is_standing(self.label, self.lifecycle)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What was filed with the entry of an epoch, the last one of its append."""

    epoch: int
    filings: tuple[Filing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for, by ``words`` or by the meaning of a ``vector`` that an ``embedder`` gave, one of the two.

    Only what stands is found, unless ``has_superseded``. ``conversation`` looks in one alone. ``as_of`` asks how things
    stood: at an epoch of that one conversation, or at a time in ISO 8601 by the store's clock.
    """

    words: str = ""
    vector: bytes = b""
    embedder: str = ""
    conversation: ConversationId | None = None
    as_of: int | str | None = None
    has_superseded: bool = False
    limit: int = 10

    def __post_init__(self) -> None:
        """Refuse what no store could answer.

        Raises:
            MalformedInput: neither or both of words and vector, a vector of nobody's, an epoch without a conversation,
                a time that is none, or a limit that is not from 1 to :data:`MOST_FOUND`.
        """
        if isinstance(self.as_of, str):
            moment_in_time(self.as_of)
        if bool(self.vector) != bool(self.embedder):
            raise MalformedInput("a vector has an embedder, and words have none", key="embedder")
        if bool(self.words.strip()) == bool(self.vector):
            raise MalformedInput("a search is by words or by a vector, one of the two", key="query")
        if isinstance(self.as_of, int) and self.conversation is None:
            raise MalformedInput("an epoch is one of a conversation: name it, or give a time", key="as_of")
        if not 1 <= self.limit <= MOST_FOUND:
            raise MalformedInput(f"a search gives 1 to {MOST_FOUND} claims, not {self.limit}", key="limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """The meaning of a claim by its ``number`` in the store: a row of float32, little-endian, of length one."""

    number: int
    row: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A claim that was found, as it stood at the moment that was asked for.

    ``since`` is the epoch from which it stood so, ``recorded_at`` the store's time of it. ``score`` orders the claims
    of one search and means nothing beside another's.
    """

    conversation: ConversationId
    id: PropositionId
    text: str
    kind: Kind
    label: Label
    lifecycle: Lifecycle
    since: int
    recorded_at: str
    score: float

    @property
    def stands(self) -> bool:
        """Tell whether it was in, and nobody had given it up."""
        return is_standing(self.label, self.lifecycle)


def is_standing(label: Label, lifecycle: Lifecycle) -> bool:
    """Tell whether a claim is found unless one asks for what was given up too."""
    return label is Label.IN and lifecycle not in GIVEN_UP


@runtime_checkable
class SearchableStore(Store, Protocol):
    """A store that keeps claims findable beside the entries."""

    def append(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | Head | None = None,
        key: str | Sequence[str] = "",
        filings: Sequence[Filing] | None = None,
    ) -> tuple[Entry, ...]:
        """Append as any store does, and file in the same transaction how claims stand from the last entry on.

        With ``None`` nothing is filed, and the conversation is out of step until somebody files it anew; an empty list
        says that nothing changed. Of a repeated key nothing is filed.

        Raises:
            MalformedInput: filings that could not be found again; nothing was appended.
        """
        ...

    def find(self, query: Query, /) -> tuple[Found, ...]:
        """Give the claims that match best, best first; equal ones by conversation and order of filing.

        Conversations that are not in step are left out: :meth:`unfiled` names them.
        """
        ...

    def filed(self, conversation: ConversationId) -> int:
        """Give the epoch up to which a conversation's claims were filed; 0 where they never were."""
        ...

    def unfiled(self) -> tuple[ConversationId, ...]:
        """Give the conversations that no search looks into, because their claims were not filed up to their end."""
        ...

    def unembedded(self, embedder: str, limit: int) -> tuple[tuple[int, str], ...]:
        """Give claims, by number and text, that have no vector of an embedder yet, the oldest first."""
        ...

    def embed(self, embedder: str, vectors: Iterable[Vector]) -> None:
        """Keep vectors of claims; of a number that is gone, or has one already, none is kept.

        Meaning does not change with standing, so that a vector may come later than the claim: until then the claim is
        found by its words.
        """
        ...

    def refile(self, conversation: ConversationId, moments: Iterable[Moment], *, expected: int | Head) -> None:
        """Put these in the place of all that was filed of a conversation, oldest first, up to version ``expected``.

        Raises:
            VersionConflict: somebody appended since; nothing was changed.
        """
        ...


def refuse_misfiled(filings: Sequence[Filing]) -> None:
    """Refuse filings that could not be found again.

    Raises:
        MalformedInput: a claim twice, or a text or id that no database can carry.
    """
    seen: set[PropositionId] = set()
    for each in filings:
        if each.id in seen:
            raise MalformedInput(f"{each.id!r} is filed twice in one append", key="filings")
        if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in each.id + each.text):
            raise MalformedInput(f"{each.id!r} holds a null character or a lone surrogate", key="filings")
        seen.add(each.id)


def moment_in_time(as_of: str) -> str:
    """Give a time as the stores' clock writes it, in UTC to the millisecond; a date alone means its end.

    Raises:
        MalformedInput: no time in ISO 8601.
    """
    text = as_of.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise MalformedInput(f"{as_of!r} is no time in ISO 8601", key="as_of") from error
    if len(text) == len("2026-11-30"):
        moment += timedelta(days=1, milliseconds=-1)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
