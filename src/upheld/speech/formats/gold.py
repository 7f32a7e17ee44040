"""Answers that an annotated transcript carries: what an engine, a matcher or a memory must say about it.

Every class is one key of the format ``upheld/annotated-transcript@1``. Keys that no reader knows are kept in
``extra``, so that a file of another hand survives reading and writing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from upheld.logic.language.formulas import Formula
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Retraction
from upheld.logic.language.verdicts import Modality, Outcome, Reason, Stance


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedQuery:
    """What a change would touch, asked at the end of the conversation unless ``at`` says otherwise.

    ``affected`` is the whole set; ``unaffected`` names some that are easily suspected. ``mode`` is ``""`` or
    ``"direct"`` (the paper's direct membership).
    """

    change: Retraction
    at: TurnId | None = None
    mode: str = ""
    affected: tuple[PropositionId, ...] = ()
    unaffected: tuple[PropositionId, ...] = ()
    reopens: tuple[PropositionId, ...] = ()
    activated: tuple[PropositionId, ...] = ()
    untouched: tuple[PropositionId, ...] = ()
    transitive: tuple[PropositionId, ...] = ()
    review: tuple[PropositionId, ...] = ()
    paper_affected: tuple[PropositionId, ...] = ()
    why: str = ""
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyItem:
    """One candidate continuation with its label.

    It is asked after turn ``at`` (the last one when ``None``) and after the changes of ``after``. ``speaker`` is who
    would say it. ``rests_on`` is what the candidate asserts or presupposes, empty when nobody said any of it.
    """

    id: str
    label: Outcome
    text: str = ""
    at: TurnId | None = None
    after: tuple[Retraction, ...] = ()
    category: str = ""
    rests_on: tuple[Literal, ...] = ()
    contradicts: tuple[Literal, ...] = ()
    modality: Modality = Modality.FACT
    stance: Stance = Stance.ASSERTS
    speaker: AgentId | None = None
    reason: Reason | None = None
    current: PropositionId | None = None
    policy: str = ""
    beyond: bool = False
    ambiguous: bool = False
    ambiguous_as: tuple[str, ...] = ()
    why: str = ""
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordQuestion:
    """What a person would ask of the record; ``abstain`` when the record does not say."""

    id: str
    text: str
    at: TurnId | None = None
    answer: str = ""
    abstain: bool = False
    rests_on: tuple[Literal, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldsLeft:
    """Worlds that are left: how many, which (one letter an atom), and the formula that was announced."""

    count: int
    live: tuple[str, ...] = ()
    formula: Formula | None = None
    evaluated_in: TurnId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Worlds:
    """The explicit-world answers of a knowledge puzzle; ``holds`` lists formulas true after a turn."""

    atoms: tuple[str, ...] = ()
    actual: str = ""
    order_of_letters: tuple[str, ...] = ()
    observables: Mapping[AgentId, tuple[str, ...]] = field(default_factory=dict[AgentId, tuple[str, ...]])
    initial: WorldsLeft | None = None
    rounds: tuple[tuple[TurnId, ...], ...] = ()
    after: Mapping[TurnId, WorldsLeft] = field(default_factory=dict[TurnId, WorldsLeft])
    as_knowledge_announcements: Mapping[TurnId, WorldsLeft] = field(default_factory=dict[TurnId, WorldsLeft])
    holds: Mapping[TurnId, tuple[Formula, ...]] = field(default_factory=dict[TurnId, tuple[Formula, ...]])
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefQuery:
    """Whether an agent believes a formula after a turn."""

    formula: Formula
    holds: bool
    agent: AgentId | None = None
    at: TurnId | None = None
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRecord:
    """The decision that was taken, by whom, against whom, and when all agreed to look again."""

    id: PropositionId
    position: PropositionId | None = None
    issue: PropositionId | None = None
    by: AgentId | None = None
    mode: str = ""
    dissent: tuple[AgentId, ...] = ()
    dissent_record: PropositionId | None = None
    conditions: tuple[Literal, ...] = ()
    re_evaluate_if: tuple[Literal, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfactual:
    """What a person needs to look at, and need not, should something change."""

    when: tuple[Retraction, ...]
    affected: tuple[PropositionId, ...] = ()
    activated: tuple[PropositionId, ...] = ()
    untouched: tuple[PropositionId, ...] = ()
    reopen: tuple[PropositionId, ...] = ()
    recall: tuple[PropositionId, ...] = ()
    do_not_reopen: Mapping[PropositionId, str] = field(default_factory=dict[PropositionId, str])
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedFailure:
    """A precondition that must fail: ``operation`` counts from 1 within the turn."""

    turn: TurnId
    operation: int
    failure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedDelta:
    """The effects of a change, kind by kind; ``None`` where the file does not state one."""

    change: Retraction
    at: TurnId | None = None
    lost: tuple[PropositionId, ...] | None = None
    thinned: tuple[PropositionId, ...] | None = None
    defeated: tuple[PropositionId, ...] | None = None
    explained_by: tuple[PropositionId, ...] | None = None
    reinstated: tuple[PropositionId, ...] | None = None
    reopened: tuple[PropositionId, ...] | None = None
    activated: tuple[PropositionId, ...] | None = None
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


Statuses = Mapping[PropositionId, Lifecycle]
Labels = Mapping[PropositionId, Label]
Grounds = Mapping[PropositionId, tuple[Literal, ...]]
IdLists = Mapping[PropositionId, tuple[PropositionId, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """All answers of one file. What the file does not state is empty or ``None``."""

    status: Statuses = field(default_factory=dict[PropositionId, Lifecycle])
    status_by_turn: Mapping[TurnId, Statuses] = field(default_factory=dict[TurnId, Statuses])
    status_not_from_operations: Statuses = field(default_factory=dict[PropositionId, Lifecycle])
    dependencies: Grounds = field(default_factory=dict[PropositionId, tuple[Literal, ...]])
    creation_time_dependencies: Grounds = field(default_factory=dict[PropositionId, tuple[Literal, ...]])
    affected: tuple[AffectedQuery, ...] = ()
    deltas: tuple[ExpectedDelta, ...] = ()
    key_shifts: tuple[TurnId, ...] = ()
    labels: Mapping[TurnId, Labels] = field(default_factory=dict[TurnId, Labels])
    risks: IdLists = field(default_factory=dict[PropositionId, tuple[PropositionId, ...]])
    roots: Mapping[PropositionId, int] = field(default_factory=dict[PropositionId, int])
    failures: tuple[ExpectedFailure, ...] = ()
    beliefs: tuple[BeliefQuery, ...] = ()
    worlds: Worlds | None = None
    commitments: Mapping[AgentId, tuple[PropositionId, ...]] = field(
        default_factory=dict[AgentId, tuple[PropositionId, ...]]
    )
    decision: DecisionRecord | None = None
    counterfactuals: tuple[Counterfactual, ...] = ()
    paper_operations: Mapping[TurnId, tuple[str, ...]] = field(default_factory=dict[TurnId, tuple[str, ...]])
    verify: tuple[VerifyItem, ...] = ()
    questions: tuple[RecordQuestion, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict[str, object])
