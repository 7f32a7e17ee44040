"""What must hold of every state, as named predicates that return the violations found.

A state keeps records, and beside them what was derived from the records step by step: labels, justifications, indexes,
activity of beliefs. Each law says the derived part again in the slow and obvious way. Nothing in the library calls
these; tests do, and whoever doubts a store or an import may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from upheld.logic.argumentation.network import labels_from_scratch
from upheld.logic.argumentation.rules import inputs_of, label_by
from upheld.logic.dependency.justifications import proposition_of
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import NEGATION, Literal
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.compilation import justifications_of, negation_rule, rules_of
from upheld.logic.reasoning.nodes import AttackKind, Node
from upheld.logic.reasoning.state import Belief, State

K = TypeVar("K")
V = TypeVar("V")

Law = Callable[[State], Iterator[str]]


def violations(state: State) -> tuple[str, ...]:
    """Give a sentence for every law that a state breaks; empty for a sound one.

    Cost: the whole state, and quadratic in it at worst.
    """
    return tuple(f"{law.__name__}: {found}" for law in LAWS for found in law(state))


def labels_equal_the_batch_labelling(state: State) -> Iterator[str]:
    """The labels kept edit by edit are the least labelling of the same rules (semantics, section 7)."""
    network = state.network
    batch = labels_from_scratch(network.rules)
    for key in {*batch, *network.vertices}:
        if network.label(key) is not batch.get(key, Label.OUT):
            yield f"{key} is {network.label(key)}, the batch labelling says {batch.get(key, Label.OUT)}"


def rules_follow_from_the_records(state: State) -> Iterator[str]:
    """Every vertex has the rule that its node's records give it."""
    for node in _nodes(state):
        for key, rule in rules_of(state, node, justifications_of(state, node)).items():
            if state.network.rule(key) != rule:
                yield f"the rule of {key} is out of date"
    for key in state.dependencies.dependents:
        if key.startswith(NEGATION) and state.network.rule(key) != negation_rule(state, proposition_of(key)):
            yield f"{key} is rested on and has no vertex of its own"


def negations_follow_from_the_attacks(state: State) -> Iterator[str]:
    """A denial has one label, whether somebody rests on it and it has a vertex, or not."""
    for id in state.propositions:
        wanted = label_by(negation_rule(state, id), state.network.label)
        if state.label(Literal(id, negated=True)) is not wanted:
            yield f"~{id} is not {wanted}"


def edges_mirror_the_rules(state: State) -> Iterator[str]:
    """The network's edges are the inputs of its rules, in both directions."""
    network = state.network
    read = {(source, key) for key, rule in network.rules.items() for source in inputs_of(rule)}
    kept = {(source, key) for source, vertex in network.vertices.items() for key in vertex.successors}
    yield from _differences(read, kept, "edge")


def ranks_rise_along_edges(state: State) -> Iterator[str]:
    """An input comes before what reads it, unless both lie on one ring; a ring has one rank."""
    network = state.network
    for key, rule in network.rules.items():
        for source in inputs_of(rule):
            is_in_ring = source in network.in_ring(key)
            if not is_in_ring and network.vertices[source].rank >= network.vertices[key].rank:
                yield f"{source} does not come before {key}"
    for key, ring in network.rings.items():
        if key not in ring or any(network.in_ring(each) != ring for each in ring):
            yield f"the members of the ring of {key} do not agree on it"
        if len({network.vertices[each].rank for each in ring}) > 1:
            yield f"the ring of {key} has several ranks"


def dependents_mirror_the_justifications(state: State) -> Iterator[str]:
    """Who rests on what, and what is rested on by whom, say the same; so do the two sides of explanation edges."""
    kept = state.dependencies
    forward = {(str(item), id) for id, groups in kept.justifications.items() for group in groups for item in group}
    yield from _differences(forward, _pairs(kept.dependents), "dependence")
    stories = {(story, id) for id, given in kept.larger_stories.items() for story in given}
    yield from _differences(stories, _pairs(kept.explained), "explanation")


def justifications_follow_from_the_records(state: State) -> Iterator[str]:
    """What a node rests on is what its records say now, and nothing of it was withdrawn."""
    for node in _nodes(state):
        groups = state.dependencies.justifications_of(node.id)
        if groups != justifications_of(state, node):
            yield f"the justifications of {node.id} are out of date"
        strangers = {item for group in groups for item in group} - _said_and_not_withdrawn(state, node)
        yield from (f"{node.id} rests on {item}, which nobody gives for it" for item in sorted(strangers))


