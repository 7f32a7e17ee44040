"""A conversation as documents."""

from __future__ import annotations

from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Turn
from upheld.speech.retrieval.documents import documents_of, documents_of_turns
from upheld.speech.view import Known

ANN = AgentId("ann")
TURNS = (
    Turn(id=TurnId("T1"), speaker=ANN, text="It leaks.", at="2031-05-12T09:00", session="s1"),
    Turn(id=TurnId("T2"), speaker=ANN, text="  "),
)


class OneProposition:
    """A view of one proposition."""

    def known(self) -> tuple[Known, ...]:
        """Give it."""
        leak = Proposition(id=PropositionId("o1"), text="The valve leaks.", kind=Kind.OBSERVATION)
        known = Known(proposition=leak, label=Label.OUT, lifecycle=Lifecycle.SUPERSEDED, speaker=ANN, turn=TurnId("T1"))
        return (known,)

    def get(self, proposition: PropositionId, /) -> Known | None:
        """Give it under its id."""
        return next((known for known in self.known() if known.proposition.id == proposition), None)


def test_an_item_carries_how_it_stands_and_when_by_whom_it_was_said() -> None:
    """Issue, section 4: each item with turn, date and speaker."""
    agents = [Agent(id=ANN, name="Ann Lee")]
    (item,) = documents_of(OneProposition(), turns=TURNS, agents=agents)
    assert (item.id, item.text, item.turn, item.speaker) == ("o1", "The valve leaks.", "T1", "Ann Lee")
    assert (item.at, item.session, item.is_engine_item) == ("2031-05-12T09:00", "s1", True)
    assert (item.label, item.lifecycle) == (Label.OUT, Lifecycle.SUPERSEDED)


def test_without_turns_and_agents_an_item_has_what_the_view_knows() -> None:
    """Our promise: a view is enough."""
    (item,) = documents_of(OneProposition())
    assert (item.turn, item.speaker, item.at, item.session) == ("T1", "ann", "", "")


def test_a_turn_without_words_is_no_document() -> None:
    """Our promise: nothing to find, nothing to add."""
    (document,) = documents_of_turns(TURNS)
    assert (document.id, document.speaker, document.is_engine_item) == ("T1", "ann", False)
    assert (document.label, document.lifecycle) == (None, None)
