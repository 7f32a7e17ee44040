"""Knowledge structures say what explicit worlds say: of every agent, at every world, after any updates."""

from __future__ import annotations

import importlib.util
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.reference import PlausibilityModel, World
from upheld.logic.epistemic.reference_events import executed
from upheld.logic.epistemic.structures import scripts
from upheld.logic.epistemic.structures.events import EventModel
from upheld.logic.epistemic.structures.frames import Stack
from upheld.logic.epistemic.structures.scripts import Script
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
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
    Or,
    SafelyBelieves,
    Top,
)

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("oxidd") is None,
    reason="decision diagrams are not installed: pip install 'upheld[epistemic]'",
)

MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
SEQUENCES = max(1, round(3000 * MULTIPLIER))


# --- what happens ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """An update by a formula, heard by some."""

    formula: Formula
    mode: Mode
    listeners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """An update by events, with the name under which they are remembered."""

    events: EventModel
    name: str


@dataclass(frozen=True, slots=True)
class Introduced:
    """An atom that comes into the talk, with those who observe it."""

    atom: str
    observers: tuple[str, ...]


Update = Said | Happened | Introduced


@dataclass(slots=True)
class Talk:
    """Draws a start and what follows; formulas are few, and come back negated, so that upgrades clash."""

    chance: random.Random
    atoms: list[str]
    agents: list[str]
    pool: list[Formula]

    @staticmethod
    def of(seed: int) -> Talk:
        """One to three agents, one to four atoms."""
        chance = random.Random(seed)
        talk = Talk(
            chance, list("pqrs"[: chance.choice([1, 2, 3, 3, 4])]), list("abc"[: chance.choice([1, 2, 2, 3])]), []
        )
        talk.pool = [talk.formula(chance.choice([0, 1, 1, 2, 3])) for _ in range(3)]
        return talk

    def observes(self) -> dict[str, list[str]]:
        """Any atoms for any agent."""
        return {agent: [atom for atom in self.atoms if self.chance.random() < 0.3] for agent in self.agents}

    def aware(self) -> dict[str, frozenset[str]]:
        """Some atoms in view of some agents."""
        limited = [agent for agent in self.agents if self.chance.random() < 0.4]
        return {agent: frozenset(atom for atom in self.atoms if self.chance.random() < 0.7) for agent in limited}

    def formula(self, depth: int) -> Formula:
        """Any formula with all operators, no deeper than this."""
        if depth == 0 or self.chance.random() < 0.15:
            atom = Atom(self.chance.choice(self.atoms))
            return self.chance.choices([atom, Not(atom), Top(), Bottom()], [45, 45, 5, 5])[0]
        one, other = self.formula(depth - 1), self.formula(depth - 1)
        agent = self.chance.choice(self.agents)
        group = tuple(name for name in self.agents if self.chance.random() < 0.6)
        shapes = [
            *(Not(one), And((one, other)), Or((one, other)), Implies(one, other), Iff(one, other)),
            *(Knows(agent, one), KnowsWhether(agent, one), Believes(agent, one), Believes(agent, one, other)),
            *(SafelyBelieves(agent, one), CommonKnowledge(group, one), DistributedKnowledge(group, one)),
            *(Aware(agent, one), ExplicitlyKnows(agent, one), And((one, other, Not(one))), Or(())),
        ]
        return self.chance.choices(shapes, [2, 3, 3, 2, 2, 2, 1, 3, 2, 2, 1, 1, 0.5, 0.5, 0.2, 0.1])[0]

    def said(self) -> Said:
        """An update, soft more often than hard, of something that was or is to be talked about again."""
        mode = self.chance.choices(list(Mode), [1, 4, 4])[0]
        formula = (
            self.chance.choice(self.pool) if self.chance.random() < 0.7 else self.formula(self.chance.randint(0, 3))
        )
        is_for_all = mode is Mode.HARD or self.chance.random() < 0.7
        listeners = tuple(name for name in self.agents if is_for_all or self.chance.random() < 0.5)
        return Said(Not(formula) if self.chance.random() < 0.4 else formula, mode, listeners)

    def happened(self, name: str) -> Happened:
        """One to four events, noticed and believed as it may be."""
        events = tuple("wxyz"[: self.chance.randint(1, 4)])
        partitions = {agent: self.classes(events) for agent in self.agents if self.chance.random() < 0.8}
        ranked = [agent for agent in self.agents if self.chance.random() < 0.6]
        ranks = {agent: {event: self.chance.randint(0, 2) for event in events} for agent in ranked}
        preconditions = {event: self.formula(self.chance.randint(0, 2)) for event in events}
        changing = [event for event in events if self.chance.random() < 0.2]
        changes = {
            event: {self.chance.choice(self.atoms): self.formula(self.chance.randint(0, 2))} for event in changing
        }
        return Happened(
            EventModel(events=events, preconditions=preconditions, partitions=partitions, ranks=ranks, changes=changes),
            name,
        )

    def introduced(self) -> Introduced:
        """A fresh atom, which from now on is talked about."""
        self.atoms.append("new")
        return Introduced("new", tuple(name for name in self.agents if self.chance.random() < 0.3))

    def classes(self, events: tuple[str, ...]) -> tuple[frozenset[str], ...]:
        """Any partition."""
        drawn: dict[int, set[str]] = {}
        for event in events:
            drawn.setdefault(self.chance.randint(0, len(events) - 1), set()).add(event)
        return tuple(frozenset(each) for each in drawn.values())

    def updates(self) -> Iterator[Update]:
        """Up to eight; no more than two by events, as each multiplies the worlds."""
        names = ["1", "2"]
        for _ in range(self.chance.randint(1, 8)):
            if names and self.chance.random() < 0.15:
                yield self.happened(names.pop(0))
            elif len(self.atoms) < 4 and "new" not in self.atoms and self.chance.random() < 0.1:
                yield self.introduced()
            else:
                yield self.said()


