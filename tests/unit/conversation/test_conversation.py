"""A conversation as a whole: turns, amendments, retractions, and what a failed call leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from upheld.conversation.conversation import BY_HAND, Conversation
from upheld.conversation.events import Took
from upheld.errors import RefusedTurn, RepeatedIdentity, StoreError, UnknownReference
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Observe, Question, Revise
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Falsify, Retract, Supersede, Turn, Withdraw
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.logic.reasoning.policy import EVERYONE
from upheld.logic.reasoning.state import State
from upheld.record.ledger.entry import Content, Interpretation, Opening, Retracted, Words
from upheld.record.ledger.store import Store
from upheld.record.stores.ephemeral import EphemeralStore

FactsOf = Callable[[State], dict[str, object]]

TALK = "conversation"


def contents(store: Store, id: str = TALK) -> list[Content]:
    """Give what the record holds."""
    return [entry.content for entry in store.read(id)]  # pyright: ignore[reportArgumentType]


def observed(id: str, text: str = "Something.", **more: Any) -> Observe:
    """Give an observation."""
    return Observe(id=PropositionId(id), text=text, **more)


# --- telling ---------------------------------------------------------------------------------------------------------


def test_turns_are_numbered_from_one(outage: Conversation) -> None:
    """Our promise (programs.md, 2): T1, T2, …, whatever the turn does."""
    assert outage.timeline.turns == ("T1", "T2", "T3", "T4")
    assert outage.say("alice", "Hm.").turn == "T5"


def test_a_number_that_is_taken_is_skipped(talk: Conversation) -> None:
    """Our promise: own ids and given ones do not collide."""
    talk.tell(Turn(id=TurnId("T2"), speaker=AgentId("alice")))
    talk.tell(Turn(id=TurnId("T3"), speaker=AgentId("alice")))
    assert [talk.say("alice", "Hm.").turn for _ in range(3)] == ["T4", "T5", "T6"]


def test_a_turn_that_was_put_together_keeps_its_id_and_is_told_once(talk: Conversation) -> None:
    """Our promise: the same turn id again is refused, not taken for an amendment."""
    turn = Turn(id=TurnId("first"), speaker=AgentId("alice"), operations=(observed("o1"),), text="Look.")
    assert talk.tell(turn, interpreter="somebody@1").turn == "first"
    with pytest.raises(RepeatedIdentity):
        talk.tell(turn)
    assert talk.timeline.told(TurnId("first")) == turn


def test_whoever_speaks_unannounced_joins_and_the_record_has_it(facts: FactsOf) -> None:
    """Our promise: a speaker or hearer who was not announced is a person, in the state and in the record."""
    store = EphemeralStore()
    talk = Conversation({"alice": "backend"}, store=store)
    talk.observe("carol", "o1", "It rains.", audience=["dave", "alice"])
    newcomers = (Agent(id=AgentId("carol"), name="carol"), Agent(id=AgentId("dave"), name="dave"))
    assert contents(store)[1] == Opening(agents=newcomers)
    assert [talk.state.agents[agent.id] for agent in newcomers] == list(newcomers)
    assert facts(Conversation(store=store).state) == facts(talk.state)


def test_a_refused_turn_leaves_everything_as_before(outage: Conversation) -> None:
    """Demanded by semantics, section 4: all of a turn's operations, or none; its speaker does not join either."""
    state, version, events = outage.state, outage.version, list(outage.timeline.events)
    sound = observed("o10")
    for speaker, operations, error in (
        ("stranger", [sound, Question(text="This asks nothing.")], RefusedTurn),
        ("alice", [sound, Revise(target=PropositionId("nowhere"))], UnknownReference),
        ("alice", [sound, observed("o8", "Something else.")], RepeatedIdentity),
    ):
        with pytest.raises(error):
            outage.say(speaker, "…", operations)
    assert outage.state is state
    assert (outage.version, outage.timeline.events) == (version, events)
    assert outage.say("alice", "…", [sound]).turn == "T5"


