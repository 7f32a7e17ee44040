"""What can be asked of a state, in the words that people type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from upheld.conversation.asking.believing import is_so, worlds_of
from upheld.conversation.asking.explaining import Explained, explained
from upheld.errors import MalformedInput, UnknownReference
from upheld.logic.dependency.environments import Environments
from upheld.logic.dependency.nogoods import Culprits
from upheld.logic.language.formulas import Believes, Formula, Knows, agents_of
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal, literal
from upheld.logic.language.notation import parse_formula
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Falsify, Retract, Retraction
from upheld.logic.language.verdicts import Affected, Candidate, Delta, Modality, Stance, Verdict
from upheld.logic.reasoning.answers import brief as briefs
from upheld.logic.reasoning.answers import changes, conflicts
from upheld.logic.reasoning.answers.roots import Root, roots_of
from upheld.logic.reasoning.answers.verify import Grading, verify
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.nodes import Node
from upheld.logic.reasoning.state import State

Claimed = str | Literal | Candidate

Member = TypeVar("Member", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A claim's lifecycle (what the speakers did) and standing (whether it holds), which must not be mixed.

    ``fallen`` are the premises that no longer stand; a decision with any is to be looked at again.
    """

    id: PropositionId
    lifecycle: Lifecycle
    standing: Label
    fallen: tuple[Literal, ...] = ()
    needs_reevaluation: bool = False


class Questions(ABC):
    """Read-only questions to one state. They never wait, never change anything, and need no language model."""

    @property
    @abstractmethod
    def state(self) -> State:
        """The state that is asked: a value, safe to keep."""

    def seen_by(self, agent: AgentId) -> State:
        """Give the state as an agent was told it; where nothing was said in private, that is the state."""
        del agent
        return self.state

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        """Give everything in view, in the order in which it was put forward."""
        return tuple(self.state.propositions[id] for id in reversed(tuple(self.state.introduced)))

    def verify(
        self,
        *claims: Claimed,
        modality: Modality | str = Modality.FACT,
        stance: Stance | str = Stance.ASSERTS,
        speaker: str | None = None,
        grading: Grading | None = None,
    ) -> Verdict:
        """Judge whether all these claims may be said now, by ``speaker`` if one is named.

        A claim is an id, ``~id`` for its denial, or a :class:`Candidate` with a modality of its own. A ``grading`` of
        this state (:mod:`upheld.logic.reasoning.grading`) judges by degrees, and is named in the verdict.
        """
        as_what, how = _member(Modality, modality, "modality"), _member(Stance, stance, "stance")
        candidates = [candidate_of(claim, as_what, how) for claim in claims]
        by = AgentId(speaker) if speaker is not None else None
        return verify(self.state, candidates, speaker=by, grading=grading)

    def status(self, id: str) -> Status:
        """Give a claim's lifecycle and standing; raises :class:`~upheld.errors.UnknownReference`."""
        node = self.state.node(PropositionId(id))
        groups = self.state.dependencies.justifications_of(node.id)
        fallen = tuple(dict.fromkeys(item for group in groups for item in group if not self.state.stands(item)))
        lifecycle = lifecycle_of(self.state, node.id)
        standing = self.state.label(node.id)
        is_open = is_open_again(node, lifecycle, standing)
        return Status(id=node.id, lifecycle=lifecycle, standing=standing, fallen=fallen, needs_reevaluation=is_open)

    def affected(self, change: str | Retraction) -> Delta:
        """Give what would change if ``change`` were retracted (an id), or what another retraction would change."""
        return changes.affected(self.state, retraction_of(change))

    def iter_affected(self, change: str | Retraction) -> Iterator[Affected]:
        """Give what a change would lose or thin one by one, for answers too large to hold; order is that of support."""
        return changes.iter_affected(self.state, retraction_of(change))

    def count_affected(self, change: str | Retraction) -> changes.Counted:
        """Count what a change would lose and what it would thin, without listing either."""
        return changes.count_affected(self.state, retraction_of(change))

    def directly_affected(self, id: str) -> tuple[PropositionId, ...]:
        """Give the paper's Affected(p): direct dependents, standing or not."""
        return changes.directly_affected(self.state, PropositionId(id))

    def review(self, id: str) -> tuple[PropositionId, ...]:
        """Give all that a person should look at when ``id`` is in doubt, over every kind of edge."""
        return changes.review(self.state, PropositionId(id))

    def explain(self, id: str) -> Explained:
        """Give why a claim stands, and what would break it."""
        return explained(self.state, PropositionId(id))

    def brief(self, change: str | Retraction) -> briefs.Brief:
        """Give the re-evaluation brief for a change; an id means that it turns out false."""
        retraction = Falsify(target=PropositionId(change)) if isinstance(change, str) else change
        return briefs.brief(self.state, retraction)

    def roots(self, id: str) -> frozenset[Root]:
        """Give the independent sources behind a claim, echoes not counted."""
        return roots_of(self.state, PropositionId(id))

    def nogoods(self) -> tuple[conflicts.Nogood, ...]:
        """Give the clashes on record, with the premises that both sides share."""
        return conflicts.nogoods(self.state)

    def culprits(self, first: str, second: str) -> Culprits:
        """Give whom to suspect where two claims clash, and the smallest retractions that would resolve it."""
        return conflicts.culprits(self.state, PropositionId(first), PropositionId(second))

    def environments(self, id: str) -> Environments:
        """Give the minimal sets of claims put forward on nothing else that would give a claim its justification."""
        return conflicts.environments(self.state, PropositionId(id))

    def believes(self, agent: str, formula: str | Formula) -> bool:
        """Tell whether an agent believes a formula, or a claim by its id, on what the agent was told."""
        return self.holds(Believes(agent, parsed(formula)))

    def knows(self, agent: str, formula: str | Formula) -> bool:
        """Tell whether an agent knows a formula: the announcements that the agent heard entail it."""
        return self.holds(Knows(agent, parsed(formula)))

    def holds(self, formula: str | Formula, *, given: str | Formula | None = None) -> bool:
        """Tell whether a formula of the notation holds: ``B_alice h2``, ``K_alice K_bob o1``, ``C_{alice,bob} o1``.

        Whatever was not told may be so or not; ``given`` says how things are, where the answer depends on it.

        Raises:
            UnknownReference: an agent who does not take part.
            CouldNotCheck: it depends on how things are, and nobody said.
            MissingExtra: a statement about several agents needs ``upheld[epistemic]``.
        """
        asked, fact = parsed(formula), None if given is None else parsed(given)
        for part in (asked, fact or asked):
            for agent in sorted(agents_of(part)):
                self._known_agent(agent)
        return is_so(self.state, self.seen_by, asked, fact)

    def count_worlds(self, formula: str | Formula = "true") -> int:
        """Give in how many ways things may be, as far as they were told, for a formula to hold.

        Only atoms that have to do with the formula are counted; raises like :meth:`holds`.
        """
        asked = parsed(formula)
        return worlds_of(self.state, self.seen_by, asked).count_worlds(asked)

    def commitments(self, agent: str) -> tuple[PropositionId, ...]:
        """Give what an agent has publicly asserted and not taken back, in the order of the record."""
        held = self.state.commitments.get(AgentId(agent), ())
        nodes = self.state.nodes
        return tuple(sorted((id for id in held if id in self.state.propositions), key=lambda id: nodes[id].moment))

    def open_questions(self) -> tuple[str, ...]:
        """Give the questions that nobody has answered yet, oldest first."""
        problems = sorted(self.state.problems.values(), key=lambda problem: problem.origin.moment)
        return tuple(problem.text for problem in problems)

    def _known_agent(self, agent: str) -> None:
        if AgentId(agent) not in self.state.agents:
            raise UnknownReference(agent, where=f"agents: {', '.join(sorted(self.state.agents))}")


