"""What each operation does to the state (semantics, section 4; the paper's Algorithm 1).

One function an operation; each changes records in a draft, and everything else follows from the records.
"""

from __future__ import annotations

from dataclasses import replace

from upheld.errors import MalformedInput
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.formulas import Atom, Formula, atoms_of, plainly
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.nodes import ANSWERABLE, ActKind, AttackKind, Corroboration, Node, Role
from upheld.logic.reasoning.state import Belief
from upheld.logic.reasoning.transition.claims import (
    Speech,
    act_node,
    act_of,
    attack_by,
    close_problem,
    introduction_of,
    open_problem,
    proposition_of,
    put_forward,
    replace_value,
)
from upheld.logic.reasoning.transition.draft import Draft, negated
from upheld.logic.reasoning.transition.resolving import resolve


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
            resolve(draft, operation, speech)
        case Question():
            _question(draft, operation, speech)


def _observe(draft: Draft, operation: Observe, speech: Speech) -> None:
    id = operation.id
    draft.require(operation.depends_on, *operation.depends_on_any, of=id)
    draft.require(operation.contradicts, operation.supersedes, of=id)
    draft.require(operation.reinterprets, operation.against, operation.prefers)
    clashing = _clashing(draft, plainly(operation.formula))
    is_vouched = operation.kind is Kind.DISSENT or draft.state.policy.vouches(speech.agent, operation.source)
    node = Node(
        id=id,
        role=Role.CLAIM,
        kind=operation.kind,
        moment=draft.origin.moment,
        introductions=introduction_of(draft, operation.depends_on, operation.depends_on_any, is_vouched=is_vouched),
        acts=(act_of(draft, ActKind.INTRODUCED, id),),
        against=operation.against,
        prefers=operation.prefers,
        reinterprets=operation.reinterprets,
    )
    is_new = put_forward(draft, proposition_of(operation, operation.kind), node, speech) is None
    if not is_new:
        draft.put(
            replace(
                draft.node(id),
                against=operation.against,
                prefers=operation.prefers,
                reinterprets=operation.reinterprets,
            )
        )
    for target in operation.against:
        draft.dissent(id, target)
    if is_new:
        draft.announce(id, Mode.HARD)
    for target in operation.contradicts:
        draft.attack(target, attack_by(draft, id, AttackKind.CONTRADICTS, falsifies=True))
    for target in clashing:
        draft.attack(target, attack_by(draft, id, AttackKind.ENTAILS_NEGATION, falsifies=True))
    for older in operation.supersedes:
        replace_value(draft, older, id)
    if is_new and _is_surprising(draft, operation):
        draft.find_surprising(id)


def _hypothesize(draft: Draft, operation: Hypothesize, speech: Speech) -> None:
    id = operation.id
    draft.require(operation.depends_on, *operation.depends_on_any, operation.explains, of=id)
    draft.require(filter(None, (operation.on, operation.refines)), of=id)
    node = Node(
        id=id,
        role=Role.CLAIM,
        kind=operation.kind,
        moment=draft.origin.moment,
        about=operation.on,
        refines=operation.refines,
        introductions=introduction_of(draft, operation.depends_on, operation.depends_on_any),
        acts=(act_of(draft, ActKind.INTRODUCED, id),),
    )
    is_new = put_forward(draft, proposition_of(operation, operation.kind), node, speech) is None
    if is_new:
        draft.announce(id, Mode.RADICAL)
    else:
        draft.put(replace(draft.node(id), refines=operation.refines))
    if operation.on is not None:
        draft.take_position(id, operation.on)
    for explained in operation.explains:
        for problem in draft.questioned.get(explained, ()):
            # An issue stays open until it is resolved; a mere question about what is now explained is answered.
            if draft.find(problem) is None:
                close_problem(draft, problem)
        draft.explain(explained)


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
            # A fact that was replaced stays so: evidence for it says nothing against the newer value.
            kinds = ANSWERABLE if node.is_considered else ANSWERABLE - {AttackKind.REPLACES}
            draft.answer(operation.target, key, [attack for attack in node.attacks if attack.kind in kinds])
    if operation.specific:
        draft.act(operation.target, act_of(draft, ActKind.RESTORED, key))
    mode = Mode.RADICAL if operation.specific else Mode.CONSERVATIVE
    # A bare act has no standing apart from the claim's: with the claim goes what it adds to the belief in it.
    claim = operation.target if operation.id is None else None
    draft.believe(f"{key} supports", Atom(operation.target), mode, Belief(vertex=key, claim=claim))


