"""Words read by an interpreter: what the engine refuses is dropped and named, and the rest is kept."""

from __future__ import annotations

import pytest

from upheld.conversation.conversation import Conversation
from upheld.conversation.reading.turns import read_turn
from upheld.errors import CouldNotCheck, UpheldError
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.operations import Observe, Operation, Question, Revise
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Outcome
from upheld.record.ledger.entry import Interpretation
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.interpretation.interpreter import Interpreted
from upheld.speech.view import View

RAIN = Observe(id=PropositionId("o1"), text="It rains.")
WIND = Observe(id=PropositionId("o2"), text="It is windy.")
ASKS_NOTHING = Question(text="This asks nothing.")
DANGLING = Revise(target=PropositionId("nowhere"))


class Scripted:
    """An interpreter that reads what its script says, turn by turn; an error in the script is raised."""

    name = "scripted"
    version = "3"

    def __init__(self, *script: tuple[Operation, ...] | str | UpheldError) -> None:
        """Take the script: operations, a reason to abstain, or an error."""
        self._script = iter(script)
        self.views: list[View] = []

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read the next line of the script."""
        self.views.append(view)
        line = next(self._script)
        if isinstance(line, UpheldError):
            raise line
        if isinstance(line, str):
            return Interpreted(operations=(), interpreter="scripted@3", abstained=line)
        return Interpreted(operations=line, interpreter="scripted@3")


def talk_with(*script: tuple[Operation, ...] | str | UpheldError) -> tuple[Conversation, EphemeralStore]:
    """Give a conversation whose words are read by script, and its store."""
    store = EphemeralStore()
    return Conversation({"alice": "guest"}, store=store, interpreter=Scripted(*script)), store


def test_words_are_read_by_the_interpreter_of_the_conversation() -> None:
    """Demanded by semantics, section 1: the reading is kept with the interpreter and its version."""
    talk, store = talk_with((RAIN, WIND))
    told = talk.say("alice", "It rains and it is windy.")
    assert (told.turn, told.operations, told.findings, told.abstained) == ("T1", (RAIN, WIND), (), "")
    assert talk.verify("o1", "o2").outcome is Outcome.GROUNDED
    (meaning,) = [entry.content for entry in store.read(talk.id) if isinstance(entry.content, Interpretation)]
    assert meaning == Interpretation(turn=TurnId("T1"), operations=(RAIN, WIND), interpreter="scripted@3")


def test_given_operations_are_not_read_again() -> None:
    """Our promise: what a person gave goes before what an interpreter would read."""
    talk, _ = talk_with((WIND,))
    assert talk.say("alice", "It rains.", [RAIN]).operations == (RAIN,)
    assert talk.say("alice", "Windy.").operations == (WIND,)


def test_an_operation_whose_precondition_fails_is_dropped_and_named() -> None:
    """Our promise (`read_turn`): the rest is kept; places count in the reading, not in what was left of it."""
    talk, _ = talk_with((ASKS_NOTHING, RAIN, ASKS_NOTHING, WIND))
    told = talk.say("alice", "…")
    assert told.operations == (RAIN, WIND)
    assert [(each.turn, each.operation, each.failure.name) for each in told.findings] == [
        ("T1", 0, "neither_asks_nor_flags"),
        ("T1", 2, "neither_asks_nor_flags"),
    ]
    assert told.abstained == ""


def test_a_reading_that_means_nothing_is_dropped_whole() -> None:
    """Our promise (`read_turn`): never a guess; what was dropped before it is still named."""
    talk, _ = talk_with((ASKS_NOTHING, RAIN, DANGLING))
    told = talk.say("alice", "…")
    assert told.operations == ()
    assert "nowhere" in told.abstained
    assert [finding.operation for finding in told.findings] == [0]
    assert talk.propositions == ()


def test_a_reason_to_abstain_is_passed_on() -> None:
    """Demanded by semantics, section 11: no interpreter verdict is said as such."""
    talk, _ = talk_with("language not covered")
    told = talk.say("alice", "Es regnet.")
    assert (told.operations, told.abstained) == ((), "language not covered")


def test_an_unannounced_speaker_is_read_too() -> None:
    """Our promise: joining comes before the reading is held against the preconditions."""
    talk, _ = talk_with((RAIN,))
    assert talk.say("carol", "It rains.", audience=["dave"]).operations == (RAIN,)


def test_of_ten_turns_the_one_that_cannot_be_read_is_reported_and_amended_alone() -> None:
    """C-38: nine applied, one reported with its turn id; a rerun applies that one only."""
    readings: list[tuple[Operation, ...] | str | UpheldError] = [
        (Observe(id=PropositionId(f"o{number}"), text=f"Claim {number}."),) for number in range(1, 11)
    ]
    missing = readings[3]
    readings[3] = CouldNotCheck("the reply is no JSON")
    talk, _ = talk_with(*readings)
    told = [talk.say("alice", f"Words {number}.", key=f"mail-{number}") for number in range(1, 11)]
    assert [(each.turn, each.abstained) for each in told if each.abstained] == [
        ("T4", "it could not be read: the reply is no JSON")
    ]
    assert [each.id for each in talk.propositions] == [f"o{number}" for number in range(1, 11) if number != 4]
    version = talk.version
    assert [talk.say("alice", f"Words {number}.", key=f"mail-{number}") for number in range(1, 11)] == told
    assert talk.version == version
    assert isinstance(missing, tuple)
    talk.amend("T4", missing)
    assert {each.id for each in talk.propositions} == {f"o{number}" for number in range(1, 11)}
    assert talk.version == version + 1


def test_an_error_of_the_programme_is_not_taken_for_a_turn_that_cannot_be_read() -> None:
    """Our promise: only deliberate errors are abstentions; a fault of the interpreter is seen, and nothing changed."""

    class Broken(Scripted):
        """An interpreter with a fault."""

        def interpret(self, turn: Turn, view: View) -> Interpreted:
            """Fail."""
            raise ZeroDivisionError

    talk = Conversation({"alice": "guest"}, interpreter=Broken())
    with pytest.raises(ZeroDivisionError):
        talk.say("alice", "It rains.")
    assert talk.timeline.turns == ()


def test_the_view_is_that_before_the_turn() -> None:
    """Our promise: a turn is read against what is known before it."""
    script = Scripted((RAIN,), (WIND,))
    talk = Conversation({"alice": "guest"}, interpreter=script)
    talk.say("alice", "It rains.")
    talk.say("alice", "It is windy.")
    assert [[known.proposition.id for known in view.known()] for view in script.views] == [[], ["o1"]]
    (known,) = script.views[1].known()
    assert (known.speaker, known.turn) == ("alice", "T1")
    assert script.views[1].get(PropositionId("o2")) is None


def test_reading_changes_no_state() -> None:
    """Our promise: a reading is a value; telling it is another act."""
    talk = Conversation({"alice": "guest"})
    before = talk.state
    turn = Turn(id=TurnId("T1"), speaker=AgentId("alice"), text="The train leaves at 9:40.")
    reading = read_turn(talk.state, turn, CueInterpreter())
    assert reading.turn.operations
    assert reading.interpreter == "cues@1"
    assert talk.state is before
