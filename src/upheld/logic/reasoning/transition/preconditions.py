"""What must hold before an operation is accepted, each with a name (semantics, section 4; the paper's Table 8).

A failure is what an interpreter is asked again with. Annotated files are replayed leniently: there a failure is a
finding, since the labels outrank the check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from upheld.logic.epistemic.abduction import abductive_problem, is_consistent, is_explanatory
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.formulas import And, Atom, Formula, Not, atoms_of, plainly
from upheld.logic.language.identities import AgentId, PropositionId
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
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.reasoning.lifecycle import is_answered, lifecycle_of
from upheld.logic.reasoning.nodes import AttackKind, Node
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.claims import Speech

QUESTION_MARKS = "?\uff1f\u061f\u037e"
"""Latin, full-width, Arabic and Greek."""


class Unmet(StrEnum):
    """Names of the preconditions that can fail."""

    USE_EXPAND_AWARENESS = "use_expand_awareness"
    ATOM_OUT_OF_VIEW = "atom_out_of_view"
    NOTHING_TO_EXPLAIN = "nothing_to_explain"
    INCONSISTENT = "inconsistent"
    NOT_EXPLANATORY = "not_explanatory"
    TRIVIAL = "trivial"
    ALREADY_BELIEVED = "already_believed"
    EVIDENCE_NOT_STANDING = "evidence_not_standing"
    EVIDENCE_INCOMPATIBLE = "evidence_incompatible"
    REDUNDANT = "redundant"
    NOT_BELIEVED = "not_believed"
    DOES_NOT_LOWER = "does_not_lower"
    NEITHER_RETRACTS_NOR_CONTRADICTS = "neither_retracts_nor_contradicts"
    ALREADY_IN_VIEW = "already_in_view"
    OBJECTION = "objection"
    NO_AUTHORITY = "no_authority"
    NEITHER_ASKS_NOR_FLAGS = "neither_asks_nor_flags"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A precondition that does not hold: its name, and what to do instead."""

    name: Unmet
    message: str


def is_plain(operation: Operation, find: Callable[[PropositionId], Node | None]) -> bool:
    """Tell whether an operation is so plain that no precondition of it can fail, whatever was said before.

    A new claim in words alone, which (if it is a hypothesis) names what it explains; a revision that gives a reason or
    a new value; a new question that asks something.
    """
    match operation:
        case Observe(id=id, formula=None, reinterprets=(), novel=False):
            return find(id) is None
        case Hypothesize(id=id, formula=None, explains=explains):
            return bool(explains) and find(id) is None
        case Revise(because=because, replacement=replacement):
            return bool(because) or replacement is not None
        case Question(id=id):
            return (id is None or find(id) is None) and not any(_question(operation))
        case _:
            return False


def failures(state: State, operation: Operation, speech: Speech) -> Iterator[Failure]:
    """Give the preconditions of an operation that fail in a state, most telling first.

    References must be known (the effects refuse them otherwise). Cost: the operation's own references, and one or two
    questions to the plausibility base where formulas are given.
    """
    match operation:
        case Observe():
            yield from _observe(state, operation)
        case Hypothesize():
            yield from _hypothesize(state, operation)
        case Support():
            yield from _support(state, operation)
        case Undermine():
            yield from _undermine(state, operation)
        case Revise():
            yield from _revise(state, operation, speech)
        case ExpandAwareness():
            yield from _expand_awareness(state, operation)
        case Resolve():
            yield from _resolve(state, operation, speech)
        case Question():
            yield from _question(operation)


def _observe(state: State, operation: Observe) -> Iterator[Failure]:
    if operation.reinterprets or operation.novel:
        yield Failure(
            name=Unmet.USE_EXPAND_AWARENESS,
            message="a new reading of earlier observations, or something nobody had in view: use expand_awareness",
        )
    if operation.formula is not None:
        strange = sorted(name for name in atoms_of(operation.formula) if not _is_in_view(state, name))
        if strange:
            yield Failure(
                name=Unmet.ATOM_OUT_OF_VIEW,
                message=f"nobody has {', '.join(strange)} in view: use expand_awareness first",
            )


