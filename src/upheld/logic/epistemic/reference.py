"""Explicit worlds: the plausibility models of the paper's Definition E.1, obvious and slow, to teach and to test by.

Sources: Baltag and Smets 2008, *A qualitative theory of dynamic interactive belief revision*; van Ditmarsch, van der
Hoek and Kooi 2007, chapters 4 and 7. Worlds that tie for best are all lifted by a conservative upgrade (the paper says
"the single most plausible world", which does not exist when several tie).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

from upheld.errors import CouldNotCheck, UnknownReference
from upheld.logic.epistemic.entries import Mode
from upheld.logic.language.formulas import (
    And,
    Atom,
    Aware,
    Believes,
    Bottom,
    CommonKnowledge,
    DistributedKnowledge,
    ExplicitlyKnows,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    OfAgent,
    OfGroup,
    Or,
    SafelyBelieves,
    Top,
    atoms_of,
    parts_of,
)

World = frozenset[str]
"""The atoms that are true there."""

Worlds = frozenset[World]

SOMEBODY = ""
"""The agent of a model that names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """What each agent noticed of an update by events: the atoms of events, in classes that it cannot tell apart."""

    name: str
    classes: Mapping[str, tuple[frozenset[str], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlausibilityModel:
    """Worlds, and for each agent what it observes and how plausible it finds each world (lower is more).

    Agents tell two worlds apart when they differ in an atom that the agent observes, or in the class of an event that
    happened there; without either there is one cell. ``aware`` lists what an agent has in view; whoever is not listed
    has everything in view. ``noticed`` are the updates by events so far
    (:func:`~upheld.logic.epistemic.reference_events.product`).
    """

    worlds: Worlds
    observes: Mapping[str, frozenset[str]]
    ranks: Mapping[str, Mapping[World, int]]
    aware: Mapping[str, frozenset[str]]
    noticed: tuple[Noticed, ...] = ()

    @staticmethod
    def over(
        atoms: Collection[str],
        *,
        observes: Mapping[str, Collection[str]] | None = None,
        aware: Mapping[str, frozenset[str]] | None = None,
    ) -> PlausibilityModel:
        """Give the model in which every valuation of the atoms is possible, and all equally plausible.

        Cost: 2^k worlds.
        """
        ordered = sorted(atoms)
        chosen = itertools.product((False, True), repeat=len(ordered))
        worlds = frozenset(frozenset(itertools.compress(ordered, row)) for row in chosen)
        return PlausibilityModel.among(worlds, observes=observes, aware=aware)

    @staticmethod
    def among(
        worlds: Iterable[World],
        *,
        observes: Mapping[str, Collection[str]] | None = None,
        aware: Mapping[str, frozenset[str]] | None = None,
    ) -> PlausibilityModel:
        """Give the model in which just these worlds are possible, and all equally plausible."""
        possible = frozenset(worlds)
        seen = {agent: frozenset(seen) for agent, seen in (observes or {SOMEBODY: ()}).items()}
        ranks = {agent: dict.fromkeys(possible, 0) for agent in seen}
        return PlausibilityModel(worlds=possible, observes=seen, ranks=ranks, aware=aware or {})

    # --- updates -------------------------------------------------------------------------------------------------

    def updated(self, formula: Formula, mode: Mode, *, listeners: Collection[str] | None = None) -> PlausibilityModel:
        """Give the model after an update of any mode; ``listeners`` are those whom an upgrade reaches, all by default.

        Raises:
            UnknownReference: the model has no such listener.
            CouldNotCheck: an announcement to some only, which is an event: see
                :func:`~upheld.logic.epistemic.reference_events.product`.
        """
        if mode is Mode.RADICAL:
            return self.radical(formula, listeners=listeners)
        if mode is Mode.CONSERVATIVE:
            return self.conservative(formula, listeners=listeners)
        if listeners is not None and frozenset(listeners) != frozenset(self.observes):
            raise CouldNotCheck("a fact that only some hear is an event: use an event model")
        return self.announced(formula)

    def announced(self, formula: Formula) -> PlausibilityModel:
        """Keep the worlds where the formula holds; refused, so unchanged, when it holds nowhere."""
        left = self.extension(formula)
        return replace(self, worlds=left) if left else self

    def announced_together(self, formulas: Iterable[Formula]) -> PlausibilityModel:
        """Keep the worlds where all formulas hold, each judged before any was said."""
        return self.announced(And(tuple(formulas)))

    def radical(self, formula: Formula, *, listeners: Collection[str] | None = None) -> PlausibilityModel:
        """Put every world where the formula holds before every other, order within kept."""
        better = self.extension(formula)
        return self._ranked(listeners, lambda agent, world: (world not in better, self.ranks[agent][world]))

    def conservative(self, formula: Formula, *, listeners: Collection[str] | None = None) -> PlausibilityModel:
        """Put the best worlds of the formula, in each cell, before all others."""
        where = self.extension(formula)
        lifted = {
            agent: frozenset[World]().union(*(self._best(agent, cell & where) for cell in self.cells(agent)))
            for agent in self.observes
        }
        return self._ranked(listeners, lambda agent, world: (world not in lifted[agent], self.ranks[agent][world]))

    def _ranked(
        self, listeners: Collection[str] | None, place: Callable[[str, World], tuple[bool, int]]
    ) -> PlausibilityModel:
        ranks = dict(self.ranks)
        for agent in self.observes if listeners is None else listeners:
            if agent not in self.observes:
                raise UnknownReference(agent, where="the agents of the model")
            places = {world: place(agent, world) for world in self.worlds}
            order = {each: rank for rank, each in enumerate(sorted(set(places.values())))}
            ranks[agent] = {world: order[places[world]] for world in self.worlds}
        return replace(self, ranks=ranks)

    # --- questions -----------------------------------------------------------------------------------------------

    def is_consistent_with(self, formula: Formula) -> bool:
        """Tell whether some world satisfies the formula."""
        return bool(self.extension(formula))

    def knows(self, formula: Formula, *, agent: str = SOMEBODY, world: World | None = None) -> bool:
        """Tell whether the agent knows the formula at a world (any, for an agent that observes nothing)."""
        return self._is_where(Knows(agent, formula), world)

    def believes(self, formula: Formula, *, agent: str = SOMEBODY, world: World | None = None) -> bool:
        """Tell whether the agent believes the formula at a world."""
        return self._is_where(Believes(agent, formula), world)

    def believes_given(
        self, condition: Formula, formula: Formula, *, agent: str = SOMEBODY, world: World | None = None
    ) -> bool:
        """Tell whether the agent would believe the formula at a world, given the condition."""
        return self._is_where(Believes(agent, formula, condition), world)

    def holds_at(self, world: World, formula: Formula) -> bool:
        """Tell whether a formula holds at a world of the model."""
        return world in self.extension(formula)

    def _is_where(self, formula: Formula, world: World | None) -> bool:
        holding = self.extension(formula)
        return holding == self.worlds if world is None else world in holding

    def cells(self, *agents: str) -> list[Worlds]:
        """Give the sets of worlds that the agents together cannot tell apart.

        Raises:
            UnknownReference: the model has no such agent.
        """
        for agent in agents:
            if agent not in self.observes:
                raise UnknownReference(agent, where="the agents of the model")
        seen = frozenset[str]().union(*(self.observes[agent] for agent in agents))
        classes = [each for update in self.noticed for agent in agents for each in update.classes[agent]]
        return _grouped(self.worlds, lambda world: (world & seen, frozenset(each for each in classes if each & world)))

    def _best(self, agent: str, worlds: Worlds) -> Worlds:
        ranks = self.ranks[agent]
        lowest = min((ranks[world] for world in worlds), default=0)
        return frozenset(world for world in worlds if ranks[world] == lowest)

    # --- evaluation ----------------------------------------------------------------------------------------------

    def extension(self, formula: Formula) -> Worlds:
        """Give the worlds where a formula holds, its subformulas first."""
        found: dict[int, Worlds] = {}
        pending: list[Formula] = [formula]
        while pending:
            node = pending[-1]
            lacking = [part for part in parts_of(node) if id(part) not in found]
            if lacking:
                pending.extend(lacking)
                continue
            pending.pop()
            found[id(node)] = self._worlds_of(node, [found[id(part)] for part in parts_of(node)])
        return found[id(formula)]

    def _worlds_of(self, node: Formula, parts: list[Worlds]) -> Worlds:
        match node:
            case Top():
                return self.worlds
            case Bottom():
                return frozenset()
            case Atom(name):
                return frozenset(world for world in self.worlds if name in world)
            case Not():
                return self.worlds - parts[0]
            case And():
                return self.worlds.intersection(*parts)
            case Or():
                return frozenset[World]().union(*parts)
            case Implies():
                return (self.worlds - parts[0]) | parts[1]
            case Iff():
                return self.worlds - (parts[0] ^ parts[1])
            case _:
                return self._worlds_where_said(node, parts)

    def _worlds_where_said(
        self,
        node: OfAgent | OfGroup,
        parts: list[Worlds],
    ) -> Worlds:
        operand = parts[-1]
        match node:
            case Knows(agent):
                return _joined(cell for cell in self.cells(agent) if cell <= operand)
            case KnowsWhether(agent):
                return _joined(cell for cell in self.cells(agent) if cell <= operand or not cell & operand)
            case Believes(agent):
                given = parts[0] if node.condition is not None else self.worlds
                return _joined(cell for cell in self.cells(agent) if self._best(agent, cell & given) <= operand)
            case CommonKnowledge(group):
                return _joined(block for block in self._connected(group or tuple(self.observes)) if block <= operand)
            case DistributedKnowledge(group):
                return _joined(cell for cell in self.cells(*(group or tuple(self.observes))) if cell <= operand)
            case SafelyBelieves(agent):
                return self._safely(agent, operand)
            case ExplicitlyKnows(agent):
                known = _joined(cell for cell in self.cells(agent) if cell <= operand)
                return known if self._is_aware_of(agent, node.operand) else frozenset()
            case Aware(agent):
                return self.worlds if self._is_aware_of(agent, node.operand) else frozenset()

    def _safely(self, agent: str, operand: Worlds) -> Worlds:
        """Give the worlds with nothing at least as plausible outside the operand, in the cell of the agent."""
        ranks = self.ranks[agent]
        doubts = {
            world: min((ranks[other] for other in cell - operand), default=None)
            for cell in self.cells(agent)
            for world in cell
        }
        return frozenset(world for world, doubt in doubts.items() if doubt is None or ranks[world] < doubt)

    def _is_aware_of(self, agent: str, formula: Formula) -> bool:
        return agent not in self.aware or atoms_of(formula) <= self.aware[agent]

    def _connected(self, group: Iterable[str]) -> list[Worlds]:
        """Give the sets of worlds that lead to each other over the cells of any in the group."""
        blocks: list[Worlds] = []
        for cell in itertools.chain.from_iterable(self.cells(agent) for agent in group):
            touching = [block for block in blocks if block & cell]
            blocks = [block for block in blocks if not block & cell]
            blocks.append(cell.union(*touching))
        return blocks


def _grouped(worlds: Worlds, appearance: Callable[[World], Hashable]) -> list[Worlds]:
    groups: dict[Hashable, set[World]] = {}
    for world in worlds:
        groups.setdefault(appearance(world), set()).add(world)
    return [frozenset(group) for group in groups.values()]


def _joined(parts: Iterable[Worlds]) -> Worlds:
    return frozenset[World]().union(*parts)
