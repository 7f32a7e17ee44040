"""What each operation does to the state (semantics, section 4; the paper's Algorithm 1).

One function an operation; each changes records in a draft, and everything else follows from the records.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rpds import HashTrieSet

from upheld.errors import MalformedInput, RepeatedIdentity
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.agents import Agent
from upheld.logic.language.formulas import Atom, Formula, Not, atoms_of
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    ResolveMode,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.provenance import Provenance
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.reasoning.draft import Draft, negated
from upheld.logic.reasoning.lifecycle import is_answered, lifecycle_of
from upheld.logic.reasoning.nodes import (
    Act,
    ActKind,
    Attack,
    AttackKind,
    Corroboration,
    Decision,
    Introduction,
    Node,
    Replacement,
    Role,
    Story,
    replaced_key,
    settling_key,
)
from upheld.logic.reasoning.state import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Who performs an operation, and under which id it goes when it has none of its own."""

    agent: Agent
    act: PropositionId


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A claim being put forward, whatever operation does it."""

    proposition: Proposition
    role: Role = Role.CLAIM
    about: PropositionId | None = None
    premises: tuple[Literal, ...] = ()
    alternatives: tuple[tuple[Literal, ...], ...] = ()
    source: Provenance | None = None
    needs_source: bool = False


def apply_operation(draft: Draft, operation: Operation, speech: Speech) -> None:
    """Change the draft as the operation says.

    Raises:
        UnknownReference: it names what nobody introduced.
        RepeatedIdentity: its id belongs to something else.
        SelfSupport: it gives a claim as its own ground.
    """
    match operation:
        case Observe():
            _observe(draft, operation, speech)
        case Hypothesize():
            _hypothesize(draft, operation, speech)
        case Support():
            _support(draft, operation, speech)
        case Undermine():
            _undermine(draft, operation, speech)
        case Revise():
            _revise(draft, operation, speech)
        case ExpandAwareness():
            _expand_awareness(draft, operation, speech)
        case Resolve():
            _resolve(draft, operation, speech)
        case Question():
            _question(draft, operation, speech)


def replace_value(draft: Draft, older: PropositionId, newer: PropositionId) -> None:
    """Record that a value took the place of another: the newer attacks the older for as long as it, or its own
    replacement, stands."""
    node = draft.node(older)
    if all(known.newer != newer for known in node.replacements):
        draft.put(replace(node, replacements=(*node.replacements, Replacement(newer=newer, origin=draft.origin))))
    draft.attack(older, _attack(draft, replaced_key(older), AttackKind.REPLACES, falsifies=True))


def _observe(draft: Draft, operation: Observe, speech: Speech) -> None:
    draft.require(operation.depends_on, *operation.depends_on_any, of=operation.id)
    draft.require(operation.contradicts, operation.supersedes, of=operation.id)
    draft.require(operation.reinterprets, operation.against, operation.prefers)
    clashing = _clashing(draft, operation.formula)
    is_new = draft.find(operation.id) is None
    _put_forward(
        draft,
        _Claim(
            proposition=_proposition(operation, operation.kind),
            premises=operation.depends_on,
            alternatives=operation.depends_on_any,
            source=operation.source,
            needs_source=operation.kind is not Kind.DISSENT,
        ),
        speech,
    )
    node = draft.node(operation.id)
    draft.put(
        replace(
            node, against=operation.against, prefers=operation.prefers, reinterprets=operation.reinterprets
        )
    )
    for target in operation.against:
        draft.dissent(operation.id, target)
    if is_new:
        draft.believe(operation.id, Atom(operation.id), Mode.HARD, vertex=operation.id)
    for target in operation.contradicts:
        draft.attack(target, _attack(draft, operation.id, AttackKind.CONTRADICTS, falsifies=True))
    for target in clashing:
        draft.attack(target, _attack(draft, operation.id, AttackKind.ENTAILS_NEGATION, falsifies=True))
    for older in operation.supersedes:
        replace_value(draft, older, operation.id)
    if is_new and _is_surprising(draft, operation):
        draft.state = replace(draft.state, unexplained=draft.state.unexplained.insert(operation.id))


def _hypothesize(draft: Draft, operation: Hypothesize, speech: Speech) -> None:
    draft.require(operation.depends_on, *operation.depends_on_any, operation.explains, of=operation.id)
    draft.require(filter(None, (operation.on, operation.refines)), of=operation.id)
    is_new = draft.find(operation.id) is None
    _put_forward(
        draft,
        _Claim(
            proposition=_proposition(operation, operation.kind),
            about=operation.on,
            premises=operation.depends_on,
            alternatives=operation.depends_on_any,
            source=operation.source,
        ),
        speech,
    )
    draft.put(replace(draft.node(operation.id), refines=operation.refines))
    if operation.on is not None:
        draft.take_position(operation.id, operation.on)
    if is_new:
        draft.believe(operation.id, Atom(operation.id), Mode.RADICAL, vertex=operation.id)
    for explained in operation.explains:
        for problem in draft.state.questioned.get(explained, ()):
            # An issue stays open until it is resolved; a mere question about what is now explained is answered.
            if draft.find(problem) is None:
                _close(draft, problem)
        draft.state = replace(draft.state, unexplained=draft.state.unexplained.discard(explained))


def _support(draft: Draft, operation: Support, speech: Speech) -> None:
    evidence = tuple(dict.fromkeys((*operation.evidence, *operation.depends_on)))
    draft.require((operation.target,), operation.attacks, of=operation.id or "")
    draft.require(evidence, *operation.depends_on_any, of=operation.id or operation.target)
    key = _argue(draft, operation, evidence, Role.SUPPORT, speech)
    if operation.id is None:
        is_vouching = draft.state.policy.vouches(speech.agent, operation.source)
        corroboration = Corroboration(
            origin=draft.origin, evidence=evidence, is_sufficient=operation.sufficient, is_vouched=is_vouching
        )
        node = draft.node(operation.target)
        draft.put(replace(node, corroborations=(*node.corroborations, corroboration)))
        if operation.specific:
            draft.answer(operation.target, key)
    if operation.specific:
        draft.act(operation.target, _act(draft, ActKind.RESTORED, key))
    mode = Mode.RADICAL if operation.specific else Mode.CONSERVATIVE
    draft.believe(f"{key} supports", Atom(operation.target), mode, vertex=key)


def _undermine(draft: Draft, operation: Undermine, speech: Speech) -> None:
    evidence = tuple(dict.fromkeys((*operation.evidence, *operation.depends_on)))
    draft.require((operation.target,), operation.attacks, of=operation.id or "")
    draft.require(evidence, *operation.depends_on_any, of=operation.id or operation.target)
    key = _argue(draft, operation, evidence, Role.UNDERMINE, speech)
    draft.attack(operation.target, _attack(draft, key, AttackKind.UNDERMINES))
    draft.act(operation.target, _act(draft, ActKind.WEAKENED, key))
    if operation.specific:
        draft.believe(
            f"{key} undermines", negated(operation.target), Mode.RADICAL, vertex=key, target=operation.target
        )


def _revise(draft: Draft, operation: Revise, speech: Speech) -> None:
    replacement = operation.replacement
    draft.require((operation.target,), operation.because, filter(None, (replacement,)))
    draft.require(operation.because, filter(None, (replacement,)), of=operation.target)
    key = speech.act
    kind = ActKind.GIVEN_UP if replacement is None else ActKind.REPLACED
    premises = operation.because if replacement is None else (*operation.because, Literal(replacement))
    revision = _act_node(draft, key, Role.REVISION, operation.target, premises)
    own = Act(kind=ActKind.INTRODUCED, origin=draft.origin, by=key, replacement=replacement)
    draft.put(replace(revision, acts=(own,)))
    draft.attack(
        operation.target, _attack(draft, key, AttackKind.REVISES, falsifies=not operation.withdrawn)
    )
    if replacement is not None:
        replace_value(draft, operation.target, replacement)
    draft.act(operation.target, replace(_act(draft, kind, key), replacement=replacement))
    draft.release(speech.agent.id, operation.target)
    if not operation.withdrawn:
        draft.believe(f"{key} denies", negated(operation.target), Mode.HARD, vertex=key, target=operation.target)


def _expand_awareness(draft: Draft, operation: ExpandAwareness, speech: Speech) -> None:
    draft.require(operation.reinterprets, of=operation.id)
    claim = _Claim(proposition=_proposition(operation, Kind.AWARENESS), source=operation.source)
    _put_forward(draft, claim, speech)
    draft.put(replace(draft.node(operation.id), reinterprets=operation.reinterprets))


def _resolve(draft: Draft, operation: Resolve, speech: Speech) -> None:
    target = operation.target.proposition
    issue = operation.issue
    draft.require((target,), operation.subsumes, filter(None, (issue,)), of=operation.id or "")
    draft.require(operation.depends_on, *operation.depends_on_any, of=operation.id or "")
    draft.require(operation.reopen_if)
    key = operation.id or speech.act
    _put_decision(draft, operation, speech, key)
    draft.act(target, _act(draft, ActKind.DENIED if operation.target.negated else ActKind.RESOLVED, key))
    for subsumed in operation.subsumes:
        node = draft.node(subsumed)
        draft.put(replace(node, stories=(*node.stories, Story(id=target, origin=draft.origin))))
        draft.act(subsumed, _act(draft, ActKind.RESOLVED, key))
    if issue is not None:
        draft.act(issue, _act(draft, ActKind.RESOLVED, key))
        _close(draft, issue)
    _settle(draft, operation, key)
    draft.commit(speech.agent.id, key)


def _question(draft: Draft, operation: Question, speech: Speech) -> None:
    draft.require(operation.about, of=operation.id or "")
    if operation.id is not None:
        claim = _Claim(proposition=Proposition(id=operation.id, text=operation.text, kind=Kind.ISSUE), role=Role.QUESTION)
        _put_forward(draft, claim, speech)
    _open(draft, operation.id or speech.act, operation.text, operation.about)


# --- parts -------------------------------------------------------------------------------------------------------


def _put_forward(draft: Draft, claim: _Claim, speech: Speech) -> None:
    """Add a claim, or one more time that it was said."""
    proposition = claim.proposition
    known = draft.find(proposition.id)
    is_vouched = not claim.needs_source or draft.state.policy.vouches(speech.agent, claim.source)
    introduction = Introduction(
        origin=draft.origin, premises=claim.premises, alternatives=claim.alternatives, is_vouched=is_vouched
    )
    if known is None:
        draft.introduce(proposition)
        node = Node(
            id=proposition.id,
            role=claim.role,
            kind=proposition.kind,
            moment=draft.origin.moment,
            about=claim.about,
            introductions=(introduction,),
        )
        draft.put(node)
        draft.act(proposition.id, _act(draft, ActKind.INTRODUCED, proposition.id))
    else:
        _say_again(draft, known, proposition, introduction, speech)
    draft.commit(speech.agent.id, proposition.id)


def _say_again(
    draft: Draft, known: Node, proposition: Proposition, introduction: Introduction, speech: Speech
) -> None:
    before = draft.state.proposition(known.id)
    if (before.text, before.kind, before.formula) != (proposition.text, proposition.kind, proposition.formula):
        raise RepeatedIdentity(f"{known.id!r} is already {before.kind} {before.text!r}; use an id of its own")
    sources = {item.origin.uri for item in known.introductions}
    is_echo = not draft.origin.uri or draft.origin.uri in sources
    said = replace(introduction, is_echo=is_echo)
    draft.put(replace(known, introductions=(*known.introductions, said)))
    if lifecycle_of(draft.state, known.id) in GIVEN_UP:
        # Whoever says again what was given up takes it up: earlier revisions are answered by this act.
        draft.put(_act_node(draft, speech.act, Role.SUPPORT, known.id, ()))
        attacks = [item for item in known.attacks if item.kind in (AttackKind.REVISES, AttackKind.REPLACES)]
        draft.answer(known.id, speech.act, attacks)
        draft.act(known.id, _act(draft, ActKind.INTRODUCED, known.id))


def _argue(
    draft: Draft, operation: Support | Undermine, evidence: tuple[Literal, ...], role: Role, speech: Speech
) -> PropositionId:
    """Add the node of a support or undermine: an argument of its own when it has an id, a bare act when not."""
    if operation.id is None:
        if operation.depends_on_any:
            raise MalformedInput("alternatives need an argument of their own: give it an id", key="depends_on_any")
        draft.put(_act_node(draft, speech.act, role, operation.target, evidence))
        draft.commit(speech.agent.id, speech.act)
        return speech.act
    is_new = draft.find(operation.id) is None
    claim = _Claim(
        proposition=_proposition(operation, Kind.ARGUMENT),
        role=role,
        about=operation.target,
        premises=evidence,
        alternatives=operation.depends_on_any,
        source=operation.source,
    )
    _put_forward(draft, claim, speech)
    for target in operation.attacks:
        draft.attack(target, _attack(draft, operation.id, AttackKind.REBUTS))
    if is_new:
        draft.believe(operation.id, Atom(operation.id), Mode.RADICAL, vertex=operation.id)
    return operation.id


def _put_decision(draft: Draft, operation: Resolve, speech: Speech, key: PropositionId) -> None:
    decision = Decision(
        target=operation.target,
        is_authoritative=operation.mode is ResolveMode.AUTHORITATIVE,
        dissent=operation.dissent,
        issue=operation.issue,
        reopen_if=operation.reopen_if,
    )
    if operation.id is None:
        draft.put(replace(_act_node(draft, key, Role.RESOLUTION, operation.target.proposition, ()), decision=decision))
        if operation.depends_on:
            node = draft.node(operation.target.proposition)
            support = Corroboration(origin=draft.origin, evidence=operation.depends_on)
            draft.put(replace(node, corroborations=(*node.corroborations, support)))
        return
    claim = _Claim(
        proposition=_proposition(operation, Kind.DECISION),
        role=Role.RESOLUTION,
        about=operation.target.proposition,
        premises=operation.depends_on,
        alternatives=operation.depends_on_any,
        source=operation.source,
    )
    _put_forward(draft, claim, speech)
    draft.put(replace(draft.node(key), decision=decision))


def _settle(draft: Draft, operation: Resolve, key: PropositionId) -> None:
    """Let a resolve speak to the attacks on its target: answer them, accept them as risks, or be one itself."""
    target = operation.target
    vertex = settling_key(key)
    if target.negated:
        draft.attack(target.proposition, _attack(draft, vertex, AttackKind.SETTLED_AGAINST, falsifies=True))
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
        draft.believe(f"{key} settles", Not(atom) if target.negated else atom, Mode.HARD, vertex=key)


def _note_risks(draft: Draft, target: PropositionId, decision: PropositionId, vertex: str) -> None:
    node = draft.node(target)
    noted = tuple(
        replace(attack, accepted_by=(*attack.accepted_by, decision)) if vertex in attack.answers else attack
        for attack in node.attacks
    )
    draft.put(replace(node, attacks=noted))


def _act_node(
    draft: Draft, key: PropositionId, role: Role, about: PropositionId, premises: tuple[Literal, ...]
) -> Node:
    introduction = Introduction(origin=draft.origin, premises=premises)
    kind = Kind.DECISION if role is Role.RESOLUTION else Kind.ARGUMENT
    return Node(
        id=key, role=role, kind=kind, moment=draft.origin.moment, about=about, introductions=(introduction,)
    )


def _attack(draft: Draft, attacker: str, kind: AttackKind, *, falsifies: bool = False) -> Attack:
    return Attack(attacker=attacker, kind=kind, origin=draft.origin, falsifies=falsifies)


def _act(draft: Draft, kind: ActKind, by: PropositionId) -> Act:
    return Act(kind=kind, origin=draft.origin, by=by)


def _open(draft: Draft, id: PropositionId, text: str, about: Iterable[PropositionId]) -> None:
    problem = Problem(id=id, text=text, about=frozenset(about), origin=draft.origin)
    questioned = draft.state.questioned
    for item in problem.about:
        questioned = questioned.insert(item, questioned.get(item, HashTrieSet()).insert(id))
    draft.state = replace(draft.state, problems=draft.state.problems.insert(id, problem), questioned=questioned)


def _close(draft: Draft, id: PropositionId) -> None:
    problem = draft.state.problems.get(id)
    if problem is None:
        return
    questioned = draft.state.questioned
    for item in problem.about:
        questioned = questioned.insert(item, questioned[item].discard(id))
    draft.state = replace(draft.state, problems=draft.state.problems.remove(id), questioned=questioned)


def _proposition(
    operation: Observe | Hypothesize | Support | Undermine | ExpandAwareness | Resolve, kind: Kind
) -> Proposition:
    return Proposition(id=operation.id or PropositionId(""), text=operation.text, kind=kind, formula=operation.formula)


def _is_surprising(draft: Draft, operation: Observe) -> bool:
    """Definition E.2, asked before the announcement: the base does not lead to it. Nothing leads to a bare atom."""
    if operation.kind not in (Kind.OBSERVATION, Kind.FACT):
        return False
    return operation.formula is None or not draft.state.plausibility.believes(operation.formula)


def _clashing(draft: Draft, formula: Formula | None) -> list[PropositionId]:
    """Give the claims whose formula cannot hold beside ``formula``. Cost: claims that share an atom with it."""
    if formula is None:
        return []
    state = draft.state
    near = {id for name in atoms_of(formula) for id in state.atoms.get(name, ())}
    alone = OrderedBase().announce("new", formula)
    found: list[PropositionId] = []
    for id in sorted(near):
        meaning = state.proposition(id).formula
        if meaning is not None and state.label(id) is not Label.OUT and not alone.is_consistent_with(meaning):
            found.append(id)
    return found
