"""Knowledge structures: what many agents know and believe of each other, at a cost that does not follow the worlds.

The worlds are the valuations that satisfy a law, and an agent confuses two when it observes the same in both (van
Benthem, van Eijck, Gattinger and Su 2018). Plausibility is a stack of upgrades for each agent, as in
:class:`~upheld.logic.epistemic.ordered_base.OrderedBase`. What is said here is what
:class:`~upheld.logic.epistemic.reference.PlausibilityModel` says of the same updates, world by world.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rpds import HashTrieMap

from upheld.errors import CouldNotCheck, MalformedInput, RepeatedIdentity, UnknownReference
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.structures.diagrams import NODES, Diagram, Diagrams, within_limits
from upheld.logic.epistemic.structures.evaluation import denotation
from upheld.logic.epistemic.structures.events import EventModel, former, telling_whether, whisper
from upheld.logic.epistemic.structures.frames import Frame, Sight
from upheld.logic.epistemic.structures.happenings import RESERVED, Happening, frame_after, named_worlds, world_of
from upheld.logic.epistemic.structures.readings import Readings
from upheld.logic.language.formulas import And, Believes, Formula, Knows

SOMEBODY = ""
"""The agent of a structure that names none."""

_NO_ATOMS: HashTrieMap[str, Diagram] = HashTrieMap()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class KnowledgeStructure:
    """An immutable value: every update gives a new one, and all that grew from one share one table of diagrams.

    A world is the set of atoms that are true there. After an event model it also holds, for each such update, the atom
    of the event that happened (:func:`~upheld.logic.epistemic.structures.events.occurrence`).

    Raises (every method that computes):
        LimitExceeded: the diagrams need more nodes than the family may have.
        UnknownReference: an agent or an atom that the structure does not have.
    """

    vocabulary: tuple[str, ...]
    _frame: Frame
    _happened: tuple[Happening, ...] = ()

    @staticmethod
    def over(
        atoms: Collection[str],
        *,
        observes: Mapping[str, Collection[str]] | None = None,
        aware: Mapping[str, frozenset[str]] | None = None,
        law: Formula | None = None,
        nodes: int = NODES,
    ) -> KnowledgeStructure:
        """Give the structure in which every valuation under the law is possible, and all equally plausible.

        Agents are those of ``observes``, with the atoms that each sees the truth of (and everybody knows that it
        does). ``aware`` lists what an agent has in view; whoever is not listed has everything in view. The order of
        the atoms decides how large the diagrams are: neighbours should be what the law and the talk connect; an
        unordered collection is sorted. ``nodes`` is the most that the diagrams of the whole family may need.

        Raises:
            MissingExtra: the diagram library is not installed.
            RepeatedIdentity: an atom twice.
            UnknownReference: an agent observes an atom that is not there.
            MalformedInput: no world satisfies the law.
        """
        seen = {SOMEBODY: ()} if observes is None else observes
        diagrams = Diagrams(expected=len(atoms), nodes=nodes)
        empty: Mapping[str, frozenset[str]] = {agent: frozenset() for agent in seen}
        blank = Frame(
            sight=Sight(diagrams=diagrams, variables=(), seen=empty),
            law=diagrams.top,
            atoms=_NO_ATOMS,
            stacks=dict.fromkeys(seen),
            aware=aware or {},
            readings=Readings(),
        )
        free = KnowledgeStructure(vocabulary=(), _frame=blank).with_atoms(atoms, observes=seen)
        return free if law is None else free._under(law)

    @within_limits
    def _under(self, law: Formula) -> KnowledgeStructure:
        found = self._announcement(law)
        if found is None:
            raise MalformedInput("no world satisfies the law", key="law")
        return found

    def __repr__(self) -> str:
        """Say what it is about, rather than all of it."""
        return f"<KnowledgeStructure: {len(self.vocabulary)} atoms, agents {', '.join(self.agents)}>"

    @property
    def diagrams(self) -> Diagrams:
        """Give the table that the family shares."""
        return self._frame.diagrams

    @property
    def agents(self) -> tuple[str, ...]:
        """Give the agents, in the order in which they were named."""
        return tuple(self._frame.stacks)

    @property
    def observes(self) -> Mapping[str, frozenset[str]]:
        """Give the atoms that each agent observes."""
        known = frozenset(self.vocabulary)
        return {agent: seen & known for agent, seen in self._frame.sight.seen.items()}

    @property
    def aware(self) -> Mapping[str, frozenset[str]]:
        """Give what agents have in view; whoever is not listed has everything in view."""
        return self._frame.aware

    # --- updates -------------------------------------------------------------------------------------------------

    def updated(self, formula: Formula, mode: Mode, *, listeners: Collection[str] | None = None) -> KnowledgeStructure:
        """Give the structure after an update of any mode; the formula is judged in the structure before.

        Only ``listeners`` (all, when none are given) come to find the formula more plausible; that they do is no
        secret to the others.

        Raises:
            MalformedInput: a hard announcement to some only, which is an event: see :meth:`told` and
                :meth:`private_told`.
        """
        if mode is Mode.HARD:
            if listeners is not None and set(listeners) != set(self.agents):
                raise MalformedInput(
                    "a fact that only some hear is an event: use told or private_told", key="listeners"
                )
            return self.announced(formula)
        return self._upgraded(formula, listeners, is_conservative=mode is Mode.CONSERVATIVE)

    @within_limits
    def announced(self, formula: Formula) -> KnowledgeStructure:
        """Give what is left when all learn the formula; refused, so unchanged, when that is no world."""
        return self._announcement(formula) or self

    def announced_together(self, formulas: Iterable[Formula]) -> KnowledgeStructure:
        """Give what is left after one simultaneous announcement: all are judged in the structure before."""
        return self.announced(And(tuple(formulas)))

    def radical(self, formula: Formula, *, listeners: Collection[str] | None = None) -> KnowledgeStructure:
        """Put every world where the formula holds before every other, order within kept."""
        return self.updated(formula, Mode.RADICAL, listeners=listeners)

    def conservative(self, formula: Formula, *, listeners: Collection[str] | None = None) -> KnowledgeStructure:
        """Put the best worlds of the formula, in each cell of each agent, before all others."""
        return self.updated(formula, Mode.CONSERVATIVE, listeners=listeners)

    @within_limits
    def after(self, events: EventModel, *, name: str | None = None) -> KnowledgeStructure:
        """Give the action-priority product; refused, so unchanged, when no event can happen anywhere.

        ``name`` names the update in the atoms of what happened, and of what was so before an event changed it (see
        :func:`~upheld.logic.epistemic.structures.events.former`); by default updates by events count from "1".

        Raises:
            RepeatedIdentity: the name is taken, or one of those atoms is there already.
        """
        for agent in sorted(events.agents):
            self._require_agent(agent)
        for atom in sorted(set(events.changed) - set(self.vocabulary)):
            raise UnknownReference(atom, where="what the events change")
        called = str(len(self._happened) + 1) if name is None else name
        if any(happening.name == called for happening in self._happened):
            raise RepeatedIdentity(f"an update is already called {called!r}: give this one another name")
        happening = Happening.of(self.diagrams, called, events)
        olds = tuple(former(happening.name, atom) for atom in events.changed)
        self._require_new((*happening.codes, *olds))
        frame = frame_after(self._frame, happening, events)
        if frame is None:
            return self
        vocabulary = (*self.vocabulary, *olds)
        return replace(self, vocabulary=vocabulary, _frame=frame, _happened=(*self._happened, happening))

    def told(self, formula: Formula, *, to: Collection[str], name: str | None = None) -> KnowledgeStructure:
        """Tell some whether the formula holds; the others notice that they learn it, and not what they learn."""
        for agent in to:
            self._require_agent(agent)
        return self.after(telling_whether(formula, to=to, agents=self.agents), name=name)

    def private_told(self, formula: Formula, *, to: Collection[str], name: str | None = None) -> KnowledgeStructure:
        """Tell some that the formula holds, or nothing; the others cannot tell, and find nothing likelier."""
        for agent in to:
            self._require_agent(agent)
        return self.after(whisper(formula, to=to, agents=self.agents), name=name)

    @within_limits
    def with_atoms(
        self, atoms: Collection[str], *, observes: Mapping[str, Collection[str]] | None = None
    ) -> KnowledgeStructure:
        """Give the structure with more atoms, about which nothing is known or believed.

        Cost: none that follows the worlds, of which there are 2^k times as many.

        Raises:
            RepeatedIdentity: an atom that is there already.
            MalformedInput: a name that begins with a character zero, which is kept for what is no atom.
        """
        more = tuple(atoms) if isinstance(atoms, Sequence) else tuple(sorted(atoms))
        if len(set(more)) < len(more):
            raise RepeatedIdentity(f"an atom is named twice: {', '.join(more)}")
        self._require_new(more)
        for atom in more:
            if atom.startswith(RESERVED):
                raise MalformedInput(f"{atom!r} begins with a character that is kept for what is no atom")
        seen = {agent: frozenset(some) for agent, some in (observes or {}).items()}
        for agent, some in seen.items():
            self._require_agent(agent)
            for atom in sorted(some - frozenset(more)):
                raise UnknownReference(atom, where=f"what {agent or 'somebody'} observes")
        return replace(self, vocabulary=(*self.vocabulary, *more), _frame=self._frame.with_atoms(more, seen))

    def with_aware(self, agent: str, atoms: Collection[str]) -> KnowledgeStructure:
        """Give the structure after atoms came into an agent's view, beside what was in view before."""
        self._require_agent(agent)
        if agent not in self.aware:
            return self
        grown = {**self.aware, agent: self.aware[agent].union(atoms)}
        return replace(self, _frame=replace(self._frame, aware=grown))

    # --- questions -----------------------------------------------------------------------------------------------

    @within_limits
    def extension(self, formula: Formula) -> Diagram:
        """Give the worlds where a formula holds, as a diagram over the variables of the family."""
        return denotation(self._frame, formula) & self._frame.law

    def is_valid(self, formula: Formula) -> bool:
        """Tell whether the formula holds in every world."""
        return self.extension(formula) == self._frame.law

    def is_consistent_with(self, formula: Formula) -> bool:
        """Tell whether some world satisfies the formula."""
        return self.extension(formula) != self.diagrams.bottom

    def knows(self, formula: Formula, *, agent: str = SOMEBODY, world: Collection[str] | None = None) -> bool:
        """Tell whether the agent knows the formula at a world; in all, when none is named."""
        return self._is_where(Knows(agent, formula), world)

    def believes(self, formula: Formula, *, agent: str = SOMEBODY, world: Collection[str] | None = None) -> bool:
        """Tell whether the agent believes the formula at a world; in all, when none is named."""
        return self._is_where(Believes(agent, formula), world)

    def believes_given(
        self,
        condition: Formula,
        formula: Formula,
        *,
        agent: str = SOMEBODY,
        world: Collection[str] | None = None,
    ) -> bool:
        """Tell whether the agent would believe the formula at a world, given the condition."""
        return self._is_where(Believes(agent, formula, condition), world)

    @within_limits
    def holds_at(self, world: Collection[str], formula: Formula) -> bool:
        """Tell whether a formula holds at a world; it holds at none that the law excludes.

        Raises:
            CouldNotCheck: the world does not say which events happened, and the answer depends on it.
        """
        here = self._frame.law & world_of(self._frame, self._happened, self.vocabulary, frozenset(world))
        there = here & denotation(self._frame, formula)
        if there not in (here, self.diagrams.bottom):
            raise CouldNotCheck("the answer depends on which events happened: name them in the world")
        return there != self.diagrams.bottom

    @within_limits
    def count_worlds(self) -> int:
        """Give the number of worlds, exactly."""
        return self._frame.law.sat_count(len(self._frame.sight.variables))

    def worlds(self, limit: int | None = None) -> Iterator[frozenset[str]]:
        """Give the worlds one after the other, no more than ``limit`` of them. Cost: the atoms, for each."""
        return named_worlds(self._frame, self._happened, frozenset(self.vocabulary), limit)

    # --- within --------------------------------------------------------------------------------------------------

    def _announcement(self, formula: Formula) -> KnowledgeStructure | None:
        left = self.extension(formula)
        if left == self.diagrams.bottom:
            return None
        return self if left == self._frame.law else replace(self, _frame=self._frame.with_law(left))

    @within_limits
    def _upgraded(
        self, formula: Formula, listeners: Collection[str] | None, *, is_conservative: bool
    ) -> KnowledgeStructure:
        where = self.extension(formula)
        hearing = self.agents if listeners is None else tuple(listeners)
        for agent in hearing:
            self._require_agent(agent)
        entries = {agent: self._frame.best_of(agent, where) if is_conservative else where for agent in hearing}
        if is_conservative:
            # Lifting the worlds that are the best already, which is believing what is believed, adds nothing.
            entries = {agent: best for agent, best in entries.items() if best != self._frame.best(agent)}
        frame = self._frame.with_entries(entries)
        return self if frame is self._frame else replace(self, _frame=frame)

    @within_limits
    def _is_where(self, formula: Formula, world: Collection[str] | None) -> bool:
        return self.is_valid(formula) if world is None else self.holds_at(world, formula)

    def _require_agent(self, agent: str) -> None:
        if agent not in self._frame.stacks:
            raise UnknownReference(agent, where="the agents of the structure")

    def _require_new(self, atoms: Iterable[str]) -> None:
        for atom in atoms:
            if atom in self._frame.atoms:
                raise RepeatedIdentity(f"the structure already has an atom {atom!r}")
