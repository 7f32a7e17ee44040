"""The state: one value that holds everything the conversation has established, and shares its past.

Each step gives a new state; old ones stay valid, so a what-if, a look back and a refused turn cost nothing extra.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rpds import HashTrieMap, HashTrieSet, List

from upheld.errors import UnknownReference
from upheld.logic.argumentation.network import Network
from upheld.logic.dependency.justifications import DependencyMap
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import NEGATION, Literal
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.nodes import Attack, Node, Origin
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """Who owns an entry of the plausibility base: it counts while the vertex is in.

    Where the vertex attacks ``target``, it counts only as long as that attack is unanswered; where it speaks for
    ``claim`` and is no argument of its own, only while that is in as well. A claim's own entry, which has the claim's
    id for its key, needs none of this: it counts while the claim is in.
    """

    vertex: str
    target: PropositionId | None = None
    claim: PropositionId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something unexplained, or an issue to settle. ``about`` is what a hypothesis must explain to close it."""

    id: PropositionId
    text: str
    about: frozenset[PropositionId]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """D = (M, AF, Cm, Dep, A) of the paper's Definition 2.1, after some turn.

    M is ``plausibility``; AF is ``network`` with the attacks in ``nodes``; Dep is ``dependencies``; Cm is
    ``commitments``; A is derived from who heard what (:mod:`views <upheld.logic.reasoning.answers.views>`).
    ``introduced`` lists the propositions newest first, so that whoever follows a conversation reads only what is new.
    """

    policy: SourcePolicy = PEOPLE_AND_TOOLS
    agents: HashTrieMap[AgentId, Agent] = HashTrieMap()
    propositions: HashTrieMap[PropositionId, Proposition] = HashTrieMap()
    introduced: List[PropositionId] = List()
    texts: HashTrieMap[str, PropositionId] = HashTrieMap()
    nodes: HashTrieMap[PropositionId, Node] = HashTrieMap()
    turns: HashTrieMap[TurnId, int] = HashTrieMap()
    moment: int = 0
    network: Network = field(default_factory=Network)
    dependencies: DependencyMap = field(default_factory=DependencyMap)
    plausibility: OrderedBase = field(default_factory=OrderedBase)
    beliefs: HashTrieMap[str, Belief] = HashTrieMap()
    watched: HashTrieMap[str, HashTrieSet[str]] = HashTrieMap()
    commitments: HashTrieMap[AgentId, HashTrieSet[PropositionId]] = HashTrieMap()
    atoms: HashTrieMap[str, HashTrieSet[PropositionId]] = HashTrieMap()
    attacked: HashTrieMap[str, HashTrieSet[PropositionId]] = HashTrieMap()
    problems: HashTrieMap[PropositionId, Problem] = HashTrieMap()
    unexplained: HashTrieSet[PropositionId] = HashTrieSet()
    questioned: HashTrieMap[PropositionId, HashTrieSet[PropositionId]] = HashTrieMap()
    positions: HashTrieMap[PropositionId, HashTrieSet[PropositionId]] = HashTrieMap()
    dissents: HashTrieMap[PropositionId, HashTrieSet[PropositionId]] = HashTrieMap()
    touched_by: HashTrieMap[str, HashTrieSet[PropositionId]] = HashTrieMap()
    withdrawn: HashTrieSet[str] = HashTrieSet()
    last_turn: TurnId | None = None

    def node(self, id: PropositionId) -> Node:
        """Give the record of a node.

        Raises:
            UnknownReference: nobody introduced it.
        """
        found = self.nodes.get(id)
        if found is None:
            raise UnknownReference(id)
        return found

    def proposition(self, id: PropositionId) -> Proposition:
        """Give a proposition; raises :class:`UnknownReference`."""
        found = self.propositions.get(id)
        if found is None:
            raise UnknownReference(id)
        return found

    def label(self, item: Literal | PropositionId | str) -> Label:
        """Give the standing of a proposition or literal. Cost: one look-up, or the attacks on it for ``~p``."""
        key = str(item)
        return self._negation(key) if key.startswith(NEGATION) else self.network.label(key)

    def stands(self, item: Literal) -> bool:
        """Tell whether a literal is in."""
        if item.negated:
            return self._negation(str(item)) is Label.IN
        return self.network.label(item.proposition) is Label.IN

    def is_withdrawn(self, origin: Origin) -> bool:
        """Tell whether the source of something was withdrawn: its turn, or the document it quotes."""
        return is_from(origin, self.withdrawn)

    def said_as(self, text: str) -> PropositionId | None:
        """Give the proposition that was put in just these words, if there is one."""
        return self.texts.get(folded(text))

    def live_attacks(self, node: Node) -> Iterator[Attack]:
        """Give the attacks on a node whose sources are still there, oldest first."""
        return (attack for attack in node.attacks if not self.is_withdrawn(attack.origin))

    def _negation(self, item: str) -> Label:
        if item in self.network:
            return self.network.label(item)
        # Nobody rests on the negation, so it has no vertex yet; the same rule, read off the attacks.
        target = item.removeprefix(NEGATION)
        node = self.nodes.get(PropositionId(target))
        if node is None:
            return Label.UNDECIDED
        for attack in self.live_attacks(node):
            # An answer that is undecided may yet switch the attack off.
            is_unanswered = all(self.network.label(answer) is Label.OUT for answer in attack.answers)
            if attack.falsifies and is_unanswered and self.network.label(attack.attacker) is Label.IN:
                return Label.IN
        return Label.OUT if self.network.label(target) is Label.IN else Label.UNDECIDED


def is_from(origin: Origin, sources: HashTrieSet[str]) -> bool:
    """Tell whether something came from one of these sources: its turn, or the document it quotes."""
    if not len(sources):
        return False
    return origin.turn in sources or (bool(origin.uri) and origin.uri in sources)


def folded(text: str) -> str:
    """Give a text without case, spacing and closing marks: what makes two wordings the same."""
    return " ".join(text.casefold().split()).rstrip(".!?… ")