def _hypothesize(state: State, operation: Hypothesize) -> Iterator[Failure]:
    is_answer = operation.on is not None and operation.on in state.problems
    is_called_for = operation.explains or is_answer or len(state.problems) or len(state.unexplained)
    if not is_called_for:
        yield Failure(name=Unmet.NOTHING_TO_EXPLAIN, message="say what it explains, or which open issue it is on")
    formula = plainly(operation.formula)
    if formula is None:
        if operation.id in state.nodes and state.plausibility.believes(Atom(operation.id)):
            yield Failure(name=Unmet.ALREADY_BELIEVED, message="it is believed already: support it")
        return
    yield from _solution(state, operation, formula)


def _solution(state: State, operation: Hypothesize, formula: Formula) -> Iterator[Failure]:
    """Definition E.2 on the base without the explained observations' own announcements (semantics, section 3)."""
    explained = [_meaning(state, id) for id in operation.explains]
    if OrderedBase().knows(formula) or formula in explained:
        yield Failure(name=Unmet.TRIVIAL, message="it says nothing beyond what it explains")
        return
    base = state.plausibility.without_entries(operation.explains)
    if base.believes(Not(formula)):
        culprits = ", ".join(base.explain_disbelief(formula))
        yield Failure(name=Unmet.INCONSISTENT, message=f"its negation is believed (because of {culprits})")
    elif base.believes(formula):
        yield Failure(name=Unmet.ALREADY_BELIEVED, message="it is believed already: support it")
    else:
        for id, meaning in zip(operation.explains, explained, strict=True):
            problem = abductive_problem(state.plausibility, meaning, (id,))
            has_meaning = plainly(state.proposition(id).formula) is not None
            if has_meaning and is_consistent(problem, formula) and not is_explanatory(problem, formula):
                yield Failure(name=Unmet.NOT_EXPLANATORY, message=f"with it, {id} would still not be expected")


def _support(state: State, operation: Support) -> Iterator[Failure]:
    evidence = (*operation.evidence, *operation.depends_on)
    yield from _standing(state, evidence)
    if any(_excludes(state, item, operation.target) for item in evidence):
        yield Failure(name=Unmet.EVIDENCE_INCOMPATIBLE, message="the evidence cannot hold beside what it supports")
    known = {item for group in state.dependencies.justifications_of(operation.target) for item in group}
    is_new = operation.id is not None or operation.specific or any(item not in known for item in evidence)
    if evidence and not is_new:
        yield Failure(name=Unmet.REDUNDANT, message=f"{operation.target} rests on all of this already")


def _undermine(state: State, operation: Undermine) -> Iterator[Failure]:
    target = state.node(operation.target)
    if lifecycle_of(state, target.id) in GIVEN_UP or state.plausibility.believes(Not(Atom(target.id))):
        yield Failure(name=Unmet.NOT_BELIEVED, message=f"{target.id} is not believed (any more)")
    evidence = (*operation.evidence, *operation.depends_on)
    if operation.id is None and any(state.label(item) is Label.OUT for item in evidence):
        yield Failure(name=Unmet.DOES_NOT_LOWER, message="the evidence does not stand")
        return
    for item in evidence:
        if _entails(state, item, target.id):
            yield Failure(name=Unmet.DOES_NOT_LOWER, message=f"{item} speaks for {target.id}, not against it")
            return


def _revise(state: State, operation: Revise, speech: Speech) -> Iterator[Failure]:
    is_held = operation.target in state.commitments.get(speech.agent.id, ())
    if not is_held and not operation.because and operation.replacement is None:
        yield Failure(
            name=Unmet.NEITHER_RETRACTS_NOR_CONTRADICTS,
            message=f"{speech.agent.id} does not hold {operation.target} and gives no reason: use undermine",
        )


