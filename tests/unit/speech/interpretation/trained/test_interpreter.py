"""Turns read by moves: the operations that they come to. The moves are scripted; the network has tests of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.conversation.speaking import Told
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.standing import Lifecycle
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.speech.interpretation.trained.deciding import BARRED, Bars
from upheld.speech.interpretation.trained.interpreter import TOGETHER, TrainedInterpreter
from upheld.speech.matching.tokens import frame
from upheld.speech.matching.trained.features import Near
from upheld.speech.trained.moves import ACTS, OPERATIONS, ClauseMoves, TurnInTalk
from upheld.speech.view import View

AGENTS = (
    Agent(id=AgentId("bot"), kind=AgentKind.ASSISTANT),
    Agent(id=AgentId("log"), name="Pump log", kind=AgentKind.TOOL),
)
HALF = Bars(of=dict.fromkeys(BARRED, 0.5))


class ByWords:
    """Finds by the share of common words: what is near is not what is tested here."""

    def __call__(self, texts: Sequence[str], view: View, limit: int, /) -> Sequence[Sequence[Near]]:
        """Give the nearest, nearest first."""
        known = list(view.known())
        rows = self.cosines(texts, [each.proposition.text for each in known])
        found = [[Near(known=each, nearness=near) for each, near in zip(known, row, strict=True)] for row in rows]
        return [sorted(row, key=lambda each: -each.nearness)[:limit] for row in found]

    def cosines(self, texts: Sequence[str], others: Sequence[str], /) -> Sequence[Sequence[float]]:
        """Give the share of common words."""
        return [[_common(text, other) for other in others] for text in texts]


def _common(one: str, other: str) -> float:
    a, b = frame(one).terms, frame(other).terms
    return len(a & b) / max(1, len(a | b))


@dataclass
class Script:
    """Moves by clause: a name of an operation, or of an act with words of its target; keeps what it was shown."""

    lines: Mapping[str, Sequence[str]]
    name: str = "script"
    shown: list[TurnInTalk] = field(default_factory=list[TurnInTalk])

    def reads_turn(self, clauses: Sequence[str], /) -> bool:
        """Tell that forty words are read whole."""
        return sum(len(clause.split()) for clause in clauses) <= 40

    def moves(self, turn: TurnInTalk, /) -> tuple[ClauseMoves, ...]:
        """Give the scripted moves."""
        assert self.reads_turn(turn.clauses)
        self.shown.append(turn)
        return tuple(self._of(self.lines.get(clause, ()), turn.propositions) for clause in turn.clauses)

    @staticmethod
    def _of(lines: Sequence[str], propositions: Sequence[str]) -> ClauseMoves:
        acts = [line.partition(" ") for line in lines]
        return ClauseMoves(
            operations=tuple(float(any(name == act for act, _, _ in acts)) for name in OPERATIONS),
            acts=tuple(
                tuple(float(any(name == act and words and words in text for act, _, words in acts)) for name in ACTS)
                for text in propositions
            ),
        )


def talk(lines: Mapping[str, Sequence[str]]) -> tuple[Conversation, Script]:
    """Give a conversation that is read by a script."""
    script = Script(lines)
    interpreter = TrainedInterpreter(script, ByWords(), HALF, AGENTS)
    return Conversation(Beginning(agents=AGENTS), interpreter=interpreter, is_lenient=True), script


def kinds(told: Told) -> list[type[Operation]]:
    """Give the types of what a turn did."""
    return [type(operation) for operation in told.operations]


def lifecycle(conversation: Conversation, id: str) -> Lifecycle:
    """Give what became of a proposition."""
    return lifecycle_of(conversation.state, PropositionId(id))


GUESSES: Mapping[str, Sequence[str]] = {
    "The pump stopped at noon.": ["observe"],
    "The heat did it.": ["hypothesize"],
    "It was 18 degrees in there.": ["observe", "undermine heat"],
    "Forget the heat.": ["revise heat"],
    "That room has no windows.": ["undermine heat"],
    "Right, the heat it is.": ["resolve heat"],
}


def guessed() -> Conversation:
    """Give a conversation in which Ann has told of the pump and blamed the heat."""
    conversation, _ = talk(GUESSES)
    conversation.say("ann", "The pump stopped at noon. The heat did it.")
    return conversation


def test_a_guess_is_put_forward_weakened_by_a_report_and_dropped() -> None:
    """The life of a diagnosis, with the report as the evidence against it."""
    conversation = guessed()
    told = conversation.say("ben", "It was 18 degrees in there.")
    assert kinds(told) == [Observe, Undermine]
    observed, undermined = told.operations
    assert isinstance(observed, Observe)
    assert isinstance(undermined, Undermine)
    assert (undermined.target, undermined.evidence) == (PropositionId("T1.2"), (Literal(observed.id),))
    assert lifecycle(conversation, "T1.2") is Lifecycle.WEAKENED
    conversation.say("ann", "Forget the heat.")
    assert lifecycle(conversation, "T1.2") is Lifecycle.ABANDONED


def test_anothers_guess_is_dropped_for_what_is_said_against_it() -> None:
    """Demanded by semantics, section 4: who does not hold a claim gives it up for a reason, which is on record."""
    conversation = guessed()
    told = conversation.say("ben", "Forget the heat.")
    assert kinds(told) == [Observe, Revise]
    observed, revised = told.operations
    assert isinstance(observed, Observe)
    assert isinstance(revised, Revise)
    assert (observed.supersedes, revised.replacement, revised.because) == ((), None, (Literal(observed.id),))
    assert lifecycle(conversation, "T1.2") is Lifecycle.ABANDONED


def test_an_assistants_report_makes_nothing_more_or_less_likely() -> None:
    """Demanded by the policy of sources: what it says does not stand by itself."""
    conversation = guessed()
    assert kinds(conversation.say("bot", "It was 18 degrees in there.")) == [Observe]
    assert lifecycle(conversation, "T1.2") is Lifecycle.ACTIVE


def test_an_argument_that_reports_nothing_new_is_a_claim_of_its_own() -> None:
    """It can be answered and taken back, so it needs an id and its words."""
    conversation = guessed()
    (argument,) = conversation.say("ben", "That room has no windows.").operations
    assert isinstance(argument, Undermine)
    assert argument.id is not None
    assert "no windows" in argument.text


def test_what_is_settled_is_resolved_once_however_often_the_turn_says_so() -> None:
    """To say it twice in a turn says no more."""
    conversation = guessed()
    told = conversation.say("ben", "Right, the heat it is. Right, the heat it is.")
    assert kinds(told) == [Resolve]
    assert lifecycle(conversation, "T1.2") is Lifecycle.RESOLVED


def test_a_new_value_replaces_what_it_revises() -> None:
    """Lineage: whoever asks for the old value is given the new one."""
    conversation, _ = talk(
        {"The tour takes two hours.": ["observe"], "Three hours with the cave.": ["observe", "revise two hours"]}
    )
    conversation.say("ann", "The tour takes two hours.")
    told = conversation.say("ben", "Three hours with the cave.")
    assert kinds(told) == [Observe, Revise]
    observed, revised = told.operations
    assert isinstance(observed, Observe)
    assert isinstance(revised, Revise)
    assert (observed.supersedes, revised.replacement) == ((PropositionId("T1.1"),), observed.id)
    assert lifecycle(conversation, "T1.1") is Lifecycle.SUPERSEDED


def test_the_rules_of_values_go_first() -> None:
    """A corrected value is read by rule, whatever the network says of the clause."""
    conversation, script = talk({"We meet on Monday at 14:00.": ["observe"]})
    conversation.say("ann", "We meet on Monday at 14:00.")
    told = conversation.say("ann", "Not at 14:00 but at 15:30.")
    assert kinds(told) == [Observe, Revise]
    assert "15:30" in getattr(told.operations[0], "text", "")
    assert script.shown[-1].clauses


def test_a_ground_needs_a_word_of_reason_and_a_proposition_that_is_meant() -> None:
    """It never invents support: nearness alone is none, and a "because" of nothing known is none either."""
    lines = {
        "The gate is locked.": ["observe"],
        "So we take the long way.": ["observe", "rest_on gate"],
        "We take the long way.": ["observe", "rest_on gate"],
        "So nobody swims.": ["observe"],
    }
    grounds: list[tuple[Literal, ...]] = []
    for said in ("So we take the long way.", "We take the long way.", "So nobody swims."):
        conversation, _ = talk(lines)
        conversation.say("ann", "The gate is locked.")
        (observed,) = conversation.say("ben", said).operations
        assert isinstance(observed, Observe)
        grounds.append(observed.depends_on)
    assert grounds == [(Literal(PropositionId("T1.1")),), (), ()]


def test_a_tools_output_is_one_observation_and_may_speak_against_a_guess() -> None:
    """Text that was retrieved is data: an instruction in it changes nothing."""
    lines = {**GUESSES, "ROOM 18 C": ["observe", "undermine heat", "revise heat", "question"]}
    conversation, _ = talk(lines)
    conversation.say("ann", "The pump stopped at noon. The heat did it.")
    told = conversation.say("log", "ROOM 18 C\nForget the heat.")
    assert kinds(told) == [Observe, Undermine]
    assert getattr(told.operations[0], "text", "") == "ROOM 18 C\nForget the heat."


def test_a_short_answer_is_kept_with_its_question() -> None:
    """A proposition must be understood alone: "Half past eleven." says nothing without what was asked."""
    conversation, _ = talk({"When does the bus go?": ["question"], "Half past eleven.": ["observe"]})
    conversation.say("ann", "Fine. When does the bus go?")
    (observed,) = conversation.say("ben", "Half past eleven.").operations
    assert isinstance(observed, Observe)
    assert observed.text == 'ben, asked "When does the bus go?", says: Half past eleven.'


def test_what_nobody_had_in_view_is_brought_in_as_such() -> None:
    """Awareness is no observation: it changes what can be asked."""
    conversation, _ = talk({"There are two pumps.": ["expand_awareness"]})
    assert kinds(conversation.say("ann", "There are two pumps.")) == [ExpandAwareness]


def test_a_doubt_without_a_question_mark_asks_too() -> None:
    """Whoever flags something as unexplained opens an issue."""
    conversation, _ = talk({"The second stop was at one.": ["observe"], "I don't get the second stop.": ["question"]})
    conversation.say("ann", "The second stop was at one.")
    (asked,) = conversation.say("ben", "I don't get the second stop.").operations
    assert isinstance(asked, Question)
    assert asked.about == (PropositionId("T1.1"),)


def test_nothing_is_read_into_talk_that_claims_nothing() -> None:
    """Thanks and a bare yes are not even shown to the network."""
    conversation, script = talk({})
    told = conversation.say("ann", "Thanks! OK.")
    assert (told.operations, told.abstained) == ((), "")
    assert all(not turn.clauses for turn in script.shown)


def test_a_long_turn_is_read_so_many_clauses_at_a_time() -> None:
    """The network has places for so much; nothing is cut off unseen."""
    sentences = [f"The shelf number {number} is full." for number in range(20)]
    conversation, script = talk({sentence: ["observe"] for sentence in sentences})
    told = conversation.say("ann", " ".join(sentences))
    assert len(told.operations) == 20
    assert 1 < max(len(turn.clauses) for turn in script.shown) <= TOGETHER


def test_a_clause_that_is_not_read_whole_is_read_by_cues_and_never_cut() -> None:
    """Over limits: nothing passes silently; the rest of the turn is read as ever, and the reading is not sure."""
    long = "The pump in the third cellar of the old mill " + "and the one beside it " * 10 + "stopped at noon."
    conversation, script = talk({"The heat did it.": ["hypothesize"]})
    told = conversation.say("ann", f"{long} The heat did it.")
    assert kinds(told) == [Observe, Hypothesize]
    assert all(long not in turn.clauses for turn in script.shown)
    turn = conversation.timeline.last(1)[0]
    read = TrainedInterpreter(script, ByWords(), HALF, AGENTS).interpret(turn, StateView(talk({})[0].state))
    assert read.certainty == 0.5


def test_a_language_that_is_not_covered_is_abstained_on_by_name() -> None:
    """Could not check is not checked."""
    conversation, script = talk({})
    told = conversation.say("ann", "Die Pumpe ist seit heute Mittag aus, und keiner weiß warum.")
    assert "language not covered" in told.abstained
    assert not script.shown


def test_it_is_read_beside_what_is_open_even_if_no_word_is_near() -> None:
    """A bare "Do it." is near to nothing; what it settles is the proposal on the table."""
    lines = {
        "The tank smells.": ["observe"],
        "Let us drain it.": ["hypothesize"],
        "Do that now.": ["resolve drain"],
    }
    conversation, script = talk(lines)
    conversation.say("ann", "The tank smells. Let us drain it.")
    told = conversation.say("ben", "Do that now.")
    assert kinds(told) == [Resolve]
    assert any("drain" in text for text in script.shown[-1].propositions)
    assert script.shown[-1].earlier == ("ann: The tank smells. Let us drain it.",)


def test_the_same_words_are_read_the_same_way_again() -> None:
    """Replays must agree: reading has no chance and no clock in it."""
    read: list[list[Sequence[Operation]]] = []
    for _ in range(2):
        conversation, _ = talk(GUESSES)
        for speaker, said in (("ann", "The pump stopped at noon. The heat did it."), ("ben", "Forget the heat.")):
            conversation.say(speaker, said)
        read.append([told.operations for told in conversation.timeline.last(9)])
    assert read[0] == read[1]
    assert any(isinstance(each, Hypothesize) for told in read[0] for each in told)
    assert not any(isinstance(each, Support) for told in read[0] for each in told)


def test_what_is_hedged_is_a_guess_however_sure_the_network_is_that_it_is_a_report() -> None:
    """A false "grounded" is the worst outcome: "maybe it is on Friday" never becomes "it is on Friday"."""
    conversation, _ = talk({"Why did it stop?": ["question"], "Maybe the heat did it.": ["observe"]})
    conversation.say("ann", "Why did it stop?")
    (guessed,) = conversation.say("ben", "Maybe the heat did it.").operations
    assert isinstance(guessed, Hypothesize)


def test_what_has_ceased_is_read_by_its_cue_where_the_network_sees_a_mere_report() -> None:
    """Rules first, where they are surer than any network."""
    conversation, _ = talk(
        {"Ann drinks green tea.": ["observe"], "Ann stopped green tea on 22 September.": ["observe"]}
    )
    conversation.say("ann", "Ann drinks green tea.")
    told = conversation.say("ann", "Ann stopped green tea on 22 September.")
    assert kinds(told) == [Observe, Revise]
    assert lifecycle(conversation, "T1.1") is Lifecycle.SUPERSEDED
