"""What a report shows, as frozen values; whoever holds the record fills them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from upheld.errors import UnknownReference
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.speech.rendering.picture import EdgeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTurn:
    """One turn as it was said, with its operations as plain trees (``op`` first) and what was found wrong with it."""

    id: TurnId
    speaker: AgentId
    text: str
    session: str = ""
    at: str = ""
    operations: tuple[Mapping[str, object], ...] = ()
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportProposition:
    """A node of the graph, with the turn that introduced it."""

    id: PropositionId
    text: str
    kind: Kind
    turn: TurnId
    speaker: AgentId


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEdge:
    """An edge, in the direction of :class:`PictureEdge`, with the turn since which it is there."""

    source: PropositionId
    target: PropositionId
    kind: EdgeKind
    turn: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingState:
    """Whether a node holds, and what its speakers did with it."""

    label: Label
    lifecycle: Lifecycle


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportChange:
    """What changed at a turn, and only that: a node keeps its state until a later change names it."""

    turn: TurnId
    states: Mapping[PropositionId, StandingState]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationLine:
    """One line of the tree of why something stands at the end, in the order of the tree; ``depth`` 0 is the claim."""

    depth: int
    id: Literal
    text: str
    turn: TurnId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim found in a checked text: its span in characters, what it was matched with, and what came out."""

    start: int
    end: int
    text: str
    literals: tuple[Literal, ...]
    outcome: Outcome
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportVerdict:
    """Verdict on a text at a turn: that turn's own words, or a reply that was proposed after it.

    ``reason`` is one of :class:`Reason` for an ungrounded text, and words of its own for one that could not be checked.
    """

    turn: TurnId
    text: str
    outcome: Outcome
    reason: str = ""
    summary: str = ""
    because: tuple[PropositionId, ...] = ()
    claims: tuple[CheckedClaim, ...] = ()


def _nothing_explained() -> dict[PropositionId, tuple[ExplanationLine, ...]]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that the page shows. Turns and propositions stand in the order of the record.

    ``explanations`` hold for the last turn; for an earlier one the page derives the tree from edges and states. What
    happened outside any turn, such as a retraction by the keeper of the record, belongs to the turn before it.

    Raises:
        UnknownReference: a turn or a proposition is named that the report does not hold; the page would have to
            leave something out without saying so.
    """

    title: str
    agents: tuple[Agent, ...] = ()
    turns: tuple[ReportTurn, ...] = ()
    propositions: tuple[ReportProposition, ...] = ()
    edges: tuple[ReportEdge, ...] = ()
    changes: tuple[ReportChange, ...] = ()
    explanations: Mapping[PropositionId, tuple[ExplanationLine, ...]] = field(default_factory=_nothing_explained)
    verdicts: tuple[ReportVerdict, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what points nowhere."""
        turns = frozenset(turn.id for turn in self.turns)
        known = frozenset(one.id for one in self.propositions)
        for turn, where in _turns_named(self):
            if turn not in turns:
                raise UnknownReference(turn, where=f"{where} of the report")
        for id, where in _propositions_named(self):
            if id not in known:
                raise UnknownReference(id, where=f"{where} of the report")


def _turns_named(report: Report) -> Iterator[tuple[TurnId, str]]:
    yield from ((one.turn, "a proposition") for one in report.propositions)
    yield from ((one.turn, "an edge") for one in report.edges)
    yield from ((one.turn, "a change") for one in report.changes)
    yield from ((one.turn, "a verdict") for one in report.verdicts)


def _propositions_named(report: Report) -> Iterator[tuple[PropositionId, str]]:
    yield from ((id, "an edge") for edge in report.edges for id in (edge.source, edge.target))
    yield from ((id, "a change") for change in report.changes for id in change.states)
    yield from ((id, "an explanation") for id in report.explanations)
