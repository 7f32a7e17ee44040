"""What agents know and believe of each other: the knowledge structure of a conversation.

What all were told is announced to all. What some were told is an event that the others cannot tell from silence, and
find silence likelier (a whisper; Baltag and Smets 2008, section 4): so they keep their beliefs, and do not know that
nothing was said. A fact that says something about knowledge ("I don't know whether I am muddy") is judged in the
structure as it was before its turn, or before the round of turns that are one announcement.

On formulas without nesting about one agent who sees no atoms for itself, the structure says what the ordered base of
that agent's own view says; a law holds the two equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from upheld.errors import CouldNotCheck
from upheld.logic.epistemic.entries import Entry, Mode
from upheld.logic.epistemic.structures.events import TOLD, occurrence
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, Formula, Implies, Not, Top, atoms_of, is_propositional
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.notation import format_formula
from upheld.logic.language.propositions import definition_of
from upheld.logic.reasoning.answers.views import awareness_of
from upheld.logic.reasoning.nodes import MEANS, Origin
from upheld.logic.reasoning.state import State

ALWAYS = Top()
"""The condition that excludes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutual:
    """The structure, and what is so of it: ``happened`` says which whispers there were.

    ``refused`` are the keys of facts that left no world when their turn came.
    """

    structure: KnowledgeStructure
    happened: Formula
    refused: tuple[str, ...] = ()

    def count_worlds(self, formula: Formula = ALWAYS) -> int:
        """Give the number of ways that things may be, as far as was told, in which the formula holds."""
        return self.structure.announced(And((self.happened, formula))).count_worlds() if self._may_be(formula) else 0

    def holds(self, formula: Formula, *, given: Formula = ALWAYS) -> bool:
        """Tell whether a formula holds, however things are, as far as they were told and ``given`` says.

        Raises:
            CouldNotCheck: it holds in some of those ways and not in others, or there is no such way.
        """
        if not self._may_be(given):
            raise CouldNotCheck(f"nothing that was told leaves {format_formula(given)} possible")
        if not self._may_be(And((given, Not(formula)))):
            return True
        if not self._may_be(And((given, formula))):
            return False
        asked = format_formula(formula)
        raise CouldNotCheck(f"{asked} depends on how things are, which nobody said: name what is so with given=")

    def _may_be(self, formula: Formula) -> bool:
        return self.structure.is_consistent_with(And((self.happened, formula)))


def mutual(state: State, views: Mapping[AgentId, State], asked: Iterable[Formula]) -> Mutual:
    """Give the structure in which ``asked`` can be judged.

    ``views`` is the state as each agent was told it; of whoever is missing, the common one. Only updates that have to
    do with ``asked`` are taken up: those that share atoms with it, over any number of others, and all when some
    conservative upgrade may tie distant atoms together.

    Cost: those updates, as decision diagrams; see :mod:`upheld.logic.epistemic.structures`.

    Raises:
        MissingExtra: the diagram library is not installed.
        LimitExceeded: the diagrams grow beyond their limit.
        UnknownReference: ``asked`` names an agent who does not take part.
    """
    told = _Told(state, views)
    return _Building(told, _relevant(told, asked)).built()


class _Told:
    """Who was told each update: those in whose own view it counts."""

    def __init__(self, state: State, views: Mapping[AgentId, State]) -> None:
        self.state = state
        self.agents = tuple(state.agents)
        bases = {agent: views.get(agent, state).plausibility for agent in self.agents}
        counted = {id(base): base.counted() for base in (state.plausibility, *bases.values())}
        found: dict[str, Entry] = {entry.key: entry for entries in counted.values() for entry in entries}
        # Positions of the common base, which holds every update, put those of the views in one order.
        places = state.plausibility.positions()
        self.entries = sorted(found.values(), key=lambda entry: places[entry.key])
        keys = {name: frozenset(entry.key for entry in entries) for name, entries in counted.items()}
        self.audience = {key: tuple(agent for agent in self.agents if key in keys[id(bases[agent])]) for key in found}
        laws = {str(each.id): definition_of(each) for each in state.propositions.values()}
        self.meanings = {id: law for id, law in laws.items() if law is not None and not is_propositional(law)}

    def origin(self, entry: Entry) -> Origin | None:
        """Give where an update comes from, if it is an operation's."""
        belief = self.state.beliefs.get(entry.key)
        id = PropositionId(entry.key.removesuffix(MEANS) if belief is None or not belief.vertex else belief.vertex)
        return self.origin_of(id)

    def origin_of(self, id: PropositionId) -> Origin | None:
        """Give where a proposition or act comes from; nowhere, when it was there before anybody spoke."""
        node = self.state.nodes.get(id)
        return node.first.origin if node is not None and node.introductions else None