# --- both sides ------------------------------------------------------------------------------------------------------

Step = Callable[[KnowledgeStructure, Update], KnowledgeStructure]


def explicit(before: PlausibilityModel, update: Update) -> PlausibilityModel:
    """The update on explicit worlds."""
    match update:
        case Happened(events, name):
            return executed(before, events, name=name)
        case Introduced(atom, observers):
            return explicit_introduction(before, atom, observers)
        case Said(formula, mode, listeners):
            return before.updated(formula, mode, listeners=listeners)


def explicit_introduction(before: PlausibilityModel, atom: str, observers: tuple[str, ...]) -> PlausibilityModel:
    """Every world twice, as plausible as it was."""
    both = [(world, world | added) for world in before.worlds for added in (frozenset[str](), frozenset({atom}))]
    return replace(
        before,
        worlds=frozenset(world for _, world in both),
        observes={
            agent: seen | {atom for each in observers if each == agent} for agent, seen in before.observes.items()
        },
        ranks={agent: {world: ranks[old] for old, world in both} for agent, ranks in before.ranks.items()},
    )


def symbolic(before: KnowledgeStructure, update: Update) -> KnowledgeStructure:
    """The update on a structure."""
    match update:
        case Happened(events, name):
            return before.after(events, name=name)
        case Introduced(atom, observers):
            return before.with_atoms([atom], observes={agent: [atom] for agent in observers})
        case Said(formula, mode, listeners):
            return before.updated(formula, mode, listeners=listeners)


def started(talk: Talk) -> tuple[PlausibilityModel, KnowledgeStructure]:
    """Both sides before anything was said."""
    observes, aware, law = talk.observes(), talk.aware(), talk.formula(2)
    slow = PlausibilityModel.over(talk.atoms, observes=observes, aware=aware)
    if talk.chance.random() < 0.7 or not slow.is_consistent_with(law):
        return slow, KnowledgeStructure.over(talk.atoms, observes=observes, aware=aware)
    return slow.announced(law), KnowledgeStructure.over(talk.atoms, observes=observes, aware=aware, law=law)


def difference(talk: Talk, slow: PlausibilityModel, fast: KnowledgeStructure) -> str:
    """What the two say differently; nothing, when they agree at every world."""
    if sorted(map(sorted, fast.worlds())) != sorted(map(sorted, slow.worlds)):
        return f"other worlds than {slow.worlds}"
    beliefs = [Believes(agent, Atom(atom)) for agent in talk.agents for atom in talk.atoms[:2]]
    for formula in [*beliefs, *(talk.formula(3) for _ in range(3))]:
        holding = slow.extension(formula)
        if holding != worlds_of(fast, formula):
            return f"{formula} not exactly at {holding}"
        world = talk.chance.choice(sorted(slow.worlds, key=sorted))
        if fast.holds_at(world, formula) != (world in holding):
            return f"{formula} at {world}"
    return ""


