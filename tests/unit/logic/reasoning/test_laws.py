"""Each law of a state finds the fault that it is there for, and none in a sound state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rpds import HashTrieMap, HashTrieSet

from upheld.logic.argumentation.rules import UNHELD
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal, literals
from upheld.logic.language.operations import Hypothesize, Observe, Question, Resolve, Revise, Support, Undermine
from upheld.logic.language.standing import Label
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.laws import LAWS, violations
from upheld.logic.reasoning.policy import EVERYONE
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import opened, step

A, B, H, K = map(PropositionId, "abhk")
ANN = AgentId("ann")
STRANGER = PropositionId("stranger")


def sound() -> State:
    """A state with something of everything."""
    operations = (
        Observe(id=A, text="a"),
        Observe(id=B, text="b", depends_on=(Literal(A),)),
        Hypothesize(id=H, text="h", depends_on=literals(["b", "~a"])),
        Hypothesize(id=K, text="k", depends_on=literals(["h"])),
        Support(target=H, evidence=(Literal(K),)),
        Undermine(target=B, evidence=(Literal(A),), specific=True),
        Revise(target=K, because=(Literal(A),)),
        Question(text="why?", about=(B,)),
        Resolve(target=Literal(H), subsumes=(K,)),
    )
    turn = Turn(id=TurnId("T1"), speaker=ANN, operations=operations)
    return step(opened([Agent(id=ANN)], policy=EVERYONE), turn, is_lenient=True).state


def with_network(state: State, **parts: Any) -> State:
    """The state with part of its network replaced."""
    return replace(state, network=replace(state.network, **parts))


def with_vertex(state: State, key: str, **parts: Any) -> State:
    """The state with part of a vertex replaced."""
    vertices = state.network.vertices
    return with_network(state, vertices=vertices.insert(key, replace(vertices[key], **parts)))


def with_dependencies(state: State, **parts: Any) -> State:
    """The state with part of its dependency map replaced."""
    return replace(state, dependencies=replace(state.dependencies, **parts))


def with_node(state: State, id: PropositionId, **parts: Any) -> State:
    """The state with part of a node's record replaced."""
    return replace(state, nodes=state.nodes.insert(id, replace(state.node(id), **parts)))


def _strange_premise(state: State) -> State:
    justifications = state.dependencies.justifications.insert(B, ((Literal(STRANGER),),))
    return with_dependencies(state, justifications=justifications)


def _idle_edge(state: State) -> State:
    return with_vertex(state, K, successors=state.network.successors(K) | {"a"})


def _unknown_premise(state: State) -> State:
    nobody: HashTrieSet[PropositionId] = HashTrieSet()
    return with_dependencies(state, dependents=HashTrieMap({str(STRANGER): nobody}))


def _unattacked_belief(state: State) -> State:
    key = next(iter(state.beliefs))
    return replace(state, plausibility=state.plausibility.with_activity({key: not state.plausibility.is_active(key)}))


def _future(state: State) -> State:
    return replace(state, moment=1)


def _given_up_and_in(state: State) -> State:
    return with_vertex(state, K, label=Label.IN)


def _lopsided_rings(state: State) -> State:
    rings = state.network.rings
    member = next(iter(rings))
    return with_network(state, rings=rings.insert(member, frozenset({member, "a"})))


def _uneven_ring(state: State) -> State:
    member = next(iter(state.network.rings))
    return with_vertex(state, member, rank=-1)


FAULTS: list[tuple[str, Callable[[State], State]]] = [
    ("labels_equal_the_batch_labelling", lambda s: with_vertex(s, A, label=Label.OUT)),
    ("rules_follow_from_the_records", lambda s: with_vertex(s, A, rule=UNHELD)),
    ("rules_follow_from_the_records", lambda s: with_vertex(s, "~a", rule=None)),
    ("negations_follow_from_the_attacks", lambda s: with_vertex(s, "~a", label=Label.IN)),
    ("edges_mirror_the_rules", lambda s: with_vertex(s, A, successors=HashTrieSet())),
    ("edges_mirror_the_rules", _idle_edge),
    ("ranks_rise_along_edges", lambda s: with_vertex(s, A, rank=1 << 60)),
    ("ranks_rise_along_edges", _lopsided_rings),
    ("ranks_rise_along_edges", _uneven_ring),
    ("dependents_mirror_the_justifications", lambda s: with_dependencies(s, dependents=HashTrieMap())),
    ("dependents_mirror_the_justifications", lambda s: with_dependencies(s, explained=HashTrieMap())),
    ("justifications_follow_from_the_records", _strange_premise),
    ("references_are_known", _unknown_premise),
    ("references_are_known", lambda s: replace(s, propositions=s.propositions.remove(A))),
    ("references_are_known", lambda s: with_vertex(s, "T1#7", rule=None)),
    ("references_are_known", lambda s: with_node(s, A, against=(STRANGER,))),
    ("references_are_known", lambda s: replace(s, agents=HashTrieMap())),
    ("references_are_known", lambda s: replace(s, commitments=HashTrieMap({ANN: HashTrieSet([STRANGER])}))),
    ("attacks_are_indexed", lambda s: replace(s, attacked=HashTrieMap())),
    ("what_was_given_up_is_not_in", _given_up_and_in),
    ("beliefs_count_while_their_owner_is_in", _unattacked_belief),
    ("beliefs_count_while_their_owner_is_in", lambda s: replace(s, watched=HashTrieMap())),
    ("problems_mirror_what_is_questioned", lambda s: replace(s, questioned=HashTrieMap())),
    ("moments_do_not_run_ahead", _future),
]


def test_a_sound_state_breaks_no_law() -> None:
    """Our promise: what the laws say holds of every state that steps can reach."""
    assert violations(sound()) == ()
    assert violations(opened()) == ()


def test_every_law_has_a_fault_that_it_must_find() -> None:
    """Our promise: a law that cannot fail is none."""
    assert {name for name, _ in FAULTS} == {law.__name__ for law in LAWS}


@pytest.mark.parametrize(("law", "fault"), FAULTS)
def test_a_law_finds_its_fault_and_says_where(law: str, fault: Callable[[State], State]) -> None:
    """Our promise: the sentence begins with the law that is broken."""
    found = [each for each in violations(fault(sound())) if each.startswith(f"{law}: ")]
    assert found
    assert all(len(each) > len(law) + 4 for each in found)