def references_are_known(state: State) -> Iterator[str]:
    """Nothing names a node, proposition, vertex or agent that is not there."""
    for key in state.dependencies.dependents:
        if proposition_of(key) not in state.nodes:
            yield f"{key} is rested on and unknown"
    for node in _nodes(state):
        if not node.is_act and node.id not in state.propositions:
            yield f"{node.id} has no proposition"
        vertices = {each for attack in node.attacks for each in (attack.attacker, *attack.answers)}
        yield from (f"{key} bears on {node.id} and is no vertex" for key in vertices if key not in state.network)
        named = {act.by for act in node.acts} | {item.newer for item in node.replacements} | {*node.against}
        yield from (f"{node.id} names the unknown {id}" for id in named if id not in state.nodes)
    for agent, held in state.commitments.items():
        if agent not in state.agents:
            yield f"{agent} is committed and does not take part"
        yield from (f"{agent} is committed to the unknown {id}" for id in held if id not in state.nodes)


def attacks_are_indexed(state: State) -> Iterator[str]:
    """From the vertex of an attack or answer one finds its target."""
    for node in _nodes(state):
        for attack in node.attacks:
            for vertex in (attack.attacker, *attack.answers):
                if node.id not in state.attacked.get(vertex, ()):
                    yield f"{vertex} bears on {node.id} and is not indexed"


def what_was_given_up_is_not_in(state: State) -> Iterator[str]:
    """A revise does not undo itself: until it is answered its target is not in, whatever became of its reasons."""
    for node in _nodes(state):
        for attack in state.live_attacks(node):
            is_answered = any(state.network.label(answer) is Label.IN for answer in attack.answers)
            if attack.kind is AttackKind.REVISES and not is_answered and state.label(node.id) is Label.IN:
                yield f"{node.id} was given up by {attack.attacker} and is in"


def beliefs_count_while_their_owner_is_in(state: State) -> Iterator[str]:
    """An entry of the plausibility base is active iff its owners are in and the attack that it goes with unanswered."""
    own = {str(id): Belief(vertex=id) for id in state.nodes if id in state.plausibility}
    for key, belief in {**own, **dict(state.beliefs.items())}.items():
        if state.plausibility.is_active(key) != _is_owned(state, belief):
            yield f"the belief {key!r} of {belief.vertex} does not follow its owner"
    owned = {(vertex, key) for key, belief in state.beliefs.items() for vertex in _owners(belief)}
    yield from _differences(owned, _pairs(state.watched), "ownership")


def problems_mirror_what_is_questioned(state: State) -> Iterator[str]:
    """What is open is found from what it is about."""
    about = {(item, id) for id, problem in state.problems.items() for item in problem.about}
    yield from _differences(about, _pairs(state.questioned), "problem")


def moments_do_not_run_ahead(state: State) -> Iterator[str]:
    """Nothing on record comes from after the state."""
    for node in _nodes(state):
        records = (*node.introductions, *node.corroborations, *node.attacks, *node.acts, *node.replacements)
        if any(record.origin.moment >= state.moment for record in records):
            yield f"{node.id} has a record from the future"


LAWS: tuple[Law, ...] = (
    labels_equal_the_batch_labelling,
    rules_follow_from_the_records,
    negations_follow_from_the_attacks,
    edges_mirror_the_rules,
    ranks_rise_along_edges,
    dependents_mirror_the_justifications,
    justifications_follow_from_the_records,
    references_are_known,
    attacks_are_indexed,
    what_was_given_up_is_not_in,
    beliefs_count_while_their_owner_is_in,
    problems_mirror_what_is_questioned,
    moments_do_not_run_ahead,
)
"""Every law, in the order in which they are reported."""


def _nodes(state: State) -> Iterable[Node]:
    return state.nodes.values()


def _pairs(index: Mapping[K, Iterable[V]]) -> set[tuple[K, V]]:
    return {(key, item) for key, items in index.items() for item in items}


def _differences(wanted: Iterable[object], kept: Iterable[object], what: str) -> Iterator[str]:
    wanted, kept = set(wanted), set(kept)
    yield from (f"{what} {pair} is missing" for pair in sorted(wanted - kept, key=str))
    yield from (f"{what} {pair} is left over" for pair in sorted(kept - wanted, key=str))


def _said_and_not_withdrawn(state: State, node: Node) -> set[Literal]:
    found: set[Literal] = set()
    for introduction in node.introductions:
        if not state.is_withdrawn(introduction.origin):
            found.update(introduction.premises, *introduction.alternatives)
    for support in node.corroborations:
        if not state.is_withdrawn(support.origin):
            found.update(support.evidence)
    return found if node.decision is None else found | {node.decision.target}


def _owners(belief: Belief) -> set[str]:
    return {belief.vertex} if belief.claim is None else {belief.vertex, belief.claim}


def _is_owned(state: State, belief: Belief) -> bool:
    if any(state.network.label(vertex) is not Label.IN for vertex in _owners(belief)):
        return False
    attacks = () if belief.target is None else state.node(PropositionId(belief.target)).attacks
    answers = {answer for attack in attacks if attack.attacker == belief.vertex for answer in attack.answers}
    return all(state.network.label(answer) is not Label.IN for answer in answers)
