"""Wishes that a later wish replaces, those that stay, and those that it leaves in doubt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld import Conversation
from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import check_text
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.standing import GIVEN_UP
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Outcome
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.wishes.index import IN_DOUBT, topic, wished

ANN, BEN, BOT = AgentId("Ann"), AgentId("Ben"), AgentId("bot")
AGENTS = (Agent(id=ANN), Agent(id=BEN), Agent(id=BOT, kind=AgentKind.ASSISTANT))


def talk(*said: str | tuple[AgentId, str]) -> Conversation:
    """Have Ann, or whoever is named, say all this."""
    conversation = Conversation(agents=AGENTS, interpreter=CueInterpreter(AGENTS))
    for place, each in enumerate(said):
        speaker, text = (ANN, each) if isinstance(each, str) else each
        conversation.hear(Turn(id=TurnId(f"t{place}"), speaker=speaker, text=text))
    return conversation


def parted(conversation: Conversation) -> tuple[list[str], list[str]]:
    """Give the texts that stand and those that were given up."""
    known = list(StateView(conversation.state).known())
    fallen = [each.proposition.text for each in known if each.lifecycle in GIVEN_UP]
    return [each.proposition.text for each in known if each.lifecycle not in GIVEN_UP], fallen


@pytest.mark.parametrize(
    ("older", "newer", "written"),
    [
        ("I need a cheap hotel in the north.", "How about the south?", "Ann says: I need a cheap hotel in the south."),
        (
            "I'm looking for a Korean restaurant.",
            "How about Indian food?",
            "Ann says: I'm looking for a Indian restaurant.",
        ),
        ("Can you look at Villa Romano?", "Actually, can we change it to Big 4.", "Ann asks: Can you look at Big 4?"),
        ("I want to leave on Monday.", "No, next Thursday please.", "Ann says: I want to leave on next Thursday."),
        ("I need a table for 2 people.", "Nope. It's for 4 people.", "Ann says: I need a table for 4 people."),
        ("I'd like to go to Leeds.", "I've changed my mind. Let's go to York.", "Ann says: I'd like to go to York."),
        (
            "We need a room for two nights.",
            "Something else, please: try three nights.",
            "Ann says: We need a room for three nights.",
        ),
        (
            "Please book a table at half past seven.",
            "Sorry, please try quarter to eight.",
            "Ann asks: Please book a table at quarter to eight.",
        ),
        (
            "The reservation is for Monday for one person.",
            "No, sorry. It's for 3 people on Thursday.",
            "The reservation is for Thursday for 3 person.",
        ),
    ],
)
def test_a_later_wish_replaces_the_value_of_an_earlier_one(older: str, newer: str, written: str) -> None:
    """Source: the purpose of issue 5, "a replaced value"; the rest of the older wish goes on in the new one."""
    stands, fallen = parted(talk(older, newer))
    assert written in stands
    assert len(fallen) == 1


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I need a hotel in the north.", "I also need a restaurant in the south."),
        ("I need a train on Monday.", "How about a taxi on Tuesday as well?"),
        ("I need a table for 2 people.", "Is there anything for 4 people?"),
        ("The north gate is open.", "Actually, the south gate is open."),
        ("The blue shirt costs 30 euros.", "No, the red shirt costs 40 euros."),
        ("The meeting is at 14:00.", "Sorry, I was late, I arrived at 14:20."),
        ("My German colleague wrote.", "Actually, my French colleague wrote."),
        ("I need a room in the north or in the south.", "How about the east?"),
        ("I want 2 tickets for Friday and 3 tickets for Saturday.", "Actually, 4 tickets for Sunday."),
    ],
)
def test_what_is_no_wish_for_the_same_thing_replaces_nothing(older: str, newer: str) -> None:
    """Source: cases, C-18: many-valued things are not silently overwritten; a false correction makes a reply stale."""
    assert parted(talk(older, newer))[1] == []


def test_a_wish_of_another_replaces_nothing() -> None:
    """Source: semantics, revise: nobody takes back for another."""
    assert parted(talk("I need a room in the north.", (BEN, "How about the south?")))[1] == []
    assert parted(talk("I need a room in the north.", (BOT, "How about a room in the south?")))[1] == []


def test_a_question_that_names_what_is_sought_is_kept_as_a_wish() -> None:
    """Our promise: a reply that repeats what was asked for can be held against it."""
    stands, _ = parted(talk("Can you find me a cheap hotel in the centre?"))
    assert stands == ["Ann asks: Can you find me a cheap hotel in the centre?"]


def checked(conversation: Conversation, reply: str) -> tuple[Outcome, list[str]]:
    """Check what the assistant says by its words, and give why parts of it were left open."""
    view = StateView(conversation.state)
    found = check_text(conversation.state, reply, LexicalMatcher(), speaker=BOT, view=view)
    return found.outcome, [claim.abstained for claim in found.claims]


def test_a_wish_that_may_have_been_replaced_is_no_ground() -> None:
    """The rule of the house: never wrongly grounded. A wish with another value came later, without a cue."""
    earlier = talk("I want to leave on Monday.")
    assert checked(earlier, "You want to leave on Monday.")[0] is Outcome.GROUNDED
    later = talk("I want to leave on Monday.", "I want to leave on Friday.")
    outcome, notes = checked(later, "You want to leave on Monday.")
    assert outcome is Outcome.ABSTAIN
    assert any(IN_DOUBT in note for note in notes)
    assert checked(later, "You want to leave on Friday.")[0] is Outcome.GROUNDED


@pytest.mark.parametrize(
    "later",
    ["I need a taxi on Friday.", "I need a train to York.", "Thank you.", "I want to leave on Monday, please."],
)
def test_a_wish_for_something_else_leaves_no_doubt(later: str) -> None:
    """Our promise: what nobody touched can still be said again."""
    assert checked(talk("I need a train on Monday.", later), "You need a train on Monday.")[0] is Outcome.GROUNDED


@given(st.lists(st.sampled_from(["Monday", "Tuesday", "Friday"]), min_size=1, max_size=4))
def test_of_wishes_in_a_row_only_the_last_is_ground(days: list[str]) -> None:
    """Hypothesis, against the plain rule: whatever the order, no day but the last one is ever called grounded."""
    conversation = talk(*(f"I want to leave on {day}." for day in days))
    for day in ("Monday", "Tuesday", "Friday"):
        outcome = checked(conversation, f"You want to leave on {day}.")[0]
        assert outcome is not Outcome.GROUNDED or day == days[-1]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a cheap place in the town centre", [("price", "cheap"), ("area", "centre")]),
        ("something inexpensive, downtown", [("price", "cheap"), ("area", "centre")]),
        ("a table at Sipan in San Jose for two people", [("at", "sipan"), ("in", "san jose"), ("people", "2")]),
        ("from London to 12 Mill Road", [("from", "london"), ("to", "12 mill road")]),
        ("a 4 star guest house for three nights", [("stars", "4"), ("lodging", "guesthouse"), ("stay", "3")]),
        ("not on Monday but on Friday", [("day", "friday")]),
        ("from the 3rd of May until the 9th of May", [("day", "05-03"), ("last day", "05-09")]),
        ("four one way flight tickets", [("people", "4")]),
        ("at 5 pm for 30 euros", [("", "5:00"), ("", "30 euro")]),
        ("my German colleague in March", []),
    ],
)
def test_what_a_wish_has_one_of_is_found_in_its_sort(text: str, values: list[tuple[str, str]]) -> None:
    """Forms of one option are one value; what is set aside is none; a nationality is food only beside food."""
    assert [(each.key, each.value) for each in wished(text)] == values


def test_the_topic_of_a_wish_is_what_its_values_are_of() -> None:
    """Values, and words of wishing, say nothing of what is wished for."""
    assert topic("Ann says: I need a train to York on Monday.") == topic("the train?")
    assert topic("No, for 3 people please.") == frozenset()


def test_a_tool_wishes_for_nothing() -> None:
    """What a tool returned stands until somebody replaces it: a later reading of another booking is no other wish."""
    log = AgentId("log")
    agents = (Agent(id=log, kind=AgentKind.TOOL), *AGENTS)
    conversation = Conversation(agents=agents, interpreter=CueInterpreter(agents))
    for place, text in enumerate(("The reservation is for Monday.", "The reservation is for Friday.")):
        conversation.hear(Turn(id=TurnId(f"t{place}"), speaker=log, text=text))
    assert checked(conversation, "The reservation is for Monday.")[0] is Outcome.GROUNDED
