"""The eight operations: the only things that a turn can do to the state.

Source: the paper's Algorithm 1 and Table 8; fields as in the annotated-transcript format. Pure data: what an
operation needs and does stands in ``reasoning``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from upheld.logic.language.formulas import Formula
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import Kind
from upheld.logic.language.provenance import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Observe:
    """Report a fact, a constraint, a tool result, an assumption, or record dissent.

    ``supersedes`` names older values that this one replaces, ``contradicts`` what cannot hold beside it. A dissent is
    ``against`` decisions and may ``prefer`` positions.
    """

    id: PropositionId
    text: str
    kind: Kind = Kind.OBSERVATION
    contradicts: tuple[PropositionId, ...] = ()
    supersedes: tuple[PropositionId, ...] = ()
    depends_on: tuple[Literal, ...] = ()
    depends_on_any: tuple[tuple[Literal, ...], ...] = ()
    reinterprets: tuple[PropositionId, ...] = ()
    against: tuple[PropositionId, ...] = ()
    prefers: tuple[PropositionId, ...] = ()
    formula: Formula | None = None
    novel: bool = False
    source: Provenance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesize:
    """Propose an explanation, or a position in a deliberation (``on`` an issue, ``refines`` an earlier position)."""

    id: PropositionId
    text: str
    kind: Kind = Kind.HYPOTHESIS
    depends_on: tuple[Literal, ...] = ()
    depends_on_any: tuple[tuple[Literal, ...], ...] = ()
    explains: tuple[PropositionId, ...] = ()
    on: PropositionId | None = None
    refines: PropositionId | None = None
    formula: Formula | None = None
    novel: bool = False
    source: Provenance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """Give evidence or an argument for what is on the table.

    With an ``id`` it is an argument of its own. ``specific`` favours the target over its rivals, ``sufficient`` says
    that the evidence alone would do (it opens an alternative justification).
    """

    target: PropositionId
    id: PropositionId | None = None
    text: str = ""
    evidence: tuple[Literal, ...] = ()
    depends_on: tuple[Literal, ...] = ()
    depends_on_any: tuple[tuple[Literal, ...], ...] = ()
    attacks: tuple[PropositionId, ...] = ()
    specific: bool = False
    sufficient: bool = False
    formula: Formula | None = None
    novel: bool = False
    source: Provenance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undermine:
    """Give evidence or an argument against what is not (yet) given up."""

    target: PropositionId
    id: PropositionId | None = None
    text: str = ""
    evidence: tuple[Literal, ...] = ()
    depends_on: tuple[Literal, ...] = ()
    depends_on_any: tuple[tuple[Literal, ...], ...] = ()
    attacks: tuple[PropositionId, ...] = ()
    specific: bool = False
    formula: Formula | None = None
    novel: bool = False
    source: Provenance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Revise:
    """Give a proposition up, or replace it; ``withdrawn`` takes it back without denying it."""

    target: PropositionId
    replacement: PropositionId | None = None
    because: tuple[Literal, ...] = ()
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandAwareness:
    """Bring up a proposition that nobody had in view; may reinterpret earlier ones."""

    id: PropositionId
    text: str
    reinterprets: tuple[PropositionId, ...] = ()
    formula: Formula | None = None
    novel: bool = False
    source: Provenance | None = None


class ResolveMode(StrEnum):
    """Settled by all, or by one with authority over the dissent of others."""

    CONSENSUAL = "consensual"
    AUTHORITATIVE = "authoritative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolve:
    """Accept a proposition (or its negation) as settled.

    With an ``id`` it is a decision of its own. ``subsumes`` lists what the target now explains, ``reopen_if`` the
    conditions under which all agreed to look again.
    """

    target: Literal
    mode: ResolveMode = ResolveMode.CONSENSUAL
    id: PropositionId | None = None
    text: str = ""
    subsumes: tuple[PropositionId, ...] = ()
    depends_on: tuple[Literal, ...] = ()
    depends_on_any: tuple[tuple[Literal, ...], ...] = ()
    dissent: tuple[AgentId, ...] = ()
    issue: PropositionId | None = None
    reopen_if: tuple[Literal, ...] = ()
    formula: Formula | None = None
    novel: bool = False
    source: Provenance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Ask, or flag something as unexplained; an ``id`` opens an issue."""

    text: str
    id: PropositionId | None = None
    about: tuple[PropositionId, ...] = ()


Operation = Observe | Hypothesize | Support | Undermine | Revise | ExpandAwareness | Resolve | Question

OPERATION_NAMES: dict[type[Operation], str] = {
    Observe: "observe",
    Hypothesize: "hypothesize",
    Support: "support",
    Undermine: "undermine",
    Revise: "revise",
    ExpandAwareness: "expand_awareness",
    Resolve: "resolve",
    Question: "question",
}
"""Name of each operation in files and on the wire."""


def name_of(operation: Operation) -> str:
    """Give the name of an operation's type, as files write it."""
    return OPERATION_NAMES[type(operation)]