def _undermine(draft: Draft, operation: Undermine, speech: Speech) -> None:
    evidence = tuple(dict.fromkeys((*operation.evidence, *operation.depends_on)))
    draft.require((operation.target,), operation.attacks, of=operation.id or "")
    draft.require(evidence, *operation.depends_on_any, of=operation.id or operation.target)
    key = _argue(draft, operation, evidence, Role.UNDERMINE, speech)
    weakening = act_of(draft, ActKind.WEAKENED, key)
    draft.attack(operation.target, attack_by(draft, key, AttackKind.UNDERMINES), weakening)
    if operation.specific:
        owner = Belief(vertex=key, target=operation.target)
        draft.believe(f"{key} undermines", negated(operation.target), Mode.RADICAL, owner)


def _revise(draft: Draft, operation: Revise, speech: Speech) -> None:
    replacement = operation.replacement
    draft.require((operation.target,), operation.because, filter(None, (replacement,)))
    draft.require(operation.because, filter(None, (replacement,)), of=operation.target)
    key = speech.act
    kind = ActKind.GIVEN_UP if replacement is None else ActKind.REPLACED
    premises = operation.because if replacement is None else (*operation.because, Literal(replacement))
    own = act_of(draft, ActKind.INTRODUCED, key, replacement)
    draft.put(act_node(draft, key, Role.REVISION, operation.target, premises, (own,)))
    attack = attack_by(draft, key, AttackKind.REVISES, falsifies=not operation.withdrawn)
    draft.attack(operation.target, attack, act_of(draft, kind, key, replacement))
    if replacement is not None:
        replace_value(draft, operation.target, replacement)
    draft.release(speech.agent.id, operation.target)
    if not operation.withdrawn:
        owner = Belief(vertex=key, target=operation.target)
        draft.believe(f"{key} denies", negated(operation.target), Mode.HARD, owner)


def _expand_awareness(draft: Draft, operation: ExpandAwareness, speech: Speech) -> None:
    id = operation.id
    draft.require(operation.reinterprets, of=id)
    node = Node(
        id=id,
        role=Role.CLAIM,
        kind=Kind.AWARENESS,
        moment=draft.origin.moment,
        introductions=introduction_of(draft),
        acts=(act_of(draft, ActKind.INTRODUCED, id),),
        reinterprets=operation.reinterprets,
    )
    is_new = put_forward(draft, proposition_of(operation, Kind.AWARENESS), node, speech) is None
    if not is_new:
        draft.put(replace(draft.node(id), reinterprets=operation.reinterprets))


def _question(draft: Draft, operation: Question, speech: Speech) -> None:
    id = operation.id
    draft.require(operation.about, of=id or "")
    if id is not None:
        node = Node(
            id=id,
            role=Role.QUESTION,
            kind=Kind.ISSUE,
            moment=draft.origin.moment,
            introductions=introduction_of(draft),
            acts=(act_of(draft, ActKind.INTRODUCED, id),),
        )
        put_forward(draft, Proposition(id=id, text=operation.text, kind=Kind.ISSUE), node, speech)
    open_problem(draft, id or speech.act, operation.text, operation.about)


def _argue(
    draft: Draft, operation: Support | Undermine, evidence: tuple[Literal, ...], role: Role, speech: Speech
) -> PropositionId:
    """Add the node of a support or undermine: an argument of its own when it has an id, a bare act when not."""
    id = operation.id
    if id is None:
        if operation.depends_on_any:
            raise MalformedInput("alternatives need an argument of their own: give it an id", key="depends_on_any")
        draft.put(act_node(draft, speech.act, role, operation.target, evidence))
        draft.commit(speech.agent.id, speech.act)
        return speech.act
    node = Node(
        id=id,
        role=role,
        kind=Kind.ARGUMENT,
        moment=draft.origin.moment,
        about=operation.target,
        introductions=introduction_of(draft, evidence, operation.depends_on_any),
        acts=(act_of(draft, ActKind.INTRODUCED, id),),
    )
    is_new = put_forward(draft, proposition_of(operation, Kind.ARGUMENT), node, speech) is None
    for target in operation.attacks:
        draft.attack(target, attack_by(draft, id, AttackKind.REBUTS))
    if is_new:
        draft.announce(id, Mode.RADICAL)
    return id


def _is_surprising(draft: Draft, operation: Observe) -> bool:
    """Definition E.2, asked before the announcement: the base does not lead to it. Nothing leads to a bare atom."""
    if operation.kind not in (Kind.OBSERVATION, Kind.FACT):
        return False
    formula = plainly(operation.formula)
    return formula is None or not draft.state.plausibility.believes(formula)


def _clashing(draft: Draft, formula: Formula | None) -> list[PropositionId]:
    """Give the claims whose formula cannot hold beside ``formula``. Cost: claims that share an atom with it."""
    if formula is None:
        return []
    state = draft.state
    near = {id for name in atoms_of(formula) for id in state.atoms.get(name, ())}
    alone = OrderedBase().announce("new", formula)
    found: list[PropositionId] = []
    for id in sorted(near):
        meaning = plainly(state.proposition(id).formula)
        if meaning is not None and state.label(id) is not Label.OUT and not alone.is_consistent_with(meaning):
            found.append(id)
    return found
