from __future__ import annotations

import pytest

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.errors import UnusableReply
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import literal
from upheld.logic.language.operations import Observe, Operation, Question, Revise, Undermine
from upheld.logic.language.plain import Tree
from upheld.speech.interpretation.llm.second_look import (
    claims_in_doubt,
    has_cue,
    read_second_look,
    second_look_request,
)
from upheld.testing.interpreter_contract import ANN, BEN, spoken, table

VIEW = StateView(table().state)
LATER = Observe(id=PropositionId("T9.1"), text="The train to Porto leaves at 10:15.")


def doubted(text: str, *operations: Operation) -> list[str]:
    """Give the ids of the claims that are asked about."""
    return [known.proposition.id for known in claims_in_doubt(spoken("T9", BEN, text), VIEW, operations)]


@pytest.mark.parametrize(
    "text",
    [
        "Scratch that.",
        "I was wrong about the platform.",
        "It turns out the wall is out of date.",
        "We can rule that out.",
        "I'd say it isn't that.",
        "Let's drop it.",
        "No longer, I'm afraid.",
        "It's the other way round: the delay came first.",
    ],
)
def test_words_of_giving_up_are_noticed(text: str) -> None:
    """The trigger is cheap and generous: a miss costs a claim, a hit one short question."""
    assert has_cue(text)


@pytest.mark.parametrize("text", ["The kiosk sells coffee.", "Which platform is it?", "Thanks, see you there."])
def test_plain_words_make_nobody_look_twice(text: str) -> None:
    """The trigger must be able to stay silent, else every turn would cost two calls."""
    assert not has_cue(text)
    assert doubted(text) == []


def test_a_cue_asks_about_what_shares_most_with_the_turn_and_what_its_speaker_said_last() -> None:
    """The claims in question are listed, and no others."""
    assert doubted("I was wrong, it is not platform 3.")[0] == "o2"
    assert "h1" in doubted("Never mind.")


def test_what_the_first_reading_attacks_is_asked_about_without_a_cue() -> None:
    """An undermine or a contradiction against a live claim may have been its end."""
    assert doubted("The 9:40 is for Braga.", Undermine(target=PropositionId("o1"))) == ["o1"]
    clash = Observe(id=PropositionId("T9.1"), text="It goes to Braga.", contradicts=(PropositionId("o1"),))
    assert doubted("It goes to Braga.", clash) == ["o1"]


def test_another_value_for_the_same_thing_is_asked_about() -> None:
    """A value that differs for the same slot, in nearly the same words."""
    assert doubted("The train to Porto leaves at 10:15.", LATER) == ["o1"]
    assert doubted("The bus leaves at 10:15.", Observe(id=PropositionId("T9.1"), text="A bus goes at 10:15.")) == []


def test_a_reading_that_gives_something_up_is_not_asked_about_again() -> None:
    """The second look is for what was missed."""
    assert doubted("Scratch that.", Revise(target=PropositionId("h1"))) == []


def test_what_was_given_up_before_is_not_asked_about() -> None:
    """Only live claims can be given up."""
    talk = Conversation(agents={"ann": "guest"})
    talk.observe("ann", "o1", "The train leaves at 9:40.")
    talk.revise("ann", "o1")
    view = StateView(talk.state)
    assert claims_in_doubt(spoken("T9", ANN, "Scratch that, the train does not leave at 9:40."), view, ()) == ()


def test_the_question_lists_the_claims_in_doubt_and_nothing_else() -> None:
    """One question only: which of these did the speaker give up or replace?"""
    turn = spoken("T9", BEN, "Scratch that <claim>.")
    doubtful = claims_in_doubt(turn, VIEW, (LATER,))
    request = second_look_request(turn, (LATER,), doubtful, VIEW)
    shown = request.messages[1].text
    assert shown.count("<claim ") == len(doubtful)
    assert "&lt;claim&gt;" in shown
    assert "n1" in shown
    assert request.prompt == "second_look@1+quotation@1"


def answer(**fields: object) -> Tree:
    """Give a reply that gives up one claim."""
    return {"given_up": [{"why": "", "claim": "o1", "replaced_by": None, "because": [], "withdrawn": False, **fields}]}


def test_an_answer_only_adds_and_a_correction_is_two_operations() -> None:
    """Conventions: the new value supersedes, the old one is revised with it as the replacement."""
    doubtful = claims_in_doubt(spoken("T9", BEN, "Scratch that."), VIEW, (LATER,))
    asked = Question(text="Right?")
    read = read_second_look(answer(replaced_by="n1", because=["o2", "o1"]), (asked, LATER), doubtful, VIEW)
    assert read == (
        asked,
        Observe(id=LATER.id, text=LATER.text, supersedes=(PropositionId("o1"),)),
        Revise(target=PropositionId("o1"), replacement=LATER.id, because=(literal("o2"),)),
    )
    assert read_second_look({"given_up": []}, (asked,), doubtful, VIEW) == (asked,)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ({}, "given_up: missing"),
        ({"given_up": "none"}, "a list was asked for"),
        ({"given_up": ["o1"]}, "a JSON object with claim"),
        (answer(claim="o3"), "'o3' was not asked about"),
        (answer(replaced_by="o99"), "nobody introduced 'o99'"),
        (answer(because="o2"), "because: a list was asked for"),
        (answer(because=[None, 3]), "nobody introduced '3'"),
    ],
)
def test_an_answer_that_cannot_be_read_says_why(reply: Tree, said: str) -> None:
    """A fault is named, so that the one repair can mend it."""
    doubtful = claims_in_doubt(spoken("T9", BEN, "x"), VIEW, (LATER,))
    with pytest.raises(UnusableReply, match=said):
        read_second_look(reply, (LATER,), doubtful, VIEW)
