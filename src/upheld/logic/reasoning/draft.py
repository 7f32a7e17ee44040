"""The work of one operation: changed records are collected here, and become the next state all at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rpds import HashTrieSet

from upheld.errors import SelfSupport, UnknownReference
from upheld.logic.argumentation.network import edited
from upheld.logic.argumentation.rules import AnyRule
from upheld.logic.dependency.justifications import with_justifications, with_larger_stories
from upheld.logic.epistemic.entries import Mode
from upheld.logic.language.formulas import Atom, Formula, Iff, Implies, Not, atoms_of
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import TENTATIVE, Proposition
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.compilation import justifications_of, negation_rule, rules_of
from upheld.logic.reasoning.nodes import ANSWERABLE, Act, Attack, Node, Origin
from upheld.logic.reasoning.state import Belief, State, folded

_NONE: HashTrieSet[PropositionId] = HashTrieSet()


class Draft:
    """Changes to a state by one operation. Nothing of the state is touched; :meth:`finished` gives the next one."""

    def __init__(self, state: State, origin: Origin) -> None:
        """Begin an operation that came from ``origin``."""
        self.state = state
        self.origin = origin
        self.changed: frozenset[str] = frozenset()
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
        state = self.state
        texts = state.texts
        if proposition.text and folded(proposition.text) not in texts:
            texts = texts.insert(folded(proposition.text), proposition.id)
        self.state = replace(state, propositions=state.propositions.insert(proposition.id, proposition), texts=texts)
        meaning = proposition.formula
        atoms = self.state.atoms
        for name in atoms_of(meaning) if meaning is not None else ():
            atoms = atoms.insert(name, atoms.get(name, _NONE).insert(proposition.id))
        self.state = replace(self.state, atoms=atoms)
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
        known = self.state.dissents.get(target, _NONE)
        self.state = replace(self.state, dissents=self.state.dissents.insert(target, known.insert(id)))

    def take_position(self, id: PropositionId, issue: PropositionId) -> None:
        """Put on record that ``id`` is a position on an issue."""
        known = self.state.positions.get(issue, _NONE)
        self.state = replace(self.state, positions=self.state.positions.insert(issue, known.insert(id)))

    def commit(self, agent: AgentId, node: PropositionId) -> None:
        """Bind an agent to a node publicly."""
        commitments = self.state.commitments
        self.state = replace(
            self.state, commitments=commitments.insert(agent, commitments.get(agent, _NONE).insert(node))
        )

    def release(self, agent: AgentId, node: PropositionId) -> None:
        """Let an agent off a commitment."""
        commitments = self.state.commitments
        self.state = replace(
            self.state, commitments=commitments.insert(agent, commitments.get(agent, _NONE).discard(node))
        )

    def believe(
        self, key: str, formula: Formula, mode: Mode, *, vertex: str, target: PropositionId | None = None
    ) -> None:
        """Enter a formula into the plausibility base; it counts while ``vertex`` is in (and its attack unanswered)."""
        self._entries.append((key, formula, mode, Belief(vertex=vertex, target=target)))

    def _index(self, vertex: str, target: PropositionId) -> None:
        """Note that a vertex attacks ``target`` or answers an attack on it."""
        known = self.state.attacked.get(vertex, _NONE)
        self.state = replace(self.state, attacked=self.state.attacked.insert(vertex, known.insert(target)))

    # --- the next state ------------------------------------------------------------------------------------------

    def finished(self) -> State:
        """Give the next state: dependencies, labels and beliefs follow from the changed records.

        Cost: the changed records, and what their change of label reaches.
        """
        self._register_touched()
        self.state = replace(self.state, nodes=self.state.nodes.update(self._nodes))
        changed = self._relabel()
        self._record_entries()
        self._refresh_beliefs(changed)
        return replace(self.state, moment=self.origin.moment + 1)

    def _register_touched(self) -> None:
        touched = self.state.touched_by
        for source in filter(None, (self.origin.turn, self.origin.uri)):
            touched = touched.insert(source, touched.get(source, _NONE).update(self._nodes))
        self.state = replace(self.state, touched_by=touched)

    def _relabel(self) -> set[str]:
        state = self.state
        dependencies = state.dependencies
        rules: dict[str, AnyRule] = {}
        for id, node in self._nodes.items():
            groups = justifications_of(state, node)
            if groups != dependencies.justifications_of(id):
                dependencies = with_justifications(dependencies, id, groups)
            stories = [story.id for story in node.stories if not state.is_withdrawn(story.origin)]
            dependencies = with_larger_stories(dependencies, id, stories)
            rules.update(rules_of(state, node))
        self._add_negations(rules)
        rules = {key: rule for key, rule in rules.items() if state.network.rules.get(key) != rule}
        edit = edited(state.network, rules)
        self.changed = frozenset(edit.changed)
        self.state = replace(state, dependencies=dependencies, network=edit.network)
        return {*edit.changed, *rules}

    def _add_negations(self, rules: dict[str, AnyRule]) -> None:
        """Give every negated premise its vertex the first time that somebody rests on it."""
        for id in self._nodes:
            for group in justifications_of(self.state, self._nodes[id]):
                for item in group:
                    if item.negated and str(item) not in rules and str(item) not in self.state.network.rules:
                        rules[str(item)] = negation_rule(self.state, item.proposition)

    def _record_entries(self) -> None:
        state = self.state
        plausibility, beliefs, watched = state.plausibility, state.beliefs, state.watched
        for key, formula, mode, belief in self._entries:
            plausibility = plausibility.upgrade(key, formula, mode)
            if belief.vertex:
                beliefs = beliefs.insert(key, belief)
                watched = watched.insert(belief.vertex, watched.get(belief.vertex, HashTrieSet()).insert(key))
        self.state = replace(state, plausibility=plausibility, beliefs=beliefs, watched=watched)

    def _refresh_beliefs(self, changed: set[str]) -> None:
        """Bring the base in line with the labels: an entry counts only while its owner is in."""
        state = self.state
        keys = {key for key, *_ in self._entries}
        for vertex in changed:
            keys.update(state.watched.get(vertex, ()))
            for target in state.attacked.get(vertex, ()):
                for attack in state.node(target).attacks:
                    keys.update(state.watched.get(attack.attacker, ()))
        for node in self._nodes.values():
            for attack in node.attacks:
                keys.update(state.watched.get(attack.attacker, ()))
        activity = {key: _counts(state, state.beliefs[key]) for key in keys if key in state.beliefs}
        self.state = replace(state, plausibility=state.plausibility.with_activity(activity))


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
