"""The loop of the paper's section 4.1: what the engine objects to goes back to the interpreter, with its name."""

from __future__ import annotations

from collections.abc import Sequence

from upheld import Conversation
from upheld.conversation.reading.reader import Reader
from upheld.conversation.reading.turns import SURPRISING, Patience
from upheld.errors import ModelUnreachable
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import literal
from upheld.logic.language.operations import ExpandAwareness, Hypothesize, Observe, Operation, Resolve
from upheld.logic.language.turns import Turn
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.speech.interpretation.interpreter import Interpreted, Objection
from upheld.speech.models.reply import Usage
from upheld.speech.redaction.patterned import PatternRedactor
from upheld.speech.view import Situation, View

ALERT = Observe(id=PropositionId("o3"), text="An alert named database health is firing.")
AS_OBSERVED = Observe(
    id=PropositionId("o4"), text="The database alert is about Redis.", reinterprets=(PropositionId("o3"),)
)
AS_WIDENED = ExpandAwareness(
    id=PropositionId("o4"), text="The database alert is about Redis.", reinterprets=(PropositionId("o3"),)
)
CALL = Usage(calls=1, input_tokens=10, output_tokens=3)
Line = tuple[Operation, ...] | Exception


class Scripted:
    """An interpreter that can be asked again; it answers by a script and keeps what it was asked."""

    name = "scripted"
    version = "1"

    def __init__(self, *lines: Line) -> None:
        """Take the script: operations, or an error that is raised."""
        self.lines = iter(lines)
        self.objections: list[Objection] = []
        self.views: list[View] = []

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Give the next line."""
        self.views.append(view)
        return self._next()

    def reinterpret(self, turn: Turn, view: View, first: Interpreted, objection: Objection) -> Interpreted:
        """Give the next line."""
        self.objections.append(objection)
        return self._next()

    def interpret_session(self, turns: Sequence[Turn], view: View) -> tuple[Interpreted, ...]:
        """Give as many lines as there are turns."""
        self.views.append(view)
        return tuple(self._next() for _ in turns)

    def _next(self) -> Interpreted:
        line = next(self.lines)
        if isinstance(line, Exception):
            raise line
        return Interpreted(operations=line, interpreter="scripted@1", usage=CALL)


def test_a_reinterpretation_read_as_an_observation_becomes_widened_awareness_when_asked_again() -> None:
    """Issue, gate 2 (the paper's T4): the objection names the precondition, and the second reading is applied."""
    script = Scripted((ALERT,), (AS_OBSERVED,), (AS_WIDENED,))
    talk = Conversation(interpreter=script)
    talk.say("carol", "Three alarms.")
    told = talk.say("carol", "The database alarm is talking about Redis.")
    assert told.operations == (AS_WIDENED,)
    assert [objection.failure for objection in told.objections] == ["use_expand_awareness"]
    assert "expand_awareness" in script.objections[0].message
    assert told.usage == CALL + CALL
    assert told.findings == ()


def test_asking_again_ends_at_the_cap_and_what_is_refused_is_named() -> None:
    """Issue, section 1 (a cap): three attempts, then the operation is dropped as a finding."""
    script = Scripted((ALERT,), (AS_OBSERVED,), (AS_OBSERVED,), (AS_OBSERVED,), (AS_WIDENED,))
    talk = Conversation(interpreter=Reader(interpreter=script, patience=Patience(attempts=3)))
    talk.say("carol", "Three alarms.")
    told = talk.say("carol", "The database alarm is talking about Redis.")
    assert len(told.objections) == 2
    assert told.operations == ()
    assert [finding.failure.name for finding in told.findings] == ["use_expand_awareness"]


def test_an_unknown_id_is_objected_to_by_name() -> None:
    """Issue, section 1: an unknown id is a typed failure; the second reading may mend it."""
    dangling = Hypothesize(
        id=PropositionId("h1"), text="The disk is full.", depends_on=(), explains=(PropositionId("o9"),)
    )
    script = Scripted(
        (ALERT,),
        (dangling,),
        (Hypothesize(id=PropositionId("h1"), text="The disk is full.", explains=(PropositionId("o3"),)),),
    )
    talk = Conversation(interpreter=script)
    talk.say("carol", "Three alarms.")
    told = talk.say("carol", "The disk is full.")
    assert [objection.failure for objection in told.objections] == ["unknown_reference"]
    assert talk.status("h1").id == "h1"


def test_a_failing_language_model_leaves_the_words_unread_and_the_state_as_it_was() -> None:
    """C-38 and gate 1: that turn alone fails; reading again applies just that one, against what was known before it."""
    script = Scripted((ALERT,), ModelUnreachable("the server refused"), (AS_WIDENED,))
    store = EphemeralStore()
    talk = Conversation(interpreter=script, store=store)
    talk.say("carol", "Three alarms.")
    before = talk.propositions
    told = talk.say("carol", "The database alarm is talking about Redis.")
    assert told.abstained == "it could not be read: the server refused"
    assert (talk.propositions, talk.unread()) == (before, (TurnId("T2"),))
    (again,) = talk.read_again()
    assert again.operations == (AS_WIDENED,)
    assert talk.unread() == ()
    assert [each.id for each in talk.propositions] == ["o3", "o4"]


def test_what_surprises_waits_among_the_open_problems_that_the_next_reading_sees() -> None:
    """The paper's section 4.1: a surprising observation asks for a hypothesis in the next turn."""
    script = Scripted((ALERT,), ())
    talk = Conversation(interpreter=script)
    talk.say("carol", "Three alarms.")
    talk.say("alice", "Hm.")
    seen = script.views[1]
    assert isinstance(seen, Situation)
    assert [(problem.id, problem.is_surprise) for problem in seen.problems()] == [("o3", True)]


def test_with_asks_why_the_hypothesis_is_asked_for_in_the_same_turn() -> None:
    """The paper's section 4.1, the same turn: what is added is kept, and what it cost is told."""
    cause = Hypothesize(id=PropositionId("h1"), text="Redis is down.", explains=(PropositionId("o3"),))
    script = Scripted((ALERT,), (ALERT, cause))
    talk = Conversation(interpreter=Reader(interpreter=script, patience=Patience(asks_why=True)))
    told = talk.say("carol", "The database alarm fires, I guess because Redis is down.")
    assert told.operations == (ALERT, cause)
    assert [objection.failure for objection in told.objections] == [SURPRISING]
    assert told.usage.calls == 2


def test_a_second_reading_that_explains_nothing_is_not_taken() -> None:
    """Our promise: asking why never costs an observation."""
    script = Scripted((ALERT,), ())
    talk = Conversation(interpreter=Reader(interpreter=script, patience=Patience(asks_why=True)))
    assert talk.say("carol", "The alarm fires.").operations == (ALERT,)


def test_a_session_is_read_with_one_call_and_a_fault_in_one_turn_stays_there() -> None:
    """Issue, section 1 (session-batched): order kept, each held against what those before it established."""
    script = Scripted((ALERT,), (AS_OBSERVED,), (Resolve(target=literal("o3")),), (AS_WIDENED,))
    talk = Conversation(interpreter=script)
    turns = [Turn(id=TurnId(f"T{number}"), speaker=AgentId("carol"), text=f"Words {number}.") for number in (1, 2, 3)]
    told = talk.hear_session(turns)
    assert len(script.views) == 1
    assert [each.operations for each in told][:2] == [(ALERT,), (AS_WIDENED,)]
    assert [len(each.objections) for each in told] == [0, 1, 0]


def test_where_the_call_for_a_session_fails_every_turn_is_unread_and_the_cost_told_once() -> None:
    """Gate 1: never half-changed."""
    failure = ModelUnreachable("cut off")
    failure.calls = 2
    talk = Conversation(interpreter=Scripted(failure))
    told = talk.hear_session([Turn(id=TurnId(f"T{n}"), speaker=AgentId("a"), text="x") for n in (1, 2)])
    assert [each.usage.calls for each in told] == [2, 0]
    assert talk.unread() == ("T1", "T2")
    assert talk.propositions == ()


def test_secrets_are_taken_out_before_anything_is_stored_or_sent() -> None:
    """Issue, section 1 (redaction): neither the interpreter, nor the record, nor an operation sees the address."""
    seen: list[str] = []

    class Listening(Scripted):
        """Keeps the words that it was given."""

        def interpret(self, turn: Turn, view: View) -> Interpreted:
            """Observe the words as they are."""
            seen.append(turn.text)
            return Interpreted(operations=(Observe(id=PropositionId("o1"), text=turn.text),), interpreter="l@1")

    store = EphemeralStore()
    talk = Conversation(interpreter=Reader(interpreter=Listening(), redactor=PatternRedactor()), store=store)
    talk.say("ava", "Write to ava.lind@example.org please.")
    talk.observe("ava", "o2", "The address is ava.lind@example.org.", said="It is ava.lind@example.org.")
    everything = repr(list(store.read(talk.id))) + repr(seen) + repr(talk.propositions)
    assert "ava.lind@example.org" not in everything
    assert "[email-1]" in everything
