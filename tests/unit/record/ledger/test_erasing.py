"""What is left of an erased content, for whoever copies a ledger."""

from __future__ import annotations

from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.turns import Retract
from upheld.record.ledger.entry import Content, Erased, Erasure, Interpretation, Opening, Retracted, Words
from upheld.record.ledger.erasing import left_of

T1 = TurnId("T1")


def erased(turn: TurnId | None, remains: Words | None = None) -> Erased:
    """Give what stands in the place of an erased content."""
    return Erased(turn=turn, reason="asked for", by=None, at="2026-01-01", remains=remains)


def test_what_was_not_erased_is_copied_as_it_is() -> None:
    """Our promise: every other content is itself."""
    contents: list[Content] = [
        Opening(title="A talk"),
        Words(turn=T1, speaker=AgentId("ann"), text="hi"),
        Interpretation(turn=T1),
        Retracted(retraction=Retract(target=PropositionId("o1"))),
    ]
    assert [left_of(content) for content in contents] == contents


def test_of_an_erased_turn_it_is_left_who_spoke() -> None:
    """Our promise: a copy folds to the same as what it was copied from; the act itself is not done again."""
    words = Words(turn=T1, speaker=AgentId("ann"))
    assert left_of(erased(T1, words)) == words
    assert left_of(erased(T1)) == Interpretation(turn=T1)
    assert left_of(erased(None)) is None
    assert left_of(Erasure(erased=())) is None
