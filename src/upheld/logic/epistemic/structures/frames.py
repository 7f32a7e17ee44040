"""What a formula is evaluated in: the law, who sees which variables, and each agent's stack of upgrades.

Sources: van Benthem, van Eijck, Gattinger and Su 2018, *Symbolic model checking for dynamic epistemic logic: S5 and
beyond*, section 2 (knowledge structures); Baltag and Smets 2008 for plausibility, kept as a stack of denotations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rpds import HashTrieMap

from upheld.errors import UnknownReference
from upheld.logic.epistemic.structures.diagrams import Diagram, Diagrams
from upheld.logic.epistemic.structures.readings import Readings


@dataclass(slots=True)
class _Cubes:
    hidden: dict[tuple[str, ...], Diagram] = field(default_factory=dict[tuple[str, ...], Diagram])
    primed: dict[str, tuple[object, Diagram]] = field(default_factory=dict[str, tuple[object, Diagram]])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sight:
    """The variables there are, and which of them each agent sees; an agent confuses worlds that look alike to it."""

    diagrams: Diagrams
    variables: tuple[str, ...]
    seen: Mapping[str, frozenset[str]]
    _cubes: _Cubes = field(default_factory=_Cubes, repr=False)

    def hidden_from(self, agents: tuple[str, ...]) -> Diagram:
        """Give the cube of the variables that none of the agents sees.

        Raises:
            UnknownReference: there is no such agent.
        """
        cube = self._cubes.hidden.get(agents)
        if cube is None:
            seen = frozenset[str]().union(*(self._seen_by(agent) for agent in agents))
            cube = self.diagrams.cube(name for name in self.variables if name not in seen)
            self._cubes.hidden[agents] = cube
        return cube

    def priming(self, agent: str) -> tuple[object, Diagram]:
        """Give the substitution of what the agent does not see by its primed twins, and the cube of those."""
        if agent not in self._cubes.primed:
            unseen = [name for name in self.variables if name not in self._seen_by(agent)]
            self._cubes.primed[agent] = (self.diagrams.priming(unseen), self.diagrams.cube(unseen, primed=True))
        return self._cubes.primed[agent]

    def with_variables(self, names: Iterable[str], seen: Mapping[str, Iterable[str]]) -> Sight:
        """Give the sight with more variables."""
        more = {agent: before.union(seen.get(agent, ())) for agent, before in self.seen.items()}
        return Sight(diagrams=self.diagrams, variables=(*self.variables, *names), seen=more)

    def with_renamed(self, names: Mapping[str, str]) -> Sight:
        """Give the sight in which some variables have another name, and those who saw them see them under that."""
        seen = {
            agent: frozenset(names.get(variable, variable) for variable in before)
            for agent, before in self.seen.items()
        }
        variables = tuple(names.get(variable, variable) for variable in self.variables)
        return Sight(diagrams=self.diagrams, variables=variables, seen=seen)

    def _seen_by(self, agent: str) -> frozenset[str]:
        if agent not in self.seen:
            raise UnknownReference(agent, where="the agents of the structure")
        return self.seen[agent]


@dataclass(slots=True)
class _Compared:
    relation: Diagram | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """The upgrades of one agent, newest on top and strongest: each entry is where its formula held at the time."""

    entry: Diagram
    older: Stack | None
    _compared: _Compared = field(default_factory=_Compared, repr=False)

    def newest_first(self) -> Iterator[Stack]:
        """Give this stack, the one below, and so on."""
        current: Stack | None = self
        while current is not None:
            yield current
            current = current.older

    def relation(self, frame: Frame, agent: str) -> Diagram:
        """Give "the primed world is at least as plausible as the unprimed one", within a cell of the agent.

        Lexicographic: the newest entry on which two worlds differ decides. Later vocabulary changes nothing of it, so
        it is kept with the stack. Cost: the entries that were not compared yet.
        """
        substitution, _ = frame.sight.priming(agent)
        lacking: list[Stack] = []
        found = frame.diagrams.top
        for stack in self.newest_first():
            if stack._compared.relation is not None:
                found = stack._compared.relation
                break
            lacking.append(stack)
        for stack in reversed(lacking):
            there = stack.entry.substitute(substitution)
            found = stack.entry.ite(there & found, there | found)
            stack._compared.relation = found
        return found


def _stacked(entries: Sequence[Diagram], onto: Stack | None = None) -> Stack | None:
    """Give the stack of entries, the newest of which is the first."""
    for entry in reversed(entries):
        onto = Stack(entry, onto)
    return onto


def _substituted(stack: Stack | None, substitution: object) -> list[Diagram]:
    return [each.entry.substitute(substitution) for each in stack.newest_first()] if stack else []


def _pushed(stack: Stack | None, entry: Diagram) -> Stack:
    """Give the stack with an entry on top; worlds that tie on it tie on older ones that say the same, or the opposite.

    Finding all redundant entries is coNP-hard (Liberatore 2023, *Representing states in iterated belief revision*).
    """
    denied = ~entry
    above: list[Diagram] = []
    for each in stack.newest_first() if stack else ():
        if each.entry in (entry, denied):
            return Stack(entry, _stacked(above, each.older))
        above.append(each.entry)
    return Stack(entry, stack)


@dataclass(slots=True)
class _Found:
    """What was already found out about one frame."""

    best: dict[str, Diagram] = field(default_factory=dict[str, Diagram])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """All that a formula's truth depends on.

    ``law`` is true of exactly the worlds there are; ``atoms`` says of each atom where it holds.
    """

    sight: Sight
    law: Diagram
    atoms: HashTrieMap[str, Diagram]
    stacks: Mapping[str, Stack | None]
    aware: Mapping[str, frozenset[str]]
    readings: Readings
    _found: _Found = field(default_factory=_Found, repr=False)

    @property
    def diagrams(self) -> Diagrams:
        """Give the table in which all diagrams of the frame live."""
        return self.sight.diagrams

    def possible(self, agents: tuple[str, ...], where: Diagram) -> Diagram:
        """Give where the agents together hold it possible: the cells that reach into the worlds of ``where``."""
        return self.diagrams.some(self.law, where, self.sight.hidden_from(agents))

    def best(self, agent: str) -> Diagram:
        """Give the most plausible worlds of every cell of the agent. Found once a frame."""
        if agent not in self._found.best:
            self._found.best[agent] = self.best_of(agent, self.law)
        return self._found.best[agent]

    def best_of(self, agent: str, worlds: Diagram) -> Diagram:
        """Give, in every cell of the agent at once, the most plausible of the worlds.

        Greedy from the newest entry down: a cell that has worlds of the entry keeps those, another keeps all.
        """
        hidden = self.sight.hidden_from((agent,))
        stack = self.stacks[agent]
        for each in stack.newest_first() if stack else ():
            elsewhere = ~self.diagrams.some(worlds, each.entry, hidden)
            worlds = worlds & (each.entry | elsewhere)
        return worlds

    def rather(self, agent: str, where: Diagram) -> Diagram:
        """Give the worlds that have something of ``where`` in the agent's cell, at least as plausible as they are."""
        substitution, primed = self.sight.priming(agent)
        stack = self.stacks[agent]
        if stack is None:
            return self.possible((agent,), where)
        there = (self.law & where).substitute(substitution)
        return self.diagrams.some(there, stack.relation(self, agent), primed)

    def with_atoms(self, names: Iterable[str], seen: Mapping[str, Iterable[str]]) -> Frame:
        """Give the frame with more atoms; as no entry speaks of them, what was found out stays true."""
        more = tuple(names)
        atoms = self.atoms
        for name in more:
            atoms = atoms.insert(name, self.diagrams.variable(name))
        return replace(self, sight=self.sight.with_variables(more, seen), atoms=atoms)

    def with_law(self, law: Diagram) -> Frame:
        """Give the frame of other worlds."""
        return replace(self, law=law, _found=_Found())

    def with_entries(self, entries: Mapping[str, Diagram]) -> Frame:
        """Give the frame with an entry on top of some agents' stacks; the same when none decides anything more."""
        stacks = dict(self.stacks)
        for agent, entry in entries.items():
            top = stacks[agent]
            is_repeated = top is not None and top.entry == entry
            if not is_repeated and (self.law & entry) not in (self.law, self.diagrams.bottom):
                stacks[agent] = _pushed(top, entry)
        return self if stacks == self.stacks else replace(self, stacks=stacks, _found=_Found())

    def with_renamed(self, names: Mapping[str, str]) -> Frame:
        """Give the same frame with some atoms under other names, so that theirs are free.

        Cost: every entry of every stack.
        """
        diagrams = self.diagrams
        substitution = diagrams.renaming(names)
        atoms = self.atoms
        for old, new in names.items():
            atoms = atoms.remove(old).insert(new, diagrams.variable(new))
        return replace(
            self,
            sight=self.sight.with_renamed(names),
            law=self.law.substitute(substitution),
            atoms=atoms,
            stacks={agent: _stacked(_substituted(stack, substitution)) for agent, stack in self.stacks.items()},
            _found=_Found(),
        )