def worlds_of(structure: KnowledgeStructure, formula: Formula) -> frozenset[World]:
    """The worlds where a formula holds."""
    return frozenset(structure.announced(formula).worlds() if structure.is_consistent_with(formula) else ())


def disagreements(step: Step = symbolic) -> Iterator[str]:
    """What any of the sequences shows, with the seed that shows it again."""
    for seed in range(SEQUENCES):
        talk = Talk.of(seed)
        slow, fast = started(talk)
        for update in talk.updates():
            slow, fast = explicit(slow, update), step(fast, update)
        if said := difference(talk, slow, fast):
            yield f"seed {seed}: {said}"


def test_a_structure_says_what_explicit_worlds_say_at_every_world() -> None:
    """Our promise (semantics.md, section 3): exact, not an approximation; Definition E.1 for many agents."""
    assert list(disagreements()) == []


def test_a_conservative_upgrade_taken_for_a_radical_one_is_noticed() -> None:
    """The law above must be able to fail: ↑ as plain ⇑ differs only where formulas clash, and they do."""

    def careless(before: KnowledgeStructure, update: Update) -> KnowledgeStructure:
        is_soft = isinstance(update, Said) and update.mode is Mode.CONSERVATIVE
        return symbolic(before, replace(update, mode=Mode.RADICAL) if is_soft else update)

    assert next(disagreements(careless), "")


