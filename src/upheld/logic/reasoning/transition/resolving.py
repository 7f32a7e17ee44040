"""What a resolve does: it settles a claim, answers or accepts what was said against it, and closes issues."""

from __future__ import annotations

from dataclasses import replace

from upheld.logic.epistemic.entries import Mode
from upheld.logic.language.formulas import Atom, Not
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Resolve, ResolveMode
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.lifecycle import is_answered
from upheld.logic.reasoning.nodes import ActKind, AttackKind, Corroboration, Decision, Node, Role, Story, settling_key
from upheld.logic.reasoning.state import Belief
from upheld.logic.reasoning.transition.claims import (
    Speech,
    act_node,
    act_of,
    attack_by,
    close_problem,
    introduction_of,
    proposition_of,
    put_forward,
)
from upheld.logic.reasoning.transition.draft import Draft


def resolve(draft: Draft, operation: Resolve, speech: Speech) -> None:
    """Settle a claim or its negation; see the module for what that means."""
    target = operation.target.proposition
    issue = operation.issue
    draft.require((target,), operation.subsumes, filter(None, (issue,)), of=operation.id or "")
    draft.require(operation.depends_on, *operation.depends_on_any, of=operation.id or "")
    draft.require(operation.reopen_if)
    key = operation.id or speech.act
    _put_decision(draft, operation, speech, key)
    draft.act(target, act_of(draft, ActKind.DENIED if operation.target.negated else ActKind.RESOLVED, key))
    for subsumed in operation.subsumes:
        node = draft.node(subsumed)
        draft.put(replace(node, stories=(*node.stories, Story(id=target, origin=draft.origin))))
        draft.act(subsumed, act_of(draft, ActKind.RESOLVED, key))
    if issue is not None:
        draft.act(issue, act_of(draft, ActKind.RESOLVED, key))
        close_problem(draft, issue)
    _settle(draft, operation, key)
    draft.commit(speech.agent.id, key)


def _put_decision(draft: Draft, operation: Resolve, speech: Speech, key: PropositionId) -> None:
    decision = Decision(
        target=operation.target,
        is_authoritative=operation.mode is ResolveMode.AUTHORITATIVE,
        dissent=operation.dissent,
        issue=operation.issue,
        reopen_if=operation.reopen_if,
    )
    if operation.id is None:
        draft.put(replace(act_node(draft, key, Role.RESOLUTION, operation.target.proposition, ()), decision=decision))
        if operation.depends_on:
            node = draft.node(operation.target.proposition)
            support = Corroboration(origin=draft.origin, evidence=operation.depends_on)
            draft.put(replace(node, corroborations=(*node.corroborations, support)))
        return
    node = Node(
        id=key,
        role=Role.RESOLUTION,
        kind=Kind.DECISION,
        moment=draft.origin.moment,
        about=operation.target.proposition,
        introductions=introduction_of(draft, operation.depends_on, operation.depends_on_any),
        acts=(act_of(draft, ActKind.INTRODUCED, key),),
    )
    put_forward(draft, proposition_of(operation, Kind.DECISION), node, speech)
    draft.put(replace(draft.node(key), decision=decision))


def _settle(draft: Draft, operation: Resolve, key: PropositionId) -> None:
    """Let a resolve speak to the attacks on its target: answer them, accept them as risks, or be one itself."""
    target = operation.target
    vertex = settling_key(key)
    if target.negated:
        draft.attack(target.proposition, attack_by(draft, vertex, AttackKind.SETTLED_AGAINST, falsifies=True))
    elif operation.mode is ResolveMode.CONSENSUAL:
        draft.answer(target.proposition, vertex)
    else:
        state = draft.state
        undefeated = [
            attack
            for attack in draft.node(target.proposition).attacks
            if state.network.label(attack.attacker) is not Label.OUT and not is_answered(state, attack)
        ]
        draft.answer(target.proposition, vertex, undefeated)
        _note_risks(draft, target.proposition, key, vertex)
    if operation.mode is ResolveMode.CONSENSUAL:
        atom = Atom(target.proposition)
        draft.believe(f"{key} settles", Not(atom) if target.negated else atom, Mode.HARD, Belief(vertex=key))


def _note_risks(draft: Draft, target: PropositionId, decision: PropositionId, vertex: str) -> None:
    node = draft.node(target)
    noted = tuple(
        replace(attack, accepted_by=(*attack.accepted_by, decision)) if vertex in attack.answers else attack
        for attack in node.attacks
    )
    draft.put(replace(node, attacks=noted))