def test_a_store_that_fails_leaves_the_state_as_it_was(failing: Any, facts: FactsOf) -> None:
    """Our promise: what is not on record was not said."""
    talk = Conversation({"alice": "backend"}, store=failing)
    talk.observe("alice", "o1", "It rains.", key="k1")
    state, version = talk.state, talk.version
    failing.is_full = True
    calls: list[Callable[[], object]] = [
        lambda: talk.observe("alice", "o2", "It pours.", key="k2"),
        lambda: talk.say("stranger", "Hello."),
        lambda: talk.retract("o1"),
        lambda: talk.amend("T1", []),
    ]
    for call in calls:
        with pytest.raises(StoreError):
            call()
    assert talk.state is state
    assert (talk.version, talk.timeline.turns) == (version, ("T1",))
    failing.is_full = False
    assert talk.observe("alice", "o2", "It pours.", key="k2").turn == "T2"
    assert facts(Conversation(store=failing).state) == facts(talk.state)


def test_a_lenient_conversation_applies_what_fails_and_reports_it() -> None:
    """Demanded by semantics, section 4: labels outrank the check; the failure becomes a finding on the turn."""
    strict, lenient = Conversation(), Conversation(is_lenient=True)
    with pytest.raises(RefusedTurn):
        strict.hypothesize("alice", "h1", "Perhaps.")
    told = lenient.hypothesize("alice", "h1", "Perhaps.")
    (finding,) = told.findings
    assert (finding.turn, finding.operation, finding.failure.name) == ("T1", 0, "nothing_to_explain")
    assert lenient.status("h1").lifecycle is Lifecycle.ACTIVE
    assert lenient.timeline.findings == [finding]
    with pytest.raises(UnknownReference):
        lenient.support("alice", "nowhere", evidence=["h1"])


def test_what_is_in_view_from_the_beginning_can_be_referred_to() -> None:
    """Demanded by semantics, section 3: initial propositions are in view, and nobody has asserted them."""
    muddy = Proposition(id=PropositionId("m1"), text="The first child is muddy.", kind=Kind.HYPOTHESIS)
    store = EphemeralStore()
    talk = Conversation({"a": "child"}, initial=[muddy], store=store)
    assert talk.propositions == (muddy,)
    assert talk.verify("m1").outcome is Outcome.UNGROUNDED
    assert talk.commitments("a") == ()
    assert Conversation(store=store).propositions == (muddy,)


# --- saying ----------------------------------------------------------------------------------------------------------


def test_words_with_operations_are_read_by_hand() -> None:
    """Demanded by semantics, section 1: a turn's words and its interpretation are separate entries."""
    store = EphemeralStore()
    talk = Conversation({"alice": "backend"}, store=store)
    told = talk.say("alice", "It rains!", [observed("o1", "It rains.")])
    assert told.operations == (observed("o1", "It rains."),)
    assert contents(store)[1:] == [
        Words(turn=TurnId("T1"), speaker=AgentId("alice"), text="It rains!"),
        Interpretation(turn=TurnId("T1"), operations=told.operations, interpreter=BY_HAND),
    ]


def test_words_alone_are_kept_and_mean_nothing_until_they_are_amended(facts: FactsOf) -> None:
    """Demanded by semantics, section 1: `amend` gives a turn a newer interpretation."""
    store = EphemeralStore()
    talk = Conversation({"alice": "backend"}, store=store)
    assert talk.say("alice", "It rains!").operations == ()
    assert contents(store)[1:] == [Words(turn=TurnId("T1"), speaker=AgentId("alice"), text="It rains!")]
    assert talk.verify("o1").reason is Reason.UNKNOWN
    talk.amend("T1", [observed("o1", "It rains.")])
    assert talk.verify("o1").outcome is Outcome.GROUNDED
    assert talk.timeline.told(TurnId("T1")).text == "It rains!"
    assert facts(Conversation(store=store).state) == facts(talk.state)


def test_an_empty_list_of_operations_is_a_reading_too() -> None:
    """Our promise: a turn that only acknowledges is not one that nobody has read."""
    store = EphemeralStore()
    Conversation({"alice": "backend"}, store=store).say("alice", "OK.", [])
    assert contents(store)[2] == Interpretation(turn=TurnId("T1"), interpreter=BY_HAND)


