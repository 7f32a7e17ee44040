"""The work of one turn: changed records are collected here, and become the next state all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from rpds import HashTrieMap, HashTrieSet, List

from upheld.errors import SelfSupport, UnknownReference
from upheld.logic.argumentation.network import Network
from upheld.logic.epistemic.entries import Mode
from upheld.logic.language.formulas import Atom, Formula, Not, atoms_of, plainly
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import Proposition, definition_of
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.nodes import ANSWERABLE, Act, Attack, Node, Origin, meaning_key
from upheld.logic.reasoning.state import Belief, State, folded, is_from
from upheld.logic.reasoning.transition.settling import Believed, Entry, believed, relabelled

K = TypeVar("K")
V = TypeVar("V")

_NONE: HashTrieSet[PropositionId] = HashTrieSet()


class Draft:
    """Changes to a state by the operations of a turn. The state that it began with is never touched.

    ``state`` is the state as of the last :meth:`settled`; :meth:`find` and the registers see everything recorded since.
    Records are collected in dicts and written to the persistent maps in one go: such a write costs as much as ten
    look-ups, and most turns need one state at their end and none in between.
    """

    def __init__(self, state: State, origin: Origin) -> None:
        """Begin with an operation that came from ``origin``."""
        self.state = state
        self.changed: Mapping[str, tuple[Label, Label]] = {}
        # Registers that few operations write to; those of every claim are dicts below.
        self.atoms = state.atoms
        self.attacked = state.attacked
        self.problems = state.problems
        self.questioned = state.questioned
        self.positions = state.positions
        self.dissents = state.dissents
        self.withdrawn = state.withdrawn
        self._turns = state.turns
        self._touched_by = state.touched_by
        self._last_turn = state.last_turn
        self._touched: dict[str, set[PropositionId]] = {}
        self.begin(origin)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._unexplained = self.state.unexplained
        self._surprising: set[PropositionId] = set()
        self._propositions: dict[PropositionId, Proposition] = {}
        self._texts: dict[str, PropositionId] = {}
        self._commitments: dict[AgentId, HashTrieSet[PropositionId]] = {}
        self._nodes: dict[PropositionId, Node] = {}
        self._entries: list[Entry] = []

    def begin(self, origin: Origin) -> None:
        """Go on with the next operation, which came from ``origin``."""
        self.origin = origin
        self._sources = [source for source in (origin.turn, origin.uri) if source]
        for source in self._sources:
            # A turn that only asks touches no node, and can be withdrawn all the same.
            self._touched.setdefault(source, set())

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
        for source in self._sources:
            self._touched[source].add(node.id)

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
        self._propositions[proposition.id] = proposition
        wording = folded(proposition.text) if proposition.text else ""
        if proposition.text and wording not in self._texts and wording not in self.state.texts:
            self._texts[wording] = proposition.id
        meaning = proposition.formula
        if meaning is None:
            return
        for name in atoms_of(meaning):
            self.atoms = self.atoms.insert(name, self.atoms.get(name, _NONE).insert(proposition.id))
        # What a claim says about knowledge is for a knowledge structure to judge (:mod:`mutual`): no base can hold it.
        law = plainly(definition_of(proposition))
        if law is not None:
            self._entries.append((meaning_key(proposition.id), law, Mode.HARD, Belief(vertex="")))

    def attack(self, target: PropositionId, attack: Attack, act: Act | None = None) -> None:
        """Record an attack, and the act on its target that it is; the same attack twice is one."""
        node = self.node(target)
        acts = node.acts if act is None else (*node.acts, act)
        if not any(known.attacker == attack.attacker and known.kind == attack.kind for known in node.attacks):
            self._index(attack.attacker, target)
            self.put(replace(node, attacks=(*node.attacks, attack), acts=acts))
        elif act is not None:
            self.put(replace(node, acts=acts))

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
        self._commitments[agent] = self._held_by(agent).insert(node)

    def release(self, agent: AgentId, node: PropositionId) -> None:
        """Let an agent off a commitment."""
        self._commitments[agent] = self._held_by(agent).discard(node)

    def find_surprising(self, observation: PropositionId) -> None:
        """Put on record that nothing explains an observation."""
        self._surprising.add(observation)

    def explain(self, observation: PropositionId) -> None:
        """Put on record that an observation is explained."""
        if observation in self._surprising:
            self._surprising.remove(observation)
        else:
            self._unexplained = self._unexplained.discard(observation)

    def announce(self, claim: PropositionId, mode: Mode) -> None:
        """Enter a new claim's own atom into the plausibility base; it counts while the claim is in.

        The entry is named after the claim, which says whose it is: it needs no :class:`Belief`.
        """
        self._entries.append((claim, Atom(claim), mode, None))

    def believe(self, key: str, formula: Formula, mode: Mode, owner: Belief) -> None:
        """Enter a formula into the plausibility base; ``owner`` says while what is so it counts."""
        self._entries.append((key, formula, mode, owner))

    def _held_by(self, agent: AgentId) -> HashTrieSet[PropositionId]:
        found = self._commitments.get(agent)
        return self.state.commitments.get(agent, _NONE) if found is None else found

    def _index(self, vertex: str, target: PropositionId) -> None:
        """Note that a vertex attacks ``target`` or answers an attack on it."""
        self.attacked = self.attacked.insert(vertex, self.attacked.get(vertex, _NONE).insert(target))

    # --- the records as they are now, for what is compiled from them ---------------------------------------------

    @property
    def network(self) -> Network:
        """The labelling as of the last :meth:`settled`."""
        return self.state.network

    def is_withdrawn(self, origin: Origin) -> bool:
        """Tell whether the source of something was withdrawn: its turn, or the document it quotes."""
        return is_from(origin, self.withdrawn)

    def live_attacks(self, node: Node) -> Iterator[Attack]:
        """Give the attacks on a node whose sources are still there, oldest first."""
        return (attack for attack in node.attacks if not self.is_withdrawn(attack.origin))

    # --- the next state ------------------------------------------------------------------------------------------

    def settled(self) -> State:
        """Give the state after what was recorded so far: dependencies, labels and beliefs follow from the records.

        Cost: the changed records, and what their change of label reaches; nothing if nothing was recorded.
        """
        if self.state.moment <= self.origin.moment:
            self._settle(has_beliefs=True)
        return self.state

    def labelled(self) -> State:
        """Give the next state but for its beliefs, for a question that does not ask what anybody believes."""
        self._settle(has_beliefs=False)
        return self.state

    def finished(self, turn: TurnId | None = None) -> State:
        """Give the state after all that was recorded, and after the turn if it was one."""
        if turn is not None:
            self._turns = self._turns.insert(turn, self.origin.moment + 1)
            self._last_turn = turn
        for source, touched in self._touched.items():
            known = self._touched_by.get(source, _NONE)
            self._touched_by = self._touched_by.insert(source, known.update(touched))
        self._settle(has_beliefs=True)
        return self.state

    def _settle(self, *, has_beliefs: bool) -> None:
        before = self.state
        dependencies, edit = relabelled(self, before.dependencies, self._nodes)
        self.changed = edit.changed
        found = Believed(plausibility=before.plausibility, beliefs=before.beliefs, watched=before.watched)
        if has_beliefs:
            found = believed(found, self._entries, self._moved(), self, edit)
        # Spelled out: ``replace`` takes twice as long, and this happens in every turn.
        self.state = State(
            policy=before.policy,
            agents=before.agents,
            propositions=_updated(before.propositions, self._propositions),
            introduced=self._introduced(before),
            texts=_updated(before.texts, self._texts),
            nodes=_updated(before.nodes, self._nodes),
            turns=self._turns,
            moment=self.origin.moment + 1,
            network=edit.network,
            dependencies=dependencies,
            plausibility=found.plausibility,
            beliefs=found.beliefs,
            watched=found.watched,
            commitments=_updated(before.commitments, self._commitments),
            atoms=self.atoms,
            attacked=self.attacked,
            problems=self.problems,
            unexplained=self._unexplained.update(self._surprising) if self._surprising else self._unexplained,
            questioned=self.questioned,
            positions=self.positions,
            dissents=self.dissents,
            touched_by=self._touched_by,
            withdrawn=self.withdrawn,
            last_turn=self._last_turn,
        )
        self._begin_anew()

    def _introduced(self, before: State) -> List[PropositionId]:
        introduced = before.introduced
        for id in self._propositions:
            if id not in before.propositions:
                introduced = introduced.push_front(id)
        return introduced

    def _moved(self) -> set[str]:
        """Give the vertices whose label changed, and those that they attack or answer for."""
        found: set[str] = set(self.changed)
        for node in self._nodes.values():
            found.update([attack.attacker for attack in node.attacks])
        for vertex in self.changed:
            for target in self.attacked.get(vertex, _NONE):
                found.update([attack.attacker for attack in self.node(target).attacks])
        return found


def _updated(whole: HashTrieMap[K, V], part: dict[K, V]) -> HashTrieMap[K, V]:
    return whole.update(part) if part else whole


def negated(id: PropositionId) -> Formula:
    """Give the denial of a proposition as a formula."""
    return Not(Atom(id))