def round_of(origin: Origin | None) -> str:
    """Give the name of the announcement that an update is part of: its turn, or the round of simultaneous turns."""
    return "" if origin is None else origin.simultaneous or origin.turn


def _relevant(told: _Told, asked: Iterable[Formula]) -> frozenset[str]:
    """Give the atoms that what is asked may depend on."""
    wanted = {name for formula in asked for name in atoms_of(formula)}
    groups = [atoms_of(entry.formula) for entry in told.entries]
    groups += [atoms_of(law) for law in told.meanings.values()]
    if any(entry.mode is Mode.CONSERVATIVE for entry in told.entries):
        return frozenset(wanted.union(*groups))
    by_atom: dict[str, list[frozenset[str]]] = {}
    for group in groups:
        for name in group:
            by_atom.setdefault(name, []).append(group)
    pending = list(wanted)
    while pending:
        for group in by_atom.pop(pending.pop(), ()):
            fresh = group - wanted
            wanted |= fresh
            pending.extend(fresh)
    return frozenset(wanted)


@dataclass(slots=True)
class _Building:
    """A structure that grows update by update."""

    told: _Told
    atoms: frozenset[str]
    happened: list[Formula] = field(default_factory=list[Formula])
    refused: list[str] = field(default_factory=list[str])

    def built(self) -> Mutual:
        told = self.told
        structure = self._blank()
        defined: set[str] = set()
        current: str | None = None
        for entry in told.entries:
            if not atoms_of(entry.formula) <= self.atoms:
                continue
            name = round_of(told.origin(entry))
            if name != current:
                current = name
                fresh = [each for each in told.meanings if each in self.atoms - defined and self._is_of(each, name)]
                structure = self._defined(structure, fresh)
                defined.update(fresh)
            structure = self._updated(structure, entry)
        structure = self._defined(structure, [each for each in told.meanings if each in self.atoms - defined])
        return Mutual(structure=structure, happened=And((Top(), *self.happened)), refused=tuple(self.refused))

    def _blank(self) -> KnowledgeStructure:
        state = self.told.state
        seen = {str(agent.id): agent.observes & self.atoms for agent in state.agents.values()}
        atoms = sorted(self.atoms - self.told.meanings.keys())
        aware = {str(agent): awareness_of(state, agent) | seen[agent] for agent in self.told.agents}
        return KnowledgeStructure.over(atoms, observes=seen, aware=aware)

    def _is_of(self, proposition: str, name: str) -> bool:
        return round_of(self.told.origin_of(PropositionId(proposition))) == name

    def _defined(self, structure: KnowledgeStructure, names: list[str]) -> KnowledgeStructure:
        """Add atoms that say something about knowledge, all judged in the structure before any of them is told."""
        if not names:
            return structure
        return structure.with_atoms(names).announced_together([self.told.meanings[name] for name in names])

    def _updated(self, structure: KnowledgeStructure, entry: Entry) -> KnowledgeStructure:
        audience = self.told.audience[entry.key]
        if len(audience) == len(self.told.agents):
            return self._public(structure, entry)
        if not audience:
            return structure
        return self._whispered(structure, entry, audience)

    def _public(self, structure: KnowledgeStructure, entry: Entry) -> KnowledgeStructure:
        if entry.mode is Mode.HARD and not structure.is_consistent_with(entry.formula):
            self.refused.append(entry.key)
            return structure
        return structure.updated(entry.formula, entry.mode)

    def _whispered(
        self, structure: KnowledgeStructure, entry: Entry, audience: tuple[AgentId, ...]
    ) -> KnowledgeStructure:
        said = Atom(occurrence(entry.key, TOLD))
        fact = entry.formula if entry.mode is Mode.HARD else Top()
        told = structure.private_told(fact, to=audience, name=entry.key)
        self.happened.append(said)
        if entry.mode is Mode.HARD:
            return told
        return told.updated(Implies(said, entry.formula), entry.mode, listeners=audience)