class Snapshot(Questions):
    """A state of its own to ask: as of some turn, as one agent was told it, or on a branch."""

    def __init__(
        self,
        state: State,
        *,
        at: TurnId | None = None,
        agent: AgentId | None = None,
        seen_by: Callable[[AgentId], State] | None = None,
    ) -> None:
        """``at`` and ``agent`` say of when and whose the state is; ``None``: now, and everybody's."""
        self._state = state
        self._seen_by = seen_by
        self.at = at
        self.agent = agent

    def seen_by(self, agent: AgentId) -> State:
        """Give the state as an agent was told it."""
        return self._state if self._seen_by is None else self._seen_by(agent)

    @property
    def state(self) -> State:
        """The state that is asked."""
        return self._state


def is_open_again(node: Node, lifecycle: Lifecycle, standing: Label) -> bool:
    """Tell whether a node is a decision that its speakers hold to and that does not hold: it is to be looked at."""
    return node.decision is not None and lifecycle is Lifecycle.RESOLVED and standing is not Label.IN


def candidate_of(claim: Claimed, modality: Modality, stance: Stance) -> Candidate:
    """Read what a caller may give as a claim."""
    if isinstance(claim, Candidate):
        return claim
    return Candidate(literal=literal(claim), modality=modality, stance=stance)


def parsed(formula: str | Formula) -> Formula:
    """Read what a caller may give as a formula; raises :class:`~upheld.errors.MalformedFormula`."""
    return parse_formula(formula) if isinstance(formula, str) else formula


def retraction_of(change: str | Retraction) -> Retraction:
    """Read what a caller may give as a change: an id is to be retracted."""
    return Retract(target=PropositionId(change)) if isinstance(change, str) else change


def _member(kind: type[Member], value: str, name: str) -> Member:
    if value not in {member.value for member in kind}:
        raise MalformedInput(f"{value!r} is none of {', '.join(member.value for member in kind)}", key=name)
    return kind(value)