# --- amending --------------------------------------------------------------------------------------------------------


def test_an_amended_turn_takes_effect_from_its_own_place_on() -> None:
    """Demanded by semantics, section 1: the fold uses the newest interpretation, at the place of the turn."""
    talk = Conversation({"alice": "guest", "desk": "hotel"})
    talk.say("desk", "Welcome.")
    talk.observe("alice", "o1", "Alice wants three rooms.", said="Three, please.")
    talk.say("desk", "Very well.")
    talk.amend("T2", [observed("o2", "Alice stays three nights.")], by="desk", reason="she said nights")
    assert talk.verify("o1").reason is Reason.UNKNOWN
    assert talk.verify("o2").findings[0].grounds[0].turn == "T2"
    for turn, outcome in (("T1", Outcome.UNGROUNDED), ("T2", Outcome.GROUNDED), ("T3", Outcome.GROUNDED)):
        assert talk.at(turn).verify("o2").outcome is outcome, turn
    assert talk.timeline.turns == ("T1", "T2", "T3")
    assert talk.say("desk", "Anything else?").turn == "T4"


def test_an_earlier_interpretation_stays_readable(facts: FactsOf) -> None:
    """Demanded by semantics, section 1: earlier ones stay readable, with who amended and why."""
    store = EphemeralStore()
    talk = Conversation({"alice": "guest", "desk": "hotel"}, store=store)
    talk.observe("alice", "o1", "Alice wants three rooms.")
    fresh = (observed("o2", "Alice stays three nights."),)
    talk.amend("T1", fresh, by="desk", reason="she said nights")
    meanings = [content for content in contents(store) if isinstance(content, Interpretation)]
    assert [meaning.operations for meaning in meanings] == [(observed("o1", "Alice wants three rooms."),), fresh]
    assert (meanings[1].by, meanings[1].reason, meanings[1].interpreter) == ("desk", "she said nights", BY_HAND)
    again = Conversation(store=store)
    assert facts(again.state) == facts(talk.state)
    assert again.version == talk.version == 4


def test_an_amendment_that_breaks_a_later_turn_is_refused(outage: Conversation) -> None:
    """Our promise: what a later turn refers to cannot be amended away; nothing was changed."""
    state, version = outage.state, outage.version
    with pytest.raises(UnknownReference):
        outage.amend("T1", [])
    with pytest.raises(UnknownReference):
        outage.amend("T9", [])
    with pytest.raises(RepeatedIdentity):
        outage.amend("T3", [observed("o8", "Something else.")])
    assert outage.state is state
    assert outage.version == version
    outage.amend("T4", [])
    assert outage.status("h2").lifecycle is Lifecycle.ACTIVE


def test_findings_follow_an_amendment(talk: Conversation) -> None:
    """Our promise: what a replay notices belongs to the interpretation that is folded now."""
    talk.observe("alice", "o1", "It rains.")
    talk.say("alice", "Perhaps.", [])
    talk.say("alice", "Or else.", [])
    asks_nothing = Question(text="This asks nothing.")
    talk.amend("T2", [asks_nothing])
    talk.amend("T3", [asks_nothing])
    assert [finding.turn for finding in talk.timeline.findings] == ["T2", "T3"]
    talk.amend("T3", [])
    assert [finding.turn for finding in talk.timeline.findings] == ["T2"]
    talk.amend("T1", [])
    assert [finding.turn for finding in talk.timeline.findings] == ["T2"]


# --- taking back -----------------------------------------------------------------------------------------------------


def test_a_retracted_premise_takes_its_conclusion_with_it(talk: Conversation) -> None:
    """Demanded by semantics, section 7: `retract` does what `affected` says, and gives it."""
    talk.observe("alice", "o1", "It rains.")
    talk.observe("alice", "o2", "The street is wet.", depends_on=["o1"])
    expected = talk.affected("o1")
    assert talk.retract("o1", by="alice", reason="it was the sprinkler") == expected
    assert expected.affected == ("o2",)
    assert talk.verify("o1").reason is Reason.RETRACTED
    assert talk.verify("o2").reason is Reason.PREMISE_LOST


