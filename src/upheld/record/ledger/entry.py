"""One record of the ledger: an envelope around what was said, what it means, what was taken back, or reviewed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from upheld.logic.language.agents import Agent, Audience
from upheld.logic.language.identities import AgentId, ConversationId, Epoch, TurnId
from upheld.logic.language.operations import Operation
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.turns import Retraction
from upheld.record.ledger.review.contents import (
    REVIEW_STEPS,
    Assigned,
    Commented,
    Decided,
    Flagged,
    ReviewStep,
    without_words,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Who takes part, and what is on the table before anybody speaks.

    Appended again when somebody joins: ``agents`` then lists the newcomers. ``paradigm`` is the word of the
    annotated-transcript format (``diagnostic``, ``deliberative``, …), or empty.
    """

    agents: tuple[Agent, ...] = ()
    initial: tuple[Proposition, ...] = ()
    title: str = ""
    paradigm: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What was said in one turn, as it was said; the fields are those of ``Turn`` without its operations."""

    turn: TurnId
    speaker: AgentId
    text: str = ""
    audience: Audience | None = None
    session: str = ""
    at: str = ""
    simultaneous: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """What a turn means. The newest of a turn counts; earlier ones stay readable (semantics, section 1).

    ``interpreter`` is ``name@version``. An amendment says who made it (``by``) and why (``reason``). Empty
    ``operations`` mean that the turn only acknowledges.
    """

    turn: TurnId
    operations: tuple[Operation, ...] = ()
    interpreter: str = ""
    by: AgentId | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retracted:
    """An act of the keeper of the record: something is taken back outside any turn."""

    retraction: Retraction
    by: AgentId | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasing:
    """One content that an act erased, by its epoch.

    ``remains`` is what is kept of a turn's words, or of a step of a review: everything but what somebody wrote, so that
    it stays known who spoke to whom, and who decided what.
    """

    epoch: Epoch
    remains: Words | ReviewStep | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """An act of the keeper of the record: contents were erased, by whom and why. It cannot be erased itself."""

    erased: tuple[Erasing, ...]
    by: AgentId | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What is read in the place of an erased content; it cannot be appended.

    ``by`` erased it for this ``reason`` ``at`` this time of the store's clock. ``remains`` says who spoke, where the
    content was a turn's words, or what was done, where it was a step of a review; a turn without it is one whose
    interpretation was erased.
    """

    turn: TurnId | None
    reason: str
    by: AgentId | None
    at: str
    remains: Words | ReviewStep | None = None


Content = Opening | Words | Interpretation | Retracted | Erasure | Erased | Flagged | Assigned | Decided | Commented
"""What an entry can hold. A content can be erased without breaking the order or the chain of the envelopes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """All of an entry but its content: what the chain covers, and what outlives the content."""

    conversation: ConversationId
    epoch: Epoch
    turn: TurnId | None
    key: str
    recorded_at: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: its envelope, its content, and its link in the chain.

    ``epoch`` counts 1, 2, 3, … in its conversation without a gap. ``key`` is the idempotency key of the append that
    wrote it, or empty; all entries of one append share it. ``recorded_at`` is the store's clock in ISO 8601, for
    people; nothing is ordered by it. ``digest`` is the SHA-256 of a salt and the content's canonical JSON as it was
    first written: it stays when the content is read into a newer schema, and when it is erased. ``chain`` is the
    SHA-256 of the link before and this envelope (:mod:`upheld.record.ledger.chain`).
    """

    conversation: ConversationId
    epoch: Epoch
    turn: TurnId | None
    content: Content
    key: str
    recorded_at: str
    digest: str
    chain: str


def turn_of(content: Content) -> TurnId | None:
    """Give the turn that a content belongs to; ``None`` for what is no part of a turn."""
    return content.turn if isinstance(content, Words | Interpretation) else None


def remaining(content: Content) -> Words | ReviewStep | None:
    """Give what is kept of a content that is erased: who spoke, or who did what; ``None`` where that is nothing."""
    if isinstance(content, Words):
        return replace(content, text="")
    return without_words(content) if isinstance(content, REVIEW_STEPS) else None


def step_of(content: Content) -> ReviewStep | None:
    """Give the step of a review that an entry holds, or what is left of one; ``None`` where it holds none."""
    held = content.remains if isinstance(content, Erased) else content
    return held if isinstance(held, REVIEW_STEPS) else None


def envelope_of(entry: Entry) -> Envelope:
    """Give the envelope of an entry."""
    return Envelope(
        conversation=entry.conversation,
        epoch=entry.epoch,
        turn=entry.turn,
        key=entry.key,
        recorded_at=entry.recorded_at,
        digest=entry.digest,
    )
