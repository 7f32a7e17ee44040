"""The record that the state keeps of each node: who did what to it, and from where.

A node is a claim of the conversation (the id of its proposition names it), or an act without an id (``T9#1``: the first
operation of T9). Everything else about it (label, lifecycle, justifications) is derived from these records.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from upheld.logic.language.agents import Audience
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import CONSIDERED, Kind


class Role(StrEnum):
    """What a node does in the argument."""

    CLAIM = "claim"
    SUPPORT = "support"
    UNDERMINE = "undermine"
    REVISION = "revision"
    RESOLUTION = "resolution"
    QUESTION = "question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The operation that something came from. ``moment`` counts operations and retractions from the beginning.

    ``simultaneous`` names the round of turns that are one announcement, if its turn is part of one.
    """

    moment: int
    turn: TurnId
    speaker: AgentId | None
    audience: Audience | None = None
    uri: str = ""
    simultaneous: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduction:
    """One time that somebody put the claim forward, on joint premises and one of the alternatives.

    An echo (said again without a source of its own) adds no ground. ``is_vouched`` tells whether the policy takes the
    speaker's word (semantics, section 10).
    """

    origin: Origin
    premises: tuple[Literal, ...] = ()
    alternatives: tuple[tuple[Literal, ...], ...] = ()
    is_echo: bool = False
    is_vouched: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Corroboration:
    """Evidence that a later support (or a resolve without an id) brought; ``is_sufficient``: it alone would do."""

    origin: Origin
    evidence: tuple[Literal, ...]
    is_sufficient: bool = False
    is_vouched: bool = False


class AttackKind(StrEnum):
    """How an attack came about."""

    UNDERMINES = "undermines"
    REVISES = "revises"
    REPLACES = "replaces"
    CONTRADICTS = "contradicts"
    REBUTS = "rebuts"
    ENTAILS_NEGATION = "entails_negation"
    FALSIFIES = "falsifies"
    SETTLED_AGAINST = "settled_against"


ANSWERABLE = frozenset({AttackKind.UNDERMINES, AttackKind.REVISES, AttackKind.REPLACES})
"""Attacks that a specific support or a consensual resolve of the target switches off."""

FALSIFYING = frozenset(AttackKind) - {AttackKind.UNDERMINES, AttackKind.REBUTS, AttackKind.REVISES}
"""Attacks that establish the negation of their target; a revise does so unless it is a mere withdrawal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """An attack on the node that keeps it. ``answers`` are vertices: any that is in switches the attack off."""

    attacker: str
    kind: AttackKind
    origin: Origin
    falsifies: bool = False
    answers: tuple[str, ...] = ()
    accepted_by: tuple[PropositionId, ...] = ()


class ActKind(StrEnum):
    """What was done to a proposition; the last one decides its lifecycle."""

    INTRODUCED = "introduced"
    WEAKENED = "weakened"
    RESTORED = "restored"
    GIVEN_UP = "given_up"
    REPLACED = "replaced"
    RESOLVED = "resolved"
    DENIED = "denied"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act on the node; ``by`` is the node that performed it, ``replacement`` the new value."""

    kind: ActKind
    origin: Origin
    by: PropositionId
    replacement: PropositionId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """The value that replaced the node's."""

    newer: PropositionId
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The larger story under which the node was subsumed."""

    id: PropositionId
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a resolve settled, and how."""

    target: Literal
    is_authoritative: bool
    dissent: tuple[AgentId, ...] = ()
    issue: PropositionId | None = None
    reopen_if: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """All that was done with one claim or act, oldest first in each field."""

    id: PropositionId
    role: Role
    kind: Kind
    moment: int
    about: PropositionId | None = None
    refines: PropositionId | None = None
    introductions: tuple[Introduction, ...] = ()
    corroborations: tuple[Corroboration, ...] = ()
    attacks: tuple[Attack, ...] = ()
    acts: tuple[Act, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    stories: tuple[Story, ...] = ()
    decision: Decision | None = None
    against: tuple[PropositionId, ...] = ()
    prefers: tuple[PropositionId, ...] = ()
    reinterprets: tuple[PropositionId, ...] = ()

    @property
    def is_act(self) -> bool:
        """Tell whether the node is an operation without an id of its own."""
        return "#" in self.id

    @property
    def is_considered(self) -> bool:
        """Tell whether its lifecycle is that of a hypothesis, position, decision or issue."""
        return self.kind in CONSIDERED

    @property
    def first(self) -> Introduction:
        """Give the first introduction."""
        return self.introductions[0]


def act_id(turn: TurnId, index: int) -> PropositionId:
    """Give the id of an operation without one; ``#`` cannot occur by accident in files, which name turns ``T9``."""
    return PropositionId(f"{turn}#{index + 1}")


def replaced_key(node: PropositionId) -> str:
    """Give the vertex that is in while the node's value is replaced by one that stands, at any remove."""
    return f"{node} replaced"


def settling_key(node: PropositionId) -> str:
    """Give the vertex of a resolve apart from its target, so that what it settles may lean on it without a circle."""
    return f"{node} settles"


def falsified_key(node: PropositionId) -> str:
    """Give the vertex of the falsifications of a node by the keeper of the record."""
    return f"{node} falsified"


MEANS = " means"
"""How the key ends under which the plausibility base has what a proposition says."""


def meaning_key(proposition: PropositionId) -> str:
    """Give the key of the entry that says what a proposition means."""
    return f"{proposition}{MEANS}"