def test_what_is_taken_back_is_on_record_and_folded_again(facts: FactsOf) -> None:
    """Demanded by semantics, section 1: a retraction is an entry, with who made it and why."""
    store = EphemeralStore()
    talk = Conversation({"alice": "backend"}, store=store)
    for id in ("o1", "o2", "o3", "o4", "o5"):
        talk.observe("alice", id, f"Claim {id}.", source="doc.md" if id == "o3" else "memory.md")
    talk.retract("o1", by="alice", reason="one")
    talk.falsify("o2", by="alice", reason="two")
    talk.withdraw("doc.md", by="alice", reason="three")
    talk.supersede("o4", "o5", by="alice", reason="four")
    talk.retract(Falsify(target=PropositionId("o5")))
    alice = AgentId("alice")
    expected = [
        Retracted(retraction=Retract(target=PropositionId("o1")), by=alice, reason="one"),
        Retracted(retraction=Falsify(target=PropositionId("o2")), by=alice, reason="two"),
        Retracted(retraction=Withdraw(source="doc.md"), by=alice, reason="three"),
        Retracted(retraction=Supersede(older=PropositionId("o4"), newer=PropositionId("o5")), by=alice, reason="four"),
        Retracted(retraction=Falsify(target=PropositionId("o5"))),
    ]
    assert contents(store)[-5:] == expected
    again = Conversation(store=store)
    assert facts(again.state) == facts(talk.state)
    assert again.timeline.events == talk.timeline.events
    assert again.timeline.events[-1] == Took(retraction=Falsify(target=PropositionId("o5")))
    reasons = {id: talk.verify(id).reason for id in ("o1", "o2", "o3", "o4", "o5")}
    assert reasons == {
        "o1": Reason.RETRACTED,
        "o2": Reason.CONTRADICTED,
        "o3": Reason.UNKNOWN,
        "o4": Reason.SUPERSEDED,
        "o5": Reason.CONTRADICTED,
    }


def test_taking_back_what_nobody_said_changes_nothing(outage: Conversation) -> None:
    """Our promise: a named error, and the record as before."""
    state, version = outage.state, outage.version
    for call in (
        lambda: outage.retract("o99"),
        lambda: outage.falsify("o99"),
        lambda: outage.withdraw("nowhere.md"),
        lambda: outage.supersede("o8", "o99"),
    ):
        with pytest.raises(UnknownReference):
            call()
    assert outage.state is state
    assert outage.version == version


def test_withdrawing_a_turn_removes_its_revision(outage: Conversation) -> None:
    """Demanded by semantics, section 2 (C-08): withdrawing a source removes every operation that came from it."""
    delta = outage.withdraw("T4")
    assert delta.reinstated == ("h2",)
    assert outage.status("h2").standing is Label.IN


# --- looking ---------------------------------------------------------------------------------------------------------


def test_a_look_back_answers_as_of_then(outage: Conversation) -> None:
    """Demanded by semantics, section 1, and programs.md, 2: every query answers as of a turn."""
    assert outage.at("T2").believes("bob", "h2")
    assert not outage.believes("bob", "h2")
    assert outage.at("T2").verify("h2", modality="hypothesis").outcome is Outcome.GROUNDED
    assert outage.verify("h2", modality="hypothesis").reason is Reason.ABANDONED
    assert outage.at("T3").at == "T3"
    with pytest.raises(UnknownReference):
        outage.at("T9")


