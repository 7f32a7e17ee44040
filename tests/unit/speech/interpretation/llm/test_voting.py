from __future__ import annotations

from upheld.conversation.asking.view import StateView
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Resolve, Revise, Support
from upheld.speech.interpretation.llm.voting import voted
from upheld.testing.interpreter_contract import table

VIEW = StateView(table().state)


def observed(id: str, text: str) -> Observe:
    """Give an observation."""
    return Observe(id=PropositionId(id), text=text)


def supposed(id: str, text: str, *grounds: str) -> Hypothesize:
    """Give a hypothesis on grounds."""
    return Hypothesize(id=PropositionId(id), text=text, depends_on=tuple(map(literal, grounds)))


WALL, NOTE = "The timetable on the wall is an old one.", "A note says that the station closed."
ONE: tuple[Operation, ...] = (observed("T9.1", NOTE), supposed("T9.2", WALL, "T9.1", "o1"))
TURNED: tuple[Operation, ...] = (
    observed("T9.1", "It rains in Porto."),
    observed("T9.2", NOTE),
    supposed("T9.3", WALL, "T9.2"),
)
OTHER: tuple[Operation, ...] = (supposed("T9.1", "The wall's timetable is old.", "o1", "o2"),)


def test_edges_are_voted_on_by_what_they_join_and_not_by_ids() -> None:
    """Appendices I and L: in two of three samples the hypothesis rests on the note, under different raw ids."""
    vote = voted([ONE, TURNED, OTHER], VIEW, of=3)
    note, wall = vote.operations
    assert (note["op"], note["text"]) == ("observe", NOTE)
    assert wall["depends_on"] == [note["id"], "o1"]
    assert note["id"] != wall["id"]


def test_a_vote_over_raw_ids_would_have_joined_other_things() -> None:
    """The counterpart: the same samples, voted on by raw id, make the rain a ground of nothing and lose the edge."""
    raw = [
        (operation.id, str(ground))
        for sample in (ONE, TURNED)
        for operation in sample
        if isinstance(operation, Hypothesize)
        for ground in operation.depends_on
    ]
    assert len(set(raw)) == len(raw)


def test_what_less_than_half_of_the_samples_say_is_left_out() -> None:
    """Majority of all samples that were asked for, those that failed included."""
    assert [tree["text"] for tree in voted([ONE, ONE, TURNED], VIEW, of=5).operations] == [NOTE, WALL]
    assert voted([ONE, ONE], VIEW, of=5).operations == []
    assert voted([], VIEW, of=5).operations == []


def test_certainty_is_the_share_behind_the_closest_decision() -> None:
    """A unanimous vote is sure; one that two of five would turn is not."""
    assert voted([ONE, ONE, ONE], VIEW, of=3).certainty == 1.0
    assert voted([ONE, ONE, ONE, (), ()], VIEW, of=5).certainty == 0.6
    assert voted([(), (), ()], VIEW, of=3).certainty == 1.0


def test_other_numbers_and_a_denial_are_other_propositions() -> None:
    """Two texts that differ in a value, or in a not, do not say the same however alike the words are."""
    early, late = observed("T9.1", "The train leaves at 9:40."), observed("T9.1", "The train leaves at 9:50.")
    denied = observed("T9.1", "The train does not leave at 9:40.")
    assert voted([(early,), (late,), (denied,)], VIEW, of=3).operations == []


def test_acts_without_words_are_the_same_when_their_target_is() -> None:
    """A revision has no text: its target says what it is, and reasons are voted on one by one."""
    samples: list[tuple[Operation, ...]] = [
        (Revise(target=PropositionId("o1"), because=(literal("o2"),)),),
        (Revise(target=PropositionId("o1"), because=(literal("o2"), literal("o4"))),),
        (Revise(target=PropositionId("o3")),),
    ]
    assert voted(samples, VIEW, of=3).operations == [{"op": "revise", "target": "o1", "because": ["o2"]}]


def test_whether_a_decision_has_an_id_of_its_own_is_voted_on_too() -> None:
    """The kinds and flags of an operation are those that most samples give."""
    bare = Resolve(target=literal("h1"))
    named = Resolve(target=literal("h1"), id=PropositionId("T9.1"), text="They take the early train.")
    assert voted([(named,), (bare,), (bare,)], VIEW, of=3).operations == [{"op": "resolve", "target": "h1"}]
    (kept,) = voted([(named,), (named,), (bare,)], VIEW, of=3).operations
    assert (kept["id"], kept["text"]) == ("n1", "They take the early train.")
    specific = Support(target=PropositionId("h1"), specific=True)
    plain = Support(target=PropositionId("h1"))
    assert voted([(specific,), (specific,), (plain,)], VIEW, of=3).operations[0]["specific"] is True
