"""What is read again after an event: enough, and never everything."""

from __future__ import annotations

from upheld.conversation.answering.context import ConversationContext
from upheld.conversation.answering.items import StateItems
from upheld.conversation.answering.touched import touched
from upheld.conversation.conversation import Conversation
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Resolve, ResolveMode, Revise
from upheld.logic.language.propositions import Kind
from upheld.speech.rendering.context.renderer import ContextRenderer

AGENTS = (Agent(id=AgentId("ann"), name="Ann", authority=True), Agent(id=AgentId("bob"), name="Bob"))


def observe(id: str, *on: str, **more: object) -> Operation:
    """An observation with its grounds."""
    fields = {"id": PropositionId(id), "text": f"{id} is so.", "depends_on": tuple(map(literal, on)), **more}
    return Observe(**fields)  # pyright: ignore[reportArgumentType] - checked by the strict reading of the tests


def settled_position() -> Conversation:
    """A position that all accept, for a reason."""
    talk = Conversation(AGENTS, is_lenient=True)
    talk.say("ann", "", [observe("o1"), observe("o2")])
    talk.say("bob", "", [Hypothesize(id=PropositionId("p1"), text="We move.", kind=Kind.POSITION)])
    decision = Resolve(target=literal("p1"), id=PropositionId("d1"), text="Moved.", depends_on=(literal("o1"),))
    talk.say("ann", "", [decision])
    return talk


def is_as_afresh(talk: Conversation, context: ConversationContext) -> bool:
    """Tell whether the page that was kept in step is that of a fresh reading."""
    fresh = ContextRenderer()
    fresh.refresh(StateItems(talk.state))
    return context.renderer.content(budget=2_000) == fresh.content(budget=2_000)


def test_a_position_is_settled_no_more_when_the_reason_of_its_decision_falls() -> None:
    """Our promise (semantics, section 5): a decision whose premise fell settles nothing; the page says so at once."""
    talk = settled_position()
    context = ConversationContext(talk)
    assert "settled" in context.render().text
    talk.retract("o1")
    assert is_as_afresh(talk, context)
    page = context.render().text
    assert "Considered, not settled:\np1" in page
    assert "to be decided again: o1 fell" in page


def test_a_dissent_that_comes_later_reaches_the_position_of_its_decision() -> None:
    """Our promise (semantics, section 6): what is decided over recorded dissent may not be read as settled fact."""
    talk = Conversation(AGENTS, is_lenient=True)
    talk.say("bob", "", [Hypothesize(id=PropositionId("p1"), text="We move.", kind=Kind.POSITION)])
    mode = ResolveMode.AUTHORITATIVE
    talk.say("ann", "", [Resolve(target=literal("p1"), id=PropositionId("d1"), text="We move.", mode=mode)])
    context = ConversationContext(talk)
    assert "settled" in context.render().text
    talk.say("bob", "", [observe("x1", kind=Kind.DISSENT, against=(PropositionId("d1"),))])
    assert is_as_afresh(talk, context)
    assert "Considered, not settled:\np1" in context.render().text


def test_a_turn_that_adds_one_claim_reads_that_and_its_ground_alone() -> None:
    """Our promise (issue 4, section 4): a turn costs what it touched."""
    talk = Conversation(AGENTS, is_lenient=True)
    talk.say("ann", "", [observe(f"o{number}") for number in range(50)])
    before = talk.state
    talk.say("ann", "", [observe("c1", "o7")])
    found = touched(before, talk.state, talk.timeline.events[-1:])
    assert PropositionId("c1") in found
    assert found <= {PropositionId("c1"), PropositionId("o7")}


def test_a_long_chain_that_falls_is_followed_to_its_end() -> None:
    """Case C-55: nothing recurses over what people say."""
    length = 3_000
    talk = Conversation(AGENTS, is_lenient=True)
    links = [observe("o0"), *(observe(f"o{n}", f"o{n - 1}") for n in range(1, length))]
    talk.say("ann", "", links)
    before = talk.state
    talk.say("ann", "", [Revise(target=PropositionId("o0"))])
    assert len(touched(before, talk.state, talk.timeline.events[-1:])) == length