def test_an_agent_sees_what_it_was_told(talk: Conversation) -> None:
    """Demanded by semantics, section 8: a view folds only what an agent was told."""
    talk.observe("alice", "o1", "The deal is off.", audience=["bob"])
    talk.observe("alice", "o2", "Lunch is at noon.")
    talk.say("bob", "So lunch is all that is left.", [observed("o3", "Only lunch is left.", depends_on=(
        Literal(PropositionId("o1")), Literal(PropositionId("o2")))), Question(text="Why?")])  # fmt: skip
    talk.retract("o1")
    seen = {agent: [each.id for each in talk.for_agent(agent).propositions] for agent in ("alice", "bob", "bot")}
    assert seen == {"alice": ["o1", "o2", "o3"], "bob": ["o1", "o2", "o3"], "bot": ["o2"]}
    assert talk.for_agent("bot").agent == "bot"
    assert talk.verify("o1", speaker="bot").reason is Reason.OUT_OF_VIEW
    assert talk.for_agent("bot").verify("o1").reason is Reason.UNKNOWN
    with pytest.raises(UnknownReference):
        talk.for_agent("nobody")


def test_beliefs_of_an_agent_rest_on_what_it_was_told(talk: Conversation) -> None:
    """Demanded by semantics, section 8: what was said in private is no ground for others to believe."""
    assert talk.observe("alice", "o1", "The deal is off.", audience=["bob"]).turn == "T1"
    talk.say("alice", "Lunch?")
    for answers in (talk, talk.at("T2")):
        assert answers.believes("bob", "o1")
        assert answers.knows("bob", "o1")
        assert not answers.believes("bot", "o1")
        assert answers.holds("A_bob o1")
        assert not answers.holds("A_bot o1")


def test_a_look_back_is_a_value_that_a_later_amendment_leaves_alone(talk: Conversation) -> None:
    """Our promise: an answer that was taken keeps its own past, its agents' views included."""
    talk.observe("alice", "o1", "The deal is off.", audience=["bob"])
    then = talk.at("T1")
    talk.amend("T1", [])
    assert then.believes("bob", "o1")
    assert then.verify("o1").outcome is Outcome.GROUNDED
    assert not talk.at("T1").believes("bob", "o1")


def test_an_assistants_statement_stays_out_of_standing(talk: Conversation) -> None:
    """Demanded by semantics, section 10: kept as its commitment, and the finding names the policy that decided."""
    talk.observe("bot", "o1", "The service is up.")
    (finding,) = talk.verify("o1").findings
    assert (finding.outcome, finding.policy) == (Outcome.UNGROUNDED, talk.state.policy.name)
    assert talk.commitments("bot") == ("o1",)
    assert talk.status("o1").standing is not Label.IN
    talk.observe("bot", "o2", "The build passed.", source="ci://run/7")
    talk.observe("log", "o3", "GET / 200")
    talk.observe("bot", "o4", "The page answers.", depends_on=["o3"])
    assert [talk.verify(id).outcome for id in ("o2", "o3", "o4")] == [Outcome.GROUNDED] * 3
    trusting = Conversation([Agent(id=AgentId("bot"), kind=AgentKind.ASSISTANT)], policy=EVERYONE)
    trusting.observe("bot", "o1", "The service is up.")
    assert trusting.verify("o1").outcome is Outcome.GROUNDED


def test_an_echo_is_no_second_root(talk: Conversation) -> None:
    """Demanded by semantics, section 10: repeated by another, a claim still has one source."""
    talk.observe("alice", "o1", "The lead is 40 minutes.")
    talk.observe("bob", "o1", "The lead is 40 minutes.")
    talk.observe("bob", "o2", "We are late.", depends_on=["o1"])
    assert talk.roots("o2") == frozenset({("o1", "alice")})
    talk.observe("bob", "o1", "The lead is 40 minutes.", source="ticket.md")
    assert talk.roots("o2") == frozenset({("o1", "alice"), ("source", "ticket.md")})


def test_a_conversation_says_its_name_and_closes_its_store() -> None:
    """Our promise: after closing nothing more can be told, and the state can still be asked."""
    talk = Conversation(id="standup")
    assert talk.id == "standup"
    talk.observe("alice", "o1", "It rains.")
    talk.close()
    with pytest.raises(StoreError):
        talk.observe("alice", "o2", "It pours.")
    assert talk.verify("o1").outcome is Outcome.GROUNDED
