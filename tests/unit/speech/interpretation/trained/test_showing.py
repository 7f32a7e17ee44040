"""What a turn is read beside: what is open, what is near, and who put it forward as what."""

from __future__ import annotations

from collections.abc import Sequence

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Question, Resolve, Revise
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.trained.showing import OPEN, SHOWN, Shown, shown
from upheld.speech.matching.trained.features import Near
from upheld.speech.view import View

ANN = Agent(id=AgentId("a"), name="Ann")


class InOrder:
    """Finds whatever was said first, each a little less near than the one before."""

    def __call__(self, texts: Sequence[str], view: View, limit: int, /) -> Sequence[Sequence[Near]]:
        """Give the first ones."""
        known = list(view.known())[:limit]
        return [[Near(known=each, nearness=1 - 0.01 * place) for place, each in enumerate(known)] for _ in texts]

    def cosines(self, texts: Sequence[str], others: Sequence[str], /) -> Sequence[Sequence[float]]:
        """Give a half for each."""
        return [[0.5] * len(others) for _ in texts]


def told(*operations: Operation) -> Conversation:
    """Give a conversation in which Ann does so."""
    talk = Conversation([ANN], is_lenient=True)
    for operation in operations:
        talk.say("a", "Something.", [operation])
    return talk


def seen(talk: Conversation, *clauses: str) -> Shown:
    """Give what a turn of Ann's would be read beside."""
    turn = Turn(id=TurnId("T99"), speaker=AgentId("a"), text=" ".join(clauses))
    return shown(turn, clauses, StateView(talk.state, earlier=talk.timeline.last), InOrder())


def report(number: int) -> Observe:
    """Give a report."""
    return Observe(id=PropositionId(f"o{number}"), text=f"Report {number}.")


def guess(number: int) -> Hypothesize:
    """Give a guess about the first report."""
    return Hypothesize(id=PropositionId(f"h{number}"), text=f"Guess {number}.", explains=(PropositionId("o0"),))


def test_what_is_open_comes_first_the_latest_before_the_others() -> None:
    """What a bare "do it" means is what was proposed last."""
    around = seen(told(report(0), guess(1), guess(2), report(3)), "Do it.")
    assert [known.proposition.id for known in around.propositions] == ["h2", "h1", "o0", "o3"]


def test_each_is_told_with_who_put_it_forward_as_what() -> None:
    """The network reads words and no fields: that it is a guess, and whose, must be in words."""
    talk = told(
        report(0),
        guess(1),
        guess(2),
        Resolve(target=Literal(PropositionId("h1"))),
        Question(id=PropositionId("q"), text="Why?"),
    )
    around = seen(talk, "So?")
    ids = [known.proposition.id for known in around.propositions]
    told_as: dict[str, str] = dict(zip(ids, around.talk.propositions, strict=True))
    assert told_as["o0"] == "fact of Ann: Report 0."
    assert told_as["h2"] == "guess of Ann: Guess 2."
    assert told_as["h1"] == "settled of Ann: Guess 1."
    assert told_as["q"] == "question of Ann: Why?"


def test_what_was_given_up_is_not_on_the_table() -> None:
    """Nobody supports or drops again what is gone."""
    talk = told(report(0), guess(1), Revise(target=PropositionId("h1")))
    assert [known.proposition.id for known in seen(talk, "So?").propositions] == ["o0"]


def test_there_are_never_more_than_the_network_has_places_for() -> None:
    """Of what is open so many, the rest is for what is near; none stands there twice."""
    around = seen(told(report(0), *map(guess, range(1, 20)), *map(report, range(1, 20))), "One.", "Two.")
    ids = [known.proposition.id for known in around.propositions]
    assert len(ids) == len(set(ids)) <= SHOWN
    assert ids[:OPEN] == [f"h{number}" for number in range(19, 19 - OPEN, -1)]
    assert [len(row) for row in around.talk.nearness] == [len(ids)] * 2


def test_the_turns_before_are_told_with_their_speakers() -> None:
    """An answer is an answer to what was said just before."""
    assert seen(told(report(0)), "So?").talk.earlier == ("Ann: Something.",)


def test_of_an_empty_record_nothing_is_shown() -> None:
    """The first turn of all."""
    around = seen(told(), "Good morning.")
    assert (around.propositions, around.talk.propositions, around.talk.nearness) == ((), (), ())