def test_upgrades_taken_oldest_first_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law above must be able to fail: what was said last counts most."""
    newest_first = Stack.newest_first

    def oldest_first(stack: Stack) -> Iterator[Stack]:
        return reversed(list(newest_first(stack)))

    monkeypatch.setattr(Stack, "newest_first", oldest_first)
    assert next(disagreements(), "")


# --- reduction axioms ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dynamic:
    """A structure, an update of it by ``said``, and formulas to speak about it; ``after`` reads ``[update]``."""

    before: KnowledgeStructure
    updated: KnowledgeStructure
    agent: str
    said: Formula
    one: Formula
    other: Formula

    def after(self, formula: Formula) -> Formula:
        """Where the formula holds after the update, written out world by world."""
        return written(self.before, worlds_of(self.updated, formula))

    def agrees(self, dynamic: Formula, static: Formula) -> bool:
        """Tell whether a formula after the update says what another said before, where the update is possible."""
        return worlds_of(self.updated, dynamic) == worlds_of(self.before, static) & set(self.updated.worlds())


def written(structure: KnowledgeStructure, worlds: frozenset[World]) -> Formula:
    """A plain formula that holds in exactly these worlds of the structure."""

    def literal(atom: str, world: World) -> Formula:
        return Atom(atom) if atom in world else Not(Atom(atom))

    return Or(tuple(And(tuple(literal(atom, world) for atom in structure.vocabulary)) for world in worlds))


def dynamics(mode: Mode) -> Iterator[Dynamic]:
    """Random structures in the middle of a talk, and one more update."""
    for seed in range(max(1, SEQUENCES // 15)):
        talk = Talk.of(seed)
        _, fast = started(talk)
        for _ in range(3):
            fast = symbolic(fast, talk.said())
        said = talk.formula(2)
        if fast.is_consistent_with(said):
            agent = talk.chance.choice(talk.agents)
            yield Dynamic(fast, fast.updated(said, mode), agent, said, talk.formula(2), talk.formula(2))


def possibly(agent: str, formula: Formula) -> Formula:
    """Not known not to be so."""
    return Not(Knows(agent, Not(formula)))


def test_an_announcement_reduces_knowledge_and_belief_to_what_was_before() -> None:
    """[!ψ]K φ ↔ (ψ → K(ψ → [!ψ]φ)), Plaza 1989; [!ψ]B^χ φ ↔ (ψ → B^(ψ ∧ [!ψ]χ) [!ψ]φ), van Benthem 2007."""
    for case in dynamics(Mode.HARD):
        agent, one, given = case.agent, case.after(case.one), case.after(case.other)
        assert case.agrees(Knows(agent, case.one), Knows(agent, Implies(case.said, one)))
        told = And((case.said, given))
        assert case.agrees(Believes(agent, case.one, case.other), Believes(agent, one, told))


def test_a_radical_upgrade_changes_no_knowledge() -> None:
    """[⇑ψ]K φ ↔ K[⇑ψ]φ, van Benthem 2007, section 4."""
    for case in dynamics(Mode.RADICAL):
        assert case.agrees(Knows(case.agent, case.one), Knows(case.agent, case.after(case.one)))


def test_a_radical_upgrade_reduces_conditional_belief() -> None:
    """Van Benthem 2007, Dynamic logic for belief revision, section 4: believed among the ψ-worlds if there are any."""
    for case in dynamics(Mode.RADICAL):
        agent, one, given = case.agent, case.after(case.one), case.after(case.other)
        both = And((case.said, given))
        among = And((possibly(agent, both), Believes(agent, one, both)))
        otherwise = And((Not(possibly(agent, both)), Believes(agent, one, given)))
        assert case.agrees(Believes(agent, case.one, case.other), Or((among, otherwise)))


def test_a_radical_upgrade_reduces_safe_belief() -> None:
    """Baltag and Smets 2008, section 3: [⇑ψ]□φ, for a world of ψ and for another."""
    for case in dynamics(Mode.RADICAL):
        agent, one = case.agent, case.after(case.one)
        inside = Implies(case.said, SafelyBelieves(agent, Implies(case.said, one)))
        settled = And((SafelyBelieves(agent, one), Knows(agent, Implies(case.said, one))))
        assert case.agrees(SafelyBelieves(agent, case.one), And((inside, Implies(Not(case.said), settled))))


def test_a_conservative_upgrade_reduces_conditional_belief() -> None:
    """Van Benthem 2007, section 4: the best ψ-worlds come first, where the condition allows them."""
    for case in dynamics(Mode.CONSERVATIVE):
        agent, one, given = case.agent, case.after(case.one), case.after(case.other)
        is_excluded = Believes(agent, Not(given), case.said)
        excluded = And((is_excluded, Believes(agent, one, given)))
        allowed = And((Not(is_excluded), Believes(agent, one, And((case.said, given)))))
        assert case.agrees(Believes(agent, case.one, case.other), Or((excluded, allowed)))


# --- taking back -----------------------------------------------------------------------------------------------------


def test_taking_a_step_back_leaves_what_explicit_worlds_say_without_it() -> None:
    """Our promise: retraction is replay, for epistemic formulas, plausibility and events alike."""
    for seed in range(max(1, SEQUENCES // 8)):
        talk = Talk.of(seed)
        slow, fast = started(talk)
        updates = {str(number): update for number, update in enumerate(talk.updates())}
        script = Script(start=fast)
        for key, update in updates.items():
            script = script.then(key, scripted(update))
        dropped = talk.chance.choice(
            [key for key, update in updates.items() if not isinstance(update, Introduced)] or [""]
        )
        script = script.without(dropped) if dropped else script
        refused: list[str] = []
        for key, update in updates.items():
            if key == dropped:
                continue
            renamed = replace(update, name=key) if isinstance(update, Happened) else update
            if is_impossible(slow, renamed):
                refused.append(key)
            slow = explicit(slow, renamed)
        assert difference(talk, slow, script.structure) == "", seed
        assert script.quarantined() == tuple(refused)


def scripted(update: Update) -> scripts.Update:
    """The update as a step."""
    match update:
        case Happened(events):
            return scripts.Happened(events=events)
        case Introduced(atom, observers):
            return scripts.Introduced(atoms=(atom,), observes={agent: [atom] for agent in observers})
        case Said(formula, mode, listeners):
            return scripts.Said(formula=formula, mode=mode, listeners=listeners)


def is_impossible(before: PlausibilityModel, update: Update) -> bool:
    """Tell whether nothing would be left."""
    if isinstance(update, Happened):
        return not any(before.is_consistent_with(each) for each in update.events.preconditions.values())
    return isinstance(update, Said) and update.mode is Mode.HARD and not before.is_consistent_with(update.formula)