def _expand_awareness(state: State, operation: ExpandAwareness) -> Iterator[Failure]:
    atoms = atoms_of(operation.formula) if operation.formula is not None else frozenset[str]()
    is_known = bool(atoms) and all(_is_in_view(state, name) for name in atoms)
    if is_known or operation.id in state.nodes or state.said_as(operation.text) is not None:
        yield Failure(name=Unmet.ALREADY_IN_VIEW, message="this is in view already: observe it, or hypothesize")


def _resolve(state: State, operation: Resolve, speech: Speech) -> Iterator[Failure]:
    if operation.mode is ResolveMode.AUTHORITATIVE:
        if not speech.agent.authority:
            yield Failure(name=Unmet.NO_AUTHORITY, message=f"{speech.agent.id} has no authority to decide this")
        return
    objectors = sorted(_objectors(state, operation, speech.agent.id))
    if objectors:
        yield Failure(name=Unmet.OBJECTION, message=f"{', '.join(objectors)} still objects: not settled by all")


def _question(operation: Question) -> Iterator[Failure]:
    if not operation.about and not any(mark in operation.text for mark in QUESTION_MARKS):
        yield Failure(name=Unmet.NEITHER_ASKS_NOR_FLAGS, message="it asks nothing and flags nothing as unexplained")


def _objectors(state: State, operation: Resolve, resolver: AgentId) -> set[AgentId]:
    """Give who still holds an attack on the target that is in, or has put dissent on record."""
    target = operation.target.proposition
    found = {agent for agent in operation.dissent if agent != resolver}
    if operation.target.negated:
        return found
    for attack in state.live_attacks(state.node(target)):
        speaker = attack.origin.speaker
        is_live = state.network.label(attack.attacker) is Label.IN and not is_answered(state, attack)
        if not is_live or speaker is None or speaker == resolver:
            continue
        holds = attack.attacker in state.commitments.get(speaker, ())
        if holds or attack.kind in (AttackKind.REVISES, AttackKind.REPLACES):
            found.add(speaker)
    for id in state.dissents.get(target, ()):
        speaker = state.node(id).first.origin.speaker
        if speaker is not None and speaker != resolver and state.label(id) is Label.IN:
            found.add(speaker)
    return found


def _standing(state: State, evidence: tuple[Literal, ...]) -> Iterator[Failure]:
    fallen = [str(item) for item in evidence if not state.stands(item)]
    if fallen:
        yield Failure(name=Unmet.EVIDENCE_NOT_STANDING, message=f"{', '.join(fallen)} does not stand")


def _is_in_view(state: State, atom: str) -> bool:
    """An atom is in view once a formula uses it, or a proposition is it."""
    return atom in state.atoms or atom in state.propositions


def _meaning(state: State, id: PropositionId) -> Formula:
    """Give what a proposition says: its formula, or the atom that it is."""
    return plainly(state.proposition(id).formula) or Atom(id)


def _excludes(state: State, item: Literal, target: PropositionId) -> bool:
    """Tell whether a literal cannot hold beside a proposition."""
    if _are_bare(state, item, target):
        return item.negated and item.proposition == target
    meaning = _meaning(state, target)
    return not OrderedBase().is_consistent_with(And((meaning, _said(state, item))))


def _entails(state: State, item: Literal, target: PropositionId) -> bool:
    """Tell whether a proposition follows from a literal."""
    if _are_bare(state, item, target):
        return not item.negated and item.proposition == target
    return OrderedBase().announce("evidence", _said(state, item)).knows(_meaning(state, target))


def _are_bare(state: State, item: Literal, target: PropositionId) -> bool:
    """Tell whether both are atoms: words without a formula. Atoms have to do with themselves alone."""
    both = (item.proposition, target)
    return all(plainly(state.proposition(each).formula) is None for each in both)


def _said(state: State, item: Literal) -> Formula:
    meaning = _meaning(state, item.proposition)
    return Not(meaning) if item.negated else meaning
