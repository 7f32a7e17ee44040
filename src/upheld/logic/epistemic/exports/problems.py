"""What a model checker is given: a vocabulary, a law, who sees what, and questions after announcements.

Source: van Benthem, van Eijck, Gattinger and Su 2018, *Symbolic model checking for dynamic epistemic logic: S5 and
beyond*, section 3 (knowledge structures): the worlds are the valuations that satisfy the law, and an agent cannot tell
two of them apart when they agree on what it observes.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from upheld.errors import CouldNotCheck, LimitExceeded, MalformedInput, RepeatedIdentity, UnknownReference
from upheld.logic.epistemic.exports.rewriting import is_about_knowledge_alone
from upheld.logic.epistemic.reference import PlausibilityModel, World, Worlds
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import (
    And,
    Atom,
    Formula,
    Knows,
    Not,
    Or,
    SafelyBelieves,
    Top,
    agents_of,
    atoms_of,
)

LISTED = 4096
"""The most worlds of a knowledge structure that a law may list."""


class Asked(StrEnum):
    """What is asked of a formula."""

    VALID = "valid"
    """Does it hold in every world?"""
    TRUE = "true"
    """Does it hold in the world that the question names?"""
    WHERE = "where"
    """In which worlds does it hold?"""


class Saying(StrEnum):
    """How what is asked depends on an announcement made first."""

    IF_TRUE = "if true"
    """``[!f] g``: if f holds, then g after f is announced."""
    AND_TRUE = "and true"
    """``<!f> g``: f holds, and g after f is announced."""
    WHETHER = "whether"
    """``[?!f] g``: g after it is announced whether f."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """A public announcement that precedes what is asked; judged where the ones before it have been made."""

    formula: Formula
    saying: Saying = Saying.IF_TRUE


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A formula asked about after announcements, first to last; ``world`` belongs to :attr:`Asked.TRUE` alone."""

    formula: Formula
    asked: Asked = Asked.VALID
    announcements: tuple[Announced, ...] = ()
    world: World = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Atoms, the law that every world satisfies, what each agent observes, and questions.

    Raises:
        RepeatedIdentity: an atom is listed twice.
        UnknownReference: an atom or an agent occurs that is not listed.
        CouldNotCheck: a formula speaks of belief or awareness, or the law of agents.
    """

    vocabulary: tuple[str, ...]
    observes: Mapping[str, tuple[str, ...]]
    law: Formula = field(default_factory=Top)
    questions: tuple[Question, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what names unknown things, or cannot be said to a checker of knowledge."""
        atoms = frozenset(self.vocabulary)
        if len(atoms) != len(self.vocabulary):
            raise RepeatedIdentity("an atom is listed twice in the vocabulary")
        if agents_of(self.law):
            raise CouldNotCheck("the law is about the world and not about agents: announce what they know")
        said = [(self.law, "the law"), *((formula, "a question") for formula in self.formulas)]
        for formula, where in said:
            if not is_about_knowledge_alone(formula):
                raise CouldNotCheck("plausibility and awareness are lost in a model checker of knowledge: B, Sb, A, X")
            _require_known(atoms_of(formula) - atoms, where)
            _require_known(agents_of(formula) - self.observes.keys(), where)
        for seen in (*self.observes.values(), *(question.world for question in self.questions)):
            _require_known(frozenset(seen) - atoms, "what is observed or true")

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Give the formulas of all questions, announcements included."""
        return tuple(
            formula
            for question in self.questions
            for formula in (*(said.formula for said in question.announcements), question.formula)
        )


def problem_of(
    left: PlausibilityModel | KnowledgeStructure,
    *,
    vocabulary: Collection[str],
    questions: tuple[Question, ...] = (),
) -> Problem:
    """Give the problem that has the worlds and the cells of an explicit model or of a knowledge structure.

    The law lists the worlds, unless all valuations are there. A start that nobody has spoken about is better given as a
    :class:`Problem` with a law of its own.

    Cost: worlds times atoms; for a structure, a question about each agent at each world.

    Raises:
        CouldNotCheck: an agent finds one world more plausible than another, has not everything in view, or noticed
            something of an event, which no atom says.
        UnknownReference: a world has an atom that is not in the vocabulary.
        LimitExceeded: a structure of more than ``LISTED`` worlds.
    """
    worlds = _worlds_listed(left)
    if left.aware:
        raise CouldNotCheck(f"awareness is lost in a model checker of knowledge: {', '.join(sorted(left.aware))}")
    if isinstance(left, PlausibilityModel):
        if left.noticed:
            raise CouldNotCheck("what agents noticed of events is lost in a model checker of atoms that they observe")
        preferring = [agent for agent, ranks in left.ranks.items() if len({ranks[world] for world in worlds}) > 1]
    else:
        preferring = _preferring(left, worlds)
    if preferring:
        raise CouldNotCheck(
            f"plausibility is lost in a model checker of knowledge: {preferring[0]!r} prefers some worlds"
        )
    atoms = tuple(vocabulary)
    observes = {agent: tuple(sorted(seen)) for agent, seen in left.observes.items()}
    law = Top() if len(worlds) == 2 ** len(atoms) else _any_of(worlds, atoms)
    return Problem(vocabulary=atoms, observes=observes, law=law, questions=questions)


def _worlds_listed(left: PlausibilityModel | KnowledgeStructure) -> Worlds:
    if isinstance(left, PlausibilityModel):
        return left.worlds
    if left.count_worlds() > LISTED:
        raise LimitExceeded(f"a law that lists more than {LISTED} worlds: give the problem a law of its own")
    worlds = frozenset(left.worlds())
    if any(world - frozenset(left.vocabulary) for world in worlds):
        raise CouldNotCheck("what agents noticed of events is lost in a model checker of atoms that they observe")
    return worlds


def _preferring(left: KnowledgeStructure, worlds: Worlds) -> list[str]:
    """Give the agents with a preference: those who safely believe that a world is not, and do not know it.

    With no preference, every world of a cell is as plausible as every other, and safe belief is knowledge.
    """
    each = [_literals(world, left.vocabulary) for world in sorted(worlds, key=sorted)]
    return [
        agent
        for agent in left.agents
        if any(
            left.is_consistent_with(And((SafelyBelieves(agent, Not(one)), Not(Knows(agent, Not(one)))))) for one in each
        )
    ]


def worlds_of(problem: Problem) -> PlausibilityModel:
    """Give the explicit model of a problem. Cost: 2^k worlds for k atoms.

    Raises:
        MalformedInput: no world satisfies the law.
    """
    everything = PlausibilityModel.over(problem.vocabulary, observes=problem.observes)
    lawful = everything.announced(problem.law)
    if not lawful.is_consistent_with(problem.law):
        raise MalformedInput("no world satisfies the law", key="law")
    return lawful


def worlds_where(problem: Problem, question: Question) -> Worlds:
    """Give the worlds where what is asked holds, by explicit worlds: slow, obvious, to compare others with.

    An announcement that is false in a world makes what follows it true there (``[!f]``) or false (``<!f>``).
    """
    found: Worlds = frozenset()
    branches = [worlds_of(problem)]
    for said in question.announcements:
        following: list[PlausibilityModel] = []
        for branch in branches:
            where = branch.extension(said.formula)
            other = branch.worlds - where
            if said.saying is Saying.IF_TRUE:
                found |= other
            kept = (where, other) if said.saying is Saying.WHETHER else (where,)
            following.extend(replace(branch, worlds=worlds) for worlds in kept if worlds)
        branches = following
    return found.union(*(branch.extension(question.formula) for branch in branches))


def is_answered_yes(problem: Problem, question: Question) -> bool:
    """Tell whether the answer is yes: everywhere (valid), there (true), or somewhere (where)."""
    where = worlds_where(problem, question)
    match question.asked:
        case Asked.VALID:
            return where == worlds_of(problem).worlds
        case Asked.TRUE:
            return question.world in where
        case Asked.WHERE:
            return bool(where)


def _require_known(unknown: Collection[str], where: str) -> None:
    for name in sorted(unknown):
        raise UnknownReference(name, where=where)


def _any_of(worlds: Worlds, atoms: tuple[str, ...]) -> Formula:
    _require_known(frozenset(itertools.chain.from_iterable(worlds)) - frozenset(atoms), "the vocabulary")
    rows = sorted(tuple(atom not in world for atom in atoms) for world in worlds)
    return Or(
        tuple(_literals(frozenset(itertools.compress(atoms, (not false for false in row))), atoms) for row in rows)
    )


def _literals(world: World, atoms: tuple[str, ...]) -> Formula:
    return And(tuple(Atom(atom) if atom in world else Not(Atom(atom)) for atom in atoms))
