"""What the fold consumes, read off the ledger."""

from __future__ import annotations

from collections.abc import Sequence

from upheld.conversation.events import (
    Beginning,
    FirstTold,
    Joined,
    Took,
    beginning_of,
    contents_of,
    events_of,
    keyed_turns,
)
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, ConversationId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.turns import Retract, Turn
from upheld.record.ledger.entry import Content, Entry, Interpretation, Opening, Retracted, Words
from upheld.record.stores.ephemeral import EphemeralStore

ALICE = AgentId("alice")
TURN = Turn(
    id=TurnId("T1"),
    speaker=ALICE,
    operations=(Observe(id=PropositionId("o1"), text="It rains."),),
    text="It rains!",
    audience=frozenset({AgentId("bob")}),
    session="s1",
    at="2026-01-02",
    simultaneous="round 1",
)
OTHER = (Observe(id=PropositionId("o2"), text="It pours."),)


def entries(*batches: tuple[str, Sequence[Content]]) -> list[Entry]:
    """Give the entries of appends, each with its key."""
    store, name = EphemeralStore(), ConversationId("talk")
    for key, contents in batches:
        store.append(name, contents, key=key)
    return list(store.read(name))


def test_a_turn_is_taken_apart_and_put_together_again() -> None:
    """Demanded by semantics, section 1: words and interpretation are separate entries of one turn."""
    words, meaning = contents_of(TURN, interpreter="by hand")
    assert meaning == Interpretation(turn=TurnId("T1"), operations=TURN.operations, interpreter="by hand")
    assert events_of(entries(("", [words, meaning]))) == [TURN]


def test_the_newest_interpretation_counts_at_the_place_of_the_words() -> None:
    """Demanded by semantics, section 1: the fold uses the newest, in the order in which things were said."""
    words, meaning = contents_of(TURN, interpreter="by hand")
    later = Words(turn=TurnId("T2"), speaker=ALICE)
    amendment = Interpretation(turn=TurnId("T1"), operations=OTHER)
    first, second = events_of(entries(("", [Opening(), words, meaning, later, amendment])))
    assert isinstance(first, Turn)
    assert (first.id, first.operations) == ("T1", OTHER)
    assert second == Turn(id=TurnId("T2"), speaker=ALICE)


def test_only_the_first_opening_opens() -> None:
    """Our promise: a later one is people who join; what is in front of everything else is how it began."""
    alice, bob = Agent(id=ALICE), Agent(id=AgentId("bob"))
    initial = (Proposition(id=PropositionId("m1"), text="It is wet.", kind=Kind.HYPOTHESIS),)
    opening = Opening(agents=(alice,), initial=initial, title="A talk", paradigm="diagnostic")
    back = Retracted(retraction=Retract(target=PropositionId("m1")), by=ALICE, reason="it dried")
    record = entries(("", [opening, Opening(agents=(bob,)), back]))
    assert beginning_of(record) == Beginning(agents=(alice,), initial=initial, title="A talk", paradigm="diagnostic")
    assert events_of(record) == [Joined(agents=(bob,)), Took(retraction=back.retraction, by=ALICE, reason="it dried")]


def test_a_record_that_opens_with_something_else_began_with_nothing() -> None:
    """Our promise: no guess about who takes part."""
    assert beginning_of([]) == Beginning()
    assert beginning_of(entries(("", [Words(turn=TurnId("T1"), speaker=ALICE)]))) == Beginning()


def test_a_key_leads_to_the_turn_as_it_was_told_first() -> None:
    """C-26: the amendment that came later is another append, under no key or its own."""
    words, meaning = contents_of(TURN, interpreter="by hand")
    unread = Words(turn=TurnId("T2"), speaker=ALICE)
    amendment = Interpretation(turn=TurnId("T1"), operations=OTHER)
    back = Retracted(retraction=Retract(target=PropositionId("o2")))
    record = entries(("k1", [Opening(), words, meaning]), ("k2", [unread]), ("", [amendment]), ("k3", [back]))
    assert keyed_turns(record) == {
        "k1": FirstTold(turn=TURN),
        "k2": FirstTold(turn=Turn(id=TurnId("T2"), speaker=ALICE)),
    }
