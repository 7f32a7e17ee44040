"""The check: may this be said now? One look at labels and records, without a language model (semantics, section 6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import TENTATIVE
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.logic.language.verdicts import Candidate, Finding, Modality, Outcome, Reason, Verdict
from upheld.logic.reasoning.answers.findings import Ended, ended_by, failing, grounded
from upheld.logic.reasoning.answers.grounds import broken_path, complete_justification, is_by_circle
from upheld.logic.reasoning.answers.settlement import Settlement, settlement_of
from upheld.logic.reasoning.answers.views import has_in_view
from upheld.logic.reasoning.compilation import held_introductions
from upheld.logic.reasoning.lifecycle import is_answered, is_reopened, lifecycle_of
from upheld.logic.reasoning.nodes import Attack, AttackKind, Node
from upheld.logic.reasoning.state import State

_BY_LIFECYCLE = {
    Lifecycle.ABANDONED: Reason.ABANDONED,
    Lifecycle.RETRACTED: Reason.RETRACTED,
    Lifecycle.SUPERSEDED: Reason.SUPERSEDED,
}
_CONTRADICTING = frozenset(
    {AttackKind.CONTRADICTS, AttackKind.ENTAILS_NEGATION, AttackKind.FALSIFIES, AttackKind.SETTLED_AGAINST}
)

_BY_LABEL = (None, Reason.PREMISE_LOST, Reason.UNDERMINED, Reason.UNDECIDED)
"""Reasons that labels give, and not what somebody did or did not do."""


class Grading(Protocol):
    """Labels of the state under a graded variant (:mod:`upheld.logic.reasoning.grading`)."""

    @property
    def variant(self) -> str:
        """The name of the variant, for the verdicts."""
        ...

    def label(self, key: str) -> Label:
        """Give the graded label of a claim, or of another vertex."""
        ...


def verify(
    state: State, candidates: Iterable[Candidate], *, speaker: AgentId | None = None, grading: Grading | None = None
) -> Verdict:
    """Judge a candidate continuation: grounded iff each of its literals is; without any literal, ungrounded as unknown.

    ``speaker`` is who would say it: what was never told to them is out of view. Failing findings come first. Under a
    ``grading``, whose labels must be of this state, a claim asserted as fact has lost a premise or fallen to an attack
    when the graded label says so, and the verdict names the variant.
    Cost: the attacks on and the grounds of each literal.
    """
    findings: list[Finding] = []
    for candidate in candidates:
        finding = verify_literal(state, candidate, speaker=speaker)
        findings.append(finding if grading is None else _regraded(state, candidate, finding, grading))
    findings.sort(key=lambda finding: finding.outcome is Outcome.GROUNDED)
    is_grounded = bool(findings) and all(finding.outcome is Outcome.GROUNDED for finding in findings)
    return Verdict(
        outcome=Outcome.GROUNDED if is_grounded else Outcome.UNGROUNDED,
        findings=tuple(findings),
        variant="" if grading is None else grading.variant,
    )


def _regraded(state: State, candidate: Candidate, finding: Finding, grading: Grading) -> Finding:
    """Let the graded label decide what labels decide; what speakers did, and a denial, are not a matter of degree."""
    item = candidate.literal
    if item.negated or candidate.modality is not Modality.FACT or finding.reason not in _BY_LABEL:
        return finding
    label = grading.label(item.proposition)
    if (label is Label.IN) is (finding.outcome is Outcome.GROUNDED):
        return finding
    if label is Label.IN:
        return replace(_not_overclaimed(state, item, state.node(item.proposition)), variant=grading.variant)
    node = state.node(item.proposition)
    attack = next((each for each in state.live_attacks(node) if grading.label(each.attacker) is Label.IN), None)
    if attack is not None:
        found = failing(state, item, Reason.UNDERMINED, Ended.from_attack(state, attack))
    else:
        found = failing(state, item, Reason.UNDECIDED if label is Label.UNDECIDED else Reason.TOO_WEAK)
    return replace(found, variant=grading.variant)


def verify_literal(state: State, candidate: Candidate, *, speaker: AgentId | None = None) -> Finding:
    """Judge one literal: the first reason that applies, in the order of :class:`Reason`."""
    item = candidate.literal
    node = state.nodes.get(item.proposition)
    live = [] if node is None else [each for each in node.introductions if not state.is_withdrawn(each.origin)]
    if node is None or not live:
        return failing(state, item, Reason.UNKNOWN)
    if speaker is not None and not has_in_view(state, speaker, node.id):
        return failing(state, item, Reason.OUT_OF_VIEW)
    if item.negated:
        return _denial(state, candidate, node)
    if candidate.modality is Modality.FACT:
        return _fact(state, item, node)
    return _mention(state, item, node)


def _fact(state: State, item: Literal, node: Node) -> Finding:
    """What is asserted or presupposed as fact must be in, and not a mere live hypothesis."""
    reopened = is_reopened(state, node)
    if not reopened:
        ended = _given_up(state, item, node)
        if ended is not None:
            return ended
    contradiction = _biting(state, node, _CONTRADICTING)
    if contradiction is not None:
        return failing(state, item, Reason.CONTRADICTED, Ended.from_attack(state, contradiction))
    if not state.dependencies.justifications_of(node.id) and held_introductions(state, node):
        return failing(state, item, Reason.OVERCLAIMED, policy=state.policy.name)
    lost = _premise_lost(state, item, node)
    if lost is not None:
        return lost
    attack = _biting(state, node, frozenset(AttackKind) - _CONTRADICTING)
    if attack is not None:
        return failing(state, item, Reason.UNDERMINED, Ended.from_attack(state, attack))
    if reopened:
        return failing(state, item, Reason.REOPENED, ended_by(state, node))
    if state.label(node.id) is not Label.IN:
        return failing(state, item, _undecided(state, node), Ended.from_open_attack(state, node))
    return _not_overclaimed(state, item, node)


def _given_up(state: State, item: Literal, node: Node) -> Finding | None:
    lifecycle = lifecycle_of(state, node.id)
    if lifecycle in GIVEN_UP:
        return failing(state, item, _BY_LIFECYCLE[lifecycle], ended_by(state, node))
    replaced = _biting(state, node, frozenset({AttackKind.REPLACES}))
    if replaced is not None:
        return failing(state, item, Reason.SUPERSEDED, Ended.from_attack(state, replaced))
    return None


def _premise_lost(state: State, item: Literal, node: Node) -> Finding | None:
    if complete_justification(state, node.id) is not None:
        return None
    path = broken_path(state, node.id)
    fallen = path[-1]
    if state.label(node.id) is Label.UNDECIDED and is_by_circle(state, fallen):
        return failing(state, item, Reason.UNDECIDED, Ended(because=path[1:]))
    return failing(state, item, Reason.PREMISE_LOST, Ended(because=(fallen,)), path=path)


def _undecided(state: State, node: Node) -> Reason:
    """An attack that nobody has defeated undermines; one that is caught in a circle leaves the claim undecided."""
    return Reason.UNDECIDED if is_by_circle(state, node.id) else Reason.UNDERMINED


def _not_overclaimed(state: State, item: Literal, node: Node) -> Finding:
    if node.kind not in TENTATIVE:
        return grounded(state, item)
    settlement = settlement_of(state, node)
    if settlement is Settlement.SETTLED:
        return grounded(state, item)
    if settlement is Settlement.FALLEN:
        decision = node_of_settlement(state, node)
        path = broken_path(state, decision)
        return failing(state, item, Reason.PREMISE_LOST, Ended(because=(path[-1],)), path=(node.id, *path))
    return failing(state, item, Reason.OVERCLAIMED)


def node_of_settlement(state: State, node: Node) -> PropositionId:
    """Give the last resolve of a node."""
    return next(act.by for act in reversed(node.acts) if act.kind.value == "resolved")


def _mention(state: State, item: Literal, node: Node) -> Finding:
    """What is reported as a hypothesis or a view needs only to be alive, whatever attacks it."""
    if is_reopened(state, node):
        return failing(state, item, Reason.REOPENED, ended_by(state, node))
    lifecycle = lifecycle_of(state, node.id)
    if lifecycle in GIVEN_UP:
        return failing(state, item, _BY_LIFECYCLE[lifecycle], ended_by(state, node))
    for introduction in held_introductions(state, node):
        for alternative in introduction.alternatives or ((),):
            if all(state.stands(premise) for premise in (*introduction.premises, *alternative)):
                return grounded(state, item)
    path = broken_path(state, node.id)
    return failing(state, item, Reason.PREMISE_LOST, Ended(because=(path[-1],)), path=path)


def _denial(state: State, candidate: Candidate, node: Node) -> Finding:
    """``~p`` is grounded when p was given up, retracted or falsified."""
    item = candidate.literal
    if state.stands(item):
        return grounded(state, item)
    if is_reopened(state, node):
        return failing(state, item, Reason.REOPENED, ended_by(state, node))
    if lifecycle_of(state, node.id) in GIVEN_UP:
        return grounded(state, item)
    undermined = _biting(state, node, frozenset({AttackKind.UNDERMINES, AttackKind.REBUTS}))
    if candidate.modality is not Modality.FACT and undermined is not None:
        return grounded(state, item)
    if undermined is not None:
        return failing(state, item, Reason.OVERCLAIMED, Ended.from_attack(state, undermined))
    return failing(state, item, Reason.CONTRADICTED, Ended(because=(node.id,)))


def _biting(state: State, node: Node, kinds: frozenset[AttackKind]) -> Attack | None:
    """Give the first attack of some kind that is in and unanswered."""
    for attack in state.live_attacks(node):
        is_in = attack.kind in kinds and state.network.label(attack.attacker) is Label.IN
        if is_in and not is_answered(state, attack):
            return attack
    return None
