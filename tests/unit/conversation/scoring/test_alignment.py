"""Propositions of an interpreter matched with those of a file."""

from __future__ import annotations

from upheld.conversation.conversation import Conversation
from upheld.conversation.scoring.alignment import Alignment, aligned
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Revise, Support
from upheld.logic.language.turns import Falsify, Retract, Supersede, Turn, Withdraw
from upheld.logic.language.verdicts import Candidate, Modality
from upheld.speech.formats.transcript import Transcript


def p(id: str) -> PropositionId:
    """Write an id for short."""
    return PropositionId(id)


def transcript(*operations: Operation) -> Transcript:
    """Give a file of one turn."""
    turn = Turn(id=TurnId("T1"), speaker=AgentId("alice"), operations=operations)
    return Transcript(id="file", turns=(turn,), is_annotated=True)


def talk(*operations: Operation) -> Conversation:
    """Give a conversation of one turn."""
    read = Conversation({"alice": "guest"}, is_lenient=True)
    read.say("alice", "…", operations)
    return read


FILE = transcript(
    Observe(id=p("o1"), text="The train to Porto leaves at noon."),
    Observe(id=p("o2"), text="The ticket costs 30 euros."),
    Revise(target=p("o1")),
    Support(target=p("o2"), evidence=(Literal(p("o1")),)),
    Observe(id=p("o3"), text="Nobody else is on board."),
)
READ = talk(
    Observe(id=p("T1.1"), text="The ticket costs 30 euros!"),
    Observe(id=p("T1.2"), text="the train to Porto leaves at noon"),
    Hypothesize(id=p("T1.3"), text="The train leaves."),
)


def test_each_finds_the_one_that_shares_most_words() -> None:
    """Our promise: greedily, best pairs first, and never one for two."""
    ids = aligned(FILE, READ, is_same=False)
    assert dict(ids.forth) == {"o1": "T1.2", "o2": "T1.1"}
    assert ids.get(p("o3")) is None
    assert ids.back(Literal(p("T1.1"), negated=True)) == "~o2"
    assert ids.back(Literal(p("T1.3"))) == "T1.3"


def test_a_third_of_the_words_of_both_is_the_least() -> None:
    """Our promise: fewer in common is no match."""
    enough = aligned(transcript(Observe(id=p("o1"), text="a b")), talk(Observe(id=p("x"), text="a c")), is_same=False)
    assert dict(enough.forth) == {"o1": "x"}
    too_few = aligned(
        transcript(Observe(id=p("o1"), text="a b c")), talk(Observe(id=p("x"), text="a d")), is_same=False
    )
    assert dict(too_few.forth) == {}
    wordless = aligned(transcript(Observe(id=p("o1"), text="…")), talk(Observe(id=p("x"), text="!")), is_same=False)
    assert dict(wordless.forth) == {}


def test_the_annotated_file_is_its_own_match() -> None:
    """Our promise: nothing is guessed where the ids are the file's."""
    ids = aligned(FILE, READ, is_same=True)
    assert ids == Alignment(forth={}, is_same=True)
    assert ids.get(p("anything")) == "anything"
    assert ids.back(Literal(p("o1"), negated=True)) == "~o1"


def test_candidates_are_asked_over_the_ids_of_the_conversation() -> None:
    """Our promise: sign and modality stay, and what matches nothing stays unknown."""
    ids = aligned(FILE, READ, is_same=False)
    denial = Candidate(literal=Literal(p("o1"), negated=True), modality=Modality.HYPOTHESIS)
    assert ids.candidate(denial) == Candidate(literal=Literal(p("T1.2"), negated=True), modality=Modality.HYPOTHESIS)
    unmatched = Candidate(literal=Literal(p("o3")))
    assert ids.candidate(unmatched) is unmatched


def test_changes_are_made_over_the_ids_of_the_conversation() -> None:
    """Our promise: a source keeps its name; a change of what matches nothing is none."""
    ids = aligned(FILE, READ, is_same=False)
    assert ids.change(Withdraw(source="T1")) == Withdraw(source="T1")
    assert ids.change(Retract(target=p("o1"))) == Retract(target=p("T1.2"))
    assert ids.change(Falsify(target=p("o2"))) == Falsify(target=p("T1.1"))
    assert ids.change(Supersede(older=p("o1"), newer=p("o2"))) == Supersede(older=p("T1.2"), newer=p("T1.1"))
    for change in (
        Retract(target=p("o3")),
        Supersede(older=p("o3"), newer=p("o1")),
        Supersede(older=p("o1"), newer=p("o3")),
    ):
        assert ids.change(change) is None
