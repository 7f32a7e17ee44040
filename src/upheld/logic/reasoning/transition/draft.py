"""The work of one operation: changed records are collected here, and become the next state all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rpds import HashTrieMap, HashTrieSet

from upheld.errors import SelfSupport, UnknownReference
from upheld.logic.argumentation.network import Network, edited
from upheld.logic.argumentation.rules import AnyRule
from upheld.logic.dependency.justifications import (
    DependencyMap,
    Justification,
    with_justifications,
    with_larger_stories,
)
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.formulas import Atom, Formula, Iff, Implies, Not, atoms_of
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import TENTATIVE, Proposition
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.compilation import justifications_of, negation_rule, rules_of
from upheld.logic.reasoning.nodes import ANSWERABLE, Act, Attack, Node, Origin
from upheld.logic.reasoning.state import Belief, State, folded

_NONE: HashTrieSet[PropositionId] = HashTrieSet()
_NO_ENTRIES: HashTrieSet[str] = HashTrieSet()


class Draft:
    """Changes to a state by one operation. Nothing of the state is touched; :meth:`finished` gives the next one."""

    def __init__(self, state: State, origin: Origin) -> None:
        """Begin an operation that came from ``origin``."""
        self.state = state
        self.origin = origin
        self.changed: Mapping[str, tuple[Label, Label]] = {}
        # The registers that operations write to: plain attributes here, so that the state is rebuilt once, at the end.
        self.propositions = state.propositions
        self.texts = state.texts
        self.atoms = state.atoms
        self.attacked = state.attacked
        self.commitments = state.commitments
        self.problems = state.problems
        self.questioned = state.questioned
        self.unexplained = state.unexplained
        self.positions = state.positions
        self.dissents = state.dissents
        self.withdrawn = state.withdrawn
        self._nodes: dict[PropositionId, Node] = {}
        self._entries: list[tuple[str, Formula, Mode, Belief]] = []

    # --- records -------------------------------------------------------------------------------------------------

    def find(self, id: PropositionId) -> Node | None:
        """Give the record of a node as it is now."""
        return self._nodes.get(id) or self.state.nodes.get(id)

    def node(self, id: PropositionId) -> Node:
        """Give the record of a node; raises :class:`UnknownReference`."""
        found = self.find(id)
        if found is None:
            raise UnknownReference(id, where=self.origin.turn)
        return found

    def put(self, node: Node) -> None:
        """Set a node's record."""
        self._nodes[node.id] = node

    def require(self, *references: Iterable[Literal] | Iterable[PropositionId], of: str = "") -> None:
        """Refuse references to what nobody introduced, and a claim that leans on itself.

        Raises:
            UnknownReference: an id that nobody introduced.
            SelfSupport: ``of`` is among the references.
        """
        for group in references:
            for item in group:
                id = item.proposition if isinstance(item, Literal) else item
                if id == of:
                    raise SelfSupport(f"{id!r} is given as its own ground in {self.origin.turn}")
                self.node(id)

    def introduce(self, proposition: Proposition) -> None:
        """Put a new proposition in view."""
        self.propositions = self.propositions.insert(proposition.id, proposition)
        if proposition.text and folded(proposition.text) not in self.texts:
            self.texts = self.texts.insert(folded(proposition.text), proposition.id)
        meaning = proposition.formula
        for name in atoms_of(meaning) if meaning is not None else ():
            self.atoms = self.atoms.insert(name, self.atoms.get(name, _NONE).insert(proposition.id))
        if meaning is not None:
            atom = Atom(proposition.id)
            # A hypothesis implies what it says and more may be true of it; a reported fact is just what it says.
            law = Implies(atom, meaning) if proposition.kind in TENTATIVE else Iff(atom, meaning)
            self._entries.append((f"{proposition.id} means", law, Mode.HARD, Belief(vertex="")))

    def attack(self, target: PropositionId, attack: Attack) -> None:
        """Record an attack; the same one twice is one."""
        node = self.node(target)
        same = [known for known in node.attacks if (known.attacker, known.kind) == (attack.attacker, attack.kind)]
        if not same:
            self.put(replace(node, attacks=(*node.attacks, attack)))
            self._index(attack.attacker, target)

    def act(self, target: PropositionId, act: Act) -> None:
        """Record an act on a node."""
        node = self.node(target)
        self.put(replace(node, acts=(*node.acts, act)))

    def answer(self, target: PropositionId, vertex: str, attacks: Iterable[Attack] | None = None) -> None:
        """Let ``vertex`` switch off the answerable attacks on a node so far, or the given ones."""
        node = self.node(target)
        wanted = tuple(node.attacks if attacks is None else attacks)
        answered = tuple(
            replace(attack, answers=(*attack.answers, vertex))
            if attack in wanted and (attacks is not None or attack.kind in ANSWERABLE)
            else attack
            for attack in node.attacks
        )
        self.put(replace(node, attacks=answered))
        self._index(vertex, target)

    def dissent(self, id: PropositionId, target: PropositionId) -> None:
        """Put on record that ``id`` holds out against ``target``."""
        self.dissents = self.dissents.insert(target, self.dissents.get(target, _NONE).insert(id))

    def take_position(self, id: PropositionId, issue: PropositionId) -> None:
        """Put on record that ``id`` is a position on an issue."""
        self.positions = self.positions.insert(issue, self.positions.get(issue, _NONE).insert(id))

    def commit(self, agent: AgentId, node: PropositionId) -> None:
        """Bind an agent to a node publicly."""
        self.commitments = self.commitments.insert(agent, self.commitments.get(agent, _NONE).insert(node))

    def release(self, agent: AgentId, node: PropositionId) -> None:
        """Let an agent off a commitment."""
        self.commitments = self.commitments.insert(agent, self.commitments.get(agent, _NONE).discard(node))

    def believe(
        self, key: str, formula: Formula, mode: Mode, *, vertex: str, target: PropositionId | None = None
    ) -> None:
        """Enter a formula into the plausibility base; it counts while ``vertex`` is in (and its attack unanswered)."""
        self._entries.append((key, formula, mode, Belief(vertex=vertex, target=target)))

    def _index(self, vertex: str, target: PropositionId) -> None:
        """Note that a vertex attacks ``target`` or answers an attack on it."""
        self.attacked = self.attacked.insert(vertex, self.attacked.get(vertex, _NONE).insert(target))

    # --- the next state ------------------------------------------------------------------------------------------

    def finished(self) -> State:
        """Give the next state: dependencies, labels and beliefs follow from the changed records.

        Cost: the changed records, and what their change of label reaches.
        """
        self.state = self.labelled()
        plausibility, beliefs, watched = self._believed()
        return replace(self.state, plausibility=plausibility, beliefs=beliefs, watched=watched)

    def labelled(self) -> State:
        """Give the next state but for its beliefs, for a question that does not ask what anybody believes."""
        recorded = replace(
            self.state,
            propositions=self.propositions,
            texts=self.texts,
            atoms=self.atoms,
            nodes=self.state.nodes.update(self._nodes),
            attacked=self.attacked,
            commitments=self.commitments,
            problems=self.problems,
            questioned=self.questioned,
            unexplained=self.unexplained,
            positions=self.positions,
            dissents=self.dissents,
            withdrawn=self.withdrawn,
            touched_by=self._touched(),
            moment=self.origin.moment + 1,
        )
        dependencies, network = self._relabelled(recorded)
        return replace(recorded, dependencies=dependencies, network=network)

    def _touched(self) -> HashTrieMap[str, HashTrieSet[PropositionId]]:
        touched = self.state.touched_by
        for source in filter(None, (self.origin.turn, self.origin.uri)):
            touched = touched.insert(source, touched.get(source, _NONE).update(self._nodes))
        return touched

    def _relabelled(self, state: State) -> tuple[DependencyMap, Network]:
        dependencies = state.dependencies
        rules: dict[str, AnyRule] = {}
        for id, node in self._nodes.items():
            groups = justifications_of(state, node)
            if groups != dependencies.justifications_of(id):
                dependencies = with_justifications(dependencies, id, groups)
                self._add_negations(state, rules, groups)
            if node.stories:
                stories = [story.id for story in node.stories if not state.is_withdrawn(story.origin)]
                dependencies = with_larger_stories(dependencies, id, stories)
            rules.update(rules_of(state, node, groups))
        rules = {key: rule for key, rule in rules.items() if state.network.rules.get(key) != rule}
        edit = edited(state.network, rules)
        self.changed = edit.changed
        return dependencies, edit.network

    def _add_negations(self, state: State, rules: dict[str, AnyRule], groups: tuple[Justification, ...]) -> None:
        """Give every negated premise its vertex the first time that somebody rests on it."""
        for group in groups:
            for item in group:
                if item.negated and str(item) not in rules and str(item) not in state.network.rules:
                    rules[str(item)] = negation_rule(state, item.proposition)

    def _believed(self) -> tuple[OrderedBase, HashTrieMap[str, Belief], HashTrieMap[str, HashTrieSet[str]]]:
        """Bring the base in line with the labels: an entry counts only while its owner is in."""
        state = self.state
        plausibility, beliefs, watched = state.plausibility, state.beliefs, state.watched
        keys: set[str] = set()
        for key, formula, mode, belief in self._entries:
            plausibility = plausibility.upgrade(key, formula, mode)
            if belief.vertex:
                keys.add(key)
                beliefs = beliefs.insert(key, belief)
                watched = watched.insert(belief.vertex, watched.get(belief.vertex, _NO_ENTRIES).insert(key))
        for vertex in self._moved():
            keys.update(watched.get(vertex, ()))
        activity = {key: _counts(state, beliefs[key]) for key in keys}
        return plausibility.with_activity(activity), beliefs, watched

    def _moved(self) -> set[str]:
        """Give the vertices whose label changed, and those that they attack or answer for."""
        found: set[str] = set(self.changed)
        attacked = [target for vertex in self.changed for target in self.attacked.get(vertex, ())]
        for node in (*self._nodes.values(), *(self.state.node(target) for target in attacked)):
            found.update(attack.attacker for attack in node.attacks)
        return found


def _counts(state: State, belief: Belief) -> bool:
    if state.network.label(belief.vertex) is not Label.IN:
        return False
    if belief.target is None:
        return True
    attacks = state.node(belief.target).attacks
    return not any(
        attack.attacker == belief.vertex and any(state.network.label(answer) is Label.IN for answer in attack.answers)
        for attack in attacks
    )


def negated(id: PropositionId) -> Formula:
    """Give the denial of a proposition as a formula."""
    return Not(Atom(id))
