"""What a matcher finds in a candidate's words: claims, and which propositions each is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from upheld.logic.language.identities import AgentId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.models.reply import Usage
from upheld.speech.view import View


class Relation(StrEnum):
    """How a claim stands to a literal.

    ``SUPPORTED_BY``: the literal says it. ``COMMITTED_TO``: the claim asserts or takes for granted the literal,
    whatever became of it. ``CONTRADICTS``: both cannot hold.
    """

    SUPPORTED_BY = "supported_by"
    COMMITTED_TO = "committed_to"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One proposition that a claim is about; ``score`` lies in [0, 1], ``rule`` names what decided."""

    literal: Literal
    relation: Relation
    score: float
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that a candidate says: ``span`` are its first and past-the-last character in the candidate.

    A claim without links could not be checked, and ``abstained`` says why; it is never silently grounded.
    ``is_new``: the matcher looked at all candidates and is sure that nobody said it, which is more than finding no
    match. ``disagreements`` are the named rules that spoke against a link; with one, a claim is never grounded.
    ``note`` says what had to be mended to find the claim in the text. ``likelihood`` is how likely a calibrated matcher
    holds it, in [0, 1], that the claim is supported, whether or not that was enough to call it: it ranks what is to be
    looked at, and is no verdict.
    """

    span: tuple[int, int]
    text: str
    stance: Stance = Stance.ASSERTS
    modality: Modality = Modality.FACT
    links: tuple[Link, ...] = ()
    abstained: str = ""
    is_new: bool = False
    disagreements: tuple[str, ...] = ()
    note: str = ""
    likelihood: float | None = None


class Matcher(Protocol):
    """Finds the claims of a text and what they rest on. ``name`` and ``version`` are part of every verdict."""

    @property
    def name(self) -> str:
        """Name of the method."""
        ...

    @property
    def version(self) -> str:
        """Version: another one may judge otherwise."""
        ...

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims in the order of the text; spans do not overlap. Small talk makes no claim."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """Claims, and what a language model was asked for them."""

    claims: tuple[Claim, ...]
    usage: Usage = field(default_factory=Usage)


@runtime_checkable
class CostedMatcher(Matcher, Protocol):
    """A matcher that says what it asked a language model for."""

    def matched(self, text: str, view: View, *, speaker: AgentId | None = None) -> Matched:
        """Give what ``match`` gives, with what it cost."""
        ...


def costed(matcher: Matcher, text: str, view: View, *, speaker: AgentId | None = None) -> Matched:
    """Give the claims of any matcher, with what they cost; nothing for one that asks nobody."""
    if isinstance(matcher, CostedMatcher):
        return matcher.matched(text, view, speaker=speaker)
    return Matched(claims=matcher.match(text, view, speaker=speaker))
