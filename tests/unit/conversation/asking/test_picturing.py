"""A state as a picture, and what one event changed in it."""

from __future__ import annotations

from upheld.conversation.asking.picturing import changes, deed_of, is_falsification, picture_of, standing_in, steps
from upheld.conversation.conversation import Conversation
from upheld.conversation.timeline import applied
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label
from upheld.logic.language.turns import Turn
from upheld.speech.rendering.picture import EdgeKind


def test_claims_and_the_acts_that_attack_are_drawn(outage: Conversation) -> None:
    """Our promise (`picture_of`): every claim, and of the acts without an id those that carry an attack."""
    outage.support("alice", "o9", evidence=["o8"])
    picture = picture_of(outage.state, title="Outage")
    assert picture.title == "Outage"
    assert [node.id for node in picture.nodes] == ["o8", "h2", "o9", "T4#1"]
    edges = {(edge.source, edge.target, edge.kind) for edge in picture.edges}
    assert edges == {
        ("o8", "h2", EdgeKind.PREMISE),
        ("o9", "T4#1", EdgeKind.PREMISE),
        ("T4#1", "h2", EdgeKind.ATTACK),
        ("o8", "o9", EdgeKind.CORROBORATION),
    }


def test_an_act_is_told_in_words(outage: Conversation) -> None:
    """Our promise: by the name of who did it."""
    outage.undermine("bob", "o8", evidence=["o9"])
    state = outage.state
    assert deed_of(state, state.node(PropositionId("T4#1"))) == "Bob gives h2 up"
    assert deed_of(state, state.node(PropositionId("T5#1"))) == "Bob speaks against o8"
    assert deed_of(state, state.node(PropositionId("o8"))) == "Payment gets connection timeouts from Redis."


def test_a_falsification_by_the_keeper_has_a_node_of_its_own(outage: Conversation) -> None:
    """Our promise: outside any turn, and told apart from what was said."""
    outage.falsify("o8")
    picture = picture_of(outage.state)
    (keeper,) = [node for node in picture.nodes if is_falsification(node)]
    assert keeper.text == "o8 is put on record as false"
    assert (keeper.id, "o8", EdgeKind.ATTACK) in {(edge.source, edge.target, edge.kind) for edge in picture.edges}


def test_a_withdrawn_source_leaves_no_edges(outage: Conversation) -> None:
    """Demanded by semantics, section 2: nothing of a withdrawn source is drawn."""
    outage.withdraw("T4")
    outage.withdraw("T2")
    assert picture_of(outage.state).edges == ()


def test_what_was_there_before_anybody_spoke_is_of_the_opening() -> None:
    """Our promise: no speaker and no turn are made up for it."""
    initial = Proposition(id=PropositionId("m1"), text="It is wet.", kind=Kind.HYPOTHESIS)
    talk = Conversation(initial=[initial])
    (node,) = picture_of(talk.state).nodes
    assert (node.speaker, node.turn) == ("opening", "opening")
    assert list(steps(talk.timeline)) == []


def test_what_an_event_changed_is_what_differs_before_and_after(outage: Conversation) -> None:
    """Our promise (`changes`); compared with a look at every node."""
    outage.hypothesize("alice", "h3", "A clock is wrong.", explains=["o9"], depends_on=["o9"])
    outage.resolve("bob", "h3", id="d1", text="It is the clock.", subsumes=["h2"])
    outage.revise("bob", "d1", because=["o8"])
    outage.retract("o9")
    seen = 0
    for event, before, after in steps(outage.timeline):
        slow = {id for id in after.nodes if standing_in(before, id) != standing_in(after, id)}
        assert set(changes(before, after, event)) == slow, event
        seen += 1
    assert seen == len(outage.timeline.events)


def test_steps_begin_with_the_first_turn_and_end_with_the_state_now(outage: Conversation) -> None:
    """Our promise: whoever joined before is there already."""
    outage.observe("carol", "o10", "It rains.")
    outage.falsify("o10")
    found = list(steps(outage.timeline))
    assert isinstance(found[0][0], Turn)
    assert found[0][0].id == TurnId("T1")
    assert found[-1][2].label("o10") is Label.OUT
    for event, before, after in found:
        state, _ = applied(before, event, is_lenient=True)
        assert state.moment == after.moment
