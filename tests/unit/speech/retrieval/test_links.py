"""Steps over the graph from one engine item to the next."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from upheld import Conversation
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Revise
from upheld.logic.language.propositions import Kind
from upheld.speech.retrieval.links import CARRIED, DECAY, Link, Relation, neighbours_of, reached


def id_of(name: str) -> PropositionId:
    """Give a name as an identity."""
    return PropositionId(name)


@pytest.fixture
def conversation() -> Conversation:
    """Give a talk in which a guess is given up for a reason, and a value is replaced."""
    talk = Conversation({"ann": "engineer", "bob": "engineer"})
    talk.say("ann", "The pump stopped at noon.", [Observe(id=id_of("o1"), text="The pump stopped at noon.")])
    talk.say(
        "bob",
        "The fuse, then.",
        [Hypothesize(id=id_of("h1"), text="A fuse is gone.", kind=Kind.HYPOTHESIS, depends_on=(Literal(id_of("o1")),))],
    )
    talk.say(
        "ann",
        "The fuse is fine, so no.",
        [
            Observe(id=id_of("o2"), text="The fuse is fine."),
            Revise(target=id_of("h1"), because=(Literal(id_of("o2")),)),
        ],
    )
    return talk


def found(links: Iterable[Link]) -> set[tuple[str, str]]:
    """Give links as pairs."""
    return {(link.id, link.relation.value) for link in links}


def test_links_of_a_state(conversation: Conversation) -> None:
    """Issue, section 4: hops over the graph; what a guess rests on, why it was given up, and what rests on a fact."""
    neighbours = neighbours_of(conversation.state)
    assert found(neighbours("h1")) == {("o1", "ground"), ("o2", "reason against")}
    assert ("h1", "dependant") in found(neighbours("o1"))
    assert found(neighbours("T1")) == set()


def test_the_strongest_path_counts_and_not_the_number_of_paths() -> None:
    """Our promise: an item on which everything rests is not the answer to every question."""
    edges = {"a": [Link(id="hub", relation=Relation.GROUND)], "b": [Link(id="hub", relation=Relation.GROUND)]}
    gained = reached({"a": 0.8, "b": 0.6}, lambda id: edges.get(id, []), hops=1)
    assert gained["hub"].score == pytest.approx(0.8 * CARRIED[Relation.GROUND])
    assert (gained["hub"].source, gained["hub"].relation) == ("a", Relation.GROUND)


def test_each_further_hop_counts_less() -> None:
    """Our promise: decayed scores, and no further than asked."""
    chain = {"a": [Link(id="b", relation=Relation.GROUND)], "b": [Link(id="c", relation=Relation.GROUND)]}
    step = CARRIED[Relation.GROUND]
    one = reached({"a": 1.0}, lambda id: chain.get(id, []), hops=1)
    two = reached({"a": 1.0}, lambda id: chain.get(id, []), hops=2)
    assert {id: gain.score for id, gain in one.items()} == {"b": step}
    assert two["c"].score == pytest.approx(step * step * DECAY)
    assert two["b"] == one["b"]


def test_a_circle_ends() -> None:
    """Our promise: hops are counted, so that a circle of grounds does not turn for ever."""
    ring = {"a": [Link(id="b", relation=Relation.GROUND)], "b": [Link(id="a", relation=Relation.GROUND)]}
    assert set(reached({"a": 1.0}, lambda id: ring[id], hops=5)) == {"a", "b"}
    assert reached({"a": 1.0}, lambda _: [Link(id="a", relation=Relation.GROUND)], hops=2) == {}
