"""The interpreter that repeats a person's annotations."""

from __future__ import annotations

from dataclasses import replace

from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.formats.reading import parse_transcript
from upheld.speech.interpretation.annotated import AnnotatedInterpreter
from upheld.speech.view import Known

TEXT = """format: upheld/annotated-transcript@1
id: small
agents: [{id: ann}]
turns:
  - {id: T1, speaker: ann, text: "It rains.", operations: [{op: observe, id: o1, text: "It rains."}]}
  - {id: T2, speaker: ann, text: "Ok.", operations: []}
"""


class Nothing:
    """A view in which nothing was said."""

    def known(self) -> tuple[Known, ...]:
        """Give nothing."""
        return ()

    def get(self, proposition: PropositionId) -> Known | None:
        """Give nothing."""
        return None


def test_a_turn_gets_its_annotated_operations() -> None:
    """Our promise: operations by turn id."""
    transcript = parse_transcript(TEXT, source="small.yaml")
    interpreter = AnnotatedInterpreter(transcript)
    words_only = replace(transcript.turns[0], operations=())
    read = interpreter.interpret(words_only, Nothing())
    assert (read.operations, read.abstained) == (transcript.turns[0].operations, "")
    assert read.interpreter == "annotated@1"


def test_a_turn_that_acknowledges_is_not_an_abstention() -> None:
    """Our promise: nothing to say is not the same as not knowing."""
    transcript = parse_transcript(TEXT, source="small.yaml")
    read = AnnotatedInterpreter(transcript).interpret(transcript.turns[1], Nothing())
    assert (read.operations, read.abstained) == ((), "")


def test_a_turn_with_other_words_or_unknown_is_abstained_on() -> None:
    """Our promise: an annotation is of words, not of a number."""
    transcript = parse_transcript(TEXT, source="small.yaml")
    interpreter = AnnotatedInterpreter(transcript)
    other = replace(transcript.turns[0], text="It snows.")
    unknown = Turn(id=TurnId("T9"), speaker=AgentId("ann"), text="It rains.")
    for turn in (other, unknown):
        read = interpreter.interpret(turn, Nothing())
        assert read.operations == ()
        assert turn.id in read.abstained
